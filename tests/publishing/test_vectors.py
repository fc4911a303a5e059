"""What engines in other languages are compared with is what `pecode` computes, and is described."""

import json
import re
from copy import deepcopy

import numpy as np
import pytest
from mpmath import mp

from pecheck import config
from pecode import alibi_slopes, rotate, rotate_points, section_frequencies
from publishing.home import ROOT
from tools import record_vectors

TARGET = ROOT / "publishing" / "vectors.json"
FILE = json.loads(TARGET.read_text(encoding="utf8"))
CASES = {case["name"]: case for case in FILE["cases"]}
PAGE = (ROOT / "appendices" / "frameworks.md").read_text(encoding="utf8")
SECTION = re.search(r"(?s)## Check an engine in another language\n(.*?)\n## ", PAGE)[1]
LAYOUTS = ("half", "interleaved")
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def test_the_file_is_what_50_digits_give():
    with mp.workdps(50):
        for record in (*FILE["cases"], *FILE["mrope"]):
            assert record_vectors.turned(record) == record
        assert [record_vectors.biases(each) for each in FILE["alibi"]] == FILE["alibi"]
    assert record_vectors.laid_out(FILE) == TARGET.read_text(encoding="utf8")


def test_every_rule_and_every_field_is_described():
    rules = {case["rope_parameters"]["rope_type"] for case in CASES.values()}
    described = SECTION[SECTION.index("what `rope_parameters` asks for") :].split("A record of")[0]
    assert set(re.findall(r"(?m)^`(\w+)`\n: ", described)) == rules
    fields = SECTION[: SECTION.index("Code that keeps cosines")]
    names = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"(?m)^(`.*)\n: ", fields))))
    assert names == set(CASES["default"]) | set(CASES["default"]["half"])
    assert all(set(case) == set(CASES["default"]) for case in CASES.values())
    others = SECTION[SECTION.index("A record of `mrope`") :]
    for record in (FILE["mrope"][0], FILE["alibi"][0]):
        assert all(f"`{name}`" in others for name in record)


def test_the_five_numbers_to_compare_first_are_those_of_the_first_record():
    rows = re.findall(r"(?m)^\| `(.*?)`.*? \| (-?[\d.]+) \|", SECTION)
    assert len(rows) == 5
    for path, number in rows:
        value = FILE["cases"][0]
        for key in re.findall(r"\w+", path):
            value = value[int(key) if key.isdigit() else key]
        assert f"{value:.6f}" == number, path


def run_page(folder, monkeypatch, cases):
    (folder / "vectors.json").write_text(json.dumps({"version": 1, "cases": cases}))
    monkeypatch.chdir(folder)
    exec(re.search(r"(?s)```python\n(.*?)```", SECTION)[1], {})


def test_the_code_of_the_page_accepts_the_file(tmp_path, monkeypatch):
    run_page(tmp_path, monkeypatch, list(CASES.values()))


@pytest.mark.parametrize("field", ["cos", "sin", *LAYOUTS, "attention_scaling", "frequencies"])
def test_the_code_of_the_page_refuses_a_changed_number(field, tmp_path, monkeypatch):
    case = deepcopy(CASES["yarn"])
    if field == "attention_scaling":
        case[field] += 1e-9
    elif field == "frequencies":
        case[field][0] += 1e-9
    else:
        (case[field]["turned"] if field in LAYOUTS else case[field])[-1][0] += 1e-9
    with pytest.raises(AssertionError, match=case["name"]):
        run_page(tmp_path, monkeypatch, [case])


# `pecode` has other code for the same rules


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
    n, positions = 2 * len(case["frequencies"]), np.array(case["positions"])
    x, omega = np.tile(case["x"], (len(positions), 1)), np.array(case["frequencies"])
    found = rotate(x[:, :n], positions, frequencies=omega, layout=layout)
    found = np.hstack([found * case["attention_scaling"], x[:, n:]])
    allowed = np.maximum(1e-12, 1e-15 * positions)[:, None]
    assert np.all(abs(found - case[layout]["turned"]) <= allowed)


@pytest.mark.parametrize("record", FILE["mrope"], ids=lambda record: record["name"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pecode_turns_by_three_coordinates_as_the_file_says(record, layout):
    rope, n = record["rope_parameters"], record["head_dim"] // 2
    in_turns = rope["mrope_interleaved"]
    omega = section_frequencies(
        record["head_dim"], rope["mrope_section"], rope["rope_theta"], interleaved=in_turns
    )
    x = np.tile(record["x"], (len(record["positions"]), 1))
    found = rotate_points(x, record["positions"], omega, layout)
    np.testing.assert_allclose(found, record[layout]["turned"], rtol=0, atol=1e-11)
    np.testing.assert_allclose(record["frequencies"], 1e6 ** (-np.arange(n) / n), rtol=1e-14)
    assert [record["axes"].count(axis) for axis in range(3)] == rope["mrope_section"]
    assert (record["axes"] != sorted(record["axes"])) is in_turns


@pytest.mark.parametrize("record", FILE["alibi"], ids=lambda record: record["name"])
def test_biases_are_slopes_times_distances(record):
    np.testing.assert_allclose(record["slopes"], alibi_slopes(record["heads"]), rtol=1e-15)
    expected = -np.outer(record["slopes"], record["distances"])
    np.testing.assert_allclose(record["bias"], expected, rtol=1e-15)
