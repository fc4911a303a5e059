// The book's encodings in JavaScript, for the figures that move. One function for each of
// pecode's, with the same name in camel case; a test feeds both the same cases.

export const frequencies = (dModel, base = 10000) =>
  Array.from({ length: Math.ceil(dModel / 2) }, (_, i) => base ** ((-2 * i) / dModel));

export const sinusoidal = (position, dModel, base = 10000) =>
  Array.from({ length: dModel }, (_, column) => {
    const angle = position * base ** ((-2 * Math.floor(column / 2)) / dModel);
    return column % 2 ? Math.cos(angle) : Math.sin(angle);
  });

export const sineOnly = (position, omegas) => omegas.map((omega) => Math.sin(omega * position));

// The 2 × 2 block of T(offset) that turns the pair (sin, cos) of one frequency.
export const turn = (offset, omega) => {
  const [cos, sin] = [Math.cos(omega * offset), Math.sin(omega * offset)];
  return [
    [cos, sin],
    [-sin, cos],
  ];
};

export const similarity = (offset, dModel, base = 10000) =>
  frequencies(dModel, base).reduce((sum, omega) => sum + Math.cos(omega * offset), 0);

export const normalizedCount = (position, length) => position / Math.max(length - 1, 1);

// Ones last, as on paper. Division instead of shifts: positions may exceed 31 bits.
export const binary = (position, nBits) =>
  Array.from({ length: nBits }, (_, k) => Math.floor(position / 2 ** (nBits - 1 - k)) % 2);

// Each digit of the position, exclusive or the digit before it: t ^ (t >> 1).
export const gray = (position, nBits) =>
  binary(position, nBits).map((bit, k, bits) => (k ? (bit + bits[k - 1]) % 2 : bit));

export const distance = (a, b) => Math.hypot(...a.map((value, k) => value - b[k]));

export const softmax = (scores) => {
  const highest = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - highest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
};

const matmul = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));

export const causalMask = (length) =>
  Array.from({ length }, (_, row) => Array.from({ length }, (_, column) => column <= row));

// How much each row takes of each; mask[row][column] is true where the row may look at the column.
const attentionWeights = (x, wQuery, wKey, mask = null) => {
  const [queries, keys] = [wQuery, wKey].map((w) => matmul(x, w));
  const scale = Math.sqrt(queries[0].length);
  return queries.map((query, row) =>
    softmax(
      keys.map((key, column) =>
        mask && !mask[row][column] ? -Infinity : query.reduce((sum, value, k) => sum + value * key[k], 0) / scale,
      ),
    ),
  );
};

export const selfAttention = (x, wQuery, wKey, wValue, mask = null) =>
  matmul(attentionWeights(x, wQuery, wKey, mask), matmul(x, wValue));

// The cosine similarity of two sums, where the cross terms are left out: a weighted mean of that
// of the words and that of the positions. The weights are the squared lengths.
export const mixture = (wordLength, words, positionLength, positions) =>
  (wordLength ** 2 * words + positionLength ** 2 * positions) / (wordLength ** 2 + positionLength ** 2);

// How rotary's frequencies are stretched for longer texts.

export const interpolated = (dHead, factor, base) => frequencies(dHead, base).map((omega) => omega / factor);

export const ntkAware = (dHead, factor, base) => frequencies(dHead, base * factor ** (dHead / (dHead - 2)));

// The pair, not rounded, that turns `rotations` times within the original length.
const pairOf = (rotations, dHead, originalLength, base) =>
  (dHead * Math.log(originalLength / (rotations * 2 * Math.PI))) / (2 * Math.log(base));

// Fast pairs stay, slow pairs are divided, and a ramp leads from the ones to the others.
export const yarn = (dHead, factor, originalLength, base, betaFast = 32, betaSlow = 1) => {
  const low = Math.max(Math.floor(pairOf(betaFast, dHead, originalLength, base)), 0);
  let high = Math.min(Math.ceil(pairOf(betaSlow, dHead, originalLength, base)), dHead - 1);
  if (low === high) high += 0.001;
  return frequencies(dHead, base).map((omega, i) => {
    const slow = Math.min(Math.max((i - low) / (high - low), 0), 1);
    return (omega / factor) * slow + omega * (1 - slow);
  });
};

export const llama3 = (dHead, factor, originalLength, base, lowFactor = 1, highFactor = 4) =>
  frequencies(dHead, base).map((omega) => {
    const rotations = (originalLength * omega) / (2 * Math.PI);
    if (rotations > highFactor) return omega;
    if (rotations < lowFactor) return omega / factor;
    const fast = (rotations - lowFactor) / (highFactor - lowFactor);
    return (1 - fast) * (omega / factor) + fast * omega;
  });
