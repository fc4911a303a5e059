"""The figures of Part I, chapters 1 to 6."""

import numpy as np

from pecode import encodings, translation
from pecode.plots.style import COLORS, MAGNITUDE, SIGNED, band, frame

# Chapter 1: the position problem


def weights(ax, weights, words):
    """Attention weights as a grid of numbers; rows look, columns are looked at."""
    image = ax.imshow(weights, cmap=MAGNITUDE, vmin=0, vmax=weights.max())
    for (row, column), weight in np.ndenumerate(weights):
        light = weight > 0.6 * weights.max()
        ax.text(
            column,
            row,
            f"{weight:.2f}",
            ha="center",
            va="center",
            color="white" if light else "black",
        )
    ax.set_xticks(range(len(words)), [f"{word}\n{t}" for t, word in enumerate(words)])
    ax.set_yticks(range(len(words)), [f"{word}  {t}" for t, word in enumerate(words)])
    ax.set(xlabel="looked at (word, position)", ylabel="looks (word, position)")
    ax.figure.colorbar(image, ax=ax, label="weight")
    return ax


def shuffled_outputs(axes, outputs, words, order):
    """Output vectors before and after a reordering, the same words joined by lines."""
    from matplotlib.patches import ConnectionPatch

    before, after = axes
    extreme = np.abs(outputs).max()
    for ax, rows, labels in [
        (before, outputs, words),
        (after, outputs[order], [words[k] for k in order]),
    ]:
        ax.imshow(rows, cmap=SIGNED, vmin=-extreme, vmax=extreme, aspect="auto")
        ax.set_yticks(range(len(labels)), [f"{word}  {t}" for t, word in enumerate(labels)])
        ax.hlines(np.arange(len(labels) - 1) + 0.5, *ax.get_xlim(), color="white", linewidth=6)
        ax.set(xticks=[], xlabel="entries of the output")
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
    after.yaxis.tick_right()
    width = outputs.shape[1] - 0.5
    for new, old in enumerate(order):
        after.add_artist(
            ConnectionPatch(
                (width, old),
                (-0.5, new),
                "data",
                "data",
                axesA=before,
                axesB=after,
                color="#767676",
            )
        )
    return axes


def word_bars(ax, heights, words, title):
    """One bar a word; a bar of no height says so."""
    bars = ax.bar(range(len(words)), np.round(heights, 9), width=0.6, color=COLORS["nothing"])
    ax.bar_label(bars, [f"{height:.1f}" for height in heights], padding=2)
    ax.set_xticks(range(len(words)), words)
    ax.set(title=title, ylabel="moved by")
    ax.margins(y=0.2)
    return ax


# Chapter 2: counting


def toy(axes, weights, sequence):
    """The weights of a neighborhood average, and a sequence before and after it."""
    left, right = axes
    left.imshow(weights, cmap=MAGNITUDE, vmin=0)
    left.set(xlabel="position looked at", ylabel="position that looks")
    positions = np.arange(len(sequence))
    right.bar(positions, sequence, width=0.8, color="#d4d4d4", label="before")
    right.bar(positions, weights @ sequence, width=0.45, color=COLORS["count"], label="after")
    right.set(xlabel="position", ylabel="value")
    right.legend()
    return axes


def bands(ax, runs):
    """Median and range of several runs, for each encoding; runs: name -> (n_runs, length)."""
    for name, curves in runs.items():
        ax.fill_between(
            np.arange(len(curves[0])),
            np.min(curves, axis=0),
            np.max(curves, axis=0),
            color=COLORS[name],
            alpha=0.25,
            linewidth=0,
        )
        ax.plot(np.median(curves, axis=0), color=COLORS[name], label=name)
    ax.legend(loc="center left", bbox_to_anchor=(0.25, 0.55))
    return ax


def same_value(ax, lengths, value):
    """Where one value of the normalized count stands, in sequences of several lengths."""
    ax.axvline(value, color="#767676", linewidth=1)
    for row, length in enumerate(lengths):
        values = encodings.normalized_count(range(length), length).ravel()
        here = int(np.abs(values - value).argmin())
        ax.plot(values, np.full(length, row), "o", color=COLORS["normalized count"], markersize=4)
        ax.plot(values[here], row, "o", markersize=12, mfc="none", mec="black", mew=1.5)
        ax.annotate(f"position {here}", (values[here], row), (8, 9), textcoords="offset points")
    ax.set_yticks(range(len(lengths)), [f"length {length}" for length in lengths])
    ax.set(xlabel="normalized count", ylim=(-0.4, len(lengths) - 0.3))
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax


