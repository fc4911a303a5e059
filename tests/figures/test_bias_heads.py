"""BiasHeads: the picture of the bias, a row of it and the text against pecode."""

import json
import re

import numpy as np
import pytest
from traitlets import TraitError

import pecode
from figures import BiasHeads

from .page import (
    cells,
    choose,
    click,
    near,
    number,
    numbers,
    path,
    points,
    press,
    said,
    shapes,
    short,
    sizes,
    slider,
    swipe,
    texts,
    visible,
)
from .values import refuses, takes


def test_values():
    assert repr(BiasHeads()) == (
        "BiasHeads(bidirectional=True, causal=True, clip=8, head=3, key=30, n_heads=8, query=40, "
        "scheme='alibi')"
    )
    takes(
        BiasHeads, scheme=["alibi", "t5", "clipped"], n_heads=[3, 12, 16], head=[1, 8],
        query=[0, 63], clip=[0, 16],
    )  # fmt: skip
    refuses(
        BiasHeads, scheme=["rotary"], n_heads=[0, 17], head=[0, 9], query=[64], key=[-1],
        clip=[17], causal=["yes"],
    )  # fmt: skip


def test_three_decimals_are_kept_as_plain_numbers():
    table, scalars = np.full((4, 2), 0.12345), [[-1.0], [0.0], [2.0]]
    figure = BiasHeads(table=table, scalars=scalars, max_distance=np.int64(9))
    assert json.loads(json.dumps(figure.learned)) == {
        "table": ["123 123"] * 4,
        "scalars": ["-1000", "0", "2000"],
        "max_distance": 9,
        "made_up": [],
    }
    assert BiasHeads().learned["made_up"] == ["t5", "clipped"]
    assert BiasHeads(table=table).learned["made_up"] == ["clipped"]
    assert figure.clip == 1
    with pytest.raises(TraitError, match="read-only"):
        figure.learned = {}


def test_there_are_as_many_heads_as_the_scheme_has():
    figure = BiasHeads(table=np.zeros((8, 2)), scalars=np.zeros((5, 16)), n_heads=4, head=4)
    figure.scheme = "t5"
    assert figure.head == 2
    with pytest.raises(TraitError, match=r"'head'.*less than 3"):
        figure.head = 3
    figure.scheme = "clipped"
    figure.head = 16
    figure.scheme = "alibi"
    assert figure.head == 4
    figure.n_heads = 3
    assert figure.head == 3
    assert BiasHeads(n_heads=1).head == 1
    with pytest.raises(TraitError, match=r"'clip'.*less than 3"):
        figure.clip = 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"table": np.zeros(32)}, "table: expected finite numbers in 2 dimensions"),
        ({"table": np.zeros((2, 4))}, "table: expected an even number of buckets"),
        ({"table": np.zeros((33, 4))}, "table: expected an even number of buckets"),
        ({"table": np.zeros((66, 4))}, "table: expected an even number of buckets"),
        ({"table": np.zeros((32, 17))}, "table: expected 1 to 16 heads"),
        ({"table": np.zeros((32, 0))}, "table: expected finite numbers"),
        ({"table": np.full((32, 4), np.inf)}, "table: expected finite numbers"),
        ({"table": "none"}, "table: expected numbers"),
        ({"scalars": np.zeros((4, 1))}, "scalars: expected an odd number of rows up to 127"),
        ({"scalars": np.zeros((129, 1))}, "scalars: expected an odd number of rows up to 127"),
        ({"max_distance": 16}, "max_distance: expected more than 16, half of the buckets, got 16"),
        *(
            ({"max_distance": value}, f"expected a whole number from 3 to 1024, got {value}")
            for value in (2, 2000, 64.0, True)
        ),
    ],
)
def test_a_bad_bias_is_refused(given, message):
    with pytest.raises(TraitError, match=message):
        BiasHeads(**given)


def learned(rows):
    return np.array([row.split() for row in rows], dtype=float) / 1000


def test_the_made_up_heads_look_where_they_are_said_to_look():
    """Before, near, far and after, in both of the ways in which a bias is stored."""
    given = BiasHeads().learned
    scalars, table = learned(given["scalars"]), learned(given["table"])
    before, close, far, after = scalars.T
    assert [before.argmax(), close.argmax(), far.argmin()] == [15, 16, 16]
    assert np.array_equal(close, close[::-1])
    assert np.array_equal(after, -after[::-1])
    assert (np.diff(after) > 0).all()
    for distance in range(1, 8):  # each has a bucket to itself, on both sides
        assert np.array_equal(table[distance], scalars[16 - distance])
        assert np.array_equal(table[16 + distance], scalars[16 + distance])


