// C++ misses exceptions of its own in WebKitGTK 2.50, and by reports in Safari 26.0. Where the call that throws goes through
// a table and is the last instruction before a catch, the interpreter of WebAssembly does not find it (webkit.org/b/299629).
// With one more instruction between the two, which does nothing, it does. SAMPLE tells whether a browser needs that.
const [CODE, NOTHING, CALL_INDIRECT, MORE] = [10, 0x01, 0x11, 0xfc];
const CATCHES = [0x07, 0x18, 0x19]; // catch, delegate, catch_all
// How many numbers follow each instruction. f is a float, d a double; t has a count first and then as many numbers, v one
// more than its count. A dot is an instruction that we do not know: a module with one is left as it is.
const AFTER = `0011101111.011v01212....1000t...1111111.222222222222222222222221111fd${"0".repeat(0x80)}...........101`;
const AFTER_MORE = "000000002121212111";
// (func (export "f") (try (do (call_indirect (i32.const 0))) (catch_all))), with a function that throws in the table
const SAMPLE = "AGFzbQEAAAABBAFgAAADAwIAAAQEAXAAAQ0DAQAABwUBAWYAAQkHAQBBAAsBAAoSAgQACAALCwAGQEEAEQAAGQsL";

const encoded = (number) => (number < 128 ? [number] : [(number & 127) | 128, ...encoded(number >>> 7)]);
const length = (pieces) => pieces.reduce((sum, piece) => sum + piece.length, 0);
const sized = (pieces) => [encoded(length(pieces)), ...pieces];
const joined = (pieces) => {
  const all = new Uint8Array(length(pieces));
  pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0);
  return all;
};
// Returns a module with such an instruction before each catch that needs one.
export const separated = (bytes) => {
  let at = 8; // after the name of the format and its version
  const number = () => { const byte = bytes[at++]; return byte < 128 ? byte : byte - 128 + 128 * number(); };
  const numbers = (count) => { while (count--) number(); };
  const instruction = () => {
    const code = bytes[at++];
    const after = code === MORE ? AFTER_MORE[number()] : AFTER[code];
    if (after === "t") numbers(number());
    else if (after === "v") numbers(number() + 1);
    else if (after === "f") at += 4;
    else if (after === "d") at += 8;
    else if (after >= "0") numbers(Number(after));
    else throw new RangeError(`instruction ${code}`);
    return code;
  };
  const body = (end) => {
    const pieces = [];
    let from = at;
    numbers(2 * number()); // local variables: how many, of which type
    while (at < end) {
      if (instruction() !== CALL_INDIRECT || !CATCHES.includes(bytes[at])) continue;
      pieces.push(bytes.subarray(from, at), [NOTHING]);
      from = at;
    }
    if (at !== end) throw new RangeError("a function that does not end");
    return [...pieces, bytes.subarray(from, end)];
  };
  const sections = [bytes.subarray(0, at)];
  while (at < bytes.length) {
    const from = at, kind = bytes[at++], end = number() + at;
    const code = kind === CODE ? [encoded(number())] : null;
    while (code && at < end) code.push(...sized(body(number() + at)));
    sections.push(code ? joined([[CODE], ...sized(code)]) : bytes.subarray(from, (at = end)));
  }
  return joined(sections);
};

// From now on modules are compiled so, if this browser needs it.
export const mend = () => {
  const { Module, Instance, CompileError, instantiate } = WebAssembly;
  const mended = (source) => {
    try {
      return separated(new Uint8Array(source.buffer ?? source, source.byteOffset, source.byteLength));
    } catch {
      return source;
    }
  };
  try {
    return void new Instance(new Module(Uint8Array.from(atob(SAMPLE), (letter) => letter.charCodeAt(0)))).exports.f();
  } catch (error) {
    if (error instanceof CompileError) return; // such a browser is too old for Pyodide as well
  }
  WebAssembly.Module = new Proxy(Module, { construct: (made, [source]) => new made(mended(source)) });
  WebAssembly.instantiate = async (source, imports) =>
    instantiate(source instanceof Module ? source : mended(source), imports);
  WebAssembly.instantiateStreaming = async (answer, imports) =>
    instantiate(mended(await (await answer).arrayBuffer()), imports);
};
