"""A language model that writes Shakespeare in the page, with one mistake in its positions."""

import functools

import numpy as np
import traitlets

from figures.base import Figure, bundle, packed
from lab import language
from lab.shakespeare import ALPHABET, FOLDER
from pecode import alibi_slopes, frequencies

_CHARACTERS, _TEMPERATURE, _SEED = 300, 0.6, 0
_PROMPT = "MACBETH.\nIs this a dagger which I see before me,\n"
_SCHEMES = {
    "rotary": "rotary",
    "alibi": "ALiBi",
    "sinusoidal": "sinusoids, added",
    "learned": "learned, added",
    "none": "none",
}
_MISTAKES = {
    "none": "none",
    "layout": "the other layout",
    "still": "all positions are 0",
    "late": "queries one too far",
    "padding": "40 characters of padding counted",
    "quarter": "all positions divided by 4",
    "skip": "a cache that skips one position",
    "base": "base 500,000",
    "double": "base 20,000",
}


def _scene():
    text = (FOLDER / "macbeth.txt").read_text(encoding="utf8")
    begin = text.index(_PROMPT.splitlines()[1])
    return _PROMPT + text[begin:].partition("\n")[2][: _CHARACTERS - len(_PROMPT)]


@functools.cache
def written(scheme, window):
    """Return what a program without a mistake writes, and what each character of it costs."""
    models = language.load(f"{scheme}-0"), language.load("rotary-0")
    seen = [each.replace(scheme=language.Window(each.scheme, language.LENGTH)) for each in models]
    writer = seen[0] if window else models[0]
    left = _CHARACTERS - len(_PROMPT)
    text = _PROMPT + "".join(language.generate(writer, _PROMPT, left, _TEMPERATURE, _SEED))
    return text, packed(language.losses(seen[1], text), 0.01)


class Shakespeare(Figure):
    """A language model that writes Shakespeare in the page, with one mistake in its positions.

    The page fetches the weights when a reader presses the button. What is written before is the
    text of the program without a mistake, up to the length of the training texts, computed here.

    Parameters
    ----------
    scheme : "rotary", "alibi", "sinusoidal", "learned" or "none"
    mistake : "none", "layout", "still", "late", "padding", "quarter", "skip", "base" or "double"
    window : bool
        Whether keys more than 127 back are hidden.
    reads : bool
        Whether it reads on in Macbeth, instead of writing.
    """

    _esm = bundle(
        "shakespeare.js",
        SCHEMES=[[text, name] for name, text in _SCHEMES.items()],
        MISTAKES=[[text, name] for name, text in _MISTAKES.items()],
        MODEL={"length": language.LENGTH, "layers": language.LAYERS, "heads": language.HEADS},
        ALPHABET=ALPHABET,
        SCENE=_scene(),
        PROMPT=len(_PROMPT),
        TEMPERATURE=_TEMPERATURE,
        DRAWS=np.random.default_rng(_SEED).random(_CHARACTERS - len(_PROMPT)).tolist(),
        FREQUENCIES=frequencies(language.D_HEAD).tolist(),
        OF_TABLE=frequencies(language.HEADS * language.D_HEAD).tolist(),
        SLOPES=alibi_slopes(language.HEADS).tolist(),
    )
    alt = (
        "A text in the style of Shakespeare that stops after 128 characters, the length of the "
        "training texts: its lines are fluent and nearly all characters are pale."
    )
    scheme = traitlets.Enum(list(_SCHEMES), "rotary").tag(sync=True, public=True)
    mistake = traitlets.Enum(list(_MISTAKES), "none").tag(sync=True, public=True)
    window = traitlets.Bool(False).tag(sync=True, public=True)
    reads = traitlets.Bool(False).tag(sync=True, public=True)
    text = traitlets.Unicode().tag(sync=True)
    losses = traitlets.Unicode().tag(sync=True)  # in hundredths

    def __init__(self, **state):
        super().__init__(**state)
        if self.mistake == "none" and not self.reads:
            text, losses = written(self.scheme, self.window)
            self.text = text[: language.LENGTH]
            self.losses = " ".join(losses.split()[: language.LENGTH - 1])
        self.on_msg(self._send_weights)

    def _send_weights(self, _, name, __):
        if name in _SCHEMES:  # a name of the menu, and no path
            self.send({"weights": name}, [(FOLDER / f"{name}-0.npz").read_bytes()])