WISHES = ["the token before", "near tokens", "far tokens", "tokens after the query"]


def bias_of(figure, scheme, n_heads, head, bidirectional, clip, causal):
    """Return the picture, its limit, how the text begins for an offset, and what counts alike."""
    table, scalars = learned(figure.learned["table"]), learned(figure.learned["scalars"])
    offsets = np.arange(-63, 64)
    if scheme == "alibi":
        slope = pecode.alibi_slopes(n_heads)[head - 1]
        start = f"ALiBi, head {head} of {n_heads}, slope {short(slope)}"
        return pecode.alibi_bias(64, [slope])[0], 4, lambda *_: start, offsets
    one_way = scheme == "t5" and not bidirectional  # far tokens get the numbers of later ones
    made = ""
    if scheme in figure.learned["made_up"] and not one_way:
        masked = ", all masked here" if causal and head == 4 else ""
        made = f", made up to look at {WISHES[head - 1]}{masked}"
    if scheme == "t5":
        distance = figure.learned["max_distance"]
        picture = pecode.t5_bias(64, table, distance, bidirectional)[head - 1]
        buckets = pecode.t5_buckets(offsets, len(table), distance, bidirectional)

        def begins(offset, least, most):
            also = f", as are the offsets {number(least, 0)} to {number(most, 0)}"
            return (
                f"T5 buckets, head {head} of {table.shape[1]}{made}: offset {number(offset, 0)} is "
                f"in bucket {buckets[offset + 63]} of 0 to {len(table) - 1}"
                f"{also if least < most else ''}"
            )

        return picture, max(4, np.ceil(np.abs(table).max())), begins, buckets
    counted = np.clip(offsets, -clip, clip)
    rows = pecode.clipped_relative_positions(64, clip) + len(scalars) // 2

    def clipped(offset, least, most):
        start = f"Offsets clipped at ±{clip}, head {head} of {scalars.shape[1]}{made}"
        alike = f": the offsets {number(least, 0)} to {number(most, 0)} all count as "
        return f"{start}{alike}{number(counted[offset + 63], 0)}" if least < most else start

    return scalars[rows, head - 1], max(4, np.ceil(np.abs(scalars).max())), clipped, counted


def spread_of(picture, weights, query, causal):
    distances = np.abs(np.arange(64) - query)
    within = np.array([weights[distances <= d].sum() for d in range(64)])
    half = int(np.argmax(within >= 0.5 - 1e-12))  # as far from the query as half of it lies
    if causal and half:
        return f"Half of the attention lies on the last {half + 1} of {query + 1} tokens."
    if causal:
        tokens = "1 token" if query == 0 else f"{query + 1} tokens"
        return f"Half of the attention or more lies on the query itself, the last of {tokens}."
    before, after = weights[:query].sum(), weights[query + 1 :].sum()
    (one, gets), (other, _) = (
        ("token", "gets") if count == 1 else (f"{count} tokens", "get")
        for count in (query, 63 - query)
    )
    where = f"within {'1 token' if half == 1 else f'{half} tokens'}"
    differs = "differs: it has a direction."
    if np.allclose(picture, picture.T, atol=1e-12):
        differs = "is the same: it has no direction."
    return (
        f"The {one} before the query {gets} {number(100 * before, 0)}% of the attention, "
        f"the {other} after it {number(100 * after, 0)}%, half of it "
        f"{where if half else 'on the query itself'}. At equal distance before and after, the "
        f"bias {differs}"
    )


