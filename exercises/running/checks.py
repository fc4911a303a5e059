"""Positions in a running program: packed rows, drafts, reused caches."""

import numpy as np

from exercises.registry import ChapterExercises

chapter = ChapterExercises("running")


@chapter.function("Pack a row", kind="program", level=2, teaches="IDs and masks of packed texts")
def pack(attempt):
    for lengths in ([3, 2], [1], [4, 1, 3], [2, 2], [5, 7, 1, 1]):
        n = sum(lengths)
        ids, seen = attempt.parts(lengths, IDs=(n,), seen=(n, n))
        attempt.close(
            ids,
            own_ids(lengths),
            "each text must have the positions that it has alone, so its first token has 0",
        )
        attempt.close(
            seen,
            np.tril(same_text(lengths)),
            "a token sees itself and what comes before it in its own text, nothing else",
        )


def own_ids(lengths):
    """Return the position of each token in its own text."""
    return np.concatenate([np.arange(length) for length in lengths])


def same_text(lengths):
    """Return which tokens belong to one text, a row for each query."""
    text = np.repeat(np.arange(len(lengths)), lengths)
    return text[:, None] == text


@pack.mistake("these IDs run on through the row: the second text does not start at 0")
def run_on(lengths):
    return np.arange(sum(lengths)), np.tril(same_text(lengths))


@pack.mistake("the texts see one another: IDs that start again do not keep them apart")
def no_mask(lengths):
    return own_ids(lengths), np.tri(sum(lengths))


@pack.mistake("tokens see what comes after them")
def not_causal(lengths):
    return own_ids(lengths), same_text(lengths)


@pack.mistake("rows are queries, columns are keys: this is the other way")
def keys_by_queries(lengths):
    return own_ids(lengths), np.triu(same_text(lengths))


@pack.mistake("True must mean: may be seen")
def hidden_for_true(lengths):
    return own_ids(lengths), ~np.tril(same_text(lengths))


@pack.mistake("these IDs count from 1")
def from_one(lengths):
    return own_ids(lengths) + 1, np.tril(same_text(lengths))


_PADS, _READ, _DRAFTS, _AGREED = 3, 7, 4, 2
chapter.number(
    "id_after_drafts",
    "After the drafts",
    {
        _READ + 1 + _AGREED: (
            "Seven tokens have the IDs 0 to 6, the one that was written has 7, and the two drafts "
            "that stay have 8 and 9. The keys of the other two are deleted, and pads never count."
        ),
        _PADS + _READ + 1 + _AGREED: "That is its column. Do pads belong to the text?",
        _READ + 1 + _DRAFTS: "Two of the drafts were rejected: are they part of the text?",
        _PADS + _READ + 1 + _DRAFTS: (
            "That is the number of keys in the cache, with pads and with rejected drafts."
        ),
        _READ + 2 + _AGREED: "That is how many tokens the text has now. Where do IDs begin?",
        _READ + _AGREED: "The ID of the last draft that stays. Which one comes next?",
    },
    kind="hand",
    level=1,
    teaches="IDs beside pads, and with drafts taken back",
    tolerance=0.4,
    otherwise="Count the tokens that stand before it in the text: no pads, and no rejected drafts.",
)


@chapter.function("What may be reused?", kind="program", level=1, teaches="a prefix cache")
def tokens_to_reuse(attempt):
    text = list(range(20, 32))
    cases = [
        (text, text, 4, "the same text again: all its whole blocks"),
        (text, [1, 2, 3, 4, *text], 4, "four tokens more in front move every block"),
        (text, [*text[:9], 9, *text[10:]], 4, "token 9 is another: its whole block is lost"),
        (text, [*text[:3], 9, *text[4:]], 4, "token 3 is another: its block and all behind it"),
        (text, [*text[:4], 1, 2, 3, 4, *text[8:]], 4, "the third block stands behind other tokens"),
        (text, [1, 2, 3, 4, *text[4:]], 4, "nothing can be reused behind another beginning"),
        (text[:6], text, 4, "the old text ends within its second block"),
        (text, text[:10], 4, "the new text ends within its third block"),
        (text, text[:10], 1, "blocks of one token"),
        (text, text, 5, "the last two tokens fill no block"),
        ([], text, 4, "nothing was read before"),
    ]
    for old, new, size, why in cases:
        attempt.equal(attempt.number(old, new, size), _common_blocks(old, new, size) * size, why)


def _blocks(tokens, size):
    """Return the whole blocks of a text."""
    return [tuple(tokens[k : k + size]) for k in range(0, len(tokens) - size + 1, size)]


def _same_blocks(old, new, size):
    """Return for each pair of blocks with one index whether they have the same tokens."""
    pairs = zip(_blocks(old, size), _blocks(new, size), strict=False)
    return np.array([one == other for one, other in pairs], dtype=int)


def _common_blocks(old, new, size):
    return np.cumprod(_same_blocks(old, new, size)).sum()


@tokens_to_reuse.mistake(
    "a block with the same tokens stands elsewhere now, or behind other tokens: its keys were "
    "turned to other positions and computed from another text"
)
def blocks_by_their_tokens(old, new, size):
    return size * len(set(_blocks(old, size)) & set(_blocks(new, size)))


@tokens_to_reuse.mistake(
    "a later block has the same tokens and the same positions. But its keys were computed by "
    "attention to a text with another beginning"
)
def blocks_by_tokens_and_index(old, new, size):
    return size * _same_blocks(old, new, size).sum()
