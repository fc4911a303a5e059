"""The figures of the appendix "The sources, checked"."""

import numpy as np

from pecode import encodings, translation
from pecode.plots.style import COLORS, MAGNITUDE, SIGNED, frame

RIGHT = COLORS["sine and cosine"]
SAID = "#c44e00"  # what a source says, in all figures of this appendix
GRAY = "#767676"


def printed_sum(ax, word, position, printed):
    """For every column the word, its sum and difference with the position, and what is printed."""
    columns = np.arange(len(word))
    ax.vlines(columns, word - position, word + position, color="#c8c8c8", linewidth=4)
    ax.plot(columns, word, "_", color=GRAY, markersize=13, mew=2, label="word")
    ax.plot(columns, word + position, "o", color=RIGHT, markersize=8, label="word + position")
    ax.plot(columns, printed, "x", color=SAID, markersize=8, mew=2.5, label="printed")
    ax.axhline(0, color=GRAY, linewidth=0.8)
    ax.set(xlabel="column", ylabel="value", xticks=columns[::2])
    ax.figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return ax


def folded(ax, omega, length):
    """Position that the arc cosine of one entry gives, against the position it was made from."""
    t = np.linspace(0, length, 1000)
    read = np.arccos(np.cos(omega * t)) / omega
    whole = np.arange(length + 1)
    ax.plot([0, length], [0, length], "--", color=GRAY, linewidth=1)
    ax.plot(t, read, color=SAID, linewidth=1.5)
    ax.plot(whole, np.arccos(np.cos(omega * whole)) / omega, "o", color=SAID)
    ax.annotate("true position", (length * 0.45, length * 0.45), (-6, 0), **_beside("right"))
    ax.set(xlabel="position", ylabel="position read", ylim=(-0.4, 0.62 * length))
    return ax


def entry_of_positions(ax, value, omegas, length, answer):
    """One entry along the positions, for several frequencies, and the value that is asked for.

    omegas: label -> frequency.
    """
    t = np.linspace(0, length, 1000)
    whole = np.arange(length + 1)
    ax.axhline(value, color=GRAY, linestyle="--", linewidth=1)
    for (label, omega), color, style in zip(omegas.items(), [RIGHT, SAID], "os", strict=True):
        ax.plot(t, np.sin(omega * t), color=color, linewidth=1.2)
        ax.plot(whole, np.sin(omega * whole), style, color=color, label=label)
        ax.plot(
            answer, np.sin(omega * answer), "o", markersize=13, mfc="none", mec="black", mew=1.5
        )
    ax.annotate(f"{value}", (length, value), (0, 4), textcoords="offset points", ha="right")
    ax.set(xlabel="position", ylabel="entry", yticks=[-1, 0, 1])
    ax.legend(loc="lower left")
    return ax


def agreement(axes, claimed, right, decimals):
    """Two tables as heat maps, cells framed where they agree to so many decimals."""
    same = np.isclose(claimed, right, rtol=0, atol=0.51 * 10.0**-decimals)
    for ax, (title, values) in zip(
        axes, {"printed": claimed, "formula": right}.items(), strict=True
    ):
        image = ax.imshow(values, cmap=SIGNED, vmin=-1, vmax=1, aspect="auto")
        for row, column in np.argwhere(same):
            ax.add_patch(frame(column - 0.46, row - 0.46, 0.92, 0.92))
        ax.set(title=title, xlabel="dimension", yticks=range(len(values)))
    axes[0].set(ylabel="position")
    axes[0].figure.colorbar(image, ax=list(axes), label="value", ticks=[-1, 0, 1])
    return axes


def both_ways(axes, table):
    """One table with the positions going down, and with the positions going across."""
    down, across = axes
    image = down.imshow(table, cmap=SIGNED, vmin=-1, vmax=1, aspect="auto")
    across.imshow(table.T, cmap=SIGNED, vmin=-1, vmax=1, aspect="auto")
    down.set(xlabel="dimension", ylabel="position", title="positions go down")
    across.set(xlabel="position", ylabel="dimension", title="positions go across")
    down.figure.colorbar(image, ax=list(axes), label="value", ticks=[-1, 0, 1])
    return axes


