"""What somebody should know before this config is run: one function a warning.

A function looks at a `Case` and yields values for its sentence; the first ones count. What each is
about, its sentences, and the public thread of somebody who met it or, where we found none, the
source file that decides, stand in `warnings.json` under its name. Engines are named with the
version that the thread names; newer ones may have fixed it.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pecheck.configuration.axial import compression
from pecheck.configuration.families import KEYS, SAME, TRANSFORMERS, read
from pecheck.configuration.layers import Layer
from pecheck.configuration.patterns import NO_ATTENTION
from pecheck.configuration.rotation import HAS_ORIGINAL, RULES, TYPES, rule_of, truncates
from pecheck.configuration.settings import KEYS_OF_RULES, Settings, printable
from pecode import scaling
from pecode._types import Any
from pecode.encodings import frequencies

LENGTHS = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "max_sequence_length")


@dataclass(frozen=True)
class Notice:
    """One thing to know: what, why here, and a link to somebody who met it."""

    id: str
    message: str
    report: str


@dataclass(frozen=True)
class Case:
    """What a warning looks at."""

    settings: Settings
    layers: tuple[Layer, ...]
    length: int | None

    @property
    def own(self) -> dict[str, Any]:
        """The part for text."""
        return self.settings.own

    @cached_property
    def rules(self) -> list[dict[str, Any]]:
        """The keys of the rule for all layers, then those for single kinds of layers."""
        _, flat, by_kind = self.settings.rules
        return [flat, *by_kind.values()]

    @property
    def says_original(self) -> bool:
        """Whether a key says the length before stretching."""
        return any("original_max_position_embeddings" in x for x in (self.own, *self.rules))

    def rotary(self, *rules: str) -> list[Layer]:
        """The kinds of layers that turn, under one of these rules."""
        rotary = [each for each in self.layers if each.rotary_dim and each.frequencies is not None]
        return [each for each in rotary if not rules or each.rule in rules]

    def without_positions(self) -> list[int]:
        """The numbers of the layers that attend without positions."""
        still = (x for x in self.layers if x.scheme == "none" and x.kind not in NO_ATTENTION)
        return sorted(i for each in still for i in each.indices)


WARNINGS = read("warnings.json")  # in this order


def warnings_of(case: Case) -> list[Notice]:
    """All warnings of a config; a name with underscores is the function that looks for it."""
    found = {name: next(globals()[f"_{name.replace('-', '_')}"](case), None) for name in WARNINGS}
    return [Notice(name, _message(name, case, **values), WARNINGS[name]["report"])
            for name, values in found.items() if values]  # fmt: skip


def _message(name, case, variant="", also="", **values):
    """A sentence of a warning, with its values, and perhaps another one behind it."""
    says = WARNINGS[name]["says"]
    text = says[variant] + (says[also] if also else "")
    if_so = "If the guess is right: " if case.settings.guess else ""
    return if_so + text.format(case=case, transformers=TRANSFORMERS, **values)


def _slowest(omega):
    """The longest wavelength of the pairs that turn."""
    return 2 * math.pi / omega[omega > 0].min()


def _counted(n, noun):
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _numbered(layers):
    """Layers in words: how many, and the first four numbers."""
    shown = ", ".join(map(str, layers[:4])) + (" …" if len(layers) > 4 else "")
    return f"{_counted(len(layers), 'layer')} ({shown})" if layers else "no layers"


# --- what the code of this family does not look at


def _key_not_read(case):
    unread = {k: v for k, v in case.settings.unread.items() if not _is_so(case, k, v)}
    if not unread:
        return
    it, changes = ("it", "it changes") if len(unread) == 1 else ("them", "they change")
    names = ", ".join(f"{printable(k)} {_short(v)}" for k, v in sorted(unread.items()))
    code = SAME.get(case.settings.model_type, case.settings.model_type)
    cached = "sliding_attention" in str(unread.get("layer_types"))
    yield {"names": names, "code": code, "changes": changes, "it": it, "also": "cache" * cached}


def _short(value):
    """A value as a sentence can hold it."""
    if isinstance(value, (list, dict)):
        return f"(a list of {len(value)})" if isinstance(value, list) else "(an object)"
    return f"{value:,}" if type(value) is int else printable(str(value))


def _is_so(case, key, value):
    """Whether an unread key says what the layers do anyway."""
    name, layers = key.split(" ")[0], case.layers
    turned = [layer for layer in layers if layer.rotary_dim]
    kinds = {i: layer.kind for layer in layers for i in layer.indices}
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if isinstance(value, list):
        turn = {i for layer in turned for i in layer.indices}
        so = {
            "layer_types": [kinds[i] for i in sorted(kinds)],
            "hybrid_layer_pattern": [int(kinds[i] == "sliding_attention") for i in sorted(kinds)],
            "no_rope_layers": [int(i in turn) for i in sorted(kinds)],
        }
        return value == so.get(name)
    if name in (*KEYS["base"].split(), *KEYS["local base"].split(), "compress_rope_theta"):
        return bool(turned) and number and value in {layer.base for layer in turned}
    if name == "head_dim":
        return all(value in (layer.head_dim, layer.rotary_dim) for layer in layers)
    if name in ("rotary_dim", "qk_rope_head_dim"):
        return bool(turned) and all(value == layer.rotary_dim for layer in turned)
    if name in KEYS["partial"].split() and number:
        return bool(turned) and all(int(value * x.head_dim) == x.rotary_dim for x in turned)
    if name in KEYS["window"].split() or name == "attention_chunk_size":
        off = case.settings.whole.get("use_sliding_window", case.own.get("use_sliding_window"))
        limits = [n for layer in layers for n in (layer.window, layer.chunk, layer.promised_length)]
        wide = number and any(n and value >= n - 1 for n in limits)
        return wide or (off is False and name != "attention_chunk_size")
    if name == "max_window_layers":  # of a window that no other key gives
        return case.settings.unread.keys().isdisjoint(KEYS["window"].split())
    if name.endswith("sliding_window_pattern") and number:
        return all((kinds[i] == "full_attention") == ((i + 1) % value == 0) for i in kinds)
    if name.endswith("mrope_interleaved"):
        return any(layer.sections_in_turn for layer in turned)
    if name.endswith("rope_interleave"):
        indexer = case.settings.family.indexer if name.startswith("indexer") else None
        return (indexer or turned[0].layout if turned else "") == "interleaved"
    if name in ("position_embedding_type", "rotary"):
        word = "rotary" if value is True else str(value).split("_")[0]
        words = {"rotary": "rotary rope", "learned": "absolute", "ALiBi": "alibi"}
        schemes = {layer.scheme.split()[-1] for layer in layers} - {"none"}
        return all(word in words.get(scheme, "").split() for scheme in schemes)
    bases = {None, *(layer.base for layer in turned)}
    is_base = isinstance(value, dict) and not any(map(value.get, FACTORS))
    return is_base and (not turned or value.get("rope_theta") in bases)


FACTORS = ("factor", "short_factor", "alpha")  # without one of these a rule is a base alone


# --- which layers turn


def _no_rope_layers_means_on(case):
    marks, off = case.own.get("no_rope_layers"), _numbered(case.without_positions())
    if not isinstance(marks, list) or not case.rotary():
        return
    if not marks:
        yield {"variant": "empty", "off": off}
    yield {"turn": sum(map(bool, marks)), "all": len(marks), "off": off}


def _layers_without_positions(case):
    off = case.without_positions()
    if not off or not case.rotary() or isinstance(case.own.get("no_rope_layers"), list):
        return
    kinds = [f"the null under {k}" for k, v in case.rules[0].items() if v is None and "_att" in k]
    key = "no key says so"
    if every := case.own.get("no_rope_layer_interval"):
        key = f"only no_rope_layer_interval, {every}, says so"
    elif isinstance(case.own.get("layer_rope_theta"), list):
        key = "only the zeros of layer_rope_theta say so"
    elif kinds:
        key = f"only {kinds[0]} says so"
    yield {"off": _numbered(off), "key": key, "attend": "attend" + "s" * (len(off) == 1)}


# --- what is given twice, or elsewhere


def _attention_factor_read_otherwise(case):
    given = next((r["attention_factor"] for r in case.rules if "attention_factor" in r), None)
    for layer in case.rotary("yarn") if given is not None else ():
        computed = scaling.yarn_temperature(layer.factor) if layer.factor else 1.0
        if computed > 1:
            others = ", those that ignore it the formula's" * (abs(given - computed) > 1e-6)
            yield {"given": given, "computed": computed, "both": given * computed, "others": others}


def _two_keys_for_one_scale(case):
    for rule in case.rules if case.rotary("yarn") else ():
        both, layer = (rule.get("mscale"), rule.get("mscale_all_dim")), case.rotary("yarn")[-1]
        alone = scaling.yarn_temperature(layer.factor or 1.0)
        if any(both) and layer.score_scaling == 1 and abs(alone - layer.attention_scaling) > 1e-6:
            yield {"both": both, "layer": layer, "alone": alone}


def _base_inside_rope_parameters(case):
    own = case.own
    given = own.get("rope_parameters") and not own.get("rope_scaling")
    if not given or case.settings.key("base") or case.settings.family.rule:
        return  # a family whose class has a rule never had other keys
    for layer in case.rotary():
        lost = [] if layer.base == 10000.0 else [f"takes base 10,000 instead of {layer.base:,.0f}"]
        lost += [] if layer.rule == "default" else [f"drops the rule {layer.rule!r}"]
        if layer.attention_scaling != 1:
            lost += [f"drops the factor {layer.attention_scaling:.4f} of cosines and sines"]
        if lost:
            yield {"lost": ", ".join(lost)}


def _said_twice(case):
    own, rule, twice = case.own, case.rules[0], []

    def told(what, *values):
        sentence = WARNINGS["said-twice"]["says"][what]
        twice.append(sentence.format(*values, transformers=TRANSFORMERS))

    dicts = own.get("rope_scaling"), own.get("rope_parameters")
    if all(dicts) and dicts[0] != dicts[1]:
        told("joined rules" if case.settings.family.nests else "rules")
    for name in ("rope_theta", "original_max_position_embeddings"):
        outside, inside = own.get(name), rule.get(name)
        if None not in (outside, inside) and outside != inside:
            told(name, outside, inside)
    for each in case.rules:
        names = each.get("rope_type"), each.get("type")
        if all(names) and TYPES.get(names[0], names[0]) != TYPES.get(names[1], names[1]):
            told("types", *names)
    names = [name for name in LENGTHS if isinstance(case.settings.whole.get(name), int)]
    lengths = {case.settings.whole[name]: name for name in names}
    if len(lengths) > 1:
        told("lengths", ", ".join(f"{name} {n:,}" for n, name in lengths.items()))
    part = own.get("qk_rope_head_dim") or case.settings.family.default("qk_rope_head_dim")
    share = rule.get("partial_rotary_factor") or own.get("partial_rotary_factor")
    if isinstance(part, int) and isinstance(share, float) and 0 < share < 1:
        told("shares", part, share, int(part * share))
    if twice:
        yield {"all": " ".join(twice)}


def _base_in_no_key(case):
    suspect = (case.settings.integer("length") or 0) > 16384 or case.own.get("rope_parameters")
    for layer in case.rotary() if suspect else ():
        full = layer.promised_length and not layer.window
        if layer.base == 10000.0 and "base" in layer.sources and full:
            yield {"slowest": _slowest(layer.frequencies), "layer": layer}


def _unknown_rule(case):
    for layer in case.layers:
        if layer.rule and layer.rule not in RULES:
            yield {"layer": layer, "rules": ", ".join(RULES)}


def _unknown_keys(case):
    unread = {key.rpartition(".")[2] for key in case.settings.unread}
    kinds = {key for key, value in case.rules[0].items() if value is None and "_att" in key}
    unknown = sorted({k for rule in case.rules for k in rule} - {*KEYS_OF_RULES} - unread - kinds)
    if unknown:
        yield {"names": ", ".join(map(printable, unknown))}


def _rule_without_effect(case):
    for rule in case.rules:
        asked = rule.get("rope_type") or rule.get("type")
        if rule.get("factor") is not None and asked in (None, "default"):
            null = "rope_type" in rule and asked is None
            yield {"factor": rule["factor"], "also": "null" * null}
        if asked not in (None, "default", "mrope") and not any(x.rotary_dim for x in case.layers):
            yield {"variant": "nothing turns", "asked": asked}


# --- lengths and factors


def _length_means_two_things(case):
    n = case.settings.integer("length")
    for layer in case.rotary("linear", "yarn", "llama3") if n and not case.says_original else ():
        if layer.factor and layer.factor > 1:
            yield {"promised": n, "longer": n * layer.factor, "shorter": n / layer.factor}


def _dynamic_and_a_cache(case):
    for layer in case.rotary("dynamic"):
        fixed = case.rules[0].get("alpha") and case.settings.reads("alpha")
        if layer.frequencies is not None and not fixed:
            yield {"length": case.settings.needed("length")}


def _beyond_the_promise(case):
    rotary = [each for each in case.layers if each.rotary_dim]
    limits = [each.promised_length for each in rotary if each.promised_length]
    trained = case.own.get("max_trained_positions") is not None  # then it is no promise
    if case.length is not None and limits and case.length > min(limits) and not trained:
        new = max(len(each.at_length.new_pairs) for each in rotary)
        beyond = f"{case.length:,} tokens are more than max_position_embeddings, {min(limits):,}"
        for layer in case.rotary(*HAS_ORIGINAL) if case.says_original and not new else ():
            if layer.factor and case.length <= (reach := layer.factor * layer.trained_length):
                yield {"variant": "raise it", "beyond": beyond, "layer": layer, "reach": reach}
        if not new:
            yield {"variant": "no new angle", "beyond": beyond}
        yield {"beyond": beyond, "pairs": _counted(new, "pair")}


def _no_row(case):
    for layer in case.layers:
        if layer.at_length and layer.at_length.has_row is False:
            usable = layer.rows - layer.offset
            spare = f", of which {usable:,} are for positions" if layer.offset else ""
            yield {"layer": layer, "spare": spare, "usable": usable}


def _rows_before_position_zero(case):
    for layer in case.layers:
        rows = layer.rows
        usable = f"{rows:,} rows serve {rows - layer.offset:,} positions, and " if rows else ""
        if layer.offset:
            yield {"layer": layer, "usable": usable}


# --- what a rule does


def _truncate_ignored(case):
    for rule in case.rules if case.rotary("yarn") else ():
        if rule.get("truncate", True):
            continue
        low, high = _ramp(case.rotary("yarn")[-1], rule)
        who = "Engines that do (vLLM 0.11.0)"
        if truncates(case.settings):
            who = f"transformers {TRANSFORMERS}, which looks for this key outside the rules of "
            who += "kinds of layers, and so our frequencies,"
        ends = {"floor": math.floor(low), "ceil": math.ceil(high)}
        yield {"low": low, "high": high, **ends, "who": who}


def _ramp(layer, rule):
    """The pairs at which YaRN's ramp begins and ends, as fractions."""
    turns = np.array([rule.get("beta_fast") or 32, rule.get("beta_slow") or 1])
    pairs = layer.rotary_dim / 2 * np.log(layer.trained_length / (2 * np.pi * turns))
    return tuple(pairs / math.log(layer.base))


