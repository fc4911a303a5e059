"""Chapters and pages of exercises, run where they are read, with real numpy and matplotlib.

A chapter with formulas in its figures, one with figures that move, and a page with checks and
questions; all of them with PECODE_PAGES=all.
What each cell prints must be what is stored, as `make test-notebooks` has it outside of a browser.
Needs PECODE_WASM_WHEELS, and `make test-live`, which builds Python in full mode beside the book.
"""

import gzip
import os
import re
import time
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect

from ..browser_fixtures import HTML, ROOT
from .live import FULL, KEPT, NAMES, Running, codes, compiled, differences, serving_all

pytestmark = [
    pytest.mark.wheels,
    pytest.mark.skipif(
        not compiled(), reason="PECODE_WASM_WHEELS names no folder of compiled packages"
    ),
]
SAMPLE = ("chapters/01-attention", "chapters/05-translation", "exercises/05-translation")
PAGES = NAMES if os.environ.get("PECODE_PAGES") == "all" else SAMPLE
# for a page that trains, on a busy machine
SECONDS = 900 if os.environ.get("PECODE_PAGES") == "all" else 60


@pytest.fixture(scope="module")
def full():
    """The address of the book, below a path, with all packages on the site."""
    with serving_all() as address:
        yield address


@pytest.fixture
def opened(chromium, full):
    """Open a page with an empty profile, in a window of some size, and press its button."""
    contexts = []

    def open_page(name, **window):
        options = {"viewport": {"width": 1280, "height": 900}, "service_workers": "block"}
        context = chromium.new_context(**{**options, **window})
        contexts.append(context)
        return Running(context.new_page(), full, name)

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_what_is_stored(name, chromium, full):
    foreign, broken = [], []
    window = {"width": 1280, "height": 900}
    with chromium.new_context(viewport=window, service_workers="block") as context:
        context.on("request", lambda request: foreign.append(request.url))
        context.on("console", lambda line: broken.append(line.text))
        begun = time.perf_counter()
        running = Running(context.new_page(), full, name)
        shown = running.run_all(SECONDS)
        print(f"{name}: all cells after {time.perf_counter() - begun:.0f} s")
        assert differences(name, shown, running.page.evaluate) == {}
        # A moving figure reads out what it chooses, and not each number that changes.
        figures = running.page.locator(".run-live .anyhost")
        heard = figures.evaluate_all("all => all.map((figure) => figure.ariaLive)")
        assert heard == ["off"] * sum(each["figures"] for each in shown)
    assert [line for line in broken if re.search("Error", line)] == []
    assert {url for url in foreign if not url.startswith((full, "data:", "blob:"))} == set()


def test_one_changed_number_changes_its_figure_and_nothing_else(opened):
    name = "chapters/04-sinusoid"
    running = opened(name)
    number = next(k for k, cell in enumerate(codes(name), 1) if "svg+xml" in str(cell))
    cell = running.cell(number)
    cell.get_by_role("button", name="Run cell").click()
    running.says(f"Cell {number} has run", SECONDS)
    picture = cell.locator("svg.run-live")
    before = picture.inner_html()
    code = cell.locator(".cm-content").inner_text()
    changed = re.sub(r"figsize=\((\d)", lambda found: f"figsize=({int(found[1]) - 1}", code)
    assert changed != code
    running.write(number, changed)
    running.wait(SECONDS)
    assert picture.inner_html() != before
    assert cell.locator("figcaption").count() == 1
    cell.get_by_role("button", name="Reset").click()
    assert picture.count() == 0
    assert cell.locator("figure svg").is_visible()


def test_a_figure_has_one_state_with_python(opened):
    running = opened("chapters/05-translation")
    cell = running.write(3, "from figures import Clock\nclock = Clock(position=7)\nclock")
    slider = cell.get_by_role("slider").first
    slider.wait_for(timeout=SECONDS * 1000)
    assert slider.input_value() == "7"
    slider.fill("9")
    other = running.write(9, "print(clock.position)\nclock.position = 11")
    other.get_by_text("9", exact=True).wait_for()
    running.page.wait_for_function("input => input.value === '11'", arg=slider.element_handle())


def test_a_function_is_written_and_checked_where_its_task_stands(opened):
    running = opened("exercises/02-counting")
    code = ["".join(cell["source"]) for cell in codes("exercises/02-counting")]
    check = next(k for k, source in enumerate(code, start=1) if source.startswith("check("))
    name = re.match(r"check\((\w+)", code[check - 1])[1]
    running.button(f"Check cell {check}").click()
    cell = running.cell(check)
    cell.locator(".run-live pre").wait_for(timeout=SECONDS * 1000)
    assert "✓" not in cell.inner_text()
    solution = (
        "from exercises.registry import exercises, solution_of\n"
        f"{name} = solution_of(exercises()['{name}'])"
    )
    running.write(check - 1, solution, run=False)
    running.button(f"Check cell {check}").click()
    cell.get_by_text("Noted in this browser").wait_for(timeout=SECONDS * 1000)
    assert f"✓ {name}" in cell.inner_text()
    running.page.goto(running.page.url.replace("02-counting", "overview"))
    running.page.get_by_role("checkbox", checked=True).wait_for()
    assert running.page.get_by_role("checkbox", checked=True).count() == 1


