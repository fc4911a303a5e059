"""The notebooks in the browser: what can be shown without the compiled packages, and with them."""

import hashlib
import json
import re
import shutil
from html import unescape

import pytest

from tools.live import notebooks

from ..browser_fixtures import HTML, READY, ROOT, VIEWPORTS
from .live import (
    CODE,
    PLACE,
    Elsewhere,
    compiled,
    expect,
    expose,
    wait_for_kernel,
    with_packages,
    write_cell,
)

LITE = HTML / "lite"
CHAPTER = "chapters/05-translation.ipynb"
NEEDS_BUILD = pytest.mark.skipif(
    not LITE.exists() and not shutil.which("npm"),
    reason="built without the notebooks for the browser: there is no npm",
)


def needs_wheels(test):
    """Mark a test for `make test-live`: it needs the compiled packages."""
    skip = pytest.mark.skipif(
        not compiled(), reason="PECODE_WASM_WHEELS names no folder of compiled packages"
    )
    return pytest.mark.wheels(skip(test))


pytestmark = NEEDS_BUILD


@pytest.fixture(scope="module")
def built():
    return json.loads((LITE / "live.json").read_text(encoding="utf8"))


@pytest.fixture
def reader(chromium):
    """A new browser profile."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    expose(context)
    yield context
    context.close()


def told(page):
    """Return what the page says before it opens a notebook, once it has come to an end."""
    page.wait_for_selector(".run-actions")
    return page.locator(".run-box").inner_text()


# The build


def test_every_chapter_and_every_page_of_exercises_runs_in_the_browser(built):
    names = set(notebooks.all_names(ROOT))
    assert len(names) > 20
    assert set(built["notebooks"]) == names


def test_the_button_of_each_page_leads_to_its_notebook(built):
    for name, each in built["notebooks"].items():
        html = (HTML / name.replace(".ipynb", ".html")).read_text(encoding="utf8")
        button = re.search(r"<a [^>]*btn-launch-live[^>]*>", html)[0]
        target = unescape(re.search(r'href="([^"]*)"', button)[1])
        assert target == f"../run.html?path={name}"
        assert (LITE / "files" / each["file"]).is_file()


def test_pages_that_no_reader_runs_have_no_button():
    for name in ("intro.html", "exercises/overview.html", "appendices/sources.html"):
        assert "launch-live" not in (HTML / name).read_text(encoding="utf8")


def test_what_is_compiled_is_listed_as_its_makers_publish_it():
    ours = json.loads((LITE / "static/pyodide/pyodide-lock.json").read_text())["packages"]
    npm = ROOT / "_build/live/npm/node_modules/pyodide"
    theirs = json.loads((npm / "pyodide-lock.json").read_text())["packages"]
    version = json.loads((npm / "package.json").read_text())["version"]
    far = {name: each for name, each in ours.items() if "://" in each["file_name"]}
    assert sorted(far) == ["contourpy", "kiwisolver", "matplotlib", "numpy", "pillow"]
    for name, package in far.items():
        address = f"{PLACE}pyodide/v{version}/full/{theirs[name]['file_name']}"
        assert package == {**theirs[name], "file_name": address}


def test_what_lies_on_the_site_has_the_hash_that_the_list_gives():
    folder = LITE / "static/pyodide"
    packages = json.loads((folder / "pyodide-lock.json").read_text())["packages"]
    listed = {each["file_name"]: each["sha256"] for each in packages.values()}
    near = {name: digest for name, digest in listed.items() if "://" not in name}
    assert near == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.whl")
    }
    assert len(near) > 20


def test_live_notebooks_hold_no_outputs_and_nothing_that_only_the_pages_show(built):
    for each in built["notebooks"].values():
        name = each["file"]
        notebook = json.loads((LITE / "files" / name).read_text(encoding="utf8"))
        assert notebook["metadata"]["kernelspec"]["name"] == "python"
        assert notebook["metadata"]["language_info"] == {"name": "python"}
        assert notebook["metadata"]["edition"] == each["edition"]
        for cell in notebook["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code":
                assert cell["outputs"] == []
                assert "%pip" not in source
            else:
                for mark in (r"\{[\w:]+\}`", r"^(```|:::)\{", r"^\([\w-]+\)=$"):
                    assert not re.search(mark, source, re.MULTILINE), (name, source[:200])


def test_links_of_live_notebooks_lead_to_places_of_the_book(built):
    count = 0
    ids = {}
    for each in built["notebooks"].values():
        name = each["file"]
        text = (LITE / "files" / name).read_text(encoding="utf8")
        for link in re.findall(r"\(http://book\.invalid/([^)\s]*)[)\s]", text):
            page, _, place = link.partition("#")
            page = page.partition("?")[0]
            if page not in ids:
                html = (HTML / page).read_text(encoding="utf8")
                ids[page] = set(re.findall(r'\sid="([^"]*)"', html))
            assert not place or place in ids[page], (name, link)
            count += 1
    assert count > 200


def test_figures_keep_their_numbers_and_captions(built):
    for name, each in built["notebooks"].items():
        page = (HTML / name.replace(".ipynb", ".html")).read_text(encoding="utf8")
        there = re.findall(r'class="caption-number">(Fig\. [\d.]+) <', page)
        text = (LITE / "files" / each["file"]).read_text(encoding="utf8")
        kept = re.findall(r'"\*\*(Fig\. [\d.]+)\.\*\* ', text)
        assert kept == there


def test_headings_have_the_numbers_of_the_page(built):
    count = 0
    for name, each in built["notebooks"].items():
        page = (HTML / name.replace(".ipynb", ".html")).read_text(encoding="utf8")
        there = re.findall(r'<h[1-6]><span class="section-number">([\d.]+) </span>', page)
        notebook = json.loads((LITE / "files" / each["file"]).read_text(encoding="utf8"))
        texts = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "markdown"]
        assert re.findall(r"^#+ ([\d.]+\.) ", "\n".join(texts), re.MULTILINE) == there, name
        count += len(there)
    assert count > 100


def test_no_two_notebooks_have_one_name(built):
    """It is all that a tab of the browser shows."""
    names = [each["file"].rpartition("/")[2] for each in built["notebooks"].values()]
    assert len(set(names)) == len(names)


# What is said before a notebook opens


@pytest.fixture
def at(reader, address):
    """Open the page that opens a notebook, with the place of the packages as a test wants it."""

    def open_page(name=CHAPTER, answers=None, extra=""):
        elsewhere = Elsewhere(reader, answers or {})
        page = reader.new_page()
        page.goto(f"{address}/run.html?path={name}{extra}")
        return page, elsewhere

    return open_page


def test_without_the_place_of_the_packages_it_says_so_and_what_to_do(at):
    page, elsewhere = at()
    text = told(page)
    assert "Your browser does not reach cdn.jsdelivr.net." in text
    assert "numpy" in text
    assert {"Try again", "Open it all the same", "Download the notebook"} < set(text.splitlines())
    assert len(elsewhere.asked) == 1
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the notebook").click()
    assert download.value.suggested_filename == "05-translation.ipynb"


def test_a_package_with_other_bytes_is_refused_in_words(at, built):
    names = built["compiled"]
    page, _ = at(answers=dict.fromkeys(names, b"not what was published"))
    text = told(page)
    assert "What came from cdn.jsdelivr.net is not what it should be." in text
    assert all(name in text for name in names)
    assert "run.html" in page.url


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("delete window.WebAssembly", "WebAssembly"),
        ("delete WebAssembly.Exception", "exceptions in WebAssembly"),
        ("delete window.Worker", "workers"),
    ],
)
def test_an_old_browser_is_told_what_it_lacks(broken, said, reader, at):
    reader.add_init_script(broken)
    page, _ = at()
    text = told(page)
    assert "too old" in text
    assert said in text


def test_a_browser_that_keeps_nothing_is_warned(reader, at, built):
    reader.add_init_script(
        "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); }"
    )
    wheels = dict.fromkeys(built["compiled"], b"")
    expect(reader, wheels)
    page, _ = at(answers=wheels)
    assert "keeps nothing" in told(page)


def test_a_phone_is_told_the_cost_before_anything_is_loaded(chromium, address, built):
    width, height = VIEWPORTS["phone"]
    with chromium.new_context(
        viewport={"width": width, "height": height}, screen={"width": width, "height": height},
        has_touch=True, is_mobile=True,
    ) as phone:  # fmt: skip
        elsewhere = Elsewhere(phone, {})
        page = phone.new_page()
        page.goto(f"{address}/run.html?path={CHAPTER}")
        assert f"{built['megabytes']} MB" in told(page)
        assert elsewhere.asked == []
        page.locator(".run-actions button").first.tap()
        page.get_by_text("does not reach").wait_for()
        assert len(elsewhere.asked) == 1


def test_a_page_from_a_file_is_told_that_it_needs_a_server(file_tab):
    file_tab.goto(f"{(HTML / 'run.html').as_uri()}?path={CHAPTER}")
    assert "opened from a file" in told(file_tab)


def test_a_notebook_that_does_not_exist_is_named(at):
    page, _ = at(name="chapters/99-nothing.ipynb")
    page.get_by_text("no such notebook").wait_for()
    assert "chapters/99-nothing.ipynb" in page.locator(".run-box").inner_text()


def test_a_site_without_live_notebooks_says_so(reader, at):
    reader.route("**/lite/live.json", lambda route: route.fulfill(status=404))
    page, _ = at()
    assert "built without the notebooks" in told(page)


def test_the_page_alone_explains_and_asks_for_nothing(visit):
    page, log = visit("run.html")
    assert page.locator(".run-box").count() == 0
    assert page.locator("table tbody tr").count() == 5
    assert (log.foreign, log.failed, log.console) == ([], [], [])


# Python in the browser


def test_without_the_packages_plain_python_runs_and_only_numpy_is_missing(at, built):
    page, elsewhere = at()
    told(page)
    page.get_by_role("button", name="Open it all the same").click()
    wait_for_kernel(page)
    code = (
        "import sys\nprint('Python', sys.version_info.major, sys.platform)\n"
        "try:\n    import pecode\nexcept ImportError as error:\n    print('no', error.name)\n"
        "import importlib.util\nprint('pecode is here:', bool(importlib.util.find_spec('pecode')))"
    )
    cell = write_cell(page, code)
    cell.get_by_text("pecode is here: True").wait_for(timeout=60_000)
    text = cell.locator(".jp-OutputArea").inner_text()
    assert "Python 3 emscripten" in text
    assert "no numpy" in text
    assert page.title().startswith("05-translation –")  # tabs are told apart by it
    assert page.get_by_text(re.compile("Not Trusted|Last Checkpoint")).count() == 0
    # The cell names pecode: what it needs is asked for where it is, and nothing else anywhere.
    assert set(elsewhere.asked) == {needed["address"] for needed in built["needs"]}


@needs_wheels
def test_two_clicks_from_the_front_page_to_a_changed_cell_of_chapter_5(reader, address, built):
    elsewhere = with_packages(reader)
    foreign = []
    reader.on("request", lambda request: foreign.append(request.url))
    page = reader.new_page()
    page.goto(f"{address}/intro.html")
    page.wait_for_function(READY)
    page.locator("a[href$='chapters/05-translation.html']:visible").first.click()  # one
    page.wait_for_function(READY)
    with reader.expect_page() as opened:
        page.get_by_role("link", name="Run in the browser").click()  # two
    live = opened.value
    wait_for_kernel(live)
    cell = write_cell(live, "from pecode import sinusoidal\nprint(sinusoidal([5], 4).round(3))")
    cell.get_by_text("[[-0.959").wait_for(timeout=90_000)
    assert "0.284  0.05   0.999]]" in cell.locator(".jp-OutputArea").inner_text()
    assert set(elsewhere.asked) == {needed["address"] for needed in built["needs"]}
    others = {url for url in foreign if not url.startswith((address, "data:", "blob:", PLACE))}
    assert others == set()

    # What was changed is there again on the next visit, and is gone after starting afresh.
    live.keyboard.press("Control+s")
    live.wait_for_timeout(1000)
    live.close()
    again = reader.new_page()
    again.goto(f"{address}/run.html?path={CHAPTER}")
    wait_for_kernel(again)
    first = again.locator(CODE).first
    assert "sinusoidal([5], 4)" in first.inner_text()
    again.goto(f"{address}/run.html?path={CHAPTER}&fresh")
    again.get_by_role("button", name="Drop my changes").click()
    wait_for_kernel(again)
    assert "sinusoidal([5], 4)" not in again.locator(CODE).first.inner_text()


@needs_wheels
def test_a_newer_edition_asks_before_it_replaces_a_readers_copy(reader, address, built):
    with_packages(reader)
    page = reader.new_page()
    page.goto(f"{address}/run.html?path={CHAPTER}")
    wait_for_kernel(page)
    write_cell(page, "print(1000 + 234)").get_by_text("1234").wait_for(timeout=60_000)
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1000)

    def newer(route):
        new = route.fetch().json()
        new["notebooks"][CHAPTER]["edition"] = "another"
        new["needs"], new["compiled"] = [], []
        route.fulfill(json=new)

    reader.route("**/lite/live.json", newer)
    page.goto(f"{address}/run.html?path={CHAPTER}")
    assert "newer edition" in told(page)
    page.get_by_role("button", name="Open my copy").click()
    wait_for_kernel(page)
    assert "print(1000 + 234)" in page.locator(CODE).first.inner_text()


@needs_wheels
def test_links_of_a_live_notebook_name_the_site_that_it_is_on(reader, address):
    with_packages(reader)
    page = reader.new_page()
    page.goto(f"{address}/run.html?path={CHAPTER}")
    wait_for_kernel(page)
    link = page.get_by_role("link", name="the one of this notebook")
    assert link.get_attribute("href") == f"{address}/chapters/05-translation.html"
