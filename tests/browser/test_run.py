"""Pages that run: what can be shown without the compiled packages, and that they are asked for."""

import hashlib
import json
import re
import shutil

import pytest
from axe_playwright_python.sync_playwright import Axe

from publishing.live import distribution

from ..browser_fixtures import HTML, ROOT, VIEWPORTS
from .live import NAMES, PLACE, Elsewhere, Running, codes, compiled, notebook, with_packages
from .test_loading import REFUSED

PYTHON = HTML / "python"
CHAPTER = "chapters/05-translation"
COMPILED = ["contourpy", "kiwisolver", "matplotlib", "numpy", "pillow"]
pytestmark = pytest.mark.skipif(
    not PYTHON.exists() and not shutil.which("npm"),
    reason="built without Python for the browser: there is no npm",
)


@pytest.fixture
def reader(chromium):
    """A new browser profile."""
    window = {"width": 1280, "height": 900}
    with chromium.new_context(viewport=window, service_workers="block") as context:
        yield context
        context.unroute_all(behavior="ignoreErrors")  # a worker may be loading Python just now


@pytest.fixture
def running(reader, address):
    """Open a page and press its button, with the place of the packages as a test wants it."""

    def open_page(name=CHAPTER, answers=None):
        elsewhere = Elsewhere(reader, answers or {})
        return Running(reader.new_page(), address, name), elsewhere

    return open_page


# The build


def test_every_chapter_and_every_page_of_exercises_has_the_button_and_its_cells():
    assert len(NAMES) > 20
    for name in NAMES:
        html = (HTML / f"{name}.html").read_text(encoding="utf8")
        assert f"start('{name}.ipynb')" in re.search(r"<button [^>]*btn-launch-live[^>]*>", html)[0]
        article = html.partition("<article")[2].partition("</article>")[0]
        assert len(re.findall(r'<div class="cell[ "]', article)) == len(codes(name))
        source = json.loads((HTML / "_sources" / f"{name}.ipynb").read_text(encoding="utf8"))
        assert [each["source"] for each in source["cells"]] == [
            each["source"] for each in notebook(name)["cells"]
        ]


def test_pages_that_no_reader_runs_have_no_button():
    for name in ("intro.html", "exercises/overview.html", "appendices/sources.html"):
        assert "launch-live" not in (HTML / name).read_text(encoding="utf8")


def test_what_is_compiled_is_listed_as_its_makers_publish_it():
    ours = json.loads((PYTHON / "pyodide-lock.json").read_text(encoding="utf8"))["packages"]
    npm = ROOT / "_build/live/npm/node_modules/pyodide"
    theirs = json.loads((npm / "pyodide-lock.json").read_text(encoding="utf8"))["packages"]
    version = json.loads((npm / "package.json").read_text(encoding="utf8"))["version"]
    far = {name: each for name, each in ours.items() if "://" in each["file_name"]}
    assert sorted(far) == COMPILED
    for name, package in far.items():
        address = f"{PLACE}pyodide/v{version}/full/{theirs[name]['file_name']}"
        assert (package["file_name"], package["sha256"]) == (address, theirs[name]["sha256"])


def test_what_lies_on_the_site_has_the_hash_that_the_list_gives():
    packages = json.loads((PYTHON / "pyodide-lock.json").read_text(encoding="utf8"))["packages"]
    listed = {each["file_name"]: each["sha256"] for each in packages.values()}
    near = {name: digest for name, digest in listed.items() if "://" not in name}
    wheels = {path.name: path.read_bytes() for path in PYTHON.glob("*.whl")}
    found = {name: hashlib.sha256(body).hexdigest() for name, body in wheels.items()}
    assert near == found
    assert "pecode" in packages


def test_a_folder_that_never_changes_has_its_version_in_its_name():
    folders = [path.name for path in PYTHON.iterdir() if path.is_dir()]
    assert folders == [f"pyodide-{distribution.version()}"]
    assert f'"{folders[0]}/"' in (PYTHON / "worker.js").read_text(encoding="utf8")
    kept = (PYTHON.parent / "offline.js").read_text(encoding="utf8")
    assert f'"{distribution.version()} ' in kept
    assert distribution.NO_VERSION not in kept


