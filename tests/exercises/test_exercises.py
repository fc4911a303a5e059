"""The exercises: every check passes on its solution, and on nothing that is popular and wrong."""

import ast
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from book import CHAPTERS
from exercises import NotPassed, ask, check, grade, record, solution
from exercises.attempt import Attempt, Failed, judge
from exercises.registry import KINDS, REGISTRY, exercises, solution_of
from tests.book import notebooks

FOLDER = Path(__file__).parents[2] / "exercises"
ALL = list(exercises().values())
FUNCTIONS = [exercise for exercise in ALL if not exercise.is_question]
QUESTIONS = [exercise for exercise in ALL if exercise.is_question]
WRITTEN = sorted({exercise.chapter for exercise in ALL})
by_name = pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda each: each.name)
by_chapter = pytest.mark.parametrize("chapter", WRITTEN)


def wrong_answers():
    for chapter in WRITTEN:
        module = import_module(f"exercises.{chapter}.wrong_answers")
        for name, answers in module.WRONG.items():
            for title, function, said in answers:
                yield pytest.param(name, function, said, id=f"{name}: {title}")


def cells(chapter):
    return notebooks.read(FOLDER / f"{CHAPTERS[chapter].slug}.ipynb").cells


def stub_of(exercise):
    """The source of the cell of the notebook that defines the function of an exercise."""
    for cell in cells(exercise.chapter):
        if cell.cell_type == "code" and re.search(rf"^def {exercise.name}\(", cell.source, re.M):
            return cell.source
    raise AssertionError(f"{exercise.chapter} has no cell that defines {exercise.name}")


def defined_in(source, name):
    """Run a cell after the imports that the notebooks have; return one of its functions."""
    space = {"np": np}
    exec(source, space)
    return space[name]


# Functions


@by_name
def test_a_solution_passes(exercise):
    result = judge(exercise, solution_of(exercise))
    assert result.status == "passed", result.message
    assert re.fullmatch(rf"✓ {exercise.name}: \d+ checks", result.message)
    assert not result.message.endswith(" 0 checks")


@by_name
def test_a_stub_does_not_pass(exercise):
    result = judge(exercise, defined_in(stub_of(exercise), exercise.name))
    expected = "failed" if exercise.kind == "debug" else "open"
    assert result.status == expected, result.message


@by_name
def test_a_solution_that_returns_lists_or_single_precision_passes(exercise):
    function = solution_of(exercise)
    for form in (as_lists, as_single):
        result = judge(exercise, lambda *args, form=form: form(function(*args)))
        assert result.status == "passed", f"{form.__name__}: {result.message}"


def as_lists(answer):
    if isinstance(answer, tuple):
        return tuple(map(as_lists, answer))
    return answer.tolist() if isinstance(answer, np.ndarray | np.generic) else answer


def as_single(answer):
    if isinstance(answer, tuple):
        return tuple(map(as_single, answer))
    is_double = isinstance(answer, np.ndarray | np.generic) and answer.dtype == np.float64
    return answer.astype(np.float32) if is_double else answer


@by_name
def test_nonsense_does_not_pass_and_does_not_raise(exercise):
    def leave(*_):
        raise SystemExit(3)

    nonsense = [0, 1.5, "text", [], {}, np.zeros(3), float("nan"), object(), ..., NotImplemented]
    functions = [lambda *_, answer=answer: answer for answer in nonsense]
    for function in [*functions, lambda: 0, leave, Raising, np.sum, 7, None]:
        result = judge(exercise, function)
        assert result.status in ("failed", "open"), f"{function} passed"


def test_a_function_that_changes_its_arguments_is_told():
    def bell_queries_and_keys(positions, sigma):
        answer = solution_of(REGISTRY["bell_queries_and_keys"])(positions, sigma)
        positions += 1
        return answer

    result = judge(REGISTRY["bell_queries_and_keys"], bell_queries_and_keys)
    assert "a change in argument 1" in result.message


