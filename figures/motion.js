// Motion: how a drawing gets from one value of the model to another.
//
// The model holds where a figure stands, in whole positions; `at(name)` is where it is drawn, which
// lies between two of them while something moves. base.js hands these out with the figure:
//
//   figure.at("position")                 in `update`: the number to draw
//   figure.glide({ position: 32 })        sets values, and the drawing goes there in 0.4 seconds;
//                                         numbers and lists of numbers
//   figure.play("position", { perSecond: 1, share: 0.6 })
//                                         a button that walks from here to the end of LIMITS. With
//                                         `share` it goes position by position, and rests for the
//                                         other 40 % of each; without, steadily. For more than one
//                                         value: { place, values, limits }, as below.
//   figure.hold({ offset: 3.4 })          while something is dragged: drawn there, the model has 3
//   figure.settle()                       it is let go: the drawing goes to where the model is
//   figure.playing()                      whether it walks just now
//   figure.format(place, "position")      a number as a text: with a tenth while that value, or any,
//                                         is drawn between two whole ones, as it is drawn
//   figure.slider(name, label, { glide: true })    its keys glide, dragging it follows at once
//
// What is set in any other way is drawn at once and ends what moves. Nothing starts by itself; off
// the screen and in a hidden tab it stops. Nothing is read out while it plays. With reduced motion
// `glide` arrives at once, and the button makes single steps. Paused between two positions, it is at
// once where the model is.

// Asked for when it is needed: a test imports the modules without a browser.
export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)");

export const eased = (share) => share * share * (3 - 2 * share);

export const between = (a, b, share) =>
  Array.isArray(a) ? a.map((value, k) => between(value, b[k], share)) : a + (b - a) * share;

const SLOWEST = 100; // milliseconds from one picture to the next: what took longer was a pause

// `put` sets values of the model.
export const motion = ({ model, root, redraw, draw, mute, put }) => {
  const drawn = new Map(); // of what moves: where it is drawn, and the value that this belongs to
  const buttons = [];
  let [frame, advance, playing] = [0, null, null];

  const at = (name) => {
    const place = drawn.get(name);
    return place && place.value === model.get(name) ? place.at : model.get(name);
  };
  const moving = (of) =>
    // between two places; 0 and 1 are none, but the two states of a switch
    [...drawn].some(
      ([name, { at, value }]) =>
        (of ?? name) === name && at !== value && value === model.get(name) && LIMITS[name]?.[1] !== 1,
    );
  const format = (value, of) =>
    (moving(of) ? value.toFixed(1).replace(/^-0\.0$/, "0.0") : String(value)).replace("-", "−");
  const label = () => buttons.forEach((button) => button.label());
  const halt = () => {
    cancelAnimationFrame(frame);
    [frame, advance, playing] = [0, null, null];
    drawn.clear();
    mute(false);
    label();
    redraw();
  };
  const interrupted = () => [...drawn].some(([name, { value }]) => value !== model.get(name));
  const run = (next) => {
    [advance, frame] = [next, 0];
    let last = null;
    const step = (now) => {
      if (interrupted()) return halt();
      frame = requestAnimationFrame(step);
      const goesOn = advance(Math.min(now - (last ?? now), SLOWEST));
      last = now;
      draw(); // now: in the next picture the sliders would be ahead of the drawing
      if (!goesOn) halt();
    };
    frame = requestAnimationFrame(step);
  };

  const glide = (changes, milliseconds = 400) => {
    const names = [...new Set([...(playing ? [] : drawn.keys()), ...Object.keys(changes)])];
    const from = names.map(at);
    if (frame) halt();
    put(changes);
    drawn.clear();
    if (reducedMotion().matches) return redraw();
    const to = names.map((name) => model.get(name));
    let past = 0;
    const place = () =>
      names.forEach((name, k) =>
        drawn.set(name, { at: between(from[k], to[k], eased(past / milliseconds)), value: to[k] }),
      );
    place();
    redraw();
    run((passed) => {
      past = Math.min(past + passed, milliseconds);
      place();
      return past < milliseconds;
    });
  };

  const hold = (places) => {
    if (frame) halt();
    for (const [name, place] of Object.entries(places)) drawn.set(name, { at: place, value: Math.round(place) });
    put(Object.fromEntries(Object.entries(places).map(([name, place]) => [name, Math.round(place)])));
    redraw();
  };
  const settle = () => drawn.size && !frame && glide({}, 200);

  // `place` tells how far it is, `values` which values belong to a place, `limits` the first and
  // the last place. `button` makes a button from what a press does.
  const play = (button, { place, values, limits, perSecond, share = 0 }) => {
    const whole = (at) => (share ? Math.floor(at + 1e-9) : Math.round(at));
    const ended = () => Math.round(place()) >= limits()[1];
    const walk = () => {
      const [first, last] = limits();
      const begin = ended() ? first : Math.round(place());
      let past = 0;
      const go = (passed) => {
        past += (passed / 1000) * perSecond;
        const moved = share ? Math.floor(past) + eased(Math.min((past % 1) / share, 1)) : past;
        const here = Math.min(begin + moved, last);
        const [exact, held] = [values(here), values(whole(here))];
        for (const name of Object.keys(held)) drawn.set(name, { at: exact[name], value: held[name] });
        if (interrupted()) put(held);
        return here < last;
      };
      playing = node;
      mute(true);
      go(0);
      run(go);
      label();
    };
    const node = button(() => {
      const paused = playing === node;
      if (frame) halt(); // on a whole position
      if (paused) return;
      if (!reducedMotion().matches) return walk();
      return put(values(ended() ? limits()[0] : Math.round(place()) + 1));
    });
    node.classList.add("ex-play");
    node.label = () => {
      const step = ended() ? "start again" : "next step";
      const text = playing === node ? "pause" : reducedMotion().matches ? step : "play";
      if (node.textContent !== text) node.textContent = text;
      node.dataset.state = reducedMotion().matches ? "" : text;
    };
    buttons.push(node);
    node.label();
    return node;
  };

  const pause = () => frame && halt();
  const seen = new IntersectionObserver((entries) => entries.at(-1).isIntersecting || pause());
  seen.observe(root);
  const hidden = () => document.hidden && pause();
  const changed = () => {
    pause();
    label();
  };
  const preference = reducedMotion();
  document.addEventListener("visibilitychange", hidden);
  preference.addEventListener("change", changed);
  return {
    at,
    format,
    glide,
    hold,
    settle,
    play,
    label,
    playing: () => playing !== null,
    end() {
      cancelAnimationFrame(frame);
      seen.disconnect();
      document.removeEventListener("visibilitychange", hidden);
      preference.removeEventListener("change", changed);
    },
  };
};