def test_nothing_is_loaded_before_the_click(visit):
    _, log = visit(f"{CHAPTER}.html")
    assert [url for url in log.local if "/python/" in url or "offline" in url] == []


# What is said where it cannot run


def test_a_page_from_a_file_leads_to_what_can_be_done(file_tab):
    file_tab.goto((HTML / f"{CHAPTER}.html").as_uri())
    file_tab.get_by_role("button", name="Run this page").click()
    file_tab.wait_for_url("**/run.html#if-it-does-not-start")


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("delete window.WebAssembly", "WebAssembly"),
        ("delete WebAssembly.Exception", "WebAssembly"),
        ("delete window.Worker", "workers"),
    ],
)
def test_an_old_browser_is_told_what_it_lacks(broken, said, reader, running):
    reader.add_init_script(broken)
    page, elsewhere = running()
    page.says("too old")
    assert said in page.status()
    assert elsewhere.asked == []


def test_a_phone_is_told_the_cost_before_anything_is_loaded(chromium, address):
    width, height = VIEWPORTS["phone"]
    with chromium.new_context(
        viewport={"width": width, "height": height}, screen={"width": width, "height": height},
        has_touch=True, is_mobile=True,
    ) as phone:  # fmt: skip
        asked = []
        phone.on("request", lambda request: asked.append(request.url))
        page = Running(phone.new_page(), address, CHAPTER)
        page.says("MB the first time")
        assert [
            url
            for url in asked
            if "/python/" in url and "/page.js" not in url and ".css" not in url
        ] == []
        page.page.locator(".run-actions button").tap()
        page.button("Run all").wait_for()
        cell = page.cell(2)
        cell.locator(".run-editor").scroll_into_view_if_needed()
        assert cell.locator(".run-editor").bounding_box()["width"] < width
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
        violations = (
            Axe().run(page.page, {"include": [["article"], [".run-bar"]]}).response["violations"]
        )
        assert [each["id"] for each in violations] == []


def test_without_the_place_of_the_packages_it_says_so_and_the_page_goes_on(running):
    page, elsewhere = running()
    cell = page.write(2, "import numpy")
    page.says("does not reach cdn.jsdelivr.net")
    cell.get_by_text("No module named 'numpy'").wait_for()
    page.wait()
    page.write(2, "print(1200 + 34)").get_by_text("1234").wait_for()
    assert all("numpy" in url or "matplotlib" in url or "pyodide" in url for url in elsewhere.asked)


def test_a_package_with_other_bytes_is_refused_in_words(running):
    page, _ = running(answers=dict.fromkeys(COMPILED, b"not what was published"))
    page.write(2, "import numpy")
    page.says("What came from cdn.jsdelivr.net is not what it should be")


def test_without_a_part_of_python_it_says_so_and_waits_for_nothing(reader, running):
    reader.route("**/*.wasm", lambda route: route.abort())
    page, _ = running()
    page.says("Python could not be started")
    page.write(2, "1 + 1")
    page.wait()
    assert "“Run” tries again" in page.status()


# A reader at work, with plain Python: numpy is missing, and the first cell says so


