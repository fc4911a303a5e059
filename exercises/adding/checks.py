"""Words and positions in one vector."""

import numpy as np

from exercises.registry import ChapterExercises
from pecode import sinusoidal

chapter = ChapterExercises("adding")

_SIZE, _WIDTH = 0.02, 768
chapter.number(
    "factor_for_small_words",
    "A factor for small words",
    {
        1 / _SIZE: (
            f"A word has the length {_SIZE}·√{_WIDTH} = {_SIZE * _WIDTH**0.5:.3f}, a position "
            f"√({_WIDTH}/2) = {(_WIDTH / 2) ** 0.5:.1f}. The word must be √2 times as long as the "
            "position, √768: the width cancels. The factor brings the entries of the words to size "
            "1, and in the original model, where they start at 1/√d, this factor is √d."
        ),
        _WIDTH**0.5: (
            f"Is this √d, copied? It belongs to entries of size 1/√{_WIDTH} = {_WIDTH**-0.5:.3f}; "
            "these are smaller, and the words would still be too short. Or is this the length the "
            "word should have? Divide by the length it has."
        ),
        0.5**0.5 / _SIZE: (
            "With this factor word and position are equally long. The position should be shorter."
        ),
        0.5 / _SIZE: (
            "That is upside down: it makes the *word* 0.71 times as long as the position."
        ),
        2**0.5 / _SIZE: (
            "With this factor the word is twice as long as the position. It should be √2 times as "
            "long: did you use √2 twice?"
        ),
        1 / (_SIZE * _WIDTH**0.5): (
            "This brings the word to length 1. That is not the aim: the position has "
            f"length √({_WIDTH}/2) = {(_WIDTH / 2) ** 0.5:.1f}, and the word should be √2 times as "
            "long."
        ),
        1: (
            "Without a factor, which is a factor of 1, a position is "
            f"{0.5**0.5 / _SIZE:.0f} times as long as a word. A factor near 1 changes little."
        ),
    },
    kind="hand",
    level=1,
    teaches="how long words and positions are",
    tolerance=0.4,
    otherwise="How long is a word with 768 entries of size 0.02? How long is a position? What "
    "should the quotient be?",
)


@chapter.function(
    "Repair the sum", kind="debug", level=1, teaches="which axis is which, and what is scaled"
)
def with_positions(attempt):
    rng = np.random.default_rng(0)
    for n_texts, length, d_model in [(2, 4, 16), (4, 2, 8), (3, 3, 4), (1, 5, 6)]:
        places = sinusoidal(range(7), d_model) + 0.1 * rng.normal(size=(7, d_model))
        shape = (n_texts, length, d_model)
        text = rng.normal(size=(length, d_model))
        why = "the sum has a vector for every word of every text"
        alike = np.tile(text, (n_texts, 1, 1))
        note = "The table may be longer than the texts: take its first rows"
        got = attempt.array(alike, places, shape=shape, why=why, note=note)
        far = np.abs(got - got[0]).max(axis=(1, 2)).argmax()
        attempt.close(
            got[far] - got[0],
            np.zeros((length, d_model)),
            f"(shown: text {far} minus text 0) all texts of this batch are the same, so all their "
            "sums are, and the difference is 0",
        )
        alike = np.tile(rng.normal(size=d_model), (n_texts, length, 1))
        got = attempt.array(alike, places, shape=shape, why=why)
        steps = np.diff(places[:length], axis=0)
        attempt.close(
            np.diff(got, axis=1),
            np.tile(steps, (n_texts, 1, 1)),
            "(shown: each sum minus the one before it) here each text is one word again and again: "
            "the word falls out, and the step from one position to the next is left",
        )
        words = rng.normal(size=shape)
        got = attempt.array(words, places, shape=shape, why=why)
        attempt.close(
            got - places[:length],
            d_model**0.5 * words,
            "these are the sums less the positions: the words are left, √d_model times as long",
        )


