"""What a function does with positions, found by calling it: a rotation, scores, angles, a bias.

`examine` gives unit vectors at irregular positions (0, 0, 1, 2, 5, 3, 17, …), near ones, far ones
and near ones again, and so reads each number that the function multiplies by. `rotations` names
what the numbers do, and `biases`. A mistake made twice leaves nothing to be seen.
"""

import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from pecheck import biases, rotations
from pecheck.arrays import as_array
from pecheck.rotations import Turned
from pecheck.sentences import FINDINGS, GALLERY, HEADLINES, PROBLEMS, WRAPPERS
from pecode import _check
from pecode._check import checked

START = (0, 0, 1, 2, 5, 3, 17, 40)  # positions: one twice, one out of order
BEYOND = 60, 100, 160, 301, 600, 1000, 1500, 3001, 5000, 9000  # as far as its table reaches
LENGTHS = (9001, 8192, 4096, 2048, 1024, 512, 300, 50)  # of the function's table
ROWS = 40  # of vectors; what goes wrong in chunks shows where a second one begins
HEADS = 3  # of vectors that have an axis of heads
WIDTHS = 32, 64, 128  # of vectors, unless it is said
N_HEADS = 8, 12  # of slopes, unless it is said: a power of two, and not one
SEEN = 160  # scores that are read, of all that are not masked
ANGLES = re.compile("cos|sin|freq|rot|angle|.*emb")  # arguments that other functions make


@dataclass
class Examination:
    """What a function does with positions.

    form : "rotation", "scores", "angles" or "bias".
    expected : layout, base, frequencies and scale, None where anything is right.
    problems : what is wrong in itself or against the expectation, the cause first.
    findings : what the function does, in sentences; facts : the same for programs. All sentences
    are in `pecheck/sentences.json`.
    """

    form: str
    expected: dict[str, Any]
    problems: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        known = self.expected | {"base": self.expected["base"] or self.expected["frequencies"]}
        known["layer"] = None if self.facts.get("stretched") else True
        if self.form == "bias":
            known |= {"layout": True, "base": self.facts.get("known")}
        more = [f"{name}=" for name in ("layout", "base", "layer") if known[name] is None]
        headline = HEADLINES["conventions" if more else "right"]
        headline += f" (no {' or '.join(more)} was given)" * (bool(more) and self.form != "bias")
        lines = [f"wrong: {each}" for each in self.problems] or [headline]
        lines += [f"  {each}" for each in self.findings]
        return "\n".join(textwrap.fill(each, 66, subsequent_indent="    ") for each in lines)

    def wrong(self, sentence: str, *values: object) -> None:
        """Note a problem, one of `PROBLEMS` or of `GALLERY`."""
        self.problems += ((PROBLEMS | GALLERY)[sentence].format(*values),)

    def says(self, sentence: str, *values: object, **facts: object) -> None:
        """Note what the function does, one of `FINDINGS`."""
        self.findings += (FINDINGS[sentence].format(*values),)
        self.facts |= facts


@checked(function=_check.function, layout=_check.rotary_layout, layer=_check.anything,
         convert=_check.function)  # fmt: skip
