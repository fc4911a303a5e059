"""The published settings of a model: what it does with positions, and what can go wrong."""

from pecheck.configuration.config import Config, answer, config
from pecheck.configuration.families import read
from pecheck.configuration.settings import Unreadable
from pecode._types import Any

__all__ = ["Config", "Unreadable", "answer", "comparison", "config", "models"]


def models() -> dict[str, Any]:
    """Real settings by name, each with its model and where it was read."""
    return read("models.json")


def comparison() -> dict[str, Any]:
    """What `config` was compared with: versions of libraries, and how much, by number."""
    return read("compared.json")
