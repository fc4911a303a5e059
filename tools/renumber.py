"""Give files and links the numbers of book.py.

Run `python -m tools.renumber` after a chapter was put into `PARTS` in book.py, taken out or moved.
It renames notebooks, and the names of pages in every text. Of a chapter that is gone it takes out
the lines of _toc.yml. It prints what is left to you: what still names a page that is gone, or, as
"chapter 9", a number that is another chapter's now.
"""

import re
import subprocess

from book import CHAPTERS
from publishing.home import ROOT

HISTORY = "CHANGELOG.md"  # says what was
NUMBERED = re.compile(r"(\d\d)-(\w+)\.ipynb")
NOT_WITHIN = r"(?<![a-zA-Z\d.-])"


def git(*arguments):
    """Run git at the top of the repository, and return the lines that it prints."""
    return subprocess.check_output(["git", *arguments], cwd=ROOT, encoding="utf8").splitlines()


def either(words):
    """Return the pattern of one of these words; of none it matches nothing."""
    return "|".join(map(str, words)) or "(?!)"


def main():
    """Rename files, then the names in texts; then say what is left to do."""
    paths = [ROOT / name for name in git("ls-files")]
    numbers = {found[2]: found[1] for path in paths if (found := NUMBERED.fullmatch(path.name))}
    now = {word: chapter.slug for word, chapter in CHAPTERS.items()}
    moved = [int(number) for word, number in numbers.items() if now.get(word) != f"{number}-{word}"]
    slug = re.compile(rf"{NOT_WITHIN}\d\d-({either(now)})(?![\w-])")
    gone = re.compile(rf"{NOT_WITHIN}\d\d-({either(numbers.keys() - now)})(?![\w-])")
    prose = re.compile(rf"\b[Cc]hapters? ((\d+)(, | and | to ))*({either(moved)})\b")
    for path in paths:
        found = NUMBERED.fullmatch(path.name)
        if found and now.get(found[2], path.stem) != path.stem:
            git("mv", path, path.with_stem(now[found[2]]))
    for line in git("ls-files", "--eol"):
        kind, name = line.split("\t")
        if "-text" in kind or name == HISTORY:
            continue
        before = (ROOT / name).read_text("utf8")
        text = slug.sub(lambda found: now[found[1]], before)
        if name == "_toc.yml":
            text = "".join(row for row in text.splitlines(keepends=True) if not gone.search(row))
        if text != before:
            (ROOT / name).write_text(text, "utf8")
        for number, row in enumerate(text.splitlines(), start=1):
            for found in [*gone.finditer(row), *prose.finditer(row)]:
                print(f"{name}:{number}: {found[0]}")


if __name__ == "__main__":
    main()