def examine(
    function: Callable[..., object],
    d_head: int | None = None,
    *,
    layout: str | None = None,
    base: float | None = None,
    layer: object = None,
    n_heads: int | None = None,
    convert: Callable[[np.ndarray], object] | None = None,
) -> Examination:
    """Call a function of positions, and say what it does and what is wrong with it.

    Parameters
    ----------
    function : callable
        A rotation (x, positions) -> x; scores before softmax (queries, keys) or (queries, keys,
        positions); cosines and sines (positions) or (length); a bias (length) or (n_heads, length);
        slopes (n_heads). Vectors are (length, d_head), with axes of a batch and of heads or not.
        The positions of a rotation may have two or three coordinates, first or last.
    layout, base, layer : optional
        What is expected: "half" or "interleaved"; the base; a layer of `config` that turns.
    n_heads : int, optional
        How many slopes, or heads of a bias, to ask for: 8 and then 12 where it is not given.
    convert : callable
        Makes an array of the function's framework of one of numpy, such as `torch.tensor`.

    Examples
    --------
    >>> from pecode import rotate
    >>> print(examine(lambda x, t: rotate(x, t + 0.0, layout="half"), layout="half"))
    these are its conventions: compare them with your config (no base=
        was given)
      rotation of 32 of 32 columns, 0 to 31
      pairs: halves (i, i + d/2)
      ...
    """
    expected = {"layout": layout, "base": base}
    expected |= dict.fromkeys(("frequencies", "scale", "config base"))
    if layer is not None:
        right = getattr(layer, "frequencies", None) is not None
        _check.require(right, "layer", "one of `config` that turns, with its frequencies", layer)
        expected |= {"scale": layer.attention_scaling, "config base": layer.base}
        expected["layout"] = layout or layer.layout
        expected["frequencies"] = layer.frequencies[layer.frequencies > 0]
        d_head = d_head or layer.head_dim
    heads = (n_heads,) if n_heads else N_HEADS
    widths = (d_head,) if d_head else WIDTHS

    def call(*arguments):  # numpy in and out
        out = function(*(convert(each) if convert else each for each in arguments))
        if isinstance(out, tuple):
            one = form in ("bias", "angles")
            _check.require(one, "the result", "an array", f"a tuple of {len(out)}")
            out = [as_array("function", each) for each in out]
        _check.require(out is not None, "the result", "an array", out)
        out = np.asarray(as_array("function", out))
        return out.astype(float) if out.dtype == object else out

    reasons, unmoved = {}, None
    for form, arguments in chain.from_iterable(_calls(width, heads[0]) for width in widths):
        fits, read = FORMS[form]
        if unmoved and form not in ("rotation", "axes"):
            continue
        try:
            out = call(*arguments)
            reasons[form] = f"the result has the shape {out.shape}"
            if not fits(out, *arguments):
                continue
        except Exception as error:  # whatever the function of somebody else raises
            reasons.setdefault(form, f"{type(error).__name__}: {error}"[:80])
            continue
        report = Examination(form, expected.copy())
        read(report, call, *arguments)
        asks = form == "bias" and arguments[0] == heads[0] and not report.problems
        for n in heads[1:] if asks else ():  # heads, which it may refuse
            try:
                read(report, call, n, *arguments[1:])
            except Exception as error:
                report.says("not read", n, f"{type(error).__name__}: {error}"[:80])
        if form not in ("rotation", "axes") or PROBLEMS["no effect"] not in report.problems:
            return report
        unmoved = unmoved or report  # perhaps one coordinate is not enough
    if unmoved:
        return unmoved
    raise ValueError(_refusal(function, reasons))


def _refusal(function, reasons):
    """Say how to call a function that takes angles, or why it fits no form."""
    code = getattr(function, "__code__", None)  # not of C
    names = [n for n in code.co_varnames[: code.co_argcount] if n != "self"] if code else []
    vectors = next((i for i, name in enumerate(names) if ANGLES.match(name)), 0)
    if str(vectors) in WRAPPERS:
        angles = "*cos_sin(t)" if re.match("cos|sin", names[vectors]) else f"{names[vectors]}(t)"
        code = WRAPPERS[str(vectors)].format(getattr(function, "__name__", "function"), angles)
        text = f"it takes angles that another function makes. Examine both together:\n{code}"
    else:
        reasons = sorted(reasons.items(), key=lambda each: "positional arg" in each[1])
        text = "expected one of the forms of `examine`, got " + "; ".join(map(": ".join, reasons))
    if str(vectors) in WRAPPERS or re.search("ndarray|Tensor|broadcast|size of", text):
        text += "\nIf it wants tensors: convert=torch.tensor; heads of another width: d_head=64 "
        text += "(in a shell --convert torch:tensor --d-head 64)."
    return f"function: {text}"


