// Drawings as data. A shape is { tag, attributes, children }, so what a figure draws is a pure function
// of its state, which a test compares without a browser; `draw` puts a list of shapes on the page.
import { element, setAttribute, setAttributes } from "./element.js";

const SVG = "http://www.w3.org/2000/svg";
const COLORS = new Set(["ink", "soft", "line", "paper", "blue", "red", "main", "accent"]);

export const shape = (tag, geometry, { mark, ...look }, children = []) => {
  const attributes = { ...geometry, "data-mark": mark };
  for (const [name, value] of Object.entries(look))
    attributes[name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)] = COLORS.has(value)
      ? `var(--ex-${value})`
      : value;
  return { tag, attributes, children };
};

// A look is { stroke: "main", strokeWidth: 2, mark: "now", … }: colors by their names on the page, and
// the mark of the words that belong to the shape. `ref` names the node: see `drawing`.
export const line = (x1, y1, x2, y2, look = {}) => shape("line", { x1, y1, x2, y2 }, look);
export const circle = (cx, cy, r, look = {}) => shape("circle", { cx, cy, r }, look);
export const rect = (x, y, width, height, look = {}) => shape("rect", { x, y, width, height }, look);
export const path = (d, look = {}) => shape("path", { d }, look);
export const outline = (d, look = {}) => shape("path", { d, fill: "none" }, look);
export const text = (x, y, content, anchor = "start", look = {}) =>
  shape("text", { x, y, "text-anchor": anchor }, look, [content].flat());
export const span = (content, look = {}) => shape("tspan", {}, look, [content]);
export const group = (look, ...shapes) => shape("g", {}, look, shapes.flat());

// What a path draws: a line through points, or a speck at each of them (with round line ends).
const pair = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
export const polyline = (points) => `M${points.map(pair).join("L")}`;
export const dotsAt = (points) => points.map((point) => `M${pair(point)}h0`).join("");

// Blue below zero, red above, the page's own color at zero: the map of the book's heat maps.
export const heatColor = (value) => {
  const share = 100 * Math.min(Math.abs(value), 1);
  return `color-mix(in oklab, var(--ex-${value < 0 ? "blue" : "red"}) ${share.toFixed(1)}%, var(--ex-paper))`;
};
// The same for cells through which the ground is seen.
export const tint = (value, limit = 1) => ({
  fill: value < 0 ? "blue" : "red",
  fillOpacity: Math.min(Math.abs(value) / limit, 1).toFixed(3),
});

export const times = (count, value) => Array.from({ length: count }, (_, k) => value(k));
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// Numbers as texts, with a true minus sign.
export const fixed = (value, digits = 2) => {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
};
export const withMinus = (value) => String(value).replace("-", "−");
export const thousands = (value) => Math.round(value).toLocaleString("en");

// The colors of a heat map from −limit to limit, with the numbers below their ends and their middle.
export const colorScale = (x, y, names) => [
  times(33, (k) => rect(x + 7 * (k - 16) - 3.5, y, 7, 12, { shapeRendering: "crispEdges", ...tint(k - 16, 16) })),
  names.map((name, k) => text(x + 112 * (k - 1), y + 28, name, "middle")),
];

// A list in words: "1, 2 and 3".
export const listInWords = (parts) =>
  parts.length < 2 ? String(parts[0]) : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

// On the page

const patch = (parent, shapes, refs) => {
  shapes.forEach((drawn, k) => {
    let node = parent.childNodes[k];
    if (typeof drawn === "object") {
      const { ref, ...attributes } = drawn.attributes;
      if (node?.nodeName !== drawn.tag) {
        const made = document.createElementNS(SVG, drawn.tag);
        if (node) node.replaceWith(made);
        else parent.append(made);
        node = made;
      }
      const before = node.drawn ?? {}; // what others set, such as a cursor, stays
      for (const name of Object.keys({ ...before, ...attributes }))
        if (before[name] !== attributes[name]) setAttribute(node, name, attributes[name]);
      node.drawn = attributes;
      if (ref) refs[ref] = node;
      patch(node, drawn.children, refs);
    } else if (node?.nodeType !== 3) {
      if (node) node.replaceWith(String(drawn));
      else parent.append(String(drawn));
    } else if (node.data !== String(drawn)) node.data = drawn;
  });
  while (parent.childNodes.length > shapes.length) parent.lastChild.remove();
};

// A place to draw on: `draw` makes it show shapes; `refs` has the nodes of shapes that have a name.
export const surface = (attributes) => {
  const node = setAttributes(document.createElementNS(SVG, "svg"), attributes);
  node.refs = {};
  node.draw = (...shapes) => patch(node, shapes.flat(Infinity), node.refs);
  return node;
};

// A drawing in pixels. It does not grow, so its letters keep their size; on a narrow screen the
// drawings of a figure stand below one another, and only one wider than the screen shrinks.
export const drawing = (width, height, label, { style = "", ...attributes } = {}) =>
  surface({
    viewBox: `0 0 ${width} ${height}`,
    style: `width: min(100%, ${width}px)${style && `; ${style}`}`,
    role: "img",
    "aria-label": label,
    ...attributes,
  });

// What is drawn how: pairs of a shape of 30 by 12 pixels and its name.
export const legend = (pairs) => {
  const entries = pairs.map(([shape, name]) => {
    const small = "display: inline-block; width: 30px; height: 12px; margin-right: 6px";
    const node = surface({ style: small, "aria-hidden": "true" });
    node.draw(shape);
    return element("span", {}, node, name);
  });
  const style = "display: flex; flex-wrap: wrap; justify-content: center; gap: 0 22px; width: 100%; font-size: 14px";
  return element("div", { style }, ...entries);
};
