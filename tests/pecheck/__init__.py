"""What several tests of this room use; each property test draws the same every time."""

import json
from pathlib import Path

import yaml
from hypothesis import settings
from hypothesis import strategies as st

from pecheck.configuration import models

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

bases = st.floats(2, 1e6)

FOLDER = Path(__file__).parent


class Loader(yaml.SafeLoader):
    """YAML in which `!x8 [a, b]` is the list eight times."""


Loader.add_multi_constructor(
    "!x", lambda loader, n, node: int(n) * loader.construct_sequence(node, deep=True)
)
CASES = yaml.load((FOLDER / "settings.yml").read_text("utf-8"), Loader)
LLAMA, YARN, NEW, KIMI = (CASES["bases"][name] for name in ("llama", "yarn", "new", "kimi"))

# What transformers makes of the settings of published models
RECORDS = json.loads((FOLDER / "configs.json").read_text())
SETTINGS = {name: (models().get(name) or case)["settings"] for name, case in RECORDS.items()}


def settings_of(case):
    """The settings that a case gives, over those of a published model or of its part for text."""
    model = SETTINGS[case["model"]] if "model" in case else {}
    return {**model.get("text_config", model), **case.get("given", {})}
