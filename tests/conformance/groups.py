"""All comparisons, by the file that stores their vectors: cases.yml has the list."""

from dataclasses import replace
from functools import partial
from operator import attrgetter

from tests import data
from tests.conformance import attention, axes, biases, case, rotations, scalings, tables

MODULES = (attention, axes, biases, rotations, scalings, tables)
MODULES = {module.__name__.rpartition(".")[2]: module for module in MODULES}
LISTED = data("conformance/cases.yml")


def function(module, said):
    """A function by its name, or with some of its arguments; a number is itself."""
    if isinstance(said, dict):
        ((name, options),) = said.items()
        return partial(function(module, name), **options)
    if isinstance(said, str):
        return attrgetter(said)(module if hasattr(module, said.split(".")[0]) else case)
    return said


def arguments(module, said):
    """Arguments as they stand, or by the name of a constant, and what is said after them."""
    found = {}
    for part in said if isinstance(said, list) else [said]:
        named = isinstance(part, str) and (LISTED["inputs"].get(part) or getattr(module, part))
        found |= named or part
    return found


def listed(group):
    """The cases of a group."""
    for said in LISTED[group]:
        module, few, more = MODULES[group], said["few"], said["more"]
        yield case.Case(
            **{key: said[key] for key in ("name", "function")},
            **{key: function(module, said[key]) for key in ("theirs", "ours", "tolerance")},
            arguments=arguments(module, few), more=arguments(module, more),
            relative=said.get("relative", False),
        )  # fmt: skip


GROUPS = {group: list(listed(group)) for group in MODULES}
# The first rows of every table that is one vector for each position
GROUPS["excerpts"] = [
    replace(each, arguments=tables.FIRST_ROWS, more=tables.FIRST_ROWS)
    for each in GROUPS["tables"]
    if each.arguments == tables.FEW
]
