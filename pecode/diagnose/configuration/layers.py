"""From settings to layers: which kinds there are, how each turns, and what a length changes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from pecode import scaling
from pecode.diagnose.configuration.axial import axial
from pecode.diagnose.configuration.reading import (
    Settings,
    Unreadable,
    check_types,
    integer,
    listed,
    real,
    refused,
)
from pecode.encodings import frequencies
from pecode.relative import alibi_slopes

TYPES = {"su": "longrope", "mrope": "default", "deepseek_yarn": "yarn", None: "default"}
RULES = ("default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional")
HAS_ORIGINAL = ("yarn", "llama3", "longrope")
OWN_BASE = "base of this layer"  # no key of a config: what layer_rope_theta says of one
WINDOWED = ("sliding_attention", "chunked_attention")
# No attention, so nothing to rotate
UNSEEN = ("linear_attention", "mamba", "conv", "recurrent", "mlp")


@dataclass(frozen=True)
class AtLength:
    """What becomes of one kind of layer in a text of a given length.

    new_pairs: the pairs that meet angles which they never met in training. slowed: by how much the
    rule divides the frequency of each pair. temperature: what multiplies the last query's scores.
    has_row: whether a table has a row for the last position, None where there is no table.
    """

    length: int
    new_pairs: tuple
    slowed: tuple
    temperature: float
    has_row: bool | None


@dataclass(frozen=True, eq=False)
class Layer:
    """One kind of layer: how it knows positions. None is what does not apply or is not said."""

    kind: str
    indices: tuple
    scheme: str
    head_dim: int | None = None
    rotary_dim: int | None = None
    layout: str | None = None
    base: float | None = None
    frequencies: np.ndarray | None = None  # of a text of the asked length
    attention_scaling: float = 1.0  # of cosines and sines
    window: int | None = None
    trained_length: int | None = None
    promised_length: int | None = None
    rule: str | None = None
    factor: float | None = None
    plain: np.ndarray | None = None  # the frequencies without the rule
    score_scaling: float = 1.0  # of the scores, beside attention_scaling
    sections: tuple | None = None  # pairs for each axis
    sections_in_turn: bool | None = None  # whether the axes take pairs in turn, not in blocks
    slopes: np.ndarray | None = None
    buckets: int | None = None
    max_distance: int | None = None
    rows: int | None = None
    offset: int = 0
    axes: tuple | None = None  # names of the coordinates, where a token has several
    grid: tuple | None = None  # how many of each were trained, None where it is not known
    at_length: AtLength | None = None

    @property
    def wavelengths(self):
        """2π / ω for each pair, infinite where it does not turn."""
        with np.errstate(divide="ignore"):
            return None if self.frequencies is None else 2 * np.pi / self.frequencies

    @property
    def turns(self):
        """How often each pair turns within the trained length."""
        if self.frequencies is None or self.trained_length is None:
            return None
        return self.trained_length * self.frequencies / (2 * np.pi)


def vision_of(settings):
    """The layers of the part for images, if its family is known."""
    part = settings.vision()
    if part is None:
        return []
    try:
        own = Settings(part)
        found = layers_of(own)
    except Unreadable as error:
        settings.note(f"vision_config was not read: {error}")
        return []
    for sentence in own.notes:
        settings.note(f"vision_config: {sentence}")
    return found


def layers_of(settings, length=None):
    """Every kind of layer of a config, for a text of a length or of the trained one."""
    family = settings.family
    if family.stacks:
        return _two_stacks(settings, length)
    if family.axes:
        return [Layer(**axial(settings, length))]
    kinds, unrotated = kinds_of(settings)
    changed = _changed_layers(settings.own)
    groups = {}
    for i, kind in enumerate(kinds):
        groups.setdefault((kind, i in unrotated, str(changed.get(i))), []).append(i)
    return [
        _layer(settings.with_own(changed.get(indices[0], {})), kind, tuple(indices), still, length)
        for (kind, still, _), indices in groups.items()
    ]


def _changed_layers(own):
    """What per_layer_config says of single layers (transformers 5.23: other widths of heads)."""
    given = own.get("per_layer_config") or {}
    if not isinstance(given, Mapping) or not all(isinstance(v, Mapping) for v in given.values()):
        raise Unreadable(f"per_layer_config: expected an object for each layer, got {given!r:.60}")
    if not all(str(name).isdecimal() for name in given):
        raise Unreadable(f"per_layer_config: expected numbers of layers, got {list(given)!r:.60}")
    for each in given.values():
        check_types(each)
    changed = {int(i): {k: each[k] for k in sorted(each, key=str)} for i, each in given.items()}
    for i, base in enumerate(_bases(own)):
        changed[i] = {**changed.get(i, {}), OWN_BASE: base}
    return changed


def _bases(own):
    """The base of every layer, where there is a list of them; a 0 is a layer without positions."""
    bases = own.get("layer_rope_theta") or []
    if not isinstance(bases, list):
        raise Unreadable(f"layer_rope_theta: expected a list of numbers, got {bases!r:.60}")
    return [real("layer_rope_theta", base or 0, -1) for base in bases]


# --- which layers are of which kind


def kinds_of(settings):
    """The kind of every layer, and the numbers of those that go without positions."""
    own, family = settings.own, settings.family
    n = settings.needed("layers", family.n_layers)
    if n > 10_000:
        raise Unreadable(f"{settings.key('layers')}: expected at most 10,000 layers, got {n:,}")
    kinds = _listed_kinds(settings, n) or [KINDS[family.kinds](settings, i) for i in range(n)]
    return kinds, _unrotated(own, family, kinds)


def _listed_kinds(settings, n):
    own = settings.own
    given = own.get("layer_types") or own.get("layers_block_type")
    if isinstance(given, list) and given:
        if strange := [kind for kind in given if not isinstance(kind, str)]:
            raise Unreadable(f"layer_types: expected names of kinds, got {strange[0]!r:.60}")
        if len(given) != n:
            settings.note(f"layer_types names {len(given)} layers, the model has {n}.")
        names = {"attention": "full_attention", "mamba": "linear_attention"}
        kinds = [names.get(kind, kind) for kind in given[:n]]
        return kinds + kinds[-1:] * (n - len(kinds))
    marks = own.get("hybrid_override_pattern")
    if isinstance(marks, str):
        names = {"*": "full_attention", "-": "mlp", "E": "mlp"}
        return [names.get(mark, "linear_attention") for mark in marks[:n]]
    pattern = own.get("sliding_window_pattern", own.get("_sliding_window_pattern"))
    if isinstance(pattern, str) and pattern:  # "LLLG": L is local
        letters = (pattern * n)[:n].upper()
        return ["full_attention" if letter == "G" else "sliding_attention" for letter in letters]
    blocks = own.get("block_types", own.get("_block_types"))
    if isinstance(blocks, list) and blocks:
        names = {"recurrent": "linear_attention", "attention": "sliding_attention"}
        return [names.get(str(kind), str(kind)) for kind in (blocks * n)[:n]]
    ratios = own.get("compress_ratios")
    if isinstance(ratios, list):
        return ["compressed_attention" if r else "sliding_attention" for r in ratios[:n]]
    return None


def _every(settings, otherwise):
    for name in ("sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers",
                 "full_attention_interval", "no_rope_layer_interval"):  # fmt: skip
        if settings.own.get(name) is not None:
            return integer(name, settings.own[name])
    return otherwise


def _windowed(yes):
    return "sliding_attention" if yes else "full_attention"


def _from_layer(settings, i):
    if not settings.own.get("use_sliding_window") or settings.key("window") is None:
        return "full_attention"
    return _windowed(i >= (settings.integer("max_window_layers", 0) or 0))


def _hybrid(settings, i):
    period = settings.integer("attn_layer_period")
    if period:
        yes = i % period == (settings.integer("attn_layer_offset", 0) or 0)
    else:
        chosen = settings.own.get("attn_layer_indices", settings.own.get("full_attn_idxs"))
        yes = i in chosen if isinstance(chosen, list) else True
    return "full_attention" if yes else "linear_attention"


KINDS = {
    "full": lambda s, i: "full_attention",
    "state": lambda s, i: "linear_attention",
    "window": lambda s, i: _windowed(
        s.key("window") is not None and s.own.get("use_sliding_window") is not False
    ),
    "from": _from_layer,
    "pattern": lambda s, i: _windowed(
        ("sliding_window" not in s.own or s.key("window") is not None)
        and (i + 1) % _every(s, s.family.pattern)
    ),
    "first of": lambda s, i: _windowed(i % _every(s, s.family.pattern)),
    "interval": lambda s, i: (
        "linear_attention" if (i + 1) % _every(s, s.family.pattern) else "full_attention"
    ),
    "chunked": lambda s, i: (
        "full_attention" if i in _unrotated(s.own, s.family, range(i + 1)) else "chunked_attention"
    ),
    "compressed": lambda s, i: "compressed_attention",
    "hybrid": _hybrid,
}


def _unrotated(own, family, kinds):
    """The layers without positions. In `no_rope_layers` a 1 means that the rotation is on."""
    numbers = range(len(kinds))
    for marks in (own.get("no_rope_layers"), _bases(own)):
        if isinstance(marks, list) and marks:
            return {i for i in numbers if i < len(marks) and not marks[i]}
    if family.unrotated == "interval" or own.get("no_rope_layer_interval") is not None:
        every = integer("no_rope_layer_interval", own.get("no_rope_layer_interval", family.pattern))
        return {i for i in numbers if (i + 1) % every == 0}
    if family.unrotated == "full" and "sliding_attention" in kinds:
        return {i for i in numbers if kinds[i] == "full_attention"} - _turned_anyway(own)
    all_of_them = family.unrotated == "all" or own.get("position_embedding_type") == "nope"
    all_of_them |= own.get("qk_rope_head_dim") == 0  # GLM 5 Next: no column of a head turns
    return set(numbers) if all_of_them else set()


def _turned_anyway(own):
    """The dense layers before the others, which Cohere 2's mixture of experts may rotate, too."""
    mixed = own.get("mlp_layer_types")
    if own.get("prefix_dense_sliding_window_pattern") != 1 or not isinstance(mixed, list):
        return set()
    return {i for i, kind in enumerate(mixed) if kind == "dense"}


