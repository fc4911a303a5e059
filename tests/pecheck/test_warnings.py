"""A warning of a config comes with its reason, goes without it, and carries its numbers."""

import math

import numpy as np
import pytest

from pecheck import config
from pecheck.configuration import warnings
from pecheck.configuration.warnings import REPORTS
from pecode import frequencies
from tests.pecheck import LLAMA, NEW, YARN
from tests.pecheck.test_config import COGVIDEO, SETTINGS

GEMMA = SETTINGS["gemma-3-1b-it"]
OSS = SETTINGS["gpt-oss-20b"]
WITHOUT_BASE = {name: value for name, value in LLAMA.items() if name != "rope_theta"}
STRETCHED = {**LLAMA, "rope_scaling": YARN}


def ids(settings, length=None):
    return {warning.id for warning in config(settings, length).warnings}


def message(settings, name, length=None):
    return next(w.message for w in config(settings, length).warnings if w.id == name)


@pytest.mark.parametrize(
    "name",
    ["codellama-7b", "llama-2-7b", "mistral-7b-v0.1", "qwen3-8b", "gemma-2-2b", "gemma-3-1b-it",
     "llama-3.1-8b", "gpt2", "bert-base-uncased", "bloom-3b", "t5-small", "falcon-11b", "esm2-8m"],
)  # fmt: skip
def test_a_config_without_a_trap_has_no_warnings(name):
    assert config(SETTINGS[name]).warnings == ()


# Settings with the warning, and what changes in them for it to go.
LINES = {
    "no-rope-layers-means-on": (
        {**NEW, "no_rope_layers": [1, 1, 1, 0] * 8}, {"no_rope_layers": None}),
    "layers-without-positions": (SETTINGS["command-r7b"], {"model_type": "cohere"}),
    "base-inside-rope-parameters": (
        {**WITHOUT_BASE, "rope_parameters": {"rope_theta": 5e5}},
        {"rope_parameters": {"rope_theta": 10000.0}}),
    "unknown-rule": ({**LLAMA, "rope_scaling": {"type": "magic"}}, {"rope_scaling": YARN}),
    "unknown-keys": (
        {**LLAMA, "rope_scaling": {**YARN, "attn_factor": 1.0}}, {"rope_scaling": YARN}),
    "rule-without-effect": ({**LLAMA, "rope_scaling": {"factor": 4.0}}, {"rope_scaling": YARN}),
    "length-means-two-things": (
        {**LLAMA, "rope_scaling": {"type": "linear", "factor": 4.0}}, {"rope_scaling": YARN}),
    "rows-before-position-zero": (SETTINGS["opt-350m"], {"model_type": "gpt2"}),
    "yarn-at-every-length": (STRETCHED, {"rope_scaling": None}),
    "truncate-ignored": (OSS, {"rope_scaling": {**OSS["rope_scaling"], "truncate": True}}),
    "scale-in-no-key": (
        STRETCHED, {"rope_scaling": {**YARN, "attention_factor": 0.1 * math.log(4) + 1}}),
    "attention-factor-read-otherwise": (
        {**LLAMA, "rope_scaling": {**YARN, "attention_factor": 1.0}}, {"rope_scaling": YARN}),
    "two-keys-for-one-scale": (
        {**LLAMA, "rope_scaling": {**YARN, "mscale": 1.0, "mscale_all_dim": 1.0}},
        {"rope_scaling": {**YARN, "mscale": 1.0}}),
    "dynamic-and-a-cache": (
        {**LLAMA, "rope_scaling": {"type": "dynamic", "factor": 2.0}}, {"rope_scaling": YARN}),
    "long-factors-for-short-texts": (SETTINGS["phi-3.5-mini"], {"rope_scaling": None}),
    "scaled-for-some-layers": (
        {**GEMMA, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}, {"rope_scaling": None}),
    "proportional-pairs": (
        SETTINGS["gemma-4-e2b"]["text_config"], {"model_type": "gemma", "rope_parameters": None}),
    "sections-in-turn": (
        SETTINGS["qwen3.5-27b"]["text_config"], {"model_type": "qwen2_vl", "rope_parameters": {
            "rope_theta": 1e7, "mrope_section": [11, 11, 10], "partial_rotary_factor": 0.25}}),
    "key-not-read": ({**LLAMA, "rotary_dim": 64}, {"rotary_dim": 128}),
    "base-in-no-key": (
        {**WITHOUT_BASE, "max_position_embeddings": 32768}, {"max_position_embeddings": 4096}),
    "clip-starts-over": (
        {"_class_name": "HunyuanVideoTransformer3DModel", "attention_head_dim": 128,
         "num_layers": 20}, {"_class_name": "QwenImageTransformer2DModel"}),
}  # fmt: skip
AT_LENGTH = {"beyond-the-promise": (LLAMA, 4096), "no-row": (SETTINGS["opt-350m"], 2048)}
SAID_TWICE = [  # settings, what is said, and a change that makes it once
    ({**STRETCHED, "rope_parameters": {"rope_theta": 1e4}}, "are both there and differ",
     {"rope_parameters": None}),
    ({**LLAMA, "rope_scaling": {**YARN, "rope_theta": 1e6}},
     "rope_theta is 500,000 outside and 1,000,000 inside", {"rope_theta": 1e6}),
    ({**STRETCHED, "original_max_position_embeddings": 8192}, "is 8,192 outside and 4,096 inside",
     {"original_max_position_embeddings": 4096}),
    ({**LLAMA, "rope_scaling": {**YARN, "rope_type": "linear"}},
     "rope_type says 'linear' and type says 'yarn'", {"rope_scaling": YARN}),
    ({**LLAMA, "model_type": "youtu", "partial_rotary_factor": 0.5},
     "that applies both turns 32 columns", {"partial_rotary_factor": None}),
]  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_a_warning_comes_and_goes_with_its_reason(name):
    settings, change = LINES[name]
    assert name in ids(settings)
    assert name not in ids({**settings, **change})