def answer(request: dict[str, str]) -> dict[str, str]:
    """For a page: {"text": Python} gives {"examined": …} of its last function, or {"error": …}."""
    names = {}
    try:
        exec(request["text"], names)  # in the browser of the reader who typed it
        function = next(filter(inspect.isfunction, reversed(names.values())), None)
        return {"examined": f"{getattr(function, '__name__', '')}\n{examine(function)}"}
    except (Exception, SystemExit) as error:  # whatever that code raises
        return {"error": f"{type(error).__name__}: {error}"}


def _coordinates(*shape):
    """Yield positions of two and three coordinates, last and first, for tokens of a shape."""
    for count in (2, 3):
        yield np.zeros((*shape, count), int)
        yield np.zeros((count, *shape), int)


def _calls(d, n_heads):
    """Yield how a function may be called: (form, arguments)."""
    yield "rotation", (np.zeros((ROWS, d), np.float32), NEAR)
    for positions in _coordinates(ROWS):
        yield "axes", (np.zeros((ROWS, d), np.float32), positions)
    for shape in ((ROWS, d), (2, ROWS, d), (2, HEADS, ROWS, d), (2, ROWS, HEADS, d)):
        for positions in (NEAR, np.tile(NEAR, (2, 1))):
            yield "rotation", (np.zeros(shape, np.float32), positions)
    for shape in ((2, HEADS, ROWS, d), (2, ROWS, HEADS, d)):
        for positions in _coordinates(2, ROWS):
            yield "axes", (np.zeros(shape, np.float32), positions)
    for positions in ((NEAR,), ()):
        for shape in ((ROWS, d), (1, ROWS, d), (1, 1, ROWS, d), (1, ROWS, 1, d)):
            yield "scores", (*np.zeros((2, *shape), np.float32), *positions)
    for length in biases.LENGTHS:
        for arguments in ((n_heads,), (length,), (n_heads, length)):
            yield "bias", arguments
    yield "angles", (NEAR,)
    for length in LENGTHS[::-1]:
        yield "angles", (length,)


def _positions_below(length):
    """Irregular positions below a length."""
    beyond = [p for p in BEYOND if p < length]
    return np.array([*START, *beyond, *(29 * k % 47 for k in range(ROWS))][:ROWS])


NEAR = _positions_below(min(LENGTHS))


def _farthest(call):
    """The farthest positions that a function takes, and what it returns for them."""
    for positions in map(_positions_below, LENGTHS):
        try:
            return positions, call(positions)
        except Exception:  # its table ends before
            continue
    raise ValueError("function: expected the same answer to the same call, got an error")


def _turn(call, x, shaped, vectors, positions):
    """Vectors (length, d) as turned in each text and head: (texts, heads, length, d)."""
    axis = 1 if x.ndim > 3 and x.shape[-2] == HEADS else -2  # of the length
    vectors = np.broadcast_to(vectors[:, None] if axis == 1 else vectors, x.shape)
    out = call(vectors.astype(np.float32, order="C"), shaped(positions))
    out = np.moveaxis(out.astype(float), axis, -2)
    return out.reshape(x.shape[0] if x.ndim > 2 else 1, -1, *out.shape[-2:])


def _matrices(turned, positions, head=0):
    """What each position does to the unit vectors of a head: (length, d, d)."""
    d = turned.args[1].shape[-1]
    units = (np.broadcast_to(unit, (ROWS, d)) for unit in np.eye(d))
    return np.stack([turned(unit, positions)[0, head] for unit in units], axis=-1)


