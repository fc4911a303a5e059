"""From a file, a text or a dict to settings that can be asked by name; refusals are sentences."""

import copy
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from pecheck.configuration.families import FAMILIES, KEYS, NOTES, WRITTEN, Family, names_of
from pecode import _check
from pecode._check import require, shown

LARGEST = 2_000_000  # bytes; the longest config that we saw has a fiftieth of it

# Keys whose names speak of positions; switches are told when they are false, too
POSITION_KEY, NO_POSITION, SWITCH_KEY = (re.compile("|".join(x)) for x in WRITTEN["speak"].values())
KNOWN = {*" ".join([*KEYS.values(), WRITTEN["understood"]]).split()}
KEYS_OF_RULES = {*WRITTEN["of rules"].split()}  # that some code reads, or that say nothing wrong
ROTARY_KEYS = {*WRITTEN["rotary"].split()}
SHARED = {*KEYS["length"].split(), *WRITTEN["shared"].split()}
TEXT_PARTS = ("text_config", "llm_config", "language_config", "text_model_config")


def speaks_of_positions(key: object) -> bool:
    """Whether a key, by its name, may say what a model does with positions."""
    return bool(POSITION_KEY.search(str(key)) and not NO_POSITION.search(str(key)))


class Unreadable(ValueError):
    """What was given is not the config of a model, or lacks what positions need."""


def refusal(name: str, *values: object) -> Unreadable:
    """What stops the reading, by a sentence of `notes.json`."""
    return Unreadable(NOTES[name].format(*values))


