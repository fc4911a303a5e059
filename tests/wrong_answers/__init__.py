"""Popular wrong answers to the exercises: their checks must refuse them and say why.

A module for each chapter. `WRONG` maps the name of an exercise to its wrong answers: a name that
says what went wrong, the function, and a part of the message that the reader gets.
"""
