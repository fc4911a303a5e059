"""The ledger: what the sources and popular texts say, each statement with a check that decides it.

`statements.yml` holds the five texts that the book grew out of, `popular.yml` what is said
elsewhere. A check is an expression over numpy, `pecode` and the functions of `ledger.checks`;
`tests/ledger/test_statements.py` runs all of them.
"""

import math
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import yaml

import pecode
from book import CHAPTERS
from ledger.checks import shared

FOLDER = Path(__file__).parent
# The first three letters of an id: the module of its checks, and the name of the source.
SOURCES = {
    "000": ("handbook", "The online handbook"),
    "001": ("apx", "ApX"),
    "002": ("chapter", "The online chapter"),
    "003": ("kernes", "Kernes (2021)"),
    "004": ("herath", "Herath (2024)"),
    "P": ("popular", "Popular"),
}
KINDS = ("formula", "number", "table", "figure", "code", "qualitative")
VERDICTS = {
    "holds": "right as it stands",
    "holds after rounding": "off by at most one unit of the last digit that is given",
    "imprecise": "true under a condition that is not said, or said in a misleading way",
    "wrong": "contradicted by the check",
    "garbled": "damaged between the source and our copy of it",
    "not testable here": "a claim of history or taste, or about something that is lost",
}
MARKS = dict(zip(VERDICTS, "✓≈~✗?–", strict=True))  # what stands before a row
CAUSES = {
    "index": "an index off by one, or counted from somewhere else",
    "rounding": "rounded or cut off",
    "limit": "a limit in place of the last value",
    "invariance": "invariant in place of equivariant",
    "figure": "a figure drawn from something else than the formula",
    "sign": "a sign lost",
    "exponent": "an exponent, a base or a factor in it",
    "condition": "a condition left out",
    "wording": "a word that says something else",
    "transmission": "lost or damaged on the way to us",
    "attribution": "said of, or by, somebody else",
    "other": "another cause",
}


def statements():
    """Return every statement of the five texts, as a list of dicts in the order of the texts."""
    return _read("statements.yml")


def popular():
    """Return the popular statements outside the five texts."""
    return _read("popular.yml")


@cache
def _read(name):
    text = (FOLDER / name).read_text(encoding="utf8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # seven times as fast
    return yaml.load(re.sub(r"\{chapter (\w+)\}", _numbered, text), loader)


def _numbered(found):
    """Return "chapter 5" for the text {chapter translation}."""
    return f"chapter {CHAPTERS[found[1]].number}"


def source(row):
    """Return the name of the source of a row."""
    return SOURCES[row["id"].split("-")[0]][1]


def decide(row):
    """Run the check of a row and return what it gives."""
    module, _ = SOURCES[row["id"].split("-")[0]]
    return eval(row["check"], _names(module))


@cache
def _names(module):
    """Names that a check may use: numpy, math, pecode, the functions of its source and of all."""
    functions = vars(shared) | vars(import_module(f"ledger.checks.{module}"))
    public = {name: getattr(pecode, name) for name in dir(pecode) if not name.startswith("_")}
    return {"np": np, "math": math, **public, **functions}


def disagreements(row, value):
    """Yield a sentence for each way in which a row contradicts what its check gave."""
    wanted = row["value"]
    if _is_exact(wanted):
        got = list(value) if isinstance(wanted, list) else value
        if got != wanted:
            yield f"value: the check gives {got!r}, the ledger has {wanted!r}"
        return
    got = np.asarray(value, dtype=float).ravel()
    wanted = np.asarray(wanted, dtype=float).ravel()
    if got.shape != wanted.shape:
        yield f"value: the check gives {got.size} numbers, the ledger has {wanted.size}"
        return
    if not (np.abs(got - wanted) <= row.get("tolerance", 1e-9)).all():
        yield f"value: the check gives {got.tolist()}, the ledger has {wanted.tolist()}"
    if "stated" in row:
        yield from _against_stated(row, got)


def _is_exact(wanted):
    """Texts and truth values are compared as they are, and so is a list that holds one."""
    entries = wanted if isinstance(wanted, list) else [wanted]
    return any(isinstance(entry, str | bool) for entry in entries)


def _against_stated(row, got):
    """Compare the verdict with how far what is stated lies from what was computed."""
    if len(row["stated"]) != got.size:
        yield f"stated: {len(row['stated'])} numbers, the check gives {got.size}"
        return
    off = max(units_off(text, value) for text, value in zip(row["stated"], got, strict=True))
    slack = 1e-6  # a tie may be rounded either way
    fitting = (
        "holds" if off <= 0.5 + slack else "holds after rounding" if off <= 1 + slack else "wrong"
    )
    if row["verdict"] in ("holds", "holds after rounding", "wrong") and row["verdict"] != fitting:
        yield f"verdict: {row['verdict']!r}, but a stated number is off by {off:.2f} of its units"


def units_off(text, value):
    """How far a number is from what is stated, in units of the last digit that is stated.

    >>> round(units_off("0.41", 0.4147), 2), round(units_off("6.28e3", 6283.2), 2)
    (0.47, 0.32)
    """
    plain = text.replace(",", "").replace("−", "-").lower()
    digits, _, power = plain.partition("e")
    unit = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
    return abs(float(plain) - value) / unit
