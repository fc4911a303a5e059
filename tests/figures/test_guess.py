"""GuessTheBug: the tables, the game and its words against the gallery of variants."""

import functools
import re

import numpy as np
import pytest
from traitlets import TraitError

import pecode
from figures import GuessTheBug, guess
from pecode.diagnose.variants import VARIANTS

from .page import (
    cells,
    click,
    near,
    number,
    numbers,
    path,
    press,
    said,
    settled,
    shapes,
    sizes,
    slider,
    swipe,
    texts,
)
from .values import refuses, takes

NAMES, MEANINGS, ABOUT = list(guess.NAMES), guess.MEANINGS, guess.ABOUT


def test_values():
    assert repr(GuessTheBug()) == (
        "GuessTheBug(answers=[], case=0, chosen='', column=6, difference=False, hints=[], "
        "late=False, seed=0)"
    )
    takes(
        GuessTheBug, seed=[0, 9999], answers=[[], ["no bug"], ["wrong base"] * 14],
        chosen=["", "along the batch"], column=[0, 31],
        hints=[[], [0, 3]],
    )  # fmt: skip
    refuses(
        GuessTheBug, seed=[-1], case=[1, 14], chosen=["a bug"], column=[32],
        answers=[["a bug"], ["no bug"] * 15, [True], [["no bug"]]],
        hints=[[4], [-1], [True], [0] * 15],
    )  # fmt: skip
    figure = GuessTheBug(answers=["no bug", "wrong base"], case=2)
    with pytest.raises(TraitError, match="answers: expected an answer for each table before case"):
        figure.answers = ["no bug"]
    figure.case = 0
    figure.answers = []


def test_it_explains_in_words_where_to_look():
    about = {row["name"]: row["about"] for row in GuessTheBug().gallery}
    assert about == ABOUT
    assert list(about) == NAMES == list(MEANINGS)
    for text in ABOUT.values():
        assert re.fullmatch(r"[A-Z].*\. Look at: .*[.…]", text)
        assert not re.search(r"[`*/_]| -\d", text)  # no code, no hyphen for a minus
    # the length of the table is another width for this one: in the figure it would be a twin
    assert set(VARIANTS) - set(ABOUT) == {"length for width", "factor 2 by column"}


QUESTION = "Table {} of 14: how does this table differ from the right one, if at all?"


@functools.cache
def table_of(name, late=False):
    make = pecode.sinusoidal_table if name == "no bug" else VARIANTS[name].make
    return make(1024, 32)[960:] if late else make(1024, 32)[:64]


def test_what_it_says_to_look_at_is_in_the_rows_that_it_shows():
    rows = {name: table_of(name) for name in NAMES}
    right = rows["no bug"]

    def lengths(name):  # of the pairs, from the sines of row 1
        return 2 * np.pi / np.arcsin(rows[name][1, 0::2])

    def rounded(value):
        return f"{float(f'{value:.3g}'):,.0f}"

    last = rounded(2 * np.pi / pecode.frequencies(32)[-1])
    for name in ["factor 2 lost", "wrong base", "endpoint spacing"]:
        found = rounded(lengths(name)[-1])
        told = f"the wavelength of the last columns, {found} rows instead of {last}."
        assert told in ABOUT[name]
    changes = np.ptp(rows["factor 2 doubled"], axis=0)
    assert changes[16:].max() < 0.01 < min(np.ptp(right[:, 14]), changes[14])
    assert (lengths("factor 2 doubled")[1:] > 2 * np.pi / pecode.frequencies(32)[1:]).all()
    assert lengths("precedence")[5] < 1e6 < lengths("precedence")[6]  # columns 10 and 12
    assert np.allclose(rows["integer division"], np.tile(right[:, :2], 16), atol=1e-12)
    speeds = 10_000 ** (np.arange(16) / 16)  # falling wavelengths
    assert np.allclose(rows["divided twice"][:, 0::2], np.sin(np.arange(64)[:, None] * speeds))
    assert np.ptp(rows["along the batch"], axis=0).max() == 0
    turned = np.arange(64)[:, None] * 10_000 ** -(np.arange(32) / 32)
    waves = np.where(np.arange(32) % 2, np.cos(turned), np.sin(turned))
    assert np.allclose(rows["exponent by column"], waves)
    assert np.allclose(rows["low precision"], right)
    assert len(np.unique(table_of("low precision", late=True), axis=0)) < 64 / 3 + 1
    assert rows["concatenated"][0].tolist() == [0] * 16 + [1] * 16
    assert rows["cosine first"][0].tolist() == [1, 0] * 16
    assert rows["positions from 1"][0, :2].round(2).tolist() == [0.84, 0.54]
    assert np.allclose(rows["positions from 1"][0], right[1])


