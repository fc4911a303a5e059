// Tables as waves: what figures.guess reads off each of them.

const numbers = (text) => text.split(" ").map(Number);
export const parsed = ({ speeds, quarters, positions }) => ({
  speeds: numbers(speeds),
  quarters: numbers(quarters),
  positions: numbers(positions),
});

export const rowAt = ({ speeds, quarters, positions }, k) =>
  speeds.map((speed, j) => Math.sin(speed * positions[k] + (quarters[j] * Math.PI) / 2));

// After how many rows each column repeats; Infinity where all rows have one position.
export const wavelengthsOf = ({ speeds, positions }) =>
  speeds.map((speed) => (positions.every((one) => one === positions[0]) ? Infinity : (2 * Math.PI) / speed));

// The names in an order that only the seed decides.
export const shuffled = (list, seed) => {
  let state = seed;
  const chance = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const names = [...list];
  for (let k = names.length - 1; k > 0; k--) {
    const other = Math.floor(chance() * (k + 1));
    [names[k], names[other]] = [names[other], names[k]];
  }
  return names;
};
