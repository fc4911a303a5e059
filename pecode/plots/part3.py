"""The figures of Part III, chapters 10 to 12."""

import numpy as np

from pecode import relative, rotary
from pecode.plots.style import COLORS, MAGNITUDE, SIGNED, band, frame

HIDDEN = "#d9d9d9"  # what a causal mask hides


# Chapter 10: relative positions


def score_terms(axes, terms):
    """Square parts of a score, side by side, with one scale; the future is gray."""
    seen = {name: np.tril(np.ones(term.shape, bool)) for name, term in terms.items()}
    extreme = max(np.abs(term[seen[name]]).max() for name, term in terms.items())
    for ax, (name, term) in zip(axes, terms.items(), strict=True):
        ax.set_facecolor(HIDDEN)
        shown = np.ma.masked_array(term, ~seen[name])
        image = ax.imshow(shown, cmap=SIGNED, vmin=-extreme, vmax=extreme)
        ax.set(title=name, xlabel="key s")
        ax.title.set_fontsize("small")
    axes[0].set(ylabel="query t")
    axes[0].figure.colorbar(image, ax=axes, shrink=0.8)
    return axes


def learned_biases(ax, biases, clip):
    """What models learned for each distance, less its mean; biases: name -> (runs, distances)."""
    for (name, runs), color in zip(biases.items(), [COLORS["relative bias"], "black"], strict=True):
        centered = runs - runs.mean(axis=1, keepdims=True)  # softmax does not see a constant
        band(ax, np.arange(runs.shape[1]), centered, color, ".-", name)
    ax.axvline(clip - 0.5, color="#767676", linestyle="--", linewidth=1)
    ax.set(xlabel="distance from the query back to the key", ylabel="bias, less its mean")
    ax.legend()
    return ax


def buckets(ax, reach):
    """T5's buckets of the offsets around a query, causal and for both sides."""
    offsets = np.arange(-reach, reach + 1)
    for both, style, label in [(False, "-", "looks back"), (True, "--", "looks to both sides")]:
        shown = offsets if both else offsets[offsets <= 0]
        color = COLORS["T5 buckets"] if both else "black"
        steps = relative.t5_buckets(shown, bidirectional=both)
        ax.step(shown, steps, style, where="mid", color=color, label=label, linewidth=1.5)
    ax.set(xlabel="offset s − t, from the query to the key", ylabel="bucket")
    ax.legend(loc="lower left")
    return ax


def wanted_distances(ax, scores, wanted):
    """Score by token and distance, with the distance that each token asks for framed."""
    extreme = np.abs(scores).max()
    image = ax.imshow(scores, cmap=SIGNED, vmin=-extreme, vmax=extreme, aspect="auto")
    for token, distance in enumerate(wanted):
        ax.add_patch(frame(distance - 0.5, token - 0.5, 1, 1))
    ax.set(xlabel="distance back", ylabel="token", yticks=range(len(scores)))
    ax.figure.colorbar(image, ax=ax, label="score")
    return ax


# Chapter 11: rotary positions


def turned_pair(axes, query, key, places):
    """One pair of a query and of a key, as arrows, turned to their positions."""
    from matplotlib.patches import Arc

    for ax, (t, s) in zip(axes, places, strict=True):
        angles = []
        for name, arrow, place, line in [("query", query, t, "-"), ("key", key, s, "--")]:
            turned = rotary.rotate(arrow, place, base=2)  # a single pair turns by 1 a position
            ax.plot(*zip((0, 0), arrow, strict=True), line, color="#a0a0a0", linewidth=1)
            ax.plot(*zip((0, 0), turned, strict=True), line, color=COLORS["rotary"], linewidth=2.5)
            ax.plot(*turned, "o", color=COLORS["rotary"])
            ax.annotate(
                f"{name} at {place}", turned, (0, 7), textcoords="offset points", ha="center"
            )
            angles.append(np.degrees(np.arctan2(turned[1], turned[0])))
        start, end = sorted(angles) if np.ptp(angles) <= 180 else sorted(angles)[::-1]
        ax.add_patch(Arc((0, 0), 0.9, 0.9, theta1=start, theta2=end, linewidth=1.5))
        ax.set(aspect="equal", xlim=(-1.6, 1.6), ylim=(-1.6, 1.6), title=f"offset {s - t}")
        ax.set(xlabel="first column", ylabel="second column")
    return axes


