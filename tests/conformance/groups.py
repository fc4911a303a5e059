"""All comparisons, by the file that stores their vectors."""

from tests.conformance import attention, axes, biases, rotations, scalings, tables

GROUPS = {
    "attention": attention.CASES,
    "axes": axes.CASES,
    "biases": biases.CASES,
    "excerpts": tables.EXCERPTS,
    "rotations": rotations.CASES,
    "scalings": scalings.CASES,
    "tables": tables.CASES,
}
