"""Pages that run where they are read.

What can be shown without the compiled packages is; the rest needs PECODE_WASM_WHEELS, and
`make test-live`, which builds Python with all its packages beside the book.
"""

import hashlib
import json
import re
import shutil
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from publishing.live import distribution

from .. import data
from ..axe import violations
from ..browser_fixtures import ALL_LAID_OUT, ALL_PAGES, HTML, READY, ROOT, VIEWPORTS, go, gzipped
from .live import FULL, NAMES, Running, codes, compiled, differences, serving_all

PYTHON = HTML / "python"
CHAPTER, EXERCISES = "chapters/05-translation", "exercises/05-translation"
CDN = "https://cdn.jsdelivr.net/"  # where the compiled packages are
# The cells of the chapter that can be changed; the first that prints: its number, its first line.
EDITED = [k for k, cell in enumerate(codes(CHAPTER), 1) if "remove-input" not in str(cell)]
CELLS = [(k, output) for k, cell in enumerate(codes(CHAPTER), 1) for output in cell["outputs"]]
PRINTING, STORED = next((k, "".join(out["text"])) for k, out in CELLS if "text" in out)
STORED = STORED.splitlines()[0]
SECONDS = 900 if ALL_PAGES else 90  # for a page that trains, on a busy machine
pytestmark = pytest.mark.skipif(
    not PYTHON.exists() and not shutil.which("npm"),
    reason="built without Python for the browser: there is no npm",
)


def wheels(test):
    """Mark a test that needs the compiled packages."""
    missing = "PECODE_WASM_WHEELS names no folder of compiled packages"
    return pytest.mark.wheels(pytest.mark.skipif(not compiled(), reason=missing)(test))


@pytest.fixture
def reader(chromium):
    """A new browser profile, which does not reach the place of the compiled packages."""
    with chromium.new_context(viewport=VIEWPORTS["desktop"]) as context:
        context.route(f"{CDN}**", lambda route: route.abort())
        context.add_init_script(ALL_LAID_OUT)
        yield context
        context.unroute_all(behavior="ignoreErrors")  # a worker may be loading Python just now


@pytest.fixture
def running(reader, address):
    """Open a page and press its button."""
    return lambda name=CHAPTER: Running(reader.new_page(), address, name)


@pytest.fixture(scope="module")
def full():
    """The address of the book, below a path, with all packages on the site."""
    with serving_all() as address:
        yield address


# The build


def test_each_notebook_has_a_button_and_a_page_cell_for_each_cell():
    assert len(NAMES) > 20
    for name in NAMES:
        html = (HTML / f"{name}.html").read_text(encoding="utf8")
        assert f"page.start('{name}.ipynb')" in html
        article = html.partition("<article")[2].partition("</article>")[0]
        assert len(re.findall(r'<div class="cell[ "]', article)) == len(codes(name))
        assert "fmt: skip" not in article
        stored, offered = codes(name), codes(HTML / "_sources" / name)
        assert [each["source"] for each in offered] == [each["source"] for each in stored]
    assert "page.start(" not in (HTML / "intro.html").read_text(encoding="utf8")


def test_each_package_has_the_address_and_the_hash_of_what_is_published():
    ours = json.loads((PYTHON / distribution.LIST).read_text(encoding="utf8"))["packages"]
    theirs = json.loads((distribution.core() / distribution.LIST).read_text("utf8"))["packages"]
    far = {name: each for name, each in ours.items() if "://" in each["file_name"]}
    assert sorted(far) == sorted(distribution.COMPILED)
    for name, package in far.items():
        published = f"{distribution.ADDRESS}{theirs[name]['file_name']}"
        assert (package["file_name"], package["sha256"]) == (published, theirs[name]["sha256"])
    near = {each["file_name"]: each["sha256"] for name, each in ours.items() if name not in far}
    assert near == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in PYTHON.glob("*.whl")
    }
    folder = f"pyodide-{distribution.VERSION}/"  # what lies there never changes
    assert (PYTHON / folder).is_dir()
    assert f'"{folder}"' in (PYTHON / "worker.js").read_text(encoding="utf8")


# Before Python, and without


def test_a_page_from_a_file_leads_to_what_can_be_done(new_tab):
    page = new_tab()
    page.goto((HTML / f"{CHAPTER}.html").as_uri())
    page.get_by_role("button", name="Edit and run the code").click()
    page.wait_for_url("**/run.html#if-it-does-not-start")


