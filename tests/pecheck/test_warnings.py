"""A warning of a config comes with its reason, goes without it, and carries its numbers."""

from inspect import isgeneratorfunction

import numpy as np
import pytest

from pecheck import config
from pecheck.configuration.warnings import WARNINGS, Case
from pecode import frequencies
from tests.pecheck import CASES, LLAMA, SETTINGS, YARN, settings_of

GEMMA = SETTINGS["gemma-3-1b-it"]
STRETCHED = {**LLAMA, "rope_scaling": YARN}


def ids(settings, length=None):
    return {warning.id for warning in config(settings, length).warnings}


def message(settings, name, length=None):
    return next(w.message for w in config(settings, length).warnings if w.id == name)


@pytest.mark.parametrize("name", CASES["quiet"])
def test_a_config_without_a_trap_has_no_warnings(name):
    assert config(SETTINGS[name]).warnings == ()


AT_LENGTH = {"beyond-the-promise": (LLAMA, 4096), "no-row": (SETTINGS["opt-350m"], 2048)}


@pytest.mark.parametrize("name", CASES["warnings"])
def test_a_warning_comes_and_goes_with_its_reason(name):
    case = CASES["warnings"][name]
    assert name in ids(settings_of(case))
    assert name not in ids({**settings_of(case), **case["change"]})


@pytest.mark.parametrize("case", CASES["said-twice"])
def test_what_is_said_twice_is_told_with_both_values(case):
    assert case["says"] in message(case["given"], "said-twice")
    assert "said-twice" not in ids({**case["given"], **case["change"]})


@pytest.mark.parametrize("name", AT_LENGTH)
def test_a_warning_comes_one_token_beyond_the_length(name):
    settings, longest = AT_LENGTH[name]
    assert name in ids(settings, longest + 1)
    assert name not in ids(settings, longest)


def test_every_warning_has_a_case_and_a_report():
    assert WARNINGS.keys() == {*CASES["warnings"], *AT_LENGTH, "said-twice"}
    assert all(row["report"].startswith("https://github.com/") for row in WARNINGS.values())
    checks = [name[1:].replace("_", "-") for name, each in vars(Case).items()
              if isgeneratorfunction(each)]  # fmt: skip
    assert checks == list(WARNINGS)


@pytest.mark.parametrize("key", ["rope_scaling", "rope_parameters"])
def test_a_ramp_is_rounded_where_truncate_is_in_the_rule_of_one_kind(key):
    rule, near = CASES["bases"]["ramp"], {"rope_type": "default", "rope_theta": 1e4}
    rules = {"sliding_attention": near, "full_attention": rule}
    given = {**GEMMA, "head_dim": 64, "rope_theta": 150_000.0}
    given |= {key: rule if key == "rope_scaling" else rules}
    assert config(given).layers[-1].frequencies[17] == pytest.approx(2.2795e-4, rel=1e-4)
    assert "transformers 5.24" in message(given, "truncate-ignored")
    beside = {**given, "rope_scaling": None, "rope_parameters": {**rules, "truncate": False}}
    assert config(beside).layers[-1].frequencies[17] == pytest.approx(1.2932e-4, rel=1e-4)


@pytest.mark.parametrize("case", CASES["numbers"])
def test_messages_carry_the_numbers_that_were_reported(case):
    assert case["says"] in message(settings_of(case), case["name"])


def test_a_promise_is_told_with_the_length_that_its_rule_reaches():
    reached = "but the rule 'yarn' reaches 16,384 once that key says so: raise it"
    no_key = {**LLAMA, "rope_scaling": {"type": "yarn", "factor": 4.0}}
    asked = (STRETCHED, 16384), (STRETCHED, 16385), (no_key, 16384)
    told = [reached in message(each, "beyond-the-promise", length) for each, length in asked]
    assert told == [True, False, False]


def test_sections_in_turn_are_told_with_the_steps_of_a_turn():
    # the columns of Qwen3.5: pair 2 of 32 in turn, pair 22 in blocks
    turns, blocks = (2 * np.pi / frequencies(64, 1e7)[pair] for pair in (2, 22))
    said = f"needs {blocks:,.0f} steps for a turn instead of {turns:,.0f}."
    assert said in message(SETTINGS["qwen3.5-27b"], "sections-in-turn")


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
