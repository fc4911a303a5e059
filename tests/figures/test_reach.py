"""Reach: curves, bands, names and the text of measured accuracies against numpy."""

import json
import re

import numpy as np
import pytest
from traitlets import TraitError

from figures import COLORS, Reach
from lab import tasks
from lab.schemes import Learned, scheme
from lab.training import extrapolation, train

from .data import GUESSING, SCHEMES, reach, results
from .page import (
    click,
    near,
    number,
    numbers,
    path,
    points,
    press,
    said,
    settled,
    shapes,
    sizes,
    slider,
    swipe,
    texts,
    visible,
)
from .values import refuses, takes

A_FEW = ["sine and cosine", "learned", "ALiBi", "relative bias"]
ALL_SAME = {"recent": {"mine": np.full((2, 8), 0.5)}}


def test_values():
    assert repr(Reach()) == f"Reach(position=96, shown={A_FEW}, task=0)"
    takes(Reach, position=[0, 127], shown=[[], ["ALiBi", "learned"]])
    refuses(Reach, position=[128], task=[1])
    with pytest.raises(TraitError, match="shown: expected some of ALiBi, ALiBi, each once"):
        Reach().shown = ["ALiBi", "ALiBi"]


def test_median_and_range_of_four_positions_are_kept_as_plain_numbers():
    runs = np.zeros((3, 12))
    runs[:, :4] = [[0.1], [0.5], [0.6]]
    runs[:, 4:6], runs[:, 6:8], runs[:, 8:] = np.nan, 0.25, np.nan
    given = {"2 back": {"nothing, sees all": runs, "mine": runs}}
    data = Reach(given, trained=4).data
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["curves"][0][0] == {"median": "50 25 -", "low": "10 25 -", "high": "60 25 -"}
    assert data["colors"] == [COLORS["nothing"]] * 2
    assert (data["trained"], data["seeds"], data["length"], data["size"]) == (4, 3, 12, 4)
    assert (data["shortest"], data["guessing"]) == (None, [])
    assert Reach(given, trained=4, shortest=4).data["shortest"] == 4
    runs = {"ALiBi": np.zeros((2, 8))}
    guessing = {"first": np.float64(0.125), "recent": 1 / 3}
    data = Reach({"recent": runs, "first": runs}, trained=4, guessing=guessing).data
    assert data["guessing"] == [0.3333, 0.125]  # in the order of the tasks


def test_the_curves_are_the_means_over_positions():
    runs = np.random.default_rng(0).integers(0, 33, (5, 128)) / 32
    [[curve]] = Reach({"recent": {"ALiBi": runs}}).data["curves"]
    means = runs.reshape(5, 32, 4).mean(axis=2)
    for name, pick in {"median": np.median, "low": np.min, "high": np.max}.items():
        kept = np.array(curve[name].split(), dtype=int)
        assert near(kept / 100, pick(means, axis=0), 0.00501)


def test_what_there_is_is_shown():
    by_scheme = dict.fromkeys(["ALiBi", "count"], np.zeros((2, 64)))
    figure = Reach({"recent": by_scheme, "first": by_scheme})
    assert repr(figure) == "Reach(position=63, shown=['ALiBi'], task=0)"
    assert Reach({"recent": {"count": np.zeros((2, 64))}}).shown == ["count"]
    for name, value in {"position": 64, "task": 2, "shown": ["learned"]}.items():
        with pytest.raises(TraitError, match=name):
            setattr(figure, name, value)
    assert json.dumps(figure.data).count("0 " * 15 + "0") == 4 * 3


A, B = {"a": np.zeros((2, 8))}, {"b": np.zeros((2, 8))}


