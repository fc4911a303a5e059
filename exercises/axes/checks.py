"""Pictures and text, points that turn, scores that are sums, grids, clips, sections, hexagons."""

import numpy as np

from exercises.registry import ChapterExercises
from pecode import frequencies
from pecode.axes import grid_positions, resize_table, rotate_points, section_frequencies

chapter = ChapterExercises("axes")

_WORDS, _PICTURES = (12, 8, 5), ((20, 36), (30, 15))


def _last_word(used):
    """The position of the last word when a picture of this shape uses up so many positions."""
    return sum(_WORDS) + sum(used(*shape) for shape in _PICTURES) - 1


chapter.number(
    "last_word_of_a_conversation",
    "The last word of a conversation",
    {
        _last_word(max): (
            "A picture uses as many positions as its longer side has patches, 36 and 30. With 25 "
            "words that makes 91 positions, and the last of them is 90, since the first is 0."
        ),
        _last_word(max) + 1: "That many positions are used. The first of them is 0, not 1.",
        _last_word(lambda rows, columns: rows * columns): (
            "That is one position for each patch. In M-RoPE the patches of a picture share rows "
            "and columns: the largest number of a picture is that of its longer side."
        ),
        _last_word(lambda rows, columns: 1): (
            "The patches of a picture share one time, but the text goes on after the largest "
            "number that was used on any axis."
        ),
        _last_word(lambda rows, columns: rows): (
            "That counts rows. Where a picture is wider than high, its columns reach further."
        ),
        _last_word(lambda rows, columns: columns): (
            "That counts columns. Where a picture is higher than wide, its rows reach further."
        ),
        _last_word(lambda rows, columns: rows + columns): (
            "Rows and columns start from the same number; they do not follow each other."
        ),
    },
    kind="hand",
    level=1,
    teaches="positions of text and pictures",
    tolerance=0.4,
    otherwise="Write down the position of the first word, of the last patch of the first picture "
    "on all three axes, and of the word after it. Then the same for the second picture.",
)


@chapter.function(
    "Turn to a point", kind="program", level=2, teaches="frequency vectors, any number of axes"
)
def turn_points(attempt):
    one = attempt.array(
        np.array([[1.0, 0.0]]), np.array([[2.0, 1.0]]), np.array([[0.5, -0.25]]), shape=(1, 2)
    )
    attempt.close(
        one,
        [[np.cos(0.75), np.sin(0.75)]],
        "the frequency vector (0.5, -0.25) at the point (2, 1) gives the angle 2 · 0.5 - 1 · 0.25 "
        "= 0.75 radians, counterclockwise",
    )
    rng = np.random.default_rng(0)
    for n_axes, n_pairs in [(1, 3), (2, 4), (3, 2), (4, 5)]:
        x = rng.normal(size=(6, 2 * n_pairs))
        points, omega = rng.normal(size=(6, n_axes)), rng.normal(size=(n_pairs, n_axes))
        got = attempt.array(x, points, omega, shape=x.shape, why="every row is turned")
        attempt.keeps_lengths(got, x)
        attempt.close(
            got,
            rotate_points(x, points, omega),
            f"with {n_axes} axes, pair i turns by the sum of its {n_axes} frequencies, each times "
            "the coordinate of its axis",
        )


@turn_points.mistake("the arrow turned clockwise")
def clockwise(x, positions, frequencies):
    return rotate_points(x, -positions, frequencies)


@turn_points.mistake("pair i is in columns 2i and 2i + 1")
def halves(x, positions, frequencies):
    return rotate_points(x, positions, frequencies, layout="half")


@turn_points.mistake("only the first axis counts here: add up all of them")
def first_axis_alone(x, positions, frequencies):
    return rotate_points(x, positions[:, :1], frequencies[:, :1])


@turn_points.mistake("a negative frequency turns the other way")
def sign_of_a_frequency_lost(x, positions, frequencies):
    return rotate_points(x, positions, np.abs(frequencies))


_MAPS = (
    ((3, 1, 1), (1, 3, 1), (1, 1, 3)),
    ((1, 2, 1), (2, 4, 2), (1, 2, 1)),
    ((4, 2, 3), (3, 1, 2), (5, 3, 4)),
    ((2, 0, 2), (0, 2, 0), (2, 0, 2)),
)
_A, _B, _C, _D = ("; ".join(" ".join(map(str, row)) for row in one) for one in _MAPS)

