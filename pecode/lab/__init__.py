"""A Transformer small enough to train in a third of a second, and what measures it."""