def test_a_cell_is_changed_stopped_mistaken_kept_and_reset(running, reader, address):
    page, _ = running()
    other = Running(reader.new_page(), address, CHAPTER)  # a second one, with a Python of its own
    cell = page.write(2, "kind = 'first'\nprint(kind, 6 * 7)")
    cell.get_by_text("first 42").wait_for(timeout=60_000)
    page.wait()
    assert "four ahead" not in cell.locator(".cell_output").inner_text()  # what was stored
    # An error has its line, and what comes after it still runs.
    page.write(2, "one = 1\none / 0").get_by_text("ZeroDivisionError").wait_for()
    assert ", line 2" in cell.locator(".traceback").inner_text()
    page.write(2, "def broken(:").get_by_text("SyntaxError").wait_for()
    # The other page knows nothing of it, and keeps the text of its own cells.
    told = other.write(9, "try:\n    kind\nexcept NameError:\n    print('not here')")
    told.locator(".cell_output").get_by_text("not here").wait_for(timeout=60_000)
    # An endless loop ends, and Python with it; the next cell begins with a new one.
    page.write(2, "print('on')\nwhile True:\n    pass").get_by_text("on", exact=True).wait_for()
    page.button("Stop").click()
    page.says("its variables are gone")
    cell = page.write(2, "try:\n    one\nexcept NameError:\n    print('gone')")
    cell.locator(".cell_output").get_by_text("gone").wait_for(timeout=60_000)
    # Escape leaves the editor; Tab goes on from there.
    page.page.keyboard.press("Escape")
    assert page.page.evaluate("document.activeElement.textContent") == "Run"
    # What was typed is there on the next visit, and goes when it is dropped.
    page.page.reload()
    page.page.get_by_role("button", name="Run this page").click()
    page.says("2 cells are as you left them")
    assert "except NameError" in page.cell(2).locator(".cm-content").inner_text()
    page.button("Reset all").click()
    page.says("as it was")
    assert "four ahead" in page.cell(2).inner_text()
    page.page.reload()
    page.page.get_by_role("button", name="Run this page").click()
    page.says("Change a cell")
    assert "as you left" not in page.status()


# A worker without Python: a cell holds what it shows, as JSON, or what happens to it.
STUB = """let runs = 0;
const say = (text) => postMessage({
  say: "output", output: { output_type: "stream", name: "stdout", text } });
onmessage = ({ data: { do: what, cell, source } }) => {
  if (what === "start") postMessage({ say: "ready" });
  if (what !== "run") return;
  runs += 1;
  postMessage({ say: "begin", cell });
  if (source === "fatal") return postMessage({ say: "broken", error: "unreachable\\nat once" });
  const end = () => postMessage({ say: "end", cell, passed: true });
  if (source === "late") {
    say("soon");
    return setTimeout(() => { say("too late"); end(); }, 1000);
  }
  if (source === "wordless") return postMessage({ say: "broken" });
  if (source === "twice") end();
  if (source === "which") say(`run ${runs}`);
  if (source.startsWith("["))
    for (const output of JSON.parse(source)) postMessage({ say: "output", output });
  end();
};"""


@pytest.fixture
def without_python(reader, address):
    """A page that runs with such a worker, and the list of the scripts that it asked for."""
    reader.route(
        "**/python/worker.js",
        lambda route: route.fulfill(body=STUB, content_type="text/javascript"),
    )
    return Running(reader.new_page(), address, CHAPTER)


def test_what_a_cell_prints_after_its_reset_is_not_shown(without_python):
    page = without_python
    cell = page.write(2, "late")
    cell.get_by_text("soon").wait_for()
    cell.get_by_role("button", name="Reset").click()
    page.says("Cell 2 has run")
    assert cell.locator(".run-live").inner_text() == ""
    assert cell.locator(".cell_output .run-stored").count() == 0
    # Run all and then Reset all: nothing comes any more.
    page.write(2, "late", run=False)
    page.button("Run all").click()
    cell.get_by_text("soon").wait_for()
    page.button("Reset all").click()
    page.says("as it was")
    page.page.wait_for_timeout(1200)
    assert page.page.locator(".run-live > *, .cell_output .run-stored").count() == 0


def test_after_a_fatal_error_and_after_restart_there_is_another_python(without_python):
    page = without_python
    page.write(3, "which").get_by_text("run 3", exact=True).wait_for()
    page.write(2, "fatal")
    page.says("Python broke down in cell 2 (unreachable) and begins anew")
    assert page.cell(2).locator(".cm-content").inner_text() == "fatal"
    page.write(1, "which").get_by_text("run 1", exact=True).wait_for()
    page.write(1, "[]")
    page.says("Cell 1 has run")
    page.button("Restart").click()
    page.says("Python begins anew")
    page.write(1, "which").get_by_text("run 1", exact=True).wait_for()


def test_a_second_click_on_a_cell_that_runs_is_no_second_run(without_python):
    page = without_python
    page.write(1, "late", run=False)
    page.cell(1).locator(".run-button").dblclick()
    page.says("Cell 1 has run")
    page.wait()
    assert page.cell(1).get_by_text("too late").count() == 1
    page.write(1, "which").get_by_text("run 2", exact=True).wait_for()


