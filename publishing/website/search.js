// The search: looks through the passages of the book (search_index.py) and leads to the words. Its page has it, and the
// dialog of any other page once that is open (site.js).
import { element } from "../../figures/element.js";

// The start of a page's address, what kind it is, and how much a hit on it counts.
const KINDS = [
  ["chapters/", "Chapter", 1.5],
  ["exercises/", "Exercises", 0.8],
  ["appendices/glossary", "Glossary", 1],
  ["appendices/api", "API", 0.7],
  ["appendices/notation", "Notation", 0.5],
  ["appendices/sources", "Mistakes", 0.8],
  ["", "", 0.8],
];
const MORE = 4; // further places of a page
const AT_ONCE = 10; // pages; the others are folded
const LENGTH = 240; // characters of an excerpt
const letter = "[\\p{L}\\p{N}]";

const SMALL = /^(an?|and|are|at|can|do|does|for|from|have|how|i|in|is|it|my|of|on|or|s|the|to|wh\w+|with)$/i;
// Any form of a word: "extrapolation" finds "extrapolate". Of a question the small words are left out.
const patterns = (query) => {
  const words = query.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const telling = words.filter((word) => !SMALL.test(word));
  return (telling.length ? telling : words).map((word) => {
    const stem = word.replace(/^(.{4,}?)(ies|es|s|y|e|ing|ed|ations?)$/iu, "$1");
    return new RegExp(`(?<!${letter})${stem}${letter}*`, "giu");
  });
};
const times = (pattern, text) => text.match(pattern)?.length ?? 0;

// How well a passage answers: 0 where it lacks a word, which its page's title may have. A short title is about the
// word, a long text has every word once, and a list of papers explains none. With `rarity` words may be missing.
const score = (words, [, title, text, code], top, rarity) => {
  const name = title.replace(/^[\d.]+ |^(\w+\.)+/, "").toLowerCase();
  const points = words.map((word, i) => {
    const [named, said, used, onTop] = [name, text, code, top].map((each) => times(word, each));
    const about = (named && 8 / Math.sqrt(name.split(/[\s_]+/).length)) + (onTop && 3);
    const point = about + (2 * said) / (said + 1 + text.length / 2000) + used / (used + 3);
    return rarity ? point && words.length * rarity[i] * (1 + point / 20) : point || NaN;
  });
  const mean = points.reduce((sum, each) => sum + each, 0) / words.length || 0;
  return name === "further reading" ? mean / 3 : mean;
};
const find = (words, query, rarity) => {
  const pages = Object.entries(PASSAGES).map(([page, places]) => {
    const [, kind, weight] = KINDS.find(([start]) => page.startsWith(start));
    const top = places[0][1];
    const exact = ([, title]) => (`.${title}`.endsWith(`.${query}`) ? 2 : 0);
    const last = kind === "API"; // the chapters say what a name means, and link to it
    const hits = places
      .map((place) => ({ place, value: weight * score(words, place, top, rarity) + exact(place) }))
      .filter(({ value }) => value)
      .sort((a, b) => b.value - a.value);
    return { page, kind, top, hits, last, value: (hits[0]?.value ?? 0) + (weight * Math.log1p(hits.length)) / 2 };
  });
  // A term of the glossary names its chapter: that one comes first, with the section to which the term links.
  const terms = pages.find(({ kind }) => kind === "Glossary")?.hits ?? [];
  for (const [, term, , , link] of terms.map(({ place }) => place)) {
    const rest = words.reduce((left, word) => left.replace(word, ""), term);
    const [chapter, anchor] = link.split("#");
    if (!link || /[\p{L}\p{N}]/u.test(rest)) continue;
    for (const each of pages.filter(({ page }) => page.endsWith(chapter))) {
      const place = PASSAGES[each.page].find(([id]) => id === anchor);
      if (place) each.hits = [{ place }, ...each.hits.filter((hit) => hit.place !== place)];
      if (each.hits.length) each.value += 10;
    }
  }
  return pages.filter(({ hits }) => hits.length).sort((a, b) => a.last - b.last || b.value - a.value);
};