def test_a_phone_is_told_the_cost_first_and_has_room_for_the_editors(new_tab, address):
    size = VIEWPORTS["phone"]
    tab = new_tab("", ALL_LAID_OUT, viewport=size, screen=size, has_touch=True, is_mobile=True)
    page, launch = Running(tab, address, CHAPTER), tab.locator(".btn-launch-live")
    page.says("MB the first time")
    loaded = [asked.url for asked in tab.requests() if "/python/" in asked.url]
    assert loaded == [f"{address}/python/{name}" for name in ("page.js", "run.css")]
    page.button("Not now").tap()
    assert tab.locator(".run-bar").count() == 0
    expect(launch).to_be_focused()
    launch.click()
    tab.locator(".run-actions button").first.tap()
    page.says("Change a cell, press Run.")
    assert page.cell(2).locator(".run-editor").bounding_box()["width"] < size["width"]
    assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]
    found = violations(tab)
    assert [each for each in found if "tooltip" not in each] == []  # of the theme, on the way
    tab.reload()
    launch.click()
    page.says("Change a cell, press Run.")  # it was chosen before: nothing is asked


@pytest.mark.parametrize(("part", "answer", "said"), data("browser/cases.yml")["absent"])
def test_what_does_not_come_is_named_and_nothing_waits_for_it(part, answer, said, reader, running):
    headers = {"access-control-allow-origin": "*", "content-type": "text/javascript"}

    def reply(route):
        route.fulfill(headers=headers, **answer) if answer else route.abort()

    reader.route(part.replace("CDN", CDN), reply)
    page = running()
    page.write(2, "import numpy")
    page.says(said)
    page.wait()


# A reader at work, with plain Python: a cell that imports numpy would not run


def test_a_cell_is_changed_mistaken_stopped_kept_and_reset(reader, running):
    bare = (HTML / f"_sources/{CHAPTER}.ipynb").read_text("utf8").replace("import ", "# import ")
    reader.route("**/_sources/**", lambda route: route.fulfill(body=bare))
    page = running()
    cell = page.prints(PRINTING, "one = 1\nprint(one, 6 * 7, 'long ' * 9)", "1 42")
    page.wait()
    assert cell.locator(".run-live .long").inner_text().startswith("1 42 long")  # as stored
    assert STORED not in cell.locator(".cell_output").inner_text()  # what was stored
    assert "ran in" in cell.locator(".run-time").inner_text()
    # An error has its line, and what comes after it still runs.
    page.prints(PRINTING, "one = 2\none / 0", "ZeroDivisionError")
    assert ", line 2" in cell.locator(".traceback").inner_text()
    page.wait()
    assert page.page.locator(".run-done .traceback").count() == 0
    assert "stopped after" in cell.locator(".run-time").inner_text()
    page.prints(PRINTING, "def broken(:", "SyntaxError")
    page.prints(PRINTING, "input('?')", "no keyboard input")
    page.prints(PRINTING, "import subprocess\nsubprocess.run(['ls'])", "no threads or processes")
    page.prints(PRINTING, "import urllib.request as r\nr.urlopen('http://localhost')", "no network")
    # An endless loop ends, and Python with it; the next cell begins with a new one.
    page.prints(PRINTING, "print('on')\nwhile True:\n    pass", "on")
    page.button("Stop").press("Enter")
    page.says("its variables are gone")
    assert page.page.locator(".run-done").count() == 0
    assert page.page.evaluate("document.activeElement.textContent") == "Run all"
    page.prints(PRINTING, "try:\n    one\nexcept NameError:\n    print('gone')", "gone")
    # Escape leaves the editor; Tab goes on from there.
    page.page.keyboard.press("Escape")
    assert page.page.evaluate("document.activeElement.textContent") == "Run"
    # Paper has what is stored.
    page.page.emulate_media(media="print")
    assert cell.get_by_text(STORED).first.is_visible()
    assert not page.page.locator(".run-bar, .run-editor, .run-tools").filter(visible=True).count()
    page.page.emulate_media(media="screen")
    # What was typed is there on the next visit, and goes when it is dropped.
    page.page.reload()
    button = page.page.locator(".btn-launch-live")
    button.click()
    assert "NameError" in page.cell(PRINTING).locator(".cm-content").inner_text()
    page.button(f"Reset cell {PRINTING}").click()
    page.write(EDITED[0], "1", run=False)
    page.button("Reset all").click()
    page.says("as it was")
    assert STORED in page.cell(PRINTING).inner_text()
    page.page.reload()
    page.page.wait_for_function(READY)
    assert button.inner_text().strip() == "Edit and run the code"