def test_the_tail_of_much_that_is_printed_takes_the_place_of_the_tail_before(without_python):
    texts = [{"text": "head\n"}, {"tail": "tail 1\n"}, {"tail": "tail 2\n"}]
    outputs = [{"output_type": "stream", "name": "stdout", **text} for text in texts]
    page = without_python
    page.write(1, json.dumps(outputs))
    page.says("Cell 1 has run")
    assert page.cell(1).locator(".run-live").inner_text().split("\n") == ["head", "", "tail 2", ""]


def test_what_a_cell_shows_runs_no_script(without_python):
    page = without_python
    page.page.evaluate("window.ran = []")
    act = "window.ran.push(1)"
    html = (f"<b onclick='{act}'>bold</b><img src='x:' onerror='{act}'><script>{act}</script>"
            f"<iframe srcdoc='<script>parent.{act}</script>'></iframe>"
            f"<a href=' java\tscript:{act}'>go</a>"
            f"<a href='\x01javascript:{act}'>and go</a>"
            "<svg><a><animate attributeName='href' dur='1ms' fill='freeze' "
            f"values='x:;javascript:{act}'/>"
            "<text y='20'>move</text></a></svg>")  # fmt: skip
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' onload='{act}'><script>{act}</script></svg>"
    data = [{"text/html": html}, {"image/svg+xml": svg}, {"image/svg+xml": svg, "figure": True}]
    outputs = [{"output_type": "display_data", "data": each} for each in data]
    shown = page.write(1, json.dumps(outputs)).locator(".run-live").first
    page.says("Cell 1 has run")
    shown.get_by_text("bold").click()
    for link in ("go", "and go", "move"):
        shown.get_by_text(link, exact=True).click()
    page.page.wait_for_timeout(200)
    assert page.page.evaluate("window.ran") == []
    assert shown.locator("svg").count() == 3


def test_what_is_long_or_changes_often_is_not_read_out(without_python):
    page = without_python
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": "short\n"},
        {"output_type": "execute_result", "data": {"text/plain": "long " * 300}},
        {"output_type": "error", "traceback": ["deep " * 300]},
        {"output_type": "display_data", "display_id": "a", "data": {"text/plain": "half done"}},
        {"output_type": "stream", "name": "stderr", "text": "short\n"},
        {"output_type": "stream", "name": "stderr", "text": "and then long\n" * 100},
    ]
    page.write(1, json.dumps(outputs))
    page.says("Cell 1 has run")
    live = page.cell(1).locator(".run-live")
    assert live.get_attribute("aria-live") == "polite"
    found = live.locator("> *").evaluate_all("all => all.map((node) => node.ariaLive)")
    assert found == [None, "off", "off", "off", "off"]


def test_of_many_cells_the_first_and_the_end_are_read_out(without_python):
    page = without_python
    page.says("Change a cell")
    page.page.evaluate(
        """() => {
          window.heard = [];
          const status = document.querySelector(".run-status");
          const note = () => status.ariaLive === "polite" && window.heard.push(status.textContent);
          new MutationObserver(note).observe(status, { childList: true });
        }"""
    )
    page.button("Run all").click()
    page.says(" has run.")
    first, *others = page.page.evaluate("window.heard")
    assert first.startswith("Running cell 1 of ")
    assert [text.endswith(" has run.") for text in others] == [True]


def test_whoever_stops_by_keyboard_is_still_in_the_bar(without_python):
    page = without_python
    page.write(1, "late").get_by_text("soon").wait_for()
    page.button("Stop").press("Enter")
    page.wait()
    assert page.page.evaluate("document.activeElement.textContent") == "Run all"


def test_messages_that_a_cell_makes_up_do_not_end_the_page(without_python):
    page = without_python
    wrong = []
    page.page.on("pageerror", lambda error: wrong.append(str(error)))
    page.write(1, "twice")
    page.says("Cell 1 has run")
    page.write(1, "wordless")
    page.says("Python broke down in cell 1")
    page.write(1, "which").get_by_text("run 1", exact=True).wait_for()
    assert wrong == []


