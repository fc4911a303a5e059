"""Two published language models in numpy, with positions that can be exchanged layer by layer.

SmolLM2-135M-Instruct (Allal et al., 2025, arXiv:2502.02737) and Gemma 3 270M (Gemma Team, 2025,
arXiv:2503.19786), as GGUF files of about four bits a weight. `load` needs gguf and tokenizers.
"""

from __future__ import annotations

import dataclasses
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lab.language import gelu
from pecode import _check, bfloat16, frequencies
from pecode._types import ArrayLike, Floats
from pecode.rotary import rotate_by_angles

FOLDER = Path(__file__).parent / "published"
LOCAL_BASE, GLOBAL_EVERY = 10_000.0, 6  # of Gemma 3, from its report: the file holds neither
BLOCK = 64  # queries whose scores are computed at once


def results(table: str) -> dict[str, dict[str, Any]]:
    """Return what tools/measure_published.py measured: a table's rows, dicts of texts to values."""
    found, names = {}, []
    for line in map(json.loads, (FOLDER / "results.jsonl").read_text("utf-8").splitlines()):
        texts = line["texts"]  # a row that names none has those of the row before
        texts = texts if isinstance(texts, dict) else dict(zip(names, texts, strict=True))
        names = [*texts]
        if line["table"] == table:
            if "keys" in line:  # of the values of all texts
                texts = {t: dict(zip(line["keys"], each, strict=True)) for t, each in texts.items()}
            found[line["row"]] = texts
    _check.require(found, "table", "one of lab/published/results.jsonl", _check.shown(table))
    return found


@dataclasses.dataclass(frozen=True, eq=False)
class Positions:
    """What one layer knows of positions."""

    frequencies: Floats  # (d_head / 2,), radians per position; zeros: no positions in this layer
    layout: str = "half"  # or "interleaved": which columns make a pair, as in `pecode.rotate`
    window: int | None = None  # how many keys a query sees, its own token included
    first: int = 0  # how many tokens from the start of the text the window does not hide
    query_shift: float = 0.0  # added to the position IDs of the queries alone: a mistake
    temperature: float = 1.0  # on queries and keys, as YaRN's
    angles: str = "float64"  # or "float32", "bfloat16": of IDs, frequencies and their products

    def turn(self, x: Floats, ids: Floats) -> Floats:
        """Turn queries or keys (heads, tokens, d_head) by the angles of their position IDs."""
        t, omega = _rounded(ids, self.angles), _rounded(self.frequencies, self.angles)
        angles = _rounded(t[:, None] * omega, self.angles).astype(np.float64)
        return rotate_by_angles(x, angles, self.layout)


def _rounded(x, format):
    if format == "bfloat16":
        return bfloat16(x).astype(np.float32)
    return np.asarray(x, _check.choice("angles", format, ("float64", "float32")))


@dataclasses.dataclass(frozen=True)
class PublishedModel:
    """Weights, the positions of each layer, and a tokenizer.

    The weights have the names of the GGUF file without ".weight", and shapes (out, in). Gemma norms
    queries and keys, norms twice more in a layer, scales its embeddings and has GELU for SiLU.
    """

    weights: dict[str, Floats] = dataclasses.field(repr=False)
    positions: tuple[Positions, ...] = dataclasses.field(repr=False)
    d_head: int
    epsilon: float
    gemma: bool = False
    tokenizer: Any = dataclasses.field(default=None, repr=False)
    activations: str = "float32"  # or "bfloat16": each product of matrices, norm, turn and sum

    def change(self, layers: Any = None, **fields: Any) -> tuple[Positions, ...]:
        """Return the positions of the file with other fields in these layers, in all if None."""
        chosen = range(len(self.positions)) if layers is None else layers
        new = {n: dataclasses.replace(self.positions[n], **fields) for n in chosen}
        return tuple(new.get(n, how) for n, how in enumerate(self.positions))

    def encode(self, text: str) -> list[int]:
        """Return the numbers of a text's tokens; Gemma's texts begin with <bos>."""
        return self.tokenizer.encode("<bos>" * self.gemma + text, add_special_tokens=False).ids

    def decode(self, tokens: ArrayLike) -> str:
        """Return the text of these tokens, special ones too."""
        return self.tokenizer.decode([int(token) for token in tokens], skip_special_tokens=False)


