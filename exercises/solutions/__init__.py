"""Worked solutions, a module for each chapter: the pages show them, the tests run them."""

from importlib import import_module


def solution_of(exercise):
    """Return the function that solves an exercise."""
    module = import_module(f"exercises.solutions.{exercise.chapter.split('-', 1)[1]}")
    return getattr(module, exercise.name)