# A worker without Python: a cell holds what it shows, as JSON, or what happens to it.
STUB = """let runs = 0;
onmessage = ({ data: { do: what, cell, source } }) => {
  if (what === "start") postMessage({ say: "ready" });
  if (what !== "run") return;
  runs += 1;
  const print = (text) => postMessage({
    say: "output", output: { output_type: "stream", name: "stdout", text } });
  const end = () => postMessage({ say: "end", cell, passed: true });
  postMessage({ say: "begin", cell });
  if (source === "fatal") return postMessage({ say: "broken", error: "unreachable\\nat once" });
  if (source === "endless") return;
  if (source === "twice") end();
  if (source === "which") print(`run ${runs}`);
  if (source === "late") {
    print("soon");
    return setTimeout(() => { print("too late"); end(); }, 1000);
  }
  if (source.startsWith("["))
    for (const output of JSON.parse(source)) postMessage({ say: "output", output });
  end();
};"""


@pytest.fixture
def without_python(reader, running):
    """A page that runs with such a worker."""
    stub = {"body": STUB, "content_type": "text/javascript"}
    reader.route("**/python/worker.js", lambda route: route.fulfill(**stub))
    return running()


def test_the_button_is_on_and_leads_to_the_next_code(without_python):
    page = without_python
    page.says("press Run or Shift+Enter")
    button, focused = page.page.locator(".btn-launch-live"), page.page.locator(":focus")
    assert button.inner_text().strip() == "Editing is on"
    expect(focused).to_have_attribute("aria-label", re.compile("^Run cell"))
    expect(focused).to_be_in_viewport(ratio=1)
    first = focused.get_attribute("aria-label")
    last = page.page.locator(".run-tools").last
    last.evaluate("tools => tools.closest('.cell').scrollIntoView()")
    button.click()
    expect(focused).to_be_in_viewport(ratio=1)
    assert focused.get_attribute("aria-label") != first


# Of each code that is seen: the size of its letters and lines, and the room that it takes.
SIZES = """(block) => [...document.querySelectorAll(`article .cell > .cell_input ${block}`)].map(
  (node) => {
    const { fontSize, lineHeight } = getComputedStyle(node);
    return [fontSize, lineHeight, node.closest(".cell_input").offsetHeight];
  })"""


@pytest.mark.parametrize("window", VIEWPORTS)
def test_code_that_can_be_changed_is_as_large_as_before(window, reader, address):
    page = reader.new_page()
    page.set_viewport_size(VIEWPORTS[window])
    go(page, f"{address}/{CHAPTER}.html")
    blocks = page.evaluate(SIZES, "pre")
    page.locator(".btn-launch-live").click()
    page.locator(".run-tools").first.wait_for(state="attached")
    editors = page.evaluate(SIZES, ".cm-scroller")
    assert len(blocks) > 1
    for before, after in zip(blocks, editors, strict=True):
        assert before[:2] == after[:2]
        assert after[2] == pytest.approx(before[2], abs=1)


def test_what_was_shown_is_dim_while_its_cell_runs_and_run_is_stop(without_python):
    page = without_python
    cell = page.write(2, "endless")
    shown = cell.locator(".cell_output")
    expect(shown).not_to_have_css("opacity", "1")
    page.button(f"Run cell {EDITED[2]}").click()  # it waits, and says so
    expect(page.cell(EDITED[2])).to_have_class(re.compile("run-queued"))
    page.button("Stop cell 2").click()
    expect(page.page.locator(".run-queued")).to_have_count(0)
    page.says("its variables are gone")
    expect(shown).to_have_css("opacity", "1")
    page.prints(2, "which", "run 2")  # with the cell above
    page.button("Run cell 2").dblclick()  # starts it, and does not stop it
    page.says("Cell 2 has run")


