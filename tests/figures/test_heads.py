"""The page turns the heads of a published model as `pecode.rotate` does."""

import base64
import json

import numpy as np
import pytest

from figures import Heads, heads
from pecode import causal_mask, frequencies, rotate, softmax

from .page import MOUNTED, cells, said, write_page
from .states import STATES, label, stored

STORED = json.loads(heads.FILE.read_text("utf8"))
TOKENS = STORED["tokens"]
T = np.arange(len(TOKENS))
MASK = causal_mask(len(T))


def weights(head="L16H0", turned="trained", pair=0, **_):
    """Return the weights of a head, shape (queries, keys), by pecode."""
    places = {"quarter": T / 4, "zero": 0 * T, "shifted": T + 1000}.get(turned, T)
    omegas = frequencies(64, 10_000 if turned == "base" else 100_000)
    if turned == "pair":
        omegas[pair] = 0
    how = {"frequencies": omegas, "layout": "half" if turned == "layout" else STORED["layout"]}
    query = rotate(heads.vectors(head, "query"), places + (turned == "late"), **how)
    key = rotate(heads.vectors(head, "key"), places, **how)
    return softmax(np.where(MASK, query @ key.T / 8, -np.inf))


@pytest.mark.parametrize("row", STORED["heads"], ids=lambda row: row["name"])
def test_a_stored_head_attends_as_it_did_in_the_model(row):
    name, t = f"L{row['layer']}H{row['head']}", T[16:]
    found = weights(name)
    summary = [*(found[t, t - back].mean() for back in range(3)), found[t, 0].mean()]
    np.testing.assert_allclose(summary, row["weights"], atol=0.01)
    np.testing.assert_allclose(weights(name, "shifted"), found, atol=1e-9)


def test_heads_do_what_their_names_say_and_a_mistake_undoes_it():
    t, right, late = T[16:], weights("L16H0"), weights("L16H0", "late")
    one_back = weights("L16H0", "layout")[t, t - 1].mean()
    assert right[t, t - 1].mean() > 0.7 > 0.1 > one_back
    assert late[t, t].mean() > 0.7 > 0.1 > late[t, t - 1].mean()
    assert weights("L18H8")[t, 0].min() > 0.9


def means(found):
    """Return what a query gives on average, from token 16 on: one back, itself, the first."""
    t = T[16:]
    return [f"{found[t, key].mean():.2f}" for key in (t - 1, t, 0 * t)]


def test_what_is_drawn_before_the_file_is_there_has_the_same_numbers():
    drawn = np.zeros(MASK.shape)
    drawn[MASK] = np.frombuffer(base64.b64decode(heads._as_trained("L16H0")), "<u2") / 10_000
    np.testing.assert_allclose(drawn, weights(), atol=0.5 / 10_000 + 1e-9)
    assert means(drawn) == means(weights())


def on_copies(head, found):
    """Return the mean weight on earlier copies of the token, or on what came after them."""
    later = head in ("L17H3", "L18H6")
    before = [[s - later >= 0 and s - later < t and TOKENS[s - later] == TOKENS[t] for s in T]
              for t in T]  # fmt: skip
    meant = np.array(before) & MASK
    have_some = meant.any(axis=1) & (T >= 16)
    return f"{(found * meant).sum(axis=1)[have_some].mean():.2f}"


@pytest.mark.parametrize("state", [{}, *STATES["Heads"]], ids=label)
def test_what_it_says_is_counted_by_numpy(state):
    figure = Heads(**state)
    found = weights(figure.head, figure.turned, figure.pair)
    text = stored()["Heads"][label(state)]["said"]
    back, itself, first = means(found)
    assert f"gives {back} of its weight to the token before it, {itself} to itself, {first}" in text
    row = found[figure.token, : figure.token + 1]
    for key in np.argsort(-row)[:3]:
        named = f"{row[key]:.2f} to “{TOKENS[key].strip()}” ({key})"
        assert (named in text) == (row[key] >= 0.005)
    if figure.head in ("L17H3", "L18H6", "L14H3", "L8H0"):
        assert f"come before, {on_copies(figure.head, found)} goes " in text


LOADED = "() => document.querySelector('script[src$=\"heads.js\"]')?.heads"


def test_a_page_loads_the_file_and_a_mouse_reads_a_row(new_tab, tmp_path):
    folder = tmp_path / "_static/published"
    folder.mkdir(parents=True)
    script = f"document.currentScript.heads = {heads.FILE.read_text('utf8')};"
    (folder / "heads.js").write_text(script, encoding="utf8")
    at_start = stored()["Heads"]["start"]["said"]
    page = new_tab()
    page.goto(write_page(tmp_path, Heads(vectors="")).as_uri())
    page.wait_for_function(LOADED)
    assert said(page) == at_start
    page.locator(".heads-text span", has_text="museum").first.hover()
    assert "Token 5, “museum”, gives " in said(page)
    page.locator(".ex-title").hover()
    assert said(page) == at_start
    page.get_by_label("queries and keys are turned").select_option("in the other layout")
    back, itself, _ = means(weights(turned="layout"))
    assert f"gives {back} of its weight to the token before it, {itself} to" in said(page)


def test_without_the_file_the_start_is_drawn_and_a_choice_says_so(new_tab, tmp_path):
    page = new_tab()
    page.goto(write_page(tmp_path, Heads(vectors="")).as_uri())
    page.wait_for_function(MOUNTED, arg=1)
    assert said(page) == stored()["Heads"]["start"]["said"]
    page.get_by_role("combobox", name="head", exact=True).select_option("L18H8: first token")
    page.wait_for_function("() => /missing/.test(document.querySelector('.ex-said').textContent)")
    assert said(page) == "The queries and keys could not be loaded (the file is missing)."
    assert not cells(page).any()


def test_a_finger_has_room(on_page):
    with on_page(Heads(turned="pair"), size=(390, 844), has_touch=True, is_mobile=True) as page:
        for control in page.locator(".moving-figure :is(select, input)").all():
            assert control.bounding_box()["height"] >= 44
        row = page.locator(".heads-map svg").bounding_box()
        page.touchscreen.tap(row["x"] + row["width"] / 2, row["y"] + row["height"] * 0.6)
        assert "Token 104" not in said(page)
