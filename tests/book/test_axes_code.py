"""The code for more than one axis on the page "In your framework" computes what `pecode` does."""

import numpy as np
import pytest

from pecode import axes
from tests.conformance.case import defined_in, load, sample


@pytest.fixture(scope="module")
def code():
    return defined_in("pytorch_axes.py")


@pytest.mark.parametrize(
    ("widths", "base"), [((16, 56, 56), 256.0), ((44, 42, 42), 1e4), ((2,), 10)]
)
def test_axial_frequencies_are_those_of_pecode(code, widths, base):
    expected = axes.axial_frequencies(widths, base)
    np.testing.assert_allclose(code.axial(widths, base).numpy(), expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("sections", "interleaved"),
    [
        ((16, 24, 24), False),
        *((s, b) for s in [(24, 20, 20), (11, 11, 10), (2, 1)] for b in (0, 1)),
    ],
)
def test_sections_are_those_of_pecode(code, sections, interleaved):
    interleaved = bool(interleaved)
    expected = axes.section_frequencies(2 * sum(sections), sections, 1e6, interleaved)
    got = code.in_sections(sections, 1e6, interleaved)
    np.testing.assert_allclose(got.numpy(), expected, rtol=1e-14)


def test_sections_whose_turns_do_not_end_are_refused_as_in_pecode(code):
    for call in (
        lambda: code.in_sections((16, 24, 24), interleaved=True),
        lambda: axes.section_frequencies(128, (16, 24, 24), interleaved=True),
    ):
        with pytest.raises(ValueError, match=r"^sections: expected .* got"):
            call()


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_turned_points_are_those_of_pecode_and_broadcast_over_heads(code, layout):
    torch = load("torch")
    points, omega = axes.grid_positions((3, 4, 5)), axes.axial_frequencies((4, 6, 6), 256.0)
    x = sample(2, 3, len(points), 16)
    got = code.rotate_points(
        torch.tensor(x), torch.tensor(points), code.axial((4, 6, 6), 256.0), layout
    )
    expected = axes.rotate_points(x, points, omega, layout)
    np.testing.assert_allclose(got.numpy(), expected, rtol=0, atol=1e-6)
