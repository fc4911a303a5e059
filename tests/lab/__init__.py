"""Tests of the tiny model: a file for each module of `pecode.lab`, and one for bad input."""
