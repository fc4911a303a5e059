"""Write the tables of lab/README.md from lab/published/results.jsonl.

    python -m tools.show_published

Cells are medians over texts, with the lowest and the highest; losses are compared text by text with
the model as it is, in nats a token. A row that is not yet measured on all texts says on how many.
"""

import itertools
import re
from functools import partial
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


def rises(table, parts, base="as is"):
    """Return a table of how far parts of a loss are above the base row's, text by text.

    `parts` are the columns' heads, each with the entries of a value that it averages.
    """
    found = results(table)
    rows, texts = [["", *parts]], max(map(len, found.values()))
    for row, values in found.items():
        old = {text: 0 if row == base else np.array(found[base][text]) for text in values}
        changes = [np.array(values[text]) - old[text] for text in values]
        cells = (cell([change[each].mean() for change in changes]) for each in parts.values())
        note = "" if len(values) == texts else f" [{len(values)} of {texts} texts]"
        rows.append([row + note, *cells])
    return rows


def raw(table, *heads, digits=3, of=lambda value, text: value):
    """Return a table's numbers, or what `of` makes of them; in brackets, of how many texts."""
    rows = [["", *heads]]
    for row, texts in results(table).items():
        each = [of(value, text) for text, value in texts.items()]
        columns = itertools.islice(itertools.zip_longest(*each), len(heads))  # some are shorter
        cells = [cell([n for n in column if n is not None], digits) for column in columns]
        rows.append([f"{row} [{len(texts)}]", *cells, *[""] * (len(heads) - len(cells))])
    return rows


def named(texts, entries=None, digits=3):
    """Return a row for each name in a result: the chosen entries of its list, or its number."""
    for name in next(iter(texts.values())):
        columns = np.reshape([value[name] for value in texts.values()], (len(texts), -1)).T
        yield [name, *(cell(column, digits) for column in columns[entries or slice(None)])]


def changes(table, parts, base="as is"):
    """Return a table of rises, and the largest change of any token's loss."""
    head, *rows = rises(table, parts, base)
    for row, values in zip(rows, results(table).values(), strict=True):
        changes = np.transpose(list(values.values()))[1:]
        row.append(f"{changes[0].max():.2g}")
        if table.startswith("running"):
            row.append(cell(changes[1]))
    mean = ["mean change of a token"] * table.startswith("running")
    return [[*head, "largest change of a token", *mean], *rows]


def logits(table="logits"):
    """Return how far a cache moves a logit: the lowest and the highest of the texts."""
    rows = [["", "most changed", "of the token that changes least"]]
    for row, texts in results(table).items():
        each = np.transpose([*texts.values()])
        rows.append([f"{row} [{len(texts)}]", *(f"{x.min():.2g} to {x.max():.2g}" for x in each)])
    return rows


def continuations():
    """Return what the right model loses on what was written, and how one text begins."""
    rows = [["", "loss of the text for the right model", "the lighthouse keeper …"]]
    for row, values in results("continuations").items():
        start = " ".join(values["lighthouse"][0].split()).replace("|", "\\|")[:90]
        rows.append([row, cell([value[1] for value in values.values()], 2), f"{start} …"])
    return rows


def answers():
    """Return how many of 60 tokens are those of the right answer, up to the first other one."""
    found = results("answers")
    rows = [["", *next(iter(found.values()))]]
    return rows + [[row, *(f"{v[2]:.0f}" for v in texts.values())] for row, texts in found.items()]


def lengths():
    """Return the lengths of values of tokens read first, and behind each of some tokens."""
    (found,) = results("lengths").values()
    shown = [{"\n": "line break"}.get(t, f"“{t}”").replace("|", "\\|") for t in found]
    rows = ([name, *(f"{x:.1f}" for x in found[t])] for name, t in zip(shown, found, strict=True))
    return [["", "first", *(f"behind {name}" for name in shown)], *rows]


