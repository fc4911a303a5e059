"""What a function does with positions, found by calling it: a rotation, scores, angles, a bias.

`examine` gives unit vectors at irregular positions (0, 0, 1, 2, 5, 3, 17, …) and so reads each
number that the function multiplies by. It sees what the function does, not how: a mistake that is
made twice, such as two reversals, leaves nothing to be seen.
"""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pecode import _check
from pecode.diagnose.biases import read_bias, take_bias
from pecode.diagnose.calls import attempt
from pecode.diagnose.frequencies import explain, near
from pecode.precision import bfloat16

START = (0, 0, 1, 2, 5, 3, 17, 40)  # positions: one twice, one out of order
FAR = ((301, 3001), (301, 1000), (60, 100), ())  # and as far on as the function's table reaches
FLOAT32, ROUNDED = 5e-4, 0.03  # radians: what rounding in 32 and in 16 bits explains
LAYOUTS = {"interleaved": "neighbors (2i, 2i + 1)", "half": "halves (i, i + d/2)"}
LAYOUT, PAIRS = "huggingface/transformers#25199", "huggingface/transformers#40462"
ROWS = "huggingface/transformers#29583"


@dataclass(frozen=True)
class Examination:
    """What a function does with positions.

    form : "rotation", "scores", "angles" or "bias".
    problems : what is wrong in itself or against the expectation, the cause first.
    findings : what the function does, in sentences; facts : the same for programs.
    """

    form: str
    problems: tuple
    findings: tuple
    facts: dict

    def __str__(self):
        lines = [f"wrong: {each}" for each in self.problems]
        lines += [f"  {each}" for each in self.findings]
        return "\n".join(textwrap.fill(each, 66, subsequent_indent="    ") for each in lines)


class Report:
    """Findings as they come, against what is expected."""

    def __init__(self, d_head, layout, base, frequencies):
        self.d_head, self.layout, self.base, self.frequencies = d_head, layout, base, frequencies
        self.problems, self.findings, self.facts = [], [], {}

    def wrong(self, text, thread=""):
        """Note a problem, and the thread where it was seen."""
        self.problems.append(f"{text} ({thread})" if thread else text)

    def says(self, text, **facts):
        """Note what the function does."""
        self.findings.append(text)
        self.facts |= facts

    def pairs(self, pairs):
        """Say which columns make a pair, and whether that is what was expected."""
        columns, half = sorted(column for pair in pairs for column in pair), len(pairs)
        found = None
        if pairs == [tuple(columns[2 * i : 2 * i + 2]) for i in range(half)]:
            found = "interleaved"
        if half > 1 and pairs == [(columns[i], columns[i + half]) for i in range(half)]:
            found = "half"
        words = LAYOUTS.get(found) or f"{', '.join(map(str, pairs[:3]))}, …"
        self.says(f"pairs: {words}", layout=found, pairs=pairs)
        if self.layout and half > 1 and found != self.layout:
            wanted = LAYOUTS[self.layout]
            self.wrong(
                f"pairs are {words}, not {wanted}: turn these, or reorder the weights", LAYOUT
            )

    def turns(self, omega, turned):
        """Say the direction and the rule of the frequencies."""
        moving = omega[np.abs(omega) > 1e-9]
        if (moving < 0).all():
            self.wrong(
                "pairs turn the other way: a sine has lost its sign", "karpathy/nanochat#489"
            )
        elif (moving < 0).any():
            self.wrong("some pairs turn forward and some backward")
        size = np.abs(omega)
        text, base, problem = explain(size, turned, self.d_head, self.base)
        wanted = self.frequencies
        if wanted is not None and not (len(wanted) == len(size) and near(size, wanted)):
            self.wrong("the frequencies are not those of the config")
        if problem and wanted is None:
            self.wrong(*problem)
        self.says(text or f"frequencies: {problem[0]}", frequencies=omega, base=base)

    def fits(self, angles, uses):
        """Find the frequencies and the use of positions that explain the angles (sample, pair)."""
        best = None
        for coordinate, text, *problem in uses:
            omega = _frequencies(angles, coordinate)
            left = np.abs(np.angle(np.exp(1j * (angles - np.outer(coordinate, omega))))).max()
            if best is None or left < best[0] / 4:
                best = left, omega, text, problem
            if best[0] < FLOAT32:
                break
        left, omega, text, problem = best
        if left > ROUNDED:
            text, problem = "unclear", ["the angles are not proportional to the positions"]
        if problem:
            self.wrong(*problem)
        if FLOAT32 < left <= ROUNDED:
            self.says(f"angles are right to {left:.1g} radians only, as after rounding to 16 bits")
        return omega, text