@pytest.mark.parametrize("answer", [[], [1.0, 2.0], np.zeros((1, 2))])
def test_one_number_is_asked_for_and_no_other_count(answer):
    with pytest.raises(Failed, match="expected: one number"):
        Attempt(lambda: answer, "answer").number()
    assert Attempt(lambda: [[2.5]], "answer").number() == 2.5


class Raising:
    """An answer that raises whatever is done with it."""

    def __init__(self, *args):
        pass

    def __getattribute__(self, name):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")

    def __repr__(self):
        raise RuntimeError("no")

    __hash__ = None


@pytest.mark.parametrize(("name", "function", "said"), list(wrong_answers()))
def test_a_popular_wrong_answer_fails_and_is_told_why(name, function, said):
    result = judge(REGISTRY[name], function)
    assert result.status == "failed"
    assert said in result.message, result.message
    assert "why:" in result.message or "Error" in result.message, result.message


@by_name
def test_each_exercise_has_two_wrong_answers_of_its_own(exercise):
    named = [param.values[0] for param in wrong_answers()]
    assert named.count(exercise.name) >= 2


@by_name
def test_a_solution_is_documented_and_short(exercise):
    function = solution_of(exercise)
    assert function.__doc__
    assert len(inspect.getsource(function).splitlines()) <= 30


@by_name
def test_the_stub_has_the_signature_of_the_solution(exercise):
    stub = defined_in(stub_of(exercise), exercise.name)
    assert str(inspect.signature(stub)) == str(inspect.signature(solution_of(exercise)))
    assert stub.__doc__


@by_name
def test_the_stub_holds_no_line_of_the_solution(exercise):
    if exercise.kind == "debug":
        return  # the lines that are right are meant to stay
    inside = statements(inspect.getsource(solution_of(exercise)))
    given = statements(stub_of(exercise))
    assert len(set(inside) - set(given)) >= 1


def statements(source):
    function = next(n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef))
    return [ast.unparse(line) for line in function.body[1:]]


# Questions


@pytest.mark.parametrize("exercise", QUESTIONS, ids=lambda each: each.name)
def test_a_question_explains_every_answer(exercise):
    assert len(exercise.options) >= 2
    texts = [option.text for option in exercise.options]
    assert len(set(texts)) == len(texts)
    for option in exercise.options:
        assert len(option.why) >= 30, option
    if exercise.asks_for_a_number:
        assert exercise.tolerance > 0
        assert len(exercise.otherwise) >= 30
        values = sorted(option.value for option in exercise.options)
        assert all(np.diff(values) > 2 * exercise.tolerance), "two answers would both be right"
    else:
        assert len(exercise.options) >= 3


def test_the_right_answer_is_in_every_place():
    choices = [exercise for exercise in QUESTIONS if not exercise.asks_for_a_number]
    places = [[option.right for option in each.options].index(True) for each in choices]
    most = max(places.count(place) for place in places)
    assert most <= 0.5 * len(places), "the same letter is right in more than half of them"


# The notebooks


@by_chapter
def test_a_notebook_has_its_exercises_in_order(chapter):
    found = re.findall(
        r"^\(exercise-(\w+)\)=\n## (\d+\.\d+) (.+)\n\n\*(.+)\*$",
        "\n".join(cell.source for cell in cells(chapter) if cell.cell_type == "markdown"),
        re.M,
    )
    expected = [
        (each.name, each.number, each.title, each.facts) for each in ALL if each.chapter == chapter
    ]
    assert found == expected


@by_chapter
def test_a_notebook_checks_each_function_and_asks_each_question(chapter):
    code = [cell for cell in cells(chapter) if cell.cell_type == "code"]
    for exercise in (each for each in ALL if each.chapter == chapter):
        if exercise.is_question:
            (cell,) = [cell for cell in code if cell.source == f'ask("{exercise.name}")']
            assert {"remove-input", "nbval-ignore-output"} <= set(cell.metadata.tags)
            continue
        (cell,) = [cell for cell in code if cell.source == f"check({exercise.name})"]
        (output,) = cell.outputs
        sign = "✗" if exercise.kind == "debug" else "·"
        assert output.text.startswith(f"{sign} {exercise.name}")


