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

// One head's vector, each pair turned by its own angle. A pair is two neighbors, or, in the other
// layout, one column of the first half and one of the second.
export const rotate = (x, position, frequencies, halves) => {
  const [found, pairs] = [x.slice(), x.length / 2];
  for (let pair = 0; pair < pairs; pair++) {
    const [cos, sin] = [Math.cos(position * frequencies[pair]), Math.sin(position * frequencies[pair])];
    const [a, b] = halves ? [pair, pair + pairs] : [2 * pair, 2 * pair + 1];
    found[a] = x[a] * cos - x[b] * sin;
    found[b] = x[a] * sin + x[b] * cos;
  }
  return found;
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