class Settings:
    """The part of a config that speaks of text, and what had to be assumed to read it.

    `whole` is everything that was given, `own` the part that is read, `part` its name, `unread`
    what it says of positions and the code of its family never looks at, `notes` sentences, `guess`
    whether the family is one by the look of the keys.
    """

    def __init__(self, whole: dict[str, Any]) -> None:
        self.whole, self.notes = whole, list[str]()
        self.own, self.part, self.outer = whole, "", {}
        prefix = "thinker_config." * isinstance(whole.get("thinker_config"), Mapping)
        outer = whole["thinker_config"] if prefix else whole
        for name in TEXT_PARTS:
            right = isinstance(outer.get(name) or {}, Mapping)
            require(right, name, "an object with keys", shown(outer.get(name)))
        name = next((name for name in TEXT_PARTS if isinstance(outer.get(name), Mapping)), None)
        if name is not None:
            self.own, self.part, self.outer = outer[name], prefix + name, outer
            self.says("part for text", self.part)
        if isinstance(self.own.get("attn_config"), Mapping):
            self.own = {**self.own["attn_config"], **self.own}
        if whole and whole.keys() <= {*KEYS_OF_RULES, "rope_scaling", "rope_parameters"}:
            raise refusal("rule alone")
        self.unread, self.guess, self.unknown = {}, False, False  # its layers, or its whole family
        self.model_type, self.family = self._family()
        if self.family.reads is not None:
            self._leave_out_what_its_code_does()
        self.own = usual_names(self.own)
        if self.own.get("use_mla") is False:
            self.own = {k: v for k, v in self.own.items() if not k.startswith(("qk_", "v_head"))}
            self.family = replace(self.family, layout="half", latent=False)
            self.says("no latent attention")
        check_rules(self.own)
        for words, keys in WRITTEN["types"].items():  # a text would count as absent, or as true
            kind = list if "list" in words else (bool, int)
            for key in (key for key in keys.split() if self.own.get(key) is not None):
                right, value = isinstance(self.own[key], kind), self.own[key]
                texts = "numbers" in words and right and any(isinstance(x, str) for x in value)
                require(right and not texts, key, words, shown(value))
        for key in {*self.family.defaults, *self.family.refused.split()} & self.own.keys():
            if self.own[key] is None and self.family.reads and not self.is_null(key):
                raise refusal("null", key, self.model_type)
        self.note(self.family.note)
        self._note_what_is_not_read()

    def _family(self):
        """The model type and its family, or one by the look of the keys."""
        names = [self.own.get("model_type"), self.whole.get("_class_name")]
        names += [self.whole.get("model_type")] if self.part else []
        names += [name.removesuffix("_text") for name in names[:1] if isinstance(name, str)]
        names = [name for name in names if name is not None]
        if names[:1] == ["mistral"] and "layer_types" in self.own:
            names[0] = "ministral"
            self.says("mistral")
        for name in names:
            right = isinstance(name, str) and name.isprintable() and len(name) <= 100
            require(right, "model_type", "a name of at most 100 printable letters", shown(name))
            if name in FAMILIES:
                return name, FAMILIES[name]
        named = names[0] if names else None
        file = next((file for key, file in WRITTEN["other files"].items() if key in self.own), "")
        what = f"the model type {named!r} is not in the table"
        what = what if named else f"there is no model_type{file}"
        family, look = self._by_the_look(what)
        self.guess = self.unknown = True
        self.says("by its keys", what[0].upper() + what[1:], look)
        return named, family

    def _by_the_look(self, what):
        """A family that has such keys, and in words which; else a refusal that begins so."""
        own, rule = self.own, self.own.get("rope_parameters")
        if name := self.key("axes"):
            require(isinstance(own[name], list), name, "a list of integers", shown(own[name]))
            axes = " ".join(f"axis-{i}" for i in range(len(own[name])))
            return Family(layout="interleaved", axes=axes), "rotary of several axes"
        axial = isinstance(rule, Mapping) and rule.get("rope_type") == "axial"
        if axial or ({"image_size", "patch_size"} <= own.keys() and own.keys() & ROTARY_KEYS):
            raise refusal("images of unknown code", own.get("model_type"), listed(own))
        if "_class_name" not in self.whole:  # those of diffusers have axes, and no key says which
            for like, row in WRITTEN["looks"].items():
                if holds(row, own):
                    same = FAMILIES.get(row.get("same"), Family())
                    return replace(same, reads=None, **row["family"]), like
            length = own.get("max_position_embeddings")
            if "type_vocab_size" in own and isinstance(length, int):
                # 514 rows for 512 positions is RoBERTa's mark, and no key says it.
                name = "roberta" if length % 64 == 2 else "bert"
                table = replace(FAMILIES[name], reads=None, defaults={})
                return table, f"a trained table like {name}'s, because it has {length} rows"
        parts = [k for k, v in self.whole.items() if isinstance(v, Mapping) and len(v) > 4]
        inside = listed(k for k in parts if k not in ("id2label", "label2id"))
        more = "" if inside == "nothing" else f" Parts that may be given alone: {inside}."
        lacking = ", ".join(name for name in WRITTEN["wanted"].split() if name not in own)
        raise refusal("no scheme", what, listed(own), lacking, more)

    def _leave_out_what_its_code_does(self):
        """Put keys about positions that the code of this family never looks at into `unread`."""
        family, ignored = self.family, {*self.family.ignores}
        reads = family.reads | SHARED | {*family.also.split()}
        reads |= {"partial_rotary_factor"} if "rope_parameters" in reads else set()  # of any rule
        if not (self.own.get("rope_parameters") or self.own.get("rope_scaling")):
            ignored |= {*(family.rule or {})} & {"rope_theta"}  # that of its class goes first
        if family.by_kind:  # a rule for each kind of layer takes what is inside
            ignored.add("original_max_position_embeddings")
        unread = {k: v for k, v in self.own.items()
                  if k in ignored or (speaks_of_positions(k) and k not in reads)}  # fmt: skip
        above = {f"{k} (above {self.part})": v for k, v in self.outer.items()
                 if k in ROTARY_KEYS and (k not in self.own or k in unread)}  # fmt: skip
        self.own = {k: v for k, v in self.own.items() if k not in unread}
        self.unread = {k: v for k, v in {**unread, **above}.items() if not says_nothing(k, v)}

    def _note_what_is_not_read(self):
        """Parts for something else than text, and keys that are not understood."""
        ends = "_config" if self.part else ("vision_config", "audio_config", "vision_encoder")
        parts = sorted(k for k, v in self.whole.items() if (self.part or isinstance(v, Mapping))
                       and k.endswith(ends) and k not in self.part
                       and (k != "vision_config" or self.vision() is None))  # fmt: skip
        if parts:
            self.says("not read", ", ".join(parts))
        if (encoders := self.own.get("encoder_num_hidden_layers")) and not self.family.two_stacks:
            self.says("encoder not read", shown(encoders))
        eyes = self.whole.get("vision_config")
        if isinstance(eyes, Mapping) and eyes.get("tokens_per_second"):
            self.says("times of videos", shown(eyes["tokens_per_second"]))
        if unread := self._not_understood():
            self.says("not understood", listed(unread))

    def _not_understood(self):
        """Keys that speak of positions, say something, and change nothing in this report."""
        if self.family.reads is not None:
            return []  # what its code does not look at is a warning
        makers = self.own.keys() & {"rope_ntk_alpha", "use_scaled_rope"}
        understood = KNOWN if makers else KNOWN - {"rope_scaling_factor", "rope_high_freq_factor"}
        kinds = [*self.family.attention, *map(str, self.own.get("layer_types") or ())]
        if not kinds:
            understood = understood - {*KEYS["window"].split()}
        if "chunked_attention" in kinds:
            understood = understood | {"attention_chunk_size"}
        return [k for k, v in self.own.items() if speaks_of_positions(k)
                and k not in understood and not says_nothing(k, v)]  # fmt: skip

    def vision(self) -> dict[str, Any] | None:
        """The part for images with the name of its family, or None where that is not known."""
        part = self.whole.get("vision_config")
        if not isinstance(part, Mapping):
            return None
        for name in (f"{self.whole.get('model_type')}_vision", part.get("model_type")):
            family = FAMILIES.get(name) if isinstance(name, str) else None
            if family and (family.axes or "patches" in family.rows):
                return {**part, "model_type": name}
        return None

    def key(self, what: str) -> str | None:
        """The name under which this config says it, or None."""
        return next((name for name in names_of(what) if self.own.get(name) is not None), None)

    def raw(self, what: str) -> Any:
        """The value as it stands there, or None."""
        return self.own.get(self.key(what))

    def integer(self, what: str, minimum: int = 1) -> int | None:
        """A checked integer, or None where the config does not say it."""
        name = self.key(what)
        n = None if name is None else integer(name, self.own[name], minimum)
        layers = n is not None and what in ("layers", "decoders", "num_single_layers")
        require(not layers or n <= 10_000, name, "at most 10,000 layers", n)
        return n

    def usual(self, what: str, minimum: int = 1) -> int | None:
        """A checked integer, or what its class takes, with a note, or None."""
        value, name = self.integer(what, minimum), self.family.key(what)
        if value is None and name is not None and not self.is_null(name):
            value = self.family.defaults[name]
            whose = "the family that it is read as" if self.unknown else self.model_type
            self.says("usual value", name, value, whose)
        return value

    def is_null(self, name: str) -> bool:
        """Whether a key is null, and its class takes that for none, not for its default."""
        return self.own.get(name, 0) is None and name in self.family.nullable.split()

    def needed(self, what: str, minimum: int = 1) -> int:
        """A checked integer, or what its class takes, or a refusal."""
        if (value := self.usual(what, minimum)) is not None:
            return value
        name, *others = names_of(what)
        also = f" It may also be called {', '.join(others)}." if others else ""
        raise Unreadable(f"{name}: missing. Read: {listed(self.own)}.{also}")

    @property
    def rules(self) -> tuple[str, dict[str, Any], dict[str, Any]]:
        """The rotation: its key, what it says of all layers, and what of single kinds.

        rope_scaling, where it is not null, replaces rope_parameters whole; without both, the rule
        is that of the class.
        """
        name = "rope_scaling" if self.own.get("rope_scaling") else "rope_parameters"
        rule = self.own.get(name) or self.family.rule or {}
        by_kind = {key: keys for key, keys in rule.items() if isinstance(keys, Mapping)}
        return name, {key: rule[key] for key in rule if key not in by_kind}, by_kind

    def reads(self, key: str) -> bool:
        """Whether the code of the family looks at a key; of one that is not known, any code may."""
        return self.family.reads is None or key in self.family.reads

    def with_own(self, changed: Mapping[str, Any]) -> "Settings":
        """The same settings, with some keys of other values; notes stay shared."""
        other = copy.copy(self)
        other.own = {**self.own, **changed}
        check_rules(changed)
        return other

    def says(self, name: str, *values: object) -> None:
        """Say once what was assumed, by a sentence of `notes.json`."""
        self.note(NOTES[name].format(*values))

    def note(self, sentence: str) -> None:
        """Say once what was assumed, by a sentence of a family's row or of another part."""
        if sentence and sentence not in self.notes:
            self.notes.append(sentence)


