"""What the classes of the figures take and refuse."""

import pytest
from traitlets import TraitError


def takes(figure, **values):
    """Check that a figure takes these values, a list for each trait, and stores them."""
    for name, taken in values.items():
        for value in taken:
            instance = figure(**{name: value})
            assert getattr(instance, name) == value
            assert instance.get_state()[name] == value


def refuses(figure, **values):
    """Check that a figure refuses these values, a list for each trait, and keeps its state."""
    for name, refused in values.items():
        for value in refused:
            instance = figure()
            before = repr(instance)
            with pytest.raises(TraitError) as caught:
                setattr(instance, name, value)
            message = str(caught.value)
            assert name in message
            assert str(value) in message
            assert "expected" in message or "should" in message
            assert repr(instance) == before
            with pytest.raises(TraitError):
                figure(**{name: value})