def rounding(ax, errors, first):
    """Largest error so far; errors: name -> array over positions from `first` on."""
    styles = zip(errors.items(), ["-", (0, (6, 2)), "-.", "--", ":"], strict=True)
    for (name, error), style in styles:
        worst = np.maximum.accumulate(error)
        positions = first + np.arange(len(worst))
        seen = worst > 1e-9
        ax.plot(positions[seen], worst[seen], linestyle=style, label=name, linewidth=1.8)
    ax.set(xscale="log", yscale="log", xlabel="position", ylabel="largest error of the score")
    ax.legend(fontsize="small", loc="lower right")
    return ax


def decay(axes, curves):
    """Scores by distance, mean and two thirds of many draws; curves: name -> (runs, distances)."""
    for ax, (name, scores) in zip(axes, curves.items(), strict=True):
        low, high = np.quantile(scores, [1 / 6, 5 / 6], axis=0)
        ax.fill_between(range(len(low)), low, high, color=COLORS["rotary"], alpha=0.3, linewidth=0)
        ax.plot(scores.mean(axis=0), color=COLORS["rotary"])
        ax.axhline(0, color="#767676", linewidth=0.8)
        ax.set(title=name, xlabel="distance")
    axes[0].set(ylabel="score")
    return axes


def stretching(ax, ratios, n_round):
    """What is left of each frequency, by pair; pairs before n_round go round in training."""
    styles = zip(ratios.items(), ["-", "--", "-.", ":"], strict=True)
    for (name, ratio), style in styles:
        ax.plot(ratio, style, label=name, linewidth=2)
    ax.axvline(n_round - 0.5, color="#767676", linestyle="--", linewidth=1)
    ax.set(xlabel="pair, fastest first", ylabel="new frequency / old", ylim=(0, 1.05))
    ax.legend()
    return ax


# Chapter 12: debugging


def gallery(axes, makers, length, d_model):
    """Small heat maps of tables; makers: name -> function (length, d_model)."""
    for ax, (name, make) in zip(axes.flat, makers.items(), strict=True):
        ax.imshow(make(length, d_model), cmap=SIGNED, vmin=-1, vmax=1, aspect="auto")
        ax.set_title(name, fontsize="x-small")
    for ax in axes[-1]:
        ax.set(xlabel="column")
    for ax in axes[:, 0]:
        ax.set(ylabel="position")
    return axes


def catches(ax, caught, tests, mistakes):
    """Which test (row) catches which mistake (column)."""
    ax.imshow(caught, cmap=MAGNITUDE, vmin=0, vmax=1.2, aspect="auto")
    ax.set_xticks(range(len(mistakes)), mistakes, rotation=45, ha="right", fontsize="small")
    ax.set_yticks(range(len(tests)), tests, fontsize="small")
    ax.set_xticks(np.arange(len(mistakes)) - 0.5, minor=True)
    ax.set_yticks(np.arange(len(tests)) - 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=2)
    ax.tick_params(which="both", length=0)
    return ax


def noise(ax, noises, measured, expected):
    """Share of positions read rightly: points measured, lines expected(d_model, noise)."""
    fine = np.linspace(min(noises), max(noises), 100)
    for (d_model, shares), marker, style in zip(
        measured.items(), ["o", "s", "^"], ["-", "--", "-."], strict=True
    ):
        (line,) = ax.plot(fine, [expected(d_model, sigma) for sigma in fine], style)
        label = f"width {d_model}"
        ax.plot(noises, shares, marker, color=line.get_color(), label=label)
    ax.set(xlabel="noise in each entry (standard deviation)", ylabel="share read exactly")
    ax.legend()
    return ax