const any = (words) => new RegExp(words.map(({ source }) => source).join("|"), "giu");

// From the start of the sentence with the first hit, or from near the hit.
const excerpt = (words, [, title, said, code]) => {
  const text = times(any(words), code) && !times(any(words), said + title) ? code : said;
  const hit = Math.max(text.search(any(words)), 0);
  const sentences = text.slice(0, hit).split(/(?<=[.?!][)”\]]* )/);
  const sentence = hit - sentences.at(-1).length;
  const start = hit - sentence < LENGTH / 2 ? sentence : text.indexOf(" ", hit - LENGTH / 3);
  const piece = text.slice(start, start + LENGTH);
  return `${start > sentence ? "…" : ""}${piece.length < LENGTH ? piece : piece.replace(/\s\S*$/, "…")}`.trim();
};

const marked = (words, text) => {
  const parts = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(any(words))) {
    parts.push(text.slice(end, index), element("mark", {}, word));
    end = index + word.length;
  }
  return [...parts, text.slice(end)];
};

// The browser itself scrolls to the words and marks them until the reader clicks somewhere.
const address = (words, page, [anchor, , text]) => {
  const said = text.slice(text.search(any(words))).match(/^(?:[\p{L}\p{N}]+ ?){1,4}/u);
  const place = said && times(any(words), text) ? `:~:text=${encodeURIComponent(said[0].trim())}` : "";
  return `${document.documentElement.dataset.content_root}${page}#${anchor}${place}`;
};

const shown = (words, { page, kind, top, hits }) => {
  const [{ place }, ...rest] = hits;
  const title = place[1] === top ? top : `${top} › ${place[1]}`;
  const link = (place, title) => element("a", { href: address(words, page, place) }, title);
  const more = rest
    .slice(0, MORE)
    .flatMap(({ place }) => [" · ", link(place, place[1])])
    .slice(1);
  return element(
    "li",
    {},
    element("p", { class: "found-title" }, link(place, title), element("span", {}, kind)),
    element("p", { class: "context" }, ...marked(words, excerpt(words, place))),
    ...(more.length ? [element("p", { class: "found-more" }, "Also: ", ...more)] : []),
  );
};

const dialog = document.getElementById("pst-search-dialog");
const place = document.querySelector(".bd-search-container") ?? dialog;
const box = place.querySelector("#search-results") ?? element("section", { id: "search-results" });
if (place === dialog) dialog.append(box);
const field = place.querySelector("input[name=q]");
const answer = () => {
  const query = field.value.trim();
  let words = patterns(query);
  let found = words.length ? find(words, query) : [];
  let count = `${found.length} page${found.length > 1 ? "s" : ""} with all of these words.`;
  if (!found.length) {
    count = "No passage has all of these words.";
    words = patterns(query.replaceAll("_", " "));
    const all = Object.values(PASSAGES).flat().map(String);
    const rarity = words.map((word) => Math.log(all.length / (1 + all.filter((text) => times(word, text)).length)));
    found = find(words, query, rarity).filter(({ value }, i, [best]) => i < 5 && value > best.value / 2);
  }
  const list = (pages) => element("ol", { class: "search" }, ...pages.map((each) => shown(words, each)));
  const rest = found.slice(AT_ONCE);
  box.replaceChildren(
    element("p", { class: "search-summary", role: "status" }, words.length ? count : ""),
    list(found.slice(0, AT_ONCE)),
    ...(rest.length ? [element("details", {}, element("summary", {}, `Show ${rest.length} more`), list(rest))] : []),
  );
};
field.value ||= new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", answer);
// The arrow keys go from the field to what was found, and back.
place.addEventListener("keydown", (event) => {
  const stops = [field, ...box.querySelectorAll(".found-title a")].filter((node) => node.checkVisibility());
  const next = stops[stops.indexOf(document.activeElement) + { ArrowDown: 1, ArrowUp: -1 }[event.key]];
  if (next) event.preventDefault();
  next?.focus();
});
answer();
