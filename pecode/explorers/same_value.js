// Chapter 2: one value of the normalized count, in texts of different length.
import { normalizedCount } from "./encodings.js";
import { explorer, fixed, label, move, svg } from "./base.js";

const OTHER = 11; // words of the text that does not change
const LONGEST = 200;

const percent = (share) => `${(100 * share).toFixed(3)}%`;

// As wide as there is room: places across are shares of the width, so letters keep their size.
const strip = (height, name) =>
  svg("svg", {
    style: `width: calc(100% - 28px); height: ${height}px`, role: "img", "aria-label": name,
  });

// A label beside one or two shares of the width, on the side where there is more room.
const place = (text, shares, content) => {
  const left = shares[0] > 0.5;
  const x = percent(left ? Math.min(...shares) : Math.max(...shares));
  move(text, { x, dx: left ? -8 : 8, "text-anchor": left ? "end" : "start" });
  text.textContent = content;
};

// The positions of a text as dots on a line, and a ring around one of them.
const row = (y, count) => {
  const line = svg("line", { x1: 0, y1: y, y2: y, stroke: "var(--ex-line)", "stroke-width": 2 });
  const marker = svg("line", {
    y1: y - 26, y2: y + 36, stroke: "var(--ex-soft)", "stroke-dasharray": "4 3",
  });
  const step = svg("line", {
    y1: y + 12, y2: y + 12, stroke: "var(--ex-accent)", "stroke-width": 4,
  });
  const dots = Array.from({ length: count }, () =>
    svg("circle", { cy: y, fill: "var(--ex-main)" }),
  );
  const ring = svg("circle", {
    cy: y, r: 8, fill: "none", stroke: "var(--ex-accent)", "stroke-width": 2.5,
  });
  const [name, above, below] = [label(0, y - 36), label(0, y - 14), label(0, y + 31)];
  move(name, { style: "font-weight: 600" });
  const nodes = [marker, line, ...dots, step, ring, name, above, below];
  return { nodes, marker, line, dots, step, ring, name, above, below };
};

const dot = (row, shares, radius) => {
  move(row.line, { x2: percent(shares.at(-1)) });
  row.dots.forEach((dot, t) =>
    move(dot, t < shares.length
      ? { cx: percent(shares[t]), r: radius, visibility: "visible" }
      : { visibility: "hidden" }),
  );
};

// The position nearest to a value; of two that are equally near the first.
const nearest = (shares, value) => {
  const gaps = shares.map((share) => Math.abs(share - value));
  const smallest = Math.min(...gaps) + 1e-12;
  return gaps.findIndex((gap) => gap <= smallest);
};

const trim = (value) => String(Number(value.toFixed(2)));

function render({ model, el }) {
  const share = strip(216, "Two texts drawn to the same width, and the value in both");
  const shareRows = [row(68, LONGEST), row(160, OTHER)];
  const valueName = label(0, 212, "", "middle");
  const shareTitle = label(0, 12, "normalized count: from 0 to 1, always");
  share.append(...shareRows.flatMap(({ nodes }) => nodes), valueName, shareTitle);

  const plain = strip(180, "The same two texts, each word at its plain count");
  const plainRows = [row(68, LONGEST), row(150, OTHER)];
  const plainTitle = label(0, 12, "plain count: a step is 1, always");
  plain.append(...plainRows.flatMap(({ nodes }) => nodes), plainTitle);
  for (const title of [shareTitle, plainTitle]) move(title, { style: "fill: var(--ex-soft)" });

  const update = () => {
    const [length, value] = ["length", "value"].map((name) => model.get(name));
    const lengths = [length, OTHER];
    const shown = trim(value);
    const positions = lengths.map((count, k) => {
      const shares = Array.from({ length: count }, (_, t) => normalizedCount(t, count));
      const { marker, step, ring, name, above, below } = shareRows[k];
      const here = nearest(shares, value);
      const exact = value * (count - 1);
      const next = here + (here < count - 1 ? 1 : -1);
      dot(shareRows[k], shares, count <= 30 ? 4 : count <= 90 ? 2.5 : 1.5);
      move(marker, { x1: percent(value), x2: percent(value) });
      move(ring, { cx: percent(shares[here]) });
      move(step, { x1: percent(shares[here]), x2: percent(shares[next]) });
      name.textContent = `${k ? "another" : "your"} text: ${count} words`;
      place(above, [value, shares[here]],
        Math.abs(exact - here) < 1e-9 ? `position ${here}` : `${trim(exact)}: nearest is ${here}`);
      place(below, [value, shares[here]], `one step: ${fixed(shares[1], 3)}`);
      return here;
    });
    move(valueName, { x: percent(value) });
    valueName.textContent = shown;

    const [, position] = positions;
    lengths.forEach((count, k) => {
      const shares = Array.from({ length: count }, (_, t) => normalizedCount(t, LONGEST));
      const at = normalizedCount(position, LONGEST);
      const { marker, step, ring, name, above, below } = plainRows[k];
      const exists = position < count;
      dot(plainRows[k], shares, 1.5);
      move(marker, { x1: percent(at), x2: percent(at) });
      move(ring, { cx: percent(at), visibility: exists ? "visible" : "hidden" });
      move(step, { visibility: "hidden" });
      name.textContent = `${k ? "another" : "your"} text: ${count} words`;
      place(above, [at], exists ? `position ${position}` : `no position ${position}`);
      // Behind the last dot; above it where the line needs the whole width.
      const wide = count > 0.7 * LONGEST;
      move(below, {
        x: percent(Math.max(shares.at(-1), at)), dx: wide ? 0 : 13, dy: wide ? -45 : -26,
        "text-anchor": wide ? "end" : "start",
      });
      below.textContent = `last: ${count - 1}`;
    });

    const is = (k) => {
      const exactly = Math.abs(value * (lengths[k] - 1) - positions[k]) < 1e-9;
      return `${exactly ? "" : "nearest to "}position ${positions[k]}`;
    };
    if (length === OTHER)
      return (
        `In both texts, of ${OTHER} words each, ${shown} is ${is(1)}. ` +
        `One step is ${fixed(1 / (OTHER - 1), 3)} in both.`
      );
    return (
      `In a text of ${length} words ${shown} is ${is(0)}; in one of ${OTHER} words it is ${is(1)}. ` +
      `One step is ${fixed(1 / (length - 1), 3)} here, ${fixed(1 / (OTHER - 1), 3)} there.`
    );
  };

  const figure = explorer({
    model, el, update,
    title: "Which word is that?",
    names: ["length", "value"],
  });
  figure.slider("length", "words in the text", { min: 2, max: LONGEST });
  figure.slider("value", "value of the normalized count", { min: 0, max: 1, step: 0.05, show: trim });
  return figure.start(share, plain);
}

export default { render };