def made_with(page):
    """Return the name of the table that is shown, from its cells: first rows and late ones."""
    box = page.get_by_role("checkbox", name="rows 960 to 1023")
    pictures = []
    for late in (True, False):
        box.set_checked(late)
        settled(page)
        pictures.append(cells(page))
    fits = (
        name
        for name in NAMES
        if near(table_of(name, True), pictures[0], 0.005)
        and near(table_of(name), pictures[1], 0.005)
    )
    [name] = fits
    return name


# The wavelength of each column, in rows.
PAIR = np.arange(32) // 2
STEPS = {
    "factor 2 doubled": 10_000 ** (PAIR / 8),
    "factor 2 lost": 10_000 ** (PAIR / 32),
    "exponent by column": 10_000 ** (np.arange(32) / 32),
    "wrong base": 1000 ** (PAIR / 16),
    "precedence": np.exp(2 * PAIR),
    "integer division": np.ones(32),
    "divided twice": 10_000 ** (-PAIR / 16),
    "along the batch": np.full(32, np.inf),
    "concatenated": np.tile(10_000 ** (np.arange(16) / 16), 2),
    "endpoint spacing": 10_000 ** (PAIR / 15),
}


def wavelengths(name):
    return 2 * np.pi * STEPS.get(name, 10_000 ** (PAIR / 16))


def level(lengths):
    """Return how high a wavelength is drawn: each power of ten as high as the others."""
    return 138 - 19 * np.clip(np.log10(lengths), 0, 6)


def test_the_wavelengths_are_those_of_the_tables():
    """Every column is a wave of its length: x(t - 1) + x(t + 1) = 2 cos(2π / length) x(t)."""
    for name in NAMES:
        if name == "low precision":
            continue
        table, turn = table_of(name), 2 * np.pi / wavelengths(name)
        assert near(table[:-2] + table[2:], 2 * np.cos(turn) * table[1:-1], 1e-9)


def waves_text(name):
    least, most = wavelengths(name).min(), wavelengths(name).max()
    if np.isinf(least):
        return "No column changes from row to row."
    least, most = (
        "over a million" if rows > 1e6 else f"{float(f'{rows:.3g}'):,.6g}" for rows in (least, most)
    )
    if least == most:
        return f"All wavelengths are {least} rows."
    return f"Wavelengths go from {least} to {most} rows."


def seen_text(name, count, column, late=False):
    table, first = table_of(name, late), 960 if late else 0
    apart = np.abs(table - table_of("no bug", late)).max(axis=0)
    few = [", ".join(map(number, row[:4])) for row in table]
    off = "does not."
    if apart[column] > 1e-6:
        size = "less than 0.01" if apart[column] < 0.005 else number(apart[column])
        off = f"by up to {size}."
    return (
        f"Table {count} of 14, rows {first} to {first + 63}. Row {first} begins {few[0]}, "
        f"row {first + 1} begins {few[1]}. {(apart > 1e-6).sum()} of 32 columns differ from those "
        f"of the right table; column {column} {off} {waves_text(name)}"
    )


def check_column(page, name, column, late=False):
    """Compare the framed column, and the wavelengths below the map, with the tables."""
    y = 22 + 4 * (np.arange(64) + 0.5)
    for k, made in enumerate(["no bug", name, name]):
        curve = np.stack([78 + 54 * table_of(made, late)[:, column], y], axis=1)
        assert near(path(page, "2 path", k), curve)
    assert sizes(page, "0 rect[stroke-width]", "x").tolist() == [
        [36 + 4 * column],
        [172 + 4 * column],
    ]
    assert sizes(page, "1 rect", "x").tolist() == [[36 + 8 * column]]
    x = 36 + 8 * (np.arange(32) + 0.5)
    for k, made in enumerate(["no bug", name]):
        assert near(path(page, "1 path", k), np.stack([x, level(wavelengths(made))], axis=1))


def check_compared(page, name):
    """After the check: the wavelengths of another mistake, dotted, and its name."""
    marks = [*shapes(page, "1 path", "visibility")[2:4], shapes(page, "1 text", "visibility")[-1]]
    assert marks == [["visible" if name else "hidden"]] * 3
    assert texts(page, "1 text")[-1] == (f"“{name}”" if name else "")
    drawn = path(page, "1 path", 2)
    assert near(drawn[:, 1], level(wavelengths(name))) if name else not drawn.size