def test_what_a_cell_prints_after_its_reset_is_not_shown(without_python):
    page = without_python
    cell = page.prints(2, "late", "soon")
    cell.get_by_role("button", name="Reset").click()
    page.says("Cell 2 has run")
    assert page.page.locator(".run-live > *, .cell_output .run-stored").count() == 0
    page.write(2, "late", run=False)
    page.button("Run all").click()
    cell.get_by_text("soon").wait_for()
    page.button("Reset all").click()
    page.says("as it was")
    page.page.wait_for_timeout(1200)
    assert page.page.locator(".run-live > *, .cell_output .run-stored").count() == 0


def test_after_a_fatal_error_and_after_restart_there_is_another_python(without_python):
    page = without_python
    page.prints(2, "which", "run 2")  # the cells above were run, too
    page.button("Restart").click()
    page.says("Python was restarted")
    page.prints(2, "which", "run 2")  # and are run again
    page.button("Run all").click()
    page.says("The cells have run")
    page.write(2, "fatal")
    page.says("Python broke down in cell 2 (unreachable)")
    page.prints(1, "which", "run 1")
    page.write(1, "twice")  # a cell can post messages of its own
    page.says("Cell 1 has run")


def test_what_a_cell_shows_runs_no_script_and_names_its_error(without_python):
    page = without_python
    trace = "Traceback:\n  raise TypeError\nx.TypeError: no\na note\n"
    error = {"output_type": "error", "ename": "TypeError", "traceback": [trace]}
    page.page.evaluate("window.ran = []")
    act = "window.ran.push(1)"
    html = f"<b onclick='{act}'>bold</b><img src='x:' onerror='{act}'><script>{act}</script>"
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' onload='{act}'><script>{act}</script></svg>"
    shown = [{"data": {"text/html": html}}, {"data": {"image/svg+xml": svg, "figure": True}}]
    shown += [{"display_id": "a", "data": {"text/plain": text}} for text in ("half", "")]
    outputs = [{"output_type": "display_data", **each} for each in shown]
    cell = page.write(1, json.dumps([*outputs, error]))
    page.says("Cell 1 has run")
    cell.locator(".run-live").get_by_text("bold").click()
    assert page.page.evaluate("window.ran") == []
    assert cell.locator("svg.run-live").count() == 1
    assert cell.locator("[data-display]").evaluate_all("all => all.map(e => e.hidden)") == [True]
    expect(cell.locator(".run-error")).to_have_text("x.TypeError: no")
    assert cell.locator(".traceback pre").inner_text().strip() == trace.strip()


# With all packages


@wheels
@pytest.mark.parametrize("name", NAMES if ALL_PAGES else ["chapters/01-attention", CHAPTER,
                                                          EXERCISES])  # fmt: skip
def test_a_page_shows_what_is_stored(name, reader, full):
    foreign, said = [], []
    reader.on("request", lambda request: foreign.append(request.url))
    reader.on("console", lambda line: said.append(line.text))
    page = Running(reader.new_page(), full, name)
    assert differences(name, page.run_all(SECONDS), page.page.evaluate) == {}
    assert [line for line in said if "Error" in line] == []
    assert [url for url in foreign if not url.startswith((full, "data:", "blob:"))] == []


@wheels
def test_a_changed_number_changes_its_figure_and_a_moving_one_has_a_state(reader, full):
    page = Running(reader.new_page(), full, CHAPTER)
    number = next(k for k, cell in enumerate(codes(CHAPTER), 1) if "svg+xml" in str(cell))
    cell = page.cell(number)
    cell.get_by_role("button", name="Run cell").click()
    page.says(f"Cell {number} has run", SECONDS)
    picture = cell.locator("svg.run-live")
    before = picture.inner_html()
    code = cell.locator(".cm-content").inner_text()
    page.write(number, code.replace("figsize=(", "figsize=(1 + "))
    page.wait(SECONDS)
    assert picture.inner_html() != before
    assert cell.locator("figcaption").count() == 1
    cell.get_by_role("button", name="Reset").click()
    assert picture.count() == 0
    assert cell.locator("figure svg.drawn").is_visible()
    cell = page.write(EDITED[2], "from figures import Clock\nclock = Clock(position=7)\nclock")
    slider = cell.get_by_role("slider").first
    slider.wait_for(timeout=SECONDS * 1000)
    assert slider.input_value() == "7"
    slider.fill("9")
    page.prints(EDITED[3], "print(clock.position)\nclock.position = 11", "9")
    page.page.wait_for_function("input => input.value === '11'", arg=slider.element_handle())