class Cache:
    """What a model keeps of a text: keys, unturned, and values, (2, key heads, tokens, d_head).

    `ids` are the position IDs of the tokens, `places` count them from the start of the row, and
    `texts` number the texts that they belong to.
    """

    def __init__(self, layers: Any = (), ids: Any = (), places: Any = (), texts=None) -> None:
        self.layers, self.ids = dict(layers), np.array(ids, float)
        self.places = np.array(places, int)
        self.texts = 0 * self.places if texts is None else texts

    def keep(self, rows: Any = slice(None), ids: ArrayLike | None = None) -> Cache:
        """Return a copy with these rows alone, under other position IDs if there are any."""
        layers = {n: each[:, :, rows] for n, each in self.layers.items()}
        ids = self.ids[rows] if ids is None else ids
        return Cache(layers, ids, self.places[rows], self.texts[rows])


def read(model, tokens, cache=None, ids=None, positions=None, watch=None, texts=0) -> Floats:
    """Return the last hidden states, (tokens, width); the cache, if any, grows by these tokens.

    `ids` are position IDs in place of those that go on where the cache stopped, or start at 0, and
    `positions` those of each layer in place of the trained ones. In each layer `watch` is called
    with its number, unturned queries (heads, tokens, d_head), cached keys, and attention weights.
    A token sees no other text than its own: `texts` numbers those of these tokens.
    """
    w, cache, new = model.weights, cache or Cache(), np.arange(len(np.asarray(tokens)))
    ids = new + (cache.ids[-1] + 1 if len(cache.ids) else 0) if ids is None else np.asarray(ids)
    _check.require(len(ids) == len(new) > 0, "ids", f"{len(new)}, one a token", len(ids))
    cache.places = np.append(cache.places, new + (cache.places[-1] + 1 if len(cache.ids) else 0))
    cache.ids = np.append(cache.ids, ids)
    cache.texts = np.append(cache.texts, np.full(len(new), texts))
    x = w["token_embd"][tokens]  # (tokens, width)
    x = x * np.float32(x.shape[-1] ** 0.5) if model.gemma else x
    kept = partial(_rounded, format=model.activations)

    def norm(x, name):
        squares = np.mean(x * x, axis=-1, keepdims=True)
        return kept(x / np.sqrt(squares + np.float32(model.epsilon)) * w[f"{name}_norm"])

    for n, how in enumerate(positions or model.positions):
        at, h = f"blk.{n}.", norm(x, f"blk.{n}.attn")
        parts = (kept(h @ w[f"{at}attn_{part}"].T) for part in "qkv")
        query, key, value = (x.reshape(len(h), -1, model.d_head).swapaxes(0, 1) for x in parts)
        if model.gemma:
            query, key = norm(query, f"{at}attn_q"), norm(key, f"{at}attn_k")
        added = np.stack([key, value])
        cache.layers[n] = np.concatenate([cache.layers.get(n, added[:, :, :0]), added], axis=2)
        keys, values = cache.layers[n]
        turned = how.turn(query, ids + how.query_shift), how.turn(keys, cache.ids)
        mixed, weights = _attend(*map(kept, turned), values, cache, how, watch is not None)
        if watch:
            watch(n, query, keys, weights)
        h = kept(kept(mixed).swapaxes(0, 1).reshape(len(x), -1) @ w[f"{at}attn_output"].T)
        x = kept(x + (norm(h, f"{at}post_attention") if model.gemma else h))
        h = norm(x, f"{at}ffn")
        gate = kept(h @ w[f"{at}ffn_gate"].T)
        gate = kept(gelu(gate) if model.gemma else gate / (1 + np.exp(-gate)))
        h = kept(kept(gate * kept(h @ w[f"{at}ffn_up"].T)) @ w[f"{at}ffn_down"].T)
        x = kept(x + (norm(h, f"{at}post_ffw") if model.gemma else h))
    return norm(x, "output")


def _attend(query, keys, values, cache, how, want_weights):
    """Return mixed values (heads, T, d_head), and the weights (heads, T, S) if they are wanted.

    The queries, (heads, T, d_head), belong to the last T of the S keys, (key heads, S, d_head).
    """
    (heads, length, d_head), (key_heads, end, _) = query.shape, keys.shape
    share, places = heads // key_heads, cache.places  # queries that read one key
    query = query * np.float32(how.temperature**2 / d_head**0.5)
    mixed = np.empty_like(query)
    weights = np.zeros((heads, length, end), np.float32) if want_weights else None
    for start in range(0, length, BLOCK):
        rows = slice(start, min(start + BLOCK, length))
        own = end - length + np.arange(rows.start, rows.stop)  # the keys of these queries' tokens
        back = places[own, None] - places[: own[-1] + 1]  # later keys are in the future of all
        hidden = (back < 0) | (cache.texts[own, None] != cache.texts[: own[-1] + 1])
        if how.window is not None:
            hidden |= (back >= how.window) & (places[: own[-1] + 1] >= how.first)
        seen = slice(int(np.argmin(hidden.all(axis=0))), own[-1] + 1)  # by at least one of them
        for g in range(key_heads):
            group = slice(g * share, (g + 1) * share)
            scores = query[group, rows] @ keys[g, seen].T  # (share, block, keys that are seen)
            scores[:, hidden[:, seen]] = -np.inf
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(axis=-1, keepdims=True)
            mixed[group, rows] = scores @ values[g, seen]
            if want_weights:
                weights[group, rows, seen] = scores
    return mixed, weights


