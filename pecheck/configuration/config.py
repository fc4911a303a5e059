"""The report on a config: a dataclass, a text, and JSON."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pecheck.configuration import layers as _layers
from pecheck.configuration.families import WRITTEN
from pecheck.configuration.patterns import ORDERED
from pecheck.configuration.settings import Settings, Unreadable, load, parse
from pecheck.configuration.warnings import Case, Notice
from pecode import _check
from pecode._types import Any, ArrayLike, Mapping, PathLike


@dataclass(frozen=True)
class Config:
    """What a config says about positions. `str` of it is a page, `json` the same for programs."""

    model_type: str | None
    layers: tuple[_layers.Layer, ...]
    vision: tuple[_layers.Layer, ...]
    warnings: tuple[Notice, ...]
    notes: tuple[str, ...]
    length: int | None

    def __str__(self) -> str:
        return "\n".join(line for block in self.blocks() for line in block)

    def blocks(self) -> Iterator[list[str]]:
        """The page in blocks of lines, as an answer is read: warnings, layers, what was assumed."""
        windows = any(layer.window or layer.chunk for layer in self.layers)
        yield [f"{self.model_type or 'A model without a type'}"]
        for each in self.warnings:
            yield [f"! {each.message}", f"  {each.id} · {each.report}"]
        for layer in self.layers:
            yield _described(layer, windows)
        for layer in self.vision:
            first, *more = _described(layer)
            yield [f"images, {first}", *more]
        for note in self.notes:
            yield [f"· {note}"]

    def report(self) -> dict[str, Any]:
        """The report in dicts, lists and numbers; a wavelength without end is None."""
        names = "model_type", "length", "layers", "vision", "warnings", "notes"
        return _plain({name: getattr(self, name) for name in names})

    def json(self, indent: int | None = None) -> str:
        """The report as JSON; what does not apply is null."""
        return json.dumps(self.report(), indent=indent, allow_nan=False)


def config(settings: Mapping[str, Any] | str | PathLike[str], length: int | None = None) -> Config:
    """Read the published settings of a model: what each layer does with positions, and warnings.

    Nothing is fetched. What a file leaves out and the code of its family knows is taken from
    there, and marked so.

    Parameters
    ----------
    settings : dict, path, or str
        The config as a dict, the path of its file, or JSON text that begins with a brace.
    length : int, at least 1, optional
        Of a text: frequencies are those of this length, and `at_length` of each layer says which
        pairs meet new angles, what a stretching rule changes, whether a table has a row.

    Returns
    -------
    Config
        model_type; layers, one `Layer` for each kind; vision, those of the part for images;
        warnings, each with an id, a message and the report of somebody who met it; notes, what
        was assumed.

    Examples
    --------
    >>> from pecheck.configuration import models
    >>> (layer,) = config(models()["llama-2-7b"]["settings"]).layers
    >>> layer.scheme, layer.head_dim, len(layer.frequencies), layer.attention_scaling
    ('rotary', 128, 64, 1.0)
    """
    if length is not None:
        length = _check.integer("length", length, 1, 2**40)
    try:
        read = Settings(load(settings))
        layers = tuple(_layers.layers_of(read, length))
        vision = tuple(_layers.vision_of(read))
        warnings = tuple(Case(read, layers, length).warnings())
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        refused = isinstance(error, ValueError) or ": expected " in str(error)  # by a formula, too
        shape = f"settings: expected the shape of a config, got {error!r}"
        raise Unreadable(str(error) if refused else shape) from error
    return Config(read.model_type, layers, vision, warnings, tuple(read.notes), length)


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """For a page: {"text": JSON, "length": a number or null} gives the report, or {"error": …}."""
    try:
        read = config(parse(request["text"]), request.get("length"))
    except (TypeError, ValueError) as error:
        return {"error": str(error)}
    return read.report() | {"blocks": list(read.blocks())}


def _plain(value):
    """Dataclasses, arrays and tuples as JSON has them; an infinite number is None."""
    if isinstance(value, np.ndarray):
        finite, value = np.isfinite(value).all(), value.tolist()
        return value if finite else [x if math.isfinite(x) else None for x in value]
    if isinstance(value, (_layers.Layer, _layers.AtLength, Notice)):
        names = ("wavelengths", "turns") if isinstance(value, _layers.Layer) else ()
        value = vars(value) | {name: getattr(value, name) for name in names}
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (tuple, list)) else value


def _described(layer, windows=False):
    """A kind of layer in a few lines; `windows` is whether other layers see only so far."""
    mark = {name: f" ({source})" for name, source in layer.sources.items()}
    own = " (it carries order itself)" if layer.kind in ORDERED else ""
    lines = [f"{_numbers(layer.indices)} {layer.kind}: {layer.scheme}{own}{mark.get('scheme', '')}"]
    far = "all" if windows and layer.kind == "full_attention" else None
    original = layer.trained_length if layer.trained_length != layer.promised_length else None
    ways = " each way" if layer.both_sides else ""
    facts = vars(layer) | {
        "window": layer.window and f"{layer.window:,}{ways}", "sees": far, "order": layer.order,
        "trained_length": original, "axes": layer.axes and ", ".join(layer.axes),
        "grid": layer.grid and " × ".join(str(n or "?") for n in layer.grid),
    }  # fmt: skip
    facts = {k: f"{v:,.10g}" if isinstance(v, (int, float)) else v for k, v in facts.items()}
    known = (item for item in WRITTEN["facts"].items() if facts[item[1]] is not None)
    told = ", ".join(f"{what} {facts[k]}{mark.get(k, '')}" for what, k in known)
    lines += [f"  {told}"] if told else []
    if layer.rotary_dim and layer.frequencies is None:
        lines.append("  the frequencies are not computed here")
    elif layer.rotary_dim:
        turning = layer.wavelengths[np.isfinite(layer.wavelengths)]
        unit = "steps" if layer.axes and not layer.order else "tokens"
        low, high = turning.min(), turning.max()
        lines.append(f"  {len(turning)} pairs turn, in {low:.2f} to {high:,.0f} {unit}")
        if layer.turns is not None:
            legend = f"█ a turn in {layer.trained_length:,} {unit}, ▒ a quarter, ░ less, · none"
            lines.append(f"  {bar(layer.turns)}  {legend}")
    scale, score = layer.attention_scaling, layer.score_scaling
    part = "" if layer.rotary_dim == layer.head_dim else "the turned part of "
    scaled = [f"cosines and sines × {scale:.4f}, which makes {part}scores × {scale**2:.4f}"]
    scaled = scaled * (scale != 1) + [f"scores × {score:.4f}"] * (score != 1)
    lines += ["  " + ", and all ".join(scaled)] if scaled else []
    return [*lines, *_at_length(layer.at_length)]


def _at_length(then):
    """What a text of the asked length changes, in a line."""
    if not then:
        return []
    slowed = sum(ratio > 1 + 1e-9 for ratio in then.slowed)
    told = [f"{len(then.new_pairs)} pairs meet new angles"] if then.slowed else []
    told += [f"{slowed} pairs slowed, by up to {max(then.slowed):.3g}"] if slowed else []
    if then.has_row is not None:
        told.append("the table has a row" if then.has_row else "the table has no row")
    return [f"  at {then.length:,}: {', '.join([*told, f'temperature {then.temperature:.4g}'])}"]


def bar(turns: ArrayLike, width: int = 32) -> str:
    """A letter for each pair, or for a few neighbors, from the first pair on: how far it turns."""
    cells = np.array_split(np.asarray(turns), min(width, len(turns)))
    return "".join("·░▒█"[np.searchsorted([1e-12, 0.25, 1], cell.mean())] for cell in cells)


def _numbers(indices):
    """The numbers of layers, short: 0-31, or 3, 7, 11 … (9)."""
    if not indices:
        return "layers"
    if indices == tuple(range(indices[0], indices[-1] + 1)) and len(indices) > 1:
        return f"layers {indices[0]}-{indices[-1]}"
    if len(indices) <= 4:
        return f"layers {', '.join(map(str, indices))}"
    return f"layers {', '.join(map(str, indices[:3]))} … {indices[-1]} ({len(indices)})"
