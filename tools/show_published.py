"""Write the tables of lab/README.md from lab/published/results.jsonl.

    python -m tools.show_published

Cells are medians over texts, with the lowest and the highest; losses are compared text by text with
the model as it is, in nats a token. A row that is not yet measured on all texts says on how many.
"""

import re
from pathlib import Path

import numpy as np

from lab.published_language import results

README = Path(__file__).parent.parent / "lab" / "README.md"


def cell(values, digits=3):
    """Return the median, the lowest and the highest of some numbers."""
    middle, low, high = (
        f"{number:.{digits}f}".replace("-", "−")
        for number in (np.median(values), np.min(values), np.max(values))
    )
    return middle if len(values) == 1 else f"{middle} ({low} to {high})"


def written(header, rows):
    """Return a table in Markdown, of a header and rows of cells."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def rises(table, parts, base="as is", missing=""):
    """Return rows of how much each part of a loss rises over the base row's, text by text.

    `parts` take the value of a row to a number.
    """
    found = results(table)
    rows, texts = [], max(len(values) for values in found.values())
    for row, values in found.items():
        cells = []
        for part in parts:
            pairs = [(part(values[text]), part(found[base][text])) for text in values]
            changes = [new - old for new, old in pairs]
            cells.append(cell([new for new, _ in pairs] if row == base else changes))
        note = "" if len(values) == texts else f" [{len(values)} of {texts} texts]"
        rows.append([row + note, *cells])
    return rows


def part(*indices):
    """Return the function that averages these entries of a list."""
    return lambda value: float(np.mean([value[index] for index in indices]))


def mistakes():
    """Return the table of mistakes: rises, and the largest change of any token's loss."""
    largest = {
        row: max(v[1] for v in values.values()) for row, values in results("mistakes").items()
    }
    rows = [[*row, f"{largest[row[0]]:.2g}"] for row in rises("mistakes", (part(0), part(2)))]
    return written(["", "192 tokens", "tokens 96 to 192", "largest change of a token"], rows)


def continuations():
    """Return what the right model loses on what was written, and how one text begins."""
    rows = []
    for row, values in results("continuations").items():
        start = " ".join(values["lighthouse"][0].split()).replace("|", "\\|")[:90]
        rows.append([row, cell([value[1] for value in values.values()], 2), f"{start} …"])
    return written(["", "loss of the text for the right model", "the lighthouse keeper …"], rows)


def sinks():
    """Return the weight of the first token, raw."""
    rows = []
    for row, values in results("sinks").items():
        each = list(values.values())
        if isinstance(each[0][0], list):
            layers = [value[0] for value in each]
            others = [cell([value[i] for value in each]) for i in (1, 2)]
        else:
            layers, others = each, ["", ""]
        near, far = (cell([np.mean(value[part]) for value in layers]) for part in (EARLY, LATE))
        rows.append([row, near, far, *others])
    return written(["", "layers 0 to 11", "layers 12 to 29", "heads above half", "L18H8"], rows)


EARLY, LATE = slice(12), slice(12, 30)


def curves():
    """Return how the mean scores of all heads fall by offset, raw."""
    rows, values = [], list(results("curves")["all heads"].values())
    for name, first in values[0].items():
        columns = np.reshape([value[name] for value in values], (len(values), -1)).T
        rows.append([name, " · ".join(map(cell, columns)) if np.ndim(first) else cell(columns[0])])
    return written(["", "median (lowest to highest)"], rows)


def pairs():
    """Return what heads that look one back do in other positions, raw."""
    rows = []
    for head, values in results("pairs").items():
        if head.startswith("L"):
            for name in next(iter(values.values())):
                columns = zip(*(each[name] for each in values.values()), strict=True)
                itself, one, _, _, four = (cell(column, 2) for column in columns)
                rows.append([f"{head}, {name}", itself, one, four])
    return written(["", "on itself", "one back", "four back"], rows)


def shares():
    """Return what the pairs hold of |q||k|, raw."""
    values = list(results("pairs")["shares of |q||k|"].values())
    single = [name for name, value in values[0].items() if np.ndim(value) == 0]
    return written(["", "share"], [[name, cell([v[name] for v in values])] for name in single])


def long():
    """Return losses by place as it is, and the changes from there of everything else."""
    found, chosen = results("long"), (0, 5, 10, 15, 16, 18, 20, 22, 24, 26, 27)
    first, rows = found.pop("as is, first 8,192"), []
    as_is = {text: np.append(first[text], value) for text, value in found["as is"].items()}
    for row, values in found.items():
        changes = []
        for text, value in values.items():
            base = np.mean(first[text][-2:]) if row == "as is" else as_is[text]
            padded = np.full(28, np.nan)  # pieces of 512 tokens; those not measured stay empty
            begin = 0 if "whole" in row else 16
            padded[begin : begin + len(value)] = value
            changes.append(padded - base)
        columns = np.transpose(changes)[[*chosen]]
        cells = ["" if np.isnan(column).any() else cell(column, 2) for column in columns]
        rows.append([f"{row} [{len(changes)}]", *cells])
    return written(["", *(f"{512 * i:,}" for i in chosen)], rows)


def needle():
    """Return the loss of a number's digits by how far back it stands, raw."""
    asked, rows = list(results("needle")["as is"].values()), []
    for i, end in enumerate(("4,096", "8,192")):
        columns = np.transpose([value[i][::-1] for value in asked])  # the nearest first
        rows.append([f"behind {end} [{len(asked)}]", *(cell(column, 2) for column in columns)])
    rows[0] += [""] * 4
    return written(["", *(f"{1024 * i + 512:,} back" for i in range(8))], rows)


def gains(table):
    """Return how much lower a loss is where the passage was read before, raw."""
    rows = [
        [row, str(len(values)), cell([new - old for new, old in values.values()])]
        for row, values in results(table).items()
    ]
    return written(["", "texts", "gain"], rows)


TABLES = {
    "mistakes": mistakes,
    "continuations": continuations,
    "sinks": sinks,
    "eviction": lambda: written(
        ["", "tokens 256 to 768", "512 to 768"],
        rises("eviction", (part(*range(8)), part(*range(4, 8))), "nothing"),
    ),
    "gemma": lambda: written(
        ["", "tokens 16 to 512", "528 to 864", "864 to 1,200"],
        rises("gemma", [part(i) for i in range(3)]),
    ),
    "long": long,
    "places": lambda: written(
        ["", "tokens 0 to 256", "256 to 768", "768 to 1,280"],
        rises("places", [part(i) for i in range(3)]),
    ),
    "needle": needle,
    "again": lambda: gains("again"),
    "copying": lambda: gains("copying"),
    "curves": curves,
    "pairs": pairs,
    "shares": shares,
}


def updated(text):
    """Return the text of README.md with all tables written anew, between their marks."""
    for name, table in TABLES.items():
        mark = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        try:
            lines = table()
        except ValueError:  # nothing of it is measured
            lines = "Not yet measured."
        text = mark.sub(lambda found, lines=lines: f"{found[1]}\n{lines}\n\n{found[2]}", text)
    return text


if __name__ == "__main__":
    README.write_text(updated(README.read_text("utf-8")), "utf-8")
