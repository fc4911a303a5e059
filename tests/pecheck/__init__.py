"""What several tests of this room use."""

import json
from pathlib import Path

from pecheck.configuration import models
from tests import data
from tests.pecode import draws  # noqa: F401, each property test draws the same every time

CASES = data("pecheck/settings.yml")
LLAMA, YARN, NEW, KIMI = (CASES["bases"][name] for name in ("llama", "yarn", "new", "kimi"))

# What transformers makes of the settings of published models
RECORDS = json.loads(Path(__file__).with_name("configs.json").read_text())
SETTINGS = {name: (models().get(name) or case)["settings"] for name, case in RECORDS.items()}


def settings_of(case):
    """The settings that a case gives, over those of a published model or of its part for text."""
    model = SETTINGS[case["model"]] if "model" in case else {}
    return {**model.get("text_config", model), **case.get("given", {})}