def check_picture(page, picture, limit, query, key, causal):
    offset, hidden = key - query, causal and key > query
    cells = shapes(page, "0 path[shape-rendering]", "fill", "fill-opacity")
    values = np.r_[picture[::-1, 0], picture[0, 1:]]  # one for each offset
    shares = [float(opacity) for _, opacity in cells]
    assert near(shares, np.minimum(np.abs(values) / limit, 1), 0.00051)
    for (fill, _), value in zip(cells, values, strict=True):
        assert abs(value) < 1e-9 or ("blue" in fill) == (value < 0)
    line = np.array([max(-offset, 0), 63 - max(offset, 0)])  # its first and its last query
    ends = np.stack([36 + 4 * (line + offset), 24 + 4 * line], axis=1)
    for mark in ("0 path[stroke-dasharray='7 4']", "0 path[stroke-width='5']"):  # and its edge
        assert near(path(page, mark), ends)
        assert visible(page, mark) == [not hidden]
    [[x, y, fill]] = shapes(page, "0 circle", "cx", "cy", "fill")
    assert near([float(x), float(y)], [36 + 4 * key, 24 + 4 * query], 1e-6)
    assert fill == f"var(--ex-{'paper' if hidden else 'accent'})"
    assert sizes(page, "0 rect[stroke='var(--ex-ink)']", "y", "height").tolist() == [
        [22 + 4 * query, 4]
    ]
    masked = [seen for text, seen in shapes(page, "0 text", "text", "visibility") if "mask" in text]
    assert [*masked, *shapes(page, "0 path[stroke-width='0.8']", "visibility")[0]] == [
        "visible" if causal else "hidden"
    ] * 2


def check_words(page, weights, query, key, causal):
    """Each key is a word, shaded as strongly as the query looks at it."""
    found = shapes(page, ".bias-words span", "style", "class")
    shades = [float(re.search(r"([\d.]+)%", style)[1]) / 45 for style, _ in found]
    assert near(shades, weights / weights.max(), 0.0012)
    for k, (_, kinds) in enumerate(found):
        expected = {"masked": causal and k > query, "query": k == query, "key": k == key}
        assert kinds.split() == [kind for kind, there in expected.items() if there]


def check_small(page, figure, state, causal, limit):
    """Every head of the scheme has a small picture of its bias; the chosen one is pressed."""
    buttons = page.locator(".bias-heads button:visible").all()
    pressed = [button.get_attribute("aria-pressed") == "true" for button in buttons]
    assert len(pressed) == {"alibi": state["n_heads"]}.get(state["scheme"], len(pressed))
    assert np.flatnonzero(pressed).tolist() == [state["head"] - 1]
    every = slice(None, None, 2)
    for k in {0, state["head"] - 1, len(pressed) - 1}:
        picture = bias_of(figure, **(state | {"head": k + 1}), causal=causal)[0][every, every]
        seen = np.tril(picture) if causal else picture
        assert near(cells(page, k), np.clip(seen / limit, -1, 1), 0.005)


def check(page, figure, query, key, causal=True, **state):
    """Compare the pictures and the text with the bias that pecode makes."""
    state = {"scheme": "alibi", "n_heads": 8, "head": 3, "bidirectional": True, "clip": 8} | state
    picture, limit, begins, groups = bias_of(figure, **state, causal=causal)
    row, offset = picture[query], key - query
    weights = pecode.softmax(np.where(causal & (np.arange(64) > query), -np.inf, row))
    even = 1 / (query + 1 if causal else 64)
    alike = np.flatnonzero(groups == groups[offset + 63]) - 63
    least, most = alike[[0, -1]]
    assert len(alike) == most - least + 1  # one run
    hidden = causal and offset > 0
    words = [re.sub("[^A-Za-z]", "", word) for word in texts(page, ".bias-words span")]
    assert len(words) == 64
    at_query, at_key = f"query {query} (“{words[query]}”)", f"key {key} (“{words[key]}”)"
    found, why = f"{at_key} comes after {at_query} and is masked.", ""
    if not hidden:
        found = (
            f"{at_query} gives {at_key} the weight {number(weights[key], 3)}; its bias is "
            f"{number(row[key])}, and without any it would get {number(even, 3)}."
        )
        if row[key] < 0 and weights[key] > even:
            why = " The bias is below 0, and yet the key gets more: "
        elif row[key] > 0 and weights[key] < even:
            why = " The bias is above 0, and yet the key gets less: "
        why += "softmax compares it with the other keys." if why else ""
    shaded = least < most and not hidden
    note = ""
    if state["scheme"] == "t5" and not state["bidirectional"]:
        assert set(groups[63:]) == {0}
        note = " All tokens after the query share its bucket, 0."
    assert said(page) == f"Head {state['head']}: {found}"
    assert numbers(page) == (
        f"{begins(offset, least, most)}{' (shaded)' if shaded else ''}.{note}{why} "
        f"{spread_of(picture, weights, query, causal)}"
    )
    check_words(page, weights, query, key, causal)
    check_small(page, figure, state, causal, limit)
    check_picture(page, picture, limit, query, key, causal)

    highest = 0 if state["scheme"] == "alibi" else limit
    y = 26 + 94 * np.clip((highest - row) / (highest + limit), 0, 1)
    seen = np.arange(query + 1 if causal else 64)
    assert near(path(page, "1 path[stroke-linejoin]"), np.stack([36 + 4 * seen, y[seen]], axis=1))
    for mark in ("1 circle", "1 path[stroke-width='4']"):  # a masked key is not marked
        assert visible(page, mark) == [not hidden]
    assert near(sizes(page, "1 circle", "cx", "cy"), [[36 + 4 * key, y[key]]])
    assert visible(page, "1 rect[fill-opacity]") == [shaded]
    if shaded:
        keys = [k for k in seen if groups[k - query + 63] == groups[offset + 63]]
        extent = sizes(page, "1 rect[fill-opacity]", "x", "width")
        assert extent.tolist() == [[34 + 4 * keys[0], 4 * len(keys)]]
    [[bars]] = shapes(page, "1 path[stroke-width='3']", "d")
    heights = (236 - np.array(re.findall(r"V([\d.]+)", bars), dtype=float)) / 80
    scale = float(texts(page, "1 text")[5])
    assert near(heights * scale, weights, 0.001 * max(scale, 0.5))
    [dotted, _] = shapes(page, "1 path[stroke-dasharray='1 3']", "d")
    start, level, end = map(float, re.fullmatch(r"M(\S+) (\S+)H(\S+)", dotted[0]).groups())
    assert (start, end) == (34, 34 + 4 * (query + 1 if causal else 64))
    assert (236 - level) / 80 * scale == pytest.approx(even, rel=0.02)


