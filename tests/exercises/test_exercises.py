"""The exercises: every check passes on its solution, and on nothing that is popular and wrong."""

import re
import sys
from importlib import import_module

import numpy as np
import pytest

from book import CHAPTERS
from exercises import NotAttempted, NotPassed, ask, check, grade, record, solution
from exercises.attempt import judge, shown
from exercises.notebooks import updated_source
from exercises.registry import REGISTRY, exercises, solution_of
from publishing.home import ROOT
from tests import data
from tests.book import notebooks

ALL = list(exercises().values())
FUNCTIONS = [exercise for exercise in ALL if not exercise.is_question]
QUESTIONS = [exercise for exercise in ALL if exercise.is_question]
by_name = pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda each: each.name)
by_chapter = pytest.mark.parametrize("chapter", dict.fromkeys(each.chapter for each in ALL))


def cells(chapter):
    return notebooks.read(ROOT / "exercises" / f"{CHAPTERS[chapter].slug}.ipynb").cells


class Raising:
    """An answer that raises whatever is done with it."""

    def __init__(self, *args):
        pass

    __getattribute__ = __eq__ = __repr__ = lambda self, *_: 1 / 0
    __hash__ = None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *data("exercises/widgets.yml")["shown"],
        (["a"] * 13, str(["a"] * 13)),  # a text has no shape that says more
        (np.int64(7), "7"),
        (len, "len"),
        ("x" * 100, f"'{'x' * 12}...{'x' * 13}'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_value_is_shown_as_a_reader_would_write_it(value, text):
    assert shown(value) == text


# Functions


@by_name
@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist, np.float32])
def test_a_solution_passes_also_with_lists_or_in_single_precision(exercise, form):
    def formed(answer):
        if isinstance(answer, tuple):
            return tuple(map(formed, answer))
        return form(np.asarray(answer)) if isinstance(answer, np.ndarray | np.generic) else answer

    function = solution_of(exercise)
    result = judge(exercise, lambda *args: formed(function(*args)))
    assert re.fullmatch(rf"✓ {exercise.name}: [1-9]\d* checks", result.message), result.message


@by_name
def test_a_stub_does_not_pass(exercise):
    space, code = {"np": np}, [cell.source for cell in cells(exercise.chapter)]
    exec(next(text for text in code if re.search(rf"(?m)^def {exercise.name}\(", text)), space)
    result = judge(exercise, space[exercise.name])
    assert result.status == ("failed" if exercise.kind == "debug" else "open"), result.message


@by_name
def test_nonsense_does_not_pass_and_does_not_raise(exercise):
    nonsense = [0, 1.5, "text", [], {}, np.zeros(3), float("nan"), object(), ..., NotImplemented]
    functions = [lambda *_, answer=answer: answer for answer in nonsense]
    for function in [*functions, lambda: 0, lambda *_: sys.exit(3), Raising, np.sum, 7, None]:
        result = judge(exercise, function)
        assert result.status in ("failed", "open"), f"{function} passed"


@by_name
def test_two_or_more_popular_wrong_answers_fail_and_are_told_why(exercise):
    refused = import_module(f"exercises.{exercise.chapter}.answers").WRONG_ANSWERS[exercise.name]
    answers = [*((function, why) for why, function in exercise.mistakes), *refused.items()]
    assert len(answers) >= 2
    for function, said in answers:
        result = judge(exercise, function)
        assert result.status == "failed", function.__name__
        assert said in result.message, f"{function.__name__}: {result.message}"


def test_a_function_that_changes_its_arguments_is_told():
    def changing(positions, sigma):
        positions += 1
        return positions, sigma

    assert "argument 1" in judge(REGISTRY["bell_queries_and_keys"], changing).message


# Questions


@pytest.mark.parametrize("exercise", QUESTIONS, ids=lambda each: each.name)
def test_a_question_explains_every_answer(exercise):
    texts = [option.text for option in exercise.options]
    assert len(set(texts)) == len(texts) >= (2 if exercise.asks_for_a_number else 3)
    assert all(len(option.why) >= 30 for option in exercise.options)
    if exercise.asks_for_a_number:
        assert len(exercise.otherwise) >= 30
        values = sorted(option.value for option in exercise.options)
        assert min(np.diff(values)) > 2 * exercise.tolerance > 0, "two answers would both be right"


