"""What is not a config is refused with a sentence; the form of the report."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecheck import Unreadable, config
from pecheck.configuration import answer, models
from tests.pecheck import CASES, LLAMA, YARN

TOO_DEEP = {"given": '{"a":' * 100_000, "says": "expected JSON, got "}
NO_NUMBER = {
    "given": json.dumps({**LLAMA, "rope_theta": math.nan}),
    "says": "rope_theta: expected .* got nan",
}


@pytest.mark.parametrize("case", [*CASES["refused"], TOO_DEEP, NO_NUMBER])
def test_what_is_not_a_config_is_refused_in_a_sentence(case):
    with pytest.raises(Unreadable, match=f"(?s){case['says']}"):
        config(case["given"])


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "expected JSON"), (b"\xff\xfe\x00", "UTF-8"), (b"x" * 2_000_001, "2.0 MB"),
     (None, "No such")],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_named(tmp_path, content, words):
    file = tmp_path / "config.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(Unreadable, match=words):
        config(file)


@pytest.mark.parametrize("length", [0, -1, 2**41])
def test_a_length_that_no_text_has_is_refused(length):
    with pytest.raises(ValueError, match=r"^length: expected"):
        config(LLAMA, length)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=5), values),
    max_leaves=4,
)
OUTER = sorted({key for model in models().values() for key in model["settings"]})
RULES = CASES["bases"]["yarn"] | CASES["bases"]["llama3"] | CASES["bases"]["longrope"]
RULE = sorted({*RULES, "rope_theta", "mscale", "mscale_all_dim", "truncate", "attention_factor",
               "beta_fast", "beta_slow", "full_attention"})  # fmt: skip


@given(
    st.sampled_from(sorted(models())),
    st.dictionaries(st.sampled_from(OUTER), VALUES, max_size=2),
    st.none() | st.dictionaries(st.sampled_from(RULE), VALUES, max_size=3),
)
def test_any_value_under_any_key_gives_a_report_or_a_sentence(name, strange, rule):
    settings = {**models()[name]["settings"], **strange}
    if rule is not None:
        settings["rope_scaling"] = {**YARN, **rule}
    try:
        report = config(settings, 8192)
    except Unreadable as error:
        said = str(error)
    else:
        json.loads(report.json())
        said = str(report)
    assert len(said) > 20


def test_numbers_and_lists_of_numpy_are_those_of_json():
    kinds = ["sliding_attention", "full_attention"] * 8
    plain = {**LLAMA, "model_type": "gpt_oss", "num_hidden_layers": 16, "layer_types": kinds}
    for listed in (np.array(kinds), tuple(kinds)):
        given = {**plain, "rope_theta": np.float32(5e5), "layer_types": listed,
                 "num_hidden_layers": np.int64(16)}  # fmt: skip
        assert config(given).json() == config(plain).json()


@pytest.mark.parametrize("name", models())
def test_the_json_has_the_documented_form(name):
    settings = models()[name]["settings"]
    report = json.loads(config(settings, 100_000).json())
    assert {"model_type", "length", "layers", "vision", "warnings", "notes"} == report.keys()
    for layer in report["layers"]:
        assert layer.keys() >= {*CASES["layer"]}
        assert all(isinstance(i, int) for i in layer["indices"])
        if "_class_name" in settings:  # images and video: no axis is the text's
            assert layer["at_length"] is None
        else:
            assert layer["at_length"]["length"] == 100_000
    for warning in report["warnings"]:
        assert list(warning) == ["id", "message", "report"]
        assert all(isinstance(value, str) and value for value in warning.values())


def test_a_page_asks_with_a_text_and_a_length():
    asked = {"text": json.dumps(LLAMA), "length": 8192}
    read = config(LLAMA, 8192)
    assert answer(asked) == json.loads(read.json()) | {"blocks": list(read.blocks())}
    assert answer({**asked, "text": "\ufeff" + asked["text"]}) == answer(asked)
    for text, length, words in [
        ("", None, "expected JSON"), ("config.json", None, "expected JSON"),
        (json.dumps(LLAMA), 0, "length: expected"), (json.dumps(LLAMA), "9", "length: expected"),
    ]:  # fmt: skip
        assert words in answer({"text": text, "length": length})["error"]
