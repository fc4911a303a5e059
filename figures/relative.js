// Terms of the score that depend on the offset, key minus query: one function for each of pecode's.

export const alibiSlopes = (nHeads) => {
  const lower = 2 ** Math.floor(Math.log2(nHeads));
  const slopes = (n) => Array.from({ length: n }, (_, k) => 2 ** ((-8 * (k + 1)) / n));
  const between = slopes(2 * lower).filter((_, k) => k % 2 === 0);
  return [...slopes(lower), ...between.slice(0, nHeads - lower)];
};

// Both sides alike; no negative zero.
export const alibiBias = (offset, slope) => 0 - slope * Math.abs(offset);

export const clippedOffset = (offset, clip) => Math.min(Math.max(offset, -clip), clip);

// Half of the buckets hold one distance each. The others grow: bucket `exact + j` begins where
// (distance / exact)^(buckets - exact) reaches (maxDistance / exact)^j, in whole numbers here.
const distanceBucket = (distance, nBuckets, maxDistance) => {
  const exact = Math.floor(nBuckets / 2);
  if (distance < exact) return distance;
  const [near, far, edge, wide] = [distance, maxDistance, exact, nBuckets - exact].map(BigInt);
  let j = 0n;
  while (j < wide - 1n && near ** wide * edge ** (j + 1n) >= far ** (j + 1n) * edge ** wide) j += 1n;
  return exact + Number(j);
};

export const t5Bucket = (offset, nBuckets, maxDistance, bidirectional) => {
  if (!bidirectional) return distanceBucket(Math.max(-offset, 0), nBuckets, maxDistance);
  const half = nBuckets / 2;
  return (offset > 0 ? half : 0) + distanceBucket(Math.abs(offset), half, maxDistance);
};
