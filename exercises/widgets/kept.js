// What this browser keeps of a reader's answers and code, and how a number is read.

// Where the browser keeps nothing (a private window, a page opened as a file), the page does.
const memory = {};
export const CHANGED = "pecode-changed"; // the browser itself tells the other tabs only
export const kept = (key) => {
  try {
    return { ...JSON.parse(localStorage.getItem(key)) };
  } catch {
    return memory[key] ?? {}; // also when what was kept cannot be read
  }
};
export const keep = (key, name, value) => {
  const { [name]: _, ...all } = kept(key);
  if (value !== null) all[name] = value;
  memory[key] = all;
  try {
    localStorage.setItem(key, JSON.stringify(all));
  } catch {}
  dispatchEvent(new Event(CHANGED));
};
const STATES = "pecode-exercises";
const ANSWERS = "pecode-answers";
// "passed" or "failed" by name. What is passed stays so.
export const states = () => kept(STATES);
export const keepState = (name, state) => {
  if (states()[name] !== "passed") keep(STATES, name, state);
};
export const dropState = (name) => keep(STATES, name, null);
export const answerTo = (name) => kept(ANSWERS)[name];
export const keepAnswer = (name, answer) => keep(ANSWERS, name, answer);
export const forget = () => {
  for (const key of [STATES, ANSWERS]) {
    delete memory[key];
    try {
      localStorage.removeItem(key);
    } catch {}
  }
  dispatchEvent(new Event(CHANGED));
};

// The number of a text, or null. 1,000 is refused: it may be one, or a thousand.
const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i;
const THOUSANDS = /^[+-]?[1-9]\d{0,2}(,\d{3})+$/;
export const readNumber = (text) => {
  const parts = text
    .replaceAll("−", "-")
    .split("/")
    .map((part) => part.trim());
  if (parts.length > 2 || parts.some((part) => !NUMBER.test(part) || THOUSANDS.test(part))) return null;
  const [over, under = 1] = parts.map((part) => Number(part.replace(",", ".")));
  return Number.isFinite(over / under) ? over / under : null;
};