@with_positions.mistake(
    "the steps from one position to the next are √d_model times too long: were the positions "
    "multiplied, too?"
)
def only_the_axis(words, places):
    return (words + places[: words.shape[1]]) * np.sqrt(words.shape[-1])


@with_positions.mistake("the words are as long as before: they should be √d_model times as long")
def without_the_root(words, places):
    return words + places[: words.shape[1]]


@with_positions.mistake("the words are divided by √d_model: they should be multiplied")
def divided(words, places):
    return words / np.sqrt(words.shape[-1]) + places[: words.shape[1]]


@with_positions.mistake("the words are multiplied by d_model, not by its root")
def without_root(words, places):
    return words * words.shape[-1] + places[: words.shape[1]]


@with_positions.mistake(
    "these are the steps of later rows: the first word gets the first row of the table"
)
def one_row_further(words, places):
    return words * np.sqrt(words.shape[-1]) + places[1 : words.shape[1] + 1]


@with_positions.mistake("the positions have the wrong sign")
def subtracted(words, places):
    return words * np.sqrt(words.shape[-1]) - places[: words.shape[1]]


@with_positions.mistake(
    "the same word at two places has the same sum: nothing in it says which comes first"
)
def one_position_for_all(words, places):
    return words * np.sqrt(words.shape[-1]) + places[words.shape[1] - 1]


@with_positions.mistake(
    "these are the steps of sinusoids: the table `places` is given, and holds other rows"
)
def sinusoids_instead(words, places):
    return words * np.sqrt(words.shape[-1]) + sinusoidal(range(words.shape[1]), words.shape[-1])


chapter.choice(
    "a_minus_for_good",
    "A minus on purpose",
    {
        "Nothing: other words and matrices give the same outputs.": (
            "Let S have the signs on its diagonal, so S S = 1. The sum e + p S is (e S + p) S. "
            "A model that adds p everywhere, with the words e S and with S multiplied into its "
            "matrices, computes the same. Random words with some signs changed are random words, "
            "so such a start is as likely, and training moves both alike: what one can learn, the "
            "other can. (Only a normalization that subtracts the mean of the entries could see the "
            "signs. And a sign does harm where it is not always the same: in a single row, or "
            "beside weights that were trained with the other one.)"
        ),
        "The shift. With a minus the hands turn backward, and offsets change their sign.": (
            "A hand turns backward when *one* of its two entries changes sign. Here both do: the "
            "hand points the other way and turns in the same direction, by the same matrix. (And "
            "if only one did: a hand that turns backward tells offsets as well as any other.)"
        ),
        "The words. What is subtracted from a word is missing from it afterward.": (
            "Nothing is missing: word = result + position, just as word = sum − position before. "
            "And −p is as far from a random word as p is."
        ),
        "The bound. Entries of word minus position can be larger than those of the sum.": (
            "Some are larger, some smaller, just as in the sum: −p has the same length as p, and a "
            "word has entries of both signs."
        ),
    },
    right="a",
    kind="prove",
    level=2,
    teaches="what a model can see of a table",
)


def cosine(u, v):
    """Return the cosine similarity of two vectors."""
    return u @ v / np.sqrt((u @ u) * (v @ v))


def cosines(e, f, p, q):
    """Return the similarity of the words, of the positions and of the sums."""
    return cosine(e, f), cosine(p, q), cosine(e + p, f + q)