def documents():
    """Return how far losses rise where a document was read alone, and what is kept of its worth.

    Its worth is what the loss rises by if the document is left out.
    """
    found = results("documents") | {"its own prompt, left out": {}}
    for table in ("running", "running_later"):
        for text, (loss, *_) in (rows := results(table))["right"].items():
            without = rows["a document behind a prompt, left out"][text][0]
            found["its own prompt, left out"][text] = loss, without
    rise = {row: np.diff([*texts.values()])[:, 0] for row, texts in found.items()}
    rows = [["", "rise of the loss", "kept"]]
    for row, rises in rise.items():
        worth = rise[f"{row.partition(',')[0]}, left out"]
        kept = "" if rises is worth else cell(1 - rises / worth, 2)
        rows.append([f"{row} [{len(rises)}]", cell(rises), kept])
    return rows


def seeds():
    """Return both measures of continuations, raw."""
    rows = [["", "repeated runs of four words", "loss"]]
    for row, texts in results("seeds").items():
        rows.append([row, *(cell(column, 2) for column in np.concatenate([*texts.values()]).T)])
    return rows


def seeds_by_gemma():
    """Return what Gemma loses on continuations, raw."""
    rows = [["", "loss"]]
    for row, texts in results("seeds_by_gemma").items():
        rows.append([row, cell(np.ravel([*texts.values()]), 2)])
    return rows


def curves(table="curves"):
    """Return how the mean scores of all heads fall by offset, raw."""
    rows = named(results(table)["all heads"])
    return [["", "median (lowest to highest)"], *([name, " · ".join(c)] for name, *c in rows)]


def pairs():
    """Return what heads that look one back do in other positions, raw."""
    rows = [["", "on itself", "one back", "four back"]]
    for head, texts in results("pairs").items():
        if head.startswith("L"):
            rows += ([f"{head}, {name}", *cells] for name, *cells in named(texts, digits=2))
    return rows


def long():
    """Return losses by place as it is, and the changes from there of everything else."""
    found, chosen = results("long"), [0, 5, 10, 15, 16, 18, 20, 22, 24, 26, 27]
    rows = [["", *(f"{512 * i:,}" for i in chosen), "8,192 to 10,240", "12,288 to 14,336"]]
    first = found.pop("as is, first 8,192")
    as_is = {text: np.append(first[text], value) for text, value in found["as is"].items()}
    for row, values in found.items():
        changes = []
        for text, value in values.items():
            base = np.mean(first[text][-2:]) if row == "as is" else as_is[text]
            padded = np.full(28, np.nan)  # pieces of 512 tokens; those not measured stay empty
            begin = 0 if "whole" in row or "first 8,192" in row else 16
            padded[begin : begin + len(value)] = value
            changes.append(padded - base)
        each = np.transpose(changes)
        columns = [*each[chosen], each[16:20].mean(axis=0), each[24:].mean(axis=0)]
        cells = ["" if np.isnan(column).any() else cell(column, 2) for column in columns]
        rows.append([f"{row} [{len(changes)}]", *cells])
    return rows


def needle(table="needle"):
    """Return the loss of a number's digits by how far back it stands, raw."""
    step = -1 if table == "needle" else 1  # there the farthest comes first
    heads = (f"{back:,} back" for back in range(512, 8_192 if step < 0 else 9_216, 1_024))
    return raw(table, *heads, digits=2, of=lambda value, text: value[::step])


def layers():
    """Return how far a loss is above Gemma's, without positions or attention in one layer."""
    as_is = results("gemma_far")["as is"]
    rises = [
        np.transpose([np.subtract(texts[t], as_is[t][-1]) for t in texts])
        for texts in results("gemma_layers").values()
    ]
    silent = dict(zip((3, 4, 5, 10, 11, 17), map(cell, rises[1]), strict=True))
    rows = ([str(n), cell(rise), silent.get(n, "")] for n, rise in enumerate(rises[0]))
    return [["layer", "no positions", "no attention"], *rows]


def saved(value, text):
    """Return what second readings save of a first."""
    return [value[0] - again for again in value[1:]]


def by_sign(value, text):
    """Return the same at four distances, and how much more where S is negative: at 1 and 2."""
    each = saved(value, text)
    return [*each, np.mean(each[1:3]) - np.mean([each[0], each[3]])]


