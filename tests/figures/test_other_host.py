"""The figures in a host whose model can less than Jupyter's, as that of Jupyter Book 2."""

import json

from tools import myst2

from ..browser_fixtures import Log
from .data import ALL

# There is no Python behind it: what would speak with Python throws, and so does `off`.
HOST = """
class Model {
  #state; #heard = new Map();
  constructor(state) { this.#state = state; }
  get(name) { return this.#state[name]; }
  set(name, value) {
    this.#state[name] = value;
    for (const each of this.#heard.get(`change:${name}`) ?? []) each();
  }
  on(event, callback) { this.#heard.set(event, [...(this.#heard.get(event) ?? []), callback]); }
  off() { throw new Error("not here: off"); }
  save_changes() { throw new Error("not here: save_changes"); }
  send() { throw new Error("not here: send"); }
}
globalThis.mount = async (code, state) => {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  const el = document.body.appendChild(document.createElement("div"));
  const clean = await widget.render({ model: new Model(state), el });
  globalThis.leave = () => (clean(), el.remove());
  return el.innerHTML;
};
globalThis.touch = () => {
  for (const input of document.querySelectorAll(".moving-figure :is(input, select, button)")) {
    if (input.type === "range") input.value = Number(input.max) - Number(input.step || 1);
    if (input.tagName === "SELECT") input.selectedIndex = 1;
    if (["checkbox", "radio"].includes(input.type) || input.tagName === "BUTTON") input.click();
    for (const name of ["input", "change"]) input.dispatchEvent(new Event(name));
  }
};
"""
CHANGED = "before => document.querySelector('.moving-figure').parentElement.innerHTML !== before"


def test_every_control_works_where_the_model_only_holds_the_state(chromium, tmp_path, monkeypatch):
    monkeypatch.setattr(myst2, "TARGET", tmp_path)
    path = tmp_path / "host.html"
    path.write_text(f"<!doctype html><meta charset=utf8><script>{HOST}</script>", "utf8")
    tab, log = chromium.new_page(), Log()
    with log.watching(tab, path.as_uri()):
        tab.goto(path.as_uri())
        for name, make in ALL.items():
            state = json.loads(myst2.widget(name, make().get_state()).splitlines()[1])
            code = (tmp_path / "widgets" / f"{name}.js").read_text("utf8")
            before = tab.evaluate("given => mount(...given)", [code, state])
            tab.evaluate("touch()")
            tab.wait_for_function(CHANGED, arg=before)
            tab.evaluate("leave()")
    tab.close()
    assert (log.console, log.failed, log.foreign) == ([], [], [])
