"""The widgets of the exercises: what a question answers, what is kept, what notebooks store."""

import json
import math
import string
from dataclasses import replace
from fractions import Fraction
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from traitlets import TraitError

from exercises import record
from exercises.registry import Option, exercises
from exercises.widgets import Progress, Question, read_number
from publishing.home import ROOT
from publishing.website import noscript
from tests import data
from tests.book import notebooks

CASES = data("exercises/widgets.yml")
ALL = list(exercises().values())
QUESTIONS = [exercise for exercise in ALL if exercise.is_question]
CHOICES = [exercise for exercise in QUESTIONS if not exercise.asks_for_a_number]
NUMBERS = [exercise for exercise in QUESTIONS if exercise.asks_for_a_number]
CHOICE, NUMBER = CHOICES[0], NUMBERS[0]
named = {"ids": lambda exercise: exercise.name}


@pytest.fixture
def file(tmp_path, monkeypatch):
    """The file of progress, in a folder that does not exist yet."""
    path = tmp_path / "new" / "progress.json"
    monkeypatch.setenv("PECODE_PROGRESS", str(path))
    return path


def right_of(exercise):
    return [option.right for option in exercise.options].index(True)


# What a question answers


@pytest.mark.parametrize("exercise", QUESTIONS, **named)
def test_every_answer_has_a_verdict_and_a_reason_and_the_right_one_is_kept(exercise, file):
    question = Question(exercise)
    assert (question.result, question.explanation) == ("open", "")
    assert (question.chosen, question.typed) == (None, "")
    assert repr(question) == f"Question({exercise.name!r})"
    assert question.title == f"{exercise.number} {exercise.title}"
    lettered = zip(string.ascii_lowercase, exercise.options, strict=False)
    answers = [(o.value if exercise.asks_for_a_number else letter, o) for letter, o in lettered]
    for answer, option in sorted(answers, key=lambda each: each[1].right):  # the right one last
        assert not file.exists()
        question = Question(exercise, answer)
        assert question.result == ("passed" if option.right else "failed")
        assert question.explanation == option.why
    assert json.loads(file.read_text("utf8")) == [exercise.name]
    Question(exercise, answers[right_of(exercise) - 1][0])  # what is done stays done
    assert record.passed() == [exercise.name]


@pytest.mark.parametrize("exercise", NUMBERS, **named)
def test_a_far_number_is_wrong_and_told_so(exercise):
    far = 7 + 3 * max(abs(option.value) + exercise.tolerance for option in exercise.options)
    question = Question(exercise, far)
    assert (question.result, question.explanation) == ("failed", exercise.otherwise)


def test_a_click_answers_like_the_call_and_is_kept(file):
    question = Question(CHOICE)
    for chosen, option in enumerate(CHOICE.options):
        question.set_state({"chosen": chosen})  # what the front end sends
        assert question.explanation == option.why
    assert record.passed() == [CHOICE.name]
    question.set_state({"chosen": -1})
    assert question.result == "open"
    question = Question(NUMBER)
    question.set_state({"typed": f"{NUMBER.options[0].value!r}/1"})
    assert question.result == "passed"
    assert record.passed() == sorted([CHOICE.name, NUMBER.name])


@pytest.mark.parametrize(("values", "tolerance", "typed", "result"), CASES["near"])
def test_how_near_a_number_must_be(values, tolerance, typed, result):
    options = tuple(
        Option("", "why", right=right, value=float(Fraction(text)))
        for text, right in values.items()
    )
    question = Question(replace(NUMBER, options=options, tolerance=tolerance))
    question.typed = typed
    assert question.result == result


# Numbers that a reader types


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_read_as_it_is_written(value):
    assert read_number(repr(value)) == value
    assert read_number(f" {value!r} ".replace("-", "−")) == value


@pytest.mark.parametrize("text", CASES["misread"])
def test_what_may_be_misread_is_not_read(text):
    assert read_number(text) is None


# Refusals

A_LETTER = r"answer: expected a letter from 'a' to '[b-z]', got "
A_NUMBER = "answer: expected a finite number, got "


