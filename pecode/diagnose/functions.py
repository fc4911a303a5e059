"""What a function does with positions, found by calling it: a rotation, scores, angles, a bias.

`examine` gives unit vectors at irregular positions (0, 0, 1, 2, 5, 3, 17, …) and so reads each
number that the function multiplies by. It sees what the function does, not how: a mistake that is
made twice, such as two reversals, leaves nothing to be seen.
"""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pecode import _check
from pecode.diagnose import biases
from pecode.diagnose.arrays import as_array
from pecode.diagnose.frequencies import TOLERANCE, explain, off
from pecode.precision import bfloat16

START = (0, 0, 1, 2, 5, 3, 17, 40)  # positions: one twice, one out of order
BEYOND = (60, 100, 301, 1000, 3001)  # as far as the function's table reaches
HEADS = 3
FLOAT32, ROUNDED = 5e-4, 0.03  # radians: what rounding in 32 and in 16 bits explains
LAYOUTS = {"interleaved": "neighbors (2i, 2i + 1)", "half": "halves (i, i + d/2)"}
LAYOUT, PAIRS = "huggingface/transformers#25199", "huggingface/transformers#40462"
ROWS = "huggingface/transformers#29583"


@dataclass
class Examination:
    """What a function does with positions.

    form : "rotation", "scores", "angles" or "bias".
    expected : layout, base and frequencies, None where anything is right.
    problems : what is wrong in itself or against the expectation, the cause first.
    findings : what the function does, in sentences; facts : the same for programs.
    """

    form: str
    expected: dict
    problems: tuple = ()
    findings: tuple = ()
    facts: dict = field(default_factory=dict)

    def __str__(self):
        lines = [f"wrong: {each}" for each in self.problems]
        lines += [f"  {each}" for each in self.findings]
        return "\n".join(textwrap.fill(each, 66, subsequent_indent="    ") for each in lines)

    def wrong(self, text, thread=""):
        """Note a problem, and the thread where it was seen."""
        self.problems += (f"{text} ({thread})" if thread else text,)

    def says(self, text, **facts):
        """Note what the function does."""
        self.findings += (text,)
        self.facts |= facts


