"""What the turns of unit vectors say: pairs, direction, the use of positions, frequencies."""

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from typing import Any

import numpy as np

from pecheck.decoding import nearest
from pecheck.identity import known
from pecheck.identity.known import SLOWED, TOLERANCE, measured_frequencies
from pecheck.sentences import GALLERY, PROBLEMS
from pecode._types import Floats, Integers
from pecode.precision import bfloat16

FLOAT32, ROUNDED = 5e-4, 0.03  # radians: what rounding in 32 and in 16 bits explains
SLOWEST = 1e-12  # radians: pairs of base 1e11 turn, too
LAYOUTS = {"interleaved": "neighbors (2i, 2i + 1)", "half": "halves (i, i + d/2)"}
_FIRST = 6  # samples at positions below 6
_NEAR = 50  # positions from which frequencies are read before farther ones are believed
_FARTHEST = 2**16  # effective positions that are looked for


class Turned:
    """Matrices M (samples, d, d) by which vectors are multiplied, and whose positions made them.

    positions : of all rows; queries, keys : the row of each sample, keys None where vectors are
    turned and no scores are made; earlier : positions of the call before.
    """

    def __init__(self, M, positions, queries, keys=None, earlier=None):
        self.M, self.positions, self.p = M, positions, positions.astype(float)
        self.queries, self.keys, self.earlier = queries, keys, earlier

    def offsets(self, of_queries: Any, of_keys: Any) -> Any:
        """By how many positions each sample is turned, if rows count as these."""
        if self.keys is None:
            return of_queries[self.queries]
        return of_keys[self.keys] - of_queries[self.queries]

    def farthest(self, of_queries: Any, of_keys: Any) -> Any:
        """The farthest position in each sample, if rows count as these."""
        keys = self.queries if self.keys is None else self.keys
        return np.maximum(np.abs(of_queries[self.queries]), np.abs(of_keys[keys]))

    def departure(self, angles: Floats) -> tuple[int, float, str]:
        """The first row that disagrees with those before it, its position, as what it counts."""
        p, order = self.p, np.arange(len(self.p))
        offsets, last = self.offsets(p, p), self.farthest(order, order)
        for row in order[2:]:
            before = last < row
            omega = measured_frequencies(angles[before], offsets[before])
            left = residual(angles, offsets, omega).max(axis=1)
            new = np.flatnonzero((last == row) & (left > ROUNDED))
            if len(new) and offsets[before].any():
                return row, p[row], self._counted(angles, omega, new[self.queries[new] == row])
        return 0, p[0], ""

    def _counted(self, angles, omega, samples):
        """Say as which position a row counts, by samples of its query; nothing where none fits."""
        if not len(samples):
            return ""
        _, absolute, _ = self._sides(angles[samples], omega, samples)[0]
        counted = nearest(absolute, omega, _FARTHEST)[0]
        fits = residual(absolute, np.full(len(samples), counted), omega).max() < ROUNDED
        return f", which counts as {counted:.0f}" if fits else ""

    def uses(self, angles: Floats) -> Iterator[Any]:
        """Yield how rows may count: (of queries, of keys, in words, problem or None)."""
        p = self.p
        yield p, p, "as given", None
        if self.keys is None:
            yield from ((p + k, p, f"counted from {k}", None) for k in (1, -1))
            if self.earlier is not None:
                yield self.earlier, p, "those of an earlier call", ("stale",)
        else:
            yield p, 0 * p, "", ("keys not turned",)
            yield 0 * p, p, "", ("queries not turned",)
            yield p, -p, "", ("against",)
            yield p, 2 * p, "", ("keys twice",)
            yield 2 * p, p, "", ("queries twice",)
            yield p + 1, p, "", ("queries too far",)
            yield p, p + 1, "", ("keys too far",)
        for rows, start, words, *problem in chain(self._bookkeeping(), self._ends(angles)):
            yield rows, rows, words, problem
            if self.keys is not None:  # of one side alone
                text = (PROBLEMS | GALLERY)[problem[0]].format(*problem[1:])
                yield rows, start, words, ("of queries", text)
                yield start, rows, words, ("of keys", text)

    def _bookkeeping(self):
        """Yield wrong numbers of the rows, the right ones, what they are in words, a problem."""
        p, order = self.p, np.arange(len(self.p))
        yield order, p, "ignored", "ignored"
        yield p + order, p, "added to the row", "offset"
        yield bfloat16(p), p, "rounded", "low precision"
        yield known.float16(p), p, "rounded", "positions in float16"
        for size in range(2, len(p)):
            start = order // size * size
            yield p - p[start], p, "begun again", "restarts", size
            yield order - start, p, "begun again", "restarts", size
            yield p + start, p, "counted twice", "twice", size
        for prompt in range(1, len(p)):
            behind = order >= prompt
            yield p + behind, p, "late", "late", prompt
            yield p - behind * p[prompt], p, "begun again", "restarts behind", prompt
            if (p == order).all():
                yield np.minimum(p, prompt), p, "stopping", "stops", prompt, prompt

    def _ends(self, angles):
        """Yield numbers that agree with near positions and then stop, or begin again."""
        p = self.p
        near = np.abs(self.offsets(p, p)) <= _NEAR
        for first in (0, 1) if self.keys is None else (0,):
            omega = measured_frequencies(angles[near], self.offsets(p + first, p + first)[near])
            for asked, absolute, others in self._sides(angles, omega):
                some = (asked > _NEAR) & (others <= _NEAR)
                if not some.any() or not omega.any():
                    continue
                counted = nearest(absolute[some], omega, _FARTHEST) - first
                stop, size = counted.max(), np.gcd.reduce(asked[some].astype(int) - counted)
                rows = np.minimum(p, stop) + first
                yield rows, p + first, f"as given up to {stop}", "stops", stop, stop
                sizes = (n for n in range(max(stop, 1) + 1, size + 1) if size % n == 0)
                for n in islice(sizes, 1):
                    yield p % n + first, p + first, f"modulo {n}", "modulo", n, n

    def _sides(self, angles, omega, samples=slice(None)):
        """Positions and absolute angles of each side of samples, if the other counts as given."""
        of_queries = self.p[self.queries[samples]]
        if self.keys is None:
            return ((of_queries, angles, 0 * of_queries),)
        of_keys = self.p[self.keys[samples]]
        by_queries, by_keys = np.outer(of_queries, omega), np.outer(of_keys, omega)
        return (of_queries, by_keys - angles, of_keys), (of_keys, by_queries + angles, of_queries)


