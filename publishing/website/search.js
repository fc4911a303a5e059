// The search: looks through the passages of the book (search_index.py) and leads to their sections. Its page has it,
// and the dialog of any other page once that is open (site.js).
import { element } from "../../figures/element.js";

// The start of a page's address, what kind it is, and how much a hit on it counts.
const KINDS = [
  ["chapters/", "Chapter", 1.2],
  ["exercises/", "Exercises", 0.8],
  ["appendices/glossary", "Glossary", 0.8],
  ["appendices/api", "API", 0.7],
  ["appendices/notation", "Notation", 0.5],
  ["appendices/sources", "Mistakes", 0.8],
  ["appendices/bibliography", "Bibliography", 1],
  ["appendices/", "Appendix", 1],
  ["", "", 1],
];
const MORE = 4; // further places of a page
const AT_ONCE = 10; // pages; the others are folded
const LENGTH = 240; // characters of an excerpt
const letter = "[\\p{L}\\p{N}]";

const SMALL = /^(an?|and|are|at|by|can|do|does|for|from|have|how|i|in|is|it|my|of|on|or|past|s|the|to|wh\w+|with)$/i;
const times = (pattern, text) => text.match(pattern)?.length ?? 0;
// Any form of a word: "extrapolation" finds "extrapolate", "position_ids" "position IDs", 4096 4,096. The small words
// of a question are left out, and a name that no passage has is taken apart.
const pattern = (word) => {
  const stem = word
    .replace(/^(.{4,}?)(ies|es|s|y|e|ing|ed|ations?)$/iu, "$1")
    .replace(/[._-]/g, "[._ -]")
    .replace(/\d(?=(\d{3})+$)/g, "$&[,_]?");
  return Object.assign(new RegExp(`(?<!${letter})(${stem})${letter}*`, "giu"), { word });
};
const patterns = (query) => {
  const words = query.match(/[\p{L}\p{N}_]+([.-][\p{L}\p{N}_]+)*/gu) ?? [];
  const telling = words.filter((word) => !SMALL.test(word));
  const parts = (word) => (times(pattern(word), ALL) ? [word] : word.split(/[._-]/));
  return (telling.length ? telling : words).flatMap(parts).filter(Boolean).map(pattern);
};
const PLACES = Object.values(PASSAGES).flat();
const ALL = PLACES.flat().join(" ");
const letters = (texts) => texts.join("").replace(/[\s_-]/g, "").length;
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

// How much each word tells, as shares of one: a rare word more than a common one, a word that no passage has nothing.
const rarities = (words) => {
  const found = words.map((word) => PLACES.filter((place) => times(word, String(place))).length);
  const logs = found.map((count) => count && Math.log(1 + PLACES.length / count));
  return logs.map((each) => each / (sum(logs) || 1));
};

// Where the words that tell most stand together: [where these begin, their share].
const densest = (words, shares, text) => {
  const hits = words.flatMap((word, i) => [...text.matchAll(word)].map(({ index }) => [index, i]));
  const near = hits.map(([start]) => {
    const here = hits.filter(([index]) => index >= start && index < start + LENGTH).map(([, i]) => i);
    return [start, sum([...new Set(here)].map((i) => shares[i]))];
  });
  return near.reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0]);
};

// How well a passage answers, and the share of the words that it has, its page's title included. A title about them
// counts most, then words that stand together: a long text has every word once. A list of papers explains none.
const score = (words, shares, [, title, text, code], top) => {
  const name = title.replace(/^[\d.]+ |^(\w+\.)+/, "").toLowerCase();
  const rows = words.map((word) => [name, top, text, code].map((each) => times(word, each)));
  const about = letters(words.flatMap((word) => [...name.matchAll(word)].map(([, stem]) => stem))) / letters([name]);
  const points = rows.map(
    ([named, onTop, said, used]) =>
      (named && 8 * about) + (onTop && 3) + (2 * said) / (said + 1 + text.length / 2000) + used / (used + 3),
  );
  const has = sum(shares.filter((_, i) => rows[i].some(Boolean)));
  const together = words.length > 1 ? 4 * densest(words, shares, text)[1] : 0;
  const value = has ** 2 * (sum(points.map((point, i) => point * shares[i])) + together);
  return { has, value: name === "further reading" ? value / 3 : value };
};
const find = (words, shares) => {
  const pages = Object.entries(PASSAGES).map(([page, places]) => {
    const [, kind, weight] = KINDS.find(([start]) => page.startsWith(start));
    const top = places[0][1];
    const hits = places
      .map((place) => ({ place, ...score(words, shares, place, top) }))
      .filter(({ has }) => has)
      .sort((a, b) => b.value - a.value);
    const [best = { has: 0, value: 0 }] = hits;
    const good = hits.filter(({ value }) => value > best.value / 2).length * best.has ** 2;
    const last = ["API", "Bibliography"].includes(kind); // other pages say what a name means, and link to it
    return { page, kind, top, hits, last, value: weight * (best.value + Math.log1p(good) / 2) };
  });
  // A term of the glossary leads to a section: this comes first, as far as it has the words, too.
  const terms = pages.find(({ kind }) => kind === "Glossary")?.hits ?? [];
  for (const { place, value } of terms.toReversed()) {
    const [target, anchor] = place[4].split("#");
    const rest = words.reduce((left, word) => left.replace(word, ""), place[1]);
    if (!target || /[\p{L}\p{N}]/u.test(rest)) continue;
    for (const each of pages.filter(({ page, hits }) => page.endsWith(target) && hits.length)) {
      const hit = each.hits.find((other) => other.place[0] === anchor) ?? each.hits[0];
      each.hits = [hit, ...each.hits.filter((other) => other !== hit)];
      each.value += value * hit.has;
    }
  }
  pages.sort((a, b) => a.last - b.last || b.value - a.value);
  const whole = ({ hits }) => shares.every(Boolean) && hits.some(({ has }) => has > 0.999);
  const near = (each, i) => i < 5 && each.hits.length && (i < 3 || each.value > pages[0].value / 2);
  return [pages.filter((each, i) => whole(each) || near(each, i)), pages.filter(whole).length];
};

