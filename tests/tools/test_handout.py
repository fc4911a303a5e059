"""The handout: what students need is in it, nothing of a solution is, and it works by itself."""

import ast
import doctest
import inspect
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from tools.grading import notebooks

from exercises.registry import exercises, solution_of
from tools import handout

ROOT = Path(__file__).parents[2]
ALL = exercises()
FUNCTIONS = [exercise for exercise in ALL.values() if not exercise.is_question]
BOTH = pytest.mark.parametrize("without_checks", [False, True], ids=["checks", "no checks"])
# Lines that say nothing by themselves: short ones, and what makes an array or a generator.
TRIVIAL = re.compile(
    r".{0,20}|(\w+) = np\.asarray\(\1(, dtype=\w+)?\)|rng = np\.random\.default_rng\(\w+\)"
)


@pytest.fixture(scope="module")
def handouts():
    return {without: handout.files(without) for without in (False, True)}


def cells(found, kind):
    for name, text in found.items():
        if name.endswith(".ipynb"):
            for cell in json.loads(text)["cells"]:
                if cell["cell_type"] == kind:
                    yield name, "".join(cell["source"])


def below_docstring(function):
    """What a function does, as text: without its names, comments and layout."""
    return "\n".join(map(ast.unparse, function.body[bool(ast.get_docstring(function)) :]))


def body(source):
    return {line.strip() for line in below_docstring(ast.parse(source).body[0]).splitlines()}


def stub_of(exercise):
    for cell in notebooks.read(ROOT / "exercises" / f"{exercise.page}.ipynb"):
        found = re.search(rf"^def {exercise.name}\(.*?(?=^\S|\Z)", cell, re.MULTILINE | re.DOTALL)
        if found:
            return found[0]
    raise AssertionError(f"{exercise.page} has no cell that defines {exercise.name}")


# What must not be in it


@BOTH
def test_no_line_of_a_solution_is_in_a_notebook(without_checks, handouts):
    codes = set()
    for _, source in cells(handouts[without_checks], "code"):
        codes |= {line.strip() for line in ast.unparse(ast.parse(source)).splitlines()}
    texts = [text.splitlines() for _, text in cells(handouts[without_checks], "markdown")]
    there = codes | {line.strip() for text in texts for line in text}
    for exercise in FUNCTIONS:
        lines = body(inspect.getsource(solution_of(exercise)))
        given = body(stub_of(exercise))
        telling = {line for line in lines - given if not TRIVIAL.fullmatch(line)}
        told = sorted(telling & there)
        assert told == [], exercise.name


@BOTH
def test_no_solution_is_in_a_module(without_checks, handouts):
    there = {}
    for name, text in handouts[without_checks].items():
        if name.startswith("exercises/") and name.endswith(".py"):
            for each in ast.walk(ast.parse(text)):
                if isinstance(each, ast.FunctionDef):
                    there[below_docstring(each)] = f"{name}: {each.name}"
    for exercise in FUNCTIONS:
        function = ast.parse(inspect.getsource(solution_of(exercise))).body[0]
        assert there.get(below_docstring(function)) is None, exercise.name


@BOTH
def test_nothing_that_has_the_solutions_is_in_it(without_checks, handouts):
    for name, text in handouts[without_checks].items():
        assert not name.endswith("answers.py")
        assert 'class="solution"' not in text
        if name.endswith(".ipynb"):
            assert "literalinclude" not in text


def test_checks_stay_with_the_teacher_where_they_shall(handouts):
    found = handouts[True]
    assert [name for name in found if name.startswith("exercises/")] == ["exercises/__init__.py"]
    for exercise in ALL.values():
        for option in exercise.options:
            assert not any(option.why in text for text in found.values())


# What must be in it


@BOTH
def test_every_notebook_is_valid_and_has_no_outputs(without_checks, handouts):
    for name, text in handouts[without_checks].items():
        if name.endswith(".ipynb"):
            notebook = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
            nbformat.validate(notebook)
            assert set(notebook.metadata) <= {"kernelspec", "language_info"}
            assert not any(cell.get("outputs") or cell.metadata for cell in notebook.cells)


@BOTH
def test_every_exercise_has_its_cell(without_checks, handouts):
    found = handouts[without_checks]
    sources = {}
    for name, source in cells(found, "code"):
        sources.setdefault(name.removesuffix(".ipynb"), []).append(source)
    for exercise in ALL.values():
        texts = sources[exercise.page]
        if exercise.is_question:
            assert f'ask("{exercise.name}", answer=None){handout.ANSWER}' in texts
        else:
            assert any(exercise.name in notebooks.defined(text) for text in texts)


@BOTH
def test_hints_are_kept(without_checks, handouts):
    for name in handouts[without_checks]:
        if name.endswith(".ipynb"):
            before = (ROOT / "exercises" / name).read_text(encoding="utf8")
            marks = [
                text.count("<summary>Hint") for text in (before, handouts[without_checks][name])
            ]
            assert marks[0] == marks[1]
            assert marks[0] > 0


