"""`config` says what the tensors of a family do in transformers: `families.py` recorded them.

A record is compared where `config` speaks: the frequencies of each kind of layer that turns, which
layers these are, which columns make a pair, how many rows a table has and where position 0 stands.
"""

import copy
import json
from dataclasses import replace

import numpy as np
import pytest

from pecheck import Unreadable, config
from pecheck.configuration import comparison
from pecheck.configuration.families import FAMILIES, TRANSFORMERS, Family
from tests.conformance.case import VECTORS
from tests.conformance.families import DATA, run_lengths

RECORDS = json.loads((VECTORS / "families.json").read_text(encoding="utf-8"))
VERSION = RECORDS.pop("")["transformers"]
RECORDS = {name: record for name, record in RECORDS.items() if name in FAMILIES}


def turned_by(settings):
    return [layer for layer in config(settings).layers if layer.rotary_dim]


def assert_recorded(layers, frequencies):
    """Each kind of layer has frequencies that were recorded, and no recorded ones are left out."""
    left = {tuple(each) for each in frequencies}
    for layer in layers if frequencies else []:
        close = {each for each in map(tuple, frequencies) for ours in omegas_of(layer)
                 if np.allclose(ours, each, rtol=1e-5, atol=0)}  # fmt: skip
        assert close
        left -= close
    # DeepSeek V4's class has a rotation for layers with a window, too, and may have none of them.
    assert not (left and layers) or "compressed" in layers[0].kind


def omegas_of(layer):
    """How many frequencies there are, the second, the last, the sum: of all, and of one axis."""
    for n in {len(layer.frequencies), *(layer.sections or [])[:1]} - {1}:
        omega = layer.frequencies[:n] / (layer.frequencies[0] if layer.axes else 1)
        yield [n, omega[1], omega[-1], omega.sum()]


def kinds_of(settings):
    kinds = {i: layer.kind for layer in config(settings).layers for i in layer.indices}
    return run_lengths([kinds[i] for i in range(len(kinds))])


@pytest.mark.parametrize("name", RECORDS)
def test_a_family_does_what_its_tensors_do_in_transformers(name):
    record = RECORDS[name]
    if "settings" not in record:
        return
    layers = config(record["settings"]).layers
    turned = [layer for layer in layers if layer.rotary_dim]
    assert_recorded(turned, record["frequencies"])
    if record["layout"] and turned and not turned[0].axes and name != "qwen2_5_omni_dit":
        assert turned[0].layout == record["layout"]
    numbers = {i for i in record.get("turned", []) if i is not None}  # some have no number
    if numbers and name != "longcat_flash":  # which attends twice in a layer
        assert {i for layer in turned for i in layer.indices} == numbers
    if record.get("tables") and not turned:  # RoFormer's holds angles
        rows = layers[-1].rows or record["tables"][0][0]  # None: sines are made for any length
        assert [rows, layers[-1].offset] in record["tables"]


SILENT = [name for name, record in RECORDS.items() if record["silent"]["layers"]
          and not FAMILIES[name].axes and name not in DATA["unlikely"]]  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_a_silent_file_has_the_defaults_of_its_class(name):
    silent, file = RECORDS[name]["silent"], {"model_type": name}
    report = config(file)
    layers = report.layers
    turned = [layer for layer in layers if layer.rotary_dim]
    assert_recorded(turned, silent["frequencies"])
    assert sum(len(layer.indices) for layer in layers) == silent["layers"]
    assert {layer.head_dim for layer in layers} <= {silent["head"], None}
    if silent["kinds"]:
        assert kinds_of(file) == silent["kinds"]
    for layer in layers:
        side, length = silent["side"], silent["length"]
        if layer.kind == "decoder" and silent["decoder"]:
            length = silent["decoder"]
        if layer.rows and side:
            assert layer.rows - side**2 in (0, 1, 2)  # for the class, and DeiT's other token
        elif layer.rows:
            assert layer.rows - length in (0, 2)
        else:
            assert layer.promised_length in (length, None)
        assert (layer.window or silent["window"]) in (silent["window"], 0)
        if layer.scheme == "buckets":
            assert [layer.buckets, layer.max_distance] == silent["buckets"]
    layout, width = silent["indexer"]
    if layout and turned:
        words = {"half": "halves", "interleaved": "neighboring"}[layout]
        assert any(f"{width} columns" in note and words in note for note in report.notes)
    if "switched" in silent:
        switched = {**file, "use_sliding_window": True, "num_hidden_layers": 40}
        assert kinds_of(switched) == silent["switched"]
    if silent["ruled"] and turned:
        ruled = {**file, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}
        assert_recorded(turned_by(ruled), silent["ruled"])


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def numbers_in(rule):
    """The numbers of a rule, by their path."""
    found = {}
    for key, value in (rule or {}).items():
        inside = numbers_in(value) if isinstance(value, dict) else {"": value}
        found |= {f"{key}.{path}": n for path, n in inside.items() if is_number(n)}
    return found


@pytest.mark.parametrize("name", RECORDS)
def test_the_numbers_of_a_row_are_those_of_the_built_class(name):
    family, silent = FAMILIES[name], RECORDS[name]["silent"]
    for key, value in family.defaults.items():
        assert silent["keys"][key] in (value, None)
    assert numbers_in(family.rule).items() <= numbers_in(silent["rope"]).items()


def with_another_number(family):
    """The name of each number of a row, and the row where it is another one."""
    for key, usual in vars(Family()).items():
        if is_number(value := getattr(family, key)) and value != usual:
            yield key, replace(family, **{key: 2 * value})
    for key, value in family.defaults.items():
        if is_number(value):
            yield key, replace(family, defaults={**family.defaults, key: 2 * value})
    for path in numbers_in(family.rule):
        rule = copy.deepcopy(family.rule)
        *outer, key, _ = path.split(".")
        inside = rule[outer[0]] if outer else rule
        inside[key] *= 1.5
        yield path, replace(family, rule=rule)
    for i, value in enumerate(family.attention):
        if is_number(value):
            pattern = *family.attention[:i], value + 1, *family.attention[i + 1 :]
            yield f"attention[{i}]", replace(family, attention=pattern)


def test_any_other_number_of_a_row_is_seen(monkeypatch):
    checks = (test_the_numbers_of_a_row_are_those_of_the_built_class,
              test_a_silent_file_has_the_defaults_of_its_class,
              test_a_family_does_what_its_tensors_do_in_transformers)  # fmt: skip
    unseen = set()
    for name in set(RECORDS) - {"clip", "siglip"}:  # whose numbers are those of their parts
        for number, changed in with_another_number(FAMILIES[name]):
            with monkeypatch.context() as patch:
                patch.setitem(FAMILIES, name, changed)
                try:
                    for check in checks if name in SILENT else (checks[0], checks[2]):
                        check(name)
                    unseen.add((name, number))
                except (AssertionError, Unreadable):
                    pass
    assert unseen == {*map(tuple, DATA["elsewhere"])}


def test_families_of_every_scheme_are_recorded():
    assert VERSION == TRANSFORMERS
    schemes = {config(x["settings"]).layers[0].scheme for x in RECORDS.values() if "settings" in x}
    assert schemes >= {"rotary", "partial rotary", "learned", "ALiBi", "buckets", "sinusoidal"}
    run = [record for record in RECORDS.values() if "turned" in record]
    assert (comparison()["types"], comparison()["models"]) == (len(RECORDS), len(run))
    assert any(record.get("tables") for record in RECORDS.values())
