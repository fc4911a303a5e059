"""How queries and keys turn in one kind of layer: the keys of its rule, joined, and frequencies."""

import math
from typing import Any

from pecheck.configuration.families import TRANSFORMERS, WRITTEN
from pecheck.configuration.patterns import KINDS, WINDOWED
from pecheck.configuration.settings import Settings, Unreadable, integer, listed, real, refused
from pecode import scaling
from pecode.encodings import frequencies

TYPES = {"su": "longrope", "deepseek_yarn": "yarn", None: "default"}
RULED_KINDS = {*KINDS, "hybrid_sliding", "main", "compress"}
HAS_ORIGINAL = ("yarn", "llama3", "longrope")


def rotation(
    settings: Settings, kind: str, head: int, trained: int | None, length: int | None
) -> tuple[dict[str, Any], float]:
    """The fields of a `Layer` that turns, and what multiplies the scores of its last query.

    `head` is the width of a head, `trained` the length that the config says, `length` that of a
    text, or None for one within the trained length.
    """
    own, family = settings.own, settings.family
    rope = rule_of(settings, kind)
    rule, base = rope["rope_type"], rope["rope_theta"]
    width = _turned_columns(settings, rope, head)
    columns = head if rule == "proportional" else width
    if columns > 2**20:
        raise Unreadable(f"head_dim: expected at most 2**20 columns, got {columns:,}")
    if rule == "proportional":
        scheme, plain = "proportional rotary", scaling.proportional(head, width / head, base)
    else:
        scheme = "rotary" if width == head else "partial rotary"
        plain = refused(lambda _, d: frequencies(d, base), "head_dim", width)
    omega, scale = _ruled(settings, rope, plain, length)
    asked = own.get("rope_interleave")
    layout = None if asked is None else "interleaved" if asked else "half"
    sections = rope.get("mrope_section") or rope.get("xdrope_section")
    axes = tuple(family.section_axes.split())
    told = sections and len(sections) == len(axes)
    if sections and not told:
        said = {3: "3 sections", 4: "4 sections"}.get(len(sections), "sections")
        settings.says(said, list(sections))
    fields = {
        "scheme": scheme,
        "head_dim": head,
        "rotary_dim": width + width % 2,
        "layout": layout or family.layout,
        "base": base,
        "rule": rule,
        "trained_length": rope.get("original_max_position_embeddings", trained),
        "factor": _real(rope, "factor"),
        "frequencies": omega,
        "plain": plain,
        "attention_scaling": scale,
        "score_scaling": _score_scaling(family, rope),
        "sections": sections and tuple(integer("mrope_section", n, 0) for n in sections),
        "axes": axes if told else None,
        "sections_in_turn": None if sections is None
        else family.mrope_interleaved or bool(rope.get("mrope_interleaved")),
    }  # fmt: skip
    return fields, _growing_temperature(rope, fields["trained_length"], length)


def _real(rope, name):
    return None if rope.get(name) is None else real(name, rope[name])


# --- the keys of a rule


def rule_of(settings: Settings, kind: str) -> dict[str, Any]:
    """The keys of the rotation of one kind of layer, in one dict: as transformers joins them.

    rope_scaling, where it is not null, replaces rope_parameters whole; what is inside goes before
    what is outside; rope_type before type.
    """
    rope = _keys_of(settings, kind)
    rope["rope_theta"] = _base(settings, kind, rope)
    if "compressed" in kind:
        rope.setdefault("attention_factor", 1.0)
    if rope.get("type") and not rope.get("rope_type") and settings.family.nests:
        settings.says("named by type", rope["type"])
    named = rope.get("rope_type") or rope.get("type")
    named = "default" if named == "mrope" and settings.reads("mrope_section") else named
    named = "dynamic" if named == "xdrope" and settings.reads("xdrope_section") else named
    rope["rope_type"] = TYPES.get(named, named)
    name = "original_max_position_embeddings"
    if named == "su" and name not in rope:
        settings.says("su", name)
    if rope["rope_type"] in HAS_ORIGINAL:
        rope[name] = _original_length(settings, rope)
    if name in rope:
        rope[name] = integer(name, rope[name])
    return rope