def examine(
    function: Callable[..., Any],
    d_head: int = 32,
    *,
    form: str | None = None,
    layout: str | None = None,
    base: float | None = None,
    layer: Any = None,
    n_heads: int = 8,
    convert: Callable[[np.ndarray], Any] | None = None,
) -> Examination:
    """Call a function of positions, and say what it does and what is wrong with it.

    Parameters
    ----------
    function : callable
        A rotation (x, positions) -> x; scores (queries, keys) or (queries, keys, positions)
        before softmax; angles (positions) -> cosines and sines, or complex; a bias (length) or
        (n_heads, length) -> (heads, length, length); or slopes (n_heads). Vectors are (length,
        d_head), (batch, length, d_head), or have an axis of heads before or after the length.
    form : str
        "rotation", "scores", "angles" or "bias"; else it is found by trying.
    layout, base, layer : optional
        What is expected: "half" or "interleaved"; the base; a layer of `config`.
    convert : callable
        Makes an array of the function's framework of one of numpy, such as `torch.tensor`.

    Examples
    --------
    >>> from pecode import rotate
    >>> print(examine(lambda x, t: rotate(x, t + 0.0, layout="half"), layout="half"))
      a rotation of 32 of 32 columns
      pairs: halves (i, i + d/2)
      frequencies: base 10,000 over 32 columns
      positions: as given, real ones too
    """
    if not callable(function):
        raise TypeError(f"function: expected a function, got {_check.shown(function)}")
    d_head = _check.even_width("d_head", d_head)
    if form is not None:
        _check.choice("form", form, tuple(_FORMS))
    if layout is not None:
        _check.choice("layout", layout, tuple(LAYOUTS))
    frequencies = None
    if layer is not None:
        layout, frequencies = layout or layer.layout, np.asarray(layer.frequencies, float)
    call, said = _numpy_in_and_out(function, convert), []
    for name in (form,) if form else _FORMS:
        take, read = _FORMS[name]
        found = take(call, d_head, n_heads)
        if not isinstance(found, str):
            report = Report(d_head, layout, base, frequencies)
            read(report, *found)
            return Examination(name, tuple(report.problems), tuple(report.findings), report.facts)
        said.append(f"{name}: {found}")
    raise ValueError("function: expected one of the forms of `examine`, got " + "; ".join(said))


# Calling


def _numpy_in_and_out(function, convert):
    def call(*arguments):
        found = function(*(convert(each) if convert else each for each in arguments))
        if isinstance(found, (tuple, list)):
            return tuple(np.asarray(each) for each in found)
        return np.asarray(found)

    try:
        required = [p for p in inspect.signature(function).parameters.values() if p.default is
                    p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]  # fmt: skip
    except (TypeError, ValueError):
        required = []
    call.takes = lambda n: len(required) in (0, n)  # no names: any number may be right
    return call


# Rotations


def _take_rotation(call, d, _):
    said = "it does not take (x, positions)"
    for far in FAR if call.takes(2) else ():
        positions = np.array([*START, *far])
        n = len(positions)
        for shape in ((n, d), (2, n, d), (2, 3, n, d), (2, n, 3, d)):
            for at in (positions, np.tile(positions, (2, 1))):
                found = attempt(call, np.zeros(shape, np.float32), at)
                if isinstance(found, np.ndarray) and found.shape == shape:
                    return (_Rotation(call, shape, at, positions),)
                said = found if isinstance(found, str) else "the result has not the shape of x"
    return said