// The word of the book that has most pairs of letters of one that no passage has.
let known; // all words, once one is looked for
const nearest = (word) => {
  known ??= [...new Set(ALL.match(/\p{L}{4,}/gu))];
  const pairs = [...word.toLowerCase()].map((letter, i, all) => letter + (all[i + 1] ?? ""));
  const share = (each) => pairs.filter((pair) => each.toLowerCase().includes(pair)).length / pairs.length;
  const near = known.filter((each) => Math.abs(each.length - word.length) < 2).map((each) => [share(each), each]);
  const [, best] = near.reduce((one, other) => (other[0] > one[0] ? other : one), [0.6]);
  if (!best) return [];
  const again = new URLSearchParams({ q: field.value.replace(word, best) });
  const link = element("a", { href: `${document.documentElement.dataset.content_root}search.html?${again}` }, best);
  return [" (did you mean “", link, "”?)"];
};

const any = (words) => new RegExp(words.map(({ source }) => source).join("|"), "giu");

// From the start of the sentence with the words, or from near them.
const excerpt = (words, shares, [, title, said, code]) => {
  const isName = words.length === 1 && times(any(words), code) && !times(any(words), said + title);
  const text = isName || !said ? code : said; // of more words that only its code has, a place is shown by its start
  const [hit] = densest(words, shares, text);
  const sentences = text.slice(0, hit).split(/(?<=[.?!][)”\]]* )/);
  const sentence = hit - sentences.at(-1).length;
  const start = hit - sentence < LENGTH / 2 ? sentence : text.indexOf(" ", hit - LENGTH / 3);
  const piece = text.slice(start, start + LENGTH);
  return `${start > sentence ? "…" : ""}${piece.length < LENGTH ? piece : piece.replace(/\s\S*$/, "…")}`.trim();
};

const marked = (words, text) =>
  text
    .replace(any(words), "\0$&\0")
    .split("\0")
    .map((part, i) => (i % 2 ? element("mark", {}, part) : part));

const shown = (words, shares, { page, kind, top, hits }) => {
  const [{ place, value }, ...rest] = hits;
  const title = place[1] === top ? top : `${top} › ${place[1]}`;
  // To the heading: a text directive (#:~:text=) leads to the first place with the words, in any section, and pictures
  // that load later move it off the screen.
  const link = ([anchor], title) =>
    element("a", { href: `${document.documentElement.dataset.content_root}${page}#${anchor}` }, title);
  const more = rest
    .filter((hit) => hit.value > value / 4)
    .slice(0, MORE)
    .flatMap(({ place }) => [" · ", link(place, place[1])])
    .slice(1);
  return element(
    "li",
    {},
    element("p", { class: "found-title" }, link(place, title), element("span", {}, kind)),
    element("p", { class: "context" }, ...marked(words, excerpt(words, shares, place))),
    ...(more.length ? [element("p", { class: "found-more" }, "Also: ", ...more)] : []),
  );
};

const dialog = document.getElementById("pst-search-dialog");
const place = document.querySelector(".bd-search-container") ?? dialog;
const box = place.querySelector("#search-results") ?? element("section", { id: "search-results" });
if (place === dialog) dialog.append(box);
const field = place.querySelector("input[name=q]");
const answer = () => {
  const words = patterns(field.value);
  const shares = rarities(words);
  const [found, all] = find(words, shares);
  const missing = words.filter((_, i) => !shares[i]).flatMap(({ word }) => [" or ", `“${word}”`, ...nearest(word)]);
  const count = all
    ? [`${all} page${all > 1 ? "s" : ""} with all of these words.`]
    : ["No passage has ", ...(missing.length ? missing.slice(1) : ["all of these words"]), "."];
  const list = (pages) => element("ol", { class: "search" }, ...pages.map((each) => shown(words, shares, each)));
  const rest = found.slice(AT_ONCE);
  const signs = field.value.trim(); // and no word
  box.replaceChildren(
    element("p", { class: "search-summary", role: "status" }, ...(words.length ? count : [signs && "Type a word."])),
    list(found.slice(0, AT_ONCE)),
    ...(rest.length ? [element("details", {}, element("summary", {}, `Show ${rest.length} more`), list(rest))] : []),
  );
};
field.value ||= new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", answer);
answer();
