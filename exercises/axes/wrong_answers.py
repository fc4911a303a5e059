"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np

from pecode.axes import resize_table, rotate_points


def clockwise(x, positions, frequencies):
    return rotate_points(x, -positions, frequencies)


def halves(x, positions, frequencies):
    return rotate_points(x, positions, frequencies, layout="half")


def first_axis_alone(x, positions, frequencies):
    if x.shape[1] == 2:
        return rotate_points(x, positions, frequencies)
    return rotate_points(x, positions[:, :1], frequencies[:, :1])


def sign_of_a_frequency_lost(x, positions, frequencies):
    return rotate_points(x, positions, np.abs(frequencies))


def written_over(x, positions, frequencies):
    angles, x = positions @ frequencies.T, x.copy()
    if x.shape[1] == 2:
        return rotate_points(x, positions, frequencies)
    x[:, 0::2] = x[:, 0::2] * np.cos(angles) - x[:, 1::2] * np.sin(angles)
    x[:, 1::2] = x[:, 0::2] * np.sin(angles) + x[:, 1::2] * np.cos(angles)
    return x


def axes_one_after_the_other_by_pair(x, positions, frequencies):
    """Pair i listens to axis i modulo the number of axes."""
    axis = np.arange(len(frequencies)) % frequencies.shape[1]
    if x.shape[1] == 2:
        return rotate_points(x, positions, frequencies)
    return rotate_points(x, positions, frequencies * (axis[:, None] == np.arange(axis.max() + 1)))


def nearest_row(table, n_new):
    places = (np.arange(n_new) + 0.5) * len(table) / n_new
    return table[places.astype(int)]


def corners_pinned(table, n_new):
    return resize_table(table, (len(table),), (n_new,), align_corners=True)


def from_the_left_edge(table, n_new):
    return _at(table, np.arange(n_new) * len(table) / n_new)


def half_a_patch_too_far(table, n_new):
    return _at(table, (np.arange(n_new) + 0.5) * len(table) / n_new)


def ends_run_on(table, n_new):
    """Outside the centers the line through the last two rows goes on."""
    places = (np.arange(n_new) + 0.5) * len(table) / n_new - 0.5
    if len(table) == 1:
        return np.repeat(table, n_new, axis=0)
    lower = np.clip(np.floor(places).astype(int), 0, len(table) - 2)
    share = (places - lower)[:, None]
    return (1 - share) * table[lower] + share * table[lower + 1]


def shares_swapped(table, n_new):
    places = np.clip((np.arange(n_new) + 0.5) * len(table) / n_new - 0.5, 0, len(table) - 1)
    if len(table) == n_new:
        return table
    lower = places.astype(int)
    upper, share = np.minimum(lower + 1, len(table) - 1), (places - lower)[:, None]
    return share * table[lower] + (1 - share) * table[upper]


def _at(table, places):
    places = np.clip(places, 0, len(table) - 1)
    lower = places.astype(int)
    share = (places - lower)[:, None]
    upper = np.minimum(lower + 1, len(table) - 1)
    return (1 - share) * table[lower] + share * table[upper]


def frames_for_steps(omega, trained, wanted):
    once = 2 * np.pi / omega
    return np.where((once > trained) & (once <= wanted), 0.9 * 2 * np.pi / wanted, omega)


def squeezed(omega, trained, wanted):
    return omega * (trained - 1) / (wanted - 1)


def all_slow_pairs(omega, trained, wanted):
    """All pairs that made less than a turn, not only those that now would complete one."""
    return np.where(2 * np.pi / omega > trained - 1, omega * trained / wanted, omega)


def a_whole_turn(omega, trained, wanted):
    once = 2 * np.pi / omega
    new = (once > trained - 1) & (once <= wanted - 1)
    return np.where(new, 2 * np.pi / (wanted - 1), omega)


def in_proportion(omega, trained, wanted):
    once = 2 * np.pi / omega
    new = (once > trained - 1) & (once <= wanted - 1)
    return np.where(new, omega * (trained - 1) / (wanted - 1), omega)


def one_pair_alone(omega, trained, wanted):
    """The fastest of the pairs that start over, as for a clip that is hardly longer."""
    once, answer = 2 * np.pi / omega, omega.copy()
    new = np.flatnonzero((once > trained - 1) & (once <= wanted - 1))
    answer[new[:1]] = 0.9 * 2 * np.pi / (wanted - 1)
    return answer


