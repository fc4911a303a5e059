// A language model in the page, one character at a time: the steps of lab/language.py.
import { softmax } from "./encodings.js";

// The arrays of a file that numpy wrote: a zip archive, the list of its parts at the end.
export const readNpz = async (buffer) => {
  const [view, arrays] = [new DataView(buffer), {}];
  const [u16, u32] = [(at) => view.getUint16(at, true), (at) => view.getUint32(at, true)];
  const end = buffer.byteLength - 22;
  for (let [left, at] = [u16(end + 10), u32(end + 16)]; left; left--) {
    const [compressed, size, name, start] = [u16(at + 10), u32(at + 20), u16(at + 28), u32(at + 42)];
    const begin = start + 30 + u16(start + 26) + u16(start + 28);
    const part = new Blob([buffer.slice(begin, begin + size)]).stream();
    const whole = compressed ? part.pipeThrough(new DecompressionStream("deflate-raw")) : part;
    const title = new TextDecoder().decode(new Uint8Array(buffer, at + 46, name));
    arrays[title.replace(".npy", "")] = array(await new Response(whole).arrayBuffer());
    at += 46 + name + u16(at + 30) + u16(at + 32);
  }
  return arrays;
};

const float16 = (bits) => {
  const [sign, exponent, rest] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + rest / 1024) : (2 ** -14 * rest) / 1024);
};

// One array: the header says its shape, and whether its numbers are whole (int8) or float16.
const array = (buffer) => {
  const header = 10 + new DataView(buffer).getUint16(8, true);
  const described = new TextDecoder().decode(new Uint8Array(buffer, 0, header));
  const shape = /\((.*?)\)/.exec(described)[1].match(/\d+/g).map(Number);
  const whole = described.includes("i1");
  const values = whole
    ? Float32Array.from(new Int8Array(buffer, header))
    : Float32Array.from(new Uint16Array(buffer.slice(header)), float16);
  return { values, columns: shape.at(-1) };
};

// Matrices are kept as whole numbers, with a factor for each column.
export const weightsOf = (arrays) => {
  const found = {};
  for (const [name, { values, columns }] of Object.entries(arrays)) {
    const factor = arrays[`${name} factor`]?.values;
    found[name] = { columns, values: factor ? values.map((value, k) => value * factor[k % columns]) : values };
  }
  return found;
};

export const rowOf = ({ values, columns }, k) => values.subarray(k * columns, (k + 1) * columns);

// A vector times a matrix.
const multiply = (x, { values, columns }) => {
  const product = new Float32Array(columns);
  for (let i = 0, at = 0; i < x.length; i++) for (let j = 0; j < columns; j++) product[j] += x[i] * values[at++];
  return product;
};
const add = (x, y) => x.map((value, k) => value + y[k]);

const rmsNorm = (x, { values }) => {
  const size = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0) / x.length + 1e-6);
  return x.map((value, k) => (values[k] * value) / size);
};

const gelu = (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

// A predictor: a function that takes the next character and returns a number for each that may follow.
// `program` says what it does with positions: `added(t)` is added to the t-th character, `query` and
// `key` turn a head's vectors, `bias(head, t, s)` is added to a score; keys from `window` back on are
// hidden.
export const predictor = (weights, { layers, heads, added, query, key, bias, window = Infinity }) => {
  const cache = Array.from({ length: layers }, () => ({ keys: [], values: [] }));
  let t = -1;
  return (character) => {
    t++;
    let x = rowOf(weights.embedding, character);
    if (added) x = add(x, added(t));
    const width = x.length / heads;
    const split = (mixed, part) =>
      Array.from({ length: heads }, (_, head) => {
        const begin = part * x.length + head * width;
        return mixed.slice(begin, begin + width);
      });
    for (const [layer, { keys, values }] of cache.entries()) {
      const mixed = multiply(rmsNorm(x, weights[`${layer} norm attention`]), weights[`${layer} query key value`]);
      keys.push(split(mixed, 1).map((one) => key(one, t)));
      values.push(split(mixed, 2));
      const first = Math.max(0, t + 1 - window);
      const found = new Float32Array(x.length);
      split(mixed, 0).forEach((one, head) => {
        const asked = query(one, t);
        const scores = keys.slice(first).map((all, k) => {
          const product = all[head].reduce((sum, value, column) => sum + value * asked[column], 0);
          return product / Math.sqrt(width) + bias(head, t, first + k);
        });
        softmax(scores).forEach((share, k) => {
          const value = values[first + k][head];
          for (let column = 0; column < width; column++) found[head * width + column] += share * value[column];
        });
      });
      x = add(x, multiply(found, weights[`${layer} output`]));
      const inner = multiply(rmsNorm(x, weights[`${layer} norm forward`]), weights[`${layer} up`]).map(gelu);
      x = add(x, multiply(inner, weights[`${layer} down`]));
    }
    return multiply(rmsNorm(x, weights.norm), weights.readout);
  };
};
