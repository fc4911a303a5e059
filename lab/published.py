"""A published Transformer with learned positions, small enough to run in numpy: RXNMapper.

It reads chemical reactions written as text (SMILES) and was trained to fill in masked tokens
(Schwaller et al., Science Advances 7, eabe4166, 2021): twelve layers that share one set of weights,
as in ALBERT, and a learned table of 512 positions. The weights are those of the package rxnmapper
0.4.3, rounded to float16, under the MIT license (reactions.txt); a test compares their answers with
those of another implementation. Beside it, the position table of a BERT: all-MiniLM-L6-v2.
"""

from __future__ import annotations

import functools
import importlib.resources
import re

import numpy as np

from pecode import _check, softmax
from pecode._types import ArrayLike, Floats

# From textbooks: esters, amides, couplings, protecting groups. Reactants >> product.
REACTIONS = (
    "CC(=O)OC(C)=O.O=C(O)c1ccccc1O>>CC(=O)Oc1ccccc1C(=O)O",  # aspirin
    "CC(=O)OC(C)=O.Nc1ccc(O)cc1>>CC(=O)Nc1ccc(O)cc1",  # paracetamol
    "CCO.CC(=O)O>>CCOC(C)=O",  # ethyl acetate
    "OB(O)c1ccccc1.Brc1ccccc1>>c1ccc(-c2ccccc2)cc1",  # Suzuki coupling
    "COC(=O)c1ccc(Br)cc1.OB(O)c1ccccc1>>COC(=O)c1ccc(-c2ccccc2)cc1",
    "C1CCNCC1.O=C(Cl)c1ccccc1>>O=C(c1ccccc1)N1CCCCC1",  # an amide
    "CCOC(=O)c1ccc(N)cc1.CC(=O)Cl>>CCOC(=O)c1ccc(NC(C)=O)cc1",
    "CC(=O)c1ccccc1.[BH4-].[Na+]>>CC(O)c1ccccc1",  # a ketone reduced
    "O=[N+]([O-])c1ccccc1.[H][H]>>Nc1ccccc1",  # nitrobenzene to aniline
    "CC(C)(C)OC(=O)OC(=O)OC(C)(C)C.NCc1ccccc1>>CC(C)(C)OC(=O)NCc1ccccc1",  # Boc on
    "CC(C)(C)OC(=O)NCc1ccccc1.Cl>>NCc1ccccc1",  # and off
    "O=[N+]([O-])c1ccc(F)cc1.C1COCCN1>>O=[N+]([O-])c1ccc(N2CCOCC2)cc1",
)

HEADS, LAYERS = 8, 12
TOKEN = re.compile(r"\[[^\]]+\]|Br|Cl|>>|[BCNOPSFIbcnops()=#+\-.\\/:~@?*$0-9]|%[0-9]{2}")


