"""What is no config is refused with a sentence; the form of the report; the ways beside Python."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecode.diagnose import Unreadable, config
from pecode.diagnose.configuration import answer, models

LLAMA = models()["llama-2-7b"]["settings"]
YARN = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
LONG = json.dumps({**LLAMA, "vocabulary": "x" * 10_000_000})


def without(*names):
    return {k: v for k, v in LLAMA.items() if k not in names}


# What was given, and words of the sentence: what was read, and what is missing
REFUSED = {
    "nothing": ("{}", "empty object"),
    "no JSON": ('{"model_type": llama}', r"line 1, column 16"),
    "cut off": ('{"model_type": "llama"', "expected JSON, but line 1"),
    "a list": ("[1, 2]", "expected a JSON object with keys, got a list of 2"),
    "too large": (LONG, r"got 10\.0 MB"),
    "too deep": ('{"a":' * 100_000, "a plain config, got more than 100 levels"),
    "too many digits": ('{"rope_theta": 1' + "0" * 5000 + "}", "expected a plain config"),
    "another kind": ({"compilerOptions": {}, "include": []}, "compilerOptions, include. Missing"),
    "a network of another kind": (
        {"_class_name": "UNet2DConditionModel", "attention_head_dim": [5, 10, 20, 20]},
        "'UNet2DConditionModel' is not in the table, and no key says how positions enter",
    ),
    "images of an unknown kind": (
        {"model_type": "eyes", "rope_theta": 100.0, "image_size": 224, "patch_size": 16},
        "'eyes' is a model of images that is not in the table",
    ),
    "two stacks in parts of their own": (
        {"model_type": "t5gemma", "encoder": dict(LLAMA), "decoder": dict(LLAMA)},
        r"Parts that may be given alone: decoder, encoder\.$",
    ),
    "axes as text": ({"axes_dims_rope": "16"}, "axes_dims_rope: expected a list of integers"),
    "an axis as text": (
        {"axes_dims_rope": [16, "a"], "attention_head_dim": 64}, "axes_dims_rope: .*integer, got",
    ),
    "more columns than the head": (
        {"axes_dims_rope": [64, 64], "attention_head_dim": 64}, "even widths within 64",
    ),
    "no width": (without("hidden_size"), "hidden_size: missing. Read: .*num_attention_heads"),
    "no heads": (without("num_attention_heads"), "num_attention_heads: missing"),
    "no layers": (without("num_hidden_layers"), "num_hidden_layers: missing"),
    "a number as text": ({**LLAMA, "hidden_size": "4096"}, "hidden_size: .*a number, got '4096'"),
    "a base as text": ({**LLAMA, "rope_theta": "10000"}, "rope_theta: expected a number, got"),
    "a base of null": ({**LLAMA, "rope_theta": None}, "rope_theta: expected .* got null"),
    "NaN": (json.dumps({**LLAMA, "rope_theta": math.nan}), "rope_theta: expected .* got nan"),
    "infinity": (json.dumps({**LLAMA, "rope_theta": math.inf}), "rope_theta: expected .* got inf"),
    "a base of 1": ({**LLAMA, "rope_theta": 1}, "rope_theta: .*greater than 1, got 1"),
    "yes for a number": ({**LLAMA, "num_hidden_layers": True}, "_layers: .*a number, got True"),
    "half a layer": ({**LLAMA, "num_hidden_layers": 0.5}, "_layers: .*integer, got 0.5"),
    "no layer": ({**LLAMA, "num_hidden_layers": 0}, "num_hidden_layers: .*at least 1, got 0"),
    "a million layers": ({**LLAMA, "num_hidden_layers": 10**6}, "at most 10,000 layers"),
    "a type that a terminal would obey": (
        '{"model_type": "\\u001b[31m"}', "^model_type: expected a text, got '.x1b",
    ),
    "half a character": ('{"model_type": "llama\\ud800"}', "^model_type: expected a text, got"),
    "a key that a terminal would obey": ({"\x1b[31m": 1}, r"Read: .x1b\[31m\. Missing"),
    "a type that is a number": ({**LLAMA, "model_type": 3}, "^model_type: expected a text, got 3"),
    "kinds that are numbers": ({**LLAMA, "layer_types": [1] * 32}, "^layer_types: .*kinds, got 1"),
    "a width beyond all": ({**LLAMA, "hidden_size": 10**12}, r"^head_dim: .* 2\*\*20 columns, got"),
    "an odd head": ({**LLAMA, "head_dim": 127}, "head_dim: .*even number of columns.* got 127"),
    "a rule that is text": ({**LLAMA, "rope_scaling": "yarn"}, "rope_scaling: expected an object"),
    "a rule without factor": ({**LLAMA, "rope_scaling": {"type": "linear"}}, "factor: missing"),
    "a factor below 1": ({**LLAMA, "rope_scaling": {**YARN, "factor": 0.5}}, "factor: .*least 1"),
    "an empty ramp": (
        {**LLAMA, "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 4.0,
         "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}},
        "high_freq_factor: expected .*greater than 4",
    ),
    "factors for other widths": (
        {**LLAMA, "rope_scaling": {"type": "longrope", "short_factor": [1.0], "long_factor": [2.0],
         "original_max_position_embeddings": 4096}},
        "factors: expected 64 numbers",
    ),
    "sections of text": ({**LLAMA, "rope_scaling": {"mrope_section": "16"}}, "section: .*list"),
    "more than the head": (
        {**LLAMA, "model_type": "phi", "partial_rotary_factor": 2.0}, "at most 1, got 2",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_config_is_told_in_a_sentence(what):
    given, words = REFUSED[what]
    with pytest.raises(Unreadable, match=f"(?s){words}"):
        config(given)


@pytest.mark.parametrize("given", [None, 3, b"{}", ["a"], object()])
def test_what_is_neither_dict_nor_text_is_refused(given):
    with pytest.raises(Unreadable, match=r"^settings: expected a dict, a path or JSON text"):
        config(given)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty text"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"x" * 2_000_001, "2.0 MB"),
        (None, "No such"),
    ],
)
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
RULE = sorted({
    *YARN, "rope_type", "rope_theta", "mscale", "mscale_all_dim", "attention_factor", "truncate",
    "beta_fast", "beta_slow", "low_freq_factor", "full_attention",
})  # fmt: skip


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
        refusal = str(error)
    else:
        json.loads(report.json())
        refusal = str(report)
    assert len(refusal) > 20


def test_a_rule_that_nobody_has_is_not_also_one_without_effect():
    found = config({**LLAMA, "rope_scaling": {"rope_type": "magic", "factor": 2.0}})
    assert [warning.id for warning in found.warnings] == ["unknown-rule"]


def test_what_was_assumed_is_said():
    assert "no multiple of 32 heads" in " ".join(config({**LLAMA, "hidden_size": 4097}).notes)
    notes = " ".join(config(LLAMA).notes)
    assert "No key says the base of the full_attention layers: 10,000" in notes
    unknown = config({**LLAMA, "model_type": "brandnew", "rope_theta": 1e4})
    assert "'brandnew' is not in the table" in unknown.notes[0]
    nested = config({"model_type": "llava", "text_config": LLAMA, "vision_config": {}})
    assert nested.notes[0] == "The part for text, text_config, was read."
    assert "Not read: vision_config." in nested.notes
    assert nested.model_type == "llama"


# The form of the report

LAYER = {
    "kind", "indices", "scheme", "head_dim", "rotary_dim", "layout", "base", "frequencies",
    "attention_scaling", "window", "trained_length",
}  # fmt: skip


@pytest.mark.parametrize("name", models())
def test_the_json_has_the_documented_form(name):
    report = json.loads(config(models()[name]["settings"], 100_000).json())
    assert {"model_type", "layers", "warnings"} <= report.keys()
    for layer in report["layers"]:
        assert layer.keys() >= LAYER
        assert all(isinstance(i, int) for i in layer["indices"])
        if "_class_name" in models()[name]["settings"]:  # pictures and films: no axis is the text's
            assert layer["at_length"] is None
        else:
            assert layer["at_length"]["length"] == 100_000
    for warning in report["warnings"]:
        assert list(warning) == ["id", "message", "chapter", "report"]
        assert all(isinstance(value, str) and value for value in warning.values())


def run(*arguments, **options):
    command = [sys.executable, "-m", "pecode", "config", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize(
    ("settings", "status"), [(LLAMA, 0), ({**LLAMA, "rope_scaling": YARN}, 1), ([1], 2)]
)
def test_the_exit_status_says_whether_there_is_something_to_know(tmp_path, settings, status):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(settings))
    done = run(file, "--json", "--length", 4096)
    assert done.returncode == status
    if status == 2:
        assert done.stderr == "settings: expected a JSON object with keys, got a list of 1\n"
        assert not done.stdout
    else:
        assert json.loads(done.stdout) == json.loads(config(file, 4096).json())


def test_the_command_reads_standard_input_and_writes_a_page():
    done = run("-", input=json.dumps(LLAMA))
    assert done.stdout == f"{config(LLAMA)}\n"
    assert "layers 0-31 full_attention: rotary" in done.stdout


def test_a_terminal_without_the_characters_of_a_report_gets_their_numbers(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({**LLAMA, "rope_scaling": YARN}))
    done = run(file, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1
    assert "\\xb7 chapter" in done.stdout
    assert not done.stderr


ENDLESS = Path("/dev/zero")


@pytest.mark.skipif(not ENDLESS.exists(), reason="no such device here")
def test_a_file_without_an_end_is_not_read_to_it():
    with ENDLESS.open() as zeros:
        for done in (run(ENDLESS), run("-", stdin=zeros)):
            assert done.returncode == 2
            assert done.stderr.endswith("got 2.0 MB, which is another file\n")


def test_a_page_asks_with_a_text_and_a_length():
    asked = {"text": json.dumps(LLAMA), "length": 8192}
    assert answer(asked) == json.loads(config(LLAMA, 8192).json())
    assert answer({**asked, "text": "\ufeff" + asked["text"]}) == answer(asked)
    for text, length, words in [
        ("", None, "empty"), ("config.json", None, "begins with a brace"), (None, None, "text"),
        (json.dumps(LLAMA), 0, "length: expected"),
    ]:  # fmt: skip
        assert words in answer({"text": text, "length": length})["error"]


def test_nothing_but_numpy_is_imported():
    code = (
        "import sys, pecode.diagnose as d; d.config(sys.argv[1]);"
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'matplotlib', 'autograd', 'yaml'}))"
    )
    done = subprocess.run([sys.executable, "-c", code, json.dumps(LLAMA)], capture_output=True,
                          text=True, check=True, cwd=Path(__file__).parents[2])  # fmt: skip
    assert done.stdout.strip() == "[]"