# --- one kind of layer


def _layer(settings, kind, indices, still, length):
    family, own = settings.family, settings.own
    scheme = scheme_of(settings)
    nested = own.get("rope_parameters")
    if isinstance(nested, Mapping) and kind in nested and nested[kind] is None:
        still = True
    if kind in UNSEEN or still:
        scheme = "none"
    start = Layer(kind, indices, scheme, **_lengths(settings), window=_window(settings, kind))
    if scheme == "rotary":
        return rotary(settings, start, length)
    if scheme == "ALiBi":
        slopes = alibi_slopes(settings.needed("heads"))
        return with_length(replace(start, head_dim=_head(settings, kind), slopes=slopes), length)
    if scheme in ("learned", "sinusoidal", "relative"):
        return with_length(_table(settings, start), length)
    scale = _temperature_without_positions(own, family, length) if kind not in UNSEEN else 1.0
    head = None if kind in UNSEEN else _head(settings, kind, asked=False)
    return with_length(replace(start, head_dim=head), length, scale)


def scheme_of(settings):
    """The scheme of a family, where a config may choose."""
    own, scheme = settings.own, settings.family.scheme
    if "attn_config" in own and scheme == "ALiBi":
        return "rotary" if own.get("rope") else "ALiBi" if own.get("alibi") else "learned"
    said = own.get("position_embedding_type")
    if own.get("alibi") is True or said == "alibi":
        return "ALiBi"
    if scheme == "learned" and said in ("rotary", "rope"):
        return "rotary"
    if scheme == "learned" and said in ("relative_key", "relative_key_query"):
        settings.note(f"{said}: beside the table, scores have a trained vector for each distance.")
    if settings.model_type == "esm" and said != "rotary":
        return "learned"
    return scheme


