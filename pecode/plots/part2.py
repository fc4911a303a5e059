"""The figures of Part II, chapters 7 to 9."""

import numpy as np

from pecode import translation
from pecode.plots.style import COLORS, SIGNED, band, frame

# Chapter 7: adding it in


def sum_strips(ax, rows, marked=()):
    """Vectors as strips under each other, with their numbers; marked cells of the last are framed.

    rows: name -> vector; marked: columns.
    """
    values = np.array(list(rows.values()))
    extreme = np.abs(values).max()
    image = ax.imshow(values, cmap=SIGNED, vmin=-extreme, vmax=extreme, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        color = "white" if abs(value) > 0.6 * extreme else "black"
        number = f"{value:.1f}".replace("-0.0", "0.0")
        ax.text(column, row, number, ha="center", va="center", color=color, fontsize=10)
    ax.hlines(np.arange(len(rows) - 1) + 0.5, *ax.get_xlim(), color="white", linewidth=6)
    for column in marked:
        ax.add_patch(frame(column - 0.48, len(rows) - 1.42, 0.96, 0.84))
    ax.set_yticks(range(len(rows)), rows)
    ax.set(xlabel="column", xticks=range(0, values.shape[1], 2))
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.figure.colorbar(image, ax=ax, ticks=[-1, 0, 1], label="value", pad=0.02)
    return ax


def smallest_angles(ax, dimensions, angles, d_model, taken):
    """Smallest angle between two subspaces, one of them fixed; angles: (runs, dimensions)."""
    color, meet = COLORS["sine and cosine"], d_model - taken
    ax.axvline(meet, color="#767676", linestyle="--", linewidth=1)
    text = f"{meet} + {taken} = {d_model}"
    ax.annotate(text, (meet, 58), (-5, 0), textcoords="offset points", ha="right")
    band(ax, dimensions, angles, color, ".-", None)
    ax.set(xlabel="directions that the words use", ylabel="smallest angle (degrees)", ylim=(-2, 65))
    return ax


def recovery(axes, widths, both, by_words):
    """Share of pairs read rightly against the width.

    both, for the left panel: (label, color name or None, (runs, widths)); by_words, for the right
    one: number of words -> (runs, widths).
    """
    left, right = axes
    for label, name, shares in both:
        color, style = (COLORS[name], ".-") if name else ("black", "--")
        band(left, widths, shares, color, style, label)
    for (n_words, shares), style in zip(by_words.items(), [":", "--", "-"], strict=True):
        band(right, widths, shares, COLORS["sine and cosine"], style, f"{n_words} words")
    left.set(ylabel="share read rightly", title="64 words, 64 positions", ylim=(0, 1.05))
    right.set(title="the position, by a matrix")
    for ax in axes:
        ax.set(xlabel="width d")
        ax.legend(loc="lower right", fontsize=10, handlelength=1.5, borderaxespad=0)
    return axes


def triangles(axes, cases, position):
    """Word, position and sum as right triangles, each drawn as large as fits.

    cases: name -> length of the word; position: length of the position vector.
    """
    for ax, (name, word) in zip(axes, cases.items(), strict=True):
        size = max(word, position)
        tip = np.array([word, position]) / size
        for start, end, color, width in [
            ((0, 0), (tip[0], 0), COLORS["nothing"], 4),
            ((tip[0], 0), tip, COLORS["sine and cosine"], 4),
            ((0, 0), tip, "black", 1.5),
        ]:
            ax.plot(*zip(start, end, strict=True), color=color, linewidth=width)
        ax.plot(*tip, "o", color="black")
        ax.set(aspect="equal", xlim=(-0.1, 1.1), ylim=(-0.12, 1.12), xticks=[], yticks=[])
        ax.set(title=name, xlabel=f"word {word:.0f}, position {position:.0f}")
        ax.spines[:].set_visible(False)
    return axes


def before_after(axes, runs, positions):
    """Cosine similarity of pairs before and after adding positions.

    runs: offset -> (before, after, a function that predicts after from before).
    """
    up, down = _up_and_down()
    for ax, (offset, (before, after, law)) in zip(axes, runs.items(), strict=True):
        line = np.array([-0.15, 1.0])
        rises = after > before
        ax.plot(line, line, color="#767676", linewidth=1)
        ax.plot(line, law(line), color="black", linewidth=1)
        ax.plot(before[rises], after[rises], "^", color=up, markersize=3.5, mew=0)
        ax.plot(before[~rises], after[~rises], "v", color=down, markersize=3.5, mew=0)
        ax.plot(positions[offset], positions[offset], "o", mfc="white", mec="black", markersize=8)
        ax.set(title=f"offset {offset}", xlabel="words alone", aspect="equal")
        ax.set(xticks=[0, 0.5, 1], yticks=[0, 0.5, 1], xlim=(-0.17, 1.05), ylim=(-0.17, 1.05))
    axes[0].set(ylabel="with positions")
    return axes


def rise_or_fall(ax, d_model, length):
    """The plane of offset and word similarity, divided by the similarity of the positions."""
    up, down = _up_and_down()
    offsets = np.arange(1, length)
    border = translation.similarity(offsets, d_model) / (d_model / 2)
    ax.fill_between(offsets, border, 1, color=down, alpha=0.2, linewidth=0)
    ax.fill_between(offsets, -0.2, border, color=up, alpha=0.2, linewidth=0)
    ax.plot(offsets, border, color=COLORS["sine and cosine"], linewidth=1.5)
    ax.axhline(0, color="#767676", linewidth=0.8)
    ax.text(30, 0.82, "falls", color=down)
    ax.text(3, 0.3, "rises", color=up)
    ax.text(1.05, 0.03, "unrelated words")
    ax.set(xscale="log", xlabel="offset of the two words", ylabel="similarity of the words alone")
    ax.set(xlim=(1, length - 1), ylim=(-0.2, 1))
    ax.set_xticks([1, 10, 100], ["1", "10", "100"])
    return ax


def _up_and_down():
    """The two ends of SIGNED, dark enough for small marks: red for up, blue for down."""
    import matplotlib

    return matplotlib.colormaps[SIGNED](0.88), matplotlib.colormaps[SIGNED](0.1)


# Chapter 8: no positions


def order_tasks(ax, accuracy, best_of_bag):
    """Median and range of several runs; accuracy: task -> scheme -> values; a line for the bag."""
    for place, (task, by_name) in enumerate(accuracy.items()):
        ax.hlines(best_of_bag[task], place - 0.4, place + 0.4, color="black", linewidth=1.2)
        for k, (name, values) in enumerate(by_name.items()):
            x = place + 0.25 * (k - (len(by_name) - 1) / 2)
            label = name if place == 0 else None
            marker = "osD^v"[k]  # a second sign beside the color
            ax.plot([x, x], [min(values), max(values)], color=COLORS[name])
            ax.plot(
                x, np.median(values), marker, color=COLORS[name], markersize=7, ls="", label=label
            )
    ax.set_xticks(range(len(accuracy)), accuracy)
    ax.set(ylabel="accuracy", ylim=(0, 1.05))
    ax.legend(loc="lower left")
    return ax


# Chapter 9: reach


def reach(axes, results, trained, beyond, guessing):
    """Accuracy where trained (white) and beyond (dark), with the range over seeds.

    results: task -> scheme -> (n_seeds, length); trained, beyond: slices of positions; guessing:
    task -> accuracy of a guess.
    """
    names = list(next(iter(results.values())))
    for ax, (task, by_scheme) in zip(axes, results.items(), strict=True):
        ax.axvline(guessing[task], color="#767676", linestyle=":", linewidth=1)
        for row, name in enumerate(names):
            color = COLORS[name.partition(",")[0]]
            inside, outside = (np.nanmean(by_scheme[name][:, part], axis=1)
                               for part in (trained, beyond))  # fmt: skip
            ends = [np.median(inside), np.median(outside)]
            ax.plot(ends, [row, row], color=color, linewidth=0.8)
            ax.plot([outside.min(), outside.max()], [row, row], color=color, linewidth=4, alpha=0.4)
            ax.plot(ends[0], row, "o", color=color, mfc="white", markersize=7)
            ax.plot(ends[1], row, "o", color=color, markersize=6)
        ax.set(title=task, xlim=(0, 1.06), xticks=[0, 0.5, 1], xlabel="accuracy")
    axes[0].set_yticks(range(len(names)), names)
    axes[0].invert_yaxis()
    return axes


def on_target(ax, shares, trained_to):
    """Attention on the right token by position; shares: name -> (n_seeds, length - 2)."""
    ax.axvline(trained_to - 0.5, color="#767676", linestyle="--", linewidth=1)
    for name, runs in shares.items():
        band(ax, np.arange(len(runs[0])) + 2, runs, COLORS[name], "-", name)
    ax.set(xlabel="position t", ylabel="attention on t − 2", ylim=(0, 1.05))
    ax.legend(loc="center right", bbox_to_anchor=(1, 0.6))
    return ax