def clocks(axes, positions, d_model):
    """Every pair as a clock face with a hand for each position; hands that meet share a label."""
    turn = np.linspace(0, 2 * np.pi, 200)
    for i, (ax, omega) in enumerate(zip(axes, encodings.frequencies(d_model), strict=True)):
        ax.plot(np.sin(turn), np.cos(turn), color=GRAY, linewidth=1)
        meet = {}
        for t in positions:
            at = omega * t % (2 * np.pi)
            near = [a for a in meet if abs(a - at) < 0.07]
            meet.setdefault(near[0] if near else at, []).append(str(t))
            ax.plot([0, np.sin(at)], [0, np.cos(at)], color=RIGHT, linewidth=1.5)
            ax.plot(np.sin(at), np.cos(at), "o", color=RIGHT)
        for side in (-1, 1):
            ends = sorted((a for a in meet if side * np.sin(a) > 0), key=np.cos, reverse=True)
            for at, y in zip(ends, _apart(1.15 * np.cos(ends), 0.28), strict=True):
                x = max(1.1 * side * np.sin(at), np.sqrt(max(0, 1.2**2 - y**2)))  # beside the face
                text, ha = ", ".join(meet[at]), "left" if side > 0 else "right"
                ax.text(side * (x + 0.1), y, text, ha=ha, va="center")
        ax.set(aspect="equal", xticks=[], yticks=[], xlim=(-1.9, 2.3), ylim=(-1.35, 1.35))
        ax.set_title(f"pair {i}: a turn takes {2 * np.pi / omega:,.0f}", loc="center")
        ax.spines[:].set_visible(False)
    return axes


def distances_by_width(axes, center, widths, length, marked):
    """Distance of one position to all others, a panel for each width; marked ones are named."""
    for ax, d_model in zip(axes, widths, strict=True):
        table = encodings.sinusoidal(range(length), d_model)
        away = np.linalg.norm(table - table[center], axis=1)
        ax.vlines(range(length), 0, away, color="#c8c8c8", linewidth=2)
        ax.plot(away, "o", color=GRAY)
        for t in marked:
            ax.plot(t, away[t], "o", color=SAID, markersize=8)
            ax.annotate(f"{t}", (t, away[t]), (0, 7), textcoords="offset points", ha="center")
        ax.set(ylabel="distance", title=f"d = {d_model}", ylim=(0, 1.2 * away.max()))
    axes[-1].set(xlabel="position")
    return axes


def short_of_the_limit(ax, widths, base):
    """The wavelengths of several widths on one axis, and the limit that they stop short of."""
    limit = 2 * np.pi * base
    ax.axvline(limit, color=SAID, linestyle="--", linewidth=1.5)
    for row, d_model in enumerate(widths):
        waves = encodings.wavelengths(d_model, base)
        ax.plot(waves, np.full(len(waves), row), "|", color=RIGHT, markersize=9, mew=1)
        ax.plot(waves[-1], row, "o", color=RIGHT)
        ax.annotate(f"{waves[-1]:,.0f}", (waves[-1], row), (0, 12), **_beside("right"))
    ax.annotate(f"{limit:,.0f}", (limit, len(widths) - 0.3), (5, 0), color=SAID, **_beside("left"))
    ax.set_yticks(range(len(widths)), [f"d = {d_model}" for d_model in widths])
    ax.set(xscale="log", xlabel="wavelength (positions)", ylim=(-0.4, len(widths) - 0.1))
    ax.set_xlim(5, 6 * limit)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax


