"""What figures draw is data that node can make, without a browser: compared with pecode."""

import json
import shutil
import subprocess

import numpy as np
import pytest

import figures
import pecode

from ..browser_fixtures import ROOT

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")
RUN = """
const [path, constants, calls] = JSON.parse(process.argv[1]);
Object.assign(globalThis, constants);
const module = await import(path);
console.log(JSON.stringify(calls.map(([name, ...values]) => module[name](...values))));
"""


def called(figure, *calls):
    """Return what functions of a figure's module return: each call is a name and its arguments."""
    constants = {}
    for line in figure._esm.splitlines():  # what Python declares stands first
        name, _, value = line.removeprefix("const ").rstrip(";").partition(" = ")
        try:
            constants[name] = json.loads(value)
        except json.JSONDecodeError:
            break
    path = (ROOT / "figures" / f"{figures.FIGURES[figure.__name__]}.js").as_uri()
    command = [NODE, "--input-type=module", "--eval", RUN, json.dumps([path, constants, calls])]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def found(shapes, tag, **attributes):
    """Yield the shapes with these attributes, whatever lists and groups they are in."""
    for shape in shapes if isinstance(shapes, list) else [shapes]:
        if isinstance(shape, list):
            yield from found(shape, tag, **attributes)
        elif isinstance(shape, dict):
            if shape["tag"] == tag and attributes.items() <= shape["attributes"].items():
                yield shape
            yield from found(shape["children"], tag, **attributes)


@pytest.mark.parametrize(("position", "offset"), [(0, 0), (31, -7), (3.4, 20)])
def test_the_hands_of_the_clock_are_the_encoding(position, offset):
    state = {"position": position, "offset": offset}
    dials = called(figures.Clock, *(["dialShapes", state, i] for i in range(4)))
    for t, mark in ((position, "now"), (position + offset, "moved")):
        tips = [next(found(next(found(dial, "g", ref=mark)), "circle")) for dial in dials]
        pairs = [[tip["attributes"][name] for name in ("cx", "cy")] for tip in tips]
        expected = pecode.sinusoidal(t, 8).reshape(4, 2)
        assert ((np.array(pairs) - (62, 84)) / (50, -50)) == pytest.approx(expected, abs=1e-9)


def test_the_tip_of_the_hand_that_draws_two_waves_is_where_both_waves_are():
    [shapes] = called(figures.TwoWaves, ["shapes", {"position": 12, "omega": 0.3}])
    [sine] = found(shapes, "circle", **{"data-mark": "sine"})
    [cosine] = found(shapes, "circle", **{"data-mark": "cosine"})
    assert sine["attributes"]["cx"] == pytest.approx(72 + 52 * np.sin(3.6))
    assert cosine["attributes"]["cy"] == pytest.approx(72 - 52 * np.cos(3.6))
