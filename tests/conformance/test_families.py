"""A row of `config` says what the tensors of its family do in transformers: `families.py` recorded.

A row is compared where it speaks: the frequencies of each kind of layer that turns, which layers
these are, which columns make a pair, how many rows a table has and where position 0 stands.
"""

import json

import numpy as np
import pytest

from pecheck import config
from tests.conformance.case import VECTORS

RECORDS = json.loads((VECTORS / "families.json").read_text(encoding="utf-8"))


def omegas_of(layer):
    """How many frequencies there are, the second and the last: of all, and of the first axis."""
    for n in {len(layer.frequencies), *(layer.sections or [])[:1]} - {1}:
        omega = layer.frequencies[:n] / (layer.frequencies[0] if layer.axes else 1)
        yield [n, omega[1], omega[-1]]


@pytest.mark.parametrize("name", RECORDS)
def test_a_row_says_what_the_tensors_of_its_family_do(name):
    record, layers = RECORDS[name], config(RECORDS[name]["settings"]).layers
    turned = [layer for layer in layers if layer.rotary_dim]
    for layer in turned if record["frequencies"] else []:
        assert any(np.allclose(ours, theirs, rtol=1e-5)
                   for ours in omegas_of(layer) for theirs in record["frequencies"])  # fmt: skip
    if record["layout"] and turned and not turned[0].axes:
        assert turned[0].layout == record["layout"]
    numbers = {i for i in record.get("turned", []) if i is not None}  # some have no number
    if numbers and name != "longcat_flash":  # which attends twice in a layer
        assert {i for layer in turned for i in layer.indices} == numbers
    if record.get("tables") and not turned:  # RoFormer's holds angles
        assert [layers[-1].rows, layers[-1].offset] in record["tables"]


def test_families_of_every_scheme_are_recorded():
    schemes = {config(record["settings"]).layers[0].scheme for record in RECORDS.values()}
    assert schemes >= {"rotary", "partial rotary", "learned", "ALiBi", "buckets", "sinusoidal"}
