"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np

from pecode import sinusoidal

# with_positions


def only_the_axis(words, places):
    return (words + places[: words.shape[1]]) * np.sqrt(words.shape[-1])


def only_the_scale(words, places):
    return words * np.sqrt(words.shape[-1]) + places[: len(words), None]


def without_the_root(words, places):
    return words + places[: words.shape[1]]


def root_on_the_positions(words, places):
    return words + np.sqrt(words.shape[-1]) * places[: words.shape[1]]


def divided(words, places):
    return words / np.sqrt(words.shape[-1]) + places[: words.shape[1]]


def without_root(words, places):
    return words * words.shape[-1] + places[: words.shape[1]]


def root_of_the_length(words, places):
    return words * np.sqrt(words.shape[1]) + places[: words.shape[1]]


def whole_table(words, places):
    return words * np.sqrt(words.shape[-1]) + places


def one_row_further(words, places):
    return words * np.sqrt(words.shape[-1]) + places[1 : words.shape[1] + 1]


def last_rows(words, places):
    return words * np.sqrt(words.shape[-1]) + places[-words.shape[1] :]


def subtracted(words, places):
    return words * np.sqrt(words.shape[-1]) - places[: words.shape[1]]


def one_position_for_all(words, places):
    return words * np.sqrt(words.shape[-1]) + places[words.shape[1] - 1]


def counted_through_the_batch(words, places):
    n = words.shape[0] * words.shape[1]
    rows = places[np.arange(n) % len(places)].reshape(words.shape)
    return words * np.sqrt(words.shape[-1]) + rows


def sinusoids_instead(words, places):
    return words * np.sqrt(words.shape[-1]) + sinusoidal(range(words.shape[1]), words.shape[-1])


# three_cosines


def _table(t, d_model, exponents, base=10000):
    angles = t / base**exponents
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()


def _cosine(u, v):
    return u @ v / np.sqrt((u @ u) * (v @ v))


def _three(e, f, p, q):
    return _cosine(e, f), _cosine(p, q), _cosine(e + p, f + q)


def factor_doubled(e, f, s, t):
    exponents = 2 * np.arange(0, len(e), 2) / len(e)
    return _three(e, f, _table(s, len(e), exponents), _table(t, len(e), exponents))