def _rules_as_read(settings, kind):
    """`settings.rules` without the keys that the code of the family does not look at: `unread`."""
    own, family, (name, flat, by_kind) = settings.own, settings.family, settings.rules
    ignored = [key for key in WRITTEN["of some models"].split() if not settings.reads(key)]
    if family.compressed and "main" not in by_kind:
        ignored += ["rope_theta", "partial_rotary_factor"]
    ignored = {key: flat.pop(key) for key in ignored if own.get(name) and flat.get(key)}
    kinds = own.get("layer_types")
    known = {*RULED_KINDS, kind, *(map(str, kinds) if isinstance(kinds, list) else ())}
    ignored |= {
        key: keys for key, keys in by_kind.items() if key not in known or not family.by_kind
    }
    settings.unread |= {f"{name}.{key}": value for key, value in ignored.items()}
    return name, flat, by_kind


def _keys_of(settings, kind):
    """The keys that are for one kind of layer: of its own object, or those for all layers."""
    own, family = settings.own, settings.family
    name, flat, by_kind = _rules_as_read(settings, kind)
    if family.rule and not own.get(name):
        settings.says("rule of the class", settings.model_type)
    if not family.by_kind:
        named = own.get("layer_types") or {"late", "all but"} & {*family.attention}
        if named and kind in by_kind:  # transformers looks there, and does not find a rule
            raise Unreadable(f"{name}: expected one rule, for {settings.model_type} has one "
                             f"rotation in all layers, got one for {listed(by_kind)}")  # fmt: skip
        return flat
    if family.scaled == "kinds" and kind not in {**flat, **by_kind}:
        read = listed({**flat, **by_kind})
        raise Unreadable(f"{name}.{kind}: missing. {settings.model_type} has an object with keys "
                         f"for each kind of layer. Read: {read}.")  # fmt: skip
    if flat and not (by_kind or name == "rope_scaling") and family.nests:
        settings.says("not by kind")
        return {}
    for key in (kind, "compress" if "compressed" in kind else "main"):
        if key in by_kind:
            return dict(by_kind[key])
    beside = name == "rope_scaling" and family.nests and own.get("rope_parameters")
    beside = (beside or {}).get(kind) or {}  # its class puts the keys of rope_scaling into it
    if by_kind or (kind in WINDOWED and (family.scaled == "full" or family.compressed)):
        return dict(beside)  # the scaling is for the layers that see everything
    return {**beside, **flat}


def _beside(settings, kind):
    """The key beside the rule that says the base of a kind of layer, or None; the usual base."""
    own, family = settings.own, settings.family
    if "compressed" in kind:
        return "compress_rope_theta" if own.get("compress_rope_theta") else None, family.base
    local = kind in WINDOWED and (family.local_base or settings.key("local base"))
    usual = (local and family.local_base) or family.base
    if not local or family.compressed:
        return settings.key("base"), usual
    one_for_both = family.local_base in (None, settings.raw("base"))
    return settings.key("local base") or (settings.key("base") if one_for_both else None), usual


def says_base(settings: Settings, kind: str) -> bool:
    """Whether the file says the base of a kind of layer."""
    given = settings.own.get(settings.rules[0])
    inside = given and "rope_theta" in _keys_of(settings, kind)
    return bool(_beside(settings, kind)[0] or inside or settings.own.get("rope_ratio"))


def _base(settings, kind, rope):
    own, (key, usual) = settings.own, _beside(settings, kind)
    base = None if key is None else real(key, own[key], 1)
    if own.get("rope_ratio") is not None:  # ChatGLM
        base = (base or usual) * real("rope_ratio", own["rope_ratio"])
    if rope.get("rope_theta") is not None:
        return real("rope_theta", rope["rope_theta"], 1)
    if base is not None:
        return base
    if own.get("rope_theta", 0) is None:
        raise Unreadable("rope_theta: expected a number above 1, got null")
    settings.says("usual base" + " of unknown code" * settings.unknown, kind, usual)
    return usual


def _original_length(settings, rope):
    """The length before stretching: outside goes before the family's, that before inside."""
    name = "original_max_position_embeddings"
    original = settings.family.default(name)
    if settings.own.get(name) is not None:
        return settings.own[name]
    if original:
        settings.says("original length of the class", name, original)
        return original
    usual = settings.raw("length") or settings.family.default("length")
    given = usual if rope.get(name) is None else rope[name]
    if given is None:
        raise Unreadable(f"{name}: missing, and so is the length")
    return given