def _scale_in_no_key(case):
    keys = ("attention_factor", "short_mscale", "long_mscale")
    given = any(rule.get(key) is not None for rule in case.rules for key in keys)
    for layer in case.rotary("yarn", "longrope"):
        if layer.score_scaling != 1:
            yield {"variant": "of scores", "layer": layer}
        if layer.attention_scaling != 1 and not given:
            yield {"layer": layer, "squared": layer.attention_scaling**2}


def _long_factors_for_short_texts(case):
    for layer in case.rotary("longrope"):
        rule = rule_of(case.settings, layer.kind)
        lists = rule.get("short_factor"), rule.get("long_factor")
        if lists[0] == lists[1] or None in lists:
            continue
        short, long = map(np.array, lists)
        slower = (long / short).max()
        yield {"layer": layer, "short": short.max(), "long": long.max(), "slower": slower}


# --- widths and pairs


def _proportional_pairs(case):
    for layer in case.rotary("proportional"):
        wrong = _slowest(frequencies(layer.rotary_dim, layer.base))
        half, part = layer.head_dim // 2, layer.rotary_dim // 2
        yield {"half": half, "part": part, "slowest": _slowest(layer.frequencies), "wrong": wrong}


def _sections_in_turn(case):
    for layer in [each for each in case.rotary() if each.sections_in_turn and not each.axes][:1]:
        turns, sections = layer.wavelengths, layer.sections
        if len(sections) == 3 and sum(sections) == len(turns) and sections[2]:
            yield {"sections": list(sections), "blocks": turns[sum(sections[:2])], "turn": turns[2]}


