"""A Transformer small enough to train in a third of a second, and what measures it.

Training needs autograd, so nothing is imported here: `pecode` itself runs on numpy alone.
"""