def test_the_right_answer_is_in_every_place():
    choices = [exercise for exercise in QUESTIONS if not exercise.asks_for_a_number]
    places = [[option.right for option in each.options].index(True) for each in choices]
    assert max(map(places.count, range(4))) <= 0.5 * len(places), "one letter is right too often"


# The notebooks


@by_chapter
def test_a_notebook_has_its_exercises_in_order_with_derived_headings(chapter):
    text = "\n".join(cell.source for cell in cells(chapter))
    found = re.findall(r"^\(exercise-(\w+)\)=$", text, re.M)
    assert found == [each.name for each in ALL if each.chapter == chapter]
    assert 3 <= len(found) <= 7, f"{chapter} has {len(found)} exercises, expected three to seven"
    for cell in cells(chapter):
        assert cell.source == updated_source(cell), "`make refresh` writes headings and stubs anew"


@by_chapter
def test_a_notebook_checks_each_function_and_asks_each_question(chapter):
    code = {cell.source: cell for cell in cells(chapter) if cell.cell_type == "code"}
    for exercise in (each for each in ALL if each.chapter == chapter):
        if exercise.is_question:
            assert "remove-input" in code[f'ask("{exercise.name}")'].metadata.tags
        else:
            assert f"check({exercise.name})" in code


@by_chapter
def test_each_function_has_hints_in_steps_and_its_solution(chapter):
    text = "\n".join(cell.source for cell in cells(chapter))
    parts = re.split(r"^\(exercise-(\w+)\)=\n", text, flags=re.M)[1:]
    for name, part in zip(parts[::2], parts[1::2], strict=True):
        hints = re.findall(r"^:::\{dropdown\} Show hint (\d)\n:class: hint$", part, re.M)
        assert hints == [str(k + 1) for k in range(len(hints))], name
        if REGISTRY[name].is_question:
            continue
        assert len(hints) >= 2, name
        shown = f"```{{literalinclude}} {chapter}/answers.py\n:pyobject: {name}\n```"
        _, inside = part.split(":::{dropdown} Show the solution\n:class: solution\n")
        assert len(inside.split(shown)[1]) >= 100, f"{name}: the solution explains nothing"


# What the reader calls


@pytest.fixture
def progress(tmp_path, monkeypatch):
    monkeypatch.setenv("PECODE_PROGRESS", str(tmp_path / "progress.json"))


def test_check_takes_a_function_by_its_name_and_keeps_what_passes(progress, capsys):
    check(lambda length: ..., "normalized")
    assert capsys.readouterr().out == "· normalized: not attempted yet\n"
    assert record.passed() == []
    check(solution_of(REGISTRY["normalized"]))
    assert record.passed() == ["normalized"]


def test_check_says_what_it_cannot_find(capsys):
    for args, said in [
        ((3,), "expected a function that is named like its exercise, got 3"),
        ((np.zeros(3),), "without calling it"),
        ((len, "normalised"), "Is it normalized?"),
        ((Raising(),), "got Raising"),
    ]:
        check(*args)
        assert said in " ".join(capsys.readouterr().out.split())  # in lines
    assert shown(Raising()) == "Raising"


def test_solution_prints_the_source_of_a_function_and_of_nothing_else(capsys):
    solution("normalized")
    assert "def normalized(length):" in capsys.readouterr().out
    with pytest.raises(ValueError, match="name: expected the name of a function"):
        solution(QUESTIONS[0].name)


def test_grade_hides_what_a_function_prints_and_raises_the_reason(capsys, monkeypatch, progress):
    displayed = []
    monkeypatch.setattr(sys, "displayhook", displayed.append)

    def noisy(length):
        print("hello", file=sys.stderr)
        sys.displayhook(1.0)  # nbgrader would take it for the points
        return solution_of(REGISTRY["normalized"])(length)

    grade(noisy, "normalized")
    out, err = capsys.readouterr()
    assert (out.split(":")[0], err, displayed) == ("✓ normalized", "", [])
    assert record.passed() == ["normalized"]
    for function, error in [(lambda length: ..., NotAttempted), (np.ones, NotPassed)]:
        with pytest.raises(NotPassed) as raised:
            grade(function, "normalized")
        assert raised.type is error


def test_grade_takes_the_last_answer_to_a_question(progress):
    name = "fifty_in_column_three"
    for answer, error, said in [(None, NotAttempted, "open"), (0.28, NotPassed, "two decimals")]:
        ask(name, answer)
        with pytest.raises(error, match=said):
            grade(name)
    ask(name, 0.284)
    grade(name)