class _Rotation:
    """A function that turns vectors, as matrices (position, out, in)."""

    def __init__(self, call, shape, at, positions):
        self.call, self.shape, self.d = call, shape, shape[-1]
        self.at, self.positions = at, positions
        self.axis = 1 if len(shape) == 4 and shape[2] == 3 else len(shape) - 2  # of the length

    def turned(self, x, at):
        """Turn vectors (length, d), the same for all texts and heads: (all of them, length, d)."""
        view = x[:, None] if self.axis < len(self.shape) - 2 else x
        vectors = np.ascontiguousarray(np.broadcast_to(view, self.shape), np.float32)
        out = self.call(vectors, self.like(at))
        return np.moveaxis(out, self.axis, -2).reshape(-1, *x.shape).astype(float)

    def like(self, positions):
        """Return positions in the form in which the function takes them."""
        return np.broadcast_to(positions, self.at.shape).copy()

    def matrices(self, at):
        """Return what each position does to the unit vectors: (length, d, d)."""
        units = np.broadcast_to(np.eye(self.d)[:, None], (self.d, len(self.positions), self.d))
        return np.stack([self.turned(unit, at)[0] for unit in units], axis=-1)


def _read_rotation(report, rotation):
    M = matrices = rotation.matrices(rotation.positions)
    positions, d = rotation.positions, rotation.d
    if np.abs(M - M[:1]).max() < 1e-6:
        same = np.allclose(M[0], np.eye(d), atol=1e-5)
        report.wrong("nothing turns: x comes back as it is" if same else
                     "every position is turned alike")  # fmt: skip
        return
    if np.abs(M[0] - M[1]).max() > 1e-5:  # both stand at position 0
        if np.allclose(rotation.matrices(np.full(len(M), 7)), M, atol=1e-5):
            positions = np.arange(len(M))
            report.wrong("the positions are ignored: row i is turned by i (wrong with padding on "
                         "the left, and with a cache)", ROWS)  # fmt: skip
        else:
            report.wrong("equal positions are turned differently in one text")
    scale = float(np.sqrt((M[0] ** 2).sum(axis=0).mean()))
    if not np.isfinite(M).all() or scale < 1e-6:
        report.wrong("the result is zero, or not finite")
        return
    if abs(scale - 1) > 1e-3:
        report.says(f"results are multiplied by {scale:.4g}, scores by {scale**2:.4g}", scale=scale)
    M = M / scale
    order = np.abs(M[0]).argmax(axis=0)
    if np.allclose(np.abs(M[0]), np.eye(d)[:, order], atol=1e-3) and (order != np.arange(d)).any():
        report.says("columns come out in another order: harmless if queries and keys share it")
        M = M[:, order]
    pairs = _pairs(np.abs(M).max(axis=0))
    if not pairs:
        report.wrong("columns are mixed in more than pairs")
        return
    columns = sorted(column for pair in pairs for column in pair)
    n = len(columns)
    ends = {n - 1: ", the first", d - 1: ", the last"}
    where = ends.get(columns[-1], "") if columns[-1] - columns[0] == n - 1 < d - 1 else ""
    report.says(f"a rotation of {n} of {d} columns{where}", columns=columns)
    report.pairs(pairs)
    a, b = np.transpose(pairs)
    first = np.arctan2(-M[:, a, b], M[:, a, a])
    second = np.arctan2(M[:, b, a], M[:, b, b])
    if np.abs(np.exp(1j * first) - np.exp(1j * second)).max() > ROUNDED:
        report.wrong(_strangers(first[3], second[3], pairs), PAIRS)
        return
    if np.abs(np.linalg.norm(M[:, :, columns], axis=1) - 1).max() > ROUNDED:
        report.wrong("norms are not kept: a cosine and a sine are not of one angle")
    if np.allclose(np.exp(1j * first[-1]), np.exp(1j * first[-2]), atol=1e-6):
        report.wrong(f"positions are clipped: {positions[-2]} and {positions[-1]} are turned alike")
        first, positions = first[:-2], positions[:-2]
    omega, text = report.fits(first, _uses_of_one(positions))
    report.turns(omega, n)
    between = attempt(rotation.matrices, np.full(len(M), 0.5))
    real = ", whole ones only"
    if not isinstance(between, str):
        step = np.arctan2(-between[0, a[0], b[0]], between[0, a[0], a[0]]) - first[0, 0]
        real = ", real ones too" if abs(step - omega[0] / 2) < 0.01 * abs(omega[0]) else ", cut"
    report.says(f"positions: {text}{real}")
    _purity(report, rotation, matrices, positions is not rotation.positions)


def _pairs(coupling):
    """Return the pairs of columns that act on each other; none if some column has two others."""
    together = np.maximum(coupling, coupling.T) > 1e-6
    np.fill_diagonal(together, False)
    if (together.sum(axis=1) > 1).any():
        return []
    return [(int(a), int(b)) for a, b in np.argwhere(together) if a < b]


