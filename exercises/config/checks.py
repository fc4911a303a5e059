"""What the numbers of a config decide: bases, windows, pairs that turn, a temperature."""

import math

import numpy as np

from exercises.registry import ChapterExercises
from pecode import frequencies

chapter = ChapterExercises("config")

_LAYERS, _WINDOW = 4, 8
chapter.number(
    "how_far_back",
    "How far back?",
    {
        _LAYERS * (_WINDOW - 1): (
            "A window of 8 keys holds the token itself and the 7 before it, so each layer hands "
            "news on by 7 tokens, and four layers by 28. What a layer sees and what a model can "
            "know are two lengths: a test of a window must look at one layer, or count like this."
        ),
        _LAYERS * _WINDOW: (
            "Each layer would have to look 8 back. A window of 8 keys has the token's own key in "
            "it: how many does that leave for those before?"
        ),
        _WINDOW - 1: (
            "That is what one layer sees. But the token 7 back has, in the layer before, looked "
            "7 back itself."
        ),
        _WINDOW: (
            "One layer sees 8 keys, its own among them. And the layers before have looked, too."
        ),
        _LAYERS * (_WINDOW - 1) + 1: (
            "That is the number of tokens that have a say, the last one among them. How far back "
            "is the first of them?"
        ),
        (_WINDOW - 1) ** _LAYERS: "Steps back add up: they do not multiply.",
        _WINDOW**_LAYERS: "Steps back add up: they do not multiply.",
    },
    kind="hand",
    level=1,
    teaches="what a window of w keys holds",
    tolerance=0.4,
    otherwise="Follow a token backward: in the last layer it looks back by some number of tokens, "
    "and what it finds there has looked back by as many in the layer before.",
)


chapter.choice(
    "shorter_than_the_window",
    "Shorter than the window",
    {
        "Layers without positions were given a rotation.": (
            "Every score of those layers changes, except those of a token with itself. Two tokens "
            "are enough to show it."
        ),
        "The window is one token too wide.": (
            "As long as the text fits into the window, nothing is hidden, and both masks are the "
            "causal one. Test with a text longer than the window."
        ),
        "The near layers got the base of the far ones.": (
            "All pairs but the fastest turn by another angle, from offset 1 on. The scores differ "
            "a little in short texts, too."
        ),
        "The pairs are neighbors where they should be halves.": (
            "That changes every score except at offset 0, whatever the length."
        ),
    },
    right="b",
    kind="predict",
    level=1,
    teaches="which text shows which mistake",
)

_SCALE, _FLOOR, _POSITION = 0.1, 8192, 65_535


def _factor(count):
    return 1 + _SCALE * math.log(count)


_WHOLE = (_POSITION + 1) // _FLOOR
chapter.number(
    "factor_of_a_late_query",
    "The factor of a late query",
    {
        _factor(1 + _WHOLE): (
            f"{_POSITION + 1:,} tokens are {_WHOLE} times 8,192. One more, and the logarithm of "
            f"{1 + _WHOLE}, times 0.1, is added to 1. Below 8,191 the same rule gives ln 1 = 0: "
            "short texts stay as they were."
        ),
        _factor(_WHOLE): (
            "That is 1 + 0.1 ln 8. Either the 1 in the logarithm is missing, or position 65,535 "
            "was divided as it is: it is the 65,536th token."
        ),
        math.log(_POSITION + 1) / math.log(_FLOOR): (
            "That is the log-length temperature, ln n / ln n₀. Llama 4's rule comes close to it, "
            "and is not the same."
        ),
        1 + _SCALE * math.log10(1 + _WHOLE): "The logarithm is the natural one.",
        math.log(1 + _WHOLE): "This is the logarithm. It is multiplied by 0.1 and added to 1.",
    },
    kind="hand",
    level=1,
    teaches="a temperature that grows with the position",
    tolerance=0.002,
    otherwise="How many whole times does 8,192 go into the position plus 1? Add 1, take the "
    "natural logarithm, multiply by 0.1, and add 1.",
)


