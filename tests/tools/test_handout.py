"""The handout: what students need is in it, nothing of a solution is, and it works by itself."""

import ast
import inspect
import re
import subprocess
import sys

import nbformat
import pytest

from exercises.registry import exercises, solution_of
from publishing.home import ROOT
from tests import data
from tools import handout

ALL = exercises()
# Lines that say nothing by themselves: short ones, and what makes an array or a generator.
TRIVIAL = re.compile(
    r".{0,20}|(\w+) = np\.asarray\(\1(, dtype=\w+)?\)|rng = np\.random\.default_rng\(\w+\)"
)


@pytest.fixture(scope="module")
def found():
    return handout.files()


@pytest.fixture(scope="module")
def notebooks(found):
    texts = {name: text for name, text in found.items() if name.endswith(".ipynb")}
    read = {name: nbformat.reads(text, nbformat.NO_CONVERT) for name, text in texts.items()}
    return {name.removesuffix(".ipynb"): notebook for name, notebook in read.items()}


def sources(notebooks, kind):
    cells = [cell for notebook in notebooks.values() for cell in notebook.cells]
    return [cell.source for cell in cells if cell.cell_type == kind]


def functions(source):
    """Return what each function of a text does, without its docstring, comments and layout."""
    found = [each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.FunctionDef)]
    bodies = {each.name: each.body[bool(ast.get_docstring(each)) :] for each in found}
    return {name: "\n".join(map(ast.unparse, body)) for name, body in bodies.items()}


WRITTEN = [name for name, exercise in ALL.items() if not exercise.is_question]
SOLUTIONS = {name: functions(inspect.getsource(solution_of(ALL[name])))[name] for name in WRITTEN}


def test_no_line_of_a_solution_is_in_a_notebook(notebooks):
    code = [ast.unparse(ast.parse(source)) for source in sources(notebooks, "code")]
    lines = "\n".join([*code, *sources(notebooks, "markdown")]).splitlines()
    there = {line.strip() for line in lines}
    stubs = {name: body for source in code for name, body in functions(source).items()}
    for name, solution in SOLUTIONS.items():
        lines = {line.strip() for line in solution.splitlines()}
        lines -= {line.strip() for line in stubs[name].splitlines()}
        telling = {line for line in lines if not TRIVIAL.fullmatch(line)}
        assert telling & there == set(), name


def test_no_solution_is_in_a_module(found):
    modules = [name for name in found if name.startswith("exercises/") and name.endswith(".py")]
    assert not any(name.endswith("answers.py") for name in modules)
    bodies = {body for name in modules for body in functions(found[name]).values()}
    assert [name for name, solution in SOLUTIONS.items() if solution in bodies] == []


def test_every_notebook_is_valid_without_outputs_and_keeps_its_hints(notebooks):
    for page, notebook in notebooks.items():
        nbformat.validate(notebook)
        assert not any(cell.get("outputs") for cell in notebook.cells)
        original = (ROOT / "exercises" / f"{page}.ipynb").read_text(encoding="utf8")
        kept = nbformat.writes(notebook).count('class=\\"hint\\"')
        assert kept == original.count(":class: hint") > 0


def test_nbgrader_knows_the_answer_and_the_grade_of_every_exercise(notebooks):
    names = set()
    for page, notebook in notebooks.items():
        cells = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
        for answer, grade in zip(cells[::2], cells[1::2], strict=True):
            name, of_grade = answer.metadata.nbgrader.grade_id, grade.metadata.nbgrader
            names.add(name)
            assert ALL[name].page == page
            assert answer.metadata.nbgrader == handout.nbgrader(name, solution=True)["nbgrader"]
            assert (of_grade.grade_id, of_grade.points) == (f"test_{name}", 1)
            assert (of_grade.grade, of_grade.locked, of_grade.solution) == (True, True, False)
            if ALL[name].is_question:
                assert answer.source == f'ask("{name}", answer=None){handout.ANSWER}'
                assert grade.source.endswith(f'\ngrade("{name}")')
            else:
                assert name in functions(answer.source)
                assert grade.source.endswith(f'\ngrade({name}, "{name}")')
    assert names == set(ALL)


def test_nothing_that_only_the_pages_of_the_book_can_show_is_left(notebooks):
    for text in sources(notebooks, "markdown"):
        for mark in (r"\{[\w:]+\}`", r"^(```|:::)\{", r"^\([\w-]+\)=$", "make lab", "Edit and run"):
            assert not re.search(mark, text, flags=re.MULTILINE), mark

        assert "Show the solution" not in text
        assert text.count("<details") == text.count("</details>")


@pytest.mark.parametrize(("text", "expected"), data("tools/handout.yml"))
def test_markdown_of_the_book_becomes_plain(text, expected):
    assert handout.plain_markdown(text) == expected


def test_a_solution_goes_with_what_is_in_it_and_hints_stay():
    hint = ":::{dropdown} Show hint 1\n:class: hint\n\nA\n:::\n"
    solution = "::::{dropdown} Show the solution\n:class: solution\n\nB\n:::{tip}\nC\n:::\n::::\n"
    folded = '<details class="hint"><summary>Show hint 1</summary>\n\nA\n</details>\n'
    assert handout.without_solutions(hint + solution + hint) == f"{folded}\n{folded}"
    for open_fold in (solution.removesuffix("::::\n"), solution.replace(":class: solution\n", "")):
        with pytest.raises(ValueError, match="to be closed in its cell"):
            handout.without_solutions(open_fold)


STUDENT = """
import sys
# A student has no installed copy of the book.
sys.meta_path[:] = [each for each in sys.meta_path if "editable" not in str(each)]
sys.path[:] = [".", *(each for each in sys.path if each != sys.argv[1])]
import exercises, nbformat, pecode
assert not any(each.__file__.startswith(sys.argv[1]) for each in (exercises, pecode))
for cell in nbformat.read("02-counting.ipynb", as_version=4).cells:
    if cell.source.startswith(("import", "ask", "def")):
        exec(cell.source)
try:
    exercises.solution("normalized")
except ValueError as error:
    print(error)
"""


def test_the_folder_works_by_itself(found, tmp_path):
    (tmp_path / "handout").mkdir()
    (tmp_path / "handout" / "left.txt").write_text("of an earlier handout")
    handout.write(found, tmp_path / "handout")
    assert not (tmp_path / "handout" / "left.txt").exists()
    command = [sys.executable, "-c", STUDENT, str(ROOT)]
    done = subprocess.run(command, cwd=tmp_path / "handout", capture_output=True, encoding="utf8")
    assert (done.returncode, done.stderr) == (0, "")
    assert "holds no solutions" in done.stdout


def test_the_versions_are_those_that_the_book_is_tested_with():
    lines = handout.requirements().splitlines()
    assert {line.split("==")[0] for line in lines} == set(handout.NEEDED)
    pins = (ROOT / "requirements.txt").read_text(encoding="utf8")
    assert all(line in pins for line in lines)