def _lengths(settings):
    """The length of the training, and the one that the config promises."""
    promised = settings.integer("length")
    family = settings.family
    if promised is None and family.length:
        promised = settings.needed("length", family.length)
    return {"trained_length": promised, "promised_length": promised}


def _window(settings, kind):
    if kind == "chunked_attention":
        return settings.integer("attention_chunk_size")
    if kind == "sliding_attention":
        window = settings.integer("window")
        if window is None and settings.family.window and "sliding_window" not in settings.own:
            window = settings.family.window
            settings.note(f"sliding_window is absent: {window:,} is the default of this family.")
        # The key of ModernBERT counts both sides.
        return window // 2 if settings.key("window") == "local_attention" else window
    return None


def _head(settings, kind, asked=True):
    """The width of a head: said, or the family's, or the width shared among the heads."""
    own, family = settings.own, settings.family
    if own.get("qk_head_dim") is not None:
        return integer("qk_head_dim", own["qk_head_dim"])
    if family.decoupled:
        still, turned = family.parts or (None, None)
        rope = settings.needed("qk_rope_head_dim", turned, minimum=0)
        return settings.needed("qk_nope_head_dim", still, minimum=0) + rope
    if kind == "full_attention" and own.get("global_head_dim") is not None:
        return integer("global_head_dim", own["global_head_dim"])
    said = settings.integer("head")
    if said is not None:
        return said
    if family.head_dim:
        settings.note(f"head_dim is absent: {family.head_dim} is the default of this family.")
        return family.head_dim
    if not asked and (settings.key("width") is None or settings.key("heads") is None):
        return None
    width, heads = settings.needed("width"), settings.needed("heads")
    if width % heads:
        settings.note(f"{width:,} columns are no multiple of {heads} heads: rounded down.")
    return width // heads


