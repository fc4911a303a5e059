"""Write the tables of lab/README.md from lab/published/results.jsonl.

    python -m tools.show_published

A cell is the median over texts, with the lowest and the highest; how many texts there are stands in
brackets. Where a table says how far something rises, its first row is what it rises from.
"""

import itertools
import re
from functools import partial
from pathlib import Path

import numpy as np

from lab.published_language import results

README = Path(__file__).parent.parent / "lab" / "README.md"


def cell(values, form=".3f"):
    """Return the median, the lowest and the highest of some numbers."""
    middle, low, high = (
        f"{number:{form}}".replace("-", "−")
        for number in (np.median(values), np.min(values), np.max(values))
    )
    return middle if len(values) == 1 else f"{middle} ({low} to {high})"


def shown(found, heads, form=".3f"):
    """Return the table of some numbers {row: {text: numbers}}; some rows are shorter.

    A text has one number, a number for each head, or several times as many (in rows).
    """
    rows = [["", *heads]]
    for row, texts in found.items():
        each = itertools.chain(*(np.atleast_2d(value).tolist() for value in texts.values()))
        columns = itertools.islice(itertools.zip_longest(*each), len(heads))
        cells = [cell([n for n in column if n is not None], form) for column in columns]
        rows.append([f"{row} [{len(texts)}]", *cells, *[""] * (len(heads) - len(cells))])
    return rows


def raw(table, *heads, form=".3f", of=lambda value, text: value):
    """Return a table of what is measured, or of what `of` makes of it."""
    found = results(table)
    made = {row: {text: of(found[row][text], text) for text in found[row]} for row in found}
    return shown(made, heads, form)


def rises(table, *heads, base="as is", of=np.array):
    """Return a table of how far numbers are above those of the base row, text by text."""
    found, made = results(table), {}
    for row, texts in found.items():
        old = {text: (row != base) * of(found[base][text]) for text in texts}
        made[row] = {text: of(value) - old[text] for text, value in texts.items()}
    return shown(made, heads)


def named(table, *rows):
    """Return a row for each number of some rows, by its name there."""
    lines = [["", "median (lowest to highest)"]]
    for row in rows:
        texts = results(table)[row].values()
        for name in next(iter(texts)):
            columns = np.reshape([value[name] for value in texts], (len(texts), -1)).T
            label = name if len(rows) == 1 else f"{row}, {name}"
            lines.append([label, " · ".join(map(cell, columns))])
    return lines


def saved(value, text):
    """Return what second readings save of a first."""
    return [value[0] - again for again in value[1:]]


def again_far(table):
    """Return what was gained against a first reading by the model as it is, 4,000 tokens on."""
    gaps = 1_000, 4_000, 6_000, 7_000, 9_000, 12_000
    first = results("again")["4,000 tokens between"]
    gained = lambda value, text: saved([first[text][0], *value[1:]], text)  # noqa: E731
    return raw(table, *(f"{gap:,} between" for gap in gaps), form=".2f", of=gained)


def rounded(value, text):
    """Return how much more a passage costs, the second time, than with exact frequencies."""
    again = results("again")
    gaps = "1,000 tokens between", "4,000 tokens between"
    return [loss - again[gap][text][1] for gap, loss in zip(gaps, value, strict=True)]


def by_layer(value, text):
    """Return how far losses are above Gemma's as it is."""
    return np.subtract(value, results("gemma_far")["as is"][text][-1])