def again_rounded():
    """Return what a second reading saves with the frequencies rounded, as it is, and the rest."""
    again, rows = results("again"), [["", "rounded", "as is", "rounded less as is"]]
    for i, gap in enumerate(("1,000 tokens between", "4,000 tokens between")):
        (texts,) = results("again_rounded").values()
        rounded = np.array([again[gap][text][0] - losses[i] for text, losses in texts.items()])
        as_is = np.array([again[gap][text][0] - again[gap][text][1] for text in texts])
        rows.append([gap, *map(cell, (rounded, as_is, rounded - as_is))])
    return rows


def again_far(table="again_far"):
    """Return what was gained against a first reading by the model as it is, 4,000 tokens on."""
    gaps = 1_000, 4_000, 6_000, 7_000, 9_000, 12_000
    first = results("again")["4,000 tokens between"]
    gained = lambda value, text: saved([first[text][0], *value[1:]], text)  # noqa: E731
    return raw(table, *(f"{gap:,} between" for gap in gaps), digits=2, of=gained)


def thirds(table, *heads):
    """Return the rises of three parts of a loss."""
    return lambda: rises(table, {head: [i] for i, head in enumerate(heads)})


SIGNS = "S > 0", "S < 0", "S < 0", "S > 0", "more where S < 0"
PARTS = {"192 tokens": [0], "tokens 96 to 192": [2]}
EVICTED = {"tokens 256 to 768": slice(8), "512 to 768": slice(4, 8)}
TABLES = {
    "mistakes": lambda: changes("mistakes", PARTS),
    "short": lambda: changes("short", PARTS),
    "running": lambda: changes("running", {"tokens 96 to 192": [0]}, "right"),
    "running_later": lambda: changes("running_later", {"tokens 96 to 192": [0]}, "right"),
    "documents": documents,
    "logits": logits,
    "logits_of_mistakes": partial(logits, "logits_of_mistakes"),
    "answers": answers,
    "passes": lambda: [
        ["", "seconds"],
        *([row, cell([*v.values()], 2)] for row, v in results("passes").items()),
    ],
    "continuations": continuations,
    "seeds": seeds,
    "by_gemma": partial(raw, "by_gemma", "loss", digits=2, of=lambda value, text: [value]),
    "seeds_by_gemma": seeds_by_gemma,
    "sinks": partial(raw, "sinks", "layers 0 to 11", "12 to 29", "heads above half", "L18H8"),
    "lengths": lengths,
    "eviction": lambda: rises("eviction", EVICTED, base="nothing"),
    "gemma": thirds("gemma", "tokens 16 to 512", "528 to 864", "864 to 1,200"),
    "gemma_far": thirds("gemma_far", "tokens 1,024 to 2,048", "2,048 to 4,096", "4,096 to 8,192"),
    "gemma_layers": layers,
    "long": long,
    "places": thirds("places", "tokens 0 to 256", "256 to 768", "768 to 1,280"),
    "needle": needle,
    "needle_alone": partial(needle, "needle_alone"),
    "again": partial(raw, "again", "gain", of=saved),
    "again_far": again_far,
    "again_others": partial(again_far, "again_others"),
    "again_inside": partial(raw, "again_inside", "first distance", "second", of=saved),
    "again_at": partial(raw, "again_at", *SIGNS, digits=2, of=by_sign),
    "again_rounded": again_rounded,
    "again_evicted": partial(raw, "again_evicted", "gain", of=saved),
    "again_evicted_far": partial(raw, "again_evicted_far", "gain", of=saved),
    "copying": partial(raw, "copying", "gain", of=saved),
    "curves": curves,
    "curve_controls": lambda: curves("curve_controls"),
    "pairs": pairs,
    "shares": lambda: [["", "share"], *named(results("pairs")["shares of |q||k|"])],
}


def updated(text):
    """Return the text of README.md with all tables written anew, between their marks."""
    for name, table in TABLES.items():
        mark = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        try:
            head, *rows = table()
            lines = (f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
            shown = "\n".join(lines)
        except ValueError:  # nothing of it is measured
            shown = "Not yet measured."
        text = mark.sub(lambda found, shown=shown: f"{found[1]}\n{shown}\n\n{found[2]}", text)
    return text


if __name__ == "__main__":
    README.write_text(updated(README.read_text("utf-8")), "utf-8")
