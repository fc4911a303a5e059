"""What engines in other languages are compared with is right, and its description is enough."""

import json
import re
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
import yaml

from pecode import alibi_slopes, rotate, rotate_points, section_frequencies
from pecode.diagnose import config
from publishing import vectors

ROOT = Path(__file__).parents[2]
TEXT = vectors.TARGET.read_text(encoding="utf8")
FILE = json.loads(TEXT)
CASES = {case["name"]: case for case in FILE["cases"]}
PAGE = (ROOT / "appendices" / "frameworks.md").read_text(encoding="utf8")
SECTION = re.search(r"(?s)## Check an engine in another language\n(.*?)\n## ", PAGE)[1]
LAYOUTS = ("half", "interleaved")
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def test_the_stored_file_is_what_the_program_writes():
    assert vectors.text() == TEXT
    assert len(TEXT.encode()) < 200_000


def test_the_file_lies_at_the_top_of_the_site():
    published = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))["sphinx"]["config"]
    paths = [ROOT / path for path in published["html_extra_path"]]
    assert vectors.TARGET in paths
    assert f'<a href="../{vectors.TARGET.name}">' in SECTION


def test_every_rule_is_there():
    rules = {case["rope_parameters"]["rope_type"] for case in CASES.values()}
    described = SECTION[SECTION.index("what `rope_parameters` asks for") :].split("A record of")[0]
    assert set(re.findall(r"(?m)^`(\w+)`\n: ", described)) == rules
    assert rules == {
        "default", "linear", "ntk", "dynamic", "yarn", "llama3", "longrope", "proportional",
    }  # fmt: skip


# A reader as the page describes it: it knows nothing of `pecode`.


