"""Speed, memory and exactness, beside plain numpy and the peers that are installed.

Run it as `python benchmarks/bench.py`. Absolute times differ from machine to machine, so tables
are compared with a copy of the array they return. All candidates take turns, and medians count.
"""

import importlib
import math
import statistics
import subprocess
import sys
import time
import tracemalloc

import numpy as np

from pecheck import decode
from pecode import (
    alibi_bias,
    alibi_slopes,
    formulas,
    frequencies,
    relative_key_scores,
    relative_positions,
    rotate,
    similarity,
    sinusoidal,
    sinusoidal_table,
    t5_bias,
    t5_buckets,
    translate,
    translation_matrix,
)

ROUNDS = 7


# Candidates: (length, d_model) -> float32 table, interleaved or with sines first


def numpy_float32(length, d_model):
    """Position times frequency in float32, as most code has it."""
    t = np.arange(length, dtype=np.float32)[:, None]
    omega = np.float32(10000) ** (-np.arange(0, d_model, 2, dtype=np.float32) / d_model)
    table = np.empty((length, d_model), np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(t * omega), np.cos(t * omega)
    return table


def numpy_float64(length, d_model):
    """The same in float64, rounded at the end."""
    t = np.arange(length)[:, None]
    omega = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    table = np.empty((length, d_model), np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(t * omega), np.cos(t * omega)
    return table


def torch_tutorial():
    """The formula of the PyTorch tutorial on language modeling with nn.Transformer."""
    torch = importlib.import_module("torch")

    def table(length, d_model):
        position = torch.arange(length).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(length, d_model)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        return pe.numpy()

    return table


def tensorflow_keras_hub():
    """KerasHub's SinePositionEncoding layer."""
    layers = importlib.import_module("keras_hub.layers")

    def table(length, d_model):
        layer = layers.SinePositionEncoding(max_wavelength=10000)
        return np.asarray(layer(np.zeros((1, length, d_model), np.float32)))[0]

    return table


def positional_encodings():
    """PositionalEncoding1D of the package `positional-encodings`."""
    module = importlib.import_module("positional_encodings.torch_encodings")
    torch = importlib.import_module("torch")

    def table(length, d_model):
        encode = module.PositionalEncoding1D(d_model)
        return encode(torch.zeros(1, length, d_model))[0].numpy()

    return table


PEERS = {
    "torch (tutorial)": torch_tutorial,
    "keras_hub": tensorflow_keras_hub,
    "positional_encodings": positional_encodings,
}


def installed_peers():
    """The peers that can be imported, and the names of the others."""
    found, missing = {}, []
    for name, load in PEERS.items():
        try:
            found[name] = load()
        except ImportError:
            missing.append(name)
    return found, missing


# Measuring


def median_seconds(functions, rounds=ROUNDS):
    """Median time of each function; they take turns, so that a slow moment meets all of them."""
    times = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(taken) for name, taken in times.items()}


def peak_bytes(function):
    """Most memory at once, as numpy reports it; what torch allocates is not seen."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def largest_error(table):
    """Against `sinusoidal` in float64, exact to 1e-15, on rows over the whole length."""
    length, d_model = table.shape
    rows = np.unique(np.linspace(0, length - 1, 500).astype(int))
    return np.abs(table[rows] - sinusoidal(rows, d_model)).max()


def tables(length, d_model, peers):
    """One block of lines: every candidate for one shape."""
    candidates = {
        "pecode": lambda: sinusoidal_table(length, d_model, dtype=np.float32),
        "numpy float32": lambda: numpy_float32(length, d_model),
        "numpy float64": lambda: numpy_float64(length, d_model),
    }
    for name, build in peers.items():
        candidates[name] = lambda build=build: build(length, d_model)
    result = candidates["pecode"]()
    seconds = median_seconds({"copy": result.copy, **candidates})
    print(f"\nTable {length} × {d_model}, float32; a copy takes {1e3 * seconds['copy']:.2f} ms")
    print(f"  {'':22}{'time ÷ copy':>12}{'memory ÷ table':>16}{'largest error':>15}")
    for name, build in candidates.items():
        memory = f"{peak_bytes(build) / result.nbytes:.2f}"
        if name in peers and "torch" in name:
            memory = "–"
        print(
            f"  {name:22}{seconds[name] / seconds['copy']:12.2f}{memory:>16}"
            f"{largest_error(build()):15.1e}"
        )


def pair(title, ours, theirs):
    """One line: time and memory of two ways to the same numbers."""
    assert np.allclose(ours(), theirs(), atol=1e-9)
    seconds = median_seconds({"ours": ours, "theirs": theirs})
    print(
        f"  {title:42}{1e3 * seconds['ours']:10.3f} ms{1e3 * seconds['theirs']:10.3f} ms"
        f"{seconds['theirs'] / seconds['ours']:10.1f} ×"
        f"{peak_bytes(ours) / 2**20:10.2f} MB{peak_bytes(theirs) / 2**20:10.2f} MB"
    )


def similarities(length, d_model):
    """Sums of cosines against the product of the table with itself."""
    table = sinusoidal_table(length, d_model)
    pair(
        f"similarity, {length} offsets, width {d_model}",
        lambda: similarity(np.arange(length), d_model),
        lambda: (table @ table.T)[0],
    )


def small_tables(length, d_model):
    """A table of few rows, as a model makes at its start, against three lines of numpy."""
    pair(
        f"table {length} × {d_model}",
        lambda: sinusoidal_table(length, d_model, dtype=np.float32),
        lambda: numpy_float64(length, d_model),
    )


def filled(length, d_model):
    """A table written into memory that is there already, against a new one."""
    out = np.empty((length, d_model))
    pair(
        f"table {length} × {d_model}, out=",
        lambda: sinusoidal_table(length, d_model, out=out),
        lambda: sinusoidal_table(length, d_model),
    )


def relative_keys(length, d, clip=16):
    """Relative keys, multiplied before the offsets are picked, against a vector for each pair."""
    queries, table = np.random.default_rng(0).normal(size=(2, length, d))
    table = table[: 2 * clip + 1]
    pair(
        f"relative keys, length {length}, width {d}",
        lambda: relative_key_scores(queries, table),
        lambda: formulas.relative_key_scores(queries, table),
    )


def importing():
    """What `import pecode` takes beyond numpy."""
    code = "import time, numpy, fractions, decimal; t = time.perf_counter(); import pecode; "
    run = [sys.executable, "-c", code + "print(time.perf_counter() - t)"]
    taken = [float(subprocess.run(run, capture_output=True, check=True).stdout) for _ in range(5)]
    print(f"\nimport pecode, beyond numpy: {1e3 * statistics.median(taken):.0f} ms")


def translations(d_model, rows=100):
    """Turned pairs against a dense matrix, which is built beforehand."""
    vectors = sinusoidal_table(rows, d_model)
    matrix = translation_matrix(7, d_model)
    pair(
        f"translate, {rows} rows, width {d_model}",
        lambda: translate(vectors, 7),
        lambda: vectors @ matrix.T,
    )


# Rotary: x of shape (batch, heads, length, d_head) in float32. Cosines and sines of the others are
# made beforehand, as models do for all their layers; pecode makes them anew.


def rotate_half(x, cos, sin, concatenate):
    """As most libraries write the half layout: x * cos + (-x2, x1) * sin."""
    n = x.shape[-1] // 2
    return x * cos + concatenate((-x[..., n:], x[..., :n]), -1) * sin


def rotary_candidates(x):
    """Ways to turn x by its positions: name -> (layout, function without arguments)."""
    t, d_head = np.arange(x.shape[-2]), x.shape[-1]
    angles = np.tile(t[:, None] * frequencies(d_head), 2)  # (length, d_head)
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    found = {
        "pecode, interleaved": ("interleaved", lambda: rotate(x, t)),
        "pecode, half": ("half", lambda: rotate(x, t, layout="half")),
        "numpy, half": ("half", lambda: rotate_half(x, cos, sin, np.concatenate)),
        "floor: x * x": (None, lambda: x * x),
    }
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return found
    torch.set_num_threads(1)  # numpy has one
    xt, cos_t, sin_t = map(torch.from_numpy, (x, cos, sin))
    theta = torch.from_numpy(angles[:, : d_head // 2])
    phasors = torch.polar(torch.ones_like(theta), theta).to(torch.complex64)

    def as_complex():
        z = torch.view_as_complex(xt.reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(z * phasors).flatten(-2).numpy()

    found["torch, clone"] = (None, xt.clone)  # torch's own price of a copy
    found["torch, half (transformers)"] = (
        "half",
        lambda: rotate_half(xt, cos_t, sin_t, torch.cat).numpy(),
    )
    found["torch, complex (Llama)"] = ("interleaved", as_complex)
    return found


def rotations(*shape):
    """One block of lines: every way to turn an array of this shape."""
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    found = rotary_candidates(x)
    seconds = median_seconds({"copy": x.copy, **{name: run for name, (_, run) in found.items()}})
    print(f"\nRotary {shape}, float32; a copy takes {1e3 * seconds['copy']:.2f} ms")
    print(f"  {'':28}{'time ÷ copy':>12}{'memory ÷ x':>12}{'largest error':>15}")
    for name, (layout, run) in found.items():
        memory = "–" if "torch" in name else f"{peak_bytes(run) / x.nbytes:.2f}"
        error = "–"
        if layout is not None:
            exact = rotate(x[0, 0].astype(np.float64), np.arange(shape[-2]), layout=layout)
            error = f"{np.abs(run()[0, 0] - exact).max():.1e}"
        print(f"  {name:28}{seconds[name] / seconds['copy']:12.2f}{memory:>12}{error:>15}")


# Biases: a view on 2·length - 1 numbers for each head, against all entries


def biases(length, n_heads):
    """Two lines: ALiBi and T5."""
    slopes = alibi_slopes(n_heads)
    table = np.random.default_rng(0).normal(size=(32, n_heads))
    pair(
        f"ALiBi, {n_heads} heads, length {length}",
        lambda: alibi_bias(length, slopes),
        lambda: -slopes[:, None, None] * np.abs(relative_positions(length)),
    )
    pair(
        f"T5 bias, {n_heads} heads, length {length}",
        lambda: t5_bias(length, table),
        lambda: table.T[:, t5_buckets(relative_positions(length))],
    )


def decodings(length, d_model, sigma):
    """A noisy row by search, against the largest dot product with a table built beforehand."""
    table = sinusoidal_table(length, d_model, dtype=np.float32)
    noise = np.random.default_rng(0).normal(size=d_model)
    row = (table[length // 3] + sigma * noise).astype(np.float32)
    pair(
        f"decode, {length} × {d_model}, noise {sigma}",
        lambda: decode(row, length),
        lambda: (table @ row).argmax(),
    )


def main():
    """Print all of it."""
    peers, missing = installed_peers()
    print(f"numpy {np.__version__}; medians of {ROUNDS} rounds, taking turns")
    if missing:
        print(f"not installed, so not measured: {', '.join(missing)}")
    for length, d_model in [(512, 512), (8192, 512), (131_072, 512), (1_000_000, 64)]:
        tables(length, d_model, peers)

    print(f"\n  {'':42}{'pecode':>13}{'matrix':>13}{'faster':>12}{'memory: pecode, matrix':>26}")
    for length, d_model in [(16, 64), (128, 512)]:
        small_tables(length, d_model)
    filled(32_768, 512)
    for length in (2048, 8192):
        similarities(length, 512)
    for d_model in (32, 512, 4096):
        translations(d_model)
    for length, d_model, sigma in [(2048, 512, 0.5), (131_072, 64, 0.3), (131_072, 512, 0.5)]:
        decodings(length, d_model, sigma)
    biases(2048, 32)
    relative_keys(512, 64)
    rotations(1, 32, 2048, 128)
    importing()


if __name__ == "__main__":
    main()