def _strangers(first, second, pairs):
    """Say how angles repeat over the columns, where the two of a pair have different ones."""
    angle = {a: x for (a, _), x in zip(pairs, first, strict=True)}
    angle |= {b: x for (_, b), x in zip(pairs, second, strict=True)}
    angles, half = np.array([angle[column] for column in sorted(angle)]), len(pairs)
    if np.allclose(angles[:half], angles[half:], atol=1e-3):
        return "angles are laid out for halves, cat(freqs, freqs), and neighbors are turned"
    if np.allclose(angles[0::2], angles[1::2], atol=1e-3):
        return "angles are laid out for neighbors, repeat_interleave, and halves are turned"
    return "the two columns of a pair are turned by different angles"


def _uses_of_one(positions):
    """Yield how positions may be used: (number, in words, problem and thread if it is one)."""
    p = np.asarray(positions, float)
    yield p, "as given"
    yield p + 1, "counted from 1"
    coarse = "positions are rounded to {}: beyond {} neighbors become one"
    yield bfloat16(p), "rounded", coarse.format("bfloat16", 256), "EleutherAI/gpt-neox#1003"
    half = p.astype(np.float16).astype(float)
    yield half, "rounded", coarse.format("float16", 2048), "huggingface/transformers#25681"


def _frequencies(angles, coordinate):
    """Return radians for a step of the coordinate: from near samples, then ever farther ones."""
    order = np.argsort(np.abs(coordinate), kind="stable")
    order = order[np.abs(coordinate[order]) > 0]
    if not len(order):
        return np.zeros(angles.shape[1])
    omega = angles[order[0]] / coordinate[order[0]]
    for k in order[1:]:
        turns = np.rint((omega * coordinate[k] - angles[k]) / (2 * np.pi))
        omega = (angles[k] + 2 * np.pi * turns) / coordinate[k]
    return omega


def _purity(report, rotation, M, ignored):
    """See whether a result depends on the batch, the heads, or on what was called before."""
    x = np.random.default_rng(0).normal(size=(len(M), rotation.d))
    back = rotation.turned(x, rotation.positions[::-1])
    if not np.allclose(rotation.turned(2 * x, rotation.positions[::-1]), 2 * back, atol=0.02):
        report.wrong("twice the vector is not turned into twice the result")
        return
    if not ignored and not np.allclose(back[0], np.einsum("tij,tj->ti", M[::-1], x), atol=0.02):
        report.wrong("the result depends on what was called before: a stored table is stale")
    if not np.allclose(back, back[:1], atol=1e-5):
        report.wrong("equal texts of a batch, or heads, are turned differently: wrong axis")


# Scores


def _take_scores(call, d, _):
    positions, said = np.array(START), "it does not take (queries, keys)"
    n = len(positions)
    for at in [(positions,)] * call.takes(3) + [()] * call.takes(2):
        for shape in ((n, d), (1, n, d), (1, 1, n, d), (1, n, 1, d)):
            found = attempt(call, np.zeros(shape, np.float32), np.zeros(shape, np.float32), *at)
            if isinstance(found, np.ndarray) and found.squeeze().shape == (n, n):
                return call, shape, positions if at else np.arange(n), at
            said = found if isinstance(found, str) else "it returns no (length, length)"
    return said


