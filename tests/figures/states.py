"""What every figure says and draws, state by state: walked here, stored in states.yml.

A walk opens a figure, notes what it says, and then uses every control with the keyboard (mouse and
finger: test_use.py). `python -m tests.figures.states [FIGURE …]` walks again
and writes states.yml: what is said (`said`) and the folded numbers (`more`); after the start of a
walk only what differs from it. Read the difference before you commit it, for the sentences are the
promise. What is drawn (`drawn`) is not stored: it tells whether a control moves it.
"""

import sys
import tempfile
from pathlib import Path

import yaml

import figures
from publishing import browser
from tests import data

from .data import ALL
from .page import opened, said

STORED = Path(__file__).with_name("states.yml")

# More states, by traits of the class; {} is the state in which a figure starts.
STATES = data("figures/more_states.yml")


def make(name, state):
    """Return a figure in one of its states."""
    return getattr(figures, name)(**state) if state else ALL[name]()


def label(state):
    """Return a state in words."""
    said = [f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v}" for k, v in state.items()]
    return ", ".join(said) or "start"


DRAWN = 'all => all.outerHTML + [...all.querySelectorAll("canvas")].map(c => c.toDataURL())'
CONTROLS = ".ex-controls :is(input[type=range], input[type=checkbox], select), [role=application]"
KEYS = {"range": ["ArrowLeft", "ArrowRight", "Home", "End"], "checkbox": ["Space"]}
ARROWS = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]
NAME = """e => e.getAttribute("aria-label")
  ?? e.closest("label")?.querySelector("span")?.textContent ?? e.textContent"""
KIND = "e => e.matches('input') ? e.type : e.localName"
TOLD = "e.dispatchEvent(new Event(e.matches('select') ? 'change' : 'input', { bubbles: true }))"
RESET = {
    "range": f"(e, value) => {{ e.value = value; {TOLD}; }}",
    "select": f"(e, value) => {{ e.selectedIndex = value; {TOLD}; }}",
    "checkbox": "(e, value) => e.checked === value || e.click()",
}
VALUE = "e => e.type === 'checkbox' ? e.checked : e.matches('select') ? e.selectedIndex : e.value"


def drawn(page):
    """Return the drawings of the figure of a page, as they are now."""
    return page.locator(".ex-drawings").evaluate(DRAWN)


def shown(page):
    """Return what the figure of a page says and draws now."""
    folded = page.locator(".ex-more:not([hidden]) .ex-numbers")
    return {"said": said(page), "more": "".join(folded.all_text_contents()), "drawn": drawn(page)}


def walk(page):
    """Use everything a figure offers; yields what was done and what is shown then."""
    page.evaluate(
        "let seed = 1; Math.random = () => (seed = seed * 16807 % 2147483647) / 2147483647"
    )
    yield "start", shown(page)
    for control in page.locator(CONTROLS).all():
        if not control.is_visible():
            continue
        name, kind, start = (control.evaluate(each) for each in (NAME, KIND, VALUE))
        options = range(control.locator("option:not([hidden])").count())
        for step in options or KEYS.get(kind, ARROWS):
            if step == start:
                continue  # the option that is chosen
            if kind == "select":
                control.select_option(index=step)
            else:
                control.press(step)
            yield f"{name}: {'option ' * (kind == 'select')}{step}", shown(page)
            if kind in RESET:
                control.evaluate(RESET[kind], start)
    for k, button in enumerate(page.locator(".moving-figure button").all()[:12]):
        if button.is_visible() and button.is_enabled():
            name = button.evaluate(NAME)
            button.focus()
            page.keyboard.press("Enter")
            yield f"{name or k}: Enter", shown(page)


def walked(chromium, folder, name):
    """Walk through a figure from its start, and look at its other states."""
    found, start = {}, {}
    with opened(chromium, folder, make(name, {}), size=(760, 2400)) as page:
        for step, then in walk(page):
            start = then if step == "start" else start
            found[step if step not in found else f"{step} (again)"] = changed(start, then)
    for state in STATES.get(name, []):
        with opened(chromium, folder, make(name, state), size=(760, 2400)) as page:
            found[label(state)] = shown(page)
    return found


def changed(start, then):
    """Return what is shown, after the start only what differs from it."""
    return then if then is start else {k: v for k, v in then.items() if v != start[k]}


def without_drawing(then):
    """Return what of a state can be read."""
    return {part: text for part, text in then.items() if part != "drawn"}


def stored():
    """Return the stored states: figure, what was done, what is shown."""
    return yaml.safe_load(STORED.read_text(encoding="utf8")) if STORED.exists() else {}


def main(names):
    """Walk through these figures, or all, and store what they say."""
    states = stored()
    with browser.opened() as chromium, tempfile.TemporaryDirectory() as folder:
        for name in names or ALL:
            found = walked(chromium, Path(folder), name).items()
            states[name] = {step: without_drawing(then) for step, then in found}
    states = {name: states[name] for name in ALL if name in states}
    text = yaml.dump(states, allow_unicode=True, sort_keys=False, width=10_000)
    STORED.write_text(text, encoding="utf8")


if __name__ == "__main__":
    main(sys.argv[1:])