def test_a_table_is_looked_at_by_keys_mouse_and_touch(on_page):
    with on_page(GuessTheBug(seed=3), has_touch=True) as page:
        name, column = made_with(page), slider(page, "column")
        assert numbers(page) == seen_text(name, 1, 6)
        assert said(page) == QUESTION.format(1)
        assert near(cells(page, 1), table_of("no bug"), 0.005)  # the right table beside it
        check_column(page, name, 6)
        press(page, column, "ArrowRight", 3)
        assert numbers(page) == seen_text(name, 1, 9)
        check_column(page, name, 9)
        press(page, page.get_by_role("checkbox", name="difference"), "Space")
        assert near(2 * cells(page, 1), table_of(name) - table_of("no bug"), 0.01)
        page.get_by_text("rows 960 to 1023").click()
        settled(page)
        apart = table_of(name, late=True) - table_of("no bug", late=True)
        assert near(2 * cells(page, 1), apart, 0.01)
        assert numbers(page) == seen_text(name, 1, 9, late=True)
        check_column(page, name, 9, late=True)
        heat = page.locator(".ex-drawings svg").first
        for x, tap, chosen in [(36 + 4 * 30.5, False, 30), (172 + 4 * 2.5, True, 2)]:
            click(page, heat, x / 300, tap)
            check_column(page, name, chosen, late=True)
        swipe(page, heat, 60)  # from the middle, and over the right table
        check_column(page, name, 9, late=True)
        assert column.input_value() == "9"
        # What the slider changes is in sight while it is moved, on a phone, too.
        page.set_viewport_size({"width": 390, "height": 700})
        column.scroll_into_view_if_needed()
        curve = page.locator(".ex-drawings svg[role=img]").nth(2).bounding_box()
        below = column.bounding_box()
        assert 0 <= below["y"] - (curve["y"] + curve["height"]) < 50
        assert below["width"] > 290
        press(page, column, "End")
        check_column(page, name, 31, late=True)


def test_all_tables_are_guessed_from_their_cells(on_page):
    with on_page(GuessTheBug(seed=9)) as page:
        first_of_the_next = made_with(page)
    with on_page(GuessTheBug(seed=8), size=(390, 844)) as page:
        button, met, missed = page.locator("button[type=submit]"), [], []
        for k in range(14):
            name = made_with(page)
            met.append(name)
            check_column(page, name, 6)
            so_far = f" Score: {4 * (k - len(missed))} of {4 * k}." if k else ""
            assert said(page) == QUESTION.format(k + 1) + so_far
            assert numbers(page) == seen_text(name, k + 1, 6)
            assert button.inner_text() == "check"
            assert button.is_disabled()
            answer = name if k % 3 else NAMES[NAMES.index(name) - 1]  # every third is wrong
            page.get_by_role("radio", name=answer, exact=True).check()
            # What the choice means is told before the check, and nothing more.
            check_compared(page, "")
            assert said(page) == f"“{answer}” means: {MEANINGS[answer]}{so_far}"
            button.click()
            verdict, other = "Right", ""
            if answer != name:
                missed.append(f"“{name}”")
                verdict = f"You said “{answer}”, but no"
                wrong = ABOUT[answer].replace("Look at:", "You would see:")
                other = f" “{answer}”, dotted below the table, would be: {wrong}"
            listed = f" Missed: {', '.join(missed)}." if k == 13 else ""
            assert said(page) == (
                f"{verdict}: it is “{name}”. {ABOUT[name]} Score: {4 * (k + 1 - len(missed))} of "
                f"{4 * (k + 1)}."
            )
            assert numbers(page) == f"{seen_text(name, k + 1, 6)}{other}{listed}"
            check_compared(page, "" if answer == name else answer)
            assert texts(page, "label.guess.right") == [f"{name}\u00a0✓"]
            assert page.get_by_text("✗").count() == (answer != name)
            assert button.inner_text() == ("next table" if k < 13 else "begin again")
            button.press("Enter")
            assert page.evaluate("document.activeElement.value") == NAMES[0]  # not lost
            assert page.locator("input[type=radio]:checked").count() == 0
            heat = page.locator(".ex-drawings svg").first
            assert heat.bounding_box()["y"] > -1  # the next table is in sight
        assert sorted(met) == sorted(NAMES)
        assert said(page) == QUESTION.format(1)  # and no score
        assert made_with(page) == first_of_the_next