def as_it_was(omega, trained, wanted):
    return omega


def in_blocks(sections):
    return np.repeat(np.arange(3), sections)


def turns_without_end(sections):
    return np.arange(sum(sections)) % 3


def moving_up(sections):
    """An axis that has all its pairs drops out, and the next one takes its turn."""
    rounds = np.concatenate([np.arange(n) for n in sections])
    return in_blocks(sections)[np.lexsort((in_blocks(sections), rounds))]


def columns_before_rows(sections):
    axes = np.zeros(sum(sections), int)
    axes[1 : 3 * sections[2] : 3], axes[2 : 3 * sections[1] : 3] = 2, 1
    return axes


def ends_too_early(sections):
    """The section counts pairs, and was taken for the end of the turns."""
    axes = np.zeros(sum(sections), int)
    axes[1 : sections[1] : 3], axes[2 : sections[2] : 3] = 1, 2
    return axes


def an_axis_each_column(sections):
    return np.repeat(np.arange(sum(sections)) % 3, 2)


def as_on_squares(speeds):
    return np.concatenate([speed * np.eye(2) for speed in speeds])


def a_third_of_a_turn(speeds):
    """Three directions that are evenly spread on paper with square cells."""
    angles = np.arange(3) * 2 * np.pi / 3
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.concatenate([speed * directions for speed in speeds])


def differences(speeds):
    return np.concatenate([speed * np.array([[1, 0], [0, 1], [1, -1]]) for speed in speeds])


def no_turns(speeds):
    return np.zeros((len(speeds), 2))


def one_direction(speeds):
    return np.outer(speeds, [1.0, 1.0])


def whole_turns(speeds):
    """Vectors whose steps are whole turns: all cells look alike."""
    return 2 * np.pi * np.array([[1, 0], [0, 1], [1, 1]])


def without_the_speeds(speeds):
    return np.array([[1.0, 0], [0, -1], [-1, -1]])


def the_largest_speed(speeds):
    return max(speeds) * without_the_speeds(speeds)


WRONG = {
    "turn_points": [
        ("clockwise", clockwise, "turned clockwise"),
        ("the half layout", halves, "columns 2i and 2i + 1"),
        ("the first axis alone", first_axis_alone, "add up all of them"),
        ("sign lost", sign_of_a_frequency_lost, "turns the other way"),
        ("first column written over", written_over, "come from the old ones"),
        ("an axis for each pair", axes_one_after_the_other_by_pair, "each times the coordinate"),
    ],
    "resized": [
        ("the nearest row", nearest_row, "the nearest row alone"),
        ("corners pinned", corners_pinned, "pinned to each other"),
        ("from the left edge", from_the_left_edge, "drifts to one side"),
        ("half a patch too far", half_a_patch_too_far, "drifts to one side"),
        ("ends run on", ends_run_on, "where it lies outside"),
        ("shares swapped", shares_swapped, "the nearer row gets less"),
    ],
    "longer_clip": [
        ("frames for steps", frames_for_steps, "there are n - 1 steps"),
        ("every pair squeezed", squeezed, "would blur the order"),
        ("all slow pairs", all_slow_pairs, "cannot start over"),
        ("a whole turn", a_whole_turn, "ends where it began"),
        ("in proportion", in_proportion, "wherever they stood"),
        ("one pair alone", one_pair_alone, "makes 0.9 of a turn"),
        ("nothing changed", as_it_was, "makes 0.9 of a turn"),
    ],
    "axis_of_each_pair": [
        ("blocks", in_blocks, "these are blocks"),
        ("turns without end", turns_without_end, "say how many turns"),
        ("the next moves up", moving_up, "nobody moves up"),
        ("columns before rows", columns_before_rows, "row comes before the column"),
        ("turns end too early", ends_too_early, "as many as its section says"),
        ("an axis for each column", an_axis_each_column, "one axis for each pair"),
    ],
    "hexagon_frequencies": [
        ("as on squares", as_on_squares, "they must be equal"),
        ("a third of a turn", a_third_of_a_turn, "they must be equal"),
        ("differences", differences, "they must be equal"),
        ("no turns", no_turns, "from one cell to the next"),
        ("one direction", one_direction, "they must be equal"),
        ("whole turns", whole_turns, "from one cell to the next"),
        ("speeds not used", without_the_speeds, "vectors of its own"),
        ("the largest speed alone", the_largest_speed, "vectors of its own"),
    ],
}
