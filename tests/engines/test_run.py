"""Two pages run from top to bottom in Firefox and in WebKit, and show what is stored.

With PECODE_PAGES=all they run all of them, which takes an hour or more.
"""

import contextlib
import os

import pytest

from ..browser.live import KEPT, NAMES, SHOWN, compiled, differences, serving_all
from ..browser_fixtures import READY

pytestmark = [
    pytest.mark.wheels,
    pytest.mark.skipif(
        not compiled(), reason="PECODE_WASM_WHEELS names no folder of compiled packages"
    ),
]
BUTTONS = "() => document.querySelectorAll('.run-actions button').length"
DONE = "() => document.querySelectorAll('.run-actions button')[1].disabled"
SAID = "() => document.querySelector('.run-status').textContent"
SAMPLE = ["chapters/02-counting"]  # and a page of exercises, which runs without a network, too
ALL = os.environ.get("PECODE_PAGES") == "all"
ROUNDS = 60 if ALL else 10  # of the drivers' patience, while Python starts and the cells run


@pytest.mark.parametrize("name", NAMES if ALL else SAMPLE)
def test_a_page_runs_where_it_is_read(name, browser):
    with serving_all() as address:
        run(browser, address, name)
        assert differences(name, browser.js(SHOWN), browser.js) == {}, browser.js(SAID)


def test_a_page_that_has_run_opens_and_runs_without_a_network(browser):
    name = "exercises/05-translation"
    with serving_all() as address:
        run(browser, address, name)
        assert differences(name, browser.js(SHOWN), browser.js) == {}, browser.js(SAID)
        for file in (f"{name}.html", "worker.js", "asm.wasm", "session.py", "numpy-", "pecode-"):
            browser.wait(KEPT, file)
    browser.goto("about:blank")
    run(browser, address, name)  # the server is gone
    assert differences(name, browser.js(SHOWN), browser.js) == {}, browser.js(SAID)


def test_a_config_is_read(browser):
    with serving_all() as address:
        browser.goto(f"{address}/appendices/config.html")
        browser.wait(READY)
        browser.js("() => document.querySelector('#own-model [type=submit]').click()")
        said = "() => document.querySelector('#own-model [role=status]').textContent"
        patiently(browser, f"() => ({said})().startsWith('gpt_oss: ')")
        assert "24 layers of 2 kinds" in browser.js(said)


def run(browser, address, name):
    """Open a page, press its button and run all of its cells."""
    browser.goto(f"{address}/{name}.html")
    browser.wait(READY)
    browser.js("() => document.querySelector('.btn-launch-live').click()")
    browser.wait(BUTTONS)
    browser.js("() => document.querySelector('.run-actions button').click()")
    patiently(browser, DONE)


def patiently(browser, condition):
    """Wait as long as Python may take in a page; what is shown will tell if that was not enough."""
    for _ in range(ROUNDS):
        with contextlib.suppress(TimeoutError):
            browser.wait(condition)
            break