# --- from the keys to frequencies


def _turned_columns(settings, rope, head):
    """How many columns of a head turn."""
    own, family = settings.own, settings.family
    part = own.get("qk_rope_head_dim")
    if rope["rope_type"] == "proportional":
        width = 2 * int(_share(settings, rope) * head // 2)
    elif family.latent or (part is not None and not family.compressed):
        width = settings.needed("qk_rope_head_dim")
        if family.reads is not None:
            width = _latent_columns(settings, rope, head, width)
    elif own.get("rotary_dim") is not None and settings.raw("partial") is None:
        width = min(integer("rotary_dim", own["rotary_dim"]), head)
    else:
        if part is not None:
            rope.setdefault("partial_rotary_factor", part / head)
        width = int(head * _share(settings, rope))
    odd = width % 2 and width < head and rope["rope_type"] in ("default", "linear")
    if width < 2 or (width % 2 and not odd):
        raise Unreadable(f"head_dim: expected an even number of columns to turn, got {width}")
    if odd:
        settings.says("odd columns", width, width // 2 + 1, width + 1)
    return width


def _latent_columns(settings, rope, head, width):
    """The columns of latent attention that transformers turns; where it cannot, a refusal."""
    whole = settings.model_type == "mistral4"  # its share is one of the whole head
    wide = settings.own.get("head_dim", settings.family.defaults.get("head_dim"))
    wide = integer("head_dim", wide or (head if whole else width))
    if whole and not settings.own.get("rope_scaling"):
        rope.setdefault("partial_rotary_factor", width / head)
    share = _share(settings, rope)
    if int(wide * share) == width or settings.model_type == "bailing_hybrid":
        return int(wide * share)
    name, got = ("head_dim", wide) if share == 1 and not whole else ("partial_rotary_factor", share)
    raise Unreadable(
        f"{name}: expected one that gives the {width} columns of qk_rope_head_dim, got {got:g}: "
        f"transformers {TRANSFORMERS} makes frequencies for {int(wide * share)}, and stops"
    )


def _share(settings, rope):
    """The share of a head that turns, as the family's code reads it."""
    family, plain = settings.family, rope["rope_type"] == "default"
    inside, outside = rope.get("partial_rotary_factor"), settings.raw("partial")
    by_kind = family.scaled == "kinds"  # then the code of "default" looks inside alone
    readers = ("partial_rotary_factor", "rotary_pct", "rotary_emb_fraction")
    read = any(map(settings.reads, readers)) or settings.key("partial") in family.also.split()
    usual = family.partial if (read and plain) or not (by_kind or plain) else 1.0
    share = outside if inside is None else inside
    share = usual if share is None else real("partial_rotary_factor", share)
    if plain and (not read or (by_kind and inside is None)):
        if share != usual:
            settings.unread["partial_rotary_factor"] = share
        return usual
    if share > 1:
        raise Unreadable(f"partial_rotary_factor: expected at most 1, got {share:g}")
    return share


def _ruled(settings, rope, plain, length):
    """Frequencies and the factor of cosines and sines under a rule; None for an unknown one."""
    rule = rope["rope_type"]
    if rule not in COMPUTED:
        return None, 1.0
    try:
        return COMPUTED[rule](settings, rope, plain, length)
    except Unreadable:
        raise
    except (TypeError, ValueError) as error:  # of a formula, for its arguments
        raise Unreadable(f"rope_scaling, {rule}: {error}") from error


def _needed(rope, name):
    if rope.get(name) is None:
        what = f"missing, and the rule {rope['rope_type']!r} needs it"
        raise Unreadable(f"{name}: {what}. Read: {listed(rope)}")
    return rope[name]


def _linear(settings, rope, plain, length):
    return plain / real("factor", _needed(rope, "factor")), 1.0


def _dynamic(settings, rope, plain, length):
    width, base = 2 * len(plain), rope["rope_theta"]
    if rope.get("alpha") and settings.reads("alpha"):  # Hunyuan's: a larger base at every length
        return scaling.ntk_aware(width, max(real("alpha", rope["alpha"]), 1.0), base), 1.0
    trained, factor = settings.needed("length"), real("factor", _needed(rope, "factor"))
    return scaling.dynamic_ntk(width, length or trained, trained, factor, base), 1.0


def _llama3(settings, rope, plain, length):
    ends = {name: _needed(rope, name) for name in ("low_freq_factor", "high_freq_factor")}
    low, high = (real(*each) for each in ends.items())
    if high == low:  # a step: no pair is between the two, and no program divides by 0
        ends["high_freq_factor"] = low * (1 + 1e-12)
    original, base = rope["original_max_position_embeddings"], rope["rope_theta"]
    return scaling.llama3(2 * len(plain), _needed(rope, "factor"), original, base, **ends), 1.0


def truncates(settings: Settings) -> bool:
    """Whether YaRN's ramp is rounded: transformers does not look into the rule of one kind."""
    _, flat, by_kind = settings.rules
    moved = settings.family.nests and not by_kind
    return moved or flat.get("truncate", True)


def _yarn(settings, rope, plain, length):
    factor, original = _factor(settings, rope), rope["original_max_position_embeddings"]
    turns = {k: real(k, rope[k]) for k in ("beta_fast", "beta_slow") if rope.get(k)}
    fast, slow = turns.get("beta_fast", 32), turns.get("beta_slow", 1)
    if fast < slow:
        raise Unreadable(f"beta_fast: {fast:g} is below beta_slow, {slow:g}: they are exchanged, "
                         "for fast pairs make more turns. Some programs want them so.")  # fmt: skip
    omega = scaling.yarn(2 * len(plain), factor, original, rope["rope_theta"], **turns,
                         truncate=truncates(settings))  # fmt: skip
    one, all_dim = rope.get("mscale"), rope.get("mscale_all_dim")
    # One without the other, or 0, has no effect on cosines and sines.
    both = [real("mscale", one), real("mscale_all_dim", all_dim)] if one and all_dim else []
    scale = _real(rope, "attention_factor")
    return omega, scaling.yarn_scales(factor, *both)[0] if scale is None else scale


def _longrope(settings, rope, plain, length):
    original = rope["original_max_position_embeddings"]
    which = "long" if length is not None and length > original else "short"
    lists = {name: rope.get(f"{name}_factor") for name in ("short", "long")}
    lists = {k: scaling.longrope(2 * len(plain), v, rope["rope_theta"])
             for k, v in lists.items() if v is not None}  # fmt: skip
    omega = lists[which] if which in lists else _needed(rope, f"{which}_factor")
    scale = _real(rope, f"{which}_mscale") or _real(rope, "attention_factor")
    return omega, float(scale or scaling.longrope_temperature(_factor(settings, rope), original))


def _factor(settings, rope):
    """The factor of a rule, or the ratio of the two lengths."""
    factor = _real(rope, "factor")
    if factor is None:
        return max(settings.needed("length") / rope["original_max_position_embeddings"], 1.0)
    return factor


COMPUTED: dict[str, Any] = {
    "default": lambda settings, rope, plain, length: (plain, 1.0),
    "linear": _linear,
    "dynamic": _dynamic,
    "yarn": _yarn,
    "llama3": _llama3,
    "longrope": _longrope,
    "proportional": lambda settings, rope, plain, length: (
        plain / (_real(rope, "factor") or 1.0),
        1.0,
    ),
}
RULES = tuple(COMPUTED)


def _score_scaling(family, rope):
    """What multiplies the scores of latent attention once more (DeepSeek)."""
    if not (family.latent and rope["rope_type"] == "yarn" and rope.get("mscale_all_dim")):
        return 1.0
    factor = max(real("factor", rope.get("factor")), 1.0)
    return scaling.yarn_scales(factor, 1.0, real("mscale_all_dim", rope["mscale_all_dim"]))[1]


def _growing_temperature(rope, trained, length):
    """Mistral's: 1 + β ln(1 + ⌊t / L⌋) for the query at position t."""
    beta = rope.get("llama_4_scaling_beta")
    if beta is None or length is None:
        return 1.0
    return 1 + real("llama_4_scaling_beta", beta) * math.log1p((length - 1) // trained)
