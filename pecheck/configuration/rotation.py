"""How queries and keys turn in one kind of layer: the keys of its rule, joined, and frequencies."""

import math
from collections.abc import Mapping

from pecheck.configuration.patterns import WINDOWED
from pecheck.configuration.settings import Unreadable, integer, listed, real, refused
from pecode import scaling
from pecode.encodings import frequencies

TYPES = {"su": "longrope", "mrope": "default", "deepseek_yarn": "yarn", None: "default"}
RULES = ("default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional")
ERNIE = ("ernie4_5_vl_moe_text", "ernie4_5_vl_moe", "ernie4_5_moe_vl")
HAS_ORIGINAL = ("yarn", "llama3", "longrope")


def rotation(settings, kind, head, trained, length):
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
    said = own.get("rope_interleave")
    layout = None if said is None else "interleaved" if said else "half"
    sections = rope.get("mrope_section")
    told = sections and len(sections) == 3 and settings.model_type in ERNIE
    fields = {
        "scheme": scheme,
        "head_dim": head,
        "rotary_dim": width,
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
        "axes": ("row", "column", "frame") if told else None,
        "sections_in_turn": None if sections is None
        else family.mrope_interleaved or bool(rope.get("mrope_interleaved")),
    }  # fmt: skip
    return fields, _growing_temperature(rope, fields["trained_length"], length)


def _real(rope, name):
    return None if rope.get(name) is None else real(name, rope[name])


# --- the keys of a rule


def rule_of(settings, kind):
    """The keys of the rotation of one kind of layer, in one dict: as transformers 5.23 joins them.

    rope_scaling, where it is not null, replaces rope_parameters whole; what is inside goes before
    what is outside; rope_type before type.
    """
    rope = _keys_of(settings, kind)
    rope["rope_theta"] = _base(settings, kind, rope)
    if rope.get("type") and not rope.get("rope_type") and _asks_for_kinds(settings.family):
        settings.note(
            f"The rule {rope['type']!r} is named by type alone: for this family transformers 5.23 "
            "looks at rope_type only and leaves the rule out, other engines apply it."
        )
    named = rope.get("rope_type") or rope.get("type")
    rope["rope_type"] = TYPES.get(named, named)
    if rope["rope_type"] in HAS_ORIGINAL:
        name = "original_max_position_embeddings"
        rope[name] = integer(name, _original_length(settings, rope))
    return rope


def _asks_for_kinds(family):
    """Whether the layers with a window have a base of their own, inside rope_parameters."""
    return family.local_base is not None and family.attention != "compressed"


def _keys_of(settings, kind):
    own, family = settings.own, settings.family
    said = own.get("rope_scaling") or own.get("rope_parameters") or {}
    if family.needs_rule and not said:
        raise Unreadable(f"rope_parameters: missing. Read: {listed(own)}.")
    by_kind = {name: value for name, value in said.items() if isinstance(value, Mapping)}
    if said and not (by_kind or own.get("rope_scaling")) and _asks_for_kinds(family):
        settings.note(
            "rope_parameters has no object for each kind of layer: transformers 5.23 does not read "
            "it for this family, and neither do we."
        )
        said = {}
    for name in (kind, "compress" if "compressed" in kind else "main"):
        if name in by_kind:
            return dict(by_kind[name])
    if kind in WINDOWED and (family.scaled == "full" or family.attention == "compressed"):
        return {}  # the scaling is for the layers that see everything
    return {k: v for k, v in said.items() if k not in by_kind}


def is_local(settings, kind):
    """Whether a kind of layer has the base of those with a window."""
    return kind in WINDOWED and bool(settings.family.local_base or settings.key("local base"))


def _base(settings, kind, rope):
    own, family = settings.own, settings.family
    local = is_local(settings, kind)
    base = settings.real("local base" if local else "base", 1)
    if "compressed" in kind and own.get("compress_rope_theta") is not None:
        base = real("compress_rope_theta", own["compress_rope_theta"], 1)
        rope.setdefault("attention_factor", 1.0)
    if own.get("rope_ratio") is not None:  # ChatGLM
        base = (base or family.base) * real("rope_ratio", own["rope_ratio"])
    inside = rope.get("rope_theta")
    if inside is not None:
        base = real("rope_theta", inside, 1)
    elif "rope_theta" in own and own["rope_theta"] is None and base is None:
        raise Unreadable("rope_theta: expected a number above 1, got null")
    if base is None or settings.model_type in ("gptj", "codegen"):
        base = family.local_base if local else family.base
        what = "what most code takes" if settings.guess else "the base of its code"
        settings.note(f"No key says the base of the {kind} layers: {base:,.0f}, {what}.")
    return base