def rulers(ax, groups, above, below):
    """Places in a row, numbered from 0 above and from 1 below, and arrows to where words lead.

    groups: lists of (number from 0, number from 1); above, below: (place meant, place named, text).
    """
    x, start = {}, 0.0
    for group in groups:
        for first, second in group:
            x[first] = start + 0.5
            ax.add_patch(frame(start + 0.05, -0.4, 0.9, 0.8))
            ax.text(x[first], 0.17, f"{first}", ha="center", va="center", color=RIGHT)
            ax.text(x[first], -0.2, f"{second}", ha="center", va="center", color=GRAY)
            start += 1
        ax.text(start + 0.3, 0, "…" if group is not groups[-1] else "", ha="center", va="center")
        start += 0.6
    for side, arrows in [(1, above), (-1, below)]:
        for meant, named, text in arrows:
            bend = 0.6 * side * np.sign(x[meant] - x[named])  # away from the places
            arrow = {"arrowstyle": "->", "color": SAID, "linewidth": 2}
            arrow["connectionstyle"] = f"arc3,rad={bend}"
            ax.annotate("", (x[named], 0.45 * side), (x[meant], 0.45 * side), arrowprops=arrow)
            middle = (x[meant] + x[named]) / 2
            ax.text(middle, 1.0 * side, text, ha="center", va="center", color=SAID)
    ax.set(xlim=(0, start - 0.6), ylim=(-1.25, 1.25), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return ax


def sampled(axes, omegas, length):
    """Sines with their values at whole positions; omegas: title -> frequency."""
    t = np.linspace(0, length, 1000)
    for ax, (title, omega) in zip(axes, omegas.items(), strict=True):
        ax.axhline(0, color=GRAY, linewidth=0.8)
        ax.plot(t, np.sin(omega * t), color=COLORS["sine only"], linewidth=1, alpha=0.6)
        whole = np.arange(length + 1)
        ax.plot(whole, np.sin(omega * whole).round(9), "o", color=COLORS["sine only"], markersize=7)
        ax.set(title=title, yticks=[-1, 0, 1], ylim=(-1.25, 1.25))
    axes[-1].set(xlabel="position")
    return axes


def two_ladders(axes, widths, length):
    """Halved and slowed frequencies, a panel for each width, and what a text can show of them."""
    for ax, width in zip(axes, widths, strict=True):
        j = np.arange(width)
        halved, slowed = np.pi / 2.0 ** (j + 1), 1e-4 ** (j / width)
        unmoved = np.arcsin(0.5) / (length - 1)  # slower dials stay below 0.5
        ax.axhspan(1e-7, unmoved, color="#e4e4e4", linewidth=0)
        ax.plot(j, halved, "--", color=GRAY, label="halved")
        ax.plot(j, slowed, color=SAID, label="new")
        ax.set(yscale="log", ylim=(1e-7, 5), xlabel="dial", title=f"{width} dials")
        ax.locator_params(axis="x", nbins=5, integer=True)
    axes[0].set(ylabel="frequency")
    axes[0].legend(loc="lower left")
    return axes


def rising_steps(ax, d_model, length):
    """The dot product of two positions against their offset; steps that rise are drawn bold."""
    offsets = np.arange(length + 1)
    product = translation.similarity(offsets, d_model) / (d_model / 2)
    ax.plot(offsets, product, color=GRAY, linewidth=1)
    up = np.flatnonzero(np.diff(product) > 0)
    for k in up:
        label = "steps that rise" if k == up[0] else None
        ax.plot([k, k + 1], product[[k, k + 1]], color=SAID, linewidth=3, label=label)
    ax.set(xlabel="offset", ylabel="dot product ÷ largest", ylim=(0, 1.05))
    ax.legend()
    return ax


def shade_and_change(axes, table):
    """A table in shades of gray, and how far every entry is from its first value."""
    above, below = axes
    shades = above.imshow(table, cmap="gray", vmin=-1, vmax=1, aspect="auto")
    change = np.abs(table - table[0])
    image = below.imshow(change, cmap=MAGNITUDE, vmin=0, vmax=2, aspect="auto")
    above.figure.colorbar(shades, ax=above, label="entry", ticks=[-1, 0, 1])
    above.figure.colorbar(image, ax=below, label="distance from row 0", ticks=[0, 1, 2])
    above.set(ylabel="position")
    below.set(xlabel="dimension", ylabel="position")
    return axes


def doubled_factor(ax, d_model):
    """Wavelengths of the pairs by the formula, and with the factor 2 of the exponent doubled."""
    pairs = np.arange(d_model // 2)
    right = encodings.wavelengths(d_model)
    program = 2 * np.pi * 10000.0 ** (4 * pairs / d_model)
    slower = pairs[program > right[-1]]
    ax.axhline(right[-1], color=GRAY, linestyle="--", linewidth=1)
    ax.axvspan(slower[0], slower[-1], color="#e4e4e4", linewidth=0)
    ax.plot(pairs, right, color=RIGHT, label="formula")
    ax.plot(pairs, program, color=SAID, label="program")
    ax.set(yscale="log", xlabel="pair", ylabel="wavelength (positions)")
    ax.legend(loc="upper left")
    return ax


def causes(ax, counts):
    """How many rows have each cause, by verdict; counts: verdict -> cause -> number."""
    names = list(next(iter(counts.values())))
    start = np.zeros(len(names))
    shades = ["#c6dbef", "#6baed6", "#2d2a86", "#ffffff"]
    for (verdict, by_cause), shade in zip(counts.items(), shades, strict=True):
        long = np.array([by_cause[name] for name in names])
        ax.barh(
            names, long, left=start, color=shade, edgecolor="black", linewidth=0.6, label=verdict
        )
        start += long
    for row, total in enumerate(start):
        ax.annotate(f"{total:.0f}", (total, row), (4, 0), va="center", textcoords="offset points")
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.set(xlabel="statements")
    ax.legend(loc="lower right")
    return ax


def _apart(heights, gap):
    """Heights of labels, from the top down, moved apart to at least the gap."""
    moved = np.array(heights, dtype=float)
    for k in range(1, len(moved)):
        moved[k] = min(moved[k], moved[k - 1] - gap)
    return moved


def _beside(side):
    """Keywords of a label that ends or begins beside its point."""
    return {"textcoords": "offset points", "ha": side, "va": "center"}