def test_options_are_written_out_where_the_checks_are_not(handouts):
    texts = "\n".join(text for _, text in cells(handouts[True], "markdown"))
    for exercise in ALL.values():
        for option in exercise.options:
            if not exercise.asks_for_a_number:
                assert f"** {option.text}\n" in f"{texts}\n"


@BOTH
def test_nothing_that_only_the_pages_of_the_book_can_show_is_left(without_checks, handouts):
    for name, text in cells(handouts[without_checks], "markdown"):
        for mark in (r"\{[\w:]+\}`", r"^(```|:::)\{", r"^\([\w-]+\)=$", "make lab", "this page"):
            assert not re.search(mark, text, flags=re.MULTILINE), (name, mark)
        assert text.count("<details") == text.count("</details>")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(exercise-a)=\n## A title", "## A title"),
        ("{doc}`../chapters/02-counting` {term}`softmax`", "chapter 2 softmax"),
        ("{ref}`exercise-a`, {ref}`so <x>`", "“A title”, so"),
        ("{numref}`fig-next-value`", "the figure “next value” of the book"),
        ("{cite:t}`ke2021` {cite:p}`ke2021, su`", "Ke (2021) (Ke, 2021; Su et al., 2024)"),
        ("{func}`~pecode.rotate` {math}`x^2`", "`rotate` $x^2$"),
        ("```{math}\n:label: eq-a\n\nx = 1\n```", "$$\nx = 1\n$$"),
        ("```{admonition} Look\n:class: note\n\nA\nB\n```", "> **Look**\n>\n> A\n> B"),
        (":::{note}\nA {doc}`b <c>`\n:::\n", "> **Note**\n>\n> A b"),
        ("````{note}\n```{math}\nx\n```\n````", "> **Note**\n>\n> $$\n> x\n> $$"),
        ("% a remark\nA", "A"),
        ("```python\nx = {1}\n```", "```python\nx = {1}\n```"),
    ],
)
def test_markdown_of_the_book_becomes_plain(text, expected):
    known = {"exercise-a": "A title", "ke2021": ("Ke", "2021"), "su": ("Su et al.", "2024")}
    assert handout.plain(text, known) == expected


def test_a_solution_that_is_not_closed_is_refused():
    with pytest.raises(ValueError, match="to be closed"):
        handout.without_solutions('<details class="solution"><details></details>')


def test_hints_beside_a_solution_stay():
    hint = '<details class="hint">A</details>'
    text = f'{hint}<details open class="solution wide">B<details>C</details>D</details>{hint}'
    assert handout.without_solutions(text) == hint + hint


def test_the_versions_are_those_that_the_book_is_tested_with():
    lines = handout.requirements().splitlines()
    assert {line.split("==")[0] for line in lines} == set(handout.NEEDED)
    pins = (ROOT / "requirements.txt").read_text(encoding="utf8")
    assert all(line in pins for line in lines)


# The folder

FIRST = """
import json, sys
# An installed copy of the book, which finds the solutions, is not there for students.
sys.meta_path[:] = [each for each in sys.meta_path if "editable" not in str(each)]
sys.path.insert(0, ".")
import exercises, pecode
assert not exercises.__file__.startswith(sys.argv[1]), exercises.__file__
assert not pecode.__file__.startswith(sys.argv[1]), pecode.__file__
for name in sys.argv[2:]:
    for cell in json.load(open(name, encoding="utf8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and source.startswith(("import", "from", "ask", "def")):
            exec(source)
try:
    exercises.solution("normalized")
except ValueError as error:
    print(error)
"""


@BOTH
def test_the_folder_works_by_itself(without_checks, handouts, tmp_path):
    archive = handout.write_archive(handouts[without_checks], tmp_path / "made" / "handout")
    with zipfile.ZipFile(archive) as held:
        held.extractall(tmp_path / "unpacked")
    folder = tmp_path / "unpacked" / "handout"
    command = [sys.executable, "-c", FIRST, str(ROOT), "02-counting.ipynb"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    expected = "your teacher has" if without_checks else "this copy of the book holds no solutions"
    assert expected in done.stdout.splitlines()[-1]


def test_the_same_sources_give_the_same_bytes(tmp_path):
    found = handout.files()
    again = dict(reversed(handout.files().items()))
    first = handout.write_archive(found, tmp_path / "one" / "handout").read_bytes()
    (tmp_path / "one" / "handout" / "left.txt").write_text("of an earlier time")
    assert handout.write_archive(again, tmp_path / "one" / "handout").read_bytes() == first
    assert not (tmp_path / "one" / "handout" / "left.txt").exists()
    with zipfile.ZipFile(tmp_path / "one" / "handout.zip") as held:
        assert {name.split("/")[0] for name in held.namelist()} == {"handout"}
        assert {entry.date_time for entry in held.infolist()} == {handout.WHEN}


def test_the_examples_of_the_program_hold():
    assert doctest.testmod(handout).failed == 0