def rope_of(settings, kind):
    """The keys of the rotation of one kind of layer, in one dict: as transformers 5.23 joins them.

    rope_scaling, where it is not null, replaces rope_parameters whole; what is inside goes before
    what is outside; rope_type before type.
    """
    own, family = settings.own, settings.family
    given = own.get("rope_scaling") or own.get("rope_parameters") or {}
    if family.needs_rule and not given:
        raise Unreadable(f"rope_parameters: missing. Read: {listed(own)}.")
    by_kind = {name: value for name, value in given.items() if isinstance(value, Mapping)}
    local = kind in WINDOWED
    if given and not (by_kind or own.get("rope_scaling")) and _asks_for_kinds(family):
        settings.note(
            "rope_parameters has no object for each kind of layer: transformers 5.23 does not read "
            "it for this family, and neither do we."
        )
        given = {}
    names = (kind, "compress" if "compressed" in kind else "main")
    rope = next((dict(by_kind[name]) for name in names if name in by_kind), None)
    if rope is None:
        rope = {k: v for k, v in given.items() if k not in by_kind}
        if local and (family.scaled == "full" or family.kinds == "compressed"):
            rope = {}  # the scaling is for the layers that see everything
    base = (
        settings.real("local base", 1) if local and family.local_base else settings.real("base", 1)
    )
    if "compressed" in kind and own.get("compress_rope_theta") is not None:
        base = real("compress_rope_theta", own["compress_rope_theta"], 1)
        rope.setdefault("attention_factor", 1.0)
    if own.get("rope_ratio") is not None:  # ChatGLM
        base = (base or family.base) * real("rope_ratio", own["rope_ratio"])
    inside = own.get(OWN_BASE) or rope.get("rope_theta")
    if inside is not None:
        base = real("rope_theta", inside, 1)
    elif "rope_theta" in own and own["rope_theta"] is None and base is None:
        raise Unreadable("rope_theta: expected a number above 1, got null")
    if base is None or settings.model_type in ("gptj", "codegen"):
        base = family.local_base if local and family.local_base else family.base
        what = "the base of its code" if family.known else "what most code takes"
        settings.note(f"No key says the base of the {kind} layers: {base:,.0f}, {what}.")
    rope["rope_theta"] = base
    if rope.get("type") and not rope.get("rope_type") and _asks_for_kinds(family):
        settings.note(
            f"The rule {rope['type']!r} is named by type alone: for this family transformers 5.23 "
            "looks at rope_type only and leaves the rule out, other engines apply it."
        )
    kind_of_rule = rope.get("rope_type") or rope.get("type")
    rope["rope_type"] = TYPES.get(kind_of_rule, kind_of_rule)
    if rope["rope_type"] in HAS_ORIGINAL:
        original = own.get("original_max_position_embeddings")
        if original is None and family.original:
            original = family.original
            settings.note(
                "original_max_position_embeddings is absent at the top: the default of this "
                f"family, {original:,}, goes before what the rule says."
            )
        if original is None:
            original = rope.get("original_max_position_embeddings")
        if original is None:
            original = settings.raw("length")
        if original is None:
            raise Unreadable("original_max_position_embeddings: missing, and so is the length")
        rope["original_max_position_embeddings"] = integer(
            "original_max_position_embeddings", original
        )
    return rope


