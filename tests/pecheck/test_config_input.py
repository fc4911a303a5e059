"""What is not a config is refused with a sentence; the form of the report."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecheck import Unreadable, config
from pecheck.configuration import answer, models
from tests.pecheck import LLAMA, YARN

LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 4.0, "high_freq_factor": 1.0,
          "original_max_position_embeddings": 8192}  # fmt: skip
LONGROPE = {"type": "longrope", "short_factor": [1.0], "long_factor": [2.0],
            "original_max_position_embeddings": 4096}  # fmt: skip


def without(name):
    return {k: v for k, v in LLAMA.items() if k != name} | {"model_type": "internlm2"}


FLUX = {"_class_name": "FluxTransformer2DModel", "attention_head_dim": 128}
NO_LENGTH = {**LLAMA, "model_type": "new"}
NO_LENGTH.pop("max_position_embeddings")
REFUSED = [  # what was given, and words of the sentence: what was read, and what is missing
    ("{}", "empty object"),
    ('{"model_type": llama}', "expected JSON, but: .*line 1 column 16"),
    ('{"model_type": "llama"', "expected JSON, but: .*line 1"),
    ("[1, 2]", "expected a JSON object with keys, got a list of 2"),
    ('{"a":' * 100_000, "expected JSON, but: "),
    (YARN, "looks like rope_scaling or rope_parameters alone: paste the whole config"),
    ({"rope_parameters": YARN, "rope_theta": 1e6}, "or rope_parameters alone"),
    ({"compilerOptions": {}, "include": []}, "compilerOptions, include. None of these"),
    ({"_class_name": "UNet2DConditionModel", "attention_head_dim": [5, 10, 20, 20]},
     "'UNet2DConditionModel' is not in the table, and its keys do not say how positions enter"),
    ({"dim": "x", "n_heads": 2, "n_layers": 2, "use_scaled_rope": True, "rope_theta": 1e4},
     "dim: expected"),
    ({"model_type": "dinov3_vit", "hidden_size": 64, "num_attention_heads": 2, "image_size": 224,
      "patch_size": 0, "num_hidden_layers": 2}, "patch_size: expected"),
    ({**LLAMA, "rope_scaling": {**YARN, "mscale": 1e308, "mscale_all_dim": 1}}, "OverflowError"),
    ({"model_type": "eyes", "rope_theta": 100.0, "image_size": 224, "patch_size": 16},
     "'eyes' is a model of images that is not in the table"),
    ({"model_type": "t5gemma", "encoder": dict(LLAMA), "decoder": dict(LLAMA)},
     r"Parts that may be given alone: decoder, encoder\.$"),
    ({"axes_dims_rope": [16, "a"], "attention_head_dim": 64}, "axes_dims_rope: .*integer, got"),
    ({"axes_dims_rope": [64, 64], "attention_head_dim": 64}, "even widths within 64"),
    (without("hidden_size"), "hidden_size: missing. Read: .*num_attention_heads"),
    (without("num_hidden_layers"), "num_hidden_layers: missing"),
    ({**LLAMA, "hidden_size": "4096"}, "hidden_size: .*integer, got '4096'"),
    ({**LLAMA, "rope_theta": None}, "rope_theta: expected .* got null"),
    (json.dumps({**LLAMA, "rope_theta": math.nan}), "rope_theta: expected .* got nan"),
    ({**LLAMA, "rope_theta": 1}, "rope_theta: .*greater than 1, got 1"),
    ({**LLAMA, "num_hidden_layers": True}, "_layers: .*integer, got True"),
    ({**LLAMA, "num_hidden_layers": 0}, "num_hidden_layers: .*at least 1, got 0"),
    ({"\x1b[31m": 1}, r"Read: .x1b\[31m\. None of these"),
    ({**LLAMA, "hidden_size": 10**12}, r"^head_dim: .* 2\*\*20 columns, got"),
    ({**LLAMA, "head_dim": 127}, "head_dim: .*even number of columns.* got 127"),
    ({**LLAMA, "rope_scaling": "yarn"}, "rope_scaling: expected an object"),
    ({**LLAMA, "rope_scaling": {"type": "linear"}}, "factor: missing"),
    ({**LLAMA, "rope_scaling": {**YARN, "factor": 0.5}}, "factor: .*least 1"),
    ({**LLAMA, "rope_scaling": LLAMA3}, "high_freq_factor: expected .*greater than 4"),
    ({**LLAMA, "rope_scaling": LONGROPE}, "factors: expected 64 numbers"),
    ({**LLAMA, "model_type": "phi", "partial_rotary_factor": 2.0}, "at most 1, got 2"),
    ({**LLAMA, "rope_scaling": {**YARN, "original_max_position_embeddings": {"a": 4096}}},
     r"rope_scaling\.original_max_position_embeddings: expected a value, got an object"),
    ({**LLAMA, "rope_scaling": {**YARN, "original_max_position_embeddings": None}},
     r"rope_scaling\.original_max_position_embeddings: expected a number, got null"),
    ({**LLAMA, "model_type": "gemma4_text", "rope_parameters": {"full_attention": "{'a': 1}"}},
     r"rope_parameters\.full_attention: expected an object with keys, got \"\{'a'"),
    ({**LLAMA, "model_type": "laguna", "rope_parameters": YARN},
     r"rope_parameters\.full_attention: missing\. laguna has an object with keys for each kind"),
    ({**LLAMA, "model_type": "qwen2", "rope_parameters": {"full_attention": YARN}},
     "rope_parameters: expected one rule, for qwen2 has one rotation in all layers"),
    ({**LLAMA, "rope_scaling": {"type": ["yarn"]}}, r"rope_scaling\.type: expected a name, got"),
    ({**LLAMA, "rope_scaling": {**YARN, "beta_fast": 1, "beta_slow": 32}},
     "beta_fast: 1 is below beta_slow, 32: they are exchanged"),
    ({"model_type": "dinov3_vit", "image_size": 8, "patch_size": 16}, "patch_size: .*at most"),
    ({"_class_name": "FluxTransformer2DModel"}, "attention_head_dim: missing. Read: _class_name"),
    ({**FLUX, "axes_dims_rope": 3}, "axes_dims_rope: expected a list of integers, got 3"),
    ({"axes_dims_rope": 3}, "axes_dims_rope: expected a list of integers, got 3"),
    ({**LLAMA, "model_type": "deepseek_v3", "rope_scaling": {**YARN, "partial_rotary_factor": 0.5}},
     "partial_rotary_factor: .* 64 columns of qk_rope_head_dim, got 0.5: .* for 32, and stops"),
    ({**LLAMA, "model_type": "youtu", "head_dim": 128}, "head_dim: expected .*, got 128: .*, and"),
    ({**LLAMA, "model_type": "mistral4", "rope_scaling": YARN}, "partial_.*, got 1: .* for 128, "),
    ({**LLAMA, "rope_scaling": {"rope_scaling": YARN}}, r"rope_scaling\.rope_scaling: expected"),
    ({**LLAMA, "model_type": "gemma3_text", "layer_types": "full_attention"}, "expected a list, g"),
    ({**LLAMA, "model_type": "qwen3", "use_sliding_window": "false"}, "true or false, got 'false'"),
    ({**LLAMA, "model_type": "gemma3_text", "sliding_window": None}, "integer, got null: gemma3_t"),
    ({**LLAMA, "rope_scaling": {"type": "linear", "factor": 2.0, "original_max_position_embeddings":
      "4096"}}, "original_max_position_embeddings: expected an integer, got '4096'"),
    ({"model_type": "recurrent_gemma", "sliding_window": None}, "sliding_window: .* null: recurr"),
    ({**LLAMA, "per_layer_config": [1]}, "per_layer_config: expected an object for each layer"),
    ({**LLAMA, "per_layer_config": {"1": {"rope_parameters": [1]}}}, "parameters: expected an obj"),
    ({**LLAMA, "model_type": "new", "layer_types": [1]}, "layer_types: expected names of kinds"),
    ({**LLAMA, "model_type": 7}, "model_type: expected a text, got 7"),
    ({**LLAMA, "num_hidden_layers": 2**31}, "num_hidden_layers: expected at most 10,000 layers"),
    ({"model_type": "t5", "d_model": 8, "num_heads": 1, "num_layers": 2**31}, "most 10,000 layers"),
    ({**FLUX, "num_layers": 2**31}, "num_layers: expected at most 10,000 layers"),
    ({**FLUX, "num_single_layers": 2**31}, "num_single_layers: expected at most 10,000 layers"),
    ({**NO_LENGTH, "rope_scaling": {"type": "yarn", "factor": 2.0}}, "and so is the length"),
    (None, "^settings: expected a dict, a path or JSON text"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_is_not_a_config_is_refused_in_a_sentence(given, words):
    with pytest.raises(Unreadable, match=f"(?s){words}"):
        config(given)


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
RULE = sorted({*YARN, *LLAMA3, *LONGROPE, "rope_theta", "mscale", "mscale_all_dim", "truncate",
               "attention_factor", "beta_fast", "beta_slow", "full_attention",
               "original_max_position_embeddings"})  # fmt: skip


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


LAYER = {
    "kind", "indices", "scheme", "head_dim", "rotary_dim", "layout", "base", "frequencies",
    "attention_scaling", "window", "trained_length", "wavelengths", "turns", "at_length",
}  # fmt: skip


@pytest.mark.parametrize("name", models())
def test_the_json_has_the_documented_form(name):
    settings = models()[name]["settings"]
    report = json.loads(config(settings, 100_000).json())
    assert {"model_type", "length", "layers", "vision", "warnings", "notes"} == report.keys()
    for layer in report["layers"]:
        assert layer.keys() >= LAYER
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
