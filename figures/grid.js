// Heat maps of many cells: one canvas under a drawing, a pixel for each cell. Rectangles by the
// thousand take a browser ten times as long.
import { draggable } from "./base.js";
import { clamp, drawing } from "./drawing.js";
import { element } from "./element.js";

// A canvas in its place under a drawing; `box` says where in the drawing the cells are: width and
// height of the drawing, and left, top, wide and tall.
export const gridCanvas = (rows, columns, box) => {
  const share = (value, whole) => `${(100 * value) / whole}%`;
  return element("canvas", {
    width: columns,
    height: rows,
    "aria-hidden": "true",
    style: `position: absolute; left: ${share(box.left, box.width)}; top: ${share(box.top, box.height)};
      width: ${share(box.wide, box.width)}; height: ${share(box.tall, box.height)}; image-rendering: pixelated;
      background: var(--ex-paper); print-color-adjust: exact`,
  });
};

export const gridMap = (rows, columns, box, name) => {
  const canvas = gridCanvas(rows, columns, box);
  const front = drawing(box.width, box.height, name);
  front.setAttribute("style", "position: relative; width: 100%; user-select: none");
  const node = element("div", { style: `position: relative; width: min(100%, ${box.width}px)` }, canvas, front);
  // The cell under a pointer, or the nearest one: a drag may go on outside.
  const cellAt = ({ clientX, clientY }) => {
    const { x, y, width } = front.getBoundingClientRect();
    const scale = box.width / width;
    const within = (value, count) => clamp(Math.floor(value * count), 0, count - 1);
    return {
      row: within(((clientY - y) * scale - box.top) / box.tall, canvas.height),
      column: within(((clientX - x) * scale - box.left) / box.wide, canvas.width),
    };
  };
  // A cell is chosen by a click, or by dragging over the map; with keys, see `onArrows`.
  const onChoose = (choose) => {
    front.setAttribute("role", "application");
    front.setAttribute("tabindex", 0);
    front.style.cursor = "crosshair";
    front.addEventListener("click", (event) => choose(cellAt(event)));
    draggable(front, (event) => choose(cellAt(event)));
  };
  return { node, front, canvas, cellAt, onChoose, paint: (values, limit) => paint(canvas, values, limit) };
};

// Red and blue as strong as the value, over the ground; null leaves the ground. The ground follows
// the theme by itself, the two hues are asked for again.
export const paint = (canvas, values, limit = 1) => {
  const style = getComputedStyle(canvas);
  const [red, blue] = ["--ex-red", "--ex-blue"].map((name) =>
    style
      .getPropertyValue(name)
      .match(/[0-9a-f]{2}/gi)
      .map((part) => parseInt(part, 16)),
  );
  const [rows, columns] = [values.length, values[0].length];
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  let next = 0;
  for (const row of values)
    for (const value of row) {
      const hue = value < 0 ? blue : red;
      for (let channel = 0; channel < 3; channel++) image.data[next++] = hue[channel];
      image.data[next++] = 255 * Math.min(Math.abs(value ?? 0) / limit, 1);
    }
  context.putImageData(image, 0, 0);
};

// A canvas does not follow the theme, nor the white of paper, by itself. Returns what ends it.
export const onNewColors = (redraw) => {
  const theme = new MutationObserver(redraw);
  for (const node of [document.documentElement, document.body])
    theme.observe(node, { attributeFilter: ["data-theme", "data-jp-theme-light"] });
  const paper = matchMedia("print");
  paper.addEventListener("change", redraw);
  return () => {
    theme.disconnect();
    paper.removeEventListener("change", redraw);
  };
};