@chapter.function(
    "Soar and migration", kind="program", level=2, teaches="similarity before and after the sum"
)
def three_cosines(attempt):
    rng = np.random.default_rng(0)
    soar, migration = rng.normal(size=(2, 512))
    soar[[0, 1, 2, -1]] = 0.12, -0.48, 0.85, -0.03
    other = 0.6 * soar + 0.8 * migration
    cases = [(soar, migration, 1, 6), (soar, other, 1, 6), (0.04 * soar, 0.3 * other, 3, 60)]
    for width, s, t in [(8, 0, 5), (32, 9, 9), (130, 7, 200)]:
        cases.append((*rng.normal(size=(2, width)), s, t))
    for e, f, s, t in cases:
        words, positions, sums = attempt.parts(e, f, s, t, words=(), positions=(), sums=())
        of_words, of_positions, of_sums = cosines(e, f, *sinusoidal([s, t], len(e)))
        attempt.close(
            words,
            of_words,
            "the first number is the cosine similarity of the two words alone",
        )
        attempt.close(
            positions,
            of_positions,
            "the second number is the cosine similarity of the encodings of s and t, with the "
            "frequencies of the paper and base 10000",
        )
        attempt.close(
            sums,
            of_sums,
            "the third number is the cosine similarity of e plus the encoding of s, and f plus "
            "that of t",
        )


@three_cosines.mistake(
    "with this the factor 2 stands in the exponent twice: is your variable the pair i, or "
    "already the column 2i?"
)
def factor_doubled(e, f, s, t):
    return cosines(e, f, *sinusoidal([s, t], len(e), base=10000.0**2))


@three_cosines.mistake(
    "with this the factor 2 is missing in the exponent, or the base is 100, which is the "
    "same: is your variable the pair i, or the column 2i?"
)
def factor_lost(e, f, s, t):
    return cosines(e, f, *sinusoidal([s, t], len(e), base=100.0))


@three_cosines.mistake("a cosine stands before its sine: the sine comes first")
def cosine_first(e, f, s, t):
    p, q = sinusoidal([s, t], len(e)).reshape(2, -1, 2)[..., ::-1].reshape(2, -1)
    return cosines(e, f, p, q)


@three_cosines.mistake("the words stay as they are, no factor")
def words_multiplied(e, f, s, t):
    root = np.sqrt(len(e))
    return cosines(root * e, root * f, *sinusoidal([s, t], len(e)))


@three_cosines.mistake("positions s and t as given: nothing is added to them")
def positions_from_one(e, f, s, t):
    return cosines(e, f, *sinusoidal([s + 1, t + 1], len(e)))


@three_cosines.mistake(
    "this is the number of the sums: did you return words, positions, sums, in this order?"
)
def sums_first(e, f, s, t):
    words, positions, sums = cosines(e, f, *sinusoidal([s, t], len(e)))
    return sums, words, positions


