"""Make the folder that students get: the exercises without their solutions.

    python -m tools.handout

Writes _build/handout and _build/handout.zip: the notebooks with their hints, the packages
`exercises` and `pecode` with what they need, the versions of what has to be installed, and a README
that says how to work and what to hand in. The notebooks are assignments of nbgrader: its metadata
mark the cell of each answer, and the locked cell below that grades it.
"""

import re
import shutil
from itertools import chain
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from publishing.home import ROOT

TARGET = ROOT / "_build" / "handout"
NEEDED = ("anywidget", "autograd", "ipywidgets", "jupyterlab", "matplotlib", "numpy")
QUESTION = re.compile(r'\s*ask\(\s*"(\w+)"\s*,?\s*\)\s*')
CHECK = re.compile(r"\s*check\((\w+)\)\s*")
FUNCTION = re.compile(r"^def (\w+)\(", re.MULTILINE)
ANSWER = "  # write the letter or number here: this is what is graded"
MATH = re.compile(r"(?ms)^```\{math\}\n(?::[\w-]+:[^\n]*\n)*(.*?)\n*^```$")
FOLD = re.compile(r"(?ms)^(:{3,})\{dropdown\} ([^\n]*)\n:class: (\w+)\n(.*?)^\1$")
ROLE = re.compile(r"\{([\w:]+)\}`([^`]*)`")
# Of the pages of exercises; a notebook says it another way.
HOW_TO_ANSWER = (
    ". A question tells you at once whether your answer is right. To write a function, fill in "
    "its cell and run the one below it, which checks it. *Run* on any cell starts Python and makes "
    "the cells editable; where there is none, {doc}`work on your own computer <../run>`."
)
TEACHER_MODULES = {"answers.py"}  # modules of `exercises` that students do not get


def release(notebook):
    """Return a notebook as students get it."""
    new = new_notebook()
    for key in {"kernelspec", "language_info"} & set(notebook.metadata):
        new.metadata[key] = notebook.metadata[key]
    functions = {name[1] for cell in notebook.cells if (name := CHECK.fullmatch(cell.source))}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            source = plain_markdown(without_solutions(cell.source))
            if source.strip():
                new.cells.append(new_markdown_cell(source, id=cell.id))
        elif name := QUESTION.fullmatch(cell.source):
            asked = f'ask("{name[1]}", answer=None){ANSWER}'
            new.cells += [answer_cell(asked, name[1], cell.id), grade_cell(name[1], asked=True)]
        elif name := CHECK.fullmatch(cell.source):
            new.cells.append(grade_cell(name[1]))
        elif name := functions & set(FUNCTION.findall(cell.source)):
            new.cells.append(answer_cell(cell.source, name.pop(), cell.id))
        elif not re.match(r"\s*solution\(", cell.source) and cell.source.strip():
            new.cells.append(new_code_cell(cell.source, id=cell.id))
    return nbformat.writes(new) + "\n"


def answer_cell(source, name, cell_id):
    """Return the cell in which a student answers."""
    return new_code_cell(source, id=cell_id, metadata=nbgrader(name, solution=True))


def grade_cell(name, asked=False):
    """Return the locked cell that grades an answer: one point if it does not raise."""
    arguments = f'"{name}"' if asked else f'{name}, "{name}"'
    source = f"from exercises import grade\n\ngrade({arguments})"
    metadata = nbgrader(f"test_{name}", grade=True, locked=True, points=1)
    return new_code_cell(source, id=f"test-{name.replace('_', '-')}", metadata=metadata)


def nbgrader(grade_id, grade=False, solution=False, locked=False, **points):
    """Return the metadata by which nbgrader knows a cell."""
    flags = {"grade": grade, "solution": solution, "locked": locked, "task": False}
    form = {"schema_version": 3, "cell_type": "code"}
    return {"nbgrader": {"grade_id": grade_id, **flags, **points, **form}}


def without_solutions(text):
    """Return Markdown without its folded solutions; the hints become folds of plain notebooks.

    A fold that is not closed, or has no class, raises: it might be a solution.
    """

    def fold(found):
        _, title, look, body = found.groups()
        opened = f'<details class="{look}"><summary>{title}</summary>\n{body}</details>'
        return "" if look == "solution" else opened

    text = FOLD.sub(fold, text)
    if "{dropdown}" in text or "Show the solution" in text:
        raise ValueError("text: expected each fold to have a class and to be closed in its cell")
    return text


def plain_markdown(text):
    """Return a text of the book as Markdown that any notebook shows; what it refers to in words.

    >>> plain_markdown("See {doc}`chapter 5 <05-translation>` and {eq}`eq-mixture`.")
    'See chapter 5 and the equation “mixture” of the book.'
    """

    def words(found):
        role, held = found.groups()
        title = held.rpartition(" <")[0]
        if role == "eq":
            held = f"the equation “{held.removeprefix('eq-').replace('-', ' ')}” of the book"
        return title or re.sub(r".*/0*(\d+)-.*", r"chapter \1", held)

    text = text.replace(HOW_TO_ANSWER, ". README.md says how to work and what to hand in.")
    text = re.sub(r"(?m)^\([\w-]+\)=[ \t]*\n", "", text.replace("`make lab`", "`jupyter lab`"))
    return ROLE.sub(words, MATH.sub(r"$$\n\1\n$$", text)).strip("\n")


def requirements():
    """Return the versions that the book is tested with, of what the exercises need."""
    pins = (ROOT / "requirements.txt").read_text(encoding="utf8")
    found = re.findall(rf"^((?:{'|'.join(NEEDED)})==[^\\\n]*?)\s*\\?$", pins, flags=re.MULTILINE)
    return "\n".join(found) + "\n"


def package(name):
    """Return the paths of the code of a package, without solutions and wrong answers."""
    found = [path for path in sorted((ROOT / name).rglob("*")) if path.name not in TEACHER_MODULES]
    kinds = {".py", ".js", ".mplstyle", *([".json"] if name == "pecheck" else [])}
    return [path.relative_to(ROOT) for path in found if path.suffix in kinds]


def files():
    """Return what is handed out: the text of each file by its path."""
    copied = [Path("LICENSE"), Path("LICENSE-text"), Path("book.py")]
    rooms = ("pecode", "pecheck", "figures", "lab", "exercises")
    copied += chain.from_iterable(map(package, rooms))
    found = {path.as_posix(): (ROOT / path).read_text(encoding="utf8") for path in copied}
    found["README.md"] = Path(__file__).with_suffix(".md").read_text(encoding="utf8")
    found["requirements.txt"] = requirements()
    contents = (ROOT / "_toc.yml").read_text(encoding="utf8")
    for path in sorted((ROOT / "exercises").glob("[01]*.ipynb")):  # of the chapters
        if f"file: exercises/{path.stem}" in contents:  # else it is left out of the book
            notebook = nbformat.read(path, as_version=4)
            found[path.name] = release(notebook)
    return found


def write(found, target):
    """Write texts into a folder, by their paths; the folder is emptied first."""
    shutil.rmtree(target, ignore_errors=True)
    for name, text in found.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf8")


def main():
    """Write the folder and the archive."""
    found = files()
    write(found, TARGET)
    archive = shutil.make_archive(TARGET, "zip", TARGET.parent, TARGET.name)
    print(f"{archive}: {len(found)} files, {Path(archive).stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
