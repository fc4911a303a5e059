// Slides are as large as the screen allows. Keys, buttons and presenters' remotes turn them; where a
// slide asks something, its answer comes first.
const { body, documentElement: root } = document;
const slides = [...document.querySelectorAll(".slide:not(.printed)")];
const current = () => slides.findLastIndex((slide) => slide.offsetTop <= scrollY + innerHeight / 2);
const go = (number) => slides[number]?.scrollIntoView({ behavior: "instant" });

const fit = () => {
  const number = current();
  root.style.setProperty("--scale", Math.min(innerWidth / 1280, innerHeight / 720));
  go(number);
};
const forth = () => {
  const slide = slides[current()];
  if (slide.matches(".slide-asks:not(.slide-told)")) slide.classList.add("slide-told");
  else go(current() + 1);
};
const back = () => go(current() - 1);
// A phone has no keys.
for (const slide of slides) slide.addEventListener("click", () => slide.classList.add("slide-told"));
const KEYS = { Home: () => go(0), End: () => go(slides.length - 1) };
for (const key of ["PageDown", "ArrowRight", "ArrowDown", " ", "Enter"]) KEYS[key] = forth;
for (const key of ["PageUp", "ArrowLeft", "ArrowUp"]) KEYS[key] = back;

addEventListener(
  "keydown",
  (event) => {
    const act = event.key === " " && event.shiftKey ? back : KEYS[event.key];
    // A control has its own keys, but remotes, which send Page Down, turn the slides from anywhere.
    const taken = event.target.closest(".moving-figure, a, button") && !event.key.startsWith("Page");
    if (!act || taken || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
    fitThings();
  },
  true,
);
addEventListener("scrollend", () => history.replaceState(null, "", `#${current() + 1}`));
addEventListener("resize", fit);
// A moving figure is as large as its place allows, laid out as slides.css says.
const enlarge = (box) => {
  const figure = box.querySelector(".moving-figure");
  const { clientWidth, clientHeight } = box.closest(".slide-thing");
  if (!figure || !clientHeight) return; // it is not there, or an answer that is not told yet
  // Not `zoom`: with it, Firefox draws dots as lines.
  box.style.scale = Math.min(clientWidth / figure.offsetWidth, clientHeight / figure.offsetHeight).toFixed(3);
  box.style.setProperty("--by", box.style.scale);
};
const boxes = document.querySelectorAll(".slide-moving .cell_output");
const place = new ResizeObserver(() => requestAnimationFrame(() => boxes.forEach(enlarge)));
for (const box of boxes) place.observe(box);
addEventListener("beforeprint", () => boxes.forEach(enlarge));
// Of a picture that is made to fit, the letters stay as large as a room can read: 18 pixels of 720; on a phone 12.
const least = innerWidth < 600 ? 12 : 18;
const enlargeLetters = (picture) => {
  const drawings = [...picture.querySelectorAll(":scope > svg[class]")]; // for a desktop, and for a phone
  const shown = drawings.find((part) => part.checkVisibility()) ?? picture;
  const { width, height } = shown.viewBox.baseVal;
  const by = Math.min(picture.clientWidth / width, picture.clientHeight / height);
  for (const letters of shown.querySelectorAll("[font-size]"))
    if (by && by * letters.getAttribute("font-size") < least) letters.style.fontSize = `${least / by}px`;
};
// Once the letters are there, and when an answer is told: what is printed shrinks to its place.
const fitThings = () => {
  document.querySelectorAll(".slide svg.drawn").forEach(enlargeLetters);
  for (const output of document.querySelectorAll(".slide-cell_output"))
    for (let by = 0.97; output.clientHeight < output.scrollHeight && by > 0.4; by -= 0.03)
      output.firstElementChild.style.zoom = by;
  root.dataset.ready = "";
};
addEventListener("load", () => document.fonts.ready.then(fitThings));
addEventListener("click", fitThings);
const [backward, forward] = document.querySelectorAll(".slide-keys button");
backward.addEventListener("click", back);
forward.addEventListener("click", forth);
body.classList.add("slides-turn");
fit();
go(Number(location.hash.slice(1)) - 1);
