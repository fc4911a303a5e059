"""What the code of each family of models knows about positions and its config does not say.

`recorded.json` holds what `tools/record_families.py` reads off transformers: defaults of classes,
the keys that their code looks at, patterns of layers. A row of `written.json` adds what no program
reads there, and families of other libraries (diffusers 0.42.1, makers' own code). Beside the rows
stand the names that one thing has (keys, periods), what a mark in a list of layers means (marks,
letters), which keys choose the scheme of any family (choices), and by which keys a family that is
not in the table is recognized (looks). What a file says goes first.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True)
class Family:
    """The scheme of positions, and the values that a config may leave out."""

    scheme: str = "rotary"  # or "ALiBi", "buckets", "learned", "sinusoidal", "relative", "none"
    base: float = 10000.0
    local_base: float | None = None  # of the layers with a window, where they have one of their own
    layout: str = "half"
    partial: float = 1.0
    defaults: Mapping[str, Any] = field(default_factory=dict)  # of keys, by the names of its class
    reads: frozenset[str] | None = None  # the keys about positions that its code reads, where known
    nullable: str = ""  # of those with a default the keys that may be null
    refused: str = ""  # keys without a default whose null stops its class
    whole_heads: bool = False  # its class stops at a width that is no multiple of its heads
    lists: Mapping[str, str] = field(default_factory=dict)  # of layers: may be "longer", or "count"
    rules: Mapping[str, str] = field(default_factory=dict)  # those of its class, if not the usual
    numbered: Mapping[str, Any] = field(default_factory=dict)  # kinds, by keys with numbers
    ignores: Sequence[str] = ()  # keys that its class replaces by what it has itself
    rule: Mapping[str, Any] | None = None  # that of its class, for a file without one
    scaled: str = "all"  # the layers that a rule is for: "all", "full", or "kinds": one for each
    attention: Sequence[Any] = ()  # kinds of the layers in a pattern and out of it, name, numbers
    both_sides: bool = False  # a window reaches as far ahead as back
    indexer: str | None = None  # the layout of the keys by which sparse attention chooses
    choices: Sequence[Mapping[str, Any]] = ()  # schemes that its keys choose: conditions, a note
    full_unrotated: bool = False  # layers that see everything have no positions, beside windows
    dense_prefix: bool = False  # but the first ones have, which are without experts
    stretched: bool = False  # its checkpoints were trained with their YaRN
    latent: bool = False  # a score has a turned part and one that is not
    rows: str = ""  # of a table: "length", "patches", "patches + class"
    offset: int = 0  # the row of position 0
    spacing: str = "paper"
    two_stacks: bool = False  # an encoder and a decoder with a table each
    axes: str = ""  # the names of the coordinates, where a token has several
    split: Sequence[int] | str = ()  # columns of a head for each axis, or a key of `layers.SPLITS`
    frames: int | None = None  # latent frames of the clips of the training
    span: str = ""  # "picture": coordinates run from -1 to 1, whatever the number of patches
    mrope_interleaved: bool = False  # the axes take pairs in turn, not section by section
    section_axes: str = ""  # the names of the coordinates that sections of a rule are for
    also: str = ""  # keys that the code of its makers reads, beside transformers
    note: str = ""  # a sentence for every file

    @property
    def by_kind(self) -> bool:
        """Whether its code has a rotation for each kind of layer; of one not known, it may."""
        nested = any(isinstance(value, Mapping) for value in (self.rule or {}).values())
        return self.reads is None or self.scaled != "all" or nested or bool(self.local_base)

    @property
    def compressed(self) -> bool:
        """Whether layers without a window attend to compressed keys, with a base for those."""
        return "compress_rope_theta" in (self.reads or ())

    @property
    def nests(self) -> bool:
        """Whether its class puts old keys into an object for each kind of layer."""
        return self.scaled == "full" or (self.local_base is not None and not self.compressed)

    def key(self, what: str) -> str | None:
        """The name under which its class has a default for it, or None."""
        return next((name for name in names_of(what) if name in self.defaults), None)

    def default(self, what: str) -> Any:
        """What its class takes where a file does not say it, or None."""
        return self.defaults.get(self.key(what))


@cache
def names_of(what: str) -> tuple[str, ...]:
    """The names that keys have for one thing, the usual one first; else those that were given."""
    return (*KEYS.get(what, what).split(),)


def read(name: str) -> dict[str, Any]:
    """A data file of this folder."""
    return json.loads(resources.files(__package__).joinpath(name).read_text("utf-8"))


def _families() -> tuple[dict[str, Family], dict[str, str]]:
    """Rows by model type: what was recorded, and what is written by hand beside it."""
    found: dict[str, Family] = {}
    rows = {name: row for names, row in ROWS.items() for name in names.split()}
    for names, facts in RECORDED["families"].items():
        facts = {**facts, "reads": frozenset(RECORDED["reads"][facts["reads"]].split())}
        for name in names.split():
            row = {**facts, **rows.pop(name, {})}
            row["defaults"] = {**facts["defaults"], **row["defaults"]}
            row["latent"] = "qk_nope_head_dim" in row["defaults"]
            found[name] = Family(**row)
    same = {name: row["same"] for name, row in rows.items() if "same" in row}
    found |= {name: Family(**row) for name, row in rows.items() if name not in same}
    outer = {name: text for text, names in RECORDED["outer"].items() for name in names.split()}
    others = {name: found[other] for name, other in {**outer, **same}.items()}
    return others | found, same


WRITTEN, RECORDED = read("written.json"), read("recorded.json")
KEYS: dict[str, str] = WRITTEN["keys"]  # one thing under the names of all, the usual one first
ROWS: dict[str, dict[str, Any]] = {k: v for x in WRITTEN["families"].values() for k, v in x.items()}
FAMILIES, SAME = _families()  # SAME: makers' names of code that transformers has
TRANSFORMERS: str = RECORDED["transformers"]
# What may be said of assumptions, and refusals, with values in braces
NOTES = {k: v.replace("{transformers}", TRANSFORMERS) for k, v in read("notes.json").items()}