@pytest.mark.parametrize(("settings", "words", "change"), SAID_TWICE)
def test_what_is_said_twice_is_told_with_both_values(settings, words, change):
    assert words in message(settings, "said-twice")
    assert "said-twice" not in ids({**settings, **change})


@pytest.mark.parametrize("name", AT_LENGTH)
def test_a_warning_comes_one_token_beyond_the_length(name):
    settings, longest = AT_LENGTH[name]
    assert name in ids(settings, longest + 1)
    assert name not in ids(settings, longest)


def test_every_warning_has_a_case_and_a_report():
    assert REPORTS.keys() == {*LINES, *AT_LENGTH, "said-twice"}
    assert all(report.startswith("https://github.com/") for report in REPORTS.values())
    checks = [name.replace("_", "-") for name, each in vars(warnings).items()
              if getattr(each, "__annotations__", {}).get("return") == warnings.Values]  # fmt: skip
    assert checks == list(REPORTS)


@pytest.mark.parametrize("key", ["rope_scaling", "rope_parameters"])
def test_a_ramp_is_rounded_where_truncate_is_in_the_rule_of_one_kind(key):
    rule = {"rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096,
            "rope_theta": 150_000.0, "truncate": False}  # fmt: skip
    near = {"rope_type": "default", "rope_theta": 1e4}
    rules = {"sliding_attention": near, "full_attention": rule}
    given = {**GEMMA, "head_dim": 64, "rope_theta": 150_000.0}
    given |= {key: rule if key == "rope_scaling" else rules}
    assert config(given).layers[-1].frequencies[17] == pytest.approx(2.2795e-4, rel=1e-4)
    assert "transformers 5.24" in message(given, "truncate-ignored")
    beside = {**given, "rope_scaling": None, "rope_parameters": {**rules, "truncate": False}}
    assert config(beside).layers[-1].frequencies[17] == pytest.approx(1.2932e-4, rel=1e-4)


def test_messages_carry_the_numbers_that_were_reported():
    assert "8.0928 to 17.3980" in message(OSS, "truncate-ignored")  # vLLM's pull request 28244
    assert "188 tokens" in message(SETTINGS["gemma-4-e2b"], "proportional-pairs")
    assert "5,063,256" in message(SETTINGS["gemma-4-e2b"], "proportional-pairs")
    assert "1.8739" in message(SETTINGS["deepseek-v3"], "scale-in-no-key")
    assert "1.3466" in message(OSS, "scale-in-no-key")
    reached = "but the rule 'yarn' reaches 16,384 once that key says so: raise it"
    no_key = {**LLAMA, "rope_scaling": {"type": "yarn", "factor": 4.0}}
    asked = (STRETCHED, 16384), (STRETCHED, 16385), (no_key, 16384)
    told = [reached in message(each, "beyond-the-promise", length) for each, length in asked]
    assert told == [True, False, False]
    # the columns of Qwen3.5: pair 2 of 32 in turn, pair 22 in blocks
    turns, blocks = (2 * np.pi / frequencies(64, 1e7)[pair] for pair in (2, 22))
    said = f"needs {blocks:,.0f} steps for a turn instead of {turns:,.0f}."
    assert said in message(SETTINGS["qwen3.5-27b"], "sections-in-turn")
    # HunyuanVideo's issue 222 and RIFLEx (arXiv 2502.15894): the loops that people saw
    video = LINES["clip-starts-over"][0]
    assert "pair 3 is the fastest" in message(video, "clip-starts-over")
    assert "frame 201" in message(video, "clip-starts-over")
    assert "back after 19.9:" in message(COGVIDEO, "clip-starts-over")


def test_an_empty_list_of_layers_is_told_from_a_filled_one():
    filled = LINES["no-rope-layers-means-on"][0]
    assert "24 of 32 layers turn" in message(filled, "no-rope-layers-means-on")
    scout = SETTINGS["llama-4-scout-first-revision"]
    assert "is an empty list" in message(scout, "no-rope-layers-means-on")


def test_one_cause_is_told_once():
    scout = ids(SETTINGS["llama-4-scout-first-revision"])
    assert "no-rope-layers-means-on" in scout
    assert "layers-without-positions" not in scout
    assert ids({**LLAMA, "rope_scaling": {"rope_type": "magic", "factor": 2.0}}) == {"unknown-rule"}


def test_every_sentence_is_said_of_settings_of_which_it_is_true():
    from tests.pecheck.sentences import sentences, templates

    said = "\n".join(sentences())
    of_files = "a config of a few KB", "cannot be read", "JSON in UTF-8"  # test_config_input
    unsaid = [text for _, text in templates() if text.strip() not in said]
    assert [text for text in unsaid if not any(words in text for words in of_files)] == []
