"""From settings to layers: how each kind of layer knows positions, and what a length changes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pecheck.configuration.families import WRITTEN
from pecheck.configuration.patterns import KINDS, NO_ATTENTION, changed_layers, kinds_of, window_key
from pecheck.configuration.rotation import Rotation
from pecheck.configuration.settings import Settings, Unreadable, holds, integer, listed, real
from pecode._check import require, shown
from pecode._types import Floats
from pecode.encodings import frequencies
from pecode.relative import alibi_slopes

# Columns of a head for each axis, where no key says them
SPLITS: dict[str, Any] = {
    "sixths": lambda head: (head - 4 * (head // 6), 2 * (head // 6), 2 * (head // 6)),
    "eighths": lambda head: (head // 4, 3 * (head // 8), 3 * (head // 8)),
    "halves": lambda head: (head // 2, head // 2),
    "alternating": lambda head: (head // 2, head // 2),  # of one ladder, pair by pair
}


@dataclass(frozen=True)
class AtLength:
    """What becomes of one kind of layer in a text of a given length.

    new_pairs: the pairs that meet angles which they never met in training. slowed: by how much the
    rule divides the frequency of each pair. temperature: what multiplies the last query's scores.
    has_row: whether a table has a row for the last position, None where there is no table.
    """

    length: int
    new_pairs: tuple[int, ...]
    slowed: tuple[float, ...]
    temperature: float
    has_row: bool | None


@dataclass(frozen=True, eq=False)
class Layer:
    """One kind of layer: how it knows positions. None is what does not apply or is not given."""

    kind: str
    indices: tuple[int, ...]
    scheme: str
    head_dim: int | None = None
    rotary_dim: int | None = None
    layout: str | None = None
    base: float | None = None
    frequencies: Floats | None = None  # of a text of the asked length
    attention_scaling: float = 1.0  # of cosines and sines
    window: int | None = None  # how many keys a query sees, its own among them
    both_sides: bool | None = None  # whether the window reaches as far ahead, beside the query
    chunk: int | None = None  # the length of pieces that see nothing of each other
    trained_length: int | None = None
    promised_length: int | None = None
    rule: str | None = None
    factor: float | None = None
    plain: Floats | None = None  # the frequencies without the rule
    score_scaling: float = 1.0  # of the scores, beside attention_scaling
    sections: tuple[int, ...] | None = None  # pairs for each axis
    sections_in_turn: bool | None = None  # whether the axes take pairs in turn, not in blocks
    slopes: Floats | None = None
    buckets: int | None = None
    max_distance: int | None = None
    rows: int | None = None
    offset: int = 0
    axes: tuple[str, ...] | None = None  # names of the coordinates, where a token has several
    grid: tuple[int | None, ...] | None = None  # how many of each were trained, None if not known
    at_length: AtLength | None = None
    sources: Mapping[str, str] = field(default_factory=dict)  # of what no key says: guess or family

    @property
    def wavelengths(self) -> Floats | None:
        """2π / ω for each pair, infinite where it does not turn."""
        with np.errstate(divide="ignore"):
            return None if self.frequencies is None else 2 * np.pi / self.frequencies

    @property
    def order(self) -> str | None:
        """How the axes take pairs where they do not take one section after the other."""
        if self.sections_in_turn and self.axes:
            return "{} and {} in turn, then {}".format(*self.axes)
        return "in turn" if self.sections_in_turn else None

    @property
    def turns(self) -> Floats | None:
        """How often each pair turns within the trained length."""
        if self.frequencies is None or self.trained_length is None:
            return None
        return self.trained_length * self.frequencies / (2 * np.pi)


def layers_of(settings: Settings, length: int | None = None) -> list[Layer]:
    """Every kind of layer of a config, for a text of a length or of the trained one."""
    if settings.family.axes:
        layers = [_Axes(settings).layer(length)]
    else:
        groups = _stacks(settings) if settings.family.two_stacks else _groups(settings)
        layers = [_Kind(*group).layer(length) for group in groups]
    return [replace(layer, sources=_sources(settings, layer)) for layer in layers]


def vision_of(settings: Settings) -> list[Layer]:
    """The layers of the part for images, if its family is known."""
    if (part := settings.vision()) is None:
        return []
    try:
        own = Settings(part)
        layers = layers_of(own)
    except (TypeError, ValueError) as error:
        settings.says("images not read", error)
        return []
    for sentence in own.notes:
        settings.note(f"vision_config: {sentence}")
    return layers


def _stacks(settings):
    """An encoder and a decoder; T5 counts distances in both, Whisper's decoder has a table."""
    scheme, rows = settings.family.scheme, "max_target_positions"
    encoders, decoders = settings.needed("layers"), settings.needed("decoders")
    yield settings, "encoder", range(encoders), scheme
    if scheme == "buckets" and settings.own.get("is_encoder_decoder") is False:
        return
    if scheme != "buckets" and settings.usual(rows):
        settings = settings.with_own({"max_position_embeddings": settings.needed(rows)})
        scheme = "learned"
    yield settings, "decoder", range(decoders), scheme


