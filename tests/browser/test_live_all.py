"""Chapters and pages of exercises, run in a browser with real numpy and matplotlib.

A chapter with figures and a page with a check and a question; all of them with PECODE_PAGES=all.
What each cell prints must be what is stored, as `make test-notebooks` has it outside of a browser.
Needs PECODE_WASM_WHEELS, and `make test-live`, which builds the site in full mode beside the book.
"""

import configparser
import functools
import gzip
import json
import os
import re
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tools.lite import MEGABYTES
from tools.live import notebooks

from ..browser_fixtures import HTML, ROOT, Handler, serving
from .live import (
    compiled,
    expose,
    insert_cell,
    printed,
    run_all,
    stored,
    wait_for_kernel,
    write_cell,
)

FULL = ROOT / "_build" / "full"
pytestmark = [
    pytest.mark.wheels,
    pytest.mark.skipif(
        not compiled(), reason="PECODE_WASM_WHEELS names no folder of compiled packages"
    ),
]
NOTEBOOKS = notebooks.all_names(ROOT)
SAMPLE = ("chapters/05-translation.ipynb", "exercises/02-counting.ipynb")
RUN = NOTEBOOKS if os.environ.get("PECODE_PAGES") == "all" else SAMPLE
SECONDS = 900  # for a notebook that trains, on a busy machine


def sanitized(text):
    """Return a text as `make test-notebooks` compares it: what was measured may differ."""
    rules = configparser.ConfigParser()
    rules.read(ROOT / "tests" / "nbval.cfg")
    for section in rules.sections():
        text = re.sub(rules[section]["regex"], rules[section]["replace"], text)
    return text


@pytest.fixture(scope="module")
def full():
    """The address of the book with all packages on the site."""
    assert (FULL / "lite" / "live.json").exists(), "run `make test-live`"

    class Both(Handler):
        def translate_path(self, path):
            root = FULL if path.startswith("/lite/") else HTML
            self.directory = str(root)
            return super().translate_path(path)

    with serving(functools.partial(Both, directory=HTML)) as address:
        yield address


@pytest.mark.parametrize("name", RUN)
def test_a_notebook_prints_in_the_browser_what_is_stored(name, chromium, full):
    foreign, broken = [], []
    with chromium.new_context(viewport={"width": 1280, "height": 900}) as context:
        expose(context)
        context.on("request", lambda request: foreign.append(request.url))
        context.on("console", lambda line: broken.append(line.text))
        page = context.new_page()
        begun = time.perf_counter()
        page.goto(f"{full}/run.html?path={name}")
        wait_for_kernel(page)
        started = time.perf_counter()
        ran = run_all(page, SECONDS)
        ended = time.perf_counter()
    print(f"{name}: Python after {started - begun:.0f} s, all cells {ended - started:.0f} s")
    live = {cell["id"]: cell for cell in ran["cells"]}
    wrong = {}
    for cell in stored(name)["cells"]:
        if cell["cell_type"] != "code":
            continue
        now, before = printed(live[cell["id"]]), printed(cell)
        if [(k, sanitized(t)) for k, t in now] != [(k, sanitized(t)) for k, t in before]:
            wrong[cell["id"]] = {"now": now, "stored": before}
    assert wrong == {}
    assert [line for line in broken if re.search("(Type|Reference|Range|Syntax)Error", line)] == []
    assert {url for url in foreign if not url.startswith((full, "data:", "blob:"))} == set()


def test_a_first_visit_loads_about_as_much_as_a_phone_is_told(chromium, full):
    """As a server sends it that compresses what can be compressed."""
    asked = set()
    with chromium.new_context() as context:
        expose(context)
        context.on("request", lambda request: asked.add(request.url))
        page = context.new_page()
        page.goto(f"{full}/run.html?path=chapters/01-attention.ipynb")
        wait_for_kernel(page)
        run_all(page, SECONDS)
    weight = 0
    for url in asked:
        path = unquote(urlsplit(url).path).lstrip("/")
        file = (FULL if path.startswith("lite/") else HTML) / path
        if url.startswith(full) and file.is_file():
            data = file.read_bytes()
            packed = file.suffix in (".whl", ".zip", ".png", ".woff2")
            weight += len(data) if packed else len(gzip.compress(data))
    print(f"a first visit: {weight / 1e6:.1f} MB")
    assert weight / 1e6 == pytest.approx(MEGABYTES, rel=0.1)


def test_a_loop_says_how_far_it_is(chromium, full):
    code = (
        "import time\nfrom pecode.lab.progress import progress\n"
        "for _ in progress(range(40), 'training'):\n    time.sleep(0.1)\nprint(1234000 + 567)"
    )
    with chromium.new_context() as context:
        expose(context)
        page = context.new_page()
        page.goto(f"{full}/run.html?path=exercises/01-attention.ipynb")
        wait_for_kernel(page)
        cell = write_cell(page, code)
        cell.get_by_text(re.compile(r"^training: \d+%")).wait_for(timeout=60_000)
        cell.get_by_text("1234567").wait_for()
        assert "training" not in cell.locator(".jp-OutputArea").inner_text()


def test_a_choice_is_made_and_taken_back(chromium, full):
    with chromium.new_context(viewport={"width": 1280, "height": 900}) as context:
        expose(context)
        page = context.new_page()
        page.goto(f"{full}/run.html?path=exercises/05-translation.ipynb")
        wait_for_kernel(page)
        name = "five_and_five_hundred"
        ask = f"from exercises import ask\nquestion = ask('{name}')\nquestion"
        cell = write_cell(page, ask)
        cell.get_by_role("radio").nth(1).check(timeout=60_000)
        cell.get_by_role("button", name="Check").click()
        cell.get_by_text(re.compile("Right|Not this one")).first.wait_for()
        insert_cell(page, "print(question.chosen + 4000)").get_by_text("4001").wait_for()
        cell.get_by_role("button", name="Try again").click()
        assert cell.get_by_role("radio", checked=True).count() == 0
        insert_cell(page, "print(question.chosen, 4002)").get_by_text("None 4002").wait_for()


def test_a_check_that_passes_is_noted_for_the_list_of_exercises(chromium, full):
    code = (
        "from exercises import check\nfrom exercises.registry import exercises, solution_of\n"
        "check(solution_of(exercises()['table_by_operators']))"
    )
    with chromium.new_context(viewport={"width": 1280, "height": 900}) as context:
        expose(context)
        page = context.new_page()
        page.goto(f"{full}/run.html?path=exercises/05-translation.ipynb")
        wait_for_kernel(page)
        write_cell(page, code).get_by_text("Noted in this browser").wait_for(timeout=60_000)
        page.goto(f"{full}/exercises/overview.html")
        done = page.locator("li", has_text="5.3").get_by_role("checkbox")
        assert done.is_checked()


def test_the_site_offers_every_notebook_and_has_all_that_they_need():
    assert set(SAMPLE) < set(NOTEBOOKS)
    built = json.loads(Path(FULL / "lite" / "live.json").read_text(encoding="utf8"))
    assert sorted(built["notebooks"]) == NOTEBOOKS
    assert built["needs"] == []
