"""The published models: a forward pass like the naive one; what is stored follows from itself."""

import dataclasses
import math

import numpy as np
import pytest

from lab import published_language as pl
from pecode import bfloat16, causal_mask, frequencies, rotate
from pecode.formulas import softmax
from tools import measure_published, show_published

D, TOKENS = 8, np.random.default_rng(1).integers(0, 11, 20)


def tiny(gemma):
    """Return an untrained model of 2 layers, 4 heads and 2 key heads: width 12, 11 tokens."""
    rng = np.random.default_rng(0)
    shapes = {"attn_q": (32, 12), "attn_k": (16, 12), "attn_v": (16, 12), "attn_output": (12, 32)}
    shapes |= {"ffn_gate": (20, 12), "ffn_up": (20, 12), "ffn_down": (12, 20)}
    norms = {"attn": 12, "ffn": 12, "attn_q": D, "attn_k": D, "post_attention": 12, "post_ffw": 12}
    shapes |= {f"{name}_norm": (width,) for name, width in norms.items()}
    every = {f"blk.{n}.{name}": shape for n in (0, 1) for name, shape in shapes.items()}
    every |= {"token_embd": (11, 12), "output_norm": (12,)}
    weights = {name: rng.normal(size=shape).astype(np.float32) for name, shape in every.items()}
    near = pl.Positions(frequencies(D, 1000.0), "interleaved", 5)
    return pl.PublishedModel(weights, (pl.Positions(frequencies(D, 100.0)), near), D, 1e-6, gemma)