# Chapter 3: binary


def bit_tracks(ax, length, n_bits, marked):
    """The bits of consecutive positions, one track a bit, the ones at the bottom."""
    bits = encodings.binary(range(length), n_bits)
    ax.imshow(bits.T, cmap=MAGNITUDE, vmin=0, vmax=1.3, aspect="auto")
    ax.add_patch(frame(marked - 1, -0.5, 2, n_bits))
    ax.set_yticks(range(n_bits), [f"{2 ** (n_bits - 1 - k)}s" for k in range(n_bits)])
    for k, bit in enumerate(bits[marked]):
        ax.text(length + 1, k, f"{bit:.0f}", va="center", family="monospace")
    ax.set(xlabel="position", ylabel="bit")
    return ax


def flips(ax, length):
    """How many bits change from each position to the next."""
    n_bits = int(length - 1).bit_length()
    bits = encodings.binary(range(length), n_bits)
    ax.bar(
        np.arange(length - 1),
        np.abs(np.diff(bits, axis=0)).sum(axis=1),
        width=0.7,
        color=COLORS["binary"],
    )
    ax.set(xlabel="position t", ylabel="flips from t to t + 1")
    return ax


def distances_from(ax, table, position, name):
    """Euclidean distance of one row to every row."""
    distances = np.linalg.norm(table - table[position], axis=1)
    ax.plot(distances, "o", color=COLORS[name])
    ax.vlines(np.arange(len(table)), 0, distances, color=COLORS[name], alpha=0.3, linewidth=1)
    ax.set(xlabel="position", ylabel=f"distance from {position}", ylim=(0, None))
    return ax


def jagged_paths(axes):
    """The binary path on a square beside a straight one, and on a cube."""
    square, cube = axes
    corners = encodings.binary(range(4), 2)[:, ::-1]  # twos upward, ones to the right
    square.plot(*corners.T, color=COLORS["binary"], zorder=1)
    square.scatter(*corners.T, c=range(4), cmap="viridis", s=60, edgecolor="black", zorder=2)
    for t, (x, y) in enumerate(corners):
        square.annotate(t, (x, y), (9 if x else -14, -4), textcoords="offset points")
    square.plot([0, 3], [-0.45, -0.45], "--", color="#767676")
    square.plot(range(4), [-0.45] * 4, "o", color="#767676", markersize=4)
    square.set(
        xlabel="ones digit",
        ylabel="twos digit",
        xticks=[0, 1],
        yticks=[0, 1],
        xlim=(-0.4, 3.2),
        ylim=(-0.65, 1.3),
    )
    corners = encodings.binary(range(8), 3)[:, ::-1]
    cube.plot(*corners.T, color=COLORS["binary"])
    cube.scatter(*corners.T, c=range(8), cmap="viridis", s=50, edgecolor="black", depthshade=False)
    for t, corner in enumerate(corners):
        cube.text(*(corner * 1.12 - 0.06), str(t))
    cube.set(
        xticks=[0, 1], yticks=[0, 1], zticks=[0, 1], xlabel="ones", ylabel="twos", zlabel="fours"
    )
    cube.view_init(elev=20, azim=-65)
    return axes


# Chapter 4: the sinusoid


def dials(axes, omegas, positions):
    """One column of small dials for each frequency; the sine is how far right the tip is."""
    angle = np.linspace(0, 2 * np.pi, 60)
    for ax, omega, name in zip(axes, omegas, ["first", "second", "third"], strict=True):
        for row, t in enumerate(positions):
            across, up = np.sin(omega * t), np.cos(omega * t)
            y = -2.6 * row
            ax.plot(np.cos(angle), y + np.sin(angle), color="#767676", linewidth=0.8)
            ax.plot([0, 0], [y - 1.1, y + 1.1], color="#c8c8c8", linewidth=0.8)
            ax.plot([0, across], [y, y + up], color=COLORS["sine only"])
            ax.plot(across, y + up, "o", color=COLORS["sine only"], markersize=4)
            ax.text(1.6, y, f"{across + 0:.2f}".replace("-0.00", "0.00"), va="center")
        ax.set(aspect="equal", xticks=[], yticks=[], xlim=(-1.4, 4), title=f"{name} dial")
        ax.spines[:].set_visible(False)
    axes[0].set_yticks([-2.6 * row for row in range(len(positions))], positions)
    axes[0].set(ylabel="position")
    return axes


