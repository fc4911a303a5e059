"""The figures of chapters 11 to 13: every control, by key, mouse and finger, against pecode."""

import re

import numpy as np
import pytest
from PIL import Image

import pecode
from pecode import scaling
from pecode.diagnose.variants import VARIANTS
from pecode.figures import BiasHeads, GuessTheBug, Stretch, TwoTurns, guess

from ..browser_fixtures import HTML, READY, ROOT, pages
from ..figures.page import MOUNTED, heap_after, median_step, opened, press, said, settled, slider
from .test_figures_part1b import number, path_ends, swipe
from .test_figures_part2 import choose, click, shapes
from .test_site import WIDTHS, violations

FIGURES = {
    "BiasHeads": BiasHeads,
    "TwoTurns": TwoTurns,
    "Stretch": Stretch,
    "GuessTheBug": GuessTheBug,
}
every_figure = pytest.mark.parametrize("name", FIGURES)


@pytest.fixture
def on_page(chromium, tmp_path):
    """Open figures on a page of their own."""
    return lambda *figures, **options: opened(chromium, tmp_path, *figures, **options)


def short(value):
    """Three digits, without zeros at the end."""
    return np.format_float_positional(float(f"{value:.3g}"), trim="-")


def drawings(page):
    return page.locator(".ex-drawings svg[role=img]")


def sizes(locator, *names):
    """Some attributes of many shapes, as an array of numbers."""
    return np.array(shapes(locator, *names), dtype=float)


# BiasHeads


def learned(rows):
    return np.array([row.split() for row in rows], dtype=float) / 1000