def holds(row: Mapping[str, Any], own: Mapping[str, Any]) -> bool:
    """Whether the keys of a file are as one of the conditions of a row wants them."""
    return any(_is_so(condition, own) for condition in row["if"])


def _is_so(condition, own):
    """Whether keys are `given`, not null, `some` are there at all, and what they `say` is so."""
    so = [own.get(key) == value for key, value in condition.get("says", {}).items()]
    so += [own.get(key) != value for key, value in condition.get("says not", {}).items()]
    so += [own.get(key) is not None for key in condition.get("given", "").split()]
    return all(so) and ("some" not in condition or any(k in own for k in condition["some"].split()))


def usual_names(own: Mapping[str, Any]) -> dict[str, Any]:
    """What makers' own files say, under the names that transformers has for it: `written.json`."""
    renamed, rule = {}, {}
    for row in (row for row in WRITTEN["makers"].values() if own.get(row["key"]) is not None):
        said = own.get(row["inside"]) if "inside" in row else own
        if isinstance(said, Mapping) and holds(row, said):
            renamed |= _given(row.get("names", {}), said)
            rule = {**row.get("rule", {}), **_given(row.get("keys", {}), said), **rule}
    if rule and not own.get("rope_scaling") and not own.get("rope_parameters"):
        renamed["rope_scaling"] = rule
    return {k: v for k, v in {**own, **renamed}.items() if [k, v] not in WRITTEN["off"]}