def factor_lost(e, f, s, t):
    exponents = np.arange(len(e) // 2) / len(e)
    return _three(e, f, _table(s, len(e), exponents), _table(t, len(e), exponents))


def another_base(e, f, s, t):
    exponents = np.arange(0, len(e), 2) / len(e)
    return _three(e, f, _table(s, len(e), exponents, 1000), _table(t, len(e), exponents, 1000))


def sines_only(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    p[1::2], q[1::2] = 0, 0
    return _three(e, f, p, q)


def base_100(e, f, s, t):
    return _three(e, f, *sinusoidal([s, t], len(e), base=100))


def cosine_first(e, f, s, t):
    p, q = sinusoidal([s, t], len(e)).reshape(2, -1, 2)[..., ::-1].reshape(2, -1)
    return _three(e, f, p, q)


def words_multiplied(e, f, s, t):
    root = np.sqrt(len(e))
    return _three(root * e, root * f, *sinusoidal([s, t], len(e)))


def words_normalized(e, f, s, t):
    e, f = e / np.linalg.norm(e), f / np.linalg.norm(f)
    return _three(e, f, *sinusoidal([s, t], len(e)))


def all_normalized(e, f, s, t):
    vectors = [v / np.linalg.norm(v) for v in [e, f, *sinusoidal([s, t], len(e))]]
    return _three(*vectors)


def positions_from_one(e, f, s, t):
    return _three(e, f, *sinusoidal([s + 1, t + 1], len(e)))


def sums_first(e, f, s, t):
    words, positions, sums = _three(e, f, *sinusoidal([s, t], len(e)))
    return sums, words, positions


def positions_first(e, f, s, t):
    words, positions, sums = _three(e, f, *sinusoidal([s, t], len(e)))
    return positions, words, sums


def positions_exchanged(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    return _three(e, f, q, p)


def positions_subtracted(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    return _three(e, f, -p, -q)


def halves_side_by_side(e, f, s, t):
    p, q = sinusoidal([s, t], len(e), layout="concatenated")
    return _three(e, f, p, q)


def dot_products(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    return e @ f, p @ q, (e + p) @ (f + q)


def last_one_a_product(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    return _cosine(e, f), _cosine(p, q), (e + p) @ (f + q)


def lengths_of_the_words(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    product = (e + p) @ (f + q) / np.linalg.norm(e) / np.linalg.norm(f)
    return _cosine(e, f), _cosine(p, q), product


def averaged(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    return _cosine(e, f), _cosine(p, q), (_cosine(e, f) + _cosine(p, q)) / 2


def by_the_rule(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    a, b = len(e), len(e) / 2
    return _cosine(e, f), _cosine(p, q), (a * _cosine(e, f) + b * _cosine(p, q)) / (a + b)


def one_word_alone(e, f, s, t):
    p, q = sinusoidal([s, t], len(e))
    return _cosine(e, f), _cosine(p, q), _cosine(e + p, f)


def positions_1_and_6(e, f, s, t):
    p, q = sinusoidal([1, 6], len(e))
    return _three(e, f, p, q)


def only_512(e, f, s, t):
    p, q = sinusoidal([s, t], 512)
    return _three(e, f, p[: len(e)], q[: len(e)])


def another_order(e, f, s, t):
    words, positions, sums = _three(e, f, *sinusoidal([s, t], len(e)))
    return words, sums, positions


def the_sum_only(e, f, s, t):
    return _three(e, f, *sinusoidal([s, t], len(e)))[2]


# untied_in_one


def all_four_terms(words, places, w_query, w_key, u_query, u_key):
    x = np.hstack([words, places])
    if w_query.shape[1] != u_query.shape[1]:
        raise ValueError("widths differ")
    return x, np.vstack([w_query, u_query]), np.vstack([w_key, u_key])


def added(words, places, w_query, w_key, u_query, u_key):
    return words + places, w_query, w_key


def matrices_added(words, places, w_query, w_key, u_query, u_key):
    return words + places, w_query + u_query, w_key + u_key


def projected_before(words, places, w_query, w_key, u_query, u_key):
    x = np.hstack([words @ w_query, places @ u_query, words @ w_key, places @ u_key])
    n = w_query.shape[1] + u_query.shape[1]
    eye, zero = np.eye(n), np.zeros((n, n))
    return x, np.vstack([eye, zero]), np.vstack([zero, eye])


def projected_after(words, places, w_query, w_key, u_query, u_key):
    query = np.hstack([words @ w_query, places @ u_query])
    key = np.hstack([words @ w_key, places @ u_key])
    return np.eye(len(words)), query, key


def square_zeros(words, places, w_query, w_key, u_query, u_key):
    above, below = words.shape[1], places.shape[1]

    def blocks(w, u):
        return np.block([[w, np.zeros((above, above))], [np.zeros((below, below)), u]])

    return np.hstack([words, places]), blocks(w_query, u_query), blocks(w_key, u_key)


def some_columns_shared(words, places, w_query, w_key, u_query, u_key):
    width = max(w_query.shape[1], u_query.shape[1]) + 1

    def blocks(w, u):
        w, u = np.pad(w, [(0, 0), (0, width - w.shape[1])]), np.pad(u, [(0, 0), (1, 0)])
        return np.vstack([w, np.pad(u, [(0, 0), (0, width - u.shape[1])])])

    return np.hstack([places, words]), blocks(u_query, w_query), blocks(u_key, w_key)


def twice_the_scores(words, places, w_query, w_key, u_query, u_key):
    return np.hstack([words, places]), 2 * _blocks(w_query, u_query), _blocks(w_key, u_key)


def _blocks(w, u):
    return np.block([[w, np.zeros((len(w), u.shape[1]))], [np.zeros((len(u), w.shape[1])), u]])


def exchanged(words, places, w_query, w_key, u_query, u_key):
    return np.hstack([words, places]), _blocks(w_key, u_key), _blocks(w_query, u_query)


def words_alone(words, places, w_query, w_key, u_query, u_key):
    return words, w_query, w_key


def positions_alone(words, places, w_query, w_key, u_query, u_key):
    return places, u_query, u_key


def blocks_crossed(words, places, w_query, w_key, u_query, u_key):
    return np.hstack([words, places]), _blocks(w_query, u_key), _blocks(w_key, u_query)


def other_order_of_blocks(words, places, w_query, w_key, u_query, u_key):
    return np.hstack([places, words]), _blocks(w_query, u_query), _blocks(w_key, u_key)


def transposed(words, places, w_query, w_key, u_query, u_key):
    return np.hstack([words, places]), _blocks(w_query, u_query).T, _blocks(w_key, u_key).T


def divided_by_the_root(words, places, w_query, w_key, u_query, u_key):
    query = _blocks(w_query, u_query)
    return np.hstack([words, places]), query / np.sqrt(query.shape[1]), _blocks(w_key, u_key)


def scores_and_nothing_else(words, places, w_query, w_key, u_query, u_key):
    return words @ w_query @ (words @ w_key).T + places @ u_query @ (places @ u_key).T


WRONG = {
    "with_positions": [
        ("only the axis mended", only_the_axis, "√d_model times too long"),
        ("only the scale mended", only_the_scale, "(shown: text 1 minus text 0)"),
        ("without the root", without_the_root, "the words are as long as before"),
        ("the root on the positions", root_on_the_positions, "√d_model times too long"),
        ("divided", divided, "should be multiplied"),
        ("multiplied by d_model", without_root, "not by its root"),
        ("the root of the length", root_of_the_length, "√d_model times as long"),
        ("one row further", one_row_further, "the first word gets the first row"),
        ("the whole table", whole_table, "take its first rows"),
        ("the last rows", last_rows, "the steps of the last rows"),
        ("subtracted", subtracted, "the wrong sign"),
        ("one position for all", one_position_for_all, "which comes first"),
        ("counted through the batch", counted_through_the_batch, "(shown: text 1 minus text 0)"),
        ("sinusoids instead of the table", sinusoids_instead, "the steps of sinusoids"),
    ],
    "three_cosines": [
        ("the factor doubled", factor_doubled, "stands in the exponent twice"),
        ("the factor lost", factor_lost, "is missing in the exponent"),
        ("another base", another_base, "base 10000"),
        ("base 100", base_100, "or the base is 100, which is the same"),
        ("cosine first", cosine_first, "a cosine stands before its sine"),
        ("words times √d", words_multiplied, "the words stay as they are, no factor"),
        ("words normalized", words_normalized, "the words stay as they are, no factor"),
        ("all normalized", all_normalized, "words and positions stay as they are"),
        ("positions from 1", positions_from_one, "positions s and t as given"),
        ("sums first", sums_first, "did you return words, positions, sums"),
        ("positions first", positions_first, "did you return words, positions, sums"),
        ("sines only", sines_only, "the encodings of s and t"),
        ("positions exchanged", positions_exchanged, "the position of the other one"),
        ("positions subtracted", positions_subtracted, "subtracted"),
        ("halves side by side", halves_side_by_side, "first half"),
        ("dot products", dot_products, "the dot product of the words"),
        ("the last a dot product", last_one_a_product, "this is a dot product"),
        ("divided by the lengths of the words", lengths_of_the_words, "lengths of their own"),
        ("averaged", averaged, "an average of the other two"),
        ("by the rule", by_the_rule, "the third number"),
        ("one word alone", one_word_alone, "the third number"),
        ("always positions 1 and 6", positions_1_and_6, "the encodings of s and t"),
        ("made for 512", only_512, "the encodings of s and t"),
        ("another order", another_order, "this is the number of the sums"),
        ("the sum only", the_sum_only, "3 things"),
    ],
    "untied_in_one": [
        ("all four terms", all_four_terms, "all four terms"),
        ("added", added, "one matrix then meets both"),
        ("vectors and matrices added", matrices_added, "no mixed terms"),
        ("projected before", projected_before, "the weights come after it"),
        ("projected after", projected_after, "before any text is seen"),
        ("query and key exchanged", exchanged, "exchanged"),
        ("words alone", words_alone, "position to position is missing"),
        ("positions alone", positions_alone, "word to word is missing"),
        ("blocks crossed", blocks_crossed, "word to word plus position to position"),
        ("other order of blocks", other_order_of_blocks, "word to word plus"),
        ("transposed", transposed, "one width"),
        ("divided by the root", divided_by_the_root, "Nothing is divided here"),
        ("twice the scores", twice_the_scores, "times 2: by a factor"),
        ("square zeros", square_zeros, "W and U share columns of your matrix (4)"),
        ("some columns shared", some_columns_shared, "W and U share columns"),
        ("the scores", scores_and_nothing_else, "3 things"),
    ],
}