class ReactionModel:
    """The model. `table` holds its learned positions, an ndarray of float64, shape (512, 128)."""

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        self.vocabulary = {str(token): i for i, token in enumerate(weights["vocabulary"])}
        self._weights = {
            name: array.astype(np.float32)
            for name, array in weights.items()
            if array.dtype.kind == "f"
        }
        self.table = self._weights["positions"].astype(np.float64)

    def tokens(self, reaction: str) -> np.ndarray:
        """Return the numbers of a reaction's tokens between a start and an end token."""
        if not isinstance(reaction, str):
            raise TypeError(f"reaction: expected a text, got {_check.shown(reaction)}")
        found = TOKEN.findall(reaction)
        unknown = [token for token in found if token not in self.vocabulary]
        if not found or unknown or "".join(found) != reaction:
            raise ValueError(
                f"reaction: expected SMILES of known atoms, got {_check.shown(reaction)}"
            )
        return np.array([self.vocabulary[token] for token in ("[CLS]", *found, "[SEP]")])

    def logits(self, tokens: ArrayLike, table: ArrayLike | None = None) -> Floats:
        """Return a number for each token that could stand at each place.

        Parameters
        ----------
        tokens : array of ints, shape (size, length)
        table : array of shape (at least length, 128), optional
            Row t is added at position t, instead of the rows that were learned.

        Returns
        -------
        ndarray of float32, shape (size, length, size of the vocabulary)
        """
        tokens = _check.integers("tokens", tokens)
        if tokens.ndim != 2 or not tokens.size:
            raise ValueError(f"tokens: expected shape (size, length), got {tokens.shape}")
        if tokens.min() < 0 or tokens.max() >= len(self.vocabulary):
            raise ValueError(
                f"tokens: expected numbers from 0 to {len(self.vocabulary) - 1}, "
                f"got {tokens.min()} to {tokens.max()}"
            )
        table = self.table if table is None else _check.reals("table", table, ndim=2)
        width, length = self.table.shape[1], tokens.shape[1]
        if table.shape[1] != width or len(table) < length:
            raise ValueError(
                f"table: expected at least {length} rows of {width} numbers, got {table.shape}"
            )
        return self._logits(tokens, table[:length].astype(np.float32))

    def _logits(self, tokens, rows):
        x = self._weights["words"][tokens] + rows + self._weights["segment"]
        x = self._linear("widen", self._norm("input", x))
        for _ in range(LAYERS):  # the same weights each time
            x = self._norm("attention", x + self._attention(x))
            x = self._norm("layer", x + self._linear("outer", gelu(self._linear("inner", x))))
        read = self._norm("read", gelu(self._linear("read", x)))
        return read @ self._weights["words"].T + self._weights["word bias"]

    def _attention(self, x):
        size, length, d_model = x.shape
        query, key, value = (  # (size, heads, length, d_head)
            self._linear(name, x).reshape(size, length, HEADS, -1).swapaxes(1, 2)
            for name in ("query", "key", "value")
        )
        weights = softmax(query @ key.swapaxes(2, 3) / np.float32((d_model // HEADS) ** 0.5))
        mixed = (weights @ value).swapaxes(1, 2).reshape(size, length, d_model)
        return self._linear("output", mixed)

    def _linear(self, name, x):
        return x @ self._weights[f"{name} matrix"] + self._weights[f"{name} bias"]

    def _norm(self, name, x):
        x = x - x.mean(axis=-1, keepdims=True)
        x /= np.sqrt(np.square(x).mean(axis=-1, keepdims=True) + np.float32(1e-12))
        return x * self._weights[f"{name} scale"] + self._weights[f"{name} shift"]

    def filled_in(
        self, table: ArrayLike | None = None, reactions: tuple[str, ...] = REACTIONS, every: int = 4
    ) -> np.ndarray:
        """Mask each token once, one in `every` at a time, and say which the model fills in.

        Returns
        -------
        ndarray of bool, shape (number of tokens,): in the order of reactions, passes, places
        """
        every = _check.integer("every", every, minimum=1)
        right = []
        for reaction in reactions:
            tokens = self.tokens(reaction)
            inside = np.arange(1, len(tokens) - 1)  # neither start nor end
            hidden = np.zeros((every, len(tokens)), bool)
            hidden[(inside - 1) % every, inside] = True
            masked = np.where(hidden, self.vocabulary["[MASK]"], tokens)
            right.append((self.logits(masked, table).argmax(axis=-1) == tokens)[hidden])
        return np.concatenate(right)

    def __repr__(self):
        numbers = sum(array.size for array in self._weights.values())
        return f"ReactionModel({LAYERS} layers, {numbers:,} numbers)"


def gelu(x: Floats) -> Floats:
    """Return x times the share of a normal distribution below x.

    The error function is Abramowitz and Stegun's formula 7.1.26: off by 1.5e-7 at most.
    """
    z = np.abs(x) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = (series + np.float32(factor)) * t
    upper = 0.5 * series * np.exp(-z * z)  # the share beyond |x|
    return x * np.where(x < 0, upper, 1 - upper)


@functools.cache
def _weights():
    file = importlib.resources.files("lab") / "reactions.npz"
    with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def reaction_model() -> ReactionModel:
    """Return RXNMapper's model of reactions.

    Examples
    --------
    >>> model = reaction_model()
    >>> model
    ReactionModel(12 layers, 735,439 numbers)
    >>> model.table.shape
    (512, 128)
    """
    return ReactionModel(_weights())


def minilm_table() -> Floats:
    """Return the learned positions of all-MiniLM-L6-v2, shape (512, 384), rounded to 8 bits."""
    file = importlib.resources.files("lab") / "minilm.npz"
    with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
        return arrays["rows"] * arrays["scale"].astype(np.float64)
