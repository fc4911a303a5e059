// Rows of tables with a mistake in them: one formula for each of pecode.diagnose.variants.

// 8 significant bits, ties to even; positions are small enough for a float32.
const bfloat16 = (value) => {
  const bits = new Uint32Array(new Float32Array([value]).buffer);
  bits[0] = (bits[0] + 0x7fff + ((bits[0] >>> 16) & 1)) & 0xffff0000;
  return new Float32Array(bits.buffer)[0];
};

// How far a column turns from row to row, in radians: column j, of width d.
const pairAt = (j) => Math.floor(j / 2);
const rightSpeed = (j, d, base) => base ** ((-2 * pairAt(j)) / d);
const SPEEDS = {
  "no bug": rightSpeed,
  "factor 2 doubled": (j, d, base) => base ** ((-4 * pairAt(j)) / d),
  "factor 2 lost": (j, d, base) => base ** (-pairAt(j) / d),
  "exponent by column": (j, d, base) => base ** (-j / d),
  "wrong base": (j, d, base) => rightSpeed(j, d, base / 10),
  precedence: (j, d, base) => Math.exp(2 * pairAt(j) * Math.floor(-Math.log(base) / d / 2)),
  "integer division": () => 1,
  "divided twice": (j, d, base) => 1 / rightSpeed(j, d, base),
  "along the batch": () => 0,
  "low precision": rightSpeed,
  concatenated: (j, d, base) => rightSpeed(2 * (j % (d / 2)), d, base),
  "endpoint spacing": (j, d, base) => base ** (-pairAt(j) / (d / 2 - 1)),
  "positions from 1": rightSpeed,
  "cosine first": rightSpeed,
};

// Sines in the even columns, cosines in the odd ones.
const filled = (t, d, base, speed) =>
  Array.from({ length: d }, (_, j) => (j % 2 ? Math.cos : Math.sin)(t * speed(j, d, base)));
const paper = (t, d, base) => filled(t, d, base, rightSpeed);

// The tables that are not filled so.
const TABLES = {
  "along the batch": (t, d, base) => paper(1, d, base),
  "low precision": (t, d, base) => paper(bfloat16(t), d, base),
  concatenated: (t, d, base) => {
    const row = paper(t, d, base);
    return [...row.filter((_, j) => j % 2 === 0), ...row.filter((_, j) => j % 2)];
  },
  "positions from 1": (t, d, base) => paper(t + 1, d, base),
  "cosine first": (t, d, base) => paper(t, d, base).map((_, j, row) => row[j % 2 ? j - 1 : j + 1]),
};

export const bugNames = () => Object.keys(SPEEDS);

export const bugRow = (name, position, dModel, base = 10000) =>
  TABLES[name]?.(position, dModel, base) ?? filled(position, dModel, base, SPEEDS[name]);

// After how many rows each column repeats; Infinity where it never changes.
export const bugWavelengths = (name, dModel, base = 10000) =>
  Array.from({ length: dModel }, (_, j) => (2 * Math.PI) / SPEEDS[name](j, dModel, base));

// The names in an order that only the seed decides.
export const dealt = (seed) => {
  let state = seed;
  const chance = () => { // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const names = bugNames();
  for (let k = names.length - 1; k > 0; k--) {
    const other = Math.floor(chance() * (k + 1));
    [names[k], names[other]] = [names[other], names[k]];
  }
  return names;
};
