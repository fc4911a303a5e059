"""What people met in public threads: the smallest settings, and the answer that was right."""

import math

import pytest

from pecheck import Unreadable, config
from tests.pecheck import CASES, LLAMA, NEW

STEP = {"rope_type": "llama3", "factor": 16.0, "low_freq_factor": 1.0, "high_freq_factor": 1.0,
        "original_max_position_embeddings": 8192}  # fmt: skip


def listed(value):
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("case", CASES["fields"])
def test_settings_of_a_report_are_read_as_their_code_reads_them(case):
    layer = config(case["given"]).layers[-1]
    assert {name: listed(getattr(layer, name)) for name in case["layer"]} == case["layer"]


def test_two_rules_of_makers_files_have_the_reported_wavelengths():
    nomic = {**CASES["bases"]["nomic"], "rotary_scaling_factor": 2, "max_trained_positions": 2048}
    assert config(nomic, 8192).layers[0].wavelengths.max() == pytest.approx(35443, abs=1)
    step = config({**LLAMA, "rope_scaling": STEP}).layers[0]
    plain = 2 * math.pi / step.plain
    assert (step.plain / step.frequencies).round(9).tolist() == [16 if w > 8192 else 1
                                                                 for w in plain]  # fmt: skip


@pytest.mark.parametrize("case", CASES["said"])
def test_the_answer_has_the_words_that_a_report_needed(case):
    said = str(config(case["given"]))
    assert case["says"] in said
    assert case["lacks"] not in said
    assert case["lacks"] != "!" or case["says"] not in str(config(LLAMA))


FACTORS = [[], [1.0], "1.0", [None] * 64, ["a"] * 64, [0.0] * 64, [math.nan] * 64]


@pytest.mark.parametrize("factors", [*FACTORS, None])
@pytest.mark.parametrize("inside", [False, True])
def test_strange_lists_of_factors_are_refused_in_a_sentence(factors, inside):
    for name in ("short_factor", "long_factor"):
        rule = {"rope_type": "longrope", "short_factor": [1.0] * 64, "long_factor": [2.0] * 64,
                "original_max_position_embeddings": 1024, name: factors}  # fmt: skip
        own = {**NEW, "rope_scaling": {"full_attention": rule} if inside else rule}
        with pytest.raises(Unreadable, match=r"factors?: "):
            config(own, 4096 if name == "long_factor" else None)
        if factors is None:  # of the list that a text of this length does not need
            assert str(config(own, None if name == "long_factor" else 4096))
