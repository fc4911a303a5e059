"""The book on one page: every formula as a few lines of numpy that look like the equation.

Nothing here is checked, fast or exact to the last digit. The modules beside this one are, and the
tests compare them with these lines. t and s are positions of a query and of a key (`positions` in
the modules), d is a width (`d_model`, `d_head`), ω frequencies (`omega` in code).
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
    """One sine in each column: sin(ω_j t) with ω_j = base^(-j/d)."""
    return np.sin(np.multiply.outer(t, base ** (-np.arange(d) / d)))  # (..., d)

# --- Sine and cosine: translation
def frequencies(d, base=10000.0, spacing="paper"):
    """ω_i = base^(-2i/d), or base^(-i/(n-1)) for n that end on 1/base (endpoint)."""
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
    """Of key minus query: near ones have a bucket each; far ones share, in equal ratios."""
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

def kerple_bias(length, r1, r2, kernel="logarithmic"):
    """-r1 ln(1 + r2 |s - t|), or -r1 |s - t|^r2 (power): two trained numbers for each head."""
    distance, r1, r2 = abs(relative_positions(length)), r1[:, None, None], r2[:, None, None]
    return -r1 * (np.log(1 + r2 * distance) if kernel == "logarithmic" else distance**r2)

def fire_bias(length, w_in, b_in, w_out, b_out, slope=0.1, threshold=512.0):
    """A small network of the share ψ(t - s) / ψ(t), with ψ(x) = ln(slope x + 1)."""
    farthest = np.maximum(np.arange(length), threshold)[:, None]
    share = np.log(slope * abs(relative_positions(length)) + 1) / np.log(slope * farthest + 1)
    hidden = np.maximum(share[..., None] * w_in + b_in, 0)
    return (hidden @ w_out + b_out).transpose(2, 0, 1)  # (heads, length, length)

def transformer_xl_scores(query, key, table, content_bias, position_bias):
    """(q_t + v) · r_{s-t} + u · k_s, beside q_t · k_s."""
    asked = relative_key_scores(query + position_bias, table)
    return asked + (key @ content_bias)[..., None, :]

def deberta_buckets(offset, n_buckets=256, max_distance=512):
    """Near offsets are their own bucket; far ones share, in equal ratios, before and after."""
    near, distance = n_buckets // 2, np.maximum(abs(offset), n_buckets // 2)
    steps = (near - 1) * np.log(distance / near) / np.log((max_distance - 1) / near)
    far = np.sign(offset) * (near + np.ceil(steps - 1e-9))
    return np.where(distance == near, offset, far).astype(int)

def disentangled_scores(query, key, position_query, position_key, offset=None):
    """q_t · K_{s-t} + k_s · Q_{s-t}, beside q_t · k_s; row 0 of K and Q is the offset +k."""
    offset, k = relative_positions(len(query)) if offset is None else offset, len(position_key) // 2
    row = np.clip(k - offset, 0, 2 * k - 1)
    return np.einsum("td,tsd->ts", query, position_key[row]) + np.einsum(
        "sd,tsd->ts", key, position_query[row])

def contextual_positions(scores):
    """The position of key s counts the open gates σ(score) from s to t."""
    gates = causal_mask(scores.shape[-1]) / (1 + np.exp(-scores))
    return gates[..., ::-1].cumsum(axis=-1)[..., ::-1]

def contextual_bias(query, t, table):
    """q_t · e_p, between two rows of the table where p lies between two integers."""
    t, products = np.minimum(t, len(table) - 1), query @ table.T
    low, high = np.floor(t).astype(int), np.ceil(t).astype(int)
    near, far = (np.take_along_axis(products, row, axis=-1) for row in (low, high))
    return near + (t - low) * (far - near)

# --- Rotary positions
def rotate(x, t, base=10000.0, layout="interleaved", omega=None):
    """R(t) x turns every pair (a, b) by ω_i t, so that R(t) q · R(s) k depends on s - t alone."""
    a, b = split(x, layout)
    angles = np.multiply.outer(t, frequencies(x.shape[-1], base) if omega is None else omega)
    cos, sin = np.cos(angles), np.sin(angles)  # (..., d/2)
    return join(a * cos - b * sin, a * sin + b * cos, layout)

def rotate_part(x, t, fraction, base=10000.0, layout="interleaved"):
    """The first columns turn, as a head of their width would; the others stay as they are."""
    turned, kept = np.split(x, [int(fraction * x.shape[-1])], axis=-1)
    return np.concatenate([rotate(turned, t, base, layout), kept], axis=-1)

def xpos_decay(t, d, gamma=0.4, scale_base=512.0):
    """ζ_i^(t/512) multiplies pair i of a query and divides it of a key, so that scores fade."""
    zeta = (2 * np.arange(d // 2) / d + gamma) / (1 + gamma)
    return zeta ** (np.asarray(t)[..., None] / scale_base)  # (..., d/2)

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

def yarn_scales(factor, mscale=1.0, mscale_all_dim=0.0):
    """What multiplies cosines and sines, and what multiplies scores."""
    of_all = yarn_temperature(factor, mscale_all_dim)
    return yarn_temperature(factor, mscale) / of_all, of_all**2

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

def proportional(d, share, base=10000.0):
    """The frequencies of the whole head; its slow pairs stand still."""
    return np.where(np.arange(d // 2) < int(share * d // 2), frequencies(d, base), 0.0)

# --- More than one axis
def grid_positions(shape):
    """All places of a grid, row by row."""
    return np.array(list(np.ndindex(*shape)))  # (places, axes)

def joined_positions(parts, n_axes=3):
    """Words stand at (t, t, t), pictures are grids; a part begins after the largest number."""
    places = np.empty((0, n_axes), int)
    for part in parts:
        grid = np.outer(range(part), [1] * n_axes) if np.ndim(part) == 0 else grid_positions(part)
        places = np.vstack([places, grid + places.max(initial=-1) + 1])
    return places

def normalized_coordinates(shape):
    """The centers of patches, with a picture that reaches from -1 to 1."""
    return 2 * (grid_positions(shape) + 0.5) / shape - 1

def axial_frequencies(widths, base=10000.0):
    """Each ω_i acts on one axis: frequencies of the first axis, then those of the second."""
    axes, bases = range(len(widths)), np.broadcast_to(base, len(widths))
    unit = np.eye(len(widths))
    return np.vstack([np.outer(frequencies(widths[a], bases[a]), unit[a]) for a in axes])

def mixed_frequencies(n_pairs, n_axes=2, base=10.0, seed=0, directions=None):
    """Every ω_i has a direction of its own."""
    if directions is None:
        directions = np.random.default_rng(seed).normal(size=(n_pairs, n_axes))
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    return frequencies(2 * n_pairs, base)[:, None] * directions / lengths

def section_frequencies(d, sections, base=10000.0, interleaved=False):
    """Frequencies shared out to the axes in sections, or in turns with the rest for the first."""
    axis = np.repeat(np.arange(len(sections)), sections)
    if interleaved:
        axis, whose = 0 * axis, np.arange(d // 2) % len(sections)
        for a, n in list(enumerate(sections))[1:]:
            axis[np.flatnonzero(whose == a)[:n]] = a
    return frequencies(d, base)[:, None] * np.eye(len(sections))[axis]

def sinusoidal_points(p, omega, layout="interleaved"):
    """Pair i is sin(ω_i · p), cos(ω_i · p)."""
    angles = p @ omega.T  # (..., pairs)
    return join(np.sin(angles), np.cos(angles), layout)

def rotate_points(x, p, omega, layout="interleaved"):
    """R(p) x turns pair i by ω_i · p, so that R(p) q · R(s) k depends on s - p alone."""
    return rotate(x, 1.0, layout=layout, omega=p @ omega.T)

def grid_table(shape, d, base=10000.0, style="timm"):
    """A row for every place of a grid: an equal share of the columns for each axis."""
    layout = "interleaved" if style == "detr" else "concatenated"
    points = grid_positions(shape) + (style == "detr")  # which counts from 1
    axes = [sinusoidal(t, d // len(shape), base, layout) for t in points.T]
    if style == "timm":
        axes = [split(axis, layout)[k] for k in (0, 1) for axis in axes]
    return np.hstack(axes[::-1] if style == "mae" else axes)

def resize_table(table, shape, new_shape, align_corners=False):
    """A table of a grid for another one: linear between the centers of patches, axis by axis."""
    d, done = table.shape[-1], 1
    for old, new in np.transpose([shape, new_shape]):
        centers = np.clip((np.arange(new) + 0.5) * old / new - 0.5, 0, old - 1)
        places = np.linspace(0, old - 1, new) if align_corners else centers
        hats = np.maximum(1 - abs(places[:, None] - np.arange(old)), 0)  # (new, old)
        table, done = hats @ table.reshape(done, old, -1), done * new
    return table.reshape(-1, d)

def fourier_features(p, b):
    """cos(2π b_i · p), then sin(2π b_i · p): frequencies in turns."""
    return np.concatenate([np.cos(2 * np.pi * p @ b.T), np.sin(2 * np.pi * p @ b.T)], axis=-1)

def timestep_embedding(t, d, base=10000.0, flip_sin_to_cos=False, downscale_freq_shift=1.0):
    """The moment of a diffusion: frequencies that end on 1/base where the shift is 1."""
    omega = base ** (-np.arange(d // 2) / max(d // 2 - downscale_freq_shift, 1))
    sines, cosines = split(sinusoidal(t, d, omega=omega, layout="concatenated"), "concatenated")
    return np.concatenate([cosines, sines] if flip_sin_to_cos else [sines, cosines], axis=-1)

def periodic_frequencies(n_pairs, period=2 * np.pi):
    """Whole numbers of turns in a period: no seam."""
    return 2 * np.pi * np.arange(1, n_pairs + 1) / period

def laplacian_vectors(adjacency, n_vectors):
    """The slowest waves of a graph: eigenvectors of I - D^(-1/2) A D^(-1/2), without the first."""
    D = np.diag(1 / np.sqrt(adjacency.sum(axis=1)))
    waves = np.linalg.eigh(np.eye(len(D)) - D @ adjacency @ D)[1][:, 1 : n_vectors + 1]
    return waves * np.sign(waves[abs(waves).round(9).argmax(axis=0), np.arange(n_vectors)])

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
