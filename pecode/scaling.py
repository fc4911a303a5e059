"""Rotary embeddings for texts longer than the training's: other frequencies for the same pairs.

Every function returns the frequencies ω_i of the pairs in radians per position, fastest first, for
`rotate(x, positions, frequencies=…)`: float64 of shape (d_head / 2,). Beyond the trained length the
slow pairs reach angles that were never trained, or the pairs together new combinations of angles;
the rules differ in which pairs they slow down.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from pecode import _check
from pecode._check import checked, two_pairs
from pecode._types import ArrayLike, Floats
from pecode.encodings import frequencies


@checked()
def interpolated(d_head: int, factor: float, base: float = 10000.0) -> Floats:
    """Position interpolation: every frequency divided by the factor (Chen et al., 2023).

    Position t then has the angles that position t / factor had: the longer text is squeezed
    into the trained length, and neighbors are less far apart.

    Parameters
    ----------
    d_head : int, even
        Width of one head, and number of columns that are turned.
    factor : float, at least 1
        How many times longer the text is than those of the training.
    base : float > 1

    Examples
    --------
    >>> interpolated(4, factor=4).tolist()
    [0.25, 0.0025]
    """
    return frequencies(d_head, base) / factor


@checked(d_head=two_pairs)
def ntk_aware(d_head: int, factor: float, base: float = 10000.0) -> Floats:
    """NTK-aware scaling: a larger base, so that slow pairs slow down more (bloc97, 2023).

    The new base is base · factor**(d_head / (d_head - 2)). The fastest pair stays as it is, the
    slowest is divided by the factor, those between by factor**(2i / (d_head - 2)). One pair alone
    cannot be the fastest and the slowest: d_head is at least 4.

    Examples
    --------
    >>> ntk_aware(6, factor=4, base=1000.0).round(6).tolist()
    [1.0, 0.05, 0.0025]
    """
    omega = frequencies(d_head, base)
    i = np.arange(len(omega))
    # The same as a larger base, but no factor makes it overflow.
    return omega * factor ** (-i / (len(omega) - 1))


@checked(d_head=two_pairs)
def dynamic_ntk(
    d_head: int, length: int, original_length: int, factor: float = 1.0, base: float = 10000.0
) -> Floats:
    """NTK-aware scaling by the length that the text has now (emozilla, 2023).

    Up to original_length, the length of the training, nothing changes. A longer text is scaled by
    `ntk_aware(d_head, …, base)` with the factor 1 + factor · (length / original_length - 1), which
    for factor 1 is the ratio of the lengths. The frequencies change while a text grows: keys that
    were turned before must be turned again.

    Examples
    --------
    >>> bool(np.all(dynamic_ntk(8, 8192, original_length=2048) == ntk_aware(8, factor=4)))
    True
    """
    return ntk_aware(d_head, 1 + factor * max(length / original_length - 1, 0.0), base)


@checked()
def yarn(
    d_head: int,
    factor: float,
    original_length: int,
    base: float = 10000.0,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    truncate: bool = True,
) -> Floats:
    """YaRN's frequencies: fast pairs stay, slow ones are interpolated (Peng et al., 2023, 3.2).

    Pairs that make more than beta_fast turns in the trained length keep their frequency, pairs
    that make fewer than beta_slow are divided by the factor. Between the two the share of the
    interpolated frequency grows linearly with the index of the pair, as in the authors' code and in
    the checkpoints. The paper's equation has it linear in the number of turns, as in
    `llama3`. See also `yarn_temperature`.

    Parameters
    ----------
    d_head, factor, base
        As in `interpolated`.
    original_length : int
        Of the training.
    beta_fast, beta_slow : float > 0
        In turns; beta_fast is the larger one, or both are the same.
    truncate : bool
        Whether both ends of the ramp move outward to whole numbers of a pair.

    Examples
    --------
    >>> yarn(8, factor=4, original_length=2048).round(6).tolist()
    [1.0, 0.1, 0.00625, 0.00025]
    """
    _check.real("beta_fast", beta_fast, minimum=beta_slow)

    def pair_that_makes(turns):  # solves original_length · base**(-2i / d_head) / 2π = turns for i
        exponent = math.log(original_length / (2 * math.pi)) - math.log(turns)
        return d_head * exponent / (2 * math.log(base))

    low, high = pair_that_makes(beta_fast), pair_that_makes(beta_slow)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, d_head - 1)  # d_head, not the number of pairs: as in use
    what = "a length in which the pairs make between beta_slow and beta_fast turns"
    _check.require(low <= high, "original_length", what, original_length)
    omega = frequencies(d_head, base)
    i = np.arange(len(omega))
    interpolated_share = np.clip((i - low) / max(high - low, 0.001), 0, 1)
    return _mixed(omega, factor, 1 - interpolated_share)


@checked()
def yarn_temperature(factor: float, mscale: float = 1.0) -> float:
    """What YaRN multiplies turned queries and keys by: 0.1 ln(factor) + 1 (Peng et al., 2023, 3.4).

    In the paper this is √(1/t), with t the temperature of the softmax. Libraries multiply cosines
    and sines by it. Query and key both carry it, so a score grows by its square, 1/t: longer texts
    have more keys, and sharper weights make up for that.

    DeepSeek's configs give 0.1 a coefficient `mscale`. Cosines and sines are multiplied by the
    temperature of `mscale` over that of `mscale_all_dim`, and scores by the square of the latter.

    Examples
    --------
    >>> round(yarn_temperature(4), 4)
    1.1386
    >>> round(yarn_temperature(40, mscale=1.0) ** 2, 4)
    1.8739
    """
    return _check.no_overflow("mscale", 0.1 * mscale * math.log(factor) + 1)


@checked()
def yarn_scales(
    factor: float, mscale: float = 1.0, mscale_all_dim: float = 0.0
) -> tuple[float, float]:
    """YaRN's temperature, and where it goes: on cosines and sines, or on the scores.

    The paper puts `yarn_temperature` on cosines and sines, so that the scores of a pair that turns
    have its square. That leaves out columns that do not turn, as most of DeepSeek's heads. So its
    configs have two numbers: `mscale_all_dim` for the temperature of all columns, which is put on
    the scores, squared, and `mscale` for what is left to cosines and sines, as a ratio. Where both
    are equal cosines and sines stay as they are. 1 and 0, the default, is the paper. Some
    libraries use the default where one of the two is missing or 0, whatever the other one says.

    Returns
    -------
    of_columns : float
        Multiplies cosines and sines.
    of_scores : float, at least 1
        Multiplies scores, after the division by √d.

    Examples
    --------
    >>> [round(scale, 4) for scale in yarn_scales(factor=40)]
    [1.3689, 1.0]
    >>> [round(scale, 4) for scale in yarn_scales(40, mscale=1.0, mscale_all_dim=1.0)]
    [1.0, 1.8739]
    """
    all_columns = yarn_temperature(factor, mscale_all_dim)
    of_scores = _check.no_overflow("mscale_all_dim", all_columns * all_columns)
    return yarn_temperature(factor, mscale) / all_columns, of_scores


@checked()
def llama3(
    d_head: int,
    factor: float,
    original_length: int,
    base: float = 500000.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
) -> Floats:
    """Llama 3.1's rule: fast pairs stay, slow ones are interpolated (Llama Team, 2024).

    Pairs that make more than high_freq_factor turns in the trained length keep their frequency,
    pairs that make fewer than low_freq_factor are divided by the factor. Between the two the
    share of the kept frequency grows linearly with the number of turns: "NTK-by-parts" of the
    paper on YaRN (Peng et al., 2023, section 3.2), without a temperature.

    Parameters
    ----------
    d_head, factor, base
        As in `interpolated`.
    original_length : int
        Of the training.
    low_freq_factor, high_freq_factor : float > 0
        In turns; high_freq_factor is the larger one.

    Examples
    --------
    >>> llama3(8, factor=8, original_length=2048, base=10000.0).round(6).tolist()
    [1.0, 0.1, 0.00784, 0.000125]
    """
    low, high = low_freq_factor, high_freq_factor
    _check.real("high_freq_factor", high, above=low)
    omega = frequencies(d_head, base)
    turns = original_length * omega / (2 * math.pi)
    kept = np.clip((turns - low) / (high - low), 0, 1)
    return _mixed(omega, factor, kept)


@checked()
def longrope(d_head: int, factors: ArrayLike, base: float = 10000.0) -> Floats:
    """LongRoPE: every pair has a factor of its own, found by search (Ding et al., 2024).

    Checkpoints hold two lists of d_head / 2 `factors`, one for texts within the trained length
    and one for longer ones. See also `longrope_temperature`.

    Examples
    --------
    >>> longrope(d_head=4, factors=[1.0, 8.0], base=10000.0).tolist()
    [1.0, 0.00125]
    """
    _check.size("factors", len(factors), d_head // 2, "numbers, one for each pair")
    _check.require(factors.min() > 0, "factors", "numbers above 0", factors.min())
    with np.errstate(over="ignore"):
        return _check.no_overflow("factors", frequencies(d_head, base) / factors)


@checked(original_length=partial(_check.integer, minimum=2, maximum=2**40))
def longrope_temperature(factor: float, original_length: int) -> float:
    """What LongRoPE multiplies turned queries and keys by: √(1 + ln(factor) / ln(original_length)).

    As in `yarn_temperature`, a score grows by the square: by ln(long) / ln(original), where long
    is factor · original_length (Ding et al., 2024, and the checkpoints of Phi-3).

    Examples
    --------
    >>> round(longrope_temperature(32, 4096), 4)
    1.1902
    """
    return math.sqrt(1 + math.log(factor) / math.log(original_length))


@checked()
def proportional(d_head: int, share: float, base: float = 10000.0) -> Floats:
    """Proportional rotary: the fastest pairs of the whole head turn, the others stand.

    Partial rotary computes frequencies for the columns that it turns, so its slowest wavelength
    comes near 2π · base. Here the exponents are those of the whole head, and the slow pairs have
    frequency 0 (the global layers of Gemma 4; Barbero et al., 2024, cut them for another reason).

    Parameters
    ----------
    d_head : int, even
    share : float, above 0 and at most 1
        Of the pairs that turn, rounded down to a whole pair, of which at least one is left.
    base : float > 1

    Examples
    --------
    >>> proportional(8, share=0.5).round(6).tolist()
    [1.0, 0.1, 0.0, 0.0]
    """
    omega, turning = frequencies(d_head, base), int(share * d_head // 2)
    what = f"a share of {len(omega)} pairs that makes at least one"
    _check.require(turning >= 1, "share", what, share)
    return np.where(np.arange(len(omega)) < turning, omega, 0.0)


def _mixed(omega, factor, kept):
    """Frequencies between those that stay (kept = 1) and those divided by the factor (kept = 0)."""
    return (1 - kept) * omega / factor + kept * omega
