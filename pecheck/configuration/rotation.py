"""How queries and keys turn in one kind of layer: the keys of its rule, joined, and frequencies."""

import math
from functools import cached_property
from typing import Any

from pecheck.configuration.families import WRITTEN
from pecheck.configuration.patterns import KINDS, WINDOWED
from pecheck.configuration.settings import Settings, Unreadable, integer, listed, real, refusal
from pecode import scaling
from pecode._check import require, shown
from pecode.encodings import frequencies

TYPES = {"su": "longrope", "deepseek_yarn": "yarn", None: "default"}
RULED_KINDS = {*KINDS, "hybrid_sliding", "main", "compress"}
HAS_ORIGINAL = ("yarn", "llama3", "longrope")
RULES = ("default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional")
ORIGINAL = "original_max_position_embeddings"


class Rotation:
    """The rotation of one kind of layer."""

    def __init__(self, settings: Settings, kind: str) -> None:
        self.settings, self.kind = settings, kind
        self.own, self.family = settings.own, settings.family

    def fields(self, head: int, trained: Any, length: Any) -> tuple[dict[str, Any], float]:
        """The fields of a `Layer` that turns, and what multiplies the scores of its last query.

        `head` is the width of a head, `trained` the length that the config says, `length` that of
        a text, or None for one within the trained length.
        """
        rope, family = self.rope, self.family
        rule, base = rope["rope_type"], rope["rope_theta"]
        width = self._turned_columns(head)
        require(head <= 2**20, "head_dim", "at most 2**20 columns", head)
        if rule == "proportional":
            scheme, plain = "proportional rotary", scaling.proportional(head, width / head, base)
        else:
            scheme = "rotary" if width == head else "partial rotary"
            plain = frequencies(width, base)
        omega, scale = plain if rule == "default" else None, 1.0
        if rule in RULES[1:]:
            try:
                omega, scale = getattr(self, f"_{rule}")(plain, length)
            except (TypeError, ValueError) as error:  # of a formula, too, for its arguments
                raise Unreadable(f"rope_scaling, {rule}: {error}") from error
        asked = self.own.get("rope_interleave", family.layout == "interleaved")  # a null is false
        all_dim, score_scaling = rope.get("mscale_all_dim"), 1.0
        if family.latent and rule == "yarn" and all_dim:  # DeepSeek's scores, once more
            all_dim, factor = real("mscale_all_dim", all_dim), real("factor", rope.get("factor"))
            score_scaling = scaling.yarn_scales(max(factor, 1.0), 1.0, all_dim)[1]
        trained = rope.get(ORIGINAL, trained)
        fields = {
            "scheme": scheme, "head_dim": head, "rotary_dim": width + width % 2,
            "layout": "interleaved" if asked else "half", "base": base, "rule": rule,
            "trained_length": trained, "factor": self._real("factor"),
            "frequencies": omega, "plain": plain, "attention_scaling": scale,
            "score_scaling": score_scaling, **self._axes(len(plain)),
        }  # fmt: skip
        beta, temperature = rope.get("llama_4_scaling_beta"), 1.0
        if beta is not None and length is not None:
            # Mistral's: 1 + β ln(1 + ⌊t / L⌋) for the query at position t
            temperature += real("llama_4_scaling_beta", beta) * math.log1p((length - 1) // trained)
        return fields, temperature

    def _axes(self, pairs):
        """The pairs of each axis; code that is known stops at too few, or at another sum."""
        rope, family = self.rope, self.family
        given = rope.get("mrope_section", rope.get("xdrope_section"))
        if given is None:
            return {}
        sections = tuple(integer("mrope_section", n, 0) for n in given)
        in_turn = family.mrope_interleaved or bool(rope.get("mrope_interleaved"))
        right = len(sections) > 2 if in_turn else sum(sections) == pairs
        what = "three numbers" if in_turn else f"numbers whose sum is {pairs}, the pairs"
        require(right or family.reads is None, "mrope_section", what, given)
        axes = tuple(family.section_axes.split())
        if len(axes) != len(sections):
            said = {3: "3 sections", 4: "4 sections"}.get(len(sections), "sections")
            self.settings.says(said, given)
            axes = None
        return {"sections": sections, "axes": axes, "sections_in_turn": in_turn}

    def _real(self, name):
        return None if self.rope.get(name) is None else real(name, self.rope[name])

    # --- the keys of a rule

    @cached_property
    def rope(self) -> dict[str, Any]:
        """The keys of the rotation, in one dict: as transformers joins them.

        rope_scaling, where it is not null, replaces rope_parameters whole; what is inside goes
        before what is outside; rope_type before type.
        """
        settings, rope = self.settings, self._keys()
        rope["rope_theta"] = self._base(rope)
        if "compressed" in self.kind:
            rope.setdefault("attention_factor", 1.0)
        if rope.get("type") and not rope.get("rope_type") and self.family.nests:
            settings.says("named by type", rope["type"])
        named = rope.get("rope_type") or rope.get("type")
        named = "default" if named == "mrope" and settings.reads("mrope_section") else named
        named = "dynamic" if named == "xdrope" and settings.reads("xdrope_section") else named
        rules = self.family.rules
        rope["rope_type"] = (TYPES | rules).get(named, named)
        if rules and rope["rope_type"] not in rules.values():
            raise refusal("rule", listed({*rules.values()}), settings.model_type, shown(named))
        if named == "su" and ORIGINAL not in rope:
            settings.says("su", ORIGINAL)
        if rope["rope_type"] in HAS_ORIGINAL:
            rope[ORIGINAL] = self._original_length(rope.get(ORIGINAL))
        if ORIGINAL in rope:
            rope[ORIGINAL] = integer(ORIGINAL, rope[ORIGINAL])
        return rope

    def _rules_as_read(self):
        """`settings.rules` without keys that the code of the family does not look at: `unread`."""
        own, family, (name, flat, by_kind) = self.own, self.family, self.settings.rules
        ignored = [key for key in WRITTEN["of some models"].split() if not self.settings.reads(key)]
        if family.compressed and "main" not in by_kind:
            ignored += ["rope_theta", "partial_rotary_factor"]
        ignored = {key: flat.pop(key) for key in ignored if own.get(name) and flat.get(key)}
        known = {*RULED_KINDS, self.kind, *map(str, own.get("layer_types") or ())}
        ignored |= {k: v for k, v in by_kind.items() if k not in known or not family.by_kind}
        self.settings.unread |= {f"{name}.{key}": value for key, value in ignored.items()}
        return name, flat, by_kind

    def _keys(self):
        """The keys that are for one kind of layer: of its own object, or those for all layers."""
        own, family, kind, settings = self.own, self.family, self.kind, self.settings
        name, flat, by_kind = self._rules_as_read()
        if family.rule and not own.get(name):
            settings.says("rule of the class", settings.model_type)
        if not family.by_kind:
            named = own.get("layer_types") or {"late", "all but", "turns"} & {*family.attention}
            if named and kind in by_kind:  # transformers looks there, and does not find a rule
                raise refusal("one rule", name, settings.model_type, listed(by_kind))
            return flat
        if family.scaled == "kinds" and kind not in {**flat, **by_kind}:
            path, read = f"{name}.{kind}", listed({**flat, **by_kind})
            raise refusal("no rule for a kind", path, settings.model_type, read)
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

    def _beside(self):
        """The key beside the rule that says the base, or None; the usual base."""
        own, family, settings = self.own, self.family, self.settings
        if "compressed" in self.kind:
            return "compress_rope_theta" if own.get("compress_rope_theta") else None, family.base
        local = self.kind in WINDOWED and (family.local_base or settings.key("local base"))
        usual = (local and family.local_base) or family.base
        if not local or family.compressed:
            return settings.key("base"), usual
        one_for_both = family.local_base in (None, settings.raw("base"))
        return settings.key("local base") or (one_for_both and settings.key("base")) or None, usual

    @property
    def says_base(self) -> bool:
        """Whether the file says the base of this kind of layer."""
        inside = self.own.get(self.settings.rules[0]) and "rope_theta" in self._keys()
        return bool(self._beside()[0] or inside or self.own.get("rope_ratio"))

    def _base(self, rope):
        own, settings, (key, usual) = self.own, self.settings, self._beside()
        base = None if key is None else real(key, own[key], 1)
        if own.get("rope_ratio") is not None:  # ChatGLM
            base = (base or usual) * real("rope_ratio", own["rope_ratio"])
        if rope.get("rope_theta") is not None:
            return real("rope_theta", rope["rope_theta"], 1)
        if base is not None:
            return base
        require(own.get("rope_theta", 0) is not None, "rope_theta", "a number above 1", "null")
        settings.says("usual base" + " of unknown code" * settings.unknown, self.kind, usual)
        return usual

    def _original_length(self, inside):
        """The length before stretching: outside goes before the family's, that before inside."""
        settings, original = self.settings, self.family.default(ORIGINAL)
        if ORIGINAL in self.own:  # at a null transformers stops
            return integer(ORIGINAL, self.own[ORIGINAL])
        if original:
            settings.says("original length of the class", ORIGINAL, original)
            return original
        length = settings.raw("length") or self.family.default("length")
        if inside is None and length is None:
            raise Unreadable(f"{ORIGINAL}: missing, and so is the length")
        return length if inside is None else inside

    # --- from the keys to frequencies

    def _turned_columns(self, head):
        """How many columns of a head turn."""
        own, family, rope, settings = self.own, self.family, self.rope, self.settings
        part = own.get("qk_rope_head_dim")
        if rope["rope_type"] == "proportional":
            width = 2 * int(self._share() * head // 2)
        elif family.latent or (part is not None and not family.compressed):
            width = settings.needed("qk_rope_head_dim")
            if family.reads is not None:
                width = self._latent_columns(head, width)
        elif own.get("rotary_dim") is not None and settings.raw("partial") is None:
            width = min(integer("rotary_dim", own["rotary_dim"]), head)
        else:
            if part is not None:
                rope.setdefault("partial_rotary_factor", part / head)
            width = int(head * self._share())
        odd = width % 2 and width < head and rope["rope_type"] in ("default", "linear")
        name, even = "head_dim" if part is None else "qk_rope_head_dim", odd or not width % 2
        require(width > 1 and even, name, "an even number of columns to turn", width)
        if odd:
            settings.says("odd columns", width, width // 2 + 1, width + 1)
        return width

    def _latent_columns(self, head, width):
        """The columns of latent attention that transformers turns; where it cannot, a refusal."""
        whole = self.settings.model_type == "mistral4"  # its share is one of the whole head
        wide = self.own.get("head_dim", self.family.defaults.get("head_dim"))
        wide = integer("head_dim", wide or (head if whole else width))
        if whole and not self.own.get("rope_scaling"):
            self.rope.setdefault("partial_rotary_factor", width / head)
        share = self._share()
        turned = int(wide * share)
        if turned == width or self.settings.model_type == "bailing_hybrid":
            return turned
        name, got = ("partial_rotary_factor", share) if share != 1 or whole else ("head_dim", wide)
        raise refusal("columns", name, width, got, turned)

    def _share(self):
        """The share of a head that turns, as the family's code reads it."""
        family, settings, plain = self.family, self.settings, self.rope["rope_type"] == "default"
        inside, outside = self.rope.get("partial_rotary_factor"), settings.raw("partial")
        by_kind = family.scaled == "kinds"  # then the code of "default" looks inside alone
        readers = ("partial_rotary_factor", "rotary_pct", "rotary_emb_fraction")
        read = any(map(settings.reads, readers)) or settings.key("partial") in family.also.split()
        usual = family.partial if (read and plain) or not (by_kind or plain) else 1.0
        usual = 1.0 if settings.is_null("partial_rotary_factor") else usual
        share = outside if inside is None else inside
        share = usual if share is None else real("partial_rotary_factor", share)
        if plain and (not read or (by_kind and inside is None)):
            if share != usual:
                settings.unread["partial_rotary_factor"] = share
            return usual
        require(share <= 1, "partial_rotary_factor", "at most 1", share)
        return share

    def _needed(self, name):
        if self.rope.get(name) is None:
            raise refusal("key of a rule", name, self.rope["rope_type"], listed(self.rope))
        return self.rope[name]

    def _linear(self, plain, length):
        return plain / real("factor", self._needed("factor")), 1.0

    def _proportional(self, plain, length):
        return plain / (self._real("factor") or 1.0), 1.0

    def _dynamic(self, plain, length):
        width, rope = 2 * len(plain), self.rope
        if rope.get("alpha") and self.settings.reads("alpha"):  # Hunyuan's: at every length
            alpha = max(real("alpha", rope["alpha"]), 1.0)
            return scaling.ntk_aware(width, alpha, rope["rope_theta"]), 1.0
        trained, factor = self.settings.needed("length"), real("factor", self._needed("factor"))
        longest = length or trained
        return scaling.dynamic_ntk(width, longest, trained, factor, rope["rope_theta"]), 1.0

    def _llama3(self, plain, length):
        ends = {name: self._needed(name) for name in ("low_freq_factor", "high_freq_factor")}
        low, high = (real(*each) for each in ends.items())
        if high == low:  # a step: no pair is between the two, and no program divides by 0
            ends["high_freq_factor"] = low * (1 + 1e-12)
        factor, rope = self._needed("factor"), self.rope
        omega = scaling.llama3(2 * len(plain), factor, rope[ORIGINAL], rope["rope_theta"], **ends)
        return omega, 1.0

    def _yarn(self, plain, length):
        rope = self.rope
        factor = self._factor() if "factor" in rope else self._needed("factor")
        turns = {k: real(k, rope[k]) for k in ("beta_fast", "beta_slow") if rope.get(k)}
        fast, slow = turns.get("beta_fast", 32), turns.get("beta_slow", 1)
        if fast < slow:
            raise refusal("ends exchanged", fast, slow)
        omega = scaling.yarn(2 * len(plain), factor, rope[ORIGINAL], rope["rope_theta"], **turns,
                             truncate=truncates(self.settings))  # fmt: skip
        one, all_dim = rope.get("mscale"), rope.get("mscale_all_dim")
        # One without the other, or 0, has no effect on cosines and sines.
        both = [real("mscale", one), real("mscale_all_dim", all_dim)] if one and all_dim else []
        scale = self._real("attention_factor")
        return omega, scaling.yarn_scales(factor, *both)[0] if scale is None else scale

    def _longrope(self, plain, length):
        original = self.rope[ORIGINAL]
        which = "long" if length is not None and length > original else "short"
        lists = {}
        try:
            for name in ("short", "long"):
                if (factors := self.rope.get(f"{name}_factor")) is not None:
                    lists[name] = scaling.longrope(2 * len(plain), factors, self.rope["rope_theta"])
        except (TypeError, ValueError) as error:
            raise Unreadable(str(error).replace("factors", f"{name}_factor", 1)) from error
        omega = lists[which] if which in lists else self._needed(f"{which}_factor")
        scale = self._real(f"{which}_mscale") or self._real("attention_factor")
        return omega, float(scale or scaling.longrope_temperature(self._factor(), original))

    def _factor(self):
        """The factor of a rule, or the ratio of the two lengths."""
        factor = self._real("factor")
        return factor or max(self.settings.needed("length") / self.rope[ORIGINAL], 1.0)


def truncates(settings: Settings) -> bool:
    """Whether YaRN's ramp is rounded: transformers does not look into the rule of one kind."""
    _, flat, by_kind = settings.rules
    moved = settings.family.nests and not by_kind
    return moved or flat.get("truncate", True)