@wheels
def test_a_function_is_written_and_checked_where_its_task_stands(reader, full):
    name = "exercises/02-counting"
    page = Running(reader.new_page(), full, name)
    code = ["".join(cell["source"]) for cell in codes(name)]
    check = next(k for k, source in enumerate(code, start=1) if source.startswith("check("))
    task = re.match(r"check\((\w+)", code[check - 1])[1]
    page.button(f"Check cell {check}").click()
    cell = page.cell(check)
    cell.locator(".run-live pre").wait_for(timeout=SECONDS * 1000)
    assert "✓" not in cell.inner_text()
    expect(cell).not_to_have_class(re.compile("run-done"))  # there was no answer yet
    page.write(check - 1, f"def {task}(*_):\n    return 0.125", run=False)
    page.button(f"Check cell {check}").click()
    expect(cell).to_have_class(re.compile("run-failed"), timeout=SECONDS * 1000)
    solved = f"""from exercises.registry import exercises, solution_of
{task} = solution_of(exercises()['{task}'])"""
    page.write(check - 1, solved, run=False)
    page.button(f"Check cell {check}").click()
    cell.get_by_text("✓ Passed.").wait_for(timeout=SECONDS * 1000)
    assert f"✓ {task}" in cell.inner_text()
    cell.get_by_role("link", name=re.compile(r"^Next: 2\.\d")).click()
    expect(page.page).to_have_url(re.compile("#"))


@wheels
def test_a_first_visit_loads_about_as_much_as_a_phone_is_told():
    """As a server sends it that compresses what can be compressed."""
    drawing = (
        r"(matplotlib|contourpy|kiwisolver|pillow|cycler|pyparsing|python_date|six|packaging)-"
    )
    for name, left_out in {"live/page": "$^", "website/own_model": drawing}.items():
        paths = [path for path in (FULL / "python").rglob("*") if path.is_file()]
        weight = sum(gzipped(path) for path in paths if not re.match(left_out, path.name))
        script = (ROOT / "publishing" / f"{name}.js").read_text(encoding="utf8")
        told = int(re.search(r"const MEGABYTES = (\d+);", script)[1])
        assert weight / 1e6 == pytest.approx(told, rel=0.1)


@wheels
def test_a_config_and_functions_are_read_in_the_page_and_one_offline(new_tab, full):
    page = new_tab()
    page.goto(f"{full}/appendices/config.html")
    own = page.locator("#own-model")
    own.get_by_role("button", name="Read it").click()
    said = own.get_by_role("status")
    expect(said).to_have_text(re.compile(r"^gpt_oss: 24 layers of 2 kinds"), timeout=60_000)
    text, shown = own.get_by_label("config.json"), own.locator("pre")
    text.fill("def endless(x, t):\n    while True: pass")
    own.get_by_role("button", name="Read it").click()
    expect(said).to_contain_text("“Read it” ends it", timeout=20_000)
    text.fill("def back(x, t): return __import__('pecode').rotate(x, -t)")
    own.get_by_role("button", name="Read it").click()
    expect(shown).to_contain_text("wrong: pairs turn", timeout=60_000)
    page.context.set_offline(True)
    own.get_by_label("model").select_option("gemma-4-e2b")
    expect(said).to_have_text(re.compile(r"^gemma4_text: 35 layers of 2 kinds"))


@wheels
def test_packages_from_elsewhere_are_asked_for_once_and_numbers_come(reader, address):
    files = {name: path.read_bytes() for name, path in compiled().items()}
    asked = []

    def in_list(route):  # the test's own wheels have not the hash of the official ones
        known = route.fetch().json()
        for name, body in files.items():
            known["packages"][name]["sha256"] = hashlib.sha256(body).hexdigest()
        route.fulfill(json=known)

    def answer(route):
        asked.append(urlsplit(route.request.url).path.rsplit("/", 1)[1].split("-")[0].lower())
        route.fulfill(body=files[asked[-1]], headers={"access-control-allow-origin": "*"})

    reader.route(f"**/{distribution.LIST}*", in_list)
    reader.route(f"{CDN}**", answer)
    page = Running(reader.new_page(), address, CHAPTER)
    page.prints(2, "from pecode import sinusoidal\nprint(sinusoidal([5], 4).round(3))", "[[-0.959")
    assert len(asked) == len(set(asked)) > 0