def _asks_for_kinds(family):
    """Whether the layers with a window have a base of their own, inside rope_parameters."""
    return family.local_base is not None and family.kinds != "compressed"


def _share(settings, rope):
    """The share of a head that turns, as the family's code reads it."""
    family = settings.family
    said = rope.get("partial_rotary_factor")
    if said is None and settings.key("partial"):
        said = settings.raw("partial")
    share = family.partial if said is None else real("partial_rotary_factor", said)
    if not family.reads_partial and rope["rope_type"] in ("default", None):
        return 1.0
    if share > 1:
        raise Unreadable(f"partial_rotary_factor: expected at most 1, got {share:g}")
    return share


def rotary(settings, layer, length):
    """The frequencies of a kind of layer."""
    own, family = settings.own, settings.family
    rope, head = rope_of(settings, layer.kind), _head(settings, layer.kind)
    rule, base = rope["rope_type"], rope["rope_theta"]
    if family.parts or (own.get("qk_rope_head_dim") is not None and family.head_dim != 512):
        width = settings.needed("qk_rope_head_dim", family.parts[1] if family.parts else None)
    elif own.get("rotary_dim") is not None and _reads(family, "rotary_dim"):
        width = min(integer("rotary_dim", own["rotary_dim"]), head)
    else:
        if own.get("qk_rope_head_dim") is not None:
            rope.setdefault("partial_rotary_factor", own["qk_rope_head_dim"] / head)
        width = int(head * _share(settings, rope))
    if rule == "proportional":
        width = 2 * int(_share(settings, rope) * head // 2)
    if width % 2 or width < 2:
        raise Unreadable(f"head_dim: expected an even number of columns to turn, got {width}")
    ladder = head if rule == "proportional" else width
    if ladder > 2**20:
        raise Unreadable(f"head_dim: expected at most 2**20 columns, got {ladder:,}")
    trained = rope.get("original_max_position_embeddings", layer.trained_length)
    layer = replace(
        layer, scheme=_named(rule, width, head), head_dim=head, rotary_dim=width, base=base,
        layout=_layout(own, family), rule=rule, trained_length=trained,
        factor=None if rope.get("factor") is None else real("factor", rope["factor"]),
        plain=_plain(rule, ladder, width, base),
        sections=_sections(rope), sections_in_turn=_in_turn(family, rope),
        score_scaling=_score_scaling(family, rope),
    )  # fmt: skip
    omega, scale = _ruled(settings, layer, rope, ladder, length)
    layer = replace(layer, frequencies=omega, attention_scaling=scale)
    return with_length(layer, length, _growing_temperature(rope, layer, length))


def _named(rule, width, head):
    if rule == "proportional":
        return "proportional rotary"
    return "rotary" if width == head else "partial rotary"


def _layout(own, family):
    said = own.get("rope_interleave")
    return family.layout if said is None else "interleaved" if said else "half"


def _reads(family, key):
    """Whether the code of a family looks at this key for the share that turns."""
    return family.reads_partial and family.unread != key


def _in_turn(family, rope):
    """None without sections; the code of some families takes turns whatever the key says."""
    if rope.get("mrope_section") is None:
        return None
    return family.in_turn or bool(rope.get("mrope_interleaved"))


def _sections(rope):
    said = rope.get("mrope_section")
    if said is None:
        return None
    return tuple(integer("mrope_section", n, 0) for n in said)


def _plain(rule, ladder, width, base):
    if rule == "proportional":
        return scaling.proportional(ladder, width / ladder, base)
    return refused(lambda _, d: frequencies(d, base), "head_dim", ladder)


def _ruled(settings, layer, rope, width, length):
    """Frequencies and the factor of cosines and sines under a rule."""
    rule, base, plain = layer.rule, layer.base, layer.plain
    factor, original = layer.factor, rope.get("original_max_position_embeddings")
    said = rope.get("attention_factor")
    said = None if said is None else real("attention_factor", said)

    def needed(name):
        if rope.get(name) is None:
            raise Unreadable(
                f"{name}: missing, and the rule {rule!r} needs it. Read: {sorted(rope)}"
            )
        return rope[name]

    if rule == "default":
        return plain, 1.0
    if rule == "proportional":
        return plain / (factor or 1.0), 1.0
    if rule not in RULES:
        return None, 1.0
    if rule in ("linear", "dynamic"):
        factor = real("factor", needed("factor"))
    try:
        if rule == "linear":
            return scaling.interpolated(width, factor, base), 1.0
        if rule == "dynamic" and rope.get("alpha"):  # Hunyuan's: one larger base at every length
            return scaling.ntk_aware(width, max(real("alpha", rope["alpha"]), 1.0), base), 1.0
        if rule == "dynamic":
            trained = settings.needed("length")
            return scaling.dynamic_ntk(width, length or trained, trained, factor, base), 1.0
        if rule == "llama3":
            ends = {name: needed(name) for name in ("low_freq_factor", "high_freq_factor")}
            return scaling.llama3(width, needed("factor"), original, base, **ends), 1.0
        if factor is None:
            factor = max(settings.needed("length") / original, 1.0)
        if rule == "yarn":
            turns = {k: rope[k] for k in ("beta_fast", "beta_slow") if rope.get(k)}
            truncate = rope.get("truncate", True)
            omega = scaling.yarn(width, factor, original, base, **turns, truncate=truncate)
            one, all_dim = rope.get("mscale"), rope.get("mscale_all_dim")
            # One without the other, or 0, has no effect on cosines and sines.
            scales = (
                [real("mscale", one), real("mscale_all_dim", all_dim)] if one and all_dim else []
            )
            return omega, scaling.yarn_scales(factor, *scales)[0] if said is None else said
        long = length is not None and length > original
        omega = scaling.longrope(width, needed("long_factor" if long else "short_factor"), base)
        scale = rope.get("long_mscale" if long else "short_mscale") or said
        scale = scale or scaling.longrope_temperature(factor, original)
        return omega, float(scale)
    except (TypeError, ValueError) as error:
        raise Unreadable(f"rope_scaling, {rule}: {error}") from error


def _score_scaling(family, rope):
    """Latent attention multiplies scores once more (DeepSeek)."""
    if not (family.decoupled and rope["rope_type"] == "yarn" and rope.get("mscale_all_dim")):
        return 1.0
    factor = max(real("factor", rope.get("factor")), 1.0)
    return scaling.yarn_scales(factor, 1.0, real("mscale_all_dim", rope["mscale_all_dim"]))[1]


def _growing_temperature(rope, layer, length):
    """Mistral's: 1 + β ln(1 + ⌊t / L⌋) for the query at position t."""
    beta = rope.get("llama_4_scaling_beta")
    if beta is None or length is None:
        return 1.0
    return 1 + real("llama_4_scaling_beta", beta) * math.log1p((length - 1) // layer.trained_length)


def _temperature_without_positions(own, family, length):
    """Llama 4's, in the layers without rotation: 1 + a ln(1 + ⌊(t + 1) / 8192⌋)."""
    tuned = family.kinds == "chunked" and own.get("attn_temperature_tuning", True)
    if not tuned or length is None:
        return 1.0
    floor, scale = own.get("floor_scale", 8192), own.get("attn_scale", 0.1)
    return 1 + real("attn_scale", scale) * math.log1p(length // real("floor_scale", floor))


# --- tables, two stacks


def _table(settings, layer):
    family, scheme = settings.family, layer.scheme
    width, rows, offset = settings.needed("width"), layer.promised_length, family.offset
    if scheme == "learned" and not family.rows:  # a config that chose a table
        family = replace(family, rows="length")
    if "patches" in family.rows:
        side = settings.needed("image_size") // settings.needed("patch_size")
        rows = side**2 + ("class" in family.rows)
    elif family.rows == "any":  # computed anew when a text is longer
        rows = None
    elif rows is not None and family.rows == "length + 2":
        rows += 2
    if rows is None and family.rows != "any":
        settings.note("max_position_embeddings is absent: the rows of the table are not known.")
    usable = None if rows is None else rows - offset
    if scheme == "sinusoidal":
        omega = frequencies(width, family.base, spacing=family.spacing)
        return replace(layer, base=family.base, layout=family.layout, frequencies=omega,
                       plain=omega, rows=rows, offset=offset)  # fmt: skip
    if scheme == "relative":
        return replace(layer, head_dim=_head(settings, layer.kind), max_distance=rows)
    return replace(layer, head_dim=_head(settings, layer.kind, asked=False), rows=rows,
                   offset=offset, trained_length=usable, promised_length=usable)  # fmt: skip


def _two_stacks(settings, length):
    """An encoder and a decoder; T5 counts distances in both, Whisper's decoder has a table."""
    own, family = settings.own, settings.family
    sizes = {"encoder": settings.needed("layers"), "decoder": settings.needed("decoders")}
    if family.scheme == "buckets" and own.get("is_encoder_decoder") is False:
        sizes.pop("decoder")
    found = []
    for kind, n in sizes.items():
        start = Layer(kind, tuple(range(n)), family.scheme, **_lengths(settings))
        if family.scheme == "buckets":
            buckets = settings.integer("relative_attention_num_buckets") or 32
            if own.get("relative_attention_max_distance") is None:
                settings.note("relative_attention_max_distance is absent: 128, the default of T5.")
            far = settings.integer("relative_attention_max_distance") or 128
            found.append(with_length(replace(start, head_dim=_head(settings, kind), buckets=buckets,
                                             max_distance=far), length))  # fmt: skip
            continue
        layer = _table(settings, start)
        if own.get("max_target_positions") is not None and kind == "decoder":
            rows = settings.integer("max_target_positions")
            layer = replace(start, scheme="learned", rows=rows, trained_length=rows,
                            promised_length=rows)  # fmt: skip
        found.append(with_length(layer, length))
    return found


# --- at a length


def with_length(layer, length, temperature=1.0):
    """The layer, with what a text of this length does to it."""
    if length is None:
        return layer
    omega, plain = layer.frequencies, layer.plain
    new, slowed = (), ()
    if layer.rotary_dim is not None and omega is not None:
        if layer.trained_length is not None:
            new = tuple(np.flatnonzero(_meets_new_angles(layer, length)).tolist())
        with np.errstate(invalid="ignore"):
            slowed = tuple(np.where(omega > 0, plain / omega, 1.0).tolist())
    row = None if layer.rows is None else length + layer.offset <= layer.rows
    scale = layer.attention_scaling**2 * layer.score_scaling * temperature
    return replace(layer, at_length=AtLength(length, new, slowed, scale, row))


def _meets_new_angles(layer, length):
    """Whether the largest offset turns a pair farther than training did, short of a whole turn."""
    within = layer.window or math.inf
    # Where no key says the length before stretching, the promised one was stretched already.
    trained = layer.frequencies if layer.rule == "linear" else layer.plain
    then = trained * (min(layer.trained_length, within) - 1)
    now = layer.frequencies * (min(length, within) - 1)
    return (then < 2 * np.pi) & (now > then * (1 + 1e-12))