def test_where_nothing_can_be_kept_a_reader_is_told_when_typing(without_python):
    page = without_python
    full = "Storage.prototype.setItem = () => { throw new DOMException('full') }"
    page.page.evaluate(f"() => {{ {full} }}")
    page.write(1, "1 + 1", run=False)
    page.says("does not keep what you type")


def test_where_cookies_are_off_a_reader_is_told_when_typing(reader, without_python, address):
    reader.add_init_script(REFUSED)
    page = Running(reader.new_page(), address, CHAPTER)
    page.write(1, "1 + 1", run=False)
    page.says("does not keep what you type")


def test_a_cell_shows_its_markdown_as_the_page_does(running):
    page, _ = running()
    rows = ["| bug | seen in |", "|---|:-:|", "| **off** by `1` | [a *b*](x.html) \\\\| c |",
            "| <b> | [no](javascript:alert) |", "", "And *so* on."]  # fmt: skip
    code = "from IPython.display import Markdown\nMarkdown('" + "\\n".join(rows) + "')"
    shown = page.write(2, code).locator(".run-live .text_markdown")
    shown.wait_for(timeout=60_000)
    told = re.sub(r"<(?:div|table) class[^>]*>|</(?:div|table)>", "", shown.inner_html())
    assert told == (
        "<thead><tr><th>bug</th><th>seen in</th></tr></thead><tbody>"
        "<tr><td><strong>off</strong> by <code>1</code></td>"
        '<td><a href="x.html">a <em>b</em></a> | c</td></tr>'
        "<tr><td>&lt;b&gt;</td><td><a>no</a></td></tr></tbody><p>And <em>so</em> on.</p>"
    )


def test_with_shared_memory_a_loop_stops_and_its_variables_stay(running, reader):
    """A server may allow it with two headers; few do."""

    def isolated(route):
        answer = route.fetch()
        headers = {"cross-origin-opener-policy": "same-origin",
                   "cross-origin-embedder-policy": "require-corp",
                   "cross-origin-resource-policy": "same-origin"}  # fmt: skip
        route.fulfill(response=answer, headers={**answer.headers, **headers})

    reader.route("**/*", isolated)
    page, _ = running()
    page.write(2, "kept = 4321\nprint('on')\nwhile True:\n    pass")
    page.cell(2).get_by_text("on", exact=True).wait_for(timeout=60_000)
    page.button("Stop").click()
    page.cell(2).get_by_text("KeyboardInterrupt").wait_for()
    # Run again at once, it is another run: what the stop had in store for the first is over.
    again = "import time\nstart = time.time()\nwhile time.time() - start < 4:\n    pass\n"
    page.write(2, again + "print('over')").get_by_text("over", exact=True).wait_for()
    page.write(3, "print(kept)").get_by_text("4321").wait_for()
    # A cell that catches every interrupt is ended with Python.
    catching = (
        "while True:\n    try:\n        print('off')\n        while True:\n            pass\n"
    )
    page.write(2, catching + "    except KeyboardInterrupt:\n        pass")
    page.cell(2).get_by_text("off", exact=True).first.wait_for()
    page.button("Stop").click()
    page.says("its variables are gone")


def test_paper_has_what_is_stored(running):
    page, _ = running()
    cell = page.write(2, "print(1234)")
    cell.get_by_text("1234", exact=True).last.wait_for(timeout=60_000)
    page.page.emulate_media(media="print")
    assert cell.get_by_text("four ahead").first.is_visible()
    assert (
        not page.page.locator(".run-bar, .run-editor, .run-tools").locator("visible=true").count()
    )


@pytest.mark.wheels
@pytest.mark.skipif(not compiled(), reason="PECODE_WASM_WHEELS names no folder of packages")
def test_two_clicks_and_a_number_with_packages_from_elsewhere(reader, address):
    elsewhere = with_packages(reader)
    page = Running(reader.new_page(), address, CHAPTER)
    cell = page.write(2, "from pecode import sinusoidal\nprint(sinusoidal([5], 4).round(3))")
    cell.get_by_text("[[-0.959").wait_for(timeout=90_000)
    assert len(elsewhere.asked) == len(set(elsewhere.asked)) > 0
    assert {url.rsplit("/", 1)[1].split("-")[0] for url in elsewhere.asked} <= set(COMPILED)
