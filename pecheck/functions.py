"""What a function does with positions, found by calling it: a rotation, scores, angles, a bias.

`examine` gives unit vectors at irregular positions (0, 0, 1, 2, 5, 3, 17, …) and so reads each
number that the function multiplies by. A mistake made twice leaves nothing to be seen.
"""

import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from pecheck import biases
from pecheck.arrays import as_array
from pecheck.identity import identify
from pecheck.identity.known import (
    BASES,
    TOLERANCE,
    by_formula,
    find_base,
    float16,
    max_error,
)
from pecheck.identity.naming import SUMMARIES
from pecheck.variants import VARIANTS
from pecode import _check
from pecode.precision import bfloat16

START = (0, 0, 1, 2, 5, 3, 17, 40)  # positions: one twice, one out of order
BEYOND = (60, 100, 301, 1000, 3001)  # as far as the function's table reaches
HEADS, WIDTHS = 3, (32, 64, 128)  # of vectors, unless it is said
N_HEADS = 8, 12  # of slopes, unless it is said: a power of two, and not one
ANGLES = re.compile("cos|sin|freq|rot|angle|.*emb")  # arguments that other functions make
WRAPPERS = {  # of a function that takes them, by its vectors; one output alone would hide the keys
    1: "def turned(x, t):\n    return {}(x, {})",
    2: "def scores(q, k, t):\n    q, k = {}(q, k, {})\n    return q @ k.swapaxes(-1, -2)",
}
FLOAT32, ROUNDED = 5e-4, 0.03  # radians: what rounding in 32 and in 16 bits explains
LAYOUTS = {"interleaved": "neighbors (2i, 2i + 1)", "half": "halves (i, i + d/2)"}
PAIRS, ROWS = "huggingface/transformers#40462", "NVIDIA/Megatron-LM#453"