@three_cosines.mistake("each word got the position of the other one")
def positions_exchanged(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    return cosines(e, f, q, p)


@three_cosines.mistake("here the positions are subtracted")
def positions_subtracted(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    return cosines(e, f, -p, -q)


@three_cosines.mistake(
    "the sines stand in the first half and the cosines in the second: a sine and its cosine "
    "should stand side by side"
)
def halves_side_by_side(e, f, s, t):
    return cosines(e, f, *sinusoidal([s, t], len(e), layout="concatenated"))


@three_cosines.mistake("this is the dot product of the words: a cosine is divided by both lengths")
def dot_products(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    return e @ f, p @ q, (e + p) @ (f + q)


@three_cosines.mistake("divided by the lengths of the words: the sums have lengths of their own")
def lengths_of_the_words(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    product = (e + p) @ (f + q) / np.linalg.norm(e) / np.linalg.norm(f)
    return cosine(e, f), cosine(p, q), product


@chapter.function(
    "Untied, in one attention", kind="extend", level=3, teaches="a sum and its four terms"
)
def untied_in_one(attempt):
    rng = np.random.default_rng(0)

    def drawn(length, d_word, d_place, n_word, n_place):
        words, places = rng.normal(size=(length, d_word)), rng.normal(size=(length, d_place))
        w_query, w_key = rng.normal(size=(2, d_word, n_word))
        u_query, u_key = rng.normal(size=(2, d_place, n_place))
        return words, places, w_query, w_key, u_query, u_key

    def answer(*args):
        x, query, key = attempt.parts(*args, x=None, query=None, key=None)
        length = len(args[0])
        fits = x.ndim == query.ndim == 2 and query.shape == key.shape
        attempt.true(
            fits and len(x) == length and x.shape[1] == len(query),
            f"x of shape ({length}, n), query and key both of shape (n, m)",
            f"shapes {x.shape}, {query.shape}, {key.shape}",
            "x @ query and x @ key must have rows of one width, one row for each place",
        )
        return x, query, key

    for sizes in [(5, 4, 4, 5, 5), (5, 4, 2, 3, 1), (3, 1, 6, 2, 5)]:  # length, widths
        first = drawn(*sizes)
        words, places, w_query, w_key, u_query, u_key = first
        x, query, key = answer(*first)
        expected = words @ w_query @ (words @ w_key).T + places @ u_query @ (places @ u_key).T
        scores = x @ query @ (x @ key).T
        why = (
            "these are the scores x @ query @ (x @ key).T: word to word plus position to position, "
            "and no mixed terms"
        )
        factor = (scores * expected).sum() / (expected**2).sum()
        if abs(factor) > 1e-6 and np.allclose(scores, factor * expected):
            why = f"the right scores, times {factor:.3g}: by a factor. Nothing is divided here"
        elif shared := _shared(x, words, places, query) or _shared(x, words, places, key):
            why = (
                f"W and U share columns of your matrix ({shared}): what they give there is added, "
                "and the mixed terms are back"
            )
        attempt.close(scores, expected, why)
        length, d_word, d_place, *_ = sizes
        other = rng.normal(size=(length + 1, d_word)), rng.normal(size=(length + 1, d_place))
        _, same_query, same_key = answer(*other, *first[2:])
        fixed = same_query.shape == query.shape
        attempt.true(
            fixed and np.allclose(same_query, query) and np.allclose(same_key, key),
            "the same query and key as for another text",
            "others",
            "they are weights: they are made before any text is seen",
        )
        again = drawn(*sizes)
        same_x, *_ = answer(words, places, *again[2:])
        attempt.true(
            same_x.shape == x.shape and np.allclose(same_x, x),
            "the same x as with other matrices",
            "another x",
            "x is made of the words and the positions alone; the weights come after it",
        )


def blocks(w, u):
    """Return a matrix with w above u, each in columns of its own."""
    return np.block([[w, np.zeros((len(w), u.shape[1]))], [np.zeros((len(u), w.shape[1])), u]])


@untied_in_one.mistake(
    "all four terms are in these scores: where do a word's query and a position's key meet, "
    "and what could keep them apart?"
)
def all_four_terms(words, places, w_query, w_key, u_query, u_key):
    x = np.hstack([words, places])
    if w_query.shape[1] != u_query.shape[1]:
        raise ValueError("widths differ")
    return x, np.vstack([w_query, u_query]), np.vstack([w_key, u_key])


@untied_in_one.mistake("words and positions are added: one matrix then meets both of them")
def added(words, places, w_query, w_key, u_query, u_key):
    return words + places, w_query, w_key


@untied_in_one.mistake("query and key are exchanged: row t is the place that looks")
def exchanged(words, places, w_query, w_key, u_query, u_key):
    return np.hstack([words, places]), blocks(w_key, u_key), blocks(w_query, u_query)


@untied_in_one.mistake("word to word is there, position to position is missing")
def words_alone(words, places, w_query, w_key, u_query, u_key):
    return words, w_query, w_key


@untied_in_one.mistake("position to position is there, word to word is missing")
def positions_alone(words, places, w_query, w_key, u_query, u_key):
    return places, u_query, u_key


def _shared(x, words, places, matrix):
    """Name the columns of a matrix that a word and a position reach, if x has them side by side."""
    if x.shape[1] != words.shape[1] + places.shape[1]:
        return ""
    for first, second in [(words, places), (places, words)]:
        if np.allclose(x, np.hstack([first, second])):
            above, below = matrix[: first.shape[1]], matrix[first.shape[1] :]
            both = np.flatnonzero(above.any(axis=0) & below.any(axis=0))
            return ", ".join(map(str, both))
    return ""
