"""The page's own language model reads and writes as the one in numpy does."""

import base64
import json

import numpy as np
import pytest
from playwright.sync_api import expect

import pecode
from figures import Shakespeare, shakespeare
from lab import language

from .page import exporting, opened

SCENE = shakespeare._scene()


def turned(shift=0, place=lambda t: t, **options):
    return lambda x, t: pecode.rotate(x, place(t) + shift, **options)


TURNS = {  # of queries and of keys
    "layout": (turned(layout="half"),) * 2,
    "still": (turned(place=lambda t: 0 * t),) * 2,
    "late": (turned(1), turned()),
    "padding": (turned(40),) * 2,
    "quarter": (turned(place=lambda t: t / 4),) * 2,
    "skip": (turned(place=lambda t: t + (t >= len(shakespeare._PROMPT))),) * 2,
    "base": (turned(base=500_000),) * 2,
    "double": (turned(base=20_000),) * 2,
}
PROGRAMS = [
    *({"scheme": scheme, "window": window} for scheme in shakespeare._SCHEMES for window in (0, 1)),
    *({"scheme": "rotary", "mistake": mistake} for mistake in TURNS),
]


def in_numpy(scheme, mistake="none", window=False):
    model = language.load(f"{scheme}-0")
    if mistake != "none":
        query, key = TURNS[mistake]
        model = model.replace(turn_query=query, turn_key=key)
    return model.replace(scheme=language.Window(model.scheme, language.LENGTH)) if window else model


def weights(scheme):
    path = shakespeare.FOLDER / f"{scheme}-0.npz"
    return base64.b64encode(path.read_bytes()).decode()


@pytest.fixture(scope="module")
def costs(chromium):
    """Return what each character of the scene costs, by the page's own model."""
    source = Shakespeare._esm + "\nexport { programOf, predictor, readNpz, weightsOf, lossOf };"
    with exporting(chromium, source) as page:
        yield lambda program: page.evaluate(
            """async ([program, data, tokens]) => {
              const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
              const weights = book.weightsOf(await book.readNpz(bytes.buffer));
              const read = book.predictor(weights, book.programOf(program, weights));
              return tokens.slice(1).map((next, k) => book.lossOf(read(tokens[k]), next));
            }""",
            [program, weights(program["scheme"]), language.numbers(SCENE).tolist()],
        )


@pytest.mark.parametrize(
    "program", PROGRAMS, ids=lambda program: "-".join(map(str, program.values()))
)
def test_a_program_reads_in_the_page_as_in_numpy(program, costs):
    expected = language.losses(in_numpy(**program), SCENE)
    np.testing.assert_allclose(costs(program), expected, atol=2e-3)


def test_the_page_writes_what_python_writes_and_begins_anew(chromium, tmp_path):
    served = json.dumps({scheme: weights(scheme) for scheme in ("rotary", "none")})
    figure = Shakespeare(scheme="none", mistake="still")  # nothing is written yet
    with opened(chromium, tmp_path, figure) as page:
        page.evaluate(
            f"""() => {{ document.documentElement.dataset.content_root = "../";
              const served = {served};
              window.fetch = async ({{ pathname }}) => {{
                const name = /_static\\/shakespeare\\/(\\w+)-0\\.npz$/.exec(pathname)[1];
                return new Response(Uint8Array.from(atob(served[name]), (c) => c.charCodeAt(0)));
              }}; }}"""
        )
        text = page.locator(".sh-text")
        expect(text).to_have_text(f"{shakespeare._PROMPT} … press “write”")
        page.get_by_role("button", name="write", exact=True).click()
        expect(text).to_have_attribute(
            "aria-label", shakespeare.written("none", False)[0], timeout=60_000
        )
        page.get_by_role("combobox", name="positions").select_option("rotary")
        page.get_by_role("combobox", name="mistake").select_option("none")
        expect(text).to_have_attribute(
            "aria-label", shakespeare.written("rotary", False)[0], timeout=60_000
        )
        page.get_by_role("combobox", name="text").select_option("it reads Macbeth")
        expect(text).to_have_attribute("aria-label", SCENE, timeout=60_000)
