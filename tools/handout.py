"""Make the folder that students get: the exercises without their solutions.

    python tools/handout.py [--without-checks]

Writes _build/handout and _build/handout.zip; the same sources give the same bytes. In it are the
notebooks, the packages `exercises` and `pecode` beside them, so that nothing has to be installed
but what requirements.txt names, and a README that says how to work and what to hand in.

The notebooks lose the solutions, keep the hints, and have no outputs. A question is answered in its
cell, where tools/grade.py reads it. What only the book's pages can show becomes plain Markdown.

The checks are handed out, since they answer at once: who wrote a wrong function is told what is
wrong with it. They also hold which answer to a question is right, and why: who looks for that finds
it. Where this matters, `--without-checks` leaves them out and writes the options of the questions
into the notebooks; then nothing is checked before it is handed in.
"""

import argparse
import re
import shutil
import string
import sys
import zipfile
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from tools import markdown  # noqa: E402

TARGET = ROOT / "_build" / "handout"
NEEDED = ("anywidget", "autograd", "ipywidgets", "jupyterlab", "matplotlib", "numpy")
CODE = {".py", ".js", ".mplstyle"}
ANSWER = "  # write the letter or number here: this is what is graded"
TEACHERS = {"solutions", "wrong_answers"}  # modules of `exercises` that students do not get
WHEN = (1980, 1, 1, 0, 0, 0)  # of every file in the archive: the first time that it can hold

WITH = {
    "check": "Then run the check below it, which says what is right or wrong",
    "ask": "run its cell to see the options, or to try a number",
}
WITHOUT = {
    "check": "It is checked after you have handed it in",
    "ask": "its options stand above its cell",
}
PHRASES = {  # of the book's pages, and what they are in a folder of notebooks
    "`make lab`": "`jupyter lab`",
    markdown.HOW_TO_ANSWER: (" README.md says how to work and what to hand in."),
}

WITHOUT_CHECKS = '''"""The exercises of the book. Your teacher has the checks."""


def check(*_):
    """Say who has the checks."""
    print("your teacher has the checks and the solutions")


solution = progress = check


def ask(name, answer=None):
    """Say what will be graded."""
    said = "not answered yet" if answer is None else f"answered {answer!r}"
    print(f"{name}: {said}; your teacher has the right answer")
'''

# Notebooks


def handed_out(notebook, known, questions=None):
    """Return a notebook as students get it; `questions` are those whose options are written in."""
    new = new_notebook()
    for key in {"kernelspec", "language_info"} & set(notebook.metadata):
        new.metadata[key] = notebook.metadata[key]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            source = plain(without_solutions(cell.source), known)
            if source.strip():
                new.cells.append(new_markdown_cell(source, id=cell.id))
        elif name := re.fullmatch(r'\s*ask\(\s*"(\w+)"\s*,?\s*\)\s*', cell.source):
            if questions:
                new.cells.append(new_markdown_cell(options(questions[name[1]]), id=f"{cell.id}-o"))
            asked = f'ask("{name[1]}", answer=None){ANSWER}'
            new.cells.append(new_code_cell(asked, id=cell.id))
        elif not re.match(r"\s*solution\(", cell.source) and cell.source.strip():
            new.cells.append(new_code_cell(cell.source, id=cell.id))
    return nbformat.writes(new) + "\n"


def options(question):
    """Return the options of a question as Markdown."""
    if question.asks_for_a_number:
        return f"The answer is a number{f' ({question.unit})' if question.unit else ''}."
    lettered = zip(string.ascii_lowercase, question.options, strict=False)
    return "\n".join(f"- **{letter})** {option.text}" for letter, option in lettered)


def without_solutions(text):
    """Return Markdown without its folded solutions; one that is not closed raises.

    >>> without_solutions('A <details class="solution">x<details>y</details></details> b')
    'A  b'
    """
    kept, deep, last = [], 0, 0
    for tag in re.finditer(r"<details\b[^>]*>|</details>", text):
        if deep:
            deep += -1 if tag[0].startswith("</") else 1
            last = tag.end()
        elif re.search(r"class=[\"'][^\"']*\bsolution\b", tag[0]):
            kept.append(text[last : tag.start()])
            deep = 1
    if deep:
        raise ValueError("text: expected each solution to be closed in its cell")
    return "".join([*kept, text[last:]])


# Markdown of the book's pages as plain Markdown