def test_after_the_check_other_names_can_be_compared(on_page):
    with on_page(GuessTheBug(seed=3)) as page:
        name = made_with(page)
        wrong, third = [other for other in NAMES if other != name][:2]
        page.get_by_text(wrong, exact=True).click()
        page.keyboard.press("Enter")  # in the list of names: as good as the button
        verdict = f"You said “{wrong}”, but no: it is “{name}”."
        assert said(page).startswith(verdict)
        page.get_by_role("radio", name=third, exact=True).check()
        about = ABOUT[third].replace("Look at:", "You would see:")
        assert f" “{third}”, dotted below the table, would be: {about}" in numbers(page)
        check_compared(page, third)  # the drawing follows
        page.get_by_role("radio", name=name, exact=True).check()
        assert said(page).startswith(verdict)
        assert said(page).endswith("Score: 0 of 4.")  # the first answer counts


def test_names_are_chosen_by_the_arrow_keys(on_page):
    with on_page(GuessTheBug(seed=3), GuessTheBug(seed=4), size=(760, 1600)) as page:
        first, second = page.locator(".moving-figure").all()
        press(page, first.get_by_role("radio").nth(0), "Space")
        press(page, first.get_by_role("radio").nth(0), "ArrowDown", 3)
        assert first.locator("input:checked").get_attribute("value") == NAMES[3]
        assert second.locator("input:checked").count() == 0  # a group of its own
        press(page, second.get_by_role("radio").nth(0), "ArrowUp")
        assert second.locator("input:checked").get_attribute("value") == NAMES[-1]
        assert first.locator("input:checked").get_attribute("value") == NAMES[3]
        press(page, first.locator("button[type=submit]"), "Space")
        assert re.search("Score: [04] of 4.", said(page, 0))
        assert said(page, 1) == f"“{NAMES[-1]}” means: {MEANINGS[NAMES[-1]]}"


@pytest.mark.parametrize("seed", range(3))
def test_nothing_on_the_page_tells_the_answer_before_the_check(seed, on_page):
    """Each name stands in the page as often as every other: once as a value, once to be read."""
    with on_page(GuessTheBug(seed=seed, late=True, difference=True)) as page:
        html = page.locator(".moving-figure").inner_html()
        assert {html.count(f">{name}<") for name in NAMES} == {1}
        assert {html.count(f'value="{name}"') for name in NAMES} == {1}
        assert sum(html.count(name) for name in NAMES) == 2 * len(NAMES)


def test_hints_come_in_steps_and_each_costs_a_point(on_page):
    with on_page(GuessTheBug(seed=3)) as page:
        name = made_with(page)
        hint, radios = page.get_by_role("button", name="hint"), page.get_by_role("radio")
        wrong = (np.abs(table_of(name) - table_of("no bug")).max(axis=0) > 1e-6).sum()
        look = re.split("[,:]", guess.LOOK_AT[name])[0]
        steps = [
            f"{wrong} of 32 columns differ from those of the right table", f"look at {look}",
            "it is one of the four names left",
        ]  # fmt: skip
        for k in range(3):
            assert hint.inner_text() == f"hint ({3 - k} left)"
            hint.click()
            assert said(page) == f"{QUESTION.format(1)} Hint: {'; '.join(steps[: k + 1])}."
            left = [radio.get_attribute("value") for radio in radios.all() if radio.is_enabled()]
            assert len(left) == (14 if k < 2 else 4)
            assert name in left
        assert hint.is_disabled()
        page.get_by_role("radio", name=name, exact=True).check()
        page.locator("button[type=submit]").click()
        assert said(page).endswith("Score: 1 of 4.")
        page.locator("button[type=submit]").click()
        assert said(page) == f"{QUESTION.format(2)} Score: 1 of 4."
        assert hint.inner_text() == "hint (3 left)"
        hint.click()
        page.get_by_role("radio", name=made_with(page), exact=True).check()
        page.locator("button[type=submit]").click()
        assert said(page).endswith("Score: 4 of 8.")


def test_the_names_left_are_not_always_the_first(on_page):
    """The right one stands among three others that the seed draws, in the order of the list."""
    places = set()
    figures = [GuessTheBug(seed=seed, hints=[3]) for seed in range(4)]
    with on_page(*figures) as page:
        settled(page)
        for box in page.locator(".moving-figure").all():
            radios = [radio.is_enabled() for radio in box.get_by_role("radio").all()]
            places.add(tuple(np.flatnonzero(radios)))
    assert {len(found) for found in places} == {4}
    assert len(places) == 4