def _read_rotation(report, call, x, at):
    turned = partial(_turn, call, x, lambda positions: np.broadcast_to(positions, at.shape).copy())
    noise = np.random.default_rng(0).normal(size=(ROWS, x.shape[-1]))
    first = turned(noise, NEAR)
    if not np.isfinite(first).all():
        return report.wrong("not finite")
    report.expected["head"] = head = int(np.abs(first - noise)[0].max(axis=(1, 2)).argmax())
    if np.abs(turned(0 * noise, NEAR)).max() > 1e-3:
        return report.wrong("added")
    rows = {"queries": np.arange(ROWS), "earlier": NEAR}
    read_far = _near_and_far(report, lambda p: turned(noise, p)[0, head],
                             lambda p: Turned(_matrices(turned, p, head), p, **rows))  # fmt: skip
    far = read_far.positions
    if not np.allclose(turned(2 * noise, far), 2 * turned(noise, far), atol=0.02, equal_nan=True):
        report.wrong("not linear")
    if not np.allclose(first, first[:1], atol=1e-5):
        report.wrong("texts")
    elif not np.allclose(first, first[:, :1], atol=1e-5):
        still = [i for i, each in enumerate(first[0]) if np.allclose(each, noise, atol=1e-5)]
        report.says("heads", head, ", ".join(map(str, still)) or "none")
    use = rotations.read(report, read_far)
    if use is None:
        return None
    try:  # half a step, if positions may be real
        half, rows = _matrices(turned, np.full(ROWS, 0.5), head)[0], _matrices(turned, NEAR, head)
        whole = np.allclose(half, rows[0], atol=1e-5) or np.allclose(half, rows[2], atol=1e-5)
        text = ", cut to whole ones" if whole else ", real ones too"
    except Exception:  # of an index into a table
        text = ", whole ones only"
    return report.says("positions", use + text * (not report.problems))


def _read_axes(report, call, x, at):
    first = at.shape[-1] == ROWS

    def shaped(axis, positions):
        out = np.zeros_like(at)
        out[(axis,) if first else (..., axis)] = positions
        return out

    count = at.shape[0 if first else -1]
    M = [_matrices(partial(_turn, call, x, partial(shaped, axis)), NEAR) for axis in range(count)]
    report.form = "rotation"
    rotations.read_axes(report, np.array(M), NEAR, "first" if first else "last")


def _near_and_far(report, ask, read):
    """What far positions do, or near ones if a call with far ones has other frequencies."""
    first, (far, farther), again = ask(NEAR), _farthest(ask), ask(NEAR)
    here = np.ix_(far == NEAR, far == NEAR) if report.form == "scores" else far == NEAR
    slack = 0.02 * np.nanmax(np.abs(first))
    if np.nanmax(np.abs(again - first)) > slack:
        report.wrong("sticks")
    elif np.nanmax(np.abs(farther - first)[here]) > slack:
        other = Examination(report.form, report.expected)
        rotations.read(other, read(far))
        law = next((each for each in other.findings if each.startswith("frequencies")), "unclear")
        report.says("length", NEAR.max(), far.max(), law.removeprefix("frequencies: "))
        return read(NEAR)
    return read(far)


def _read_scores(report, call, zeros, _, *at):
    d, near = zeros.shape[-1], at[0] if at else np.arange(ROWS)

    def scores(p, *columns):  # of queries and keys, (length, d) or alike for all, (d,)
        vectors = (np.broadcast_to(each, (ROWS, d)).reshape(zeros.shape) for each in columns)
        out = call(*(each.astype(np.float32) for each in vectors), *(p,) * len(at))
        return out.squeeze().astype(float)

    nothing = scores(near, *np.zeros((2, d)))
    some = np.random.default_rng(0).normal(size=(2, ROWS, d))
    seen, first = nothing > -1e4, scores(near, *some)
    if np.isnan(nothing).any() or not np.isfinite(first[seen]).all():
        return report.wrong("not finite")
    if np.allclose(nothing[seen].sum(), ROWS, atol=1e-3) and (nothing[seen] >= 0).all():
        _check.refuse("function", "scores before softmax", "weights")

    def ask(p):  # what is masked has no number
        out = scores(p, *some)
        return np.where(out > -1e4, out, np.nan)

    read = partial(_turned_by_scores, scores, d)
    turned = _near_and_far(report, ask, read) if at else read(near)
    if not turned.M.any():
        return report.wrong("no vectors")
    rotations.read(report, turned)
    if at and PROBLEMS["no effect"] in report.problems and _turn_scores(scores, *some, near):
        got = "scores by several, which are read of a rotation (x, positions) alone"
        _check.refuse("function", "positions of one coordinate", got)
    return None