def losses(model: PublishedModel, tokens: ArrayLike, after: Any = slice(None), **options: Any):
    """Return -ln p of each token but the first, (length - 1,), or of those places `after`."""
    hidden, targets = read(model, tokens[:-1], **options)[after], np.asarray(tokens)[1:][after]
    found = []
    for i in range(0, len(targets), 64):
        y = hidden[i : i + 64] @ model.weights["token_embd"].T  # (64, vocabulary)
        y -= y.max(axis=-1, keepdims=True)
        found.append(np.log(np.exp(y).sum(axis=-1)) - y[np.arange(len(y)), targets[i : i + 64]])
    return np.concatenate(found)


def generate(model, prompt, n, temperature=0.0, seed=0, next_id=None, **options) -> list[int]:
    """Return n tokens that continue the prompt's; the first has the position ID next_id, if given.

    Temperature 0 takes the likeliest; above it they are drawn. The options are those of `read`.
    """
    rng, cache, found, new = np.random.default_rng(seed), Cache(), [], prompt
    for _ in range(n):
        last = read(model, new, cache, **options)[-1]
        answers = (model.weights["token_embd"] @ last).astype(np.float64)
        options["ids"], next_id = None if next_id is None else [next_id], None
        p = np.exp((answers - answers.max()) / (temperature or 1.0))
        found.append(int(rng.choice(len(p), p=p / p.sum()) if temperature else answers.argmax()))
        new = found[-1:]
    return found


def load(path: Any) -> PublishedModel:
    """Return the model of a GGUF file, of the architecture "llama" or "gemma3".

    No field of the file says which columns make a pair. Llama's files have neighbors, whatever the
    checkpoint had, Gemma's have halves: with the other layout the loss is far higher.
    """
    from gguf import GGUFReader, dequantize

    reader = GGUFReader(path)
    of = {name.partition(".")[2]: field.contents() for name, field in reader.fields.items()}
    gemma = _check.choice("architecture", of["architecture"], ("llama", "gemma3")) == "gemma3"
    read = ((each.name, dequantize(each.data, each.tensor_type)) for each in reader.tensors)
    weights = {name.removesuffix(".weight"): array.astype("f4") for name, array in read}
    width = of.get("attention.key_length", of["embedding_length"] // of["attention.head_count"])
    far = Positions(frequencies(width, of["rope.freq_base"]), "half" if gemma else "interleaved")
    positions = [far] * of["block_count"]
    if gemma:
        near = Positions(frequencies(width, LOCAL_BASE), window=of["attention.sliding_window"])
        positions = [near if (n + 1) % GLOBAL_EVERY else far for n in range(len(positions))]
    epsilon, tokenizer = of["attention.layer_norm_rms_epsilon"], _tokenizer(of, gemma)
    return PublishedModel(weights, tuple(positions), width, epsilon, gemma, tokenizer)


def _tokenizer(of, gemma):
    from tokenizers import AddedToken, Tokenizer, decoders, normalizers, pre_tokenizers
    from tokenizers.models import BPE

    tokens, kinds = of["ggml.tokens"], of["ggml.token_type"]
    number = {token: n for n, token in enumerate(tokens)}
    if gemma:  # merges follow from the scores
        ranked = (tokens[n] for n in np.argsort(-np.array(of["ggml.scores"]), kind="stable"))
        cuts = ((token[:i], token[i:]) for token in ranked for i in range(1, len(token)))
        merges = [(a, b) for a, b in cuts if a in number and b in number]
        tokenizer = Tokenizer(BPE(number, merges, byte_fallback=True, unk_token="<unk>"))
        tokenizer.normalizer = normalizers.Replace(" ", "▁")
        decoding = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    else:  # pieces of bytes, whose merges are listed
        merges = [tuple(merge.split(" ")) for merge in of["ggml.merges"]]
        tokenizer, digits = Tokenizer(BPE(number, merges)), pre_tokenizers.Digits(True)
        by_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, by_bytes])
        decoding = [decoders.ByteLevel()]
    tokenizer.decoder = decoders.Sequence(decoding)
    special = (token for token, kind in zip(tokens, kinds, strict=True) if kind == 3)
    tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in special])
    return tokenizer