def read(report: Any, turned: Turned) -> str | None:
    """Say what the matrices do; return the use of positions in words, None if it is not known."""
    pairs = read_pairs(report, turned.M, turned.offsets(turned.p, turned.p))
    if pairs is None:
        return None
    a, b, columns, angles, consistent = pairs
    least = np.inf
    for use in turned.uses(angles):
        offsets = turned.offsets(*use[:2])
        omega = measured_frequencies(angles, offsets)
        left = residual(angles, offsets, omega)
        if left.max() < least / 4:
            least, chosen = left.max(), (*use[2:], omega, offsets)
            reach = np.outer(turned.farthest(*use[:2]), np.abs(omega))
            rounded = (left < ROUNDED + reach / 100).all()
        if least < FLOAT32:
            break
    words, problem, omega, offsets = chosen
    if least > ROUNDED:
        why = ("angles in 16 bits",) if rounded else ("unclear", *turned.departure(angles))
        return report.wrong(*why)
    if problem:
        report.wrong(*problem)
    if consistent:
        if (omega[omega != 0] < 0).all():
            report.wrong("backward")
        d, slack = turned.M.shape[-1], max(1e-7, 2 * least / np.abs(offsets).max())
        whole = (b - a == d // 2).all()  # the first pairs of a whole head turn
        say_frequencies(report, np.abs(omega), d if whole else len(columns), slack)
    return words


def read_pairs(report: Any, M: Floats, offsets: Any = 0) -> tuple[Any, ...] | None:
    """Say which columns are turned; return (a, b, columns, angles, one angle a pair), or None."""
    d, form, wanted = M.shape[-1], report.form, report.expected["scale"]
    first = np.linalg.norm(M[0], axis=0)  # at position 0, or of a key at its query
    if not np.isfinite(M).all() or first.max() < 1e-6:
        return report.wrong("not finite")
    scale = float(np.sqrt((first[first > 0] ** 2).mean()))
    R = M / scale
    pairs = _coupled(report, R)
    if pairs is None:
        return None
    a, b, R = pairs
    columns = np.sort([*a, *b])
    lengths = np.hypot([R[:, a, a], R[:, a, b]], [R[:, b, a], R[:, b, b]])  # (2, samples, pairs)
    turned = np.sqrt((lengths[:, 0] ** 2).mean())  # columns that stay may have another scale
    R, lengths, scale = R / turned, lengths / turned, scale * turned
    off = np.abs(lengths - 1).max(axis=(0, 2))  # of norms, for each sample
    keeps_norms, scaled = off.max() <= ROUNDED, False
    if np.any(offsets) and np.allclose(*lengths, atol=ROUNDED / 3):  # by a factor for each step
        logs = np.log(np.maximum(lengths[0], 1e-30))
        rate = offsets @ logs / (offsets @ offsets)
        scaled = np.abs(logs - np.outer(offsets, rate)).max() < ROUNDED / 3
    key, values = "rotation", (form, len(columns), d, *columns[[0, -1]])
    if not (keeps_norms or scaled or form == "scores"):
        key, values = "no rotation", values[1:]
    report.says(key, *values, columns=columns.tolist())
    _say_layout(report, a, b, columns)
    if form == "scores" or wanted or abs(scale - 1) > 1e-3:
        report.says("times scale", form, scale, d**-0.5, scale=scale)
    if form != "scores" and wanted and abs(scale / wanted - 1) > 1e-3:
        report.wrong("scale", scale, wanted)
    angles = np.arctan2(-R[:, a, b], R[:, a, a])
    others = np.arctan2(R[:, b, a], R[:, b, b])
    if np.abs(np.exp(1j * angles) - np.exp(1j * others)).max() > ROUNDED:
        both = np.hstack([angles, others])[:, np.argsort([*a, *b])]  # as the columns stand
        alike = partial(np.allclose, atol=1e-3)
        if alike(angles, -others):
            report.wrong("no minus")
        elif alike(*np.split(both, 2, axis=1)):
            report.wrong("made for halves")
        else:
            neighbors = alike(both[:, 0::2], both[:, 1::2])
            report.wrong("made for neighbors" if neighbors else "two angles")
        return None if form == "scores" else (a, b, columns, angles, False)
    if not keeps_norms and scaled:
        report.says("xpos")
    elif not keeps_norms:
        report.wrong("drift" if off[:_FIRST].max() < ROUNDED else "norms")
    return a, b, columns, angles, True


def _coupled(report, R):
    """Return the columns of the pairs, and matrices with columns in the order of x, or None."""
    d, first = R.shape[-1], np.linalg.norm(R[0], axis=0)
    if np.abs(R - R[:1]).max() < SLOWEST:
        return report.wrong("no effect")
    if (first < 1e-6).any():
        return report.wrong("unused", *np.flatnonzero(first < 1e-6)[[0, -1]])
    order = np.abs(R[0]).argmax(axis=0)
    if np.allclose(np.abs(R[0]), np.eye(d)[:, order], atol=1e-3) and (order != np.arange(d)).any():
        moved = R[0] * (1 - np.eye(d))
        if np.allclose(moved, -moved.T, atol=2e-3):  # by 90°, where nothing is to be turned
            report.wrong("exchanged")
            R = R[0] @ R.swapaxes(1, 2)
        else:
            report.says("order")
            R = R[:, order]
    size = np.abs(R).max(axis=0) * (1 - np.eye(d))
    coupled = np.maximum(size, size.T) > SLOWEST
    if coupled.sum(axis=1).max() > 1:  # perhaps by rounding alone
        coupled = np.maximum(size, size.T) > 1e-6
    if not coupled.any():
        return report.wrong("multiplied" if np.abs(R - R[:1]).max() > 1e-6 else "no effect")
    if coupled.sum(axis=1).max() > 1:
        return report.wrong("mixed")
    a, b = np.argwhere(np.triu(coupled)).T
    for one, other in ((a, b), (b, a)):
        if (size[other, one] < SLOWEST).all():
            return report.wrong("one way", one.min(), one.max())
    return a, b, R


def _say_layout(report, a, b, columns):
    """Say which columns make a pair, and whether that is what was expected."""
    first, second = np.split(columns, 2)
    layouts = {"half": (first, second), "interleaved": (columns[0::2], columns[1::2])}
    layout = next((name for name in layouts if np.array_equal((a, b), layouts[name])), None)
    wanted = report.expected["layout"]
    step, in_parts = b[0] - a[0], len(set(b - a)) == 1 and b[0] - a[0] > 1
    words = f"halves of each {2 * step} columns, (i, i + {step})" if in_parts else None
    words = LAYOUTS.get(layout, words) or ", ".join(map(str, zip(a[:2], b[:2], strict=True))) + " …"
    if wanted == "not said":
        words, wanted = "not said, for each angle stands once", None
    report.says("pairs", words, layout=layout)
    if wanted and len(a) > 1 and layout != wanted and not (in_parts and wanted == "half"):
        report.wrong("layout", words, LAYOUTS[wanted])


def residual(angles: Floats, offsets: Any, omega: Floats) -> Floats:
    """Radians that are left of angles, beyond what float32 loses of far ones."""
    expected = np.outer(offsets, omega)
    turns = (angles - expected) / (2 * np.pi)
    return np.maximum(2 * np.pi * np.abs(turns - np.rint(turns)) - np.abs(expected) * 2.0**-21, 0)


def read_axes(report: Any, M: Floats, p: Integers, place: str) -> None:
    """Say which coordinate turns which pairs, and how fast; M (coordinates, length, d, d)."""
    count, pairs = len(M), read_pairs(report, np.concatenate(M))
    if pairs is None or not pairs[-1]:
        return None
    a, _, columns, angles, _ = pairs
    angles = angles.reshape(count, len(p), len(a))
    angles = np.angle(np.exp(1j * (angles - angles[:, :1])))
    moved = np.abs(angles).max(axis=1) > 0  # (axes, pairs)
    owners = moved.argmax(axis=0)
    size = np.zeros(len(a))
    for axis in range(count):
        omega = measured_frequencies(angles[axis], p)
        left = residual(angles[axis], p, omega).max(axis=1)
        if left.max() > ROUNDED:
            row = int((left > ROUNDED).argmax())
            return report.wrong("unclear", row, p[row], "")
        size[owners == axis] = omega[owners == axis]
    counts = ", ".join(str((owners == axis).sum()) for axis in range(count))
    if (moved.sum(axis=0) > 1).any():
        words = "some pairs are turned by several of them"
    elif np.count_nonzero(np.diff(owners)) < count:
        words = f"sections of {counts} pairs"
    else:
        words = f"pairs in turn, {counts} for each: {', '.join(map(str, owners[:8]))}, …"
    report.says("axes", count, place, words, axes=owners.tolist())
    if (size < 0).all():
        report.wrong("backward")
    base = report.expected["base"] or report.expected["config base"]
    if known.name_frequencies(np.abs(size), len(columns), base).base:
        return say_frequencies(report, np.abs(size), len(columns), 1e-7)
    for axis in np.unique(owners):
        mine = np.abs(size[owners == axis])
        say_frequencies(report, mine, 2 * len(mine), 1e-7, f" of coordinate {axis}")
    return None


def say_frequencies(report: Any, size: Any, width: int, slack: float, of: str = "") -> None:
    """Say which rule gives the frequencies of the pairs, or which mistake."""
    wanted, base = report.expected["frequencies"], report.expected["base"]
    law = known.name_frequencies(size, width, base or report.expected["config base"], slack)
    stretched = {"stretched": bool(law.how)} if wanted is None else {}
    report.says("frequencies", of, law, frequencies=size, base=law.base, **stretched)
    scale = report.facts.get("scale", 1)
    if law.slowed > 1 and abs(scale - 1) > 1e-3 and report.form != "scores":
        usual = 0.1 * np.log(law.slowed) + 1
        report.says("temperature", law.slowed, usual)
        twice = usual**2, 0.1 * usual * np.log(law.slowed) + 1
        if min(abs(scale - each) for each in twice) < 1e-3:
            report.wrong("temperature twice", scale, usual)
    if wanted is not None:
        if wanted.shape != size.shape or known.max_error(size, wanted, slack) > TOLERANCE:
            report.wrong("config")
    elif law.mistake:
        report.wrong(law.mistake, *law.values)
    elif base and law.alternative:
        report.wrong(law.alternative)
    elif base and law.base is None:
        report.wrong("no rule", base)
    elif base and abs(law.base / base - 1) > TOLERANCE:
        report.wrong("base", f"{law.base:,.0f}", base)
    elif base and law.factor != 1 and law.factor > SLOWED:
        report.wrong("times", law.factor, base)
