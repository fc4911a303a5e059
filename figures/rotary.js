// Rotary embedding: pairs of columns that turn, and how their frequencies are stretched for longer
// texts. One function for each of pecode's, with the same name in camel case.

const pairs = (dHead) => Array.from({ length: dHead / 2 }, (_, i) => i);

// Every pair (a, b) of x, columns 2i and 2i + 1, is turned by position times its frequency.
export const rotate = (x, position, omegas) =>
  omegas.flatMap((omega, i) => {
    const [sin, cos] = [Math.sin(omega * position), Math.cos(omega * position)];
    const [a, b] = [x[2 * i], x[2 * i + 1]];
    return [a * cos - b * sin, a * sin + b * cos];
  });

export const rotaryFrequencies = (dHead, base) => pairs(dHead).map((i) => base ** ((-2 * i) / dHead));

export const interpolated = (dHead, factor, base) => rotaryFrequencies(dHead, base).map((omega) => omega / factor);

export const ntkAware = (dHead, factor, base) => rotaryFrequencies(dHead, base * factor ** (dHead / (dHead - 2)));

// The pair, not rounded, that turns `rotations` times within the original length.
const pairOf = (rotations, dHead, originalLength, base) =>
  (dHead * Math.log(originalLength / (rotations * 2 * Math.PI))) / (2 * Math.log(base));

// Fast pairs stay, slow pairs are divided, and a ramp leads from the ones to the others.
export const yarn = (dHead, factor, originalLength, base, betaFast = 32, betaSlow = 1) => {
  const low = Math.max(Math.floor(pairOf(betaFast, dHead, originalLength, base)), 0);
  let high = Math.min(Math.ceil(pairOf(betaSlow, dHead, originalLength, base)), dHead - 1);
  if (low === high) high += 0.001;
  return rotaryFrequencies(dHead, base).map((omega, i) => {
    const slow = Math.min(Math.max((i - low) / (high - low), 0), 1);
    return (omega / factor) * slow + omega * (1 - slow);
  });
};

export const llama3 = (dHead, factor, originalLength, base, lowFactor = 1, highFactor = 4) =>
  rotaryFrequencies(dHead, base).map((omega) => {
    const rotations = (originalLength * omega) / (2 * Math.PI);
    if (rotations > highFactor) return omega;
    if (rotations < lowFactor) return omega / factor;
    const fast = (rotations - lowFactor) / (highFactor - lowFactor);
    return (1 - fast) * (omega / factor) + fast * omega;
  });
