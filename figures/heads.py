"""Ten heads of a published language model, whose queries and keys a reader turns."""

import base64
import json

import numpy as np
import traitlets

from figures.base import Figure, IntTrait, bundle
from lab.published_language import FOLDER
from pecode import causal_mask, rotate, softmax

FILE = FOLDER / "heads.json"  # the site has it once for all pages: website/pages.py
_STORED = json.loads(FILE.read_text(encoding="utf8"))
_TOKENS, _COLUMNS, _BASE = _STORED["tokens"], _STORED["d_head"], _STORED["base"]
_NAMES = {f"L{each['layer']}H{each['head']}": each["name"] for each in _STORED["heads"]}
_FIRST = ("L16H0", "L18H8", "L17H3", "L8H0")  # of the menu; the rest follows
_HEADS = [*_FIRST, *(head for head in _NAMES if head not in _FIRST)]
_TURNED = {
    "trained": "as in the file",
    "layout": "in the other layout",
    "late": "with queries one too far",
    "quarter": "by positions divided by 4",
    "zero": "by positions that are all 0",
    "shifted": "by positions shifted by 1,000",
    "base": "with base 10,000",
    "pair": "with one pair held still",
}


def vectors(head, part):
    """Return the "query" or "key" of each token in a head such as "L16H0": (tokens, columns)."""
    stored = _STORED["heads"][list(_NAMES).index(head)]
    whole = np.frombuffer(base64.b64decode(stored[part]), np.int8).reshape(-1, _COLUMNS)
    return whole * stored[f"{part} factor"]


def _as_trained(head):
    """Return the weights in ten-thousandths, row by row: drawn before the file is there."""
    query, key = (
        rotate(vectors(head, part), range(len(_TOKENS)), _BASE) for part in ("query", "key")
    )
    mask = causal_mask(len(query))
    weights = softmax(np.where(mask, query @ key.T / _COLUMNS**0.5, -np.inf))
    return base64.b64encode(np.rint(10_000 * weights[mask]).astype("<u2").tobytes()).decode()


class Heads(Figure):
    """Ten heads of a published language model, whose queries and keys a reader turns.

    They are heads of SmolLM2-135M-Instruct, on 110 tokens (`lab/published/heads.json`).

    Parameters
    ----------
    head : str
        "L16H0" is head 0 of layer 16; the first layer is 0.
    turned : "trained", "layout", "late", "quarter", "zero", "shifted", "base" or "pair"
    pair : int
        The pair that is held still, from 0 to 31, where `turned` is "pair".
    token : int
        The token whose query is read out, from 0 to 109.
    """

    _esm = bundle(
        "heads.js",
        HEADS=[[f"{head}: {_NAMES[head]}", head] for head in _HEADS],
        STORED_HEADS=list(_NAMES),
        TURNED=[[text, name] for name, text in _TURNED.items()],
        MODEL={"base": _BASE, "columns": _COLUMNS},
        TOKENS=_TOKENS,
        START=_as_trained(_FIRST[0]),
    )
    alt = (
        "A map of attention weights, with a row for each of 110 queries and a column for each key. "
        "Nearly all weight lies on a line beside the diagonal, on the token before the query, and "
        "some in the first column. Beside it the text, with the token before “clock” marked."
    )
    head = traitlets.Enum(_HEADS, _FIRST[0]).tag(sync=True, public=True)
    turned = traitlets.Enum(list(_TURNED), "trained").tag(sync=True, public=True)
    pair = IntTrait(0, min=0, max=_COLUMNS // 2 - 1).tag(sync=True, public=True)
    token = IntTrait(104, min=0, max=len(_TOKENS) - 1).tag(sync=True, public=True)
    vectors = traitlets.Unicode(FILE.read_text(encoding="utf8")).tag(sync=True)