@by_chapter
def test_each_function_has_hints_in_steps_and_its_solution(chapter):
    text = "\n".join(cell.source for cell in cells(chapter) if cell.cell_type == "markdown")
    parts = re.split(r"^\(exercise-(\w+)\)=\n", text, flags=re.M)[1:]
    for name, part in zip(parts[::2], parts[1::2], strict=True):
        hints = re.findall(r'^<details class="hint"><summary>Hint (\d)</summary>$', part, re.M)
        assert hints == [str(k + 1) for k in range(len(hints))], name
        if REGISTRY[name].is_question:
            continue
        assert len(hints) >= 2, name
        shown = f"```{{literalinclude}} {chapter}/solutions.py\n:pyobject: {name}\n```"
        _, inside = part.split('<details class="solution"><summary>Solution</summary>')
        assert shown in inside, name
        explained = inside.replace(shown, "").replace("</details>", "")
        assert len(explained.strip()) >= 80, f"{name}: the solution explains nothing"


def test_every_chapter_has_three_to_seven_exercises_of_mixed_kinds():
    assert len(ALL) >= 45
    for chapter in CHAPTERS:
        kinds = [exercise.kind for exercise in ALL if exercise.chapter == chapter]
        assert 3 <= len(kinds) <= 7, chapter
        assert len(set(kinds)) >= 3, chapter
    assert {exercise.kind for exercise in ALL} == set(KINDS)


# What the reader calls


def test_check_takes_a_function_by_its_name(capsys):
    def normalized(length):
        return ...

    check(normalized)
    check(lambda length: ..., "normalized")
    assert capsys.readouterr().out == 2 * "· normalized: not attempted yet\n"


def test_check_keeps_what_passes_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setenv("PECODE_PROGRESS", str(tmp_path / "progress.json"))
    check(lambda length: None, "normalized")
    assert record.passed() == []
    check(solution_of(REGISTRY["normalized"]))
    assert record.passed() == ["normalized"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((3,), "expected a function that is named like its exercise, got 3"),
        ((None,), "got None"),
        ((np.zeros(3),), "without calling it"),
        ((solution_of(FUNCTIONS[0]), 7), "expected a function"),
        ((len, "normalised"), "Is it normalized?"),
        ((Raising(),), "got Raising"),
    ],
)
def test_check_says_what_it_cannot_find(args, said, capsys):
    check(*args)
    assert said in " ".join(capsys.readouterr().out.split())  # in lines


@pytest.mark.parametrize("name", [7, None, "nothing", QUESTIONS[0].name])
def test_solution_refuses_what_is_no_function(name):
    with pytest.raises(ValueError, match="name: expected the name of a function"):
        solution(name)


def test_solution_prints_the_source(capsys):
    solution("normalized")
    assert "def normalized(length):" in capsys.readouterr().out


def test_grade_is_silent_about_a_function_that_passes(capsys):
    def noisy(length):
        print("hello")
        print("hello", file=sys.stderr)
        sys.displayhook(1.0)  # nbgrader would take it for the points
        return solution_of(REGISTRY["normalized"])(length)

    assert grade(noisy, "normalized") is None
    assert capsys.readouterr() == ("", "")


def test_grade_raises_the_reason_of_a_function_that_does_not_pass():
    with pytest.raises(NotPassed, match="not attempted yet"):
        grade(lambda length: ..., "normalized")
    with pytest.raises(NotPassed, match="why:"):
        grade(lambda length: np.arange(length) / length, "normalized")


def test_grade_takes_the_last_answer_to_a_question():
    name = "fifty_in_column_three"
    for answer, said in [(None, "open"), (np.sin(5.0), "That is column 2")]:
        ask(name, answer)
        with pytest.raises(NotPassed, match=said):
            grade(name)
    ask(name, 0.284)
    assert grade(name) is None
    with pytest.raises(ValueError, match="name: expected the name of a question"):
        grade("normalized")
