// How alike vectors are: for the figures that compare rows of a table, or sums of two vectors.

const product = (u, v) => u.reduce((sum, value, k) => sum + value * v[k], 0);

// The cosine similarity of every row with every other. A row of zeros has no direction: 0.
export const cosines = (rows) => {
  const directions = rows.map((row) => {
    const length = Math.hypot(...row);
    return row.map((value) => (length ? value / length : 0));
  });
  return directions.map((u) => directions.map((v) => product(u, v)));
};

// The cosine similarity of two sums, where the cross terms are left out: a weighted mean of that
// of the words and that of the positions. The weights are the squared lengths.
export const mixture = (wordLength, words, positionLength, positions) =>
  (wordLength ** 2 * words + positionLength ** 2 * positions) / (wordLength ** 2 + positionLength ** 2);