def _read_scores(report, call, shape, positions, at):
    n, d = len(positions), shape[-1]

    def scores(*columns):  # of all queries and keys alike
        vectors = (np.broadcast_to(each, (n, d)).reshape(shape) for each in columns)
        return call(*(each.astype(np.float32) for each in vectors), *at).squeeze().astype(float)

    nothing, unit = scores(np.zeros(d), np.zeros(d)), np.eye(d)
    seen = nothing > -1e4  # not masked
    if np.allclose(nothing[seen].sum(), n, atol=1e-3) and (nothing[seen] > 0).all():
        raise ValueError("function: expected scores before softmax, got weights")
    with np.errstate(invalid="ignore"):  # what is masked is minus infinity
        B = np.array([[np.where(seen, scores(i, j) - nothing, 0) for j in unit] for i in unit])
    if np.abs(B - B[..., -1:, :1])[..., seen].max() < 1e-5:
        report.wrong("no position enters the scores")
        return
    pairs = _pairs(np.abs(B).max(axis=(2, 3)))
    if not pairs:
        report.wrong("queries and keys are turned in different layouts", PAIRS)
        return
    report.says(f"scores of queries and keys of {d} columns" + ", masked" * (not seen.all()))
    report.pairs(pairs)
    a, b = np.transpose(pairs)
    angle = np.moveaxis(np.arctan2(B[b, a], B[a, a]), 0, -1)[seen]  # (seen, pairs)
    uses = ((np.subtract.outer(key, query).T[seen], "", *problem)
            for query, key, *problem in _uses_of_two(np.asarray(positions, float)))  # fmt: skip
    omega, _ = report.fits(angle, uses)
    report.turns(omega, 2 * len(pairs))
    size = np.hypot(B[a[0], a[0]], B[b[0], a[0]])[seen]
    known = " (1/√d)" if abs(size[0] * d**0.5 - 1) < 0.01 else f" (1/√d is {d**-0.5:.4g})"
    report.says(f"scores are multiplied by {size[0]:.4g}{known}", scale=float(size[0]))
    if np.ptp(size) > ROUNDED * size.mean():
        report.says("scores also grow or fade with the distance")


def _uses_of_two(p):
    """Yield how positions of queries and keys may be used: (of queries, of keys, problem)."""
    order = np.arange(len(p))
    yield p, p
    yield p, 0 * p, "queries are turned and keys are not: scores depend on the query's place"
    yield 0 * p, p, "keys are turned and queries are not: scores depend on the key's place"
    yield p, -p, "keys turn against the queries: scores depend on the sum of the positions"
    yield p + 1, p, "queries are one position too far", "microsoft/onnxruntime-genai#2354"
    yield p, p + 1, "keys are one position too far"
    yield order, order, "the positions are ignored: row i counts as i", ROWS
    behind = "positions behind a prompt are one too far: the cache is counted with the new key"
    for prompt in range(1, len(p)):
        late = p + (order >= prompt)
        yield late, late, behind, "fla-org/flash-linear-attention#766"


# Angles


def _take_angles(call, *_):
    said = "it does not take (positions)"
    for far in FAR if call.takes(1) else ():
        positions = np.array([*START, *far])
        length = int(positions.max()) + 1
        for at, rows in ((positions, np.arange(len(positions))), (length, positions)):
            found = attempt(call, at)
            if isinstance(found, str):
                said = found
                continue
            parts = [each.squeeze() for each in (found if isinstance(found, tuple) else (found,))]
            if len(parts) == 1 and np.iscomplexobj(parts[0]):
                parts = [parts[0].real, parts[0].imag]
            if len(parts) == 2 and all(each.ndim == 2 and len(each) > rows.max() for each in parts):
                return positions, *(each[rows].astype(float) for each in parts)
            said = "it returns no cosines and sines"
    return said


def _read_angles(report, positions, cos, sin):
    size, angles, half = np.hypot(cos, sin), np.arctan2(sin, cos), cos.shape[1] // 2
    if np.ptp(size) > ROUNDED * size.mean():
        report.wrong("cosines and sines are not of the same angles")
        return
    if abs(size.mean() - 1) > 1e-3:
        report.says(f"cosines and sines are multiplied by {size.mean():.4g}", scale=size.mean())
    found = None
    if half and np.allclose(angles[:, :half], angles[:, half : 2 * half], atol=1e-6):
        found, angles = "half", angles[:, :half]
    elif half and np.allclose(angles[:, 0:-1:2], angles[:, 1::2], atol=1e-6):
        found, angles = "interleaved", angles[:, 0::2]
    repeated = f", each twice: for {LAYOUTS[found]}" if found else ""
    report.says(f"{angles.shape[1]} angles{repeated}", layout=found)
    if report.layout and found and found != report.layout:
        report.wrong(f"angles are laid out for {LAYOUTS[found]}, not the other layout", PAIRS)
    report.d_head = max(report.d_head, 2 * angles.shape[1])
    omega, text = report.fits(angles, _uses_of_one(positions))
    report.turns(omega, 2 * angles.shape[1])
    report.says(f"positions: {text}")


_FORMS = {
    "rotation": (_take_rotation, _read_rotation),
    "scores": (_take_scores, _read_scores),
    "angles": (_take_angles, _read_angles),
    "bias": (take_bias, read_bias),
}
