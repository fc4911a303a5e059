"""From a file, a text or a dict to settings that can be asked by name; refusals are sentences."""

import copy
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path

from pecode import _check
from pecode._check import shown
from pecode.diagnose.configuration.families import (
    FAMILIES,
    KEYS,
    LISTS,
    NUMBERS,
    TEXT_PARTS,
    TEXTS,
    UNREAD,
    Family,
)

DEEPEST = 100  # braces inside braces; the deepest config that we saw has seven
LARGEST = 2_000_000  # bytes; the longest config that we saw has a fiftieth of it
ROTARY = frozenset({
    "rope_theta", "rope_scaling", "rope_parameters", "rotary_dim", "rotary_pct", "rotary_emb_base",
    "qk_rope_head_dim", "rope_embedding_base",
})  # fmt: skip


class Unreadable(ValueError):
    """What was given is not the config of a model, or lacks what positions need."""


class Settings:
    """The part of a config that speaks of text, and what had to be assumed to read it.

    `whole` is everything that was given, `own` the part that is read, `notes` are sentences.
    """

    def __init__(self, whole, repeated=()):
        self.whole, self.repeated, self.notes = whole, list(repeated), []
        self.own, self.part = whole, ""
        self._find_text_part()
        if isinstance(self.own.get("attn_config"), Mapping):
            self.own = {**self.own["attn_config"], **self.own}
        self.model_type, self.family = self._family()
        check_types(self.own)
        self._say_what_was_not_read()

    def _find_text_part(self):
        outer = self.whole
        if isinstance(outer.get("thinker_config"), Mapping):
            outer, self.part = outer["thinker_config"], "thinker_config."
        for name in TEXT_PARTS:
            if isinstance(outer.get(name), Mapping):
                self.own, self.part = outer[name], self.part + name
                self.notes.append(f"The part for text, {self.part}, was read.")
                shapes = ("width", "heads", "layers", "length")
                lacking = [w for w in shapes if self.key(w) is None]
                borrowed = {k: outer[k] for w in lacking for k in KEYS[w].split() if k in outer}
                if borrowed:
                    self.own = {**borrowed, **self.own}
                    self.notes.append(f"{name} lacks {', '.join(borrowed)}: taken from the top.")
                return
        self.part = ""

    def _say_what_was_not_read(self):
        """The parts that are for something else than text, and keys that are not understood."""
        parts = [k for k, v in self.whole.items() if k.endswith(("vision_config", "audio_config"))
                 and isinstance(v, Mapping)]  # fmt: skip
        if self.part:
            parts = [k for k in self.whole if k.endswith("_config") and k not in self.part]
        parts = sorted(k for k in parts if k != "vision_config" or self.vision() is None)
        if parts:
            self.notes.append(f"Not read: {', '.join(parts)}.")
        encoders = self.own.get("encoder_num_hidden_layers")
        if encoders is not None and not self.family.stacks:
            self.notes.append(
                f"The decoder was read; its encoder, of {shown(encoders)} layers, was not."
            )
        unread = [name for name in UNREAD.split() if self.own.get(name) not in (None, False, 1)]
        if unread:
            said = f"Not read: {', '.join(unread)}, which changes positions in some code."
            self.notes.append(said)

    def vision(self):
        """The part for images with the name of its family, or None where that is not known."""
        part = self.whole.get("vision_config")
        if not isinstance(part, Mapping):
            return None
        names = f"{self.whole.get('model_type')}_vision", part.get("model_type")
        for name in names:
            family = FAMILIES.get(name) if isinstance(name, str) else None
            if family and (family.axes or "patches" in family.rows):
                return {**part, "model_type": name}
        return None

    def _family(self):
        names = [self.own.get("model_type"), self.whole.get("_class_name")]
        names += [self.whole.get("model_type")] if self.part else []
        names = [name for name in names if name is not None]
        for name in names:
            if not isinstance(name, str) or not name.isprintable():
                raise Unreadable(f"model_type: expected a text, got {shown(name)}")
            if name in FAMILIES:
                return name, FAMILIES[name]
        named = next(iter(names), None)
        family = self._guess()
        what = (
            f"The model type {named!r} is not in the table" if named else "There is no model_type"
        )
        if family is None:
            parts = [k for k, v in self.whole.items() if isinstance(v, Mapping) and len(v) > 4]
            inside = listed(k for k in parts if k not in ("id2label", "label2id"))
            more = "" if inside == "nothing" else f" Parts that may be given alone: {inside}."
            raise Unreadable(
                f"model_type: {what[0].lower()}{what[1:]}, and no key says how positions enter. "
                f"Read: {listed(self.own)}. Missing: rope_theta, rope_parameters, rotary_dim, "
                f"attn_config, relative_attention_num_buckets or position_embedding_type.{more}"
            )
        self.notes.append(f"{what}: read by its keys, as {family[1]}.")
        return named, family[0]

    def _guess(self):
        if self.key("axes"):
            widths = self.raw("axes")
            if not isinstance(widths, list):
                name = self.key("axes")
                raise Unreadable(f"{name}: expected a list of integers, got {shown(widths)}")
            axes = " ".join(f"axis-{i}" for i in range(len(widths)))
            return Family(layout="interleaved", axes=axes, known=False), "rotary of several axes"
        rope = self.own.get("rope_parameters")
        axial = isinstance(rope, Mapping) and rope.get("rope_type") == "axial"
        patches = {"image_size", "patch_size"} <= self.own.keys() and self.own.keys() & ROTARY
        if patches or axial:
            raise Unreadable(
                f"model_type: {self.own.get('model_type')!r} is a model of images that is not in "
                "the table, and which columns of a head are for rows and columns no key says. "
                f"Read: {listed(self.own)}."
            )
        if {"qk_rope_head_dim", "qk_nope_head_dim"} <= self.own.keys():
            latent = Family(layout="interleaved", decoupled=True, kinds="window", known=False)
            return latent, "latent attention, of which neighboring columns turn, as DeepSeek's"
        if self.own.keys() & ROTARY:
            return Family(reads_partial=True, kinds="window", known=False), "rotary in halves"
        if "relative_attention_num_buckets" in self.own:
            return FAMILIES["t5"], "a model like T5"
        if "attn_config" in self.own:
            return FAMILIES["mpt"], "a model like MPT"
        if self.own.get("position_embedding_type") == "absolute":
            return FAMILIES["bert"], "a trained table like BERT's"
        length = self.own.get("max_position_embeddings")
        if "type_vocab_size" in self.own and isinstance(length, int):
            # 514 rows for 512 positions is RoBERTa's mark, and no key says it.
            name = "roberta" if length % 64 == 2 else "bert"
            return FAMILIES[name], f"a trained table like {name}'s, because it has {length} rows"
        return None

    def key(self, what):
        """The name under which this config says it, or None."""
        names = KEYS.get(what, what).split()
        return next((name for name in names if self.own.get(name) is not None), None)

    def raw(self, what):
        """The value as it stands there, or None."""
        name = self.key(what)
        return None if name is None else self.own[name]

    def integer(self, what, minimum=1):
        """A checked integer, or None where the config does not say it."""
        name = self.key(what)
        return None if name is None else integer(name, self.own[name], minimum)

    def real(self, what, above=0):
        """A checked number, or None."""
        name = self.key(what)
        return None if name is None else real(name, self.own[name], above)

    def needed(self, what, otherwise=None, minimum=1):
        """A checked integer, the family's value with a note, or a refusal."""
        value = self.integer(what, minimum)
        if value is None and otherwise is not None:
            name = KEYS.get(what, what).split()[0]
            self.note(f"{name} is absent: {otherwise:,} is the default of {self.model_type}.")
            return otherwise
        if value is None:
            name, *others = KEYS.get(what, what).split()
            also = f" It may also be called {', '.join(others)}." if others else ""
            raise Unreadable(f"{name}: missing. Read: {listed(self.own)}.{also}")
        return value

    def with_own(self, changed):
        """The same settings, with some keys of other values; notes stay shared."""
        other = copy.copy(self)
        other.own = {**self.own, **changed}
        return other

    def note(self, sentence):
        """Say once what was assumed."""
        if sentence not in self.notes:
            self.notes.append(sentence)


