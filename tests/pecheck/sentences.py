"""Every sentence that the tools print, with settings, or a function, of which it is true.

python -m tests.pecheck.sentences     prints the list, for somebody who judges it
"""

import ast
import re
from pathlib import Path

import pecheck.configuration
from pecheck import Unreadable, config, examine
from pecheck.configuration import models
from pecheck.configuration.families import NOTES, ROWS, WRITTEN
from pecheck.configuration.warnings import WARNINGS
from pecheck.sentences import GALLERY, SENTENCES
from tests.pecheck import CASES, LLAMA, SETTINGS, YARN, settings_of, test_functions, test_warnings

FOLDER = Path(pecheck.configuration.__file__).parent
REFUSE = "Unreadable", "require"


def templates():
    """The longest piece of text in each sentence of `config`, by file and line, or by its key."""
    for path in sorted(FOLDER.glob("*.py")):  # refusals stand in the code
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSE:
                texts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
                longest = max((x for x in texts if isinstance(x, str)), key=len, default="")
                if " " in longest.strip():
                    yield f"{path.name}:{node.lineno}", longest
    notes = [x["note"] for row in ROWS.values() for x in row.get("choices", ()) if "note" in x]
    for text in (*WRITTEN["looks"], *notes):
        yield "written.json", text
    says = [(name, text) for name, row in WARNINGS.items() for text in row["says"].values()]
    for key, text in (*says, *NOTES.items()):
        yield key, max(re.split(r"\{[^}]*\}", text), key=len)


def given():
    """The settings of the tests of this room, with lengths."""
    yield from (
        (model["settings"], length) for model in models().values() for length in (None, 10**5)
    )
    yield from ((settings, None) for settings in SETTINGS.values())
    cases = [*CASES["fields"], *CASES["said"], *CASES["said-twice"], *CASES["warnings"].values()]
    yield from ((settings_of(case), None) for case in cases)
    yield from ((settings, n + 1) for settings, n in test_warnings.AT_LENGTH.values())
    yield from ((case["given"], 8192) for case in CASES["refused"])
    yield {**LLAMA, "rope_scaling": YARN}, 16384


def sentences():
    """What `config` says of them: {sentence: settings}."""
    found = {}
    for settings, length in given():
        try:
            report = config(settings, length)
            said = [warning.message for warning in report.warnings] + list(report.notes)
        except Unreadable as error:
            said = [str(error)]
        found |= {each: settings for each in said if each not in found}
    return found


if __name__ == "__main__":
    for sentence, settings in sentences().items():
        print(f"{sentence}\n    {settings!r:.300}\n")
    for name, (function, expected, *_) in test_functions.WRONG.items():
        sentence = examine(function, test_functions.D, **expected).problems[0]
        print(f"{sentence}\n    tests/pecheck/test_functions.py: {name}\n")
    for name, (function, key, *_) in test_functions.FOUND.items():
        first = SENTENCES[key].split("{")[0]
        found = examine(function, test_functions.D).findings
        sentence = next(each for each in found if each.startswith(first))
        print(f"{sentence}\n    tests/pecheck/test_functions.py: {name}\n")
    for name, sentence in GALLERY.items():
        print(f"{sentence}\n    {name}\n")