def table(ax, values, colorbar=True):
    """An encoding as a heat map: rows are positions, columns are dimensions, white is zero."""
    image = ax.imshow(values, cmap=SIGNED, vmin=-1, vmax=1, aspect="auto")
    ax.set(xlabel="dimension", ylabel="position")
    if colorbar:
        ax.figure.colorbar(image, ax=ax, label="value", ticks=[-1, 0, 1])
    return ax


def bit_and_sine(axes, length):
    """The lowest bits as bars, one panel a bit, with the sine of the same wavelength."""
    bits = encodings.binary(range(length), 63, bit_order="little")  # ones first
    fine = np.linspace(-0.5, length - 0.5, 1000)
    for k, ax in enumerate(axes):
        omega = 2 * np.pi / 2 ** (k + 1)
        ax.bar(np.arange(length), bits[:, k], width=1, color=COLORS["binary"], alpha=0.25)
        ax.plot(fine, np.sin(omega * fine), color=COLORS["sine only"], linewidth=1)
        ax.plot(np.sin(omega * np.arange(length)), "o", color=COLORS["sine only"])
        ax.set(
            ylim=(-1.15, 1.15),
            yticks=[-1, 0, 1],
            title=f"{2**k}s digit, and a sine of wavelength {2 ** (k + 1)}",
        )
    axes[-1].set(xlabel="position")
    return axes


def space_curve(ax, frequencies, length):
    """Three sines as a curve in space, with whole positions as numbered dots."""
    fine = np.linspace(0, length, 1000)
    curve = np.sin(fine[:, None] * frequencies)
    ax.scatter(*curve.T, c=fine, cmap="viridis", s=2)
    dots = encodings.sine_only(range(length), 3, frequencies=frequencies)
    ax.scatter(*dots.T, c=range(length), cmap="viridis", s=45, edgecolor="black", depthshade=False)
    named = {}  # positions that share a point share a label
    for t, dot in enumerate(encodings.sine_only(range(length + 1), 3, frequencies=frequencies)):
        named.setdefault(tuple(dot.round(6) + 0), []).append(str(t))
    for dot, names in named.items():
        ax.text(*(np.array(dot) + 0.09), ", ".join(names), fontsize=10)
    ax.set(
        xticks=[-1, 0, 1],
        yticks=[-1, 0, 1],
        zticks=[-1, 0, 1],
        xlabel="first dial",
        ylabel="second dial",
        zlabel="third dial",
    )
    ax.view_init(elev=24, azim=-52)
    return ax


def wavelength_ladders(ax, d_model, bases, length):
    """Wavelength of every pair, for several bases, against the length of a text."""
    ax.axhline(length, color="#767676", linestyle="--", linewidth=1)
    for base, style in zip(bases, [":", "-", "-."], strict=True):
        ladder = encodings.wavelengths(d_model, base)
        ax.plot(ladder, style, color=COLORS["sine and cosine"], label=f"base {base:,}")
    ax.set(yscale="log", xlabel="frequency number i", ylabel="wavelength (positions)")
    ax.annotate(f"{length} positions", (0, length), (2, 4), textcoords="offset points")
    ax.legend()
    return ax


def step_lengths(ax, tables):
    """Distance from each position to the next; tables: name -> (length, width)."""
    for name, values in tables.items():
        steps = np.linalg.norm(np.diff(values, axis=0), axis=1)
        ax.plot(steps, color=COLORS[name], linewidth=1.5, label=name)
    ax.set(xlabel="position t", ylabel="step to t + 1", ylim=(0, None))
    if len(tables) > 1:
        ax.legend()
    return ax


# Chapter 5: sine and cosine