def read(case, dtype=np.float64, **changed):
    """Cosines and sines from the settings alone, in numbers of a type."""
    rope, M = case["rope_parameters"] | changed, case["max_position_embeddings"]
    kind, s, L = rope["rope_type"], rope.get("factor"), rope.get("original_max_position_embeddings")
    share = 1 if kind == "proportional" else rope.get("partial_rotary_factor", 1)
    n, b = int(case["head_dim"] * share), rope["rope_theta"]
    i, scale = np.arange(n // 2), 1.0
    w = b ** (-2 * i / n)
    if kind == "linear":
        w = w / s
    elif kind in ("ntk", "dynamic"):
        s = s if kind == "ntk" else 1 + s * max(case["length"] / M - 1, 0)
        w = (b * s ** (n / (n - 2))) ** (-2 * i / n)
    elif kind == "yarn":
        p, q = (
            n * np.log(L / (2 * np.pi * rope[beta])) / (2 * np.log(b))
            for beta in ("beta_fast", "beta_slow")
        )
        if rope.get("truncate", True):
            p, q = np.floor(p), np.ceil(q)
        p, q = max(p, 0), min(q, n - 1)
        r = np.clip((i - p) / (q - p), 0, 1)
        w, scale = w * (1 - r) + w * r / s, 0.1 * np.log(s) + 1
        if "mscale" in rope:
            scale = 0.1 * rope["mscale"] * np.log(s) + 1
            scale /= 0.1 * rope["mscale_all_dim"] * np.log(s) + 1
        scale = rope.get("attention_factor", scale)
    elif kind == "llama3":
        low, high = rope["low_freq_factor"], rope["high_freq_factor"]
        k = np.clip((L * w / (2 * np.pi) - low) / (high - low), 0, 1)
        w = w * k + w * (1 - k) / s
    elif kind == "longrope":
        w = w / np.array(rope["long_factor" if case["length"] > L else "short_factor"])
        scale = np.sqrt(1 + np.log(M / L) / np.log(L))
    elif kind == "proportional":
        w = np.where(i < int(n // 2 * rope["partial_rotary_factor"]), w, 0)
    angle = np.array(case["positions"], dtype)[:, None] * w.astype(dtype)
    return {"frequencies": w, "cos": scale * np.cos(angle), "sin": scale * np.sin(angle)}


def allowed(case, dtype=np.float64):
    smallest, rate = {np.float64: (1e-12, 1e-15), np.float32: (1e-6, 3e-7)}[dtype]
    return np.maximum(smallest, rate * np.array(case["positions"]))[:, None]


def off(case, found, dtype=np.float64):
    """The largest difference of cosines and sines in units of what is allowed."""
    return max(
        np.max(abs(found[name] - case[name]) / allowed(case, dtype)) for name in ("cos", "sin")
    )


def turned(case, layout, cos, sin):
    x = np.array(case["x"])
    a, b = np.transpose(case[layout]["pairs"])
    rows = np.tile(x, (len(cos), 1))
    rows[:, a], rows[:, b] = x[a] * cos - x[b] * sin, x[a] * sin + x[b] * cos
    return rows


@every_case
def test_a_reader_of_the_description_gets_every_number(case):
    found = read(case)
    np.testing.assert_allclose(found["frequencies"], case["frequencies"], rtol=1e-15 * 8, atol=0)
    assert off(case, found) <= 1
    for layout in LAYOUTS:
        rows = turned(case, layout, found["cos"], found["sin"])
        assert np.all(abs(rows - case[layout]["turned"]) <= allowed(case))


@every_case
def test_a_reader_in_float32_stays_within_what_the_page_allows_it(case):
    assert off(case, read(case, np.float32), np.float32) <= 1


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("default", {"rope_theta": 10001.0}),
        ("linear", {"rope_type": "default"}),
        ("ntk", {"rope_type": "linear"}),
        ("dynamic, a long text", {"rope_type": "ntk"}),
        ("yarn", {"truncate": False}),
        ("yarn", {"attention_factor": 1.0}),
        ("yarn, ends not rounded", {"truncate": True}),
        ("yarn, two mscales", {"mscale_all_dim": 1.0}),
        ("yarn, both mscales equal", {"mscale_all_dim": 0.0}),
        ("llama3", {"rope_type": "yarn", "beta_fast": 4.0, "beta_slow": 1.0}),
        ("longrope, a long text", {"long_factor": CASES["longrope, a long text"]
         ["rope_parameters"]["short_factor"]}),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_seen_even_by_an_engine_in_float32(name, changed):
    case = CASES[name]
    assert off(case, read(case, np.float32, **changed), np.float32) > 1


# The page's own code, and each number of the file.


def run_page(folder, monkeypatch, cases):
    (folder / "vectors.json").write_text(json.dumps({"version": 1, "cases": cases}))
    monkeypatch.chdir(folder)
    exec(re.search(r"(?s)```python\n(.*?)```", SECTION)[1], {})


def test_the_code_of_the_page_accepts_the_file(tmp_path, monkeypatch):
    run_page(tmp_path, monkeypatch, list(CASES.values()))


@every_case
@pytest.mark.parametrize("field", ["cos", "sin", *LAYOUTS, "attention_scaling", "frequencies"])
def test_the_code_of_the_page_refuses_a_changed_number(case, field, tmp_path, monkeypatch):
    case = deepcopy(case)
    if field == "attention_scaling":
        case[field] += 1e-9
    elif field == "frequencies":
        case[field][0] += 1e-9
    else:
        (case[field]["turned"] if field in LAYOUTS else case[field])[-1][0] += 1e-9
    with pytest.raises(AssertionError, match=case["name"]):
        run_page(tmp_path, monkeypatch, [case])


def test_every_field_is_described_and_no_other():
    names = set(CASES["default"]) | set(CASES["default"]["half"])
    fields = SECTION[: SECTION.index("Code that keeps cosines")]
    described = re.findall(r"(?m)^(`.*)\n: ", fields)
    assert {name for row in described for name in re.findall(r"`(\w+)`", row)} == names
    assert all(set(case) == set(CASES["default"]) for case in CASES.values())


# `pecode`, which has other code for the same rules.


@every_case
def test_pecode_reads_the_same_from_the_settings(case):
    rope, length = dict(case["rope_parameters"]), case["length"]
    settings = {"model_type": "llama", "head_dim": case["head_dim"], "num_hidden_layers": 1}
    settings["max_position_embeddings"] = case["max_position_embeddings"]
    if rope["rope_type"] == "ntk":  # a key that only other engines have: the base says the same
        n = case["head_dim"]
        rope = {"rope_type": "default", "rope_theta": 10000.0 * rope["factor"] ** (n / (n - 2))}
    if rope["rope_type"] == "default" and "partial_rotary_factor" in rope:
        settings["model_type"] = "gpt_neox"  # of a family that reads it without a rule
    (layer,) = config(settings | {"rope_parameters": rope}, length=length).layers
    np.testing.assert_allclose(layer.frequencies, case["frequencies"], rtol=1e-14)
    assert layer.attention_scaling == pytest.approx(case["attention_scaling"], rel=1e-15)


@every_case
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pecode_turns_as_the_file_says(case, layout):
    n = 2 * len(case["frequencies"])
    x, positions = np.array([case["x"]] * len(case["positions"])), case["positions"]
    omega = np.array(case["frequencies"])
    found = rotate(x[:, :n], positions, frequencies=omega, layout=layout)
    found = np.hstack([found * case["attention_scaling"], x[:, n:]])
    assert np.all(abs(found - case[layout]["turned"]) <= allowed(case))


def test_far_positions_are_right_to_the_last_digits_where_pecode_knows_the_base():
    case = CASES["default, 64 columns"]
    x = np.array([case["x"]] * len(case["positions"]))
    for layout in LAYOUTS:
        found = rotate(x, case["positions"], 1e6, layout)
        np.testing.assert_allclose(found, case[layout]["turned"], rtol=0, atol=3e-15)


# Several coordinates, and biases


@pytest.mark.parametrize("record", FILE["mrope"], ids=lambda record: record["name"])
def test_rotations_by_three_coordinates_follow_the_description(record):
    rope, n = record["rope_parameters"], record["head_dim"] // 2
    sections = list(rope["mrope_section"])
    axes = [k for k in range(3) for _ in range(sections[k])]
    if rope["mrope_interleaved"]:
        axes, left = [], list(sections)
        for i in range(n):
            axis = i % 3 if left[i % 3] else 0
            left[axis] -= 1
            axes.append(axis)
        assert left == [0, 0, 0]
    assert record["axes"] == axes
    omega = rope["rope_theta"] ** (-np.arange(n) / n)
    np.testing.assert_allclose(record["frequencies"], omega, rtol=1e-14)
    points = np.array(record["positions"], float)
    angles = points[:, axes] * record["frequencies"]
    cos, sin = np.cos(angles), np.sin(angles)
    np.testing.assert_allclose(record["cos"], cos, rtol=0, atol=1e-11)
    np.testing.assert_allclose(record["sin"], sin, rtol=0, atol=1e-11)
    for layout in LAYOUTS:
        np.testing.assert_allclose(record[layout]["turned"], turned(record, layout, cos, sin),
                                   rtol=0, atol=1e-11)  # fmt: skip


@pytest.mark.parametrize("record", FILE["mrope"], ids=lambda record: record["name"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pecode_turns_by_three_coordinates_as_the_file_says(record, layout):
    rope = record["rope_parameters"]
    omega = section_frequencies(record["head_dim"], rope["mrope_section"], rope["rope_theta"],
                                interleaved=rope["mrope_interleaved"])  # fmt: skip
    x = np.array([record["x"]] * len(record["positions"]))
    found = rotate_points(x, record["positions"], omega, layout)
    np.testing.assert_allclose(found, record[layout]["turned"], rtol=0, atol=1e-11)


def test_text_turns_by_three_coordinates_as_by_one():
    for record in FILE["mrope"]:
        for point, row in zip(record["positions"], record["half"]["turned"], strict=True):
            if point == [point[0]] * 3:
                alone = rotate([record["x"]], point[0], 1e6, "half")[0]
                np.testing.assert_allclose(row, alone, rtol=0, atol=1e-11)


@pytest.mark.parametrize("record", FILE["alibi"], ids=lambda record: record["name"])
def test_biases_are_slopes_times_distances(record):
    np.testing.assert_allclose(record["slopes"], alibi_slopes(record["heads"]), rtol=1e-15)
    expected = -np.outer(record["slopes"], record["distances"])
    np.testing.assert_allclose(record["bias"], expected, rtol=1e-15)
    assert len(record["slopes"]) == record["heads"]


def test_the_other_lists_are_described():
    described = SECTION[SECTION.index("A record of `mrope`") :]
    for record in (FILE["mrope"][0], FILE["alibi"][0]):
        assert all(f"`{name}`" in described for name in record)
    assert FILE.keys() == {"version", "cases", "mrope", "alibi"}
    assert {r["heads"] & (r["heads"] - 1) == 0 for r in FILE["alibi"]} == {True, False}
    assert [r["rope_parameters"]["mrope_interleaved"] for r in FILE["mrope"]] == [False, True]
