"""The book on one page: every formula as a few lines of numpy that look like the equation.

Nothing here is checked, fast or exact to the last digit. The modules beside this one are, and the
tests compare them with these lines. t and s are positions of a query and of a key, d is a width.
"""

# fmt: off
import numpy as np


# --- The position problem
def softmax(scores):
    """Positive weights that sum to 1 in every row."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))  # no overflow
    return weights / weights.sum(axis=-1, keepdims=True)

def causal_mask(length):
    """True where a position may look: at itself and the t before it. Equal shares are 1/(t+1)."""
    return relative_positions(length) <= 0

def attention(query, key, mask=True, bias=0.0, relative=0.0):
    """Who looks at whom, and how much: softmax of (q_t · k_s + relative) / √d + bias."""
    scores = (query @ key.swapaxes(-1, -2) + relative) / np.sqrt(query.shape[-1]) + bias
    return softmax(np.where(mask, scores, -np.inf))  # (..., length, length)

def attention_weights(x, w_query, w_key, mask=True, bias=0.0):
    """`attention` with queries and keys made from the vectors x."""
    return attention(x @ w_query, x @ w_key, mask, bias)

def self_attention(x, w_query, w_key, w_value, mask=True, bias=0.0):
    """Every position receives a weighted mean of the values."""
    return attention_weights(x, w_query, w_key, mask, bias) @ (x @ w_value)

# --- Counting
def count(t):
    """p_t = t."""
    return np.multiply.outer(t, [1.0])  # (..., 1)

def normalized_count(t, length):
    """p_t = t / (L - 1), and 0 for a single position."""
    return count(t) / max(length - 1, 1)

# --- Binary
def binary(t, n_bits):
    """Bit k is ⌊t / 2^k⌋ mod 2; the ones come last."""
    return np.floor_divide.outer(t, 2 ** np.arange(n_bits)[::-1]) % 2  # (..., n_bits)

# --- The sinusoid
def sine(t, wavelength):
    """A continuous bit: sin(2πt / λ)."""
    return np.sin(2 * np.pi * t / wavelength)

def sine_only(t, d, base=10000.0):
    """One sine in each column, on a ladder: sin(ω_j t) with ω_j = base^(-j/d)."""
    return np.sin(np.multiply.outer(t, base ** (-np.arange(d) / d)))  # (..., d)

# --- Sine and cosine: translation
def frequencies(d, base=10000.0, spacing="paper"):
    """ω_i = base^(-2i/d), or base^(-i/(n-1)) for a ladder of n that ends on 1/base (endpoint)."""
    n = (d + 1) // 2
    return base ** (-2 * np.arange(n) / d if spacing == "paper" else -np.arange(n) / max(n - 1, 1))

def wavelengths(d, base=10000.0, spacing="paper"):
    """λ_i = 2π / ω_i."""
    return 2 * np.pi / frequencies(d, base, spacing)

def sinusoidal(t, d, base=10000.0, layout="interleaved", spacing="paper", omega=None):
    """Pair i is sin(ω_i t), cos(ω_i t); an odd width goes without the last cosine."""
    angles = np.multiply.outer(t, frequencies(d, base, spacing) if omega is None else omega)
    return join(np.sin(angles), np.cos(angles), layout)[..., :d]

def join(first, second, layout):
    """Pairs as columns: side by side (interleaved), or all the first, then all the second."""
    if layout == "interleaved":
        return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)
    return np.concatenate([first, second], axis=-1)

def split(x, layout):
    """The first and the second columns of all pairs: undoes `join`."""
    return (x[..., 0::2], x[..., 1::2]) if layout == "interleaved" else np.split(x, 2, axis=-1)

def translation_matrix(offset, d, base=10000.0, layout="interleaved", spacing="paper"):
    """T(Δ), with T(Δ) p_t = p_{t+Δ}: every pair is turned by its own angle ω_i Δ."""
    angles = offset * frequencies(d, base, spacing)
    C, S = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    place = join(*np.split(np.arange(d), 2), layout)  # of each column, where the sines come first
    return np.block([[C, S], [-S, C]])[np.ix_(place, place)]  # sin(θ+φ) = cos φ sin θ + sin φ cos θ

def translate(encoding, offset, base=10000.0, layout="interleaved", spacing="paper"):
    """T(Δ) applied to vectors that are rows."""
    return encoding @ translation_matrix(offset, encoding.shape[-1], base, layout, spacing).T

def fit_translation(table, offset):
    """The matrix that moves the rows of a table best, by least squares; offset > 0."""
    return np.linalg.lstsq(table[:-offset], table[offset:], rcond=None)[0].T

def similarity(offset, d, base=10000.0, spacing="paper"):
    """p_t · p_{t+Δ} = Σ_i cos(ω_i Δ), whatever t is."""
    return np.cos(np.multiply.outer(offset, frequencies(d, base, spacing))).sum(axis=-1)

# --- Adding it in
def add(words, table):
    """x_t = e_t + p_t, with row t of any table, computed or learned."""
    return words + table[: words.shape[-2]]  # (..., length, d)

# --- Relative positions
def relative_positions(length):
    """Key minus query, s - t; row = query, column = key."""
    return np.arange(length) - np.arange(length)[:, None]

def clipped_relative_positions(length, clip):
    """Offsets beyond ±clip count as ±clip."""
    return np.clip(relative_positions(length), -clip, clip)

def by_offset(values):
    """b_{s-t}: the numbers of the offsets -(length - 1) … length - 1 as a matrix."""
    length = (values.shape[-1] + 1) // 2
    return values[..., length - 1 + relative_positions(length)]

def relative_key_scores(query, table):
    """q_t · a_{s-t}, with a trained vector for each clipped offset (Shaw)."""
    offsets = clipped_relative_positions(query.shape[-2], clip=len(table) // 2)
    return np.einsum("...td,tsd->...ts", query, table[len(table) // 2 + offsets])

def t5_buckets(offset, n_buckets=32, max_distance=128, bidirectional=True):
    """Near distances have a bucket each; far ones share, in equal ratios up to max_distance."""
    n = n_buckets // 2 if bidirectional else n_buckets  # of a side
    near, distance = n // 2, abs(offset) if bidirectional else -np.minimum(offset, 0)
    steps = (n - near) * np.log(np.maximum(distance, 1) / near) / np.log(max_distance / near)
    bucket = np.where(distance < near, distance, np.minimum(near + np.floor(steps), n - 1))
    return (bucket + n * (bidirectional & (offset > 0))).astype(int)

def t5_bias(length, table, max_distance=128, bidirectional=True):
    """A trained number for each bucket (row of the table) and head (column)."""
    options = (len(table), max_distance, bidirectional)
    return table.T[:, t5_buckets(relative_positions(length), *options)]  # (heads, length, length)

def alibi_slopes(n_heads):
    """2^(-8k/n) for head k of n; beyond a power of two, every second slope of the next power."""
    power = 2 ** int(np.log2(n_heads))
    lower, higher = (2.0 ** (-8 * np.arange(1, n + 1) / n) for n in (power, 2 * power))
    return np.concatenate([lower, higher[::2][: n_heads - power]])

def alibi_bias(length, slopes):
    """Every position of distance costs the slope: -m |s - t|."""
    return -np.multiply.outer(slopes, abs(relative_positions(length)))  # (heads, length, length)

# --- Rotary positions
def rotate(x, t, base=10000.0, layout="interleaved", omega=None):
    """R(t) x turns every pair (a, b) by ω_i t, so that R(t) q · R(s) k depends on s - t alone."""
    a, b = split(x, layout)
    angles = np.multiply.outer(t, frequencies(x.shape[-1], base) if omega is None else omega)
    cos, sin = np.cos(angles), np.sin(angles)  # (..., d/2)
    return join(a * cos - b * sin, a * sin + b * cos, layout)

def to_half(x):
    """Columns a, b, a, b, … as all a, then all b."""
    return join(*split(x, "interleaved"), "half")

def to_interleaved(x):
    """The way back: all a, then all b as a, b, a, b, … again."""
    return join(*split(x, "half"), "interleaved")

def bfloat16(x):
    """The nearest number of 8 binary digits; ties go to the even one."""
    mantissa, exponent = np.frexp(x)  # 1/2 <= |mantissa| < 1
    return np.ldexp(np.rint(2**8 * mantissa), exponent - 8)

def interpolated(d, factor, base=10000.0):
    """Position interpolation: ω_i / s."""
    return frequencies(d, base) / factor

def ntk_aware(d, factor, base=10000.0):
    """A larger base: the fastest pair stays, the slowest is divided by the factor."""
    return frequencies(d, base * factor ** (d / (d - 2)))

def dynamic_ntk(d, length, original_length, factor=1.0, base=10000.0):
    """`ntk_aware`, by the length that the text has now."""
    return ntk_aware(d, 1 + factor * max(length / original_length - 1, 0), base)

def yarn(d, factor, original_length, base=10000.0, beta_fast=32, beta_slow=1, truncate=True):
    """Fast pairs stay, slow ones are divided by the factor; between them, a ramp over pairs."""
    turns = 2 * np.pi * np.array([beta_fast, beta_slow])
    low, high = d / 2 * np.log(original_length / turns) / np.log(base)  # pairs that turn so often
    low, high = (np.floor(low), np.ceil(high)) if truncate else (low, high)
    low, high = max(low, 0), min(high, d - 1)
    slowed = np.clip((np.arange(d // 2) - low) / max(high - low, 0.001), 0, 1)
    return frequencies(d, base) * (1 - slowed + slowed / factor)

def yarn_temperature(factor, mscale=1.0):
    """√(1/t) = 0.1 ln s + 1 multiplies queries and keys; mscale is DeepSeek's coefficient."""
    return 0.1 * mscale * np.log(factor) + 1

