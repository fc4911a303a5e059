"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.config.checks import frequencies_of
from pecode import frequencies


def base_of_each_layer(config):
    """The base of each layer, (n,); 0 where a layer does not rotate."""
    n = config["num_hidden_layers"]
    bases = np.full(n, float(config["rope_theta"]))
    if "rope_local_base_freq" in config and "layer_types" in config:
        sliding = np.array(config["layer_types"]) == "sliding_attention"
        bases[sliding] = config["rope_local_base_freq"]
    rotates = np.array(config.get("no_rope_layers", [1] * n))  # 1: it does
    return bases * rotates


def turning_frequencies(d_head, base, share, proportional):
    """The frequency of each pair, (d_head / 2,); 0 where it stands still."""
    turning = int(share * d_head / 2)  # the first pairs
    width = d_head if proportional else 2 * turning
    omega = np.zeros(d_head // 2)
    omega[:turning] = frequencies(width, base)[:turning]
    return omega


# Wrong answers


def none_for_no_rotation(config):
    return [base or None for base in base_of_each_layer(config)]


def only_layers_that_rotate(config):
    found = base_of_each_layer(config)
    return found[found > 0]


def all_turn(d_head, base, share, proportional):
    return frequencies(d_head, base)


def slow_ones_turn(d_head, base, share, proportional):
    return frequencies_of(d_head, base, share, proportional)[::-1]


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "base_of_each_layer": {
        none_for_no_rotation: "one number for each layer",
        only_layers_that_rotate: "one number for each layer",
    },
    "turning_frequencies": {
        all_turn: "the others have frequency 0",
        slow_ones_turn: "how far down",
    },
}