CHANGES = "192 tokens", "largest change of a token", "tokens 96 to 192"
RUNNING = "tokens 96 to 192", "largest change of a token", "mean change of a token"
LOGITS = "most changed", "of the token that changes least"
BACK = [f"{back:,} back" for back in range(512, 13_312, 1_024)]
AGAIN = {"of": saved, "form": ".2f"}
TABLES = {
    "mistakes": partial(rises, "mistakes", *CHANGES),
    "short": partial(rises, "short", *CHANGES),
    "running": partial(rises, "running", *RUNNING, base="right"),
    "running_later": partial(rises, "running_later", *RUNNING, base="right"),
    **{
        table: partial(raw, table, "rise of the loss", of=lambda value, text: value[1] - value[0])
        for table in ("documents", "longer_documents", "documents_repeated")
    },
    "programs": partial(raw, "programs", *LOGITS, form=".2g"),
    "logits": partial(raw, "logits", *LOGITS, form=".2g"),
    "programs_in_64_bits": partial(raw, "programs_in_64_bits", *LOGITS, form=".2g"),
    "logits_of_mistakes": partial(raw, "logits_of_mistakes", *LOGITS, form=".2g"),
    "answers": partial(raw, "answers", "tokens of the right answer", form=".0f",
                       of=lambda value, text: value[2]),
    "llama_cpp": partial(raw, "llama_cpp", "median", "largest", form=".2f"),
    "passes": partial(raw, "passes", "seconds"),
    "continuations": partial(raw, "continuations", "loss of the text for the right model",
                             form=".2f", of=lambda value, text: value[1]),
    "samples": partial(raw, "samples", "repeated runs of four words", "loss", "Gemma's loss",
                       form=".2f"),
    "sinks": partial(raw, "sinks", "layers 0 to 11", "12 to 29", "heads above half", "L18H8"),
    "lengths": partial(raw, "lengths", "first", "behind another token", form=".1f",
                       of=lambda value, text: [[value[0], behind] for behind in value[1:]]),
    "eviction": partial(rises, "eviction", "tokens 256 to 768", "512 to 768", base="nothing",
                        of=lambda value: np.array([np.mean(value), value[1]])),
    "sinks_of_gemma": partial(rises, "sinks_of_gemma", "tokens 256 to 512", "512 to 768",
                              base="nothing"),
    "weights_of_gemma": partial(raw, "weights_of_gemma", "local layers", "global"),
    "gemma": partial(rises, "gemma", "tokens 16 to 512", "528 to 864", "864 to 1,200"),
    "gemma_far": partial(rises, "gemma_far", "1,024 to 2,048", "2,048 to 4,096", "4,096 to 8,192"),
    "gemma_layers": partial(raw, "gemma_layers", *map(str, range(18)), form=".2f", of=by_layer),
    "long": partial(raw, "long", "first 2,048 tokens", "second", "third", "fourth", form=".2f",
                    of=lambda value, text: np.reshape(value, (-1, 4)).mean(axis=1)),
    "places": partial(rises, "places", "tokens 0 to 256", "256 to 768", "768 to 1,280"),
    "needle": partial(raw, "needle", *BACK[7::-1], form=".2f"),
    "needle_alone": partial(raw, "needle_alone", *BACK[:9], form=".2f"),
    "needle_alone_others": partial(raw, "needle_alone_others", *BACK[:9], form=".2f"),
    "needle_far": partial(raw, "needle_far", *BACK, form=".2f"),
    "again": partial(raw, "again", "gain", **AGAIN),
    "again_near": partial(raw, "again_near", "gain", **AGAIN),
    "again_far": partial(again_far, "again_far"),
    "again_others": partial(again_far, "again_others"),
    "again_inside": partial(raw, "again_inside", "first distance", "second", **AGAIN),
    "again_at": partial(raw, "again_at", "S > 0", "S < 0", "S < 0", "S > 0", **AGAIN),
    "again_rounded": partial(raw, "again_rounded", "1,000 between", "4,000 between", of=rounded),
    "again_split": partial(raw, "again_split", "1,000 between", "6,000 between", **AGAIN),
    "again_evicted": partial(raw, "again_evicted", "gain", **AGAIN),
    "copying": partial(raw, "copying", "gain", **AGAIN),
    "curves": partial(named, "curves", "all heads"),
    "curve_controls": partial(named, "curve_controls", "all heads"),
    "pairs": partial(named, "pairs", "L16H0", "L11H1", "L1H2", "L2H1"),
    "shares": partial(named, "pairs", "shares of |q||k|"),
}  # fmt: skip


def updated(text):
    """Return the text of README.md with all tables written anew, between their marks."""
    for name, table in TABLES.items():
        mark = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        head, *rows = table()
        lines = (f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
        new = "\n".join(lines)
        text = mark.sub(lambda found, new=new: f"{found[1]}\n{new}\n\n{found[2]}", text)
    return text


if __name__ == "__main__":
    README.write_text(updated(README.read_text("utf-8")), "utf-8")
