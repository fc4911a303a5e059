// A check has passed in a Python that runs in the browser: no file is kept there, but the browser's
// own list is the one that the pages show.
import { element } from "../../figures/element.js";
import { frame, onward } from "./frame.js";
import { keepState } from "./kept.js";

function render({ model, el }) {
  keepState(model.get("name"), "passed");
  const verdict = element(
    "p",
    {},
    element("span", { class: "ask-right" }, "✓ Passed."),
    " The list of all exercises has it.",
  );
  el.append(frame("", element("div", { class: "ask-passed" }, verdict, onward(el))));
}

export default { render };