def test_the_cells_of_an_offset_are_one_shape_and_the_masked_ones_are_hatched(on_page):
    with on_page(BiasHeads()) as page:
        cells = {}
        for k, [d] in enumerate(shapes(page, "0 path[shape-rendering]", "d")):
            for x, y in np.array(re.findall(r"M(\d+) (\d+)h4v4h-4z", d), dtype=int):
                cells[(y - 22) // 4, (x - 34) // 4] = k - 63
        offsets = pecode.relative_positions(64)
        assert cells == {(q, k): offsets[q, k] for q in range(64) for k in range(64)}
        ends = points(shapes(page, "0 path[stroke-width='0.8']", "d")[0][0]) - [34, 22]
        assert ((ends >= 0) & (ends <= 256)).all()
        assert (ends[:, 0] >= ends[:, 1]).all()  # keys after the query, up to the diagonal
        hatched = np.zeros((64, 64), dtype=bool)
        for start, end in ends.reshape(-1, 2, 2):
            x, y = np.linspace(start, end, 2000)[1:-1].T
            hatched[(y // 4).astype(int), (x // 4).astype(int)] = True
        assert not (hatched & (offsets < 0)).any()
        around = np.lib.stride_tricks.sliding_window_view(np.pad(hatched, 2), (5, 5))
        assert around.any(axis=(2, 3))[offsets > 0].mean() > 0.98


def test_keys_mouse_and_touch(on_page):
    figure = BiasHeads()
    with on_page(figure, has_touch=True) as page:
        check(page, figure, 40, 30)
        head, heads = slider(page, "head"), slider(page, "number of heads")
        query, key = slider(page, "query position"), slider(page, "key position")
        press(page, head, "ArrowLeft", 2)
        check(page, figure, 40, 30, head=1)
        press(page, heads, "ArrowLeft", 5)
        press(page, head, "End")
        check(page, figure, 40, 30, n_heads=3, head=3)  # no power of two
        press(page, heads, "ArrowLeft", 1)
        check(page, figure, 40, 30, n_heads=2, head=2)  # there is no third head
        assert (head.get_attribute("max"), head.input_value()) == ("2", "2")
        press(page, heads, "End")
        press(page, head, "End")
        state = {"n_heads": 16, "head": 16}
        for place in (39, 40, 41):
            key.fill(str(place))
            check(page, figure, 40, place, **state)
        press(page, key, "End")
        check(page, figure, 40, 63, **state)
        press(page, page.get_by_role("checkbox", name="causal mask"), "Space")
        check(page, figure, 40, 63, **state, causal=False)
        press(page, query, "Home")
        check(page, figure, 0, 63, **state, causal=False)
        page.get_by_text("causal mask").click()
        check(page, figure, 0, 63, **state)
        click(page, query, 0.5, tap=True)
        place = int(query.input_value())
        assert 28 < place < 36
        check(page, figure, place, 63, **state)

        heat = page.locator(".ex-drawings svg").first
        box = heat.bounding_box()

        def cell(query, key):
            return box["x"] + 36 + 4 * key, box["y"] + 24 + 4 * query

        page.mouse.click(*cell(33, 20))
        page.mouse.move(5, 5)
        check(page, figure, 33, 20, **state)
        page.mouse.move(*cell(50, 7))  # only looks
        check(page, figure, 50, 7, **state)
        page.mouse.move(5, 5)
        check(page, figure, 33, 20, **state)
        page.mouse.move(*cell(50, 7))
        press(page, key, "ArrowRight")  # followed, though the mouse rests on the picture
        check(page, figure, 33, 21, **state)
        page.mouse.move(5, 5)
        page.touchscreen.tap(*cell(62, 1))
        check(page, figure, 62, 1, **state)
        swipe(page, heat, 40)
        assert int(key.input_value()) > 30
        check(page, figure, int(query.input_value()), int(key.input_value()), **state)
        query.fill("40")
        page.get_by_role("button", name="head 5", exact=True).click()
        page.locator(".bias-words span").nth(12).tap()
        check(page, figure, 40, 12, n_heads=16, head=5)


def test_the_other_biases(on_page):
    figure = BiasHeads()
    with on_page(figure, size=(390, 844)) as page:
        press(page, page.get_by_role("combobox", name="bias"), "ArrowDown")
        # Moved on a phone, the head shows what it looks at: the row is near, the map below it.
        top = slider(page, "head").bounding_box()["y"]
        heat, row = (page.locator(".ex-drawings svg").nth(k).bounding_box() for k in range(2))
        assert row["y"] + row["height"] <= heat["y"] < top + 900
        assert slider(page, "number of heads").count() == 0
        for head in range(1, 5):
            slider(page, "head").fill(str(head))
            check(page, figure, 40, 30, scheme="t5", head=head)
        page.get_by_role("checkbox", name="causal mask").uncheck()
        state = {"head": 4, "causal": False}
        check(page, figure, 40, 30, scheme="t5", **state)
        page.get_by_text("buckets for both directions").click()
        check(page, figure, 40, 30, scheme="t5", bidirectional=False, **state)
        assert "made up to look at" not in numbers(page)
        slider(page, "key position").fill("60")
        check(page, figure, 40, 60, scheme="t5", bidirectional=False, **state)
        choose(page, "bias", 2)
        assert page.get_by_role("checkbox", name="buckets").count() == 0
        check(page, figure, 40, 60, scheme="clipped", **state)
        slider(page, "query position").fill("41")  # at 40 a share would be 62.5%, and a tie
        clip = slider(page, "clip")
        for key, value in [("End", 16), ("Home", 0), ("ArrowRight", 1)]:
            press(page, clip, key)
            check(page, figure, 41, 60, scheme="clipped", clip=value, **state)
        choose(page, "bias", 0)
        assert clip.count() == 0
        check(page, figure, 41, 60, **state)


@pytest.mark.parametrize("width", [390, 760])
def test_no_control_changes_its_place_with_the_scheme(width, on_page):
    with on_page(BiasHeads(), size=(width, 1000)) as page:
        places = []
        for index in range(3):
            choose(page, "bias", index)
            boxes = [
                slider(page, name).bounding_box()
                for name in ("head", "query position", "key position")
            ]
            height = page.locator(".moving-figure").bounding_box()["height"]
            places.append([height, *((box["x"], box["y"]) for box in boxes)])
        assert places[0] == places[1] == places[2]


def test_tables_of_ones_own(on_page):
    rng = np.random.default_rng(0)
    figure = BiasHeads(
        table=9 * rng.normal(size=(8, 16)), scalars=rng.normal(size=(3, 1)), max_distance=20,
        scheme="t5", head=16,
    )  # fmt: skip
    with on_page(figure) as page:
        check(page, figure, 40, 30, scheme="t5", head=16)
        choose(page, "bias", 2)  # with one head only
        check(page, figure, 40, 30, scheme="clipped", head=1, clip=1)