def test_a_loop_says_how_far_it_is(opened):
    running = opened("exercises/01-attention")
    code = (
        "import time\nfrom lab.progress import progress\n"
        "for _ in progress(range(40), 'training'):\n    time.sleep(0.1)\nprint(1234000 + 567)"
    )
    cell = running.write(1, code)
    cell.get_by_text(re.compile(r"^training: \d+%")).wait_for(timeout=SECONDS * 1000)
    cell.get_by_text("1234567").wait_for()
    assert cell.get_by_text("training:").locator("visible=true").count() == 0


def test_the_worker_calls_a_function_of_the_book_with_json(opened):
    running = opened("chapters/02-counting")
    answer = running.page.evaluate("""(home) => new Promise((resolve) => {
        const worker = new Worker(home + "/python/worker.js", { type: "module" });
        worker.onmessage = ({ data }) => ["answer", "broken"].includes(data.say) && resolve(data);
        worker.postMessage({ do: "start" });
        const asked = { module: "exercises.widgets", name: "read_number", argument: "1/4" };
        worker.postMessage({ do: "call", id: 7, ...asked });
    })""", running.page.url.split("/chapters")[0])  # fmt: skip
    assert answer == {"say": "answer", "id": 7, "value": 0.25}


def test_a_first_visit_loads_about_as_much_as_a_phone_is_told(chromium, full):
    """As a server sends it that compresses what can be compressed."""
    asked = set()
    with chromium.new_context(service_workers="block") as context:
        context.on("request", lambda request: asked.add(request.url))
        running = Running(context.new_page(), full, "chapters/05-translation")
        running.run_all(SECONDS)
    weight = 0
    for url in asked:
        path = unquote(urlsplit(url).path).removeprefix("/below/")
        file = (FULL if path.startswith("python/") else HTML) / path
        if url.startswith(full) and file.is_file():
            data = file.read_bytes()
            packed = file.suffix in (".whl", ".zip", ".png", ".woff2")
            weight += len(data) if packed else len(gzip.compress(data))
    print(f"a first visit: {weight / 1e6:.1f} MB")
    assert weight / 1e6 == pytest.approx(megabytes(), rel=0.1)


def megabytes():
    text = (ROOT / "publishing" / "live" / "page.js").read_text(encoding="utf8")
    return int(re.search(r"const MEGABYTES = (\d+);", text)[1])


def wait_until(page, script, argument=None):
    """Ask the page until the promise of `script` answers yes.

    Playwright's own wait_for_function takes a promise for a yes, and waits for nothing.
    """
    late = time.monotonic() + SECONDS
    while not page.evaluate(script, argument):
        assert time.monotonic() < late, f"not after {SECONDS} s: {script} of {argument}"
        page.wait_for_timeout(50)


def test_a_page_that_has_run_opens_and_runs_without_a_network(chromium):
    name = "exercises/05-translation"
    with chromium.new_context() as context:
        with serving_all() as address:
            running = Running(context.new_page(), address, name)
            assert running.page.evaluate("caches.keys()") == []
            running.write(1, "import numpy as np\nprint(np.arange(7).sum())")
            running.cell(1).get_by_text("21", exact=True).wait_for(timeout=SECONDS * 1000)
            python = ("worker.js", "asm.wasm", "session.py", "numpy-")
            for file in (f"{name}.html", f"{name}.ipynb", *python):
                wait_until(running.page, KEPT, file)
        context.set_offline(True)
        running = Running(running.page, address, name)  # the server is gone, too
        running.write(3, "print(np.arange(8).sum())")
        running.cell(3).get_by_text("28", exact=True).wait_for(timeout=SECONDS * 1000)


def test_what_is_kept_is_never_older_than_the_site(chromium, full):
    """A page comes from the site where it is reached, and the store of other packages goes."""
    name = "exercises/05-translation"
    with chromium.new_context() as context:
        running = Running(context.new_page(), full, name)
        running.write(1, "print(1200 + 34)")
        running.cell(1).get_by_text("1234", exact=True).wait_for(timeout=SECONDS * 1000)
        wait_until(running.page, KEPT, f"{name}.html")
        (store,) = running.page.evaluate("caches.keys()")
        assert store.startswith(f"pecode {full}/ ")
        stale = """async ([store, url]) => {
          await caches.open("pecode of another book");
          await caches.open(store.replace(/ [^ ]+$/, " older"));
          await (await caches.open(store)).put(url, new Response("an old page"));
          const registration = await navigator.serviceWorker.getRegistration();
          await registration.unregister();
          await navigator.serviceWorker.register(registration.scope + "offline.js");
          await navigator.serviceWorker.ready;
        }"""
        running.page.evaluate(stale, [store, f"{full}/{name}.html"])
        gone = "async () => !(await caches.keys()).some((name) => name.endsWith(' older'))"
        wait_until(running.page, gone)
        assert set(running.page.evaluate("caches.keys()")) == {store, "pecode of another book"}
        running.page.reload()
        assert running.page.evaluate("navigator.serviceWorker.controller !== null")
        assert "an old page" not in running.page.locator("body").inner_text()


def test_a_config_is_read_in_the_page_and_another_without_a_network(chromium, full):
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(f"{full}/appendices/config.html")
        own = page.locator("#own-model")
        own.get_by_role("button", name="Read it").click()
        said = own.get_by_role("status")
        expect(said).to_have_text(re.compile(r"^gpt_oss: 24 layers of 2 kinds"), timeout=60_000)
        context.set_offline(True)
        own.get_by_label("model").select_option("gemma-4-e2b")
        expect(said).to_have_text(re.compile(r"^gemma4_text: 35 layers of 2 kinds"))
