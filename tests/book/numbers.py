"""No number in the text of a notebook that its cells do not compute.

A number in the prose must stand, rounded as the prose has it, in some output of the notebook or
in its code. What a source says, right or wrong, is listed in the metadata of its cell
(`"quoted": ["0.41"]`): then it is a quotation and not a result. So is what an exercise takes for
granted (`"assumed": ["128"]`).
"""

import re

from tests.book import notebooks

SMALL = 12  # whole numbers up to here are words: "two", "8 dials", "chapter 5"

NUMBER = re.compile(r"(?<![\w.^_{/\\])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w/}]|\.\d)")
# The choices of a prediction (the right one is in its answer), and how near a number must be.
CHOSEN = re.compile(r"(?m)^- .*|(?i:within) [\d.]+")
# What is no prose: formulas, code, roles and their targets, addresses, comments.
NOT_PROSE = re.compile(
    r"^```\{math\}.*?^```|^`{3,}[^`\n]*$|\$\$.*?\$\$|\$[^$]*\$|^:\w.*?$|\{[\w:]+\}`[^`]*`|``[^`]*``|`[^`]*`"
    r"|\]\([^)]*\)|<[^>]*>|^## \d+\.\d+ "  # the number of an exercise
    r"|(?:[Cc]hapter|[Ss]ection|[Ee]xercise)s? \d[\d.]*(?:(?:,|,? and|,? or| to) \d[\d.]*)*",
    flags=re.MULTILINE | re.DOTALL,
)


@notebooks.rule
def every_number_in_the_text_is_computed(notebook):
    computed = sorted(set(_computed(notebook)))
    for index, cell in enumerate(notebook.cells, start=1):
        quoted = {*cell.metadata.get("quoted", []), *cell.metadata.get("assumed", [])}
        found = set(NUMBER.findall(_prose(cell)))
        for text in sorted(found - quoted):
            if not is_word(text) and not any(rounds_to(value, text) for value in computed):
                yield f"{notebooks.name(index, cell)}: no cell computes {text}"
        for text in sorted(quoted - found):
            where = notebooks.name(index, cell)
            yield f"{where} lists the number {text} as quoted or assumed, not in its text"


def _prose(cell):
    if cell.cell_type == "markdown":
        text = notebooks.PREDICTION.sub(lambda box: CHOSEN.sub("", box[0]), cell.source)
    else:
        meta = cell.metadata.get("mystnb", {})
        figure, image = (meta.get(key, {}) for key in ("figure", "image"))
        text = f"{figure.get('caption', '')} {image.get('alt', '')}"
    return NOT_PROSE.sub(" ", text.replace("−", "-"))


def _computed(notebook):
    for _, cell in notebooks.code_cells(notebook):
        for text in [cell.source.replace("_", ""), *notebooks.texts(cell)]:
            for number in re.findall(r"\d[\d,]*(?:\.\d*)?(?:e[-+]?\d+)?", text):
                yield float(number.rstrip(",").replace(",", ""))


def is_word(text):
    return re.fullmatch(r"-?\d+", text) is not None and abs(int(text)) <= SMALL


def rounds_to(value, text):
    """Say whether a computed value, rounded like the text, is the number of the text.

    Signs do not count: in code and outputs a hyphen is as often a dash, or a difference.
    """
    decimals = len(text.partition(".")[2])
    return round(value, decimals) == abs(float(text.replace(",", "")))