@chapter.function("Read the bases", kind="program", level=2, teaches="one base for each layer")
def base_of_each_layer(attempt):
    near, far = "sliding_attention", "full_attention"
    kinds = [near, near, near, far, near, near, near, far]
    plain = {"num_hidden_layers": 3, "rope_theta": 10000.0}
    two = {"num_hidden_layers": 8, "rope_theta": 1e6, "layer_types": kinds}
    some = {"num_hidden_layers": 6, "rope_theta": 5e6, "no_rope_layers": [1, 1, 0, 1, 1, 0]}
    both = two | {"rope_local_base_freq": 10000.0, "no_rope_layers": [1, 1, 1, 0] * 2}
    for config, why in [
        (plain, "nothing else is said: every layer has the base rope_theta"),
        (two, "there is no base for the sliding layers: all have rope_theta"),
        (two | {"rope_local_base_freq": 10000.0}, "sliding layers have the local base, if any"),
        (some, "a layer without positions has no base: 0"),
        (both, "two bases, and layers without any"),
    ]:
        n = config["num_hidden_layers"]
        got = attempt.array(config, shape=(n,), why="one number for each layer")
        attempt.close(got, bases(config), why)


def bases(config, local="sliding_attention", rotates=1):
    """Return the base of each layer; the options make popular mistakes."""
    n = config["num_hidden_layers"]
    kinds = config.get("layer_types", ["full_attention"] * n)
    of_local = config.get("rope_local_base_freq", config["rope_theta"])
    found = np.where(np.array(kinds) == local, of_local, config["rope_theta"])
    return found * (np.array(config.get("no_rope_layers", [rotates] * n)) == rotates)


@base_of_each_layer.mistake(
    "`no_rope_layers` says the opposite of its name: 1 means that the layer rotates"
)
def as_the_name_says(config):
    return bases(config, rotates=0)


@base_of_each_layer.mistake("the local base belongs to the layers with a sliding window")
def bases_exchanged(config):
    return bases(config, local="full_attention")


@base_of_each_layer.mistake("the layers with a sliding window have a base of their own")
def one_base_for_all(config):
    return bases(config, local=None)


@chapter.function(
    "Which pairs turn?", kind="debug", level=2, teaches="partial rotary and proportional rotary"
)
def turning_frequencies(attempt):
    for d_head, base, share in [(16, 100.0, 0.5), (64, 1e4, 0.25), (512, 1e6, 0.25), (8, 10.0, 1)]:
        for proportional, rule in [(False, "partial"), (True, "proportional")]:
            got = attempt.array(
                d_head,
                base,
                share,
                proportional,
                shape=(d_head // 2,),
                why="one frequency for each pair of the head, 0 where a pair does not turn",
            )
            turning = int(share * d_head / 2)
            why = f"of {d_head // 2} pairs the first {turning} turn, the others have frequency 0"
            attempt.equal(np.count_nonzero(got), turning, why)
            attempt.close(
                got,
                frequencies_of(d_head, base, share, proportional),
                f"the rule is {rule}: how far down does the slowest pair that turns go?",
                tolerance=1e-7,
            )


def frequencies_of(d_head, base, share, proportional, own=True):
    """Return the frequencies of all pairs; `own` gives partial rotary a ladder of its own."""
    turning = int(share * d_head / 2)
    partial = frequencies(2 * turning, base) if own else frequencies(d_head, base)[:turning]
    found = frequencies(d_head, base)[:turning] if proportional else partial
    return np.pad(found, (0, d_head // 2 - turning))


@turning_frequencies.mistake(
    "partial rotary treats the columns that turn as a whole head: their number is in the exponent"
)
def width_of_the_head_always(d_head, base, share, proportional):
    return frequencies_of(d_head, base, share, proportional, own=False)


@turning_frequencies.mistake(
    "proportional rotary keeps the frequencies of the whole head, and the slow ones stand still"
)
def ladder_of_its_own_always(d_head, base, share, proportional):
    return frequencies_of(d_head, base, share, False)