def _clip_starts_over(case):
    for layer in case.rotary():
        if layer.grid is None or "frame" not in layer.axes:
            continue
        axis = layer.axes.index("frame")
        frames, before = layer.grid[axis], sum(layer.sections[:axis])
        turns = layer.wavelengths[before : before + layer.sections[axis]]
        if frames is None or turns.max() <= frames:
            continue
        pair = int(np.argmax(turns > frames))
        back = compression(case.settings) * round(turns[pair]) + 1
        yield {"pairs": _counted(len(turns), "pair"), "pair": pair, "turn": turns[pair],
               "frames": frames, "back": back}  # fmt: skip


# --- what holds for every file with such a rule, after what this one has of its own


def _yarn_at_every_length(case):
    for layer in case.rotary("yarn") if not case.settings.family.stretched else ():
        slowed = int(np.sum(layer.frequencies < layer.plain * (1 - 1e-9)))
        scale = layer.attention_scaling**2
        scores = "" if scale == 1 else f", and multiplies their scores by {scale:.3f}"
        if layer.factor != 1.0:
            yield {"slowed": slowed, "pairs": len(layer.plain), "layer": layer, "scores": scores}


def _scaled_for_some_layers(case):
    ruled = [each for each in case.rotary() if each.rule not in ("default", "proportional")]
    plain = case.rotary("default")
    if ruled and plain:
        counts = [_counted(sum(len(each.indices) for each in group), f"{group[0].kind} layer")
                  for group in (ruled, plain)]  # fmt: skip
        yield {"first": ruled[0], "factor": ruled[0].factor or 1, "counts": counts}