def next_value(ax, omega, offset, length):
    """A sine against the same sine some positions later, colored by the cosine."""
    t = np.arange(length)
    turn = np.linspace(0, 2 * np.pi, 400)
    ax.plot(np.sin(turn), np.sin(turn + omega * offset), color="#c8c8c8", linewidth=1)
    ax.axvline(0.5, color="#767676", linewidth=1, linestyle="--")
    dots = ax.scatter(
        np.sin(omega * t),
        np.sin(omega * (t + offset)),
        c=np.cos(omega * t),
        cmap=SIGNED,
        vmin=-1,
        vmax=1,
        s=28,
        edgecolor="black",
        linewidth=0.4,
    )
    ax.figure.colorbar(dots, ax=ax, label="cosine at t", ticks=[-1, 0, 1])
    ax.set(
        xlabel="sine at t",
        ylabel=f"sine at t + {offset}",
        aspect="equal",
        xticks=[-1, 0, 0.5, 1],
        yticks=[-1, 0, 1],
    )
    return ax


def hands(axes, positions, d_model):
    """Every pair as a clock hand: sine across, cosine up. The last position is the darkest."""
    angle = np.linspace(0, 2 * np.pi, 200)
    omegas = encodings.frequencies(d_model)
    shades = np.linspace(0.35, 1, len(positions))
    for i, ax in enumerate(axes):
        ax.plot(np.sin(angle), np.cos(angle), color="#767676", linewidth=1)
        for position, shade in zip(positions, shades, strict=True):
            sine, cosine = encodings.sinusoidal(position, d_model)[2 * i : 2 * i + 2]
            ax.plot([0, sine], [0, cosine], color=COLORS["sine and cosine"], alpha=shade)
            ax.plot(sine, cosine, "o", color=COLORS["sine and cosine"], alpha=shade)
        ax.set(aspect="equal", xticks=[], yticks=[], xlabel=f"ω = {omegas[i]:g}")
        ax.spines[:].set_visible(False)
    return axes


def bands_of_pairs(axes, d_model, length):
    """Sine and cosine of every pair along the positions."""
    encoding = encodings.sinusoidal(range(length), d_model)
    omegas = encodings.frequencies(d_model)
    for i, ax in enumerate(axes):
        ax.plot(encoding[:, 2 * i], color=COLORS["sine and cosine"], linewidth=1.4)
        ax.plot(
            encoding[:, 2 * i + 1], "--", color=COLORS["sine and cosine"], linewidth=1, alpha=0.7
        )
        ax.set(ylim=(-1.15, 1.15), yticks=[-1, 0, 1], title=f"pair {i}: ω = {omegas[i]:g}")
    axes[-1].set(xlabel="position")
    return axes


def column_and_row(axes, encoding, column, row):
    """One dimension along the positions, and one position across the sines of all pairs."""
    left, right = axes
    left.plot(encoding[:, column], color=COLORS["sine and cosine"], linewidth=1.5)
    left.set(xlabel="position", ylabel="value", title=f"column {column}")
    right.plot(encoding[row, ::2], ".-", color=COLORS["sine and cosine"], linewidth=1)
    right.set(xlabel="pair i", title=f"row {row}, sines")
    for ax in axes:
        ax.axhline(0, color="#767676", linewidth=0.8)
    return axes


def matrix(ax, values):
    """A square matrix, white is zero."""
    image = ax.imshow(values, cmap=SIGNED, vmin=-1, vmax=1)
    for i in range(0, len(values), 2):
        ax.add_patch(frame(i - 0.5, i - 0.5, 2, 2))
    ax.set(xlabel="column", ylabel="row")
    ax.figure.colorbar(image, ax=ax, label="value", ticks=[-1, 0, 1])
    return ax


def shift_errors(ax, results):
    """Error of the fitted shift, seen and unseen positions; results: name -> (seen, unseen)."""
    floor, ceiling = 1e-6, 1e3  # beyond these, digits are rounding noise
    for row, (name, errors) in enumerate(results.items()):
        seen, unseen = np.clip(errors, floor, ceiling)
        ax.plot([seen, unseen], [row, row], color=COLORS[name], linewidth=1)
        ax.plot(seen, row, "o", color=COLORS[name], mfc="white", markersize=9)
        ax.plot(unseen, row, "o", color=COLORS[name])
    ax.axvline(1, color="#767676", linestyle=":", linewidth=1)
    ax.set(xscale="log", xlabel="relative error", xlim=(floor / 3, ceiling * 3))
    ax.set_xticks([floor, 1e-4, 1e-2, 1, ceiling], ["rounding", "0.0001", "0.01", "1", "> 1000"])
    ax.set_yticks(range(len(results)), results)
    ax.invert_yaxis()
    return ax


