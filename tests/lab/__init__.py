"""Tests of the tiny model: a file for each module of `lab`, and one for bad input."""
