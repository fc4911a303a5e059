"""The Markdown of the book's pages as plain Markdown, which any notebook shows.

What only the pages can show is written another way: a box becomes a quotation, a formula's label
its number. A role refers to something; the caller says how.
"""

import re

from pybtex.database import parse_file

_FENCE = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{(?P<name>[\w:-]+)\}[ \t]*(?P<title>[^\n]*)\n"
    r"(?P<options>(?:[ \t]*:[\w-]+:[^\n]*\n)*)(?P<body>.*?)^(?P=fence)[ \t]*$",
    flags=re.DOTALL | re.MULTILINE,
)
_ROLE = re.compile(r"\{(?P<name>[\w:]+)\}`(?P<text>[^`]*)`")
_UNSEEN = re.compile(r"^(?:\([\w-]+\)=[ \t]*\n|(?:%|\+\+\+)[^\n]*\n?)", flags=re.MULTILINE)

# Of the pages of exercises; a notebook says it another way.
HOW_TO_ANSWER = (
    ". A question tells you at once whether your answer is right. To write a function, press *Run "
    "this page* at the top, fill in its cell, and press *Check* below it.\n\n"
    "{doc}`Or work at home <../run>`."
)


def plain(text, refer):
    r"""Return a text of the book as Markdown that any notebook shows.

    Parameters
    ----------
    text : str
    refer : callable
        Takes the name of a role (`doc`, `ref`, `eq`, `cite:t`, …), what it refers to and the title
        that is given to it (or an empty text), and returns Markdown.

    >>> plain("{doc}`a <b>` {math}`x^2`", lambda role, target, title: f"[{title}]({target})")
    '[a](b) $x^2$'
    """

    def directive(found):
        name, title = found["name"], found["title"].strip()
        options = dict(re.findall(r":([\w-]+):[ \t]*(.*?)[ \t]*$", found["options"], re.MULTILINE))
        body = _FENCE.sub(directive, found["body"].strip("\n"))
        has_number = "label" in options and name.startswith(("math", "prf:"))
        number = refer("number", options["label"], "") if has_number else ""
        if name == "math":
            tag = f" \\tag{{{number}}}" if number else ""
            return f"$$\n{body}{tag}\n$$"
        if name in ("code", "code-block", "code-cell"):
            return f"```{title}\n{body}\n```"
        if name in ("figure", "image"):
            return f"*(A picture of the book.)* {body}".strip()
        if name == "prf:proof":
            return f"*Proof.* {body} ∎"
        if name.startswith("prf:"):
            title = f"{number or name[4:].capitalize()}{f' ({title})' if title else ''}"
        lines = [f"**{title or name.capitalize()}**", "", *body.splitlines()]
        return "\n".join(f"> {line}".rstrip() for line in lines)

    def role(found):
        name, held = found["name"], found["text"]
        named = re.fullmatch(r"(?s)\s*(.*?)\s*<([^>]*)>\s*", held)
        title, target = named.groups() if named else ("", held)
        if name == "math":
            return f"${held}$"
        if name.split(":")[-1] in ("func", "class", "mod", "meth", "attr"):
            return f"`{title or (held.split('.')[-1] if held[0] == '~' else held)}`"
        return refer(name, target, title)

    return _ROLE.sub(role, _FENCE.sub(directive, _UNSEEN.sub("", text))).strip("\n")


def cited(keys, known, is_text):
    """Return names and years of some references, as part of the text or in brackets.

    >>> cited("ke2021", {"ke2021": ("Ke et al.", "2021")}, False)
    '(Ke et al., 2021)'
    """
    pattern, between, around = ("{} ({})", ", ", "{}") if is_text else ("{}, {}", "; ", "({})")
    return around.format(
        between.join(pattern.format(*known[key]) for key in re.findall(r"[^,\s]+", keys))
    )


def references(path):
    """Return the names and the year of each entry of a bibliography, by key."""
    found = {}
    for key, entry in parse_file(path).entries.items():
        names = ["".join(map(str, person.rich_last_names)) for person in entry.persons["author"]]
        words = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        found[key] = words, entry.fields.get("year", "n.d.")
    return found
