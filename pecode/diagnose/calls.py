"""Calling a function of somebody else."""


def attempt(call, *arguments):
    """Return what a call gives, or its error as a text."""
    try:
        return call(*arguments)
    except Exception as error:  # whatever the function of somebody else raises
        return f"{type(error).__name__}: {error}"[:80]
