"""Chapter 7: words and positions in one vector."""

import numpy as np

from exercises._registry import Chapter
from pecode import similarity, sinusoidal

chapter = Chapter("07-adding")

_SIZE, _WIDTH = 0.02, 768
chapter.number(
    "factor_for_small_words",
    "A factor for small words",
    [
        (
            1 / _SIZE,
            f"A word has the length {_SIZE}·√{_WIDTH} = {_SIZE * _WIDTH**0.5:.3f}, a position "
            f"√({_WIDTH}/2) = {(_WIDTH / 2) ** 0.5:.1f}. The word must be √2 times as long as the "
            "position, √768: the width cancels. The factor brings the entries of the words to size "
            "1, and in the original model, where they start at 1/√d, this factor is √d.",
        ),
        (
            _WIDTH**0.5,
            f"You copied √d. It belongs to entries of size 1/√{_WIDTH} = {_WIDTH**-0.5:.3f}. "
            "These are smaller: the words would remain too short.",
        ),
        (
            0.5**0.5 / _SIZE,
            "With this factor word and position are equally long. The position should be shorter.",
        ),
        (
            0.5 / _SIZE,
            "That is upside down: it makes the *word* 0.71 times as long as the position.",
        ),
        (1, f"Then a position stays {0.5**0.5 / _SIZE:.0f} times as long as a word."),
    ],
    kind="hand",
    level=1,
    trains="how long words and positions are",
    tolerance=0.5,
    otherwise="How long is a word with 768 entries of size 0.02? How long is a position? What "
    "should the quotient be?",
)


@chapter.function(
    "Mend the sum", kind="debug", level=1, trains="which axis is which, and what is scaled"
)
def with_positions(attempt):
    rng = np.random.default_rng(0)
    for n_texts, length, d_model in [(2, 4, 16), (4, 2, 8), (3, 3, 4), (1, 5, 6)]:
        places = sinusoidal(range(7), d_model) + 0.1 * rng.normal(size=(7, d_model))
        shape = (n_texts, length, d_model)
        text = rng.normal(size=(length, d_model))
        why = "the sum has a vector for every word of every text"
        got = attempt.array(np.tile(text, (n_texts, 1, 1)), places, shape=shape, why=why)
        attempt.close(
            got - got[:1],
            np.zeros(shape),
            "all texts of this batch are the same, so all their sums are: what you see here is by "
            "how much they differ from the first text",
        )
        alike = np.tile(rng.normal(size=d_model), (n_texts, length, 1))
        got = attempt.array(alike, places, shape=shape, why=why)
        steps, expected = (
            np.diff(got, axis=1),
            np.diff(places[:length], axis=0) + np.zeros((n_texts, length - 1, d_model)),
        )
        attempt.close(
            steps,
            expected,
            "here each text is one word again and again, and these are the steps from one sum to "
            "the next: the word falls out, and the step from one position to the next is left",
            mistakes=[
                (0 * expected, "the same word at two places has the same sum: nothing in it says "
                 "which is first"),
                (d_model**0.5 * expected, "the steps from one position to the next are √d_model "
                 "times too long: were the positions multiplied, too?"),
                (-expected, "the positions have the wrong sign"),
            ],
        )  # fmt: skip
        words = rng.normal(size=shape)
        got = attempt.array(words, np.zeros((7, d_model)), shape=shape, why=why)
        root = d_model**0.5
        attempt.close(
            got,
            root * words,
            "here all positions are zero, so the words are left, √d_model times as long",
            mistakes=[
                (words, "the words are as long as before: they should be √d_model times as long"),
                (words / root, "the words are divided by √d_model: they should be multiplied"),
                (d_model * words, "the words are multiplied by d_model, not by its root"),
            ],
        )
        got = attempt.array(words, places, shape=shape, why=why)
        attempt.close(
            got,
            root * words + places[:length],
            "word times √d_model plus position, the first word with the first row of the table",
        )


chapter.choice(
    "a_minus_for_good",
    "A minus for good",
    [
        (
            "Nothing. A product or distance of two positions is what it was.",
            "Positions now are p S, where S has 1 and -1 on its diagonal, and (p S)·(q S) = p·q. "
            "Here it is even simpler: the signs come in pairs, so seven of the eight hands point "
            "the other way and turn as before. A sign only does harm where it is not the same "
            "everywhere: in a single row, or beside weights that were trained with the other one.",
            True,
        ),
        (
            "The shift. With a minus the hands turn backwards, and offsets change their sign.",
            "A hand turns backwards when *one* of its two entries changes sign. Here both do: the "
            "hand points the other way and turns in the same direction, by the same matrix.",
        ),
        (
            "The words. What is subtracted from a word is missing from it afterwards.",
            "Nothing is missing: word = result + position, as before word = sum - position. As "
            "directions go, -p is as far from a random word as p is.",
        ),
        (
            "The bound. Entries of word minus position can be larger than those of the sum.",
            "Some are larger, some smaller, just as in the sum: -p has the same length as p, and a "
            "word has entries of both signs.",
        ),
    ],
    kind="prove",
    level=2,
    trains="what a model can see of a table",
)


