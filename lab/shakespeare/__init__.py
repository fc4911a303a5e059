"""What the language models read and what became of them: two scenes, weights, losses.

All of it is written by `tools/train_language.py`. `losses.npz` has the loss at each position over
128 texts of the two plays that no model was trained on; `tasks.npz` what the same layers made of
three tasks of `lab.tasks`.
"""

import functools
import importlib.resources

import numpy as np

from pecode import _check
from pecode._types import ArrayLike, Floats, Integers

FOLDER = importlib.resources.files(__name__)
ALPHABET = "\n !\"&'()*,-./0123456789:;?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]_abcdefghijklmnopqrstuvwxyz{}"


def numbers(text: str | ArrayLike) -> Integers:
    """Return the number of each character in `ALPHABET`; what is numbers already stays so."""
    if isinstance(text, str):
        unknown = sorted(set(text) - set(ALPHABET))
        _check.require(not unknown, "text", "characters of ALPHABET", repr("".join(unknown)))
        text = np.array([ALPHABET.index(character) for character in text], int)
    return text


@functools.cache
def held_out(length: int) -> Integers:
    """Return two scenes that no model was trained on, cut into texts: (texts, length)."""
    scenes = [(FOLDER / f"{play}.txt").read_text("utf8") for play in ("macbeth", "twelfth_night")]
    whole = [numbers(scene)[: len(scene) // length * length] for scene in scenes]
    return np.concatenate(whole).reshape(-1, length)


def measured_losses(change: str = "as trained") -> dict[str, Floats]:
    """Return the loss at each position of each model, as the trainer found it: each (length,).

    A mean over 128 held-out texts, of what is trained, or with a change: "keys more than 127 back
    hidden", or one of `ROPE_SCALINGS` but "plain".
    """
    with (FOLDER / "losses.npz").open("rb") as opened, np.load(opened) as held:
        names = [name for name in held.files if name.endswith(f": {change}")]
        if not names:
            known = sorted({name.partition(": ")[2] for name in held.files})
            raise ValueError(f"change: expected one of {', '.join(known)}, got {change!r}")
        return {name.partition(":")[0]: held[name].astype(float) for name in names}


def task_accuracies(task: str) -> dict[str, Floats]:
    """Return the accuracies of models of three layers, trained on a task in texts of 32 tokens.

    For each scheme (seeds, 2, 2): as trained, and with keys more than 31 back hidden, the share of
    right answers at places 0 to 31 and 64 to 127.
    """
    found = {}
    with (FOLDER / "tasks.npz").open("rb") as opened, np.load(opened) as held:
        for name in held.files:
            if name.startswith(f"{task}, "):
                scheme = name.removeprefix(f"{task}, ").rpartition("-")[0]
                found.setdefault(scheme, []).append(held[name].reshape(2, 2))
    return {scheme: np.array(runs) for scheme, runs in found.items()}