@pytest.mark.parametrize(
    ("results", "given", "message"),
    [
        ([1], {}, "results: expected a dict"),
        ({"recent": {}}, {}, "results: expected the same schemes"),
        ({"recent": A, "first": B}, {}, "the same schemes"),
        ({"recent": A | {"b": np.zeros((2, 12))}}, {}, "arrays of one shape"),
        ({"recent": {"a": np.zeros(8)}}, {}, "a: expected a shape"),
        ({"recent": {"a": np.zeros((2, 9))}}, {}, "a: expected a shape"),
        ({"recent": {"a": np.zeros((0, 8))}}, {}, "a: expected a shape"),
        ({"recent": {"a": np.full((2, 8), 1.5)}}, {}, "a: expected accuracies from 0 to 1, got"),
        ({"recent": {"a": "none"}}, {}, "a: expected an array of accuracies"),
        *(
            ({"recent": A}, {"texts": texts}, "texts: expected a whole number")
            for texts in (1, 32.0, True)
        ),
        *(
            ({"recent": A}, {"shortest": shortest}, "shortest: expected a whole number from 1 to 4")
            for shortest in (0, 5, 4.0, True)
        ),
        *(
            ({"recent": A}, {"trained": trained}, "trained: expected a whole number from 1 to 8")
            for trained in (0, 9, 4.0, True, None)
        ),
        *(
            ({"recent": A}, {"guessing": guessing}, "guessing: expected a dict with recent, got")
            for guessing in (0.4, {}, {"first": 0.4}, {"recent": 0.4, "first": 0.4})
        ),
        *(
            ({"recent": A}, {"guessing": {"recent": chance}}, "guessing: expected accuracies")
            for chance in (1.1, -0.1, float("nan"), True, "0.4", [0.4])
        ),
        (None, {"guessing": {"recent": 0.4}}, "guessing: expected a dict"),
        ({"recent": A}, {"covered": 1}, "covered: expected True or False, got 1"),
    ],
)
def test_what_is_no_result_is_refused(results, given, message):
    with pytest.raises(TraitError, match=re.escape(message)):
        Reach(results, **{"trained": 4} | given)


def test_all_schemes_and_seeds_of_the_chapter_are_asked_the_same_texts(monkeypatch):
    asked, draw = [], tasks.Task.batch

    def batch(self, rng, size, length):
        made = draw(self, rng, size, length)
        asked.extend([made[0]] if length == 32 and size > 1 else [])
        return made

    monkeypatch.setattr(tasks.Task, "batch", batch)
    for name in ("nothing", "ALiBi"):
        extrapolation(tasks.recent, scheme(name), [0, 1], 8, steps=0)
    assert [len(tokens) for tokens in asked] == [32] * 4
    assert all(np.array_equal(tokens, asked[0]) for tokens in asked)


def binned(runs):
    """Return median and range of the seeds for each four positions, as stored."""
    bins = runs.reshape(len(runs), 32, 4)
    counted = ~np.isnan(bins)
    with np.errstate(invalid="ignore"):
        means = np.where(counted, bins, 0).sum(axis=2) / counted.sum(axis=2)
    return [np.round(pick(means, axis=0), 2) for pick in (np.median, np.min, np.max)]


ASKS = {
    "recent": (
        "Answer with the latest marked token; one in five is marked. "
        "It takes a sense of what is nearer."
    ),
    "2 back": "Answer with the token two positions back. It takes an exact distance.",
}