def _of_positions(t, s, d_model, factor):
    """Cosine similarity of two encodings whose exponent is factor · i / d_model; 2 is right."""
    return np.cos((s - t) / 10000.0 ** (factor * np.arange(d_model // 2) / d_model)).mean()


def _halves(encoding):
    return np.concatenate([encoding[0::2], encoding[1::2]])


def _cosine(u, v):
    return u @ v / np.sqrt((u @ u) * (v @ v))


@chapter.function(
    "Soar and migration", kind="program", level=2, trains="similarity before and after the sum"
)
def three_cosines(attempt):
    rng = np.random.default_rng(0)
    soar, migration = rng.normal(size=(2, 512))
    soar[[0, 1, 2, -1]] = 0.12, -0.48, 0.85, -0.03
    other = 0.6 * soar + 0.8 * migration
    cases = [(soar, migration, 1, 6), (soar, other, 1, 6), (0.04 * soar, 0.3 * other, 3, 60)]
    for width, t, s in [(8, 0, 5), (32, 9, 9), (130, 7, 200)]:
        cases.append((*rng.normal(size=(2, width)), t, s))
    for e, f, t, s in cases:
        d_model = len(e)
        parts = attempt.parts(e, f, t, s, names=["words", "positions", "sums"])
        parts = [attempt.as_array(part) for part in parts]
        attempt.true(
            all(part.size == 1 for part in parts),
            "three numbers",
            f"arrays of shapes {', '.join(str(part.shape) for part in parts)}",
            "the cosine similarity of two vectors is one number",
        )
        words, positions, sums = (part.reshape(()) for part in parts)
        attempt.close(
            words,
            _cosine(e, f),
            "the first number is the cosine similarity of the two words alone",
            mistakes=[
                (e @ f, "this is the dot product of the words: a cosine is divided by both lengths")
            ],
        )
        p, q = sinusoidal([t, s], d_model)
        attempt.close(
            positions,
            similarity(s - t, d_model) / (d_model / 2),
            "the second number is the cosine similarity of the encodings of t and s, with the "
            "frequencies of the paper and base 10000",
            mistakes=[
                (p @ q, "this is the dot product of the encodings: divide it by both lengths"),
                (_of_positions(t, s, d_model, factor=4), "with this the factor 2 stands in the "
                 "exponent twice, as in Herath's program: is your variable the pair i, or already "
                 "the column 2i?"),
                (_of_positions(t, s, d_model, factor=1), "with this the factor 2 is missing in the "
                 "exponent: is your variable the pair i, or the column 2i?"),
            ],
        )  # fmt: skip
        attempt.close(
            sums,
            _cosine(e + p, f + q),
            "the third number is the cosine similarity of e plus the encoding of t, and f plus "
            "that of s",
            mistakes=[
                (_cosine(e + q, f + p), "each word got the position of the other one"),
                (_cosine(e - p, f - q), "here the positions are subtracted"),
                (_cosine(e + _halves(p), f + _halves(q)), "the sines stand in the first half and "
                 "the cosines in the second: a sine and its cosine should stand side by side"),
                ((_cosine(e, f) + _cosine(p, q)) / 2, "an average of the other two: take the sums "
                 "themselves"),
                ((e + p) @ (f + q), "this is a dot product: divide it by the lengths of both sums"),
                ((e + p) @ (f + q) / np.sqrt((e @ e) * (f @ f)), "divided by the lengths of the "
                 "words: the sums have lengths of their own"),
            ],
        )  # fmt: skip


@chapter.function(
    "Untied, in one attention", kind="extend", level=3, trains="a sum and its four terms"
)
def untied_in_one(attempt):
    rng = np.random.default_rng(0)

    def drawn(length, d_word, d_place, n_word, n_place):
        words, places = rng.normal(size=(length, d_word)), rng.normal(size=(length, d_place))
        w_query, w_key = rng.normal(size=(2, d_word, n_word))
        u_query, u_key = rng.normal(size=(2, d_place, n_place))
        return words, places, w_query, w_key, u_query, u_key

    def answer(*args):
        names = ["x", "query", "key"]
        x, query, key = map(attempt.as_array, attempt.parts(*args, names=names))
        length = len(args[0])
        fits = (
            x.ndim == query.ndim == key.ndim == 2
            and len(x) == length
            and query.shape == key.shape
            and x.shape[1] == len(query)
        )
        attempt.true(
            fits,
            f"x of shape ({length}, n), query and key both of shape (n, m)",
            f"shapes {x.shape}, {query.shape}, {key.shape}",
            "x @ query and x @ key must have rows of one width, one row for each place",
        )
        return x, query, key

    for sizes in [(5, 4, 4, 5, 5), (5, 4, 2, 3, 1), (3, 1, 6, 2, 5)]:
        first = drawn(*sizes)
        words, places, w_query, w_key, u_query, u_key = first
        x, query, key = answer(*first)
        w_scores = words @ w_query @ (words @ w_key).T
        u_scores = places @ u_query @ (places @ u_key).T
        mistakes = [
            ((w_scores + u_scores).T, "query and key are exchanged: row t is the place that asks"),
            (w_scores, "word to word is there, position to position is missing"),
            (u_scores, "position to position is there, word to word is missing"),
        ]
        if w_query.shape[1] == u_query.shape[1]:
            tied = (words @ w_query + places @ u_query) @ (words @ w_key + places @ u_key).T
            reason = (
                "all four terms are in these scores: where do a word's query and a position's key "
                "meet, and what could keep them apart?"
            )
            mistakes.append((tied, reason))
            if words.shape == places.shape:
                x_sum = words + places
                tied = x_sum @ w_query @ (x_sum @ w_key).T
                reason = "words and positions are added: one matrix then meets both of them"
                mistakes.append((tied, reason))
        attempt.close(
            x @ query @ (x @ key).T,
            w_scores + u_scores,
            "these are the scores x @ query @ (x @ key).T: word to word plus position to position, "
            "and no mixed terms",
            mistakes=mistakes,
        )
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