def examine(
    function: Callable[..., Any],
    d_head: int = 32,
    *,
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
    if layout is not None:
        _check.choice("layout", layout, tuple(LAYOUTS))
    expected = {"layout": layout, "base": base, "frequencies": None}
    if layer is not None:
        expected["layout"] = layout or layer.layout
        expected["frequencies"] = np.asarray(layer.frequencies, float)

    def call(*arguments):  # numpy in and out
        found = function(*(convert(each) if convert else each for each in arguments))
        several = isinstance(found, (tuple, list))
        arrays = [np.asarray(as_array("function", x)) for x in (found if several else [found])]
        return tuple(arrays) if several else arrays[0]

    said = {}
    for form, (inputs, fits, read) in FORMS.items():
        for arguments in inputs(d_head, n_heads):
            try:
                right = fits(call(*arguments), *arguments)
                said[form] = "the result has another shape"
            except Exception as error:  # whatever the function of somebody else raises
                right, said[form] = False, f"{type(error).__name__}: {error}"[:80]
            if right:
                report = Examination(form, expected)
                read(report, call, *arguments)
                return report
    said = "; ".join(f"{form}: {why}" for form, why in said.items())
    raise ValueError(f"function: expected one of the forms of `examine`, got {said}")


def answer(request):
    """For a page: {"text": Python} gives {"examined": …} of its last function, or {"error": …}."""
    names = {}
    try:
        exec(request["text"], names)  # in the browser of the reader who typed it
        *_, function = filter(inspect.isfunction, names.values())
        return {"examined": f"{function.__name__}\n{examine(function)}"}
    except Exception as error:  # whatever that code raises
        return {"error": f"{type(error).__name__}: {error}"}


def _positions_below(length):
    return np.array([*START, *(p for p in BEYOND if p < length)])


# Rotations


def _inputs_of_rotations(d, _):
    for length in (4000, 2000, 300, 50):  # of the function's table
        at = _positions_below(length)
        n = len(at)
        for shape in ((n, d), (2, n, d), (2, HEADS, n, d), (2, n, HEADS, d)):
            for positions in (at, np.tile(at, (2, 1))):
                yield np.zeros(shape, np.float32), positions


def _read_rotation(report, call, x, at):
    d, positions = x.shape[-1], at.reshape(-1, at.shape[-1])[0]
    axis = 1 if x.shape[-2] == HEADS else -2  # of the length

    def turned(vectors, positions):  # (length, d), alike for all texts and heads
        vectors = np.broadcast_to(vectors[:, None] if axis == 1 else vectors, x.shape)
        positions = np.broadcast_to(positions, at.shape).copy()
        out = call(vectors.astype(np.float32, order="C"), positions)
        return np.moveaxis(out, axis, -2).reshape(-1, len(positions.T), d).astype(float)

    def matrices(positions):  # what each position does to the unit vectors: (length, d, d)
        units = (np.broadcast_to(unit, (at.shape[-1], d)) for unit in np.eye(d))
        return np.stack([turned(unit, positions)[0] for unit in units], axis=-1)

    M = matrices(positions)
    scale = float(np.sqrt((M[0] ** 2).sum(axis=0).mean()))
    if not np.isfinite(M).all() or scale < 1e-6:
        return report.wrong("the result is zero, or not finite")
    if np.abs(M - M[:1]).max() < 1e-6:
        nothing = np.allclose(M[0], np.eye(d), atol=1e-5)
        return report.wrong("nothing turns: x comes back as it is" if nothing else
                            "every position is turned alike")  # fmt: skip
    ignored = False
    if np.abs(M[0] - M[1]).max() > 1e-5:  # both stand at position 0
        ignored = np.allclose(matrices(np.full(len(M), 7)), M, atol=1e-5)
        report.wrong(*(
            ("the positions are ignored: row i is turned by i (wrong with padding on the left, and "
             "with a cache)", ROWS) if ignored
            else ("equal positions are turned differently in one text",)
        ))  # fmt: skip
    if abs(scale - 1) > 1e-3:
        report.says(f"results are multiplied by {scale:.4g}, scores by {scale**2:.4g}", scale=scale)
    used, R = np.arange(len(M)) if ignored else positions, M / scale
    order = np.abs(R[0]).argmax(axis=0)
    if np.allclose(np.abs(R[0]), np.eye(d)[:, order], atol=1e-3) and (order != np.arange(d)).any():
        report.says("columns come out in another order: harmless if queries and keys share it")
        R = R[:, order]
    pairs = _pairs(np.abs(R).max(axis=0))
    if not pairs:
        return report.wrong("columns are mixed in more than pairs")
    a, b = np.transpose(pairs)
    columns = np.sort([*a, *b])
    n = len(columns)
    ends = {n - 1: ", the first", d - 1: ", the last"} if np.ptp(columns) == n - 1 < d - 1 else {}
    where = ends.get(int(columns[-1]), "")
    report.says(f"a rotation of {n} of {d} columns{where}", columns=columns.tolist())
    _say_pairs(report, pairs)
    first = np.arctan2(-R[:, a, b], R[:, a, a])
    second = np.arctan2(R[:, b, a], R[:, b, b])
    if np.abs(np.exp(1j * first) - np.exp(1j * second)).max() > ROUNDED:
        angles = np.zeros(d)
        angles[a], angles[b] = first[3], second[3]
        return report.wrong(_two_angles(angles[columns]), PAIRS)
    if np.abs(np.linalg.norm(R[:, :, columns], axis=1) - 1).max() > ROUNDED:
        report.wrong("norms are not kept: a cosine and a sine are not of one angle")
    if np.allclose(np.exp(1j * first[-1]), np.exp(1j * first[-2]), atol=1e-6):
        report.wrong(f"positions are clipped: {used[-2]} and {used[-1]} are turned alike")
        first, used = first[:-2], used[:-2]
    omega, text = _say_turns(report, first, _uses_of_one(used), n, d)
    try:
        half = matrices(np.full(len(M), 0.5))[0] / scale
        step = np.arctan2(-half[a[0], b[0]], half[a[0], a[0]]) - first[0, 0]
        text += ", real ones too" if abs(step / omega[0] - 0.5) < 0.01 else ", cut to whole ones"
    except Exception:  # of an index into a table
        text += ", whole ones only"
    report.says(f"positions: {text}")
    x_of_noise = np.random.default_rng(0).normal(size=(len(M), d))
    back = turned(x_of_noise, positions[::-1])
    then = (M[::-1] @ x_of_noise[..., None])[..., 0]
    if not np.allclose(turned(2 * x_of_noise, positions[::-1]), 2 * back, atol=0.02):
        report.wrong("twice the vector is not turned into twice the result")
    elif not ignored and not np.allclose(back[0], then, atol=0.02):
        report.wrong("the result depends on what was called before: a stored table is stale")
    if not np.allclose(back, back[:1], atol=1e-5):
        report.wrong("equal texts of a batch, or heads, are turned differently: wrong axis")
    return None


def _pairs(coupling):
    """Return the pairs of columns that act on each other; none if some column has two others."""
    together = np.maximum(coupling, coupling.T) > 1e-6
    np.fill_diagonal(together, False)
    if (together.sum(axis=1) > 1).any():
        return []
    return [(int(a), int(b)) for a, b in np.argwhere(together) if a < b]


def _two_angles(angles):
    """Say how angles repeat over the columns, where the two of a pair have different ones."""
    half = len(angles) // 2
    if np.allclose(angles[:half], angles[half:], atol=1e-3):
        return "angles are laid out for halves, cat(freqs, freqs), and neighbors are turned"
    if np.allclose(angles[0::2], angles[1::2], atol=1e-3):
        return "angles are laid out for neighbors, repeat_interleave, and halves are turned"
    return "the two columns of a pair are turned by different angles"


def _say_pairs(report, pairs):
    """Say which columns make a pair, and whether that is what was expected."""
    columns, half = sorted(column for pair in pairs for column in pair), len(pairs)
    found = None
    if pairs == [tuple(columns[2 * i : 2 * i + 2]) for i in range(half)]:
        found = "interleaved"
    elif pairs == [(columns[i], columns[i + half]) for i in range(half)]:
        found = "half"
    words, wanted = LAYOUTS.get(found) or f"{pairs[:3]} …"[1:], report.expected["layout"]
    report.says(f"pairs: {words}", layout=found, pairs=pairs)
    if wanted and half > 1 and found != wanted:
        report.wrong(f"pairs are {words}, not {LAYOUTS[wanted]}: turn these, or reorder the "
                     "weights", LAYOUT)  # fmt: skip


def _say_turns(report, angles, uses, width, d_head):
    """Find the use of positions and the frequencies that explain the angles (sample, pair)."""
    least, chosen = np.inf, None
    for use in uses:
        omega = _frequencies(angles, use[0])
        left = np.abs(np.angle(np.exp(1j * (angles - np.outer(use[0], omega))))).max()
        if left < least / 4:
            least, chosen = left, (omega, *use[1:])
        if least < FLOAT32:
            break
    omega, text, *problem = chosen
    if least > ROUNDED:
        text, problem = "unclear", ["the angles are not proportional to the positions"]
    if problem:
        report.wrong(*problem)
    if FLOAT32 < least <= ROUNDED:
        report.says(f"angles are right to {least:.1g} radians only, as after rounding to 16 bits")
    moving = omega[np.abs(omega) > 1e-9]
    if (moving < 0).all():
        report.wrong("pairs turn the other way: a sine has lost its sign", "karpathy/nanochat#489")
    elif (moving < 0).any():
        report.wrong("some pairs turn forward and some backward")
    size, wanted = np.abs(omega), report.expected["frequencies"]
    rule, base, problem = explain(size, width, d_head, report.expected["base"])
    if wanted is None and problem:
        report.wrong(*problem)
    elif wanted is not None and (wanted.shape != size.shape or off(size, wanted) > TOLERANCE):
        report.wrong("the frequencies are not those of the config")
    report.says(rule, frequencies=omega, base=base)
    return omega, text


def _frequencies(angles, coordinate):
    """Return radians for a step of the coordinate: from near samples, then ever farther ones."""
    omega = None
    for k in np.argsort(np.abs(coordinate), kind="stable"):
        if coordinate[k]:
            guess = angles[k] if omega is None else omega * coordinate[k]
            turns = np.rint((guess - angles[k]) / (2 * np.pi))
            omega = (angles[k] + 2 * np.pi * turns) / coordinate[k]
    return np.zeros(angles.shape[1]) if omega is None else omega


def _uses_of_one(positions):
    """Yield how positions may be used: (number, in words, problem and thread if it is one)."""
    p = np.asarray(positions, float)
    yield p, "as given"
    yield p + 1, "counted from 1"
    coarse = "positions are rounded to {}: beyond {} neighbors become one"
    yield bfloat16(p), "rounded", coarse.format("bfloat16", 256), "EleutherAI/gpt-neox#1003"
    half = p.astype(np.float16).astype(float)
    yield half, "rounded", coarse.format("float16", 2048), "huggingface/transformers#25681"


# Scores


def _inputs_of_scores(d, _):
    n = len(START)
    for at in ([np.array(START)], []):
        for shape in ((n, d), (1, n, d), (1, 1, n, d), (1, n, 1, d)):
            yield np.zeros(shape, np.float32), np.zeros(shape, np.float32), *at


def _read_scores(report, call, zeros, _, *at):
    d, n = zeros.shape[-1], len(START)
    positions = np.asarray(at[0] if at else range(n), float)

    def scores(*columns):  # of all queries and keys alike
        vectors = (np.broadcast_to(each, (n, d)).reshape(zeros.shape) for each in columns)
        return call(*(each.astype(np.float32) for each in vectors), *at).squeeze().astype(float)

    nothing, unit = scores(np.zeros(d), np.zeros(d)), np.eye(d)
    seen = nothing > -1e4  # not masked
    if np.allclose(nothing[seen].sum(), n, atol=1e-3) and (nothing[seen] > 0).all():
        raise ValueError("function: expected scores before softmax, got weights")
    with np.errstate(invalid="ignore"):  # what is masked is minus infinity
        B = np.array([[np.where(seen, scores(i, j) - nothing, 0) for j in unit] for i in unit])
    if np.abs(B - B[..., -1:, :1])[..., seen].max() < 1e-5:
        return report.wrong("no position enters the scores")
    pairs = _pairs(np.abs(B).max(axis=(2, 3)))
    if not pairs:
        return report.wrong("queries and keys are turned in different layouts", PAIRS)
    report.says(f"scores of queries and keys of {d} columns" + ", masked" * (not seen.all()))
    _say_pairs(report, pairs)
    a, b = np.transpose(pairs)
    angles = np.moveaxis(np.arctan2(B[b, a], B[a, a]), 0, -1)[seen]  # (seen, pairs)
    uses = ((np.subtract.outer(key, query).T[seen], "", *problem)
            for query, key, *problem in _uses_of_two(positions))  # fmt: skip
    _say_turns(report, angles, uses, 2 * len(pairs), d)
    size = np.hypot(B[a[0], a[0]], B[b[0], a[0]])[seen]
    known = " (1/√d)" if abs(size[0] * d**0.5 - 1) < 0.01 else f" (1/√d is {d**-0.5:.4g})"
    report.says(f"scores are multiplied by {size[0]:.4g}{known}", scale=float(size[0]))
    if np.ptp(size) > ROUNDED * size.mean():
        report.says("scores also grow or fade with the distance")
    return None


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


def _inputs_of_angles(*_):
    for length in (4000, 2000, 300, 50):
        yield (_positions_below(length),)
        yield (length,)


def _cosines_and_sines(found):
    if np.iscomplexobj(found):
        found = found.real, found.imag
    return [each.squeeze().astype(float) for each in found]


def _are_angles(found, asked):
    cos, sin = _cosines_and_sines(found)
    return cos.shape == sin.shape == (len(asked) if np.ndim(asked) else asked, cos.shape[-1])


def _read_angles(report, call, asked):
    cos, sin = _cosines_and_sines(call(asked))
    positions = asked if np.ndim(asked) else _positions_below(asked)
    if not np.ndim(asked):
        cos, sin = cos[positions], sin[positions]
    size, angles, half = np.hypot(cos, sin), np.arctan2(sin, cos), cos.shape[1] // 2
    if np.ptp(size) > ROUNDED * size.mean():
        return report.wrong("cosines and sines are not of the same angles")
    if abs(size.mean() - 1) > 1e-3:
        report.says(f"cosines and sines are multiplied by {size.mean():.4g}", scale=size.mean())
    found = None
    if half and np.allclose(angles[:, :half], angles[:, half : 2 * half], atol=1e-6):
        found, angles = "half", angles[:, :half]
    elif half and np.allclose(angles[:, 0:-1:2], angles[:, 1::2], atol=1e-6):
        found, angles = "interleaved", angles[:, 0::2]
    repeated = f", each twice: for {LAYOUTS[found]}" if found else ""
    report.says(f"{angles.shape[1]} angles{repeated}", layout=found)
    if found and report.expected["layout"] not in (None, found):
        report.wrong(f"angles are laid out for {LAYOUTS[found]}, not the other layout", PAIRS)
    width = 2 * angles.shape[1]
    _, text = _say_turns(report, angles, _uses_of_one(positions), width, width)
    return report.says(f"positions: {text}")


FORMS = {  # inputs to try, whether an output fits, what it says
    "rotation": (_inputs_of_rotations, lambda out, x, _: out.shape == x.shape, _read_rotation),
    "scores": (_inputs_of_scores, lambda out, *_: out.squeeze().shape == (len(START),) * 2,
               _read_scores),
    "bias": (biases.inputs, biases.fits, biases.read),
    "angles": (_inputs_of_angles, _are_angles, _read_angles),
}  # fmt: skip