chapter.choice(
    "map_of_an_axial_head",
    "Which map is axial?",
    {
        _A: (
            "A bright diagonal. In the upper left square its corners sum to 3 + 3, and the other "
            "two to 1 + 1. Sums of f and g cannot do that."
        ),
        _B: (
            "Here every row is a multiple of the others: these are products. The upper left square "
            "has 1 + 4 on one diagonal and 2 + 2 on the other. After the softmax, the *weights* of "
            "an axial head are products, but the scores are sums."
        ),
        _C: (
            "From row to row all three columns change by the same amount, by -1 and then by +2. So "
            "the map is f(a) + g(b), and in each square the two diagonals have equal sums."
        ),
        _D: (
            "A chessboard. From the first row to the second, the first column falls by 2 and the "
            "second rises by 2: no f(a) does both."
        ),
    },
    right="c",
    kind="prove",
    level=2,
    teaches="scores as sums",
)


@chapter.function(
    "Repair a grid that drifts", kind="debug", level=2, teaches="centers, interpolation"
)
def resized(attempt):
    rng = np.random.default_rng(1)
    for n_old, n_new in [(4, 8), (6, 9), (5, 5), (9, 3), (1, 4), (14, 32)]:
        ruler = attempt.array(np.arange(n_old)[:, None] * 1.0, n_new, shape=(n_new, 1))
        attempt.close(
            ruler[:, 0],
            centers(n_old, n_new),
            "this table says where its rows are. A new patch must look at its own center, or at "
            "the first or the last row where it lies outside",
        )
        table = rng.normal(size=(n_old, 3))
        got = attempt.array(table, n_new, shape=(n_new, 3), why="one row for each new patch")
        attempt.close(
            got,
            resize_table(table, (n_old,), (n_new,)),
            "the place is right, and the row is not the weighted mean of the two around it",
        )


def centers(n_old, n_new):
    """Return where the centers of new patches lie, in old ones, none of them outside."""
    return np.clip((np.arange(n_new) + 0.5) * n_old / n_new - 0.5, 0, n_old - 1)


def rows_at(table, places):
    """Return the weighted means of the two rows around each place."""
    n_old = len(table)
    share = np.maximum(0, 1 - np.abs(places[:, None] - np.arange(n_old)))
    return share @ table


@resized.mistake("the nearest row alone: take the mean of the two around")
def nearest_row(table, n_new):
    places = (np.arange(n_new) + 0.5) * len(table) / n_new
    return table[places.astype(int)]


@resized.mistake("here the outermost centers are pinned to each other")
def corners_pinned(table, n_new):
    return resize_table(table, (len(table),), (n_new,), align_corners=True)


@resized.mistake(
    "everything drifts to one side: where is the center of new patch 0, in old patches?"
)
def from_the_left_edge(table, n_new):
    places = np.arange(n_new) * len(table) / n_new
    return rows_at(table, np.minimum(places, len(table) - 1))


@resized.mistake("the nearer row gets less")
def shares_swapped(table, n_new):
    places = centers(len(table), n_new)
    return rows_at(table, np.floor(places) + np.ceil(places) - places)


def _turns(omega, frames):
    """How often each pair goes round from the first frame of a clip to its last."""
    return np.asarray(omega) * (frames - 1) / (2 * np.pi)


def slowed(omega, trained, wanted, to=0.9):
    """Return the frequencies with those slowed that complete a turn in `wanted` steps only."""
    new = (omega * trained < 2 * np.pi) & (omega * wanted >= 2 * np.pi)
    return np.where(new, to * 2 * np.pi / wanted, omega)


@chapter.function(
    "A longer clip", kind="program", level=2, teaches="which pairs make a video start over"
)
def longer_clip(attempt):
    for width, base, trained, wanted in [
        (16, 256.0, 33, 65),  # HunyuanVideo, a clip twice as long
        (16, 256.0, 33, 129),
        (44, 10000.0, 21, 61),  # the widths and the base of Wan
        (16, 256.0, 33, 40),
        (16, 256.0, 20, 26),  # a turn of pair 2 takes 25.1 steps, and 26 frames are 25 of them
        (2, 10.0, 5, 9),
    ]:
        omega = frequencies(width, base)
        got = attempt.array(
            omega, trained, wanted, shape=omega.shape, why="one frequency for each pair"
        )
        known, fast = _turns(omega, trained) >= 1, _turns(omega, wanted) >= 1
        attempt.close(
            got[known],
            omega[known],
            "these pairs complete a turn in a clip of the training: the model knows all their "
            "angles. To slow them would blur the order of neighboring frames",
            tolerance=1e-7,
        )
        attempt.close(
            got[~fast],
            omega[~fast],
            "these pairs do not complete a turn in the longer clip either: they cannot start over, "
            "and they tell early from late",
            tolerance=1e-7,
        )
        attempt.close(
            got,
            slowed(omega, trained - 1, wanted - 1),
            "a pair that would complete its first turn in the longer clip now makes 0.9 of a turn "
            "from the first frame to the last",
            tolerance=1e-7,
        )