def _original_length(settings, rope):
    """The length before stretching: outside goes before the family's, that before inside."""
    name, original = "original_max_position_embeddings", settings.family.original
    if settings.own.get(name) is not None:
        return settings.own[name]
    if original:
        settings.note(
            f"{name} is absent at the top: the default of this family, {original:,}, goes before "
            "what the rule says."
        )
        return original
    said = settings.raw("length") if rope.get(name) is None else rope[name]
    if said is None:
        raise Unreadable(f"{name}: missing, and so is the length")
    return said


# --- from the keys to frequencies


def _turned_columns(settings, rope, head):
    """How many columns of a head turn."""
    own, family = settings.own, settings.family
    part = own.get("qk_rope_head_dim")
    if rope["rope_type"] == "proportional":
        width = 2 * int(_share(settings, rope) * head // 2)
    elif family.head_parts or (part is not None and family.head_dim != 512):
        width = settings.needed("qk_rope_head_dim", (family.head_parts or (0, None))[1])
    elif own.get("rotary_dim") is not None and reads(family, "rotary_dim"):
        width = min(integer("rotary_dim", own["rotary_dim"]), head)
    else:
        if part is not None:
            rope.setdefault("partial_rotary_factor", part / head)
        width = int(head * _share(settings, rope))
    if width % 2 or width < 2:
        raise Unreadable(f"head_dim: expected an even number of columns to turn, got {width}")
    return width


def reads(family, key):
    """Whether the code of a family looks at this key for the share that turns."""
    return family.reads_partial and family.unread != key


def _share(settings, rope):
    """The share of a head that turns, as the family's code reads it."""
    family = settings.family
    said = rope.get("partial_rotary_factor")
    said = settings.raw("partial") if said is None else said
    share = family.partial if said is None else real("partial_rotary_factor", said)
    if not family.reads_partial and rope["rope_type"] == "default":
        return 1.0
    if share > 1:
        raise Unreadable(f"partial_rotary_factor: expected at most 1, got {share:g}")
    return share


def _ruled(settings, rope, plain, length):
    """Frequencies and the factor of cosines and sines under a rule."""
    rule, base, width = rope["rope_type"], rope["rope_theta"], 2 * len(plain)
    original, factor = rope.get("original_max_position_embeddings"), _real(rope, "factor")
    said = _real(rope, "attention_factor")

    def needed(name):
        if rope.get(name) is None:
            read = sorted(rope)
            raise Unreadable(f"{name}: missing, and the rule {rule!r} needs it. Read: {read}")
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
            low, high = (real(*each) for each in ends.items())
            if high == low:  # a step: no pair is between the two, and no program divides by 0
                ends["high_freq_factor"] = low * (1 + 1e-12)
            return scaling.llama3(width, needed("factor"), original, base, **ends), 1.0
        if factor is None:
            factor = max(settings.needed("length") / original, 1.0)
        if rule == "yarn":
            turns = {k: rope[k] for k in ("beta_fast", "beta_slow") if rope.get(k)}
            truncate = rope.get("truncate", True)
            omega = scaling.yarn(width, factor, original, base, **turns, truncate=truncate)
            one, all_dim = rope.get("mscale"), rope.get("mscale_all_dim")
            # One without the other, or 0, has no effect on cosines and sines.
            both = [real("mscale", one), real("mscale_all_dim", all_dim)] if one and all_dim else []
            return omega, scaling.yarn_scales(factor, *both)[0] if said is None else said
        which = "long" if length is not None and length > original else "short"
        lists = {name: rope.get(f"{name}_factor") for name in ("short", "long")}
        lists = {k: scaling.longrope(width, v, base) for k, v in lists.items() if v is not None}
        omega = lists[which] if which in lists else needed(f"{which}_factor")
        scale = _real(rope, f"{which}_mscale") or said
        return omega, float(scale or scaling.longrope_temperature(factor, original))
    except (TypeError, ValueError) as error:
        raise Unreadable(f"rope_scaling, {rule}: {error}") from error


def _score_scaling(family, rope):
    """What multiplies the scores of latent attention once more (DeepSeek)."""
    if not (family.decoupled and rope["rope_type"] == "yarn" and rope.get("mscale_all_dim")):
        return 1.0
    factor = max(real("factor", rope.get("factor")), 1.0)
    return scaling.yarn_scales(factor, 1.0, real("mscale_all_dim", rope["mscale_all_dim"]))[1]


def _growing_temperature(rope, trained, length):
    """Mistral's: 1 + β ln(1 + ⌊t / L⌋) for the query at position t."""
    beta = rope.get("llama_4_scaling_beta")
    if beta is None or length is None:
        return 1.0
    return 1 + real("llama_4_scaling_beta", beta) * math.log1p((length - 1) // trained)