def llama3(d, factor, original_length, base=500000.0, low_freq_factor=1, high_freq_factor=4):
    """Fast pairs stay, slow ones are divided by the factor; between them, a ramp over turns."""
    turns = original_length / wavelengths(d, base)
    kept = np.clip((turns - low_freq_factor) / (high_freq_factor - low_freq_factor), 0, 1)
    return frequencies(d, base) * (kept + (1 - kept) / factor)

def longrope(d, factors, base=10000.0):
    """Every pair has a factor of its own."""
    return frequencies(d, base) / factors

def longrope_temperature(factor, original_length):
    """√(1 + ln s / ln L) multiplies queries and keys."""
    return np.sqrt(1 + np.log(factor) / np.log(original_length))

# --- The model
def transformer(tokens, embedding, layers, readout, table=0.0, **positions):
    """A number for each class at every position: embed, add, attend, read."""
    x = embedding[tokens] + table  # (..., length, d)
    for weights in layers:
        x = layer(x, *weights, **positions)
    return x @ readout  # (..., length, n_classes)

def layer(x, w_query, w_key, w_value, w_output, mask=True, bias=0.0,
          turn=lambda x: x, relative=lambda query: 0.0):
    """Add what attention brings; `turn` makes it rotary, `relative` gives it relative keys."""
    query, key = turn(x @ w_query), turn(x @ w_key)
    return x + attention(query, key, mask, bias, relative(query)) @ (x @ w_value) @ w_output