def _given(names, said):
    """Values under other names, as far as a file gives them; of several keys the first counts."""
    pairs = ((name, key) for name, keys in names.items() for key in reversed(keys.split()))
    return {name: said[key] for name, key in pairs if said.get(key) is not None}


def check_rules(own: Mapping[str, Any]) -> None:
    """Refuse rules, of all layers or of one, that are nested wrongly."""
    for name in ("rope_scaling", "rope_parameters"):
        check_rule(name, own.get(name) or {})


def check_rule(path: str, rule: object) -> None:
    """Refuse what is nested wrongly, by its path: a kind that is no object, a value that is one."""
    require(isinstance(rule, Mapping), path, "an object with keys", shown(rule))
    for key, value in rule.items():
        kind = key in ("main", "compress") or str(key).endswith(("_attention", "hybrid_sliding"))
        if kind and value is not None:
            check_rule(f"{path}.{key}", value)
        elif key in ("rope_scaling", "rope_parameters") and isinstance(value, Mapping):
            raise Unreadable(f"{path}.{key}: expected its keys in {path} itself, one level higher")
        elif key in KEYS_OF_RULES and isinstance(value, Mapping):
            raise Unreadable(f"{path}.{key}: expected a value, got an object: {shown(value)}")
        elif key in ("rope_type", "type") and not isinstance(value, (str, type(None))):
            raise Unreadable(f"{path}.{key}: expected a name, got {shown(value)}")
        elif key in ("original_max_position_embeddings", "rope_theta") and value is None:
            raise Unreadable(f"{path}.{key}: expected a number, got null: leave the key out")


def says_nothing(key: object, value: object) -> bool:
    """Whether a value is none, or the one that its code has anyway."""
    if value is False:
        return not SWITCH_KEY.search(str(key))
    return value is not True and value in (None, 0, 1, [], "", {}, WRITTEN["said in vain"].get(key))


def integer(name: str, value: object, minimum: int = 1) -> int:
    """One integer; 4096.0 counts, "4096" and NaN do not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return _check.integer(name, value, minimum, 2**60)


def real(name: str, value: object, above: float = 0) -> float:
    """One finite number."""
    return _check.real(name, value, above)


def listed(names: Iterable[str]) -> str:
    """The keys of a config, as many as a sentence holds."""
    names = sorted(printable(str(name)) for name in names)
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return (", ".join(names[:12]) + more) or "nothing"


def printable(text: str) -> str:
    """A name as a sentence can hold it: 60 characters, none that a terminal would obey."""
    return shown(text)[1:-1]


# --- from what was given to its keys


def load(source: object) -> dict[str, Any]:
    """The keys in a dict, in the file of a path, or in JSON text that begins with "{" or "["."""
    if isinstance(source, Mapping):
        return plain(source)
    if isinstance(source, str) and source.lstrip()[:1] in ("{", "["):
        return parse(source)
    right = isinstance(source, (str, Path))
    require(right, "settings", "a dict, a path or JSON text", shown(source))
    name = printable(str(source))
    try:
        with Path(source).open("rb") as file:
            return keys_in(name, file)
    except Unreadable:
        raise
    except (OSError, ValueError) as error:
        raise Unreadable(f"{name}: cannot be read: {getattr(error, 'strerror', error)}") from error


def plain(value: Any) -> Any:
    """Tuples, and arrays and scalars of numpy, as JSON has them."""
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def keys_in(name: str, file: IO[bytes]) -> dict[str, Any]:
    """The keys in an open file of bytes."""
    content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise refusal("too large", name, LARGEST / 1e6)
    try:
        return parse(content.decode("utf-8-sig"), name)
    except UnicodeDecodeError as error:
        raise Unreadable(f"{name}: expected JSON in UTF-8, got other bytes: {error}") from error


def _once(pairs):
    """An object whose keys are there once: of two, programs take one or the other."""
    found = dict(pairs)
    for key, value in pairs:
        if [value] != [found[key]]:  # in lists the same NaN is equal to itself
            raise refusal("twice", printable(key), shown(value), shown(found[key]))
    return found


def parse(text: str, name: str = "settings") -> dict[str, Any]:
    """The keys in JSON text, that of a file of this name."""
    try:
        whole = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{name}: expected JSON, got {shown(text)}: {error}") from error
    size = f" of {len(whole)}" if isinstance(whole, list) else ""
    kind = {list: "a list", str: "a text", dict: "an empty object"}.get(type(whole), shown(whole))
    if not isinstance(whole, dict) or not whole:
        raise Unreadable(f"{name}: expected a JSON object with keys, got {kind}{size}")
    return whole