def _groups(settings):
    """The layers that are alike: with their settings, the kind, the numbers and the scheme."""
    kinds, unrotated = kinds_of(settings)
    changed, groups = changed_layers(settings, kinds), {}
    for i, kind in enumerate(kinds):
        groups.setdefault((kind, i in unrotated, str(changed.get(i))), []).append(i)
    for (kind, still, _), indices in groups.items():
        own = settings.with_own(changed[indices[0]]) if indices[0] in changed else settings
        rules, scheme = own.own.get("rope_parameters"), _scheme(own)
        null = isinstance(rules, Mapping) and kind in rules and rules[kind] is None
        yield own, kind, indices, "none" if still or null or kind in NO_ATTENTION else scheme


def _scheme(settings):
    """The scheme of a family, or the one that keys choose."""
    own, family = settings.own, settings.family
    given = own.get("position_embedding_type")
    if given is not None and str(given).split("_")[0] not in WRITTEN["schemes"].split():
        settings.says("unknown scheme", shown(given))
    for row in (*family.choices, *WRITTEN["choices"]):
        if holds(row, own):
            settings.note(row.get("note", ""))
            return row["scheme"]
    if family.scheme == "learned" and given in ("relative_key", "relative_key_query"):
        settings.says("distances beside", given)
    return family.scheme


def _sources(settings, layer):
    """Where fields come from that no key of the file says: a guess, or the family."""
    own, source = settings.own, "a guess" if settings.guess else "from the family"
    unknown = own.get("layer_types") and layer.kind not in KINDS
    makers = "a guess" if own.get("use_scaled_rope") else None  # Llama 3's own files name no rule
    sources = {
        "scheme": "a guess" if settings.guess or unknown else None, "rule": makers,
        "layout": None if "rope_interleave" in own else source, "trained_length": makers,
        "base": None if layer.base is None or Rotation(settings, layer.kind).says_base else source,
        "factor": makers if own.get("rope_scale_factor") is None else None,
    }  # fmt: skip
    if settings.guess:  # what follows from the scheme
        sources |= dict.fromkeys(("rows", "buckets", "max_distance", "slopes"), "a guess")
    return {k: v for k, v in sources.items() if v and getattr(layer, k) is not None}