@dataclass
class Examination:
    """What a function does with positions.

    form : "rotation", "scores", "angles" or "bias".
    expected : layout, base, frequencies and scale, None where anything is right.
    problems : what is wrong in itself or against the expectation, the cause first.
    findings : what the function does, in sentences; facts : the same for programs.
    """

    form: str
    expected: dict
    problems: tuple = ()
    findings: tuple = ()
    facts: dict = field(default_factory=dict)

    def __str__(self):
        known = self.expected | {"base": self.expected["base"] or self.expected["frequencies"]}
        more = [f"{name}=" for name in ("layout", "base") if known[name] is None]
        missing = f" (no {' or '.join(more)} was given to compare with)" if more else ""
        right = "no mistake is seen" + missing * (self.form != "bias")
        lines = [f"wrong: {each}" for each in self.problems] or [right]
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
    no mistake is seen (no base= was given to compare with)
      rotation of 32 of 32 columns, 0 to 31
      pairs: halves (i, i + d/2)
      ...
    """
    _check.function("function", function)
    _check.choice("layout", layout or "half", tuple(LAYOUTS))
    _check.real("base", 10_000.0 if base is None else base, above=1)
    expected = {"layout": layout, "base": base, "frequencies": None, "scale": None}
    if layer is not None:
        if getattr(layer, "frequencies", None) is None:
            raise ValueError("layer: expected one of `config` that turns, with its frequencies")
        expected |= {"layout": layout or layer.layout, "scale": layer.attention_scaling}
        expected["frequencies"] = layer.frequencies[layer.frequencies > 0]
        d_head = d_head or layer.head_dim
    heads = N_HEADS if n_heads is None else (_check.integer("n_heads", n_heads, 1),)
    widths = WIDTHS if d_head is None else (_check.even_width("d_head", d_head),)

    def call(*arguments):  # numpy in and out
        found = function(*(convert(each) if convert else each for each in arguments))
        if isinstance(found, tuple):
            found = [as_array("function", each) for each in found]
        return np.asarray(as_array("function", found))

    said = {}
    for form, arguments in (call for width in widths for call in _calls(width, heads[0])):
        fits, read = FORMS[form]
        try:
            right = fits(call(*arguments), *arguments)
            said[form] = "the result has another shape"
        except Exception as error:  # whatever the function of somebody else raises
            right, said = False, {form: f"{type(error).__name__}: {error}"[:80]} | said
        if right:
            report = Examination(form, expected)
            read(report, call, *arguments)
            if form == "bias" and arguments[0] == heads[0] and not report.problems:
                biases.read_others(report, call, heads[1:], *arguments[1:])
            return report
    raise ValueError(_refusal(function, said))


def _refusal(function, said):
    """Say how to call a function that takes angles, or why it fits no form."""
    code = getattr(function, "__code__", None)  # not of C
    names = [n for n in code.co_varnames[: code.co_argcount] if n != "self"] if code else []
    vectors = next((i for i, name in enumerate(names) if ANGLES.match(name)), 0)
    if vectors in WRAPPERS:
        angles = "*cos_sin(t)" if re.match("cos|sin", names[vectors]) else f"{names[vectors]}(t)"
        code = WRAPPERS[vectors].format(getattr(function, "__name__", "function"), angles)
        text = f"it takes angles that another function makes. Examine both together:\n{code}"
    else:
        said = {why: ", ".join(k for k in said if said[k] == why) for why in said.values()}
        text = "expected one of the forms of `examine`, got "
        text += "; ".join(f"{forms}: {why}" for why, forms in said.items())
    if vectors in WRAPPERS or re.search("ndarray|Tensor|broadcast|size of", text):
        text += "\nIf it wants tensors: convert=torch.tensor; heads of another width: d_head=64 "
        text += "(in a shell --convert torch:tensor --d-head 64)."
    return f"function: {text}"


def answer(request):
    """For a page: {"text": Python} gives {"examined": …} of its last function, or {"error": …}."""
    names = {}
    try:
        exec(request["text"], names)  # in the browser of the reader who typed it
        function = next(filter(inspect.isfunction, reversed(names.values())), None)
        return {"examined": f"{getattr(function, '__name__', '')}\n{examine(function)}"}
    except (Exception, SystemExit) as error:  # whatever that code raises
        return {"error": f"{type(error).__name__}: {error}"}


def _calls(d, n_heads):
    """Yield how a function may be called: (form, arguments)."""
    lengths = (4000, 2000, 300, 50)  # of the function's table
    for at in map(_positions, lengths):
        n = len(at)
        for shape in ((n, d), (2, n, d), (2, HEADS, n, d), (2, n, HEADS, d)):
            for positions in (at, np.tile(at, (2, 1))):
                yield "rotation", (np.zeros(shape, np.float32), positions)
    for positions in (*((_positions(length),) for length in lengths), ()):
        n = len(*positions) if positions else len(START)
        for shape in ((n, d), (1, n, d), (1, 1, n, d), (1, n, 1, d)):
            yield "scores", (*np.zeros((2, *shape), np.float32), *positions)
    for arguments in ((n_heads,), (biases.LENGTH,), (n_heads, biases.LENGTH)):
        yield "bias", arguments
    for length in lengths:
        yield "angles", (_positions(length),)
        yield "angles", (length,)


def _positions(asked):
    """Return irregular positions below a length, or the positions that were asked for."""
    return np.array([*START, *(p for p in BEYOND if p < asked)]) if np.ndim(asked) == 0 else asked


def _read(report, M, uses):
    """Read matrices (samples, d, d) by which vectors are multiplied; return the use in words."""
    d, form, wanted = M.shape[-1], report.form, report.expected["scale"]
    scale = float(np.sqrt((M[0] ** 2).sum(axis=0).mean()))
    if not np.isfinite(M).all() or scale < 1e-6:
        return report.wrong("the result is zero, or not finite")
    if np.abs(M - M[:1]).max() < 1e-6:
        return report.wrong("no position has an effect: all are turned alike, or not at all")
    R = M / scale
    order = np.abs(R[0]).argmax(axis=0)
    if np.allclose(np.abs(R[0]), np.eye(d)[:, order], atol=1e-3) and (order != np.arange(d)).any():
        report.says("columns come out in another order: harmless if queries and keys share it")
        R = R[:, order]
    coupling = np.abs(R).max(axis=0)
    coupling = np.maximum(coupling, coupling.T) * (1 - np.eye(d)) > 1e-6
    if not coupling.any():
        return report.wrong("columns are multiplied and not turned: norms are not kept")
    if coupling.sum(axis=1).max() > 1:
        text = "more than two columns are mixed: no pairs, or queries and keys in different layouts"
        return report.wrong(text, PAIRS)
    a, b = np.argwhere(np.triu(coupling)).T
    columns = np.sort([*a, *b])
    lengths = np.linalg.norm(R[:, :, columns], axis=1)
    keeps_norms = form == "scores" or np.abs(lengths - 1).max() <= ROUNDED
    text = f"{form} of" if keeps_norms else "no rotation: mixes"
    text += f" {len(columns)} of {d} columns, {columns[0]} to {columns[-1]}"
    report.says(text, columns=columns.tolist())
    _say_layout(report, a, b, columns)
    if form == "scores" or wanted or abs(scale - 1) > 1e-3:
        report.says(f"{form}: times {scale:.4g} (1/√d is {d**-0.5:.4g})", scale=scale)
    if form != "scores" and wanted and abs(scale / wanted - 1) > 1e-3:
        report.wrong(f"vectors are multiplied by {scale:.4g}, not {wanted:.4g}")
    angles = np.arctan2(-R[:, a, b], R[:, a, a])
    others = np.arctan2(R[:, b, a], R[:, b, b])
    if np.abs(np.exp(1j * angles) - np.exp(1j * others)).max() > ROUNDED:
        by_column = np.zeros(d)
        by_column[a], by_column[b] = angles[3], others[3]
        report.wrong(_two_angles(by_column[columns]), PAIRS)
        return None if form == "scores" else _say_turns(report, angles, uses)
    if not keeps_norms:
        report.wrong("norms are not kept: a cosine and a sine are not of one angle")
    seen = np.abs(R - R[-1]).max(axis=(1, 2)) > 1e-6
    if form == "rotation" and sum(seen) < len(R) - 1:
        report.wrong("positions are clipped: the last ones are turned alike")
        angles, uses = angles[seen], [(use[0][seen], *use[1:]) for use in uses]
    gemma = (b - a == d // 2).all()  # turns the first pairs of a whole head
    return _say_turns(report, angles, uses, d if gemma else len(columns))


def _say_layout(report, a, b, columns):
    """Say which columns make a pair, and whether that is what was expected."""
    half, wanted, found = len(a), report.expected["layout"], None
    if np.array_equal((a, b), (columns[:half], columns[half:])):
        found = "half"
    elif np.array_equal((a, b), (columns[0::2], columns[1::2])):
        found = "interleaved"
    words = LAYOUTS[found] if found else f"({a[0]}, {b[0]}), ({a[1]}, {b[1]}) …"
    if wanted == "not said":
        words, wanted = "not said, for each angle stands once", None
    report.says(f"pairs: {words}", layout=found)
    if wanted and half > 1 and found != wanted:
        text = f"pairs are {words}, not {LAYOUTS[wanted]}: turn these, or reorder the weights"
        report.wrong(text, "huggingface/transformers#25199")


def _two_angles(angles):
    """Say how angles repeat over the columns, where the two of a pair have different ones."""
    if np.allclose(*np.split(angles, 2), atol=1e-3):
        return "angles are laid out for halves, cat(freqs, freqs), and neighbors are turned"
    if np.allclose(angles[0::2], angles[1::2], atol=1e-3):
        return "angles are laid out for neighbors, repeat_interleave, and halves are turned"
    return "the two columns of a pair are turned by different angles"


def _say_turns(report, angles, uses, width=None):
    """Find the use of positions and the frequencies that explain the angles (sample, pair)."""
    least, chosen = np.inf, None
    for use in uses:
        omega = _frequencies(angles, use[0])
        left = np.abs(np.angle(np.exp(1j * (angles - np.outer(use[0], omega)))))
        if left.max() < least / 4:
            least, chosen = left.max(), (omega, *use[1:])
            near = (left < ROUNDED + np.abs(np.outer(use[0], omega)) / 50).all()
        if least < FLOAT32:
            break
    omega, text, *problem = chosen
    if least > ROUNDED:
        why = "rounded to 16 bits: use float32" if near else "not proportional to the positions"
        text, problem = "unclear", [f"the angles are {why}"]
    if problem:
        report.wrong(*problem)
    if (omega < -1e-9).any() and least <= ROUNDED:
        report.wrong("pairs turn the other way: a sine has lost its sign", "karpathy/nanochat#489")
    if width:
        _say_frequencies(report, np.abs(omega), width)
    return text


def _say_frequencies(report, size, width):
    """Say which rule gives the frequencies of the pairs, or which mistake."""
    wanted, expected = report.expected["frequencies"], report.expected["base"]
    known = find_base(size, [expected] if expected else BASES, width)
    base, problem, how, _ = known or (None, "", (), None)
    falling = -np.sort(-size)
    found = None if known or len(size) < 2 else identify(falling, expected or BASES[0])
    if found and max_error(falling, by_formula(found.base, width, len(size))) <= TOLERANCE:
        base, problem = found.base, "" if size[0] >= size[-1] else "reversed"
    elif found and found.name in SUMMARIES:
        base, problem = found.base, found.name
    text = "; ".join([f"base {base:,.0f} over {width} columns", *how]) if base else ""
    text = text or ", ".join(f"{each:.4g}" for each in size[:4]) + ", …, by no rule that is known"
    report.says(f"frequencies: {text}", frequencies=size, base=base)
    if wanted is not None:
        if wanted.shape != size.shape or max_error(size, wanted) > TOLERANCE:
            report.wrong("the frequencies are not those of the config")
    elif problem:
        reports = VARIANTS[problem].reports if problem in VARIANTS else ()
        report.wrong(SUMMARIES.get(problem, "The frequencies run from slow to fast."), *reports[:1])
    elif expected and base and abs(base / expected - 1) > TOLERANCE:
        report.wrong(f"the base is {base:,.0f}, not {expected:,.0f}")


def _frequencies(angles, coordinate):
    """Return radians for a step of the coordinate: from near samples, then ever farther ones."""
    omega = np.zeros(angles.shape[1])
    for k in np.argsort(np.abs(coordinate), kind="stable"):
        if coordinate[k]:
            turns = np.rint((omega * coordinate[k] - angles[k]) / (2 * np.pi))
            omega = (angles[k] + 2 * np.pi * turns) / coordinate[k]
    return omega


def _uses_of_one(positions):
    """Yield how positions may be used: (number, in words, problem and thread if it is one)."""
    p = np.asarray(positions, float)
    yield p, "as given"
    yield p + 1, "counted from 1"
    ignored = "the positions are ignored: row i is turned by i (right in one pass, "
    yield np.arange(len(p)), "ignored", ignored + "wrong with a cache)", ROWS
    yield from ((rounded, "rounded", *problem) for rounded, *problem in _roundings(p))


def _roundings(p):
    """Yield positions in 16 bits: (number, problem, thread)."""
    coarse = "positions are rounded to {}: beyond {} neighbors become one"
    yield bfloat16(p), coarse.format("bfloat16", 256), "EleutherAI/gpt-neox#1003"
    yield float16(p), coarse.format("float16", 2048), "huggingface/transformers#25681"


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
    use = _read(report, M, _uses_of_one(positions))
    if use is None:
        return
    noise = np.random.default_rng(0).normal(size=(len(M), d))
    back, then = turned(noise, positions[::-1]), M[::-1] @ noise[..., None]
    if not np.allclose(turned(2 * noise, positions[::-1]), 2 * back, atol=0.02):
        report.wrong("twice the vector is not turned into twice the result")
    elif use != "ignored" and not np.allclose(back[0], then[..., 0], atol=0.02):
        report.wrong("the result depends on what was called before: a stored table is stale")
    if not np.allclose(back, back[:1], atol=1e-5):
        report.wrong("equal texts of a batch, or heads, are turned differently: wrong axis")
    try:  # half a step, if positions may be real
        half = matrices(np.full(len(M), 0.5))[0]
        whole = np.allclose(half, M[0], atol=1e-5) or np.allclose(half, M[2], atol=1e-5)
        text = ", cut to whole ones" if whole else ", real ones too"
    except Exception:  # of an index into a table
        text = ", whole ones only"
    report.says(f"positions: {use}" + text * (not report.problems))


def _read_scores(report, call, zeros, _, *at):
    d, n = zeros.shape[-1], zeros[..., 0].size

    def scores(*columns):  # of all queries and keys alike
        vectors = (np.broadcast_to(each, (n, d)).reshape(zeros.shape) for each in columns)
        return call(*(each.astype(np.float32) for each in vectors), *at).squeeze().astype(float)

    nothing, unit = scores(np.zeros(d), np.zeros(d)), np.eye(d)
    seen = nothing > -1e4  # not masked
    if np.allclose(nothing[seen].sum(), n, atol=1e-3) and (nothing[seen] > 0).all():
        raise ValueError("function: expected scores before softmax, got weights")
    M = np.array([[scores(i, j)[seen] - nothing[seen] for j in unit] for i in unit])
    positions = np.asarray(at[0] if at else range(n), float)
    uses = [(np.subtract.outer(key, query).T[seen], "", *problem)
            for query, key, *problem in _uses_of_two(positions)]  # fmt: skip
    _read(report, np.moveaxis(M, -1, 0), uses)


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
    yield from ((rounded, rounded, *problem) for rounded, *problem in _roundings(p))
    behind = "positions behind a prompt are one too far: the cache is counted with the new key"
    for prompt in range(1, len(p)):
        late = p + (order >= prompt)
        yield late, late, behind, "fla-org/flash-linear-attention#766"


def _cosines_and_sines(found, asked):
    cos, sin = (found.real, found.imag) if np.iscomplexobj(found) else found
    rows = slice(None) if np.ndim(asked) else _positions(asked)
    return cos.squeeze()[rows].astype(float), sin.squeeze()[rows].astype(float)


def _are_angles(found, asked):
    cos, sin = _cosines_and_sines(found, asked)
    return cos.shape == sin.shape == (len(_positions(asked)), cos.shape[-1])


def _read_angles(report, call, asked):
    cos, sin = _cosines_and_sines(call(asked), asked)
    half, columns = cos.shape[1] // 2, np.arange(cos.shape[1])
    a, b = columns[:half], columns[half:]
    if np.array_equal(cos[:, 0::2], cos[:, 1::2]):
        a, b = columns[0::2], columns[1::2]
    elif not np.array_equal(cos[:, a], cos[:, b]):
        report.expected["layout"], a, b = "not said", columns, columns + len(columns)
    M = np.zeros((len(cos), 2 * len(a), 2 * len(a)))  # that turn by these angles
    M[:, a, a] = M[:, b, b] = cos[:, a]
    M[:, b, a], M[:, a, b] = sin[:, a], -sin[:, a]
    report.says(f"positions: {_read(report, M, _uses_of_one(_positions(asked))) or 'unclear'}")


FORMS = {  # whether an output fits, what reads it
    "rotation": (lambda out, x, _: out.shape == x.shape, _read_rotation),
    "scores": (lambda out, q, *_: out.squeeze().shape == 2 * (q[..., 0].size,), _read_scores),
    "bias": (lambda out, *asked: asked == out.squeeze().shape
             or out.shape[-2:] == (biases.LENGTH, biases.LENGTH), biases.read),
    "angles": (_are_angles, _read_angles),
}  # fmt: skip
