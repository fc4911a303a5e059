"""All comparisons, by the file that stores their vectors."""

from tests.conformance import attention, biases, rotations, scalings, tables

GROUPS = {
    "attention": attention.CASES,
    "biases": biases.CASES,
    "excerpts": tables.EXCERPTS,
    "rotations": rotations.CASES,
    "scalings": scalings.CASES,
    "tables": tables.CASES,
}