def plain(text, known):
    """Return a text of the book as Markdown that any notebook shows; what it refers to in words.

    >>> print(plain("See {doc}`chapter 5 <05-translation>` and {eq}`eq-mixture`.", {}))
    See chapter 5 and the equation “mixture” of the book.
    """
    for phrase in sorted(PHRASES, key=len, reverse=True):
        text = text.replace(phrase, PHRASES[phrase])
    return markdown.plain(text, lambda role, target, title: _words(role, target, title, known))


def _words(role, target, title, known):
    if role == "number":
        return ""
    if title:
        return title
    if role == "doc":
        number = re.match(r"0*(\d+)-", target.rsplit("/", 1)[-1])
        return f"chapter {number[1]}" if number else target.rsplit("/", 1)[-1]
    if role.startswith("cite"):
        return markdown.cited(target, known, role == "cite:t")
    if role in ("ref", "numref", "eq"):
        kinds = {"fig": "the figure", "eq": "the equation", "tab": "the table"}
        kind, _, rest = target.partition("-")
        if target in known:
            return f"“{known[target]}”"
        return f"{kinds.get(kind, 'the section')} “{rest.replace('-', ' ') or target}” of the book"
    return target  # a term


def headings(folder):
    """Return the titles of the headings that have a label, by label."""
    found = {}
    for path in sorted(folder.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                found.update(re.findall(r"^\(([\w-]+)\)=\s*^#+ (.*)$", cell.source, re.MULTILINE))
    return found


# Files


def requirements():
    """Return the versions that the book is tested with, of what the exercises need."""
    pins = (ROOT / "requirements.txt").read_text(encoding="utf8")
    found = re.findall(rf"^((?:{'|'.join(NEEDED)})==[^\\\n]*?)\s*\\?$", pins, flags=re.MULTILINE)
    missing = set(NEEDED) - {line.split("==")[0] for line in found}
    if missing:
        raise ValueError(f"requirements.txt: expected pins of {', '.join(sorted(missing))}")
    return "\n".join(found) + "\n"


def package(name):
    """Return the paths of the code of a package, without solutions and wrong answers."""
    paths = (path.relative_to(ROOT) for path in sorted((ROOT / name).rglob("*")) if path.is_file())
    return [path for path in paths if path.suffix in CODE and path.stem not in TEACHERS]


def files(without_checks=False):
    """Return what is handed out: the text of each file by its path."""
    questions = None
    if without_checks:
        from exercises.registry import exercises

        questions = {name: each for name, each in exercises().items() if each.is_question}
    known = headings(ROOT / "exercises")
    known.update(markdown.references((ROOT / "references.bib").read_text(encoding="utf8")))
    found = {
        "README.md": Path(__file__)
        .with_suffix(".md")
        .read_text(encoding="utf8")
        .format(**(WITHOUT if without_checks else WITH)),
        "requirements.txt": requirements(),
    }
    contents = (ROOT / "_toc.yml").read_text(encoding="utf8")
    for path in sorted((ROOT / "exercises").glob("[01]*.ipynb")):  # of the chapters
        if f"file: exercises/{path.stem}" not in contents:  # left out of the book
            continue
        found[path.name] = handed_out(nbformat.read(path, as_version=4), known, questions)
    copied = [Path("LICENSE"), Path("LICENSE-text"), *package("pecode")]
    checked = [] if without_checks else [Path("book.py"), *package("exercises")]
    for path in [*copied, *checked]:
        found[path.as_posix()] = (ROOT / path).read_text(encoding="utf8")
    if without_checks:
        found["exercises/__init__.py"] = WITHOUT_CHECKS
    return found


def write(found, target):
    """Write files into a folder, which is emptied first, and into an archive beside it."""
    shutil.rmtree(target, ignore_errors=True)
    archive = target.with_name(f"{target.name}.zip")
    target.mkdir(parents=True)
    # Stored, not compressed: versions of zlib compress differently, and it is small.
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as held:
        for name, text in sorted(found.items()):
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf8"))
            entry = zipfile.ZipInfo(f"{target.name}/{name}", WHEN)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            held.writestr(entry, text.encode("utf8"))
    return archive


def main(arguments=None):
    """Write the folder and the archive."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--without-checks", action="store_true", help="leave out the checks and right answers"
    )
    found = files(parser.parse_args(arguments).without_checks)
    archive = write(found, TARGET)
    count = sum(name.endswith(".ipynb") for name in found)
    size = archive.stat().st_size / 1e6
    print(f"{TARGET} and {archive.name}: {count} notebooks, {len(found)} files, {size:.1f} MB")


if __name__ == "__main__":
    main()
