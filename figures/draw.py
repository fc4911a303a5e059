"""Drawing helpers that several chapters use. matplotlib is imported where it is used."""

from itertools import pairwise

import numpy as np

from figures.style import SIGNED


def table(ax, values):
    """An encoding as a heat map: a row for each position; white is zero."""
    image = ax.imshow(values, cmap=SIGNED, vmin=-1, vmax=1, aspect="auto")
    ax.set(xlabel="column", ylabel="position")
    ax.figure.colorbar(image, ax=ax, label="value", ticks=[-1, 0, 1])
    return ax


def frame(x, y, width, height):
    """A black rectangle around cells of an image."""
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, fill=False, edgecolor="black", linewidth=1.5)


def band(ax, x, runs, color, style, label):
    """Median and range of several runs; runs: (n_runs, len(x))."""
    low, high = np.min(runs, axis=0), np.max(runs, axis=0)
    ax.fill_between(x, low, high, color=color, alpha=0.25, linewidth=0)
    ax.plot(x, np.median(runs, axis=0), style, color=color, label=label, linewidth=1.5)


def dots(ax, results, colors):
    """Accuracies in rows, a dot at each median: hollow inside the trained lengths, filled beyond.

    results: {name: (inside, beyond)}, one number for each model, inside or None; the thick bar is
    the range beyond. colors: one color, or {name: color}.
    """
    for row, (name, (inside, beyond)) in enumerate(results.items()):
        color = colors if isinstance(colors, str) else colors[name]
        far = np.median(beyond)
        ends = [np.min(beyond), np.max(beyond)]
        ax.plot(ends, [row, row], color=color, linewidth=4, alpha=0.4)
        if inside is not None:
            near = np.median(inside)
            ax.plot([near, far], [row, row], color=color, linewidth=0.8)
            ax.plot(near, row, "o", color=color, mfc="white", markersize=7)
        ax.plot(far, row, "o", color=color, markersize=6)
    ax.set(xlim=(0, 1.06), xlabel="accuracy", ylim=(len(results) - 0.5, -0.5))
    ax.set(xticks=[0, 0.5, 1], xticklabels=["0", "0.5", "1"])
    ax.figure.get_layout_engine().set(wspace=0.08)  # the 1 stays apart from the next panel's 0
    ax.set_yticks(range(len(results)), results)


def label_ends(ax, names=None):
    """Write the name of each line, by default its label, at its right end; limits must be set."""
    lines = [line for line in ax.get_lines() if not line.get_label().startswith("_")]
    names = names or [line.get_label() for line in lines]
    seen = [line.get_xydata() for line in lines]
    ends = np.array([points[np.isfinite(points).all(axis=1)][-1] for points in seen])
    places = (ax.transData - ax.transAxes).transform(ends)[:, 1]
    ax.figure.get_layout_engine().set(rect=(0, 0, 0.975, 1))  # JupyterLab's letters may be wider
    apart = ax.xaxis.label.get_size() / 72 / (0.7 * ax.bbox.height / ax.figure.dpi)
    for line, name, (x, _), y in zip(lines, names, ends, spread(places, apart), strict=True):
        look = {"color": line.get_color(), "va": "center", "annotation_clip": False}
        where = {"xycoords": ax.get_xaxis_transform(), "textcoords": "offset points"}
        ax.annotate(name, (x, y), (4, 0), **where, **look)


def spread(places, apart):
    """Return numbers near some others, in their order, none nearer than this to the next.

    >>> spread([0.5, 0.45, 0], 0.2).round(3).tolist()
    [0.575, 0.375, 0.0]
    """
    order, places = np.argsort(places), np.array(places, dtype=float)
    for _ in range(200):
        for low, high in pairwise(order):
            lacking = max(0, apart - (places[high] - places[low])) / 2
            places[[low, high]] += [-lacking, lacking]
    return places