def _turn_scores(scores, queries, keys, near):
    """Whether scores take positions of several coordinates, and depend on them."""
    for positions in _coordinates(len(near)):
        first = positions.shape[-1] == len(near)
        moved = positions + (near if first else near[:, None])
        try:
            if not np.allclose(scores(positions, queries, keys), scores(moved, queries, keys)):
                return True
        except Exception:  # another number of coordinates
            continue
    return False


def _turned_by_scores(scores, d, p):
    """Return the matrices of some queries and keys: what their columns i and j make of a score."""
    nothing, unit, rows = scores(p, *np.zeros((2, d))), np.eye(d), np.arange(ROWS)
    seen = nothing > -1e4  # not masked
    early = seen & (np.add.outer(rows, rows) < 12)
    some = np.random.default_rng(0).permutation(np.argwhere(seen))[:SEEN]
    at_query = np.argwhere(seen & np.eye(ROWS, dtype=bool))[:1]  # where nothing is turned
    queries, keys = np.concatenate([at_query, np.argwhere(early), some]).T

    def made(i, columns):
        found = scores(p, unit[i], unit[columns])
        return np.subtract(found, nothing, out=np.zeros_like(nothing), where=seen)

    meets, told, useful = np.eye(d, dtype=bool), np.zeros(d, bool), np.zeros(ROWS, bool)
    while not told.all():  # which column meets which: each row of keys has another column
        left = np.flatnonzero(~told)
        columns = np.resize(left, ROWS)
        columns[useful] = np.resize(left, useful.sum())
        for i in range(d):
            met = (np.abs(made(i, columns)) > 1e-12).any(axis=0) & (columns != i)
            meets[i, columns[met]] = True
            useful |= met & (rows < ROWS // 2)
        told[columns[useful] if useful.any() else columns] = True
    M = np.zeros((len(queries), d, d))
    for i, j in np.argwhere(meets | meets.T):
        M[:, i, j] = made(i, j)[queries, keys]
    return Turned(M, p, queries, keys)


def _are_angles(out, asked):
    cos, sin = _cosines_and_sines(out)
    return cos.shape == sin.shape == (ROWS if np.ndim(asked) else asked, cos.shape[-1])


def _cosines_and_sines(out):
    return (each.squeeze() for each in ((out.real, out.imag) if np.iscomplexobj(out) else out))


def _read_angles(report, call, asked):
    """Read the rotation by these angles."""
    cos, _ = _cosines_and_sines(call(asked))
    neighbors = np.array_equal(cos[:, 0::2], cos[:, 1::2])
    once = not neighbors and not np.array_equal(*np.array_split(cos, 2, axis=1))
    report.expected |= {"layout": "not said"} if once else {}
    columns = np.arange((1 + once) * cos.shape[1])
    a, b = (columns[0::2], columns[1::2]) if neighbors else np.split(columns, 2)

    def turned(x, positions):
        out = call(positions if np.ndim(asked) else int(positions.max()) + 1)
        cos, sin = (np.tile(each.astype(float), 1 + once) for each in _cosines_and_sines(out))
        if not np.ndim(asked):
            cos, sin = cos[positions], sin[positions]
        made = np.zeros(x.shape)
        made[:, a] = x[:, a] * cos[:, a] - x[:, b] * sin[:, a]
        made[:, b] = x[:, a] * sin[:, b] + x[:, b] * cos[:, b]
        return made

    _read_rotation(report, turned, np.zeros((ROWS, 2 * len(a))), NEAR)


FORMS: dict[str, tuple[Any, Any]] = {  # whether an output fits, what reads it
    "rotation": (lambda out, x, _: out.shape == x.shape, _read_rotation),
    "axes": (lambda out, x, _: out.shape == x.shape, _read_axes),
    "scores": (lambda out, q, *_: out.squeeze().shape == 2 * (q[..., 0].size,), _read_scores),
    "bias": (biases.fits, biases.read),
    "angles": (_are_angles, _read_angles),
}
