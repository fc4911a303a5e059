"""A chapter and a page of exercises run in Firefox and in WebKit, and show what is stored.

With PECODE_PAGES=all every page runs, which takes an hour or more.
"""

import pytest

from ..browser.live import DONE, NAMES, SHOWN, compiled, differences, serving_all
from ..browser_fixtures import ALL_PAGES, READY

pytestmark = [
    pytest.mark.wheels,
    pytest.mark.skipif(not compiled(), reason="PECODE_WASM_WHEELS names no folder of packages"),
]
SAMPLE = ["chapters/02-counting"]
BUTTONS = "() => document.querySelectorAll('.run-actions button').length"
SAID = "() => document.querySelector('.run-status').textContent"


def run(browser, address, name):
    """Open a page, run all of its cells, and compare what they show with what is stored."""
    browser.goto(f"{address}/{name}.html")
    browser.wait(READY)
    browser.js("() => document.querySelector('.btn-launch-live').click()")
    browser.wait(BUTTONS)
    browser.js("() => document.querySelector('.run-actions button').click()")
    browser.wait(DONE, seconds=3600 if ALL_PAGES else 300)
    if "ft2font" in (said := browser.js(SAID)):
        assert "Safari 26.1 or newer" in said
        pytest.skip("WebKit before Safari 26.1 cannot run matplotlib: webkit.org/b/299629")
    assert differences(name, browser.js(SHOWN), browser.js) == {}, said


@pytest.mark.parametrize("name", NAMES if ALL_PAGES else SAMPLE)
def test_a_page_runs_where_it_is_read(name, browser):
    with serving_all() as address:
        run(browser, address, name)