def reach_text(task, position, shown, curves):
    """Return the sentence, and the numbers that fold away."""
    first = position // 4 * 4
    where = "where it was trained" if first < 32 else "beyond the 32 of training"
    reached = ""
    if 4 <= first < 32:  # how many lengths, 4 to 32, have such a position
        fewest, most = ((np.arange(4, 33) > place).sum() for place in (first + 3, first))
        reached = f" {fewest} to {most} of the 29 lengths of training reach so far."
    start = f"“{task}”, positions {first} to {first + 3}, {where}: "
    here = [(name, *(values[position // 4] for values in curves[name])) for name in shown]
    here = sorted((row for row in here if not np.isnan(row[1])), key=lambda row: -row[1])
    if not here:
        return start + ("no answer counts here." if shown else "no scheme is switched on."), None
    brief = [f"{name} {number(median)}" for name, median, *_ in here]
    if len(brief) > 4:
        brief = [*brief[:3], f"… {brief[-1]}"]
    listed = "; ".join(
        f"{name} {number(median)} ({number(low)} to {number(high)})"
        for name, median, low, high in here
    )
    return (
        f"{start}{', '.join(brief)}; guessing reaches {round(GUESSING[task], 3):g}.",
        f"Median and range of 3 seeds: {listed}.{reached}",
    )


def check_notes(page, task, shown, lit):
    asked, note = texts(page, ".reach-note")
    assert asked == ASKS[task]
    boxed = page.locator("fieldset label:has(:focus)").all_inner_texts()  # switched off, perhaps
    told = lit or (boxed[0] if boxed else None)
    hint = "curve or scheme, or tap its name beside the curves, to read what it is."
    if told in SCHEMES[:-1]:  # a scheme of one's own goes without words
        assert note.startswith(f"{told}: ")
        assert hint not in note
    elif "learned" in shown:  # of this one it is said at the start
        assert re.fullmatch(rf"learned: a table .*\. Point at another {hint}", note)
    else:
        assert note == f"Point at a {hint}"


def check_small(page, task, shown):
    """Each task has a small picture of the curves, and says what it asks for."""
    buttons = page.locator(".reach-tasks button").all()
    pressed = [button.get_attribute("aria-pressed") == "true" for button in buttons]
    assert pressed == [name == task for name in GUESSING]
    for k, by_scheme in enumerate(results().values()):
        drawn = shapes(page, f".reach-tasks button:nth-child({k + 1}) path[data-mark]", "d")
        for name, [d] in zip(SCHEMES, drawn, strict=True):
            median = binned(by_scheme[name])[0]
            heights = 1000 * (1 - median[~np.isnan(median)])
            assert near(points(d)[:, 1], heights if name in shown else [])


def check(page, task, position, shown, lit=None):
    """Compare the picture and the text with what numpy computes."""
    k, curves = position // 4, {name: binned(runs) for name, runs in results()[task].items()}
    sentence, more = reach_text(task, position, shown, curves)
    assert said(page) == sentence
    assert more is None or numbers(page) == more
    check_small(page, task, shown)
    check_notes(page, task, shown, lit)
    boxes = [box.is_checked() for box in page.get_by_role("checkbox").all()]
    assert boxes == [name in shown for name in SCHEMES]
    centers, many = 40 * np.arange(32) + 20, len(shown) > 4
    drawn = zip(
        SCHEMES,
        shapes(
            page, ".reach svg svg path[stroke-linejoin]",
            "d", "visibility", "stroke", "stroke-opacity", "stroke-width",
        ),
        shapes(page, ".reach svg svg path[fill-opacity]", "d", "visibility"),
        shapes(page, ".reach svg svg path[stroke-linecap]", "d", "visibility"),
        strict=True,
    )  # fmt: skip
    for name, (d, seen, stroke, opacity, width), (band, banded), (dot, dotted) in drawn:
        on, (median, low, high) = name in shown, curves[name]
        counted = ~np.isnan(median)
        assert (seen, dotted) == (("visible", "visible") if on else ("hidden", "hidden"))
        assert banded == (
            "visible" if on and (name == lit or not (many or lit in shown)) else "hidden"
        )
        assert opacity == ("0.25" if lit in shown and name != lit else "1")
        assert not on or width == ("4" if name == lit else "2.2")
        assert near(points(d), np.stack([centers, 1000 * (1 - median)], axis=1)[counted])
        around = 1000 * (1 - np.r_[high[counted], low[counted][::-1]])
        assert near(points(band)[:, 1], around)
        here = [[centers[k], 1000 * (1 - median[k])]] if counted[k] else np.empty((0, 2))
        assert near(points(dot), here)
        assert COLORS.get(name, "#767676") in stroke
    level = sizes(page, ".reach line[stroke-dasharray]", "y1", "y2")
    assert near(level, [[26 + 250 * (1 - GUESSING[task])] * 2], 1e-6)
    names = shapes(page, ".reach > svg:last-child text", "text", "visibility", "y", "style")
    heights = [float(y) for _, seen, y, _ in names if seen == "visible"]
    assert len(heights) == len(shown)
    assert (np.diff(sorted(heights)) > 16.9).all()
    bold = [name for name, _, _, style in names if name in shown and "650" in (style or "")]
    assert bold == ([lit] if lit in shown else [])


def test_keys_mouse_and_touch(on_page):
    with on_page(reach(), has_touch=True) as page:
        check(page, "recent", 96, A_FEW)
        position = slider(page, "position")
        press(page, position, "ArrowRight", 2)
        check(page, "recent", 104, A_FEW)
        assert position.get_attribute("aria-valuetext") == "104 to 107"
        press(page, page.get_by_role("button", name="2 back"), "Enter")
        for key, times, place in [("Home", 1, 0), ("ArrowRight", 2, 8), ("End", 1, 124)]:
            press(page, position, key, times)
            check(page, "2 back", place, A_FEW)  # at 0 no answer counts, at 8 three of four

        press(page, page.get_by_role("checkbox", name="nothing"), "Space")
        page.get_by_text("learned", exact=True).first.click()
        page.get_by_role("checkbox", name="one's own").tap()
        shown = [name for name in SCHEMES if name != "learned"]
        page.mouse.move(5, 5)
        check(page, "2 back", 124, shown, lit="one's own")
        for name in shown:
            page.get_by_role("checkbox", name=name, exact=True).uncheck()
        check(page, "2 back", 124, [])
        page.get_by_role("checkbox", name="ALiBi").check()

        page.get_by_role("button", name="recent").click()
        plot = page.locator(".reach > svg").first
        page.mouse.move(5, 5)
        click(page, plot, 50.5 / 128)
        page.mouse.move(5, 5)
        check(page, "recent", 50, ["ALiBi"], lit=None)
        assert position.input_value() == "48"
        click(page, plot, 20.5 / 128, tap=True)
        check(page, "recent", 20, ["ALiBi"])
        swipe(page, plot, plot.bounding_box()["width"] * 0.3)
        check(page, "recent", 102, ["ALiBi"])
        click(page, position, 0.01, tap=True)
        check(page, "recent", 0, ["ALiBi"])
        for text in page.locator(".reach > svg > text[x='-6']").all():
            box = text.bounding_box()  # a number of the axis is no position
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.move(5, 5)
        check(page, "recent", 0, ["ALiBi"])


def test_of_many_schemes_only_the_one_that_is_pointed_at_has_a_band(on_page):
    with on_page(reach(shown=SCHEMES)) as page:
        check(page, "recent", 96, SCHEMES)
        legend, seeds = page.locator("legend"), "3 seeds, trainings from different random starts"
        assert legend.inner_text() == f"schemes; point at one to see its range over {seeds}"
        page.locator("fieldset label").nth(2).hover()
        check(page, "recent", 96, SCHEMES, lit="learned")
        box = page.get_by_role("checkbox", name="ALiBi")
        box.focus()
        check(page, "recent", 96, SCHEMES, lit="learned")  # the pointer comes first
        page.mouse.move(5, 5)
        check(page, "recent", 96, SCHEMES, lit="ALiBi")
        box.evaluate("box => box.blur()")
        check(page, "recent", 96, SCHEMES)
        for name in SCHEMES[:2]:
            page.get_by_role("checkbox", name=name, exact=True).uncheck()
        page.evaluate("document.activeElement.blur()")
        page.mouse.move(5, 5)
        check(page, "recent", 96, SCHEMES[2:])
        assert legend.inner_text() == f"schemes; a band is the range of {seeds}"


def test_a_tap_on_a_name_beside_the_curves_lights_its_curve(on_page):
    with on_page(reach(shown=SCHEMES), has_touch=True, size=(390, 844)) as page:
        names = page.locator(".reach > svg").last.locator("text")
        for k, lit in [(2, "learned"), (0, "nothing"), (0, None)]:  # once more: none
            names.nth(k).tap()
            check(page, "recent", 96, SCHEMES, lit=lit)
        right = max(name.bounding_box()["x"] + name.bounding_box()["width"] for name in names.all())
        box = page.locator(".moving-figure").bounding_box()
        assert right <= box["x"] + box["width"]


def schemes_of_the_book():
    """Return a figure with everything that has a color, and with those that see all."""
    runs = np.full((2, 8), 0.5)
    return Reach({"recent": dict.fromkeys(["nothing, sees all", *COLORS], runs)}, 4)


# A color as the screen has it, and as WCAG weighs it.
LUMINANCE = """(all) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  return all.map((shape) => {
    const style = getComputedStyle(shape);
    canvas.fillStyle = shape.tagName === "HTML" ? style.backgroundColor : style.stroke;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) =>
      byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  });
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_schemes_of_the_book_have_words_a_sign_and_a_color_that_is_seen(theme, on_page):
    with on_page(schemes_of_the_book(), theme=theme) as page:
        notes = {}
        for label, box in zip(
            page.locator("fieldset label").all(), page.get_by_role("checkbox").all(), strict=True
        ):
            label.hover()
            settled(page)
            spoken, name = box.get_attribute("aria-description"), label.inner_text()
            assert not spoken or texts(page, ".reach-note")[-1] == f"{name}: {spoken}."
            notes[name] = spoken
        trained = ["nothing", "nothing, sees all", "count", "normalized count", "binary",
                   "sine and cosine", "learned", "ALiBi", "rotary", "relative bias"]  # fmt: skip
        assert all(notes[name] for name in trained)
        dashes = shapes(page, "fieldset path", "stroke-dasharray")
        assert len(dashes) == len({dash for [dash] in dashes}) == 14
        [ground] = page.locator("html").evaluate_all(LUMINANCE)
        curves = page.locator(".reach path[stroke-linejoin]").evaluate_all(LUMINANCE)
        assert len(curves) == 14
        for light in curves:
            assert (max(light, ground) + 0.05) / (min(light, ground) + 0.05) >= 3


def test_what_is_said_of_a_learned_table_is_what_training_leaves(on_page):
    """Rows past the longest text keep their start, and row 0 is far longer than they are."""
    start, rows = (
        train(tasks.first, Learned(16), steps=steps, lengths=(4, 8)).parameters["position"]
        for steps in (0, 100)
    )
    assert np.array_equal(rows[8:], start[8:])
    assert (rows[:8] != start[:8]).any(axis=1).all()
    lengths = np.linalg.norm(rows, axis=1)
    assert lengths[0] > 5 * lengths[8:].max()
    runs = {task: {"learned": np.full((2, 16), 0.5)} for task in ["recent", "first"]}
    with on_page(Reach(runs, trained=8, shortest=4)) as page:
        page.locator("fieldset label").hover()
        kept = (
            "learned: a table with a row for each position is added. Training never reached the "
            "rows from 8 on: they keep their small random start"
        )
        settled(page)
        assert texts(page, ".reach-note")[-1] == f"{kept}."
        page.get_by_role("button", name="first", exact=True).click()
        page.locator("fieldset label").hover()
        settled(page)
        assert texts(page, ".reach-note")[-1] == f"{kept}, and row 0 still stands out among them."


@pytest.mark.parametrize(
    ("chance", "hidden"), [(0.4, []), (0.47, ["0.5"]), (0.01, ["0"]), (None, ["chance"])]
)
def test_the_line_of_a_guess_and_its_name(chance, hidden, on_page):
    guessing = None if chance is None else {"recent": chance}
    with on_page(Reach(ALL_SAME, trained=4, guessing=guessing)) as page:
        marks = shapes(page, ".reach > svg > text[x='-6']", "text", "visibility")
        assert [text for text, seen in marks if seen == "hidden"] == hidden
        assert "chance" in [text for text, _ in marks]
        assert visible(page, ".reach line[stroke-dasharray]") == [chance is not None]
        assert ("guessing reaches" in said(page)) == (chance is not None)


def test_the_line_stands_between_the_last_position_of_training_and_the_first_new(on_page):
    runs = {"recent": {"mine": np.full((2, 16), 0.5)}}
    for trained, named in [(8, ["trained to 7", "new from 8"]), (16, ["trained to 15"])]:
        with on_page(Reach(runs, trained=trained)) as page:
            names = page.locator(".reach > svg > text[y='14']")
            assert names.all_text_contents() == named
            plot = page.locator(".reach > svg").first.bounding_box()
            line = plot["x"] + plot["width"] * trained / 16
            way = page.locator(".reach path[stroke-dasharray='5 4']").bounding_box()
            assert way["x"] + way["width"] / 2 == pytest.approx(line, abs=1)
            before, *after = [name.bounding_box() for name in names.all()]
            assert before["x"] + before["width"] < line
            assert all(line < box["x"] for box in after)
            eight = page.locator(".reach > svg > text[y='296']", has_text=re.compile("^8$"))
            box = eight.bounding_box()  # the number stands under the middle of its position
            middle = (box["x"] + box["width"] / 2 - plot["x"]) / plot["width"]
            assert middle == pytest.approx(8.5 / 16, abs=0.002)


@pytest.mark.parametrize("count", [32, None])
def test_that_all_were_asked_the_same_texts_is_said_if_it_is_so(on_page, count):
    said_of = "All schemes and seeds get the same 32 texts: small ups and downs"
    with on_page(Reach(ALL_SAME, trained=4, texts=count)) as page:
        assert (said_of in texts(page, ".reach-note")[0]) == (count == 32)
        for drawing in page.locator(".moving-figure svg").all():  # to a screen reader one thing
            inner = drawing.evaluate("e => e.parentElement.closest('svg') !== null")
            hidden = drawing.get_attribute("aria-hidden") == "true"
            assert hidden or (not inner and drawing.get_attribute("aria-label"))


def test_a_curve_that_is_pointed_at_stands_out(on_page):
    with on_page(reach()) as page:
        plot = page.locator(".reach > svg").first.bounding_box()
        curves = {name: binned(runs)[0] for name, runs in results()["recent"].items()}
        for k in (3, 17, 30):
            values = np.array([curves[name][k] for name in A_FEW])
            for name, value in zip(A_FEW, values, strict=True):
                x = plot["x"] + plot["width"] * (k + 0.5) / 32
                page.mouse.move(x, plot["y"] + 26 + 250 * (1 - value))
                if (values == value).sum() == 1:  # two curves may be at one point
                    check(page, "recent", 96, A_FEW, lit=name)
        page.mouse.move(5, 5)
        check(page, "recent", 96, A_FEW)


def test_a_guess_is_drawn_before_the_curves_are_seen(on_page):
    with on_page(reach()) as page:
        button = page.get_by_role("button", name="guess first")
        button.click()
        assert (
            said(page)
            == "Draw your guess for sine and cosine beyond the 32 of training, then look."
        )
        for d, *_ in shapes(page, ".reach svg svg path[stroke-linejoin]", "d"):
            assert points(d)[:, 0].max() < 1280 / 4  # nothing of what comes after 31
        for d, *_ in shapes(page, ".reach-tasks path[data-mark]", "d"):
            assert points(d)[:, 0].max(initial=0) < 1280 / 4
        page.get_by_role("slider", name="your guess, level").fill("0.5")
        plot = page.locator(".reach > svg").first.bounding_box()

        def place(k, value):
            return plot["x"] + plot["width"] * (k + 0.5) / 32, plot["y"] + 26 + 250 * (1 - value)

        page.mouse.move(*place(10, 0.9))
        page.mouse.down()
        page.mouse.move(*place(20, 0.4))  # as fast as it may be, the line is whole
        page.mouse.up()
        settled(page)
        guess = np.full(32, 0.5)
        guess[10:21] = np.linspace(0.9, 0.4, 11)
        line = path(page, ".reach path[data-mark=guess]")
        assert near(line, np.stack([40 * np.arange(8, 32) + 20, 1000 * (1 - guess[8:])], axis=1), 3)
        assert slider(page, "position").input_value() == "96"  # drawing chooses no position
        page.get_by_role("button", name="look").click()
        truth = binned(results()["recent"]["sine and cosine"])[0]
        off = np.abs(guess - truth)[8:].mean()
        told = "Beyond training your guess is (.*) away from sine and cosine, on average."
        found = re.fullmatch(told, said(page))
        assert float(found[1]) == pytest.approx(off, abs=0.006)
        page.get_by_role("button", name="no guess").click()
        page.mouse.move(5, 5)
        check(page, "recent", 96, A_FEW)


# How far to the right the curves that are to be seen reach: of the large picture and of the small.
ENDS = """large => [...document.querySelectorAll(large ? ".reach svg svg path[stroke-linejoin]"
  : ".reach-tasks path[data-mark]")]
  .filter((path) => path.checkVisibility() && path.getAttribute("d"))
  .map((path) => { const { x, width } = path.getBBox(); return x + width; })"""


def test_covered_results_are_seen_when_guessed_or_skipped_and_on_paper(on_page):
    def reach_to(large):
        return max(page.evaluate(ENDS, large))

    with on_page(reach(covered=True)) as page:
        assert (reach_to(True) < 320, reach_to(False) < 320) == (True, True)  # of 1280
        assert page.get_by_role("slider", name="your guess, level").is_visible()
        page.emulate_media(media="print")
        assert (reach_to(True) > 1000, reach_to(False) > 1000) == (True, True)
        assert not page.locator(".ex-said").is_visible()
        assert not page.locator("label", has_text="your guess").is_visible()
        page.emulate_media(media="screen")
        assert (reach_to(True) < 320, reach_to(False) < 320) == (True, True)
        page.get_by_role("button", name="look").click()
        settled(page)
        assert reach_to(True) > 1000
        small = page.locator(".reach-tasks:not(.reach-paper) button")
        small.last.click()  # the other tasks wait for guesses of their own
        settled(page)
        assert reach_to(True) < 320
        page.get_by_role("button", name="skip the guesses").click()
        settled(page)
        assert reach_to(True) > 1000