def check_types(settings):
    """Refuse numbers as text, texts as lists and so on, also in the dicts of the rule."""
    kinds = ((NUMBERS, (int, float), "a number"), (TEXTS, str, "a text"), (LISTS, list, "a list"))
    for names, types, what in kinds:
        for name in names.split():
            value = settings.get(name)
            if value is not None and (not isinstance(value, types) or isinstance(value, bool)):
                raise Unreadable(f"{name}: expected {what}, got {shown(value)}")
    for name in ("rope_scaling", "rope_parameters"):
        rule = settings.get(name)
        if rule is None:
            continue
        if not isinstance(rule, Mapping):
            raise Unreadable(f"{name}: expected an object with keys, got {shown(rule)}")
        for part in (rule, *(v for v in rule.values() if isinstance(v, Mapping))):
            check_types({k: v for k, v in part.items() if k not in ("rope_scaling", name)})


def integer(name, value, minimum=1):
    """One integer; 4096.0 counts, "4096" and NaN do not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return refused(_check.integer, name, value, minimum, 2**60)


def real(name, value, above=0):
    """One finite number."""
    return refused(_check.real, name, value, above)


def refused(check, name, value, *options):
    """What a check of the module returns; what it raises becomes an `Unreadable`."""
    try:
        return check(name, value, *options)
    except (TypeError, ValueError) as error:
        raise Unreadable(str(error)) from error


def listed(settings):
    """The keys of a config, as many as a sentence holds."""
    names = sorted(shortened(str(name)) for name in settings)
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return (", ".join(names[:12]) + more) or "nothing"


def load(source):
    """Settings from a dict, the path of a file, or JSON text that begins with "{" or "["."""
    if isinstance(source, Settings):
        return source
    if isinstance(source, Mapping):
        return Settings(dict(source))
    if isinstance(source, str) and source.lstrip()[:1] not in ("{", "["):
        source = Path(source)
    if isinstance(source, Path):
        source = _text_of(source)
    if not isinstance(source, str):
        raise Unreadable(f"settings: expected a dict, a path or JSON text, got {shown(source)}")
    return parse(source)


def _text_of(path):
    name = shortened(str(path))
    try:
        with path.open("rb") as file:
            return text_of(name, file, path.stat().st_size)
    except Unreadable:
        raise
    except (OSError, ValueError) as error:
        raise Unreadable(f"{name}: cannot be read: {getattr(error, 'strerror', error)}") from error


def text_of(name, file, size=0):
    """The text in an open file of bytes; what has no end, as a device, is not read to it."""
    if size > LARGEST:
        raise Unreadable(_too_long(name, size))
    content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise Unreadable(_too_long(name, len(content)))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"{name}: expected JSON in UTF-8, got other bytes: {error}") from error


def _too_long(name, size):
    return f"{name}: expected a config of a few KB, got {size / 1e6:.1f} MB, which is another file"


def shortened(text):
    """A name as a sentence can hold it: 60 characters, none that a terminal would obey."""
    return shown(text)[1:-1]


def parse(text):
    """Settings from JSON text."""
    text = text.removeprefix("\ufeff")  # the mark that some editors put before UTF-8
    if len(text) > LARGEST:
        raise Unreadable(_too_long("settings", len(text)))
    if not text.strip():
        raise Unreadable("settings: expected a JSON object, got an empty text")
    if _depth(text) > DEEPEST:
        raise Unreadable(f"settings: expected a plain config, got more than {DEEPEST} levels")
    repeated = []

    def an_object(pairs):
        values = dict(pairs)
        if len(values) < len(pairs):
            for name in values:
                given = [value for key, value in pairs if key == name]
                if len(given) > 1:
                    repeated.append((name, given))
        return values

    try:
        whole = json.loads(text, object_pairs_hook=an_object)
    except json.JSONDecodeError as error:
        raise Unreadable(
            f"settings: expected JSON, but line {error.lineno}, column {error.colno}: {error.msg}"
        ) from error
    except ValueError as error:  # a number of 5,000 digits
        raise Unreadable(f"settings: expected a plain config, got {shown(error)}") from error
    if not isinstance(whole, dict):
        size = f" of {len(whole)}" if isinstance(whole, list) else ""
        kind = {list: "a list", str: "a text"}.get(type(whole), shown(whole))
        raise Unreadable(f"settings: expected a JSON object with keys, got {kind}{size}")
    if not whole:
        raise Unreadable("settings: expected the keys of a model, got an empty object")
    return Settings(whole, repeated)


def _depth(text):
    """How deep braces and brackets are nested: in a browser too deep ends Python, not the call."""
    depth = deepest = 0
    for found in re.finditer(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]', text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(found[0], 0)
        deepest = max(deepest, depth)
    return deepest


def finite_json(value):
    """A number as JSON has it: no infinity."""
    return value if math.isfinite(value) else None
