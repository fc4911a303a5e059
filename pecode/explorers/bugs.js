// Rows of tables with a mistake in them: one formula for each of pecode.bugs.

// 8 significant bits, ties to even; positions are small enough for a float32.
const bfloat16 = (value) => {
  const bits = new Uint32Array(new Float32Array([value]).buffer);
  bits[0] = (bits[0] + 0x7fff + ((bits[0] >>> 16) & 1)) & 0xffff0000;
  return new Float32Array(bits.buffer)[0];
};

// Sines in the even columns, cosines in the odd ones; `omega` gets the pair.
const filled = (t, d, omega) =>
  Array.from({ length: d }, (_, j) => (j % 2 ? Math.cos : Math.sin)(t * omega(Math.floor(j / 2))));
const paper = (t, d, base) => filled(t, d, (i) => base ** ((-2 * i) / d));

const TABLES = {
  "no bug": paper,
  "factor 2 doubled": (t, d, base) => filled(t, d, (i) => base ** ((-4 * i) / d)),
  "factor 2 lost": (t, d, base) => filled(t, d, (i) => base ** (-i / d)),
  "exponent by column": (t, d, base) =>
    Array.from({ length: d }, (_, j) => (j % 2 ? Math.cos : Math.sin)(t * base ** (-j / d))),
  "wrong base": (t, d, base) => paper(t, d, base / 10),
  precedence: (t, d, base) => filled(t, d, (i) => Math.exp(2 * i * Math.floor(-Math.log(base) / d / 2))),
  "integer division": (t, d) => filled(t, d, () => 1),
  "divided twice": (t, d, base) => filled(t, d, (i) => 1 / base ** ((-2 * i) / d)),
  "along the batch": (t, d, base) => paper(1, d, base),
  "low precision": (t, d, base) => paper(bfloat16(t), d, base),
  concatenated: (t, d, base) => {
    const row = paper(t, d, base);
    return [...row.filter((_, j) => j % 2 === 0), ...row.filter((_, j) => j % 2)];
  },
  "endpoint spacing": (t, d, base) => filled(t, d, (i) => base ** (-i / (d / 2 - 1))),
  "positions from 1": (t, d, base) => paper(t + 1, d, base),
  "cosine first": (t, d, base) => paper(t, d, base).map((_, j, row) => row[j % 2 ? j - 1 : j + 1]),
};

export const bugNames = () => Object.keys(TABLES);

export const bugRow = (name, position, dModel, base = 10000) => TABLES[name](position, dModel, base);

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
