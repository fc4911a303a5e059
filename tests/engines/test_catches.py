"""C++ catches what it throws in every engine: `site/run/catches.js` mends what WebKit misses."""

import pytest

from ..browser_fixtures import ROOT

pytestmark = pytest.mark.browser
SCRIPT = (ROOT / "site" / "run" / "catches.js").read_text(encoding="utf8")
# By `wat2wasm --enable-exceptions`, from
#
#     (module
#       (type $f (func))
#       (tag $t (param i32))
#       (memory 1)
#       (table 1 funcref)
#       (elem (i32.const 0) $throws)
#       (data (i32.const 25) "\05")
#       (func $throws (throw $t (i32.const 7)))
#       (func (export "catch") (result i32)
#         (try (do (call_indirect (type $f) (i32.const 0))) (catch $t return))
#         (i32.const 0))
#       (func (export "catch_all") (result i32)
#         (try (do (call_indirect (type $f) (i32.const 0))) (catch_all (return (i32.const 8))))
#         (i32.const 0))
#       (func (export "delegate") (result i32)
#         (try $outer
#           (do (try
#             (do (try (do (call_indirect (type $f) (i32.const 0))) (delegate $outer)))
#             (catch_all (return (i32.const 0)))))
#           (catch_all (return (i32.const 9))))
#         (i32.const 0))
#       ;; numbers of all kinds, with the bytes of a call and a catch among them
#       (func (export "numbers") (result f64) (local $i i32) (local $f f32)
#         (memory.fill (i32.const 26) (i32.const 17) (i32.const 300))
#         (block $in (block $out (br_table $in $out $in (i32.load8_u offset=25 (i32.const 0)))))
#         (local.set $f (f32.const 0x1.000022p+0))
#         (f64.add
#           (f64.promote_f32 (local.get $f))
#           (f64.add
#             (f64.const 0x1.0001119000011p+0)
#             (f64.convert_i64_s (i64.add
#               (i64.const -123456789)
#               (i64.extend_i32_u (select (result i32)
#                 (i32.const 0x190011)
#                 (i32.trunc_sat_f32_s (local.get $f))
#                 (i32.load8_u offset=25 (i32.const 0))))))))))
MODULE = (
    "AGFzbQEAAAABEARgAABgAX8AYAABf2AAAXwDBgUAAgICAwQEAXAAAQUDAQABDQMBAAEHKgQFY2F0Y2gAAQljYXRjaF9h"
    "bGwAAghkZWxlZ2F0ZQADB251bWJlcnMABAkHAQBBAAsBAAqUAQUGAEEHCAALDwAGQEEAEQAABwAPC0EACxAABkBBABEA"
    "ABlBCA8LQQALGwAGQAZABkBBABEAABgBGUEADwsZQQkPC0EAC04CAX8BfUEaQRFBrAL8CwACQAJAQQAtABkOAgEAAQsL"
    "QxEAgD8hASABu0QRAAAZEQDwP0Lr5ZBFQZGA5AAgAfwAQQAtABkcAX+tfLmgoAsLBwEAQRkLAQU="
)
# What the module's functions return as it is, given its instructions, and where the script mends.
CALLS = """async (script, base64) => {
  const { separated, mend } =
    await import(`data:text/javascript,${encodeURIComponent(script)}`);
  const caught = (f) => { try { return f() } catch { return "missed" } };
  const called = (bytes) => Object.fromEntries(
    Object.entries(new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports).map(
      ([name, f]) => [name, caught(f)]));
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const { Module } = WebAssembly;
  const plain = called(bytes), more = separated(bytes), given = called(more);
  mend();
  const touched = WebAssembly.Module !== Module;
  const now = called(bytes);
  const signed = called(new Int8Array(bytes)); // as Pyodide reads a package's file
  const { module, instance } = await WebAssembly.instantiate(bytes.buffer);
  const again = await WebAssembly.instantiate(module);
  const others = [instance, again].map(({ exports }) => caught(exports.catch));
  WebAssembly.Module = Module;
  return { plain, given, added: more.length - bytes.length, touched, now, signed, others,
    isModule: module instanceof WebAssembly.Module };
}"""


def test_what_a_call_through_a_table_throws_is_caught(visit, browser):
    visit("404.html")
    found = browser.js(CALLS, SCRIPT, MODULE)
    caught = {"catch": 7, "catch_all": 8, "delegate": 9, "numbers": found["plain"]["numbers"]}
    assert found["given"] == found["now"] == found["signed"] == caught
    assert found["others"] == [caught["catch"]] * 2
    assert found["isModule"]
    assert found["added"] == 3  # one for each catch, and none among the numbers
    assert found["touched"] == (found["plain"] != caught)  # only where it is needed