class _Kind:
    """Layers that are alike: their settings, kind, numbers and scheme."""

    def __init__(self, settings, kind, indices, scheme):
        self.settings, self.own, self.family = settings, settings.own, settings.family
        self.kind, self.indices, self.scheme = kind, tuple(indices), scheme

    def layer(self, length):
        """The layer, and what a text of this length does to it."""
        kind, needed = self.kind, self.settings.needed
        chunk = needed("attention_chunk_size") if kind == "chunked_attention" else None
        trained = self.settings.usual("length")
        fields, temperature = {"scheme": self.scheme, "window": self._window(), "chunk": chunk,
                               "trained_length": trained, "promised_length": trained,
                               "both_sides": self.family.both_sides or None}, 1.0  # fmt: skip
        if self.scheme == "rotary":
            rotation = Rotation(self.settings, kind)
            turned, temperature = rotation.fields(self._head(), trained, length)
            fields |= turned
            width = self.settings.integer("index_head_dim") or self.family.default("index_head_dim")
            if self.family.indexer and width:
                self.settings.says(f"indexer, {self.family.indexer}", width, fields["rotary_dim"])
        elif self.scheme == "ALiBi":
            fields |= {"slopes": alibi_slopes(needed("heads")), "head_dim": self._head()}
        elif self.scheme == "buckets":
            far, name = needed("relative_attention_max_distance"), "relative_attention_max_distance"
            buckets = needed("relative_attention_num_buckets")
            single = buckets // (4 if kind == "encoder" else 2)  # distances with a bucket each
            require(far > single, name, f"more than the {single} that have a bucket each", far)
            fields |= {"head_dim": self._head(), "buckets": buckets, "max_distance": far}
        elif self.scheme != "none":
            fields |= self._table(trained)
        elif kind not in NO_ATTENTION:
            fields["head_dim"], name = self._head(asked=False), "attn_temperature_tuning"
            if length is not None and self.own.get(name, self.family.defaults.get(name)):
                # Llama 4's, in the layers without rotation: 1 + a ln(1 + ⌊(t + 1) / 8192⌋)
                floor, scale = self.own.get("floor_scale", 8192), self.own.get("attn_scale", 0.1)
                grown = math.log1p(length // real("floor_scale", floor))
                temperature = 1 + real("attn_scale", scale) * grown
        layer = Layer(kind, self.indices, **fields)
        return replace(layer, at_length=length and _at(length, layer, temperature))

    def _window(self):
        """The keys that a query sees: back, and as far ahead in some encoders."""
        if self.kind not in ("sliding_attention", "reference_sliding_attention", "hybrid_sliding"):
            return None
        name = window_key(self.settings)
        window = None if name is None else self.settings.needed(name)
        if name in ("local_attention", "attention_window"):  # which count both sides
            return window // 2
        name = "sliding_window_size"  # MiMo's makers' engine sees so many tokens before the query
        if self.own.get(name) is not None and self.settings.model_type == "mimo_v2_flash":
            return integer(name, self.own[name]) + 1
        return window

    def _head(self, asked=True):
        """The width of a head: said, or the family's, or the width shared among the heads."""
        own, family, settings = self.own, self.family, self.settings
        if family.latent:
            turned = settings.needed("qk_rope_head_dim", minimum=0)
            return settings.needed("qk_nope_head_dim", minimum=0) + turned
        name = "global_head_dim"  # of Gemma 4, unless per_layer_config says it for each layer
        silent = "per_layer_config" not in own and name not in own and family.default(name)
        if self.kind == "full_attention" and (own.get(name) or silent):
            return settings.needed(name)
        if (given := settings.usual("head")) is not None:
            return given
        if not asked and not all(settings.key(x) or family.default(x) for x in ("width", "heads")):
            return None
        width, heads = settings.needed("width"), settings.needed("heads")
        if width % heads:
            whole = f"a multiple of the {heads} heads, as the class of {settings.model_type} asks"
            require(not family.whole_heads, settings.key("width") or "hidden_size", whole, width)
            settings.says("head rounded down", width, heads)
        return width // heads

    def _table(self, rows):
        """The fields of a layer whose positions stand in a table, trained or of sines."""
        family, settings = self.family, self.settings
        width, offset = settings.needed("width"), family.offset
        known = family.rows or "length"  # of a table that a key chose
        if "patches" in known:
            rows = _patches_in_a_row(settings) ** 2 + ("class" in known) + ("distilled" in known)
        elif known == "any":  # computed anew when a text is longer
            rows = None
        elif rows is None:
            settings.says("no rows")
        elif known == "length + 2":
            rows += 2
        elif offset and settings.key("pad_token_id"):  # RoBERTa's: rows after that of the padding
            offset = settings.integer("pad_token_id", 0) + 1
        if self.scheme == "sinusoidal":
            omega = frequencies(width, family.base, spacing=family.spacing)
            return {"base": family.base, "layout": family.layout, "frequencies": omega,
                    "plain": omega, "rows": rows, "offset": offset}  # fmt: skip
        if self.scheme == "relative":
            far = None if "patches" in known else rows
            return {"head_dim": self._head(), "max_distance": far}
        usable = None if rows is None else rows - offset
        return {"head_dim": self._head(asked=False), "rows": rows, "offset": offset,
                "trained_length": usable, "promised_length": usable}  # fmt: skip


def _at(length, layer, temperature):
    """What a text of this length does to a layer."""
    new, slowed = (), ()
    if layer.rotary_dim is not None and layer.frequencies is not None:
        if layer.trained_length is not None:
            # The largest offset turns a pair a whole step past training, short of a turn. Where no
            # key says the length before stretching, the promised one was stretched already.
            trained = layer.frequencies if layer.rule == "linear" else layer.plain
            within = layer.window or layer.chunk or math.inf
            then = trained * (min(layer.trained_length, within) - 1)
            now = layer.frequencies * (min(length, within) - 1)
            meets = (then < 2 * np.pi) & (now > 0) & (now >= (then + trained) * (1 - 1e-12))
            new = tuple(np.flatnonzero(meets).tolist())
        pairs = zip(layer.plain.tolist(), layer.frequencies.tolist(), strict=True)
        slowed = tuple(plain / omega if omega > 0 else 1.0 for plain, omega in pairs)
    row = None if layer.rows is None else length + layer.offset <= layer.rows
    scale = layer.attention_scaling**2 * layer.score_scaling * temperature
    return AtLength(length, new, slowed, scale, row)


class _Axes:
    """Layers whose tokens have several coordinates, frames, rows, columns: a ladder for each."""

    def __init__(self, settings):
        self.settings, self.own, self.family = settings, settings.own, settings.family

    def layer(self, length):
        """The layer; diffusers' blocks are all alike."""
        own, family, settings = self.own, self.family, self.settings
        if length is not None:
            settings.says("length of axes")
        n = settings.usual("layers", 0)
        if n is None:
            settings.says("no layers")
        n = (n or 0) + (settings.usual("num_single_layers", 0) or 0)  # Flux has a second kind
        fields = {"layout": family.layout, "axes": tuple(family.axes.split()),
                  "grid": self._grid(), "rule": "default"}  # fmt: skip
        if family.scheme == "sinusoidal" or own.get("use_rotary_positional_embeddings") is False:
            fields |= self._added()
        else:
            fields |= self._turned()
        return Layer("full_attention", tuple(range(n)), **fields)

    def _turned(self):
        own, family, settings = self.own, self.family, self.settings
        for name in ("num_position_embeddings", "position_embedding_size"):
            if own.get(name):
                settings.says("table beside", name, own[name])
        head = self._head()
        widths = self._widths(head)
        said = (own.get("rope_parameters") or {}).get("rope_theta", settings.raw("base"))
        base = family.base if said is None else real(settings.key("base") or "rope_theta", said, 1)
        omega = np.concatenate([frequencies(n, base) for n in widths])
        if family.split == "alternating":
            omega = frequencies(head, base)
            omega = np.concatenate([omega[0::2], omega[1::2]])
        if family.span == "picture":  # it reaches from -1 to 1, whatever the number of patches
            side = _patches_in_a_row(settings)
            require(side, "patch_size", "at most image_size, so that there is a patch", "more")
            settings.says("picture", side)
            omega *= 4 * np.pi / side
        turned = sum(widths)
        return {"scheme": "rotary" if turned == head else "partial rotary", "head_dim": head,
                "rotary_dim": turned, "base": base, "frequencies": omega, "plain": omega,
                "sections": tuple(n // 2 for n in widths)}  # fmt: skip

    def _added(self):
        """Sines and cosines that are added, a share of the columns for each axis."""
        base, settings, rows = self.family.base, self.settings, None
        width = self._head() * settings.needed("heads")
        shares = SPLITS["eighths" if len(self.family.axes.split()) > 2 else "halves"](width)
        omega = np.concatenate([frequencies(2 * (n // 2), base) for n in shares])
        if settings.key("image_size") and "_class_name" not in self.own:  # and one for the class
            rows = _patches_in_a_row(settings) ** 2 + 1
        return {"scheme": "sinusoidal", "layout": "concatenated", "base": base,
                "frequencies": omega, "plain": omega, "rows": rows,
                "sections": tuple(n // 2 for n in shares)}  # fmt: skip

    def _head(self):
        settings, given = self.settings, self.settings.integer("head")
        if given is not None:
            return given
        if settings.key("width") is None and "_class_name" in self.own:  # of diffusers
            raise Unreadable(f"attention_head_dim: missing. Read: {listed(self.own)}.")
        width = settings.integer("embed_dim") or settings.needed("width")  # Qwen2-VL's of images
        return width // settings.needed("heads")

    def _widths(self, head):
        name, split = self.settings.key("axes") or "axes_dims_rope", self.family.split
        given = self.settings.raw("axes")
        if isinstance(split, str):
            given = SPLITS[split](head)
        elif given is None:
            given = split
            self.settings.says("axes of the class", name, given)
        require(isinstance(given, (list, tuple)), name, "a list of integers", given)
        widths = [integer(name, n) for n in given]
        right = sum(widths) <= head and not any(n % 2 for n in widths)
        require(right, name, f"even widths within {head}", widths)
        return widths

    def _grid(self):
        """How many frames, rows and columns the training had, as far as keys or the family say."""
        own, known = self.own, {"frame": self.family.frames}
        if own.get("sample_frames") is not None:
            clip = self.settings.integer("sample_frames")
            known["frame"] = (clip - 1) // compression(self.settings) + 1
        for names, key in ((("row", "column"), "image_size"), (("row",), "sample_height"),
                           (("column",), "sample_width")):  # fmt: skip
            if isinstance(own.get(key), int) and isinstance(own.get("patch_size") or "", int):
                known |= dict.fromkeys(names, own[key] // own["patch_size"])
        return tuple(known.get(axis) for axis in self.family.axes.split())


def _patches_in_a_row(settings):
    """The patches in a row of a square picture, and in a column."""
    return settings.needed("image_size") // settings.needed("patch_size")


def compression(settings: Settings) -> int:
    """Frames of a video in one latent frame, after the first."""
    return settings.integer("temporal_compression_ratio") or 4