@longer_clip.mistake("from the first of n frames to the last there are n - 1 steps")
def frames_for_steps(omega, trained, wanted):
    return slowed(omega, trained, wanted)


@longer_clip.mistake("a whole turn ends where it began: go 0.9 of it")
def a_whole_turn(omega, trained, wanted):
    return slowed(omega, trained - 1, wanted - 1, to=1)


@longer_clip.mistake("these pairs must go 0.9 of a turn, wherever they stood in the training")
def in_proportion(omega, trained, wanted):
    as_before = _turns(omega, trained)
    return slowed(omega, trained - 1, wanted - 1, to=as_before)


@chapter.function(
    "Right on text, wrong on pictures", kind="debug", level=2, teaches="sections that take turns"
)
def axis_of_each_pair(attempt):
    for sections in [(2, 2, 2), (24, 20, 20), (11, 11, 10), (4, 1, 2), (3, 1, 0)]:
        n = sum(sections)  # of Qwen3-VL, then Qwen3.5, then to tell the rules apart
        got = attempt.array(sections, shape=(n,), why="one axis for each pair")
        vectors = section_frequencies(2 * n, sections, interleaved=True)
        attempt.close(
            got,
            vectors.argmax(axis=1),
            "the row has the pairs 1, 4, 7 and so on, the column the pairs 2, 5, 8 and so on, each "
            "as many as its section says, and the time has all others",
        )


@axis_of_each_pair.mistake("these are blocks: rows and columns are left with the slow pairs")
def in_blocks(sections):
    return np.repeat(np.arange(3), sections)


@axis_of_each_pair.mistake("the sections say how many turns the row and the column have")
def turns_without_end(sections):
    return np.arange(sum(sections)) % 3


@axis_of_each_pair.mistake(
    "nobody moves up: where the row or the column has all its pairs, its turn goes to the time"
)
def moving_up(sections):
    rounds = np.concatenate([np.arange(n) for n in sections])
    return in_blocks(sections)[np.argsort(rounds, kind="stable")]


@axis_of_each_pair.mistake("the row comes before the column")
def columns_before_rows(sections):
    vectors = section_frequencies(2 * sum(sections), sections, interleaved=True)
    return np.array([0, 2, 1])[vectors.argmax(axis=1)]


_SIXTH = np.array([[0, -1], [1, 1]])  # a sixth of a turn, in the two coordinates of the cells
_NEIGHBORS = [np.linalg.matrix_power(_SIXTH, k) @ (1, 0) for k in range(6)]


@chapter.function("Hexagons", kind="extend", level=3, teaches="frequency vectors of one's own")
def hexagon_frequencies(attempt):
    offsets = grid_positions((17, 17)) - 8
    for speeds in ([1.0], [1.0, 0.3], [2.0, 0.7, 0.2]):
        got = attempt.array(np.array(speeds))
        attempt.true(
            got.ndim == 2 and got.shape[1] == 2 and 1 <= len(got) <= 6 * len(speeds),
            f"1 to {6 * len(speeds)} frequency vectors of two numbers",
            f"the shape {got.shape}",
            "a row for each pair, a column for each of the two coordinates",
        )

        def score(offset, got=got):
            return np.cos(np.asarray(offset) @ got.T).mean(axis=-1)

        near = score(_NEIGHBORS)
        attempt.close(
            near,
            np.full(6, near[0]),
            "these are the scores of the six neighbors, at the offsets (1, 0), (0, 1), (-1, 1), "
            "(-1, 0), (0, -1) and (1, -1): they must be equal",
        )
        attempt.close(
            score(offsets @ _SIXTH.T),
            score(offsets),
            "the neighbors are equal, but farther cells are not: a sixth of a turn around the "
            "query takes some cell to one with another score. (Vectors do not turn as offsets do: "
            "which vector gives ω · (-v, u + v)?)",
        )
        lively = 0.5 * (1 - np.cos(max(speeds)))
        attempt.true(
            near[0] <= 1 - lively / 3,
            f"neighbors that score {1 - lively / 3:.3f} or less",
            f"{near[0]:.3f}",
            "pairs with the largest speed turn by about as much from one cell to the next",
        )
        angles = np.abs(_NEIGHBORS @ got.T)  # of each pair, from the query to each neighbor
        for speed in speeds:
            nearest = angles.flat[np.abs(angles - speed).argmin()]
            attempt.true(
                abs(nearest - speed) <= 0.25 * speed,
                f"some pair turns by about {speed:g} on the way to some neighbor",
                f"the nearest to it is {nearest:.3f}",
                "each of the speeds has vectors of its own",
            )
