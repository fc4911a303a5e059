"""What somebody should know before this config is run: one method of `Case` a warning.

A method yields values for its sentence; the first ones count. What each is about, its sentences,
and the public thread of somebody who met it or, where we found none, the source file that decides,
stand in `warnings.json` under its name. Engines are named with the version that the thread names;
newer ones may have fixed it.
"""

import math
from dataclasses import dataclass
from itertools import chain

import numpy as np

from pecheck.configuration.families import KEYS, SAME, TRANSFORMERS, WRITTEN, read
from pecheck.configuration.layers import Layer, compression
from pecheck.configuration.patterns import NO_ATTENTION
from pecheck.configuration.rotation import HAS_ORIGINAL, ORIGINAL, RULES, TYPES, Rotation, truncates
from pecheck.configuration.settings import KEYS_OF_RULES, Settings, printable
from pecheck.sentences import counted
from pecode import scaling
from pecode.encodings import frequencies

WARNINGS = read("warnings.json")  # in this order
PARTIAL = "partial_rotary_factor"


@dataclass(frozen=True)
class Notice:
    """One thing to know: what, why here, and a link to somebody who met it."""

    id: str
    message: str
    report: str


class Case:
    """What a warning looks at.

    `own` is the part for text, `turned` the kinds of layers that turn; `rules` are the keys of the
    rule for all layers, then those for single kinds; `nulls` are kinds whose rule is null.
    """

    def __init__(self, settings: Settings, layers: tuple[Layer, ...], length: int | None) -> None:
        self.settings, self.layers, self.length = settings, layers, length
        self.own, self.family = settings.own, settings.family
        self.turned = [layer for layer in layers if layer.rotary_dim]
        _, flat, by_kind = settings.rules
        self.rules = [flat, *by_kind.values()]
        self.nulls = [key for key, value in flat.items() if value is None and "_att" in key]
        self.says_original = any(ORIGINAL in keys for keys in (self.own, *self.rules))

    def rotary(self, *rules: str) -> list[Layer]:
        """The kinds of layers that turn as it was computed here, under one of these rules."""
        rotary = [each for each in self.turned if each.frequencies is not None]
        return [each for each in rotary if not rules or each.rule in rules]

    def without_positions(self) -> list[int]:
        """The numbers of the layers that attend without positions."""
        still = (x for x in self.layers if x.scheme == "none" and x.kind not in NO_ATTENTION)
        return sorted(i for each in still for i in each.indices)

    def warnings(self) -> list[Notice]:
        """All warnings; the name with underscores is the method that looks for it."""
        found = ((name, next(getattr(self, f"_{name.replace('-', '_')}")(), None))
                 for name in WARNINGS)  # fmt: skip
        return [self._notice(name, **values) for name, values in found if values]

    def _notice(self, name, variant="", also="", **values):
        """A sentence of a warning, with its values, and perhaps another one behind it."""
        says = WARNINGS[name]["says"]
        text = "If the guess is right: " if self.settings.guess else ""
        text += says[variant] + (says[also] if also else "")
        text = text.format(case=self, transformers=TRANSFORMERS, **values)
        return Notice(name, text, WARNINGS[name]["report"])

    # --- what the code of this family does not look at

    def _key_not_read(self):
        unread = {k: v for k, v in self.settings.unread.items() if not self._is_so(k, v)}
        if not unread:
            return
        it, changes = ("it", "it changes") if len(unread) == 1 else ("them", "they change")
        names = ", ".join(f"{printable(k)} {_short(v)}" for k, v in sorted(unread.items()))
        code = SAME.get(self.settings.model_type, self.settings.model_type)
        cached = "sliding_attention" in str(unread.get("layer_types"))
        yield {"names": names, "code": code, "changes": changes, "it": it, "also": "cache" * cached}

    def _is_so(self, key, value):
        """Whether an unread key says what the layers do anyway."""
        name, layers, turned = key.split(" ")[0], self.layers, self.turned
        kinds = dict(sorted((i, layer.kind) for layer in layers for i in layer.indices))
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if isinstance(value, list):
            marks = (WRITTEN["marks"] | WRITTEN["other marks"]).get(name, {})
            if name == "no_rope_layers":
                return value == [any(i in layer.indices for layer in turned) for i in kinds]
            return [marks.get(str(x), marks.get("other", x)) for x in value] == [*kinds.values()]
        if not turned and self.settings.unread.get("mla_use_nope") is True:
            return True  # Kimi Linear's says so
        if name in (*KEYS["base"].split(), *KEYS["local base"].split(), "compress_rope_theta"):
            return bool(turned) and number and value in {layer.base for layer in turned}
        if name == "head_dim":
            return all(value in (layer.head_dim, layer.rotary_dim) for layer in layers)
        if name in ("rotary_dim", "qk_rope_head_dim", "attn_rotary_emb"):
            return bool(turned) and all(value == layer.rotary_dim for layer in turned)
        if name in KEYS["partial"].split() and number:
            return bool(turned) and all(int(value * x.head_dim) == x.rotary_dim for x in turned)
        if name in KEYS["window"].split() or name == "attention_chunk_size":
            off = self.settings.whole.get("use_sliding_window", self.own.get("use_sliding_window"))
            limits = (n for x in layers for n in (x.window, x.chunk, x.promised_length) if n)
            wide = number and any(value >= n - 1 for n in limits)
            return wide or (off is False and name != "attention_chunk_size")
        if name == "max_window_layers":  # of a window that no other key gives
            return self.settings.unread.keys().isdisjoint(KEYS["window"].split())
        if name in WRITTEN["full every"].split() and number and value:
            return all((kinds[i] == "full_attention") == ((i + 1) % value == 0) for i in kinds)
        if name.endswith(("mrope_interleaved", "rope_3d")):
            return any(layer.sections_in_turn for layer in turned)
        if name.endswith("rope_interleave"):
            indexer = self.family.indexer if name.startswith("indexer") else None
            return (indexer or turned[0].layout if turned else "") == "interleaved"
        if name in ("position_embedding_type", "rotary"):
            word = "rotary" if value is True else str(value).split("_")[0]
            words = {"rotary": "rotary rope", "learned": "absolute", "ALiBi": "alibi"}
            schemes = {layer.scheme.split()[-1] for layer in layers} - {"none"}
            return all(word in words.get(scheme, "").split() for scheme in schemes)
        bases = {None, *(layer.base for layer in turned)}
        is_base = isinstance(value, dict) and value.keys() <= {"rope_theta", "rope_type", "type"}
        return is_base and (not turned or value.get("rope_theta") in bases)

    # --- which layers turn

    def _no_rope_layers_means_on(self):
        marks, off = self.own.get("no_rope_layers"), _numbered(self.without_positions())
        if not isinstance(marks, list) or not self.rotary():
            return
        if not marks:
            yield {"variant": "empty", "off": off}
        yield {"turn": sum(map(bool, marks)), "all": len(marks), "off": off}

    def _layers_without_positions(self):
        off = self.without_positions()
        if not off or not self.rotary() or isinstance(self.own.get("no_rope_layers"), list):
            return
        key = "no key says so"
        if every := self.own.get("no_rope_layer_interval"):
            key = f"only no_rope_layer_interval, {every}, says so"
        elif isinstance(self.own.get("layer_rope_theta"), list):
            key = "only the zeros of layer_rope_theta say so"
        elif self.nulls:
            key = f"only the null under {self.nulls[0]} says so"
        yield {"off": _numbered(off), "key": key, "attend": "attend" + "s" * (len(off) == 1)}

    # --- what is given twice, or elsewhere

    def _attention_factor_read_otherwise(self):
        given = next((r["attention_factor"] for r in self.rules if "attention_factor" in r), None)
        for layer in self.rotary("yarn") if given is not None else ():
            computed = scaling.yarn_temperature(layer.factor) if layer.factor else 1.0
            if computed > 1:
                others = ", those that ignore it the formula's" * (abs(given - computed) > 1e-6)
                both = given * computed
                yield {"given": given, "computed": computed, "both": both, "others": others}

    def _two_keys_for_one_scale(self):
        for rule in self.rules if self.rotary("yarn") else ():
            both, layer = (rule.get("mscale"), rule.get("mscale_all_dim")), self.rotary("yarn")[-1]
            alone = scaling.yarn_temperature(layer.factor or 1.0)
            differs = abs(alone - layer.attention_scaling) > 1e-6
            if any(both) and layer.score_scaling == 1 and differs:
                yield {"both": both, "layer": layer, "alone": alone}

    def _base_inside_rope_parameters(self):
        given = self.own.get("rope_parameters") and not self.own.get("rope_scaling")
        if not given or self.settings.key("base") or self.family.rule:
            return  # a family whose class has a rule never had other keys
        for layer in self.rotary():
            base, rule, scale = layer.base, layer.rule, layer.attention_scaling
            lost = [f"takes base 10,000 instead of {base:,.0f}"] * (base != 10000.0)
            lost += [f"drops the rule {rule!r}"] * (rule != "default")
            lost += [f"drops the factor {scale:.4f} of cosines and sines"] * (scale != 1)
            if lost:
                yield {"lost": ", ".join(lost)}

    def _said_twice(self):
        own, rule, twice = self.own, self.rules[0], []

        def told(what, *values):
            sentence = WARNINGS["said-twice"]["says"][what]
            twice.append(sentence.format(*values, transformers=TRANSFORMERS))

        dicts = own.get("rope_scaling"), own.get("rope_parameters")
        if all(dicts) and dicts[0] != dicts[1]:
            told("joined rules" if self.family.nests else "rules")
        rule = {**rule, **self.settings.rules[2].get("full_attention", {})}
        for what, name in ("base", "rope_theta"), ("partial", PARTIAL), (ORIGINAL, ORIGINAL):
            key, inside = self.settings.key(what), rule.get(name)
            if None not in (key, inside) and own[key] != inside:
                told("outside" if name == ORIGINAL else "inside", key, own[key], inside)
        for key in WRITTEN["full every"].split() if own.get("layer_types") else ():
            if own.get(key) and isinstance(own[key], int) and not self._is_so(key, own[key]):
                told("pattern", key, own[key])
        for each in self.rules:
            names = each.get("rope_type"), each.get("type")
            if all(names) and TYPES.get(names[0], names[0]) != TYPES.get(names[1], names[1]):
                told("types", *names)
        lengths = {name: self.settings.whole.get(name) for name in WRITTEN["lengths"].split()}
        lengths = {n: name for name, n in lengths.items() if isinstance(n, int)}
        if len(lengths) > 1:
            told("lengths", ", ".join(f"{name} {n:,}" for n, name in lengths.items()))
        part = own.get("qk_rope_head_dim") or self.family.default("qk_rope_head_dim")
        share = rule.get("partial_rotary_factor") or own.get("partial_rotary_factor")
        if isinstance(part, int) and isinstance(share, float) and 0 < share < 1:
            told("shares", part, share, int(part * share))
        key, dim = self.settings.key("partial"), own.get("rotary_dim")
        for layer in self.turned if key and dim else ():
            if layer.rotary_dim != dim:
                told("columns", dim, key, layer.rotary_dim)
        if twice:
            yield {"all": " ".join(twice)}

    def _base_in_no_key(self):
        suspect = (self.settings.integer("length") or 0) > 16384 or self.own.get("rope_parameters")
        for layer in self.rotary() if suspect else ():
            full = layer.promised_length and not layer.window
            if layer.base == 10000.0 and "base" in layer.sources and full:
                yield {"slowest": _slowest(layer.frequencies), "layer": layer}

    def _unknown_rule(self):
        for layer in self.layers:
            if layer.rule and layer.rule not in RULES:
                yield {"layer": layer, "rules": ", ".join(RULES)}

    def _unknown_keys(self):
        unread = {key.rpartition(".")[2] for key in self.settings.unread}
        unknown = {*chain(*self.rules)} - KEYS_OF_RULES - unread - {*self.nulls}
        if unknown:
            yield {"names": ", ".join(map(printable, sorted(unknown)))}

    def _rule_without_effect(self):
        names = [k for k in WRITTEN["inside"].split() if self.own.get(k) not in (None, "default")]
        if names and self.family.reads is not None:
            yield {"variant": "too high", "names": ", ".join(names)}
        for rule in self.rules:
            asked = rule.get("rope_type") or rule.get("type")
            if rule.get("factor") is not None and asked in (None, "default"):
                null = "null" * (rule.get("rope_type", 0) is None)
                yield {"factor": rule["factor"], "also": null}
            if asked not in (None, "default", "mrope") and not self.turned:
                yield {"variant": "nothing turns", "asked": asked}

    # --- lengths and factors

    def _length_means_two_things(self):
        n, said = self.settings.integer("length"), self.says_original
        for layer in self.rotary("linear", *HAS_ORIGINAL) if n else ():
            if said and layer.trained_length > n:
                yield {"variant": "shorter", "promised": n, "layer": layer}
            if not said and layer.rule != "longrope" and (layer.factor or 1) > 1:
                yield {"promised": n, "longer": n * layer.factor, "shorter": n / layer.factor}

    def _dynamic_and_a_cache(self):
        fixed = self.rules[0].get("alpha") and self.settings.reads("alpha")
        if self.rotary("dynamic") and not fixed:
            yield {"length": self.settings.needed("length")}

    def _beyond_the_promise(self):
        limit = min((x.promised_length for x in self.turned if x.promised_length), default=None)
        trained = self.own.get("max_trained_positions") is not None  # then it is no promise
        if self.length is not None and limit and self.length > limit and not trained:
            new = max(len(each.at_length.new_pairs) for each in self.turned)
            beyond = f"{self.length:,} tokens are more than max_position_embeddings, {limit:,}"
            for layer in self.rotary(*HAS_ORIGINAL) if self.says_original and not new else ():
                if layer.factor and self.length <= (reach := layer.factor * layer.trained_length):
                    yield {"variant": "raise it", "beyond": beyond, "layer": layer, "reach": reach}
            if not new:
                yield {"variant": "no new angle", "beyond": beyond}
            yield {"beyond": beyond, "pairs": counted(new, "pair")}

    def _no_row(self):
        for layer in self.layers:
            if layer.at_length and layer.at_length.has_row is False:
                usable = layer.rows - layer.offset
                spare = f", of which {usable:,} are for positions" if layer.offset else ""
                yield {"layer": layer, "spare": spare, "usable": usable}

    def _rows_before_position_zero(self):
        for layer in self.layers:
            rows, offset = layer.rows, layer.offset
            if offset:
                some = f"{rows:,} rows serve {rows - offset:,} positions, and " if rows else ""
                yield {"layer": layer, "usable": some}

    # --- what a rule does

    def _truncate_ignored(self):
        for rule in self.rules if self.rotary("yarn") else ():
            if rule.get("truncate", True):
                continue
            layer = self.rotary("yarn")[-1]
            turns = np.array([rule.get("beta_fast") or 32, rule.get("beta_slow") or 1])
            ramp = layer.rotary_dim / 2 * np.log(layer.trained_length / (2 * np.pi * turns))
            low, high = ramp / math.log(layer.base)  # as fractions of pairs
            ends = {"low": low, "high": high, "floor": math.floor(low), "ceil": math.ceil(high)}
            yield {"variant": "of a kind" * truncates(self.settings), **ends}

    def _scale_in_no_key(self):
        keys = ("attention_factor", "short_mscale", "long_mscale")
        given = any(rule.get(key) is not None for rule in self.rules for key in keys)
        for layer in self.rotary("yarn", "longrope"):
            if layer.score_scaling != 1:
                yield {"variant": "of scores", "layer": layer}
            if layer.attention_scaling != 1 and not given:
                yield {"layer": layer, "squared": layer.attention_scaling**2}

    def _long_factors_for_short_texts(self):
        for layer in self.rotary("longrope"):
            rule = Rotation(self.settings, layer.kind).rope
            lists = rule.get("short_factor"), rule.get("long_factor")
            if lists[0] == lists[1] or None in lists:
                continue
            short, long = map(np.array, lists)
            values = {"short": short.max(), "long": long.max(), "slower": (long / short).max()}
            yield {"variant": "exchanged" * bool((long <= short).all()), "layer": layer, **values}

    # --- widths and pairs

    def _proportional_pairs(self):
        for layer in self.rotary("proportional"):
            partial = _slowest(frequencies(layer.rotary_dim, layer.base))
            yield {"half": layer.head_dim // 2, "part": layer.rotary_dim // 2,
                   "slowest": _slowest(layer.frequencies), "wrong": partial}  # fmt: skip

    def _sections_in_turn(self):
        in_turn = [each for each in self.rotary() if each.sections_in_turn and not each.axes]
        for layer in in_turn[:1]:
            turns, sections = layer.wavelengths, layer.sections
            if len(sections) == 3 and sum(sections) == len(turns) and sections[2]:
                blocks = turns[sum(sections[:2])]
                yield {"sections": list(sections), "blocks": blocks, "turn": turns[2]}

    def _clip_starts_over(self):
        for layer in self.rotary():
            if layer.grid is None or "frame" not in layer.axes:
                continue
            axis = layer.axes.index("frame")
            frames, before = layer.grid[axis], sum(layer.sections[:axis])
            turns = layer.wavelengths[before : before + layer.sections[axis]]
            if frames is None or turns.max() <= frames:
                continue
            pair = int(np.argmax(turns > frames))
            back = compression(self.settings) * round(turns[pair]) + 1
            yield {"pairs": counted(len(turns), "pair"), "pair": pair, "turn": turns[pair],
                   "frames": frames, "back": back}  # fmt: skip

    # --- what holds for every file with such a rule, after what this one has of its own

    def _yarn_at_every_length(self):
        for layer in self.rotary("yarn") if not self.family.stretched else ():
            slowed, pairs = np.sum(layer.frequencies < layer.plain * (1 - 1e-9)), len(layer.plain)
            scale = layer.attention_scaling**2
            scores = f", and multiplies their scores by {scale:.3f}" * (scale != 1)
            if layer.factor != 1.0:
                yield {"slowed": slowed, "pairs": pairs, "layer": layer, "scores": scores}

    def _scaled_for_some_layers(self):
        ruled = [each for each in self.rotary() if each.rule not in ("default", "proportional")]
        plain = self.rotary("default")
        if ruled and plain:
            counts = [counted(sum(len(each.indices) for each in group), f"{group[0].kind} layer")
                      for group in (ruled, plain)]  # fmt: skip
            yield {"first": ruled[0], "factor": ruled[0].factor or 1, "counts": counts}


def _slowest(omega):
    """The longest wavelength of the pairs that turn."""
    return 2 * math.pi / omega[omega > 0].min()


def _numbered(layers):
    """Layers in words: how many, and the first four numbers."""
    shown = ", ".join(map(str, layers[:4])) + (" …" if len(layers) > 4 else "")
    return f"{counted(len(layers), 'layer')} ({shown})" if layers else "no layers"


def _short(value):
    """A value as a sentence can hold it."""
    if isinstance(value, (list, dict)):
        return f"(a list of {len(value)})" if isinstance(value, list) else "(an object)"
    return f"{value:,}" if type(value) is int else printable(str(value))