def eigenvalues(axes, tables, omegas):
    """Eigenvalues of the best one-step matrix of each table, and where hands would have theirs."""
    angle = np.linspace(0, 2 * np.pi, 200)
    for ax, (name, values) in zip(axes, tables.items(), strict=True):
        fitted = np.linalg.eigvals(translation.fit_translation(values, 1)[0])
        ax.plot(np.cos(angle), np.sin(angle), color="#767676", linewidth=1)
        ax.plot(fitted.real, fitted.imag, "o", color=COLORS[name], markersize=6)
        ax.set(aspect="equal", title=name, xticks=[-1, 0, 1], yticks=[-1, 0, 1], xlabel="real part")
    signed = np.concatenate([omegas, -omegas])
    axes[0].plot(np.cos(signed), np.sin(signed), "x", color="black", markersize=10, mew=1)
    axes[0].set(ylabel="imaginary part")
    return axes


def dot_product(ax, d_model, center, length):
    """Dot product of one position with all of them, as a share of the largest."""
    products = translation.similarity(np.arange(length) - center, d_model)
    ax.plot(products / products.max(), color=COLORS["sine and cosine"])
    ax.set(xlabel="position", ylabel="dot product ÷ largest", ylim=(0, 1.05))
    return ax


def log_law(ax, d_model, length, base=10000.0):
    """The dot product against the offset, and the line it follows on a logarithmic axis."""
    offsets = np.arange(1, length)
    law = d_model / 2 * (1 - (np.log(offsets) + np.euler_gamma) / np.log(base))
    ax.plot(
        offsets,
        translation.similarity(offsets, d_model, base),
        color=COLORS["sine and cosine"],
        label="dot product",
    )
    ax.plot(offsets, law, "--", color="black", linewidth=1.2, label="law")
    ax.set(xscale="log", xlabel="offset", ylabel="dot product", ylim=(0, None))
    ax.legend()
    return ax


def spectrum(ax, values):
    """Share of the variance of a table that its first k directions hold."""
    variance = np.linalg.svd(values - values.mean(axis=0), compute_uv=False) ** 2
    share = np.concatenate([[0], variance.cumsum() / variance.sum()])
    ax.plot(share, color=COLORS["sine and cosine"])
    ax.axhline(0.99, color="#767676", linestyle=":", linewidth=1)
    ax.annotate("99%", (len(share), 0.99), (-4, -14), textcoords="offset points", ha="right")
    ax.set(xlabel="directions k", ylabel="share of variance", ylim=(0, 1.05))
    return ax


# Chapter 6: learned embeddings


def learning_curves(ax, curves, every):
    """Accuracy while training: median and range; curves: name -> (n_seeds, n_times).

    every: training steps from one time to the next.
    """
    for name, runs in curves.items():
        band(ax, every * np.arange(len(runs[0])), runs, COLORS[name], "-", name)
    ax.set(xlabel="training steps", ylabel="accuracy", ylim=(0, 1.03))
    ax.legend(loc="lower right")
    return ax


def row_cosines(axes, cosines):
    """Cosine similarity of the rows of tables; cosines: title -> (length, length)."""
    for ax, (title, values) in zip(axes, cosines.items(), strict=True):
        image = ax.imshow(values, cmap=SIGNED, vmin=-1, vmax=1)
        ax.set(title=title, xlabel="position")
    axes[0].set(ylabel="position")
    axes[0].figure.colorbar(image, ax=list(axes), label="cosine", ticks=[-1, 0, 1], shrink=0.8)
    return axes


def row_change(ax, change):
    """How far each row of a table moved."""
    ax.bar(range(len(change)), change, width=0.8, color=COLORS["learned"])
    ax.set(xlabel="position", ylabel="moved by")
    return ax