def naive(model, tokens, query_shift=0):
    """Return the last hidden states of a text, with whole matrices in float64."""
    w = {name: array.astype(np.float64) for name, array in model.weights.items()}

    def norm(x, name):
        return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-6) * w[f"{name}_norm"]

    def optional(x, name):
        return norm(x, name) if model.gemma else x

    t, x = np.arange(len(tokens)), w["token_embd"][tokens] * (math.sqrt(12) if model.gemma else 1)
    for n, how in enumerate(model.positions):
        at = f"blk.{n}."
        h, heads = norm(x, f"{at}attn"), []
        q, k, v = (h @ w[f"{at}attn_{part}"].T for part in "qkv")
        seen = causal_mask(len(t)) & (t[:, None] - t < (how.window or len(t)))
        for head in range(4):
            own, shared = np.s_[head * D : head * D + D], np.s_[head // 2 * D : head // 2 * D + D]
            turn = {"layout": how.layout, "frequencies": how.frequencies}
            query = rotate(optional(q[:, own], f"{at}attn_q"), t + query_shift, **turn)
            key = rotate(optional(k[:, shared], f"{at}attn_k"), t, **turn)
            weights = softmax(np.where(seen, query @ key.T / math.sqrt(D), -np.inf))
            heads.append(weights @ v[:, shared])
        h = np.concatenate(heads, axis=1) @ w[f"{at}attn_output"].T
        x = x + optional(h, f"{at}post_attention")
        h = norm(x, f"{at}ffn")
        gate = h @ w[f"{at}ffn_gate"].T
        gate = pl.gelu(gate) if model.gemma else gate / (1 + np.exp(-gate))
        h = gate * (h @ w[f"{at}ffn_up"].T) @ w[f"{at}ffn_down"].T
        x = x + optional(h, f"{at}post_ffw")
    return norm(x, "output")


@pytest.mark.parametrize("gemma", [False, True])
def test_both_kinds_of_model_are_the_naive_one(gemma):
    model = tiny(gemma)
    np.testing.assert_allclose(pl.read(model, TOKENS), naive(model, TOKENS), atol=2e-4)
    late = pl.read(model, TOKENS, positions=model.change(query_shift=1))
    np.testing.assert_allclose(late, naive(model, TOKENS, query_shift=1), atol=2e-4)
    y = naive(model, TOKENS[:-1]) @ model.weights["token_embd"].T
    expected = -np.log(softmax(y)[np.arange(19), TOKENS[1:]])
    np.testing.assert_allclose(pl.losses(model, TOKENS), expected, atol=2e-4)
    np.testing.assert_allclose(pl.losses(model, TOKENS, [3, 7]), expected[[3, 7]], atol=2e-4)


@pytest.mark.parametrize("gemma", [False, True])
def test_activations_may_be_rounded_to_bfloat16_at_every_step(gemma):
    model, cache = tiny(gemma), pl.Cache()
    rounded = dataclasses.replace(model, activations="bfloat16")
    found = pl.read(rounded, TOKENS, cache)
    assert all((each == bfloat16(each)).all() for each in (found, *cache.layers.values()))
    assert 1e-3 < abs(found - pl.read(model, TOKENS)).max() < 0.5


def test_a_text_may_be_read_in_pieces_and_anywhere():
    model, cache = tiny(True), pl.Cache()
    whole = pl.read(model, TOKENS)
    pieces = [pl.read(model, part, cache) for part in np.split(TOKENS, [7, 8])]
    np.testing.assert_allclose(np.concatenate(pieces), whole, atol=2e-5)
    np.testing.assert_allclose(pl.read(model, TOKENS, ids=np.arange(20) + 10**6), whole, atol=2e-5)
    for changed in ({"query_shift": 1}, {"layout": "half", "first": 1}, {"temperature": 1.1}):
        assert abs(pl.read(model, TOKENS, positions=model.change(**changed)) - whole).max() > 1e-3
    with pytest.raises(ValueError, match="ids: expected 20, one a token, got 3"):
        pl.read(model, TOKENS, ids=[1, 2, 3])


def test_a_window_keeps_the_first_tokens_if_told_so():
    model, seen = tiny(False), []
    how = model.change(window=4, first=2)
    pl.read(model, TOKENS, positions=how, watch=lambda n, q, k, weights: seen.append(weights))
    t = np.arange(20)
    visible = (t <= t[:, None]) & ((t[:, None] - t < 4) | (t < 2))
    assert all(((weights > 0) == visible).all() for weights in seen)


def test_texts_in_one_row_do_not_see_each_other():
    model, cache, other = tiny(True), pl.Cache(), TOKENS[::-1]
    pl.read(model, other[:7], cache, texts=1)
    kept = cache.keep(slice(3, None))
    both, ids = np.append(other[7:], TOKENS), np.append(np.arange(7, 20), np.arange(20))
    found = pl.read(model, both, cache, ids, texts=np.repeat([1, 0], [13, 20]))
    np.testing.assert_allclose(found[:13], pl.read(model, other)[7:], atol=2e-5)
    np.testing.assert_allclose(found[13:], pl.read(model, TOKENS), atol=2e-5)
    np.testing.assert_array_equal(kept.texts, [1, 1, 1, 1])


def test_what_is_evicted_is_not_seen_and_may_be_renumbered():
    model, cache, seen = tiny(False), pl.Cache(), []
    model = pl.PublishedModel(model.weights, model.positions[:1] * 2, D, 1e-6)
    pl.read(model, TOKENS[:10], cache)
    left = cache.keep([0, 8, 9], [7, 8, 9])
    np.testing.assert_array_equal(left.places, [0, 8, 9])
    pl.read(model, TOKENS[10:], left, watch=lambda n, q, k, w: seen.append(len(k[0])))
    assert seen == [13, 13]
    np.testing.assert_array_equal(left.ids, np.arange(7, 20))
    assert len(cache.ids) == 10


def test_greedy_text_is_the_likeliest_token_each_time():
    model, text = tiny(False), [1, 2, 3]
    found = pl.generate(model, text, 4)
    for token in found:
        assert token == (model.weights["token_embd"] @ pl.read(model, text)[-1]).argmax()
        text = [*text, token]
    assert pl.generate(model, [1, 2, 3], 4, next_id=3) == found


def test_two_vectors_draw_the_curve_of_a_head():
    with np.load(pl.FOLDER / "means.npz") as stored:
        names, offsets = ("query", "key", "measured"), stored["offsets"]
        query, key, measured = (stored[name] * stored[f"{name} factor"] for name in names)
    turning = np.broadcast_to(query[:, :, None], (*query.shape[:2], len(offsets), 64))
    turned = rotate(turning, offsets, base=1e5)  # (30, 9, offsets, 64): the query turns
    drawn = np.einsum("lhtd,lhd->lht", turned, np.repeat(key, 3, axis=1)) / 8
    np.testing.assert_allclose(drawn[16, 0, :4], measured[16, 0, :4], atol=0.8)
    even = offsets % 10 == 5  # those of all 199 are stored
    stored = pl.results("curves")["all heads"]["twelfth_night"]
    for curve, expected in zip(
        (drawn, np.log(np.maximum(offsets, 1)) + 0 * drawn, np.roll(drawn, -1, axis=0)),
        (stored["R2, 5 %, quartiles"][2], *stored["R2 of the logarithm, of the next layer's head"]),
        strict=True,
    ):
        pairs = zip(curve.reshape(270, -1), measured.reshape(270, -1), strict=True)
        r = [np.corrcoef(one[even], other[even])[0, 1] for one, other in pairs]
        assert abs(np.median(np.square(r)) - expected) < 0.02


def test_an_unknown_table_is_named():
    assert pl.results("mistakes")["as is"]["macbeth"][1] == 0
    with pytest.raises(ValueError, match=r"table: expected one of lab/published/results.jsonl"):
        pl.results("mistake")


def test_a_table_is_read_as_it_was_stored_and_names_texts_and_keys_once(tmp_path, monkeypatch):
    rows = {
        "right": {"play": [1, 2.5], "novel": [3, 4]},
        "wrong": {"play": [5, 6], "novel": [7, 8]},
        "other": {"book": [9]},
        "heads": {each: {"L0": 1, "L1": 2} for each in ("play", "novel")},
    }
    rows["some"] = {"play": {"L0": 3}, "novel": {"L1": 4}}
    named = [(table, row) for table in ("short", "long") for row in rows]
    lines = [{"table": table, "row": row, "texts": rows[row]} for table, row in named]
    measure_published.store(tmp_path / "results.jsonl", lines)
    monkeypatch.setattr(pl, "FOLDER", tmp_path)
    assert pl.results("short") == pl.results("long") == rows
    stored = (tmp_path / "results.jsonl").read_text("utf-8")
    assert [stored.count(name) for name in ("play", "book", "L0")] == [3, 2, 4]


def test_continuations_are_counted_as_stored():
    """The texts of the first seed are stored, too, with the loss of each."""
    first, counted = pl.results("continuations"), pl.results("samples")
    for row in counted.keys() & first.keys():
        for prompt in measure_published.PROMPTS:
            text, loss = first[row][prompt][:2]
            expected = measure_published.repeated(text), loss  # two decimals are stored
            np.testing.assert_allclose(counted[row][prompt][:2], expected, atol=6e-3)
    assert measure_published.repeated("a b c d a b c d a") == pytest.approx(2 / 6)


def test_the_tables_of_the_readme_are_those_of_the_results():
    text = show_published.README.read_text("utf-8")
    assert show_published.updated(text) == text


def test_a_text_becomes_tokens_and_comes_back():
    """`make test-published` reads the files themselves, and measures again what they answer."""
    pytest.importorskip("tokenizers")
    fields = {"tokens": [*"abcdefghi", "Ġ", "ab"], "token_type": [1] * 11, "merges": ["a b"]}
    fields = {f"ggml.{name}": value for name, value in fields.items()}
    model = dataclasses.replace(tiny(False), tokenizer=pl._tokenizer(fields, gemma=False))
    assert model.encode("cab a") == [2, 10, 9, 0]
    assert model.decode([2, 10, 9, 0]) == "cab a"