@pytest.mark.parametrize(
    ("exercise", "error", "said", "answers"),
    [
        (CHOICE, TypeError, A_LETTER, [3, True, 1.0, ["a"], b"a", Ellipsis]),
        (CHOICE, ValueError, A_LETTER, ["", "z", "ab", "1", "ä", "é"]),
        (NUMBER, TypeError, A_NUMBER, [True, False, 1j, [1], b"1", np.zeros(2), Ellipsis]),
        (NUMBER, ValueError, A_NUMBER, ["", "a", "1,000", math.nan, math.inf, 10**400]),
        (NUMBER, ValueError, A_NUMBER, [np.float32("nan")]),
    ],
)
def test_an_answer_is_a_letter_of_an_option_or_a_finite_number(exercise, error, said, answers):
    for answer in answers:
        with pytest.raises(error, match=said):
            Question(exercise, answer)


@pytest.mark.parametrize(("exercise", "name", "value", "said"), CASES["states"])
def test_a_question_takes_no_other_state(exercise, name, value, said):
    question = Question({"a choice": CHOICE, "a number": NUMBER}[exercise])
    with pytest.raises(TraitError, match=said):
        setattr(question, name, value)
    assert question.result == "open"


# What is kept


@pytest.mark.parametrize("text", ["", "{", '{"a": 1}', "3", "null", "\udc80"])
def test_a_file_that_cannot_be_read_is_begun_anew(text, file):
    file.parent.mkdir()
    file.write_text(text, "utf8", errors="surrogateescape")
    assert record.passed() == []
    record.keep("a")
    assert record.passed() == ["a"]


def test_a_folder_that_cannot_be_written_stops_no_answer(file, tmp_path):
    (tmp_path / "new").write_text("a file where the folder should be", "utf8")
    assert Question(NUMBER, NUMBER.options[0].value).result == "passed"
    assert record.passed() == []


# The list of all


def test_the_list_holds_every_exercise_in_the_order_of_the_book():
    listed = Progress(ALL).exercises
    assert [each["name"] for each in listed] == [each.name for each in ALL]
    assert [each["number"] for each in listed] == [each.number for each in ALL]
    stems = [each["chapter"] for each in listed]
    assert list(dict.fromkeys(stems)) == sorted(set(stems))
    assert json.loads(json.dumps(listed)) == listed


def test_forgetting_in_the_list_empties_the_file(file):
    record.keep("a")
    listed = Progress(ALL, record.passed())
    assert file.exists()
    listed.set_state({"passed": []})
    assert record.passed() == []


# What the notebooks store of them

NOTEBOOKS = sorted((ROOT / "exercises").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_stores_the_present_questions_and_nobodys_answers(path):
    """`make refresh` stores them anew."""
    widgets = notebooks.read(path).metadata.get("widgets", {})
    states = [
        each["state"] for each in widgets.get(notebooks.WIDGET_STATE, {}).get("state", {}).values()
    ]
    for state in states:
        if "options" in state:
            fresh = Question(exercises()[state["name"]]).get_state()
        elif "exercises" in state:
            fresh = Progress(ALL).get_state()
        else:
            continue
        names = [name for name in fresh if not name.startswith("_") and name != "layout"]
        assert {name: state[name] for name in names} == {name: fresh[name] for name in names}


# Without scripts: HTML from the state that is stored


@pytest.mark.parametrize("exercise", QUESTIONS, **named)
def test_without_scripts_every_answer_opens_to_its_explanation(exercise):
    words = noscript.in_words(Question(exercise).get_state())
    assert words.count("<details") == (1 if exercise.asks_for_a_number else len(exercise.options))
    assert words.count("✓ Right.") == 1
    for option in exercise.options:
        verdict = "✓ Right." if option.right else "✗ Not this one."
        assert f"{verdict} {noscript.marked(option.why)}" in words


def test_without_scripts_the_list_is_links():
    words = noscript.in_words(Progress(ALL).get_state())
    for exercise in ALL:
        anchor = f"exercise-{exercise.name}".replace("_", "-")
        assert f'<a href="{exercise.page}.html#{anchor}">' in words
        assert f">{exercise.number} {exercise.title}</a>" in unescape(words)


def test_the_list_names_no_exercise_whose_page_was_left_out():
    state = Progress(ALL).get_state()
    chapters = sorted({exercise.page for exercise in ALL})
    pages = {f"exercises/{chapter}" for chapter in chapters} - {f"exercises/{chapters[2]}"}
    noscript.complete(state, pages)
    there = {each["chapter"] for each in state["exercises"]}
    assert there == set(chapters) - {chapters[2]}


@pytest.mark.parametrize(("text", "html"), CASES["marked"])
def test_code_and_emphasis_are_marked_and_all_else_is_text(text, html):
    assert noscript.marked(text) == html
