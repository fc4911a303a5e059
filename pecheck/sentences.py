"""What `examine` and `identify` can say: `sentences.json` is the list, with values in braces.

A problem is wrong in itself or against what was expected; a mistake is one that a table can have,
beside those of `variants`, whose summaries are their sentences; the rest are findings.
"""

import json
from importlib import resources

from pecheck.variants import VARIANTS

_LIST = json.loads(resources.files(__package__).joinpath("sentences.json").read_text("utf-8"))
HEADLINES, PROBLEMS, FINDINGS = (_LIST[name] for name in ("headlines", "problems", "findings"))
COMMANDS = _LIST["commands"]  # of the command line: help, and arguments as argparse wants them
SUMMARIES = {name: each.summary for name, each in VARIANTS.items()} | _LIST["mistakes"]
GALLERY = {  # with the first report
    name: text + "".join(f" ({each})" for each in getattr(VARIANTS.get(name), "reports", ())[:1])
    for name, text in SUMMARIES.items()
}
WRAPPERS: dict[str, str] = _LIST["wrappers"]  # by its vectors; one output alone would hide the keys
SENTENCES = HEADLINES | PROBLEMS | FINDINGS | GALLERY


def counted(n: int, noun: str) -> str:
    """A number of things, in words."""
    return f"{n} {noun}{'' if n == 1 else 's'}"
