"""Angles that training has shown, and frequencies that are stretched to stay there."""

import traitlets

from figures.base import Figure, FloatTrait, IntTrait, bundle

# What the choices of `scaling` are called on the page.
_SCALINGS = {
    "none": "none",
    "interpolation": "position interpolation",
    "ntk": "NTK-aware",
    "yarn": "YaRN",
    "llama3": "Llama 3",
}


class Stretch(Figure):
    """Angles that training has shown, and frequencies that are stretched to stay there.

    Parameters
    ----------
    distance : int, 0 to 511
        How far the key stands before the query, as under a causal mask: the offset is -distance.
    scaling : "none", "interpolation", "ntk", "yarn" or "llama3"
    factor : float, 1 to 8
        How much longer the texts may become.

    Examples
    --------
    >>> Stretch(scaling="yarn")
    Stretch(distance=200, factor=4.0, scaling='yarn')
    """

    _esm = bundle("stretch.js", SCALINGS=[[text, name] for name, text in _SCALINGS.items()])
    alt = (
        "Four dials for four pairs. An arc on each marks the angles seen in training: the whole "
        "circle on the first two, a tenth of it on the third, a sliver on the last. Each dial has "
        "two hands for distance 200: a dashed one, before scaling, far beyond the arc on the third "
        "dial, and a bold one, after position interpolation, which is on the arc on all four."
    )
    distance = IntTrait(200, min=0, max=511).tag(sync=True, public=True)
    scaling = traitlets.Enum(list(_SCALINGS), "interpolation").tag(sync=True, public=True)
    factor = FloatTrait(4.0, min=1.0, max=8.0).tag(sync=True, public=True)