def bias_of(figure, scheme, n_heads, head, bidirectional, clip, causal):
    """The picture, its limit, how the text begins for an offset, and what is counted alike."""
    table, scalars = learned(figure.learned["table"]), learned(figure.learned["scalars"])
    if scheme == "alibi":
        slope = pecode.alibi_slopes(n_heads)[head - 1]
        picture = pecode.alibi_bias(64, [slope])[0]
        start = f"ALiBi, head {head} of {n_heads}, slope {short(slope)}"
        return picture, 4, lambda *_: start, np.arange(-63, 64)
    wishes = ["the token before", "near tokens", "far tokens", "tokens after the query"]
    if causal:
        wishes[3] += ", all masked here"
    one_way = scheme == "t5" and not bidirectional  # far tokens get the numbers of later ones
    made_up = scheme in figure.learned["made_up"] and not one_way
    made = f", made up to look at {wishes[head - 1]}" if made_up else ""
    if scheme == "t5":
        distance = figure.learned["max_distance"]
        picture = pecode.t5_bias(64, table, distance, bidirectional)[head - 1]

        buckets = pecode.t5_buckets(np.arange(-63, 64), len(table), distance, bidirectional)

        def begins(offset, least, most):
            which = f"T5 buckets, head {head} of {table.shape[1]}{made}"
            bucket = f"is in bucket {buckets[offset + 63]} of 0 to {len(table) - 1}"
            also = f", as are the offsets {number(least, 0)} to {number(most, 0)}"
            return f"{which}: offset {number(offset, 0)} {bucket}{also if least < most else ''}"

        return picture, max(4, np.ceil(np.abs(table).max())), begins, buckets
    offsets = pecode.clipped_relative_positions(64, clip)
    picture = scalars[offsets + len(scalars) // 2, head - 1]

    counted = np.clip(np.arange(-63, 64), -clip, clip)

    def clipped(offset, least, most):
        start = f"Offsets clipped at ±{clip}, head {head} of {scalars.shape[1]}{made}"
        alike = f": the offsets {number(least, 0)} to {number(most, 0)} all count as "
        return f"{start}{alike}{number(counted[offset + 63], 0)}" if least < most else start

    return picture, max(4, np.ceil(np.abs(scalars).max())), clipped, counted


def half_of(weights, query):
    """The smallest distance from the query within which half of the attention lies."""
    distances = np.abs(np.arange(64) - query)
    within = [weights[distances <= d].sum() for d in range(64)]
    return int(np.argmax(np.array(within) >= 0.5 - 1e-12))


def spread_of(picture, weights, query, causal):
    distance = half_of(weights, query)
    if causal and distance:
        return f"Half of the attention lies on the last {distance + 1} of {query + 1} tokens."
    if causal:
        tokens = "1 token" if query == 0 else f"{query + 1} tokens"
        return f"Half of the attention or more lies on the query itself, the last of {tokens}."
    before, after = weights[:query].sum(), weights[query + 1 :].sum()
    (one, gets), (other, _) = (
        ("token", "gets") if count == 1 else (f"{count} tokens", "get")
        for count in (query, 63 - query)
    )
    where = f"within {'1 token' if distance == 1 else f'{distance} tokens'}"
    sides = (
        "At equal distance before and after, the bias is the same: it has no direction."
        if np.allclose(picture, picture.T, atol=1e-12)
        else "At equal distance before and after, the bias differs: it has a direction."
    )
    return (
        f"The {one} before the query {gets} {number(100 * before, 0)}% of the attention, "
        f"the {other} after it {number(100 * after, 0)}%, half of it "
        f"{where if distance else 'on the query itself'}. {sides}"
    )


def check_heads(page, figure, query, key, causal=True, **state):
    """Compare the pictures and the text with the bias that pecode makes."""
    state = {"scheme": "alibi", "n_heads": 8, "head": 3, "bidirectional": True, "clip": 8} | state
    picture, limit, begins, groups = bias_of(figure, **state, causal=causal)
    row, offset = picture[query], key - query
    weights = pecode.softmax(np.where(causal & (np.arange(64) > query), -np.inf, row))
    even = 1 / (query + 1 if causal else 64)
    without = f"({number(even, 3)} without a bias)"
    alike = np.flatnonzero(groups == groups[offset + 63]) - 63
    least, most = alike[[0, -1]]
    assert len(alike) == most - least + 1  # one run
    found, why = f"bias {number(row[key])}, weight {number(weights[key], 3)} {without}", ""
    hidden = causal and offset > 0
    if hidden:
        found = "the key comes after the query and is masked"
    elif row[key] < 0 and weights[key] > even:
        why = " The bias is below 0, and yet the key gets more: "
    elif row[key] > 0 and weights[key] < even:
        why = " The bias is above 0, and yet the key gets less: "
    if why:
        why += "softmax compares it with the other keys."
    shaded = " (shaded)" if least < most and not hidden else ""
    note = ""
    if state["scheme"] == "t5" and not state["bidirectional"]:
        [bucket] = set(groups[64:])
        note = f" All tokens after the query share its bucket, {bucket}."
        assert groups[63] == bucket
    assert said(page) == (
        f"{begins(offset, least, most)}{shaded}.{note} Query {query}, key {key}, offset "
        f"{number(offset, 0)}: {found}.{why} {spread_of(picture, weights, query, causal)}"
    )
    heat, chosen = drawings(page).nth(0), drawings(page).nth(1)
    diagonals = shapes(heat.locator("path[shape-rendering]"), "fill", "fill-opacity", "d")
    assert len(diagonals) == 127
    for k, (fill, share, _) in enumerate(diagonals):
        expected = np.diagonal(picture, k - 63)
        assert float(share) == pytest.approx(min(abs(expected[0]) / limit, 1), abs=0.00051)
        if abs(expected[0]) > 1e-9:
            assert ("blue" in fill) == (expected[0] < 0)
    cells = np.argwhere(np.subtract.outer(-np.arange(64), -np.arange(64)) == offset)
    ends = (cells[[0, -1]] + 0.5) * 4 + [22, 34]  # rows are queries
    for mark in ("[stroke-dasharray='7 4']", "[stroke-width='5']"):  # the line and its edge
        assert np.abs(path_ends(heat.locator(f"path{mark}")) - ends[:, ::-1]).max() < 0.051
        visibility = heat.locator(f"path{mark}").get_attribute("visibility")
        assert visibility == ("hidden" if hidden else "visible")
    ring = f"var(--ex-{'paper' if hidden else 'accent'})"
    assert heat.locator("circle").get_attribute("fill") == ring
    assert sizes(heat.locator("circle"), "cx", "cy")[0] == pytest.approx(
        [36 + 4 * key, 24 + 4 * query]
    )
    row_frame = sizes(heat.locator("rect[stroke='var(--ex-ink)']"), "y", "height")
    assert row_frame.tolist() == [[22 + 4 * query, 4]]
    for mark in (heat.get_by_text("masked"), heat.locator("path[stroke-width='0.8']")):
        assert mark.get_attribute("visibility") == ("visible" if causal else "hidden")

    highest = 0 if state["scheme"] == "alibi" else limit
    y = 26 + 94 * np.clip((highest - row) / (highest + limit), 0, 1)
    seen = np.arange(query + 1 if causal else 64)
    curve = path_ends(chosen.locator("path[stroke-linejoin]"))
    assert np.abs(curve - np.stack([36 + 4 * seen, y[seen]], axis=1)).max() < 0.051
    # A masked key has no bias and no weight to be marked.
    for mark in ("circle", "path[stroke-width='4']"):
        visibility = chosen.locator(mark).get_attribute("visibility")
        assert visibility == ("hidden" if hidden else "visible")
    assert sizes(chosen.locator("circle"), "cx", "cy")[0] == pytest.approx([36 + 4 * key, y[key]])
    [(left, width, visibility)] = shapes(
        chosen.locator("rect[fill-opacity]"), "x", "width", "visibility"
    )
    assert visibility == ("visible" if shaded else "hidden")
    if shaded:
        keys = [k for k in seen if groups[k - query + 63] == groups[offset + 63]]
        assert [float(left), float(width)] == [34 + 4 * keys[0], 4 * len(keys)]
    bars = chosen.locator("path[stroke-width='3']").get_attribute("d")
    tops = np.array(re.findall(r"V([\d.]+)", bars), dtype=float)
    heights = (236 - tops) / 80
    assert len(heights) == 64
    scale = weights.max() / heights.max()
    assert np.abs(heights * scale - weights).max() < 0.001
    dotted = chosen.locator("path[stroke-dasharray='1 3']").first.get_attribute("d")
    start, level, end = map(float, re.fullmatch(r"M(\S+) (\S+)H(\S+)", dotted).groups())
    assert (start, end) == (34, 34 + 4 * (query + 1 if causal else 64))
    assert (236 - level) / 80 * scale == pytest.approx(even, rel=0.02)
    assert float(chosen.locator("text").nth(5).text_content()) == pytest.approx(scale, rel=0.02)


def test_the_cells_of_an_offset_are_one_shape(on_page):
    with on_page(BiasHeads()) as page:
        paths = shapes(drawings(page).first.locator("path[shape-rendering]"), "d")
        cells = {}
        for k, (d,) in enumerate(paths):
            for x, y in np.array(re.findall(r"M(\d+) (\d+)h4v4h-4z", d), dtype=int):
                cells[(y - 22) // 4, (x - 34) // 4] = k - 63
        offsets = pecode.relative_positions(64)
        assert cells == {(q, k): offsets[q, k] for q in range(64) for k in range(64)}


def test_what_is_hatched_is_what_the_mask_hides(on_page):
    with on_page(BiasHeads()) as page:
        lines = drawings(page).first.locator("path[stroke-width='0.8']").get_attribute("d")
        ends = np.array(re.findall(r"([\d.]+) ([\d.]+)", lines), dtype=float) - [34, 22]
        assert ((ends >= 0) & (ends <= 256)).all()
        assert (ends[:, 0] >= ends[:, 1]).all()  # keys after the query, up to the diagonal
        hatched = np.zeros((64, 64), dtype=bool)
        for start, end in ends.reshape(-1, 2, 2):
            x, y = np.linspace(start, end, 2000)[1:-1].T
            hatched[(y // 4).astype(int), (x // 4).astype(int)] = True
        later = pecode.relative_positions(64) > 0
        assert not (hatched & (pecode.relative_positions(64) < 0)).any()
        near = np.lib.stride_tricks.sliding_window_view(np.pad(hatched, 2), (5, 5))
        assert near.any(axis=(2, 3))[later].sum() > 0.98 * later.sum()


def test_bias_heads_by_keys_mouse_and_touch(on_page):
    figure = BiasHeads()
    with on_page(figure, has_touch=True) as page:
        check_heads(page, figure, 40, 30)
        head, heads = slider(page, "head"), slider(page, "number of heads")
        query, key = slider(page, "query position"), slider(page, "key position")
        press(page, head, "ArrowLeft", 2)
        check_heads(page, figure, 40, 30, head=1)
        press(page, heads, "ArrowLeft", 5)
        press(page, head, "End")
        check_heads(page, figure, 40, 30, n_heads=3, head=3)  # no power of two
        press(page, heads, "ArrowLeft", 1)
        check_heads(page, figure, 40, 30, n_heads=2, head=2)  # there is no third head
        assert (head.get_attribute("max"), head.input_value()) == ("2", "2")
        press(page, heads, "End")
        check_heads(page, figure, 40, 30, n_heads=16, head=2)
        press(page, head, "End")
        check_heads(page, figure, 40, 30, n_heads=16, head=16)
        for place in (39, 40, 41):
            key.fill(str(place))
            check_heads(page, figure, 40, place, n_heads=16, head=16)
        press(page, key, "End")
        check_heads(page, figure, 40, 63, n_heads=16, head=16)
        press(page, page.get_by_role("checkbox", name="causal mask"), "Space")
        check_heads(page, figure, 40, 63, n_heads=16, head=16, causal=False)
        press(page, query, "Home")
        check_heads(page, figure, 0, 63, n_heads=16, head=16, causal=False)
        page.get_by_text("causal mask").click()
        check_heads(page, figure, 0, 63, n_heads=16, head=16)
        click(page, query, 0.5, tap=True)
        place = int(query.input_value())
        assert 28 < place < 36
        check_heads(page, figure, place, 63, n_heads=16, head=16)

        heat = drawings(page).first
        box = heat.bounding_box()
        page.mouse.click(box["x"] + 34 + 4 * 20.5, box["y"] + 22 + 4 * 33.5)
        page.mouse.move(5, 5)
        check_heads(page, figure, 33, 20, n_heads=16, head=16)
        page.mouse.move(box["x"] + 34 + 4 * 7.5, box["y"] + 22 + 4 * 50.5)  # only looks
        check_heads(page, figure, 50, 7, n_heads=16, head=16)
        page.mouse.move(5, 5)
        check_heads(page, figure, 33, 20, n_heads=16, head=16)
        page.mouse.move(box["x"] + 34 + 4 * 7.5, box["y"] + 22 + 4 * 50.5)
        key.focus()
        page.keyboard.press("ArrowRight")  # followed, though the mouse rests on the picture
        check_heads(page, figure, 33, 21, n_heads=16, head=16)
        page.mouse.move(5, 5)
        page.touchscreen.tap(box["x"] + 34 + 4 * 1.5, box["y"] + 22 + 4 * 62.5)
        check_heads(page, figure, 62, 1, n_heads=16, head=16)
        swipe(page, heat, 40, 0)
        assert int(key.input_value()) > 30
        check_heads(
            page, figure, int(query.input_value()), int(key.input_value()), n_heads=16, head=16
        )


def test_the_other_biases_by_keys_and_mouse(on_page):
    figure = BiasHeads()
    with on_page(figure, size=(390, 844)) as page:
        press(page, page.get_by_role("combobox", name="bias"), "ArrowDown")
        state = {"scheme": "t5", "head": 3}
        check_heads(page, figure, 40, 30, **state)
        # Moved on a phone, the head shows what it looks at: the row is near, the map below it.
        top = slider(page, "head").bounding_box()["y"]
        heat, row = (drawings(page).nth(k).bounding_box() for k in range(2))
        assert row["y"] + row["height"] <= heat["y"] < top + 500
        assert slider(page, "number of heads").count() == 0
        for head in range(1, 5):
            slider(page, "head").fill(str(head))
            check_heads(page, figure, 40, 30, **state | {"head": head})
        page.get_by_role("checkbox", name="causal mask").uncheck()
        state = {"scheme": "t5", "head": 4, "causal": False}
        check_heads(page, figure, 40, 30, **state)
        page.get_by_text("buckets for both directions").click()
        check_heads(page, figure, 40, 30, bidirectional=False, **state)
        assert "made up to look at" not in said(page)
        slider(page, "key position").fill("60")
        check_heads(page, figure, 40, 60, bidirectional=False, **state)
        choose(page, "bias", 2)
        assert page.get_by_role("checkbox", name="buckets").count() == 0
        state["scheme"] = "clipped"
        check_heads(page, figure, 40, 60, **state)
        slider(page, "query position").fill("41")  # at 40 a share would be 62.5%, and a tie
        clip = slider(page, "clip")
        for key, value in [("End", 16), ("Home", 0), ("ArrowRight", 1)]:
            press(page, clip, key)
            check_heads(page, figure, 41, 60, clip=value, **state)
        choose(page, "bias", 0)
        assert clip.count() == 0
        check_heads(page, figure, 41, 60, head=4, causal=False)


def test_no_control_changes_its_place_with_the_scheme(on_page):
    for width in (390, 760):
        with on_page(BiasHeads(), size=(width, 1000)) as page:
            places = []
            for index in range(3):
                choose(page, "bias", index)
                kept = ["head", "query position", "key position"]
                boxes = [slider(page, name).bounding_box() for name in kept]
                places.append([(box["x"], box["y"]) for box in boxes])
            assert places[0] == places[1] == places[2]


def test_tables_of_ones_own(on_page):
    rng = np.random.default_rng(0)
    figure = BiasHeads(
        table=9 * rng.normal(size=(8, 16)), scalars=rng.normal(size=(3, 1)), max_distance=20,
        scheme="t5", head=16,
    )  # fmt: skip
    with on_page(figure) as page:
        check_heads(page, figure, 40, 30, scheme="t5", head=16)
        choose(page, "bias", 2)  # with one head only
        check_heads(page, figure, 40, 30, scheme="clipped", head=1, clip=1)


# TwoTurns


def check_turns(page, m, n, query=(1.0, 0.0) * 4, key=(1.0, 0.0) * 4, base=10_000.0):
    """Compare hands, angles, bars and text with what `rotate` makes; returns the score."""
    turned = np.stack(
        [pecode.rotate([vector], t, base)[0] for vector, t in [(query, m), (key, n)]]
    ).reshape(2, 4, 2)
    parts = (turned[0] * turned[1]).sum(axis=1)
    lengths = np.linalg.norm(turned, axis=2)
    complex_pairs = turned[..., 0] + 1j * turned[..., 1]
    angles = np.degrees(np.angle(complex_pairs[0] * complex_pairs[1].conj()))
    drawn = lengths.prod(axis=0) > 0
    starts = np.stack([query, key]).reshape(2, 4, 2) @ [1, 1j]
    whole = pecode.frequencies(8, base) * (m - n) + np.angle(starts[0] * starts[1].conj())
    turns = np.round((np.degrees(whole) - angles) / 360).astype(int)
    assert np.abs(360 * turns + angles - np.degrees(whole)).max(initial=0, where=drawn) < 1e-6
    counts = ["1 turn" if abs(k) == 1 else f"{abs(k)} turns" for k in turns]
    times = [f"{'−' * int(k < 0)}{c} and " if k else "" for k, c in zip(turns, counts, strict=True)]
    texts = [
        f"{k}{number(a, 1)}°" if d else "no angle"
        for k, a, d in zip(times, angles, drawn, strict=True)
    ]
    count = "1 token" if abs(m - n) == 1 else f"{abs(m - n)} tokens"
    stands = (
        f"{count} {'before' if m > n else 'after'} the query" if m != n else "the same position"
    )
    assert said(page) == (
        f"Query at t = {m}, key at s = {n}, {stands}: offset s − t = {number(n - m, 0)}. "
        f"Angles from key to query: {', '.join(texts)}. "
        f"The pairs give {', '.join(map(number, parts))}; the score is {number(parts.sum())}. "
        + (
            "Move both together: the hands turn, these numbers stay."
            if abs(m - n) < 500
            else "They stand at the two ends, so both together have no room to move."
        )
    )
    both = slider(page, "both together")
    assert both.is_disabled() == (abs(m - n) == 500)
    shown = "no room" if abs(m - n) == 500 else f"{m}, {n}"
    assert both.locator("xpath=../output").text_content() == shown
    line, total = drawings(page).nth(0), drawings(page).nth(1)
    x = 14 + 272 * np.array([n, m]) / 500
    assert sizes(line.locator("circle"), "cx")[:, 0] == pytest.approx(x)
    for i, (end, fraction) in enumerate(zip(turned.swapaxes(0, 1), parts, strict=True)):
        dial = drawings(page).nth(2 + i)
        assert dial.locator("text").all_text_contents() == [
            f"pair {i}: ω = {short(pecode.frequencies(8, base)[i])}",
            texts[i],
            f"gives {number(fraction)}",
        ]
        ends = sizes(dial.locator("g > circle"), "cx", "cy")
        expected = [69, 62] + 56 * end[::-1] * [1, -1] / lengths.max()
        assert ends == pytest.approx(expected, abs=1e-6)
        share = fraction / lengths.prod(axis=0).max()
        [bar] = shapes(dial.locator("rect"), "x", "width", "fill")
        assert float(bar[1]) == pytest.approx(56 * abs(share), abs=1e-6)
        assert float(bar[0]) == pytest.approx(69 + 56 * min(share, 0), abs=1e-6)
        assert bar[2] == f"var(--ex-{'blue' if share < 0 else 'red'})"
        wedge = dial.locator("path").get_attribute("d")
        assert bool(wedge) == drawn[i]
        if wedge:
            corners = np.array(re.findall(r"[L ](-?[\d.]+) (-?[\d.]+)(?=A|Z)", wedge), dtype=float)
            if abs(angles[i]) > 1e-6:  # the short way, from key to query
                assert f" 0 0 {int(angles[i] < 0)} " in wedge
            hands = end[::-1] / lengths[::-1, i][:, None]
            assert np.abs(corners - ([69, 62] + 0.6 * 56 * hands * [1, -1])).max() < 0.0051
    start = "the same vector" if np.array_equal(query, key) else "two vectors that stay as they are"
    assert page.get_by_text("Query and key start as").inner_text() == (
        f"Query and key start as {start}, so only their positions change the score. Hands turn "
        "counter-clockwise here; in chapters 4 and 5 they go clockwise, from the top."
    )
    width = sizes(total.locator("rect"), "width")[0, 0]
    most = lengths.prod(axis=0).sum()
    numbers = total.locator("text").all_text_contents()
    assert numbers[0] == f"score, the sum: {number(parts.sum())}"
    assert numbers[1:] == [f"−{short(most)}", "0", short(most)]
    assert width == pytest.approx(136 * abs(parts.sum()) / most, abs=1e-6)
    return parts.sum()


def test_two_turns_by_keys_mouse_and_touch(on_page):
    with on_page(TwoTurns(), has_touch=True) as page:
        m, n = slider(page, "query position t"), slider(page, "key position s")
        both = slider(page, "both together")
        score = check_turns(page, 120, 100)
        press(page, both, "ArrowRight", 3)
        assert check_turns(page, 123, 103) == pytest.approx(score)
        assert both.get_attribute("aria-valuetext") == "123 and 103"
        press(page, both, "End")
        assert check_turns(page, 500, 480) == pytest.approx(score)
        press(page, both, "Home")
        assert check_turns(page, 20, 0) == pytest.approx(score)
        press(page, m, "ArrowLeft", 2)
        press(page, n, "ArrowRight", 17)
        check_turns(page, 18, 17)
        press(page, n, "Home")
        assert check_turns(page, 18, 0) != pytest.approx(score, abs=0.01)
        press(page, n, "End")
        check_turns(page, 18, 500)
        press(page, both, "End")  # there is no room to the right
        check_turns(page, 18, 500)
        press(page, m, "Home")
        check_turns(page, 0, 500)
        press(page, m, "End")
        score = check_turns(page, 500, 500)
        assert score == pytest.approx(4)
        press(page, both, "Home")
        check_turns(page, 0, 0)
        click(page, m, 0.5)
        click(page, n, 0.25, tap=True)
        places = [int(control.input_value()) for control in (m, n)]
        assert np.abs(np.array(places) - [250, 125]).max() < 12
        score = check_turns(page, *places)
        line = drawings(page).first
        swipe(page, line, 272 / 500 * 30, 0)
        moved = [int(control.input_value()) for control in (m, n)]
        assert moved == pytest.approx([place + 30 for place in places], abs=1)
        assert check_turns(page, *moved) == pytest.approx(score)
        swipe(page, line, -300, 0)
        assert check_turns(page, moved[0] - moved[1], 0) == pytest.approx(score)


def test_vectors_of_ones_own_keep_their_score_too(on_page):
    rng = np.random.default_rng(3)
    query, key = rng.normal(size=(2, 8)).round(2)
    key[4:6] = 0  # a pair without a direction
    figure = TwoTurns(query=query.tolist(), key=key.tolist(), base=100.0, m=7, n=30)
    with on_page(figure, size=(390, 844)) as page:
        score = check_turns(page, 7, 30, query, key, 100.0)
        press(page, slider(page, "both together"), "ArrowRight", 5)
        assert check_turns(page, 12, 35, query, key, 100.0) == pytest.approx(score)


def test_vectors_of_zeros_give_nothing(on_page):
    zeros = [0.0] * 8
    with on_page(TwoTurns(query=zeros, key=zeros)) as page:
        assert "no angle, no angle, no angle, no angle. The pairs give 0.00" in said(page)
        assert drawings(page).nth(1).locator("text").all_text_contents()[1:] == ["0"] * 3
        assert "NaN" not in page.locator(".moving-figure").inner_html()


# Stretch

RULES = {
    "none": ("No scaling", lambda factor, trained: pecode.frequencies(8)),
    "interpolation": (
        "Position interpolation",
        lambda factor, trained: scaling.interpolated(8, factor),
    ),
    "ntk": ("NTK-aware", lambda factor, trained: scaling.ntk_aware(8, factor)),
    "yarn": ("YaRN", lambda factor, trained: scaling.yarn(8, factor, trained)),
    "llama3": (
        "Llama 3",
        lambda factor, trained: scaling.llama3(8, factor, trained, base=10_000.0),
    ),
}


def found_in(states):
    """What is said of the pairs: those at new angles, then those at angles hardly new."""
    parts = []
    for state, one, many in [
        ("new", "comes to a new angle", "come to new angles"),
        (
            "hardly new",
            "is less than 15° from angles that it has seen",
            "are less than 15° from angles that they have seen",
        ),
    ]:
        pairs = [str(i) for i in range(4) if states[i] == state]
        if len(pairs) == 1:
            parts.append(f"pair {pairs[0]} {one}")
        elif pairs:
            parts.append(f"pairs {', '.join(pairs[:-1])} and {pairs[-1]} {many}")
    return "; ".join(parts) or "all pairs show angles that they have seen"


def states_of(angles, limits):
    """Compare angles with the seen ones, sampled finely and looked at as points of a circle."""
    states = []
    for angle, limit in zip(angles, limits, strict=True):
        seen = np.linspace(0, min(limit, 2 * np.pi), 100_001)
        nearest = np.degrees(np.abs(np.angle(np.exp(1j * (angle - seen)))).min())
        states.append("seen" if nearest < 0.002 else "hardly new" if nearest < 15 else "new")
    return states


def seen_by_each(now, limits):
    """Which distances each pair has seen."""
    angles = np.arange(4096)[:, None] * now % (2 * np.pi)
    return (limits >= 2 * np.pi) | (angles <= limits * (1 + 1e-12))


def seen_and_reach(now, limits):
    """Which distances each pair has seen, and up to where all have."""
    among = seen_by_each(now, limits)
    return among, np.argmin(among.all(axis=1)) - 1


def in_words(parts):
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def cost_of(ratios):
    """The sentence on the steps, from how many times more slowly each pair turns."""
    slow = [i for i in range(4) if not np.isclose(ratios[i], 1, rtol=1e-9)]
    kept = [i for i in range(4) if i not in slow]
    if not slow:
        return "All pairs keep their steps."
    times = [short(ratios[i]) for i in slow]
    times = in_words(times if len(set(times)) > 1 else times[:1])
    turn = f"{'turns' if len(slow) == 1 else 'turn'} {times} times more slowly"
    if not kept:
        cost = f"all pairs {turn}"
    else:
        keeps = "keeps its step" if len(kept) == 1 else "keep their steps"
        names = [
            f"{'pair' if len(part) == 1 else 'pairs'} {in_words([str(i) for i in part])}"
            for part in (kept, slow)
        ]
        cost = f"{names[0]} {keeps}, {names[1]} {turn}"
    return f"The cost: {cost}, and there neighbors are more alike."


def test_what_a_rule_costs_is_said_of_each_pair(on_page):
    with on_page(Stretch(scaling="ntk")) as page:
        ratios = pecode.frequencies(8) / scaling.ntk_aware(8, 4)
        assert ratios == pytest.approx([1, 4 ** (1 / 3), 4 ** (2 / 3), 4])
        assert said(page).endswith(
            "up to distance 158; then pair 2 leaves them: it turns 2.52 times more slowly, not 4. "
            "The cost: pair 0 keeps its step, pairs 1, 2 and 3 turn 1.59, 2.52 and 4 times more "
            "slowly, and there neighbors are more alike."
        )
        assert int(63 * ratios[2]) == 158


def check_stretch(page, distance, scheme="none", factor=4.0, trained=64):
    """Compare dials and text with the frequencies of pecode; returns what the dials say."""
    name, rule = RULES[scheme]
    plain, now = pecode.frequencies(8), rule(factor, trained)
    limits = plain * (trained - 1)
    among, reach = seen_and_reach(now, limits)
    states = states_of(now * distance, limits)
    assert [state == "seen" for state in states] == among[distance].tolist()
    how = name if scheme == "none" else f"{name}, factor {short(factor)}"
    left = seen_by_each(now, limits)[reach + 1]
    leaving = [str(i) for i in range(4) if not left[i]]
    ends = f"pair {leaving[0]} leaves them"
    if len(leaving) > 1:
        ends = f"pairs {in_words(leaving)} leave them"
    elif scheme != "none" and (plain / now)[int(leaving[0])] < factor * (1 - 1e-9):
        slowed = (plain / now)[int(leaving[0])]
        ends += f": it turns {short(slowed)} times more slowly, not {short(factor)}"
        if slowed == 1:
            ends = f"pair {leaving[0]} leaves them: it keeps its step"
    assert said(page) == (
        f"Trained on {trained} tokens, the key {distance} tokens before the query. "
        f"{how}: {found_in(states)}. "
        f"All pairs stay among seen angles up to distance {reach}; then {ends}. "
        f"{cost_of(plain / now)}"
    )
    rows = page.locator("tbody tr")
    chosen = page.locator("tr.chosen th").all_inner_texts()
    assert chosen == [rows.locator("th").all_inner_texts()[list(RULES).index(scheme)]]
    for row, (_, other) in zip(rows.all(), RULES.values(), strict=True):
        there = other(factor, trained)
        assert row.locator("td").all_inner_texts() == [
            *(short(ratio) for ratio in plain / there),
            str(seen_and_reach(there, limits)[1]),
        ]
    for i in range(4):
        dial = drawings(page).nth(i)
        angle, before = now[i] * distance, plain[i] * distance
        state = states[i]
        color = f"var(--ex-{'accent' if state == 'new' else 'main'})"
        ends = sizes(dial.locator("line"), "x2", "y2")
        expected = [[69 + 56 * np.cos(a), 66 - 56 * np.sin(a)] for a in (before, angle)]
        assert ends == pytest.approx(np.array(expected), abs=1e-6)
        assert dial.locator("line").nth(1).get_attribute("stroke") == color
        visible = dial.locator("line").first.get_attribute("visibility")
        assert visible == ("hidden" if now[i] == plain[i] else "visible")
        dot, cross = dial.locator("circle").nth(1), dial.locator("path").nth(1)
        assert dot.get_attribute("visibility") == ("hidden" if state == "new" else "visible")
        assert dot.get_attribute("fill") == f"var(--ex-{'main' if state == 'seen' else 'paper'})"
        assert cross.get_attribute("visibility") == ("visible" if state == "new" else "hidden")
        arc = dial.locator("path").first.get_attribute("d")
        if limits[i] < 2 * np.pi:
            x, y = 69 + 56 * np.cos(limits[i]), 66 - 56 * np.sin(limits[i])
            assert arc == f"M125.00 66.00A56 56 0 {int(limits[i] > np.pi)} 0 {x:.2f} {y:.2f}"
        else:
            assert arc.count("A") == 2
        turns, shown = divmod(np.degrees(angle), 360)
        times = f"{turns:.0f} {'turn' if turns == 1 else 'turns'} and " if turns else ""
        ratio = plain[i] / now[i]
        assert dial.locator("text").all_text_contents() == [
            f"pair {i}: ω "
            + (f"= {short(now[i])}" if abs(ratio - 1) < 1e-12 else f"÷ {short(ratio)}"),
            "all angles seen"
            if limits[i] >= 2 * np.pi
            else f"seen up to {number(np.degrees(limits[i]), 1)}°",
            f"{times}{number(shown, 1)}°",
            state,
            f"1 step: {short(np.degrees(now[i]))}°",
        ]
    assert slider(page, "factor").get_attribute("aria-valuetext") == short(factor)
    assert page.get_by_text("without scaling").is_visible() == (scheme != "none")
    return states


SEEN, HARDLY, NEW = "seen", "hardly new", "new"


def test_stretch_by_keys_mouse_and_touch(on_page):
    with on_page(Stretch(), has_touch=True) as page:
        assert check_stretch(page, 200) == [SEEN, SEEN, NEW, HARDLY]
        distance, factor = slider(page, "distance"), slider(page, "factor")
        distance.fill("63")
        assert check_stretch(page, 63) == [SEEN] * 4
        press(page, distance, "ArrowRight")
        assert check_stretch(page, 64) == [SEEN, SEEN, HARDLY, HARDLY]
        for place in ("89", "90", "325"):  # 15° are 26.2 steps of pair 2, 261.8 of pair 3
            distance.fill(place)
            check_stretch(page, int(place))
        distance.fill("200")
        schemes = page.get_by_role("combobox", name="scaling")
        found = {}
        for scheme in list(RULES)[1:]:
            press(page, schemes, "ArrowDown")
            found[scheme] = check_stretch(page, 200, scheme)
        assert found == {
            "interpolation": [SEEN] * 4,
            "ntk": [SEEN, SEEN, HARDLY, SEEN],
            "yarn": [SEEN] * 4,
            "llama3": [SEEN] * 4,
        }
        press(page, factor, "Home")
        assert check_stretch(page, 200, "llama3", 1.0) == [SEEN, SEEN, NEW, HARDLY]
        choose(page, "scaling", 1)
        press(page, factor, "ArrowRight", 3)
        check_stretch(page, 200, "interpolation", 2.5)
        press(page, factor, "End")
        press(page, distance, "End")
        check_stretch(page, 511, "interpolation", 8.0)
        click(page, distance, 0.2, tap=True)
        click(page, factor, 0.5)
        chosen = int(distance.input_value()), float(factor.input_value())
        assert chosen == pytest.approx((102, 4.5), abs=12)
        check_stretch(page, chosen[0], "interpolation", chosen[1])
        press(page, distance, "Home")
        check_stretch(page, 0, "interpolation", chosen[1])


@pytest.mark.parametrize("trained", [16, 40, 63, 256])
@pytest.mark.parametrize("scheme", RULES)
def test_a_training_of_another_length(scheme, trained, on_page):
    with on_page(Stretch(scaling=scheme, trained=trained, distance=300), size=(390, 844)) as page:
        check_stretch(page, 300, scheme, 4.0, trained)


# GuessTheBug

NAMES, MEANINGS = list(guess.NAMES), guess.MEANINGS


def table_of(name, late=False):
    make = pecode.sinusoidal_table if name == "no bug" else VARIANTS[name].make
    return make(1024, 32)[960:] if late else make(1024, 32)[:64]


def shown_table(page, limit=1):
    cells = shapes(
        drawings(page).first.locator("rect[y]:not([height='12'])"), "fill", "fill-opacity"
    )
    cells = [cell for cell in cells if cell[1] is not None]
    values = [float(share) * (-1 if "blue" in fill else 1) for fill, share in cells]
    return limit * np.reshape(values, (64, 32))


def made_with(page):
    """The name of the table that is shown, from its cells: rows at the start and late ones."""
    box = page.get_by_role("checkbox", name="rows 960 to 1023")
    pictures = []
    for late in (False, True):
        box.set_checked(late)
        settled(page)
        pictures.append(shown_table(page))
    box.uncheck()
    settled(page)
    [name] = [
        name
        for name in NAMES
        if all(
            np.abs(table_of(name, late) - pictures[late]).max() < 0.00051 for late in (False, True)
        )
    ]
    return name


def seen_text(name, number_, column, late, so_far=""):
    table, right = table_of(name, late), table_of("no bug", late)
    first = 960 if late else 0
    apart = np.abs(table - right).max(axis=0)
    few = [", ".join(map(number, row[:4])) for row in table]
    off = "does not."
    if apart[column] > 1e-6:
        size = "less than 0.01" if apart[column] < 0.005 else number(apart[column])
        off = f"by up to {size}."
    return (
        f"Table {number_} of 14, rows {first} to {first + 63}. Row {first} begins {few[0]}, "
        f"row {first + 1} begins {few[1]}. {(apart > 1e-6).sum()} of 32 columns differ from those "
        f"of the right table; column {column} {off} {waves_text(name)}{so_far}"
    )


# The longest wavelength of each table in rows, where it is not that of the right one.
LONGEST = {
    "factor 2 doubled": "over a million",
    "factor 2 lost": "471",
    "exponent by column": "47,100",
    "wrong base": "4,080",
    "precedence": "over a million",
    "endpoint spacing": "62,800",
}


def waves_text(name):
    if name == "along the batch":
        return "No column changes from row to row."
    if name == "integer division":
        return "All wavelengths are 6.28 rows."
    if name == "divided twice":
        return "Wavelengths go from 0.00112 to 6.28 rows."
    return f"Wavelengths go from 6.28 to {LONGEST.get(name, '35,300')} rows."


def check_curve(page, name, column, late=False):
    side = drawings(page).nth(2)
    y = 22 + 4 * (np.arange(64) + 0.5)
    for path, made in [(0, "no bug"), (1, name), (2, name)]:
        x = 78 + 54 * table_of(made, late)[:, column]
        assert np.abs(path_ends(side.locator("path").nth(path)) - np.stack([x, y], 1)).max() < 0.051
    frame = sizes(drawings(page).first.locator("rect[stroke-width]"), "x")[0, 0]
    assert frame == 36 + 8 * column
    waves = drawings(page).nth(1)
    assert sizes(waves.locator("rect"), "x")[0, 0] == 36 + 8 * column
    right, dots = (path_ends(waves.locator("path").nth(k)) for k in range(2))
    x = 36 + 8 * (np.arange(32) + 0.5)
    lengths = 2 * np.pi / pecode.frequencies(32).repeat(2)
    assert np.abs(right - np.stack([x, 138 - 19 * np.log10(lengths)], axis=1)).max() < 0.051
    assert np.abs(dots[:, 0] - x).max() < 0.051
    if name == "low precision":
        assert np.array_equal(dots, right)
        return
    # Read off the table: x(t - 1) + x(t + 1) is 2 cos(2π / length) x(t).
    table = table_of(name)
    cosines = (table[1:-1] * (table[:-2] + table[2:])).sum(axis=0) / 2
    squares = (table[1:-1] ** 2).sum(axis=0)
    lengths = 2 * np.pi / np.maximum(np.arccos(np.clip(cosines / squares, -1, 1)), 1e-12)
    level = 138 - 19 * np.clip(np.log10(lengths), 0, 6)
    told = (lengths < 1e5) | (lengths > 1e7)  # between them the rounding of the table counts
    if name == "divided twice":  # waves of less than two rows look like longer ones
        told[2:] = False
        assert (np.diff(dots[2::2, 1]) >= 0).all()
    assert told[:2].all()
    assert np.abs(dots[:, 1] - level)[told].max() < 0.11


def check_compared(page, name):
    """After the check: the wavelengths of another mistake, dotted, and its name."""
    waves = drawings(page).nth(1)
    marks = [waves.locator("path").nth(k) for k in (2, 3)] + [waves.locator("text").last]
    shown = {mark.get_attribute("visibility") for mark in marks}
    assert shown == {"visible" if name else "hidden"}
    assert marks[2].text_content() == (f"“{name}”" if name else "")
    if not name:
        assert marks[0].get_attribute("d") == ""
        return
    level = 138 - 19 * np.clip(np.log10(wavelengths(name)), 0, 6)
    assert np.abs(path_ends(marks[0])[:, 1] - level).max() < 0.051


def wavelengths(name):
    pair = np.arange(32) // 2
    grows = {
        "factor 2 doubled": 10_000 ** (pair / 8),
        "factor 2 lost": 10_000 ** (pair / 32),
        "exponent by column": 10_000 ** (np.arange(32) / 32),
        "wrong base": 1000 ** (pair / 16),
        "precedence": np.exp(2 * pair),
        "integer division": np.ones(32),
        "divided twice": 10_000 ** (-pair / 16),
        "along the batch": np.full(32, np.inf),
        "concatenated": np.tile(10_000 ** (np.arange(16) / 16), 2),
        "endpoint spacing": 10_000 ** (pair / 15),
    }
    return 2 * np.pi * grows.get(name, 10_000 ** (pair / 16))


def test_look_at_a_table_by_keys_mouse_and_touch(on_page):
    with on_page(GuessTheBug(seed=3), has_touch=True) as page:
        name = made_with(page)
        column = slider(page, "column")
        assert said(page) == seen_text(name, 1, 6, late=False)
        check_curve(page, name, 6)
        press(page, column, "ArrowRight", 3)
        assert said(page) == seen_text(name, 1, 9, late=False)
        check_curve(page, name, 9)
        press(page, page.get_by_role("checkbox", name="difference"), "Space")
        apart = table_of(name) - table_of("no bug")
        assert np.abs(shown_table(page, limit=2) - apart).max() < 0.0011
        page.get_by_text("rows 960 to 1023").click()
        settled(page)
        apart = table_of(name, late=True) - table_of("no bug", late=True)
        assert np.abs(shown_table(page, limit=2) - apart).max() < 0.0011
        assert said(page) == seen_text(name, 1, 9, late=True)
        check_curve(page, name, 9, late=True)
        heat = drawings(page).first
        click(page, heat, (36 + 8 * 30.5) / 300)
        check_curve(page, name, 30, late=True)
        click(page, heat, (36 + 8 * 2.5) / 300, tap=True)
        check_curve(page, name, 2, late=True)
        swipe(page, heat, 40, 0)
        check_curve(page, name, 19, late=True)
        assert column.input_value() == "19"
        # What the slider changes is in sight while it is moved, on a phone, too.
        page.set_viewport_size({"width": 390, "height": 700})
        column.scroll_into_view_if_needed()
        curve = page.locator(".ex-drawings svg[role=img]").nth(2).bounding_box()
        below = column.bounding_box()
        assert 0 <= below["y"] - (curve["y"] + curve["height"]) < 50
        assert below["width"] > 290
        press(page, column, "End")
        check_curve(page, name, 31, late=True)


def test_all_tables_are_guessed_from_their_cells(on_page):
    with on_page(GuessTheBug(seed=9)) as page:
        first_of_the_next = made_with(page)
    with on_page(GuessTheBug(seed=8), size=(390, 844)) as page:
        button, met, missed, right = page.locator(".moving-figure button"), [], [], 0
        for k in range(14):
            name = made_with(page)
            met.append(name)
            check_curve(page, name, 6)
            start = seen_text(name, k + 1, 6, late=False)
            so_far = f" So far {right} of {k} right." if k else ""
            assert said(page) == start + so_far
            assert button.inner_text() == "check"
            assert button.is_disabled()
            answer = name if k % 3 else NAMES[NAMES.index(name) - 1]  # every third is wrong
            right += answer == name
            page.get_by_role("radio", name=answer, exact=True).check()
            # What the choice means is told before the check, and nothing more.
            check_compared(page, "")
            assert said(page) == f"“{answer}” means: {MEANINGS[answer]} {start}{so_far}"
            button.click()
            about = guess.ABOUT
            verdict = "Right" if answer == name else f"You said “{answer}”, but no"
            wrong = about[answer].replace("Look at:", "You would see:")
            other = f" And “{answer}”, dotted below the table, would be: {wrong}"
            other = "" if answer == name else other
            missed += [] if answer == name else [f"“{name}”"]
            listed = f" Missed: {', '.join(missed)}." if k == 13 else ""
            assert said(page) == (
                f"{verdict}: it is “{name}”. {about[name]}{other} {right} of {k + 1} right.{listed}"
            )
            check_compared(page, "" if answer == name else answer)
            marked = page.locator("label.guess.right").inner_text()
            assert marked == f"{name}\u00a0✓"
            assert page.get_by_text("✗").count() == (answer != name)
            assert button.inner_text() == ("next table" if k < 13 else "begin again")
            button.press("Enter")
            assert page.evaluate("document.activeElement.value") == NAMES[0]  # not lost
            assert page.locator("input[type=radio]:checked").count() == 0
            assert drawings(page).first.bounding_box()["y"] > -1  # the next table is in sight
        assert sorted(met) == sorted(NAMES)
        assert re.fullmatch(r"Table 1 of 14.* (rows|to row)\.", said(page))  # and no score
        assert page.locator("input[type=radio]:checked").count() == 0
        assert made_with(page) == first_of_the_next


def test_after_the_check_other_names_can_be_compared(on_page):
    with on_page(GuessTheBug(seed=3)) as page:
        name = made_with(page)
        wrong, third = [other for other in NAMES if other != name][:2]
        page.get_by_text(wrong, exact=True).click()
        page.keyboard.press("Enter")  # in the list of names: as good as the button
        assert said(page).startswith(f"You said “{wrong}”, but no: it is “{name}”.")
        page.get_by_role("radio", name=third, exact=True).check()
        about = guess.ABOUT[third].replace("Look at:", "You would see:")
        text = f"And “{third}”, dotted below the table, would be: {about} 0 of 1 right."
        assert text in said(page)
        check_compared(page, third)  # the drawing follows
        page.get_by_role("radio", name=name, exact=True).check()
        assert said(page).startswith(f"You said “{wrong}”, but no: it is “{name}”.")
        assert said(page).endswith("0 of 1 right.")  # the first answer counts


def test_names_are_chosen_by_the_arrow_keys(on_page):
    with on_page(GuessTheBug(seed=3), GuessTheBug(seed=4), size=(760, 1600)) as page:
        first, second = (page.locator(".moving-figure").nth(k) for k in range(2))
        press(page, first.get_by_role("radio").nth(0), "Space")
        press(page, first.get_by_role("radio").nth(0), "ArrowDown", 3)
        assert first.locator("input:checked").get_attribute("value") == NAMES[3]
        assert second.locator("input:checked").count() == 0  # a group of its own
        press(page, second.get_by_role("radio").nth(0), "ArrowUp")
        assert second.locator("input:checked").get_attribute("value") == NAMES[-1]
        assert first.locator("input:checked").get_attribute("value") == NAMES[3]
        press(page, first.locator("button"), "Space")
        assert "0 of 1 right." in said(page, 0) or "1 of 1 right." in said(page, 0)
        assert said(page, 1).startswith(f"“{NAMES[-1]}” means: {MEANINGS[NAMES[-1]]} Table 1 of 14")


def test_nothing_on_the_page_tells_the_answer_before_the_check(on_page):
    """Each name stands in the page as often as every other: once as a value, once to be read."""
    for seed in range(3):
        with on_page(GuessTheBug(seed=seed, late=True, difference=True)) as page:
            html = page.locator(".moving-figure").inner_html()
            assert {html.count(f">{name}<") for name in NAMES} == {1}
            assert {html.count(f'value="{name}"') for name in NAMES} == {1}
            assert sum(html.count(name) for name in NAMES) == 2 * len(NAMES)


# All of them


@every_figure
def test_a_step_is_quick_and_memory_does_not_grow(name, on_page):
    figure = BiasHeads(scheme="t5") if name == "BiasHeads" else FIGURES[name]()
    with on_page(figure) as page:
        ranges = page.locator("input[type=range]")
        for index in range(ranges.count()):
            if ranges.nth(index).is_visible():
                assert median_step(page, index, steps=21) < 16
        heap_after(page, 200)
        before, nodes = heap_after(page, 100)
        after, nodes_after = heap_after(page, 1000)
        assert after - before < 200_000
        assert nodes_after - nodes < 50


def test_figures_fit_every_screen_and_their_letters_can_be_read(on_page):
    with on_page(*(figure() for figure in FIGURES.values())) as page:
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            settled(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            letters = page.locator(
                ".moving-figure text, .moving-figure :is(p, span, output, select, legend, button)"
            )
            smallest = letters.evaluate_all(
                """all => Math.min(...all.map(e => parseFloat(getComputedStyle(e).fontSize)
                     * (e.getScreenCTM ? e.getScreenCTM()?.a ?? 1 : 1)))"""
            )
            assert smallest >= 12


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_figures_are_accessible(theme, width, on_page):
    checked = GuessTheBug(answers=["wrong base"], chosen="wrong base")
    shown = [figure() for figure in FIGURES.values()]
    with on_page(*shown, checked, theme=theme, size=(width, 900)) as page:
        assert violations(page) == []
        assert page.locator(".ex-heard[aria-live=polite]").count() == 5
        assert page.locator(".moving-figure [id]").count() == 0


def test_every_control_is_reached_with_the_tab_key(on_page):
    controls = "input, select, button"
    shown = [
        BiasHeads(scheme="t5"),
        TwoTurns(),
        Stretch(scaling="yarn"),
        GuessTheBug(chosen="no bug"),
    ]
    with on_page(*shown) as page:
        wanted = page.locator(f":is({controls}):visible").count()
        assert wanted == (4 + 2) + 3 + 3 + (3 + 14 + 1)
        reached = set()
        for _ in range(wanted - 13):  # of the names, one; the arrow keys go on from there
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    """(controls) => [...document.querySelectorAll(controls)]
                         .indexOf(document.activeElement)""",
                    controls,
                )
            )
        assert len(reached - {-1}) == wanted - 13


def test_colors_follow_the_theme_and_paper_is_white(on_page):
    with on_page(*(figure() for figure in FIGURES.values()), theme="dark") as page:
        first = page.locator(".moving-figure").first
        dark = first.evaluate("e => getComputedStyle(e).color")
        page.evaluate("document.documentElement.dataset.theme = 'light'")
        light = first.evaluate("e => getComputedStyle(e).color")
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        page.emulate_media(media="print")
        settled(page)
        assert page.locator(":is(input[type=range], button):visible").count() == 0
        assert page.locator(".moving-figure").evaluate_all(
            "all => all.map(e => getComputedStyle(e).color)"
        ) == [light] * len(FIGURES)
        assert light != dark


def test_two_figures_on_a_page_keep_their_own_state(on_page):
    with on_page(BiasHeads(), BiasHeads(), TwoTurns(), TwoTurns(), size=(760, 2000)) as page:
        texts = [said(page, k) for k in range(4)]
        press(page, slider(page, "head", 1), "ArrowLeft")
        press(page, slider(page, "both together", 3), "End")
        for k, text in enumerate(texts):
            assert (said(page, k) == text) == (k in (0, 2))


@every_figure
def test_the_still_picture_says_what_the_page_says(name, chromium):
    """What a figure draws comes from its chapter, too: the picture must not be older."""
    shown = f'"_anywidget_id": "pecode.figures.{name}"'
    chapters = [page for page in pages() if shown in (HTML / page).read_text(encoding="utf8")]
    assert len(chapters) == 1
    page = chromium.new_page()
    page.emulate_media(media="print")  # every figure is drawn at once
    page.goto((HTML / chapters[0]).as_uri())
    page.wait_for_function(READY)
    page.wait_for_function(MOUNTED, arg=page.locator("script[type$='widget-view+json']").count())
    texts = page.locator(".ex-said").all_inner_texts()
    page.close()
    with Image.open(ROOT / "site" / "stills" / f"{name}.png") as still:
        described = still.info["Description"]
    alt = getattr(pecode.figures, name).alt
    assert described in [f"{alt} {text}" for text in texts], f"{name}: run `make stills`"
