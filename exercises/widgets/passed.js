// A check has passed in a Python that runs in the browser: no file is kept there, but the browser's
// own list is the one that the pages show.
import { frame, h, keepState } from "./frame.js";

function render({ model, el }) {
  keepState(model.get("name"), "passed");
  el.append(frame("", h("p", {}, "Noted in this browser, for the list of all exercises.")));
}

export default { render };
