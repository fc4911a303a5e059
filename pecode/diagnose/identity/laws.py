"""The laws that no single base explains, and the forms in which their tables are kept.

A *law* gives every pair its frequency (a stretched context, an exponent over d_model - 1); a *form*
says what each column holds (a cache of cosines has no sines).
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from pecode import scaling
from pecode.diagnose.identity import spacings
from pecode.diagnose.identity.reading import LAYOUTS, columns_of
from pecode.encodings import frequencies
from pecode.precision import bfloat16

_FACTORS = 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 128
_TRAINED = 2048, 4096, 8192, 16384, 32768, 65536, 131072
_STRIDES = 2, 3, 4, 5, 6, 7, 8, 10, 16, 100, 1000
USUAL = "paper", "endpoint"


class Law(NamedTuple):
    """A frequency for each pair, under a name."""

    name: str
    is_mistake: bool
    omega: np.ndarray  # (pairs,)
    stride: int = 1  # between the positions of neighboring rows
    spacing: str = "paper"


@functools.lru_cache(maxsize=8)
def laws(n_pairs, base, still=0):
    """The laws in the order in which they are believed; `still` pairs do not turn at all."""
    different = {}
    for law in _laws(n_pairs, base, still):
        different.setdefault((law.stride, np.round(law.omega, 12).tobytes()), law)
    return tuple(different.values())


def _laws(n_pairs, base, still):
    d, omega = 2 * n_pairs, frequencies(2 * n_pairs, base)
    ladder = np.arange(0, d, 2)
    yield Law("paper", False, omega)
    if n_pairs > 1:
        yield Law("endpoint", False, frequencies(d, base, "endpoint"), spacing="endpoint")
        yield Law("exponent over d - 1", True, base ** (-ladder / (d - 1)))
        yield Law("log10 for ln", True, np.exp(-ladder / d * math.log10(base)))
        yield Law("log2 for ln", True, np.exp(-ladder / d * math.log2(base)))
        yield Law("exponents from 2", True, base ** (-(ladder + 2) / d))
    for stride in _STRIDES:
        yield Law("stride", True, omega, stride)
    yield Law("degrees", True, np.degrees(omega))
    yield Law("degrees for radians", True, np.radians(omega))
    yield Law("turns for radians", True, 2 * np.pi * omega)
    yield Law("half turns for radians", True, np.pi * omega)
    yield Law("bfloat16 frequencies", True, bfloat16(omega).astype(float))
    yield Law("float16 frequencies", True, omega.astype(np.float16).astype(float))
    if 0 < still < n_pairs:
        kept = n_pairs - still
        some = np.pad(frequencies(2 * kept, base), (0, still))
        yield Law(f"partial, {2 * kept} of {d} columns", False, some)
        some = np.where(np.arange(n_pairs) < kept, omega, 0.0)
        yield Law(f"proportional, {2 * kept} of {d} columns", False, some)
    yield from _stretched(d, base) if n_pairs > 1 else ()
    for spacing in spacings.of_other_widths(d, base):
        omega = base ** (-spacing.step * np.arange(n_pairs))
        yield Law("another width", True, omega, spacing=spacing.name)


def _stretched(d_model, base):
    """The rules that stretch a context, with the settings that published models have."""
    for factor in _FACTORS:
        yield Law(f"interpolation by {factor}", False, scaling.interpolated(d_model, factor, base))
        if d_model > 2:
            yield Law(f"NTK-aware by {factor}", False, scaling.ntk_aware(d_model, factor, base))
    for factor in _FACTORS:
        for trained in _TRAINED:
            name = f"by {factor} from {trained}"
            stretched = scaling.llama3(d_model, factor, trained, base)
            yield Law(f"Llama 3 {name}", False, stretched)
            try:
                stretched = scaling.yarn(d_model, factor, trained, base)
            except ValueError:
                continue  # at this base and length the ramp has no pair to begin with
            yield Law(f"YaRN {name}", False, stretched)


def laws_of_step(turn, n_pairs, base, rows):
    """The laws of positions that grow by `turn`, the turn of pair 0 from one row to the next."""
    if turn < 1e-6 or abs(turn - 1) < 1e-6:
        return []
    span = turn * np.array([rows - 1, rows])
    if np.abs(span - 1).min() < 1e-3:
        name = "positions from 0 to 1"
    else:
        name = "stride" if turn > 1 else f"interpolation by {1 / turn:.4g}"
    return [
        Law(name, turn > 1 or "from" in name, turn * frequencies(2 * n_pairs, base, each), 1, each)
        for each in (USUAL if n_pairs > 1 else USUAL[:1])
    ]


class Form(NamedTuple):
    """What each column holds."""

    name: str
    pair: np.ndarray  # (d_model,)
    quarter: np.ndarray  # (d_model,) 0 for sines, 1 for cosines


def forms(d_model, layout=None):
    """Sines with cosines in the layouts, or only one of them, as in the caches of models."""
    j = np.arange(d_model)
    for name in (LAYOUTS if layout is None else [layout]) if d_model % 2 == 0 else ():
        pair, quarter = np.empty(d_model, int), np.empty(d_model, int)
        for kind, columns in enumerate(columns_of(name, d_model)):
            pair[columns], quarter[columns] = np.arange(d_model // 2), kind
        yield Form(name, pair, quarter)
    if layout is not None:
        return
    orders = {"": j}
    if d_model % 2 == 0:
        orders = {", halves alike": j % (d_model // 2), ", neighbors alike": j // 2, **orders}
    for order, pair in orders.items():
        for name, quarter in (("cosines", 1), ("sines", 0)):
            yield Form(f"{name} alone{order}", pair, np.full(d_model, quarter))
