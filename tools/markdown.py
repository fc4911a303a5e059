"""The Markdown of the book's pages as plain Markdown, which any notebook shows.

What only the pages can show is written another way: a box becomes a quotation, a formula's label
its number, code that is included stands there. A role refers to something; the caller says how.
"""

import ast
import re

_FENCE = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{(?P<name>[\w:-]+)\}[ \t]*(?P<title>[^\n]*)\n"
    r"(?P<body>.*?)^(?P=fence)[ \t]*$",
    flags=re.DOTALL | re.MULTILINE,
)
_ROLE = re.compile(r"\{(?P<name>[\w:]+)\}`(?P<text>[^`]*)`")
_LABEL = re.compile(r"^\([\w-]+\)=[ \t]*\n", flags=re.MULTILINE)
_COMMENT = re.compile(r"^(?:%|\+\+\+)[^\n]*\n?", flags=re.MULTILINE)
_OPTION = re.compile(r"\s*:([\w-]+):\s*(.*)")

# Of the pages of exercises; a notebook says it another way.
HOW_TO_ANSWER = (
    " A question is answered on this page. A function is written in a notebook: run this page "
    "({doc}`in the browser or at home <../run>`), fill in the cell, run it, and run the check "
    "below it."
)


def plain(text, refer, include=None):
    r"""Return a text of the book as Markdown that any notebook shows.

    Parameters
    ----------
    text : str
    refer : callable
        Takes the name of a role (`doc`, `ref`, `eq`, `cite:t`, …), what it refers to and the title
        that is given to it (or an empty text), and returns Markdown.
    include : callable, optional
        Takes the path and the options of a `literalinclude` and returns the code.

    >>> plain("{doc}`a <b>` {math}`x^2`", lambda role, target, title: f"[{title}]({target})")
    '[a](b) $x^2$'
    """

    def directive(match):
        lines, options = match["body"].splitlines(), {}
        while lines and (option := _OPTION.match(lines[0])):
            options[option[1]] = option[2].strip()
            del lines[0]
        body = _FENCE.sub(directive, "\n".join(lines).strip("\n"))
        return _directive(match["name"], match["title"].strip(), options, body, refer, include)

    def role(match):
        name, held = match["name"], match["text"]
        short = name.split(":")[-1]
        if short == "math":
            return f"${held}$"
        named = re.fullmatch(r"\s*(.*?)\s*<([^>]*)>\s*", held, flags=re.DOTALL)
        if name.startswith("py:") or short in ("func", "class", "mod", "meth", "attr"):
            return f"`{named[1] if named else held.split('.')[-1] if held[:1] == '~' else held}`"
        return refer(name, named[2] if named else held, named[1] if named else "")

    text = _COMMENT.sub("", _LABEL.sub("", text))
    return _ROLE.sub(role, _FENCE.sub(directive, text)).strip("\n")


def _directive(name, title, options, body, refer, include):
    if name == "math":
        number = refer("number", options["label"], "") if "label" in options else ""
        tag = f" \\tag{{{number}}}" if number else ""
        return f"$$\n{body}{tag}\n$$"
    if name == "literalinclude" and include:
        return f"```python\n{include(title, options).strip()}\n```"
    if name in ("code", "code-block", "code-cell"):
        return f"```{title}\n{body}\n```"
    if name in ("figure", "image"):
        return f"*(A picture of the book.)* {body}".strip()
    if name == "prf:proof":
        return f"*Proof.* {body} ∎"
    if name.startswith("prf:"):
        number = refer("number", options["label"], "") if "label" in options else ""
        head = f"{number or name[4:].capitalize()}{f' ({title})' if title else ''}"
    else:
        head = title or name.capitalize()
    return "\n".join(f"> {line}".rstrip() for line in [f"**{head}**", "", *body.splitlines()])


def definition(code, name):
    r"""Return the code of a function or class of a module, as it is written there.

    >>> definition("a = 1\ndef f(x):\n    return x\nb = 2", "f")
    'def f(x):\n    return x'
    """
    for node in ast.parse(code).body:
        if getattr(node, "name", None) == name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            return "\n".join(code.splitlines()[first - 1 : node.end_lineno])
    raise ValueError(f"name: expected a function or class of the module, got {name!r}")


def cited(keys, known, is_text, link="{words}"):
    """Return names and years of some references, as part of the text or in brackets.

    `link` makes a link of each, from its `words` and its `key`.

    >>> cited("ke2021", {"ke2021": ("Ke et al.", "2021")}, False, "[{words}](#{key})")
    '([Ke et al., 2021](#ke2021))'
    """
    pattern, between, around = ("{} ({})", ", ", "{}") if is_text else ("{}, {}", "; ", "({})")
    found = [
        link.format(words=pattern.format(*known[key]), key=key)
        for key in map(str.strip, keys.split(","))
    ]
    return around.format(between.join(found))


def references(text):
    r"""Return the names and the year of each entry of a bibliography, by key.

    >>> references("@misc{ke2021,\n author = {Ke, G. and He, D. and Liu, T.},\n year = {2021},\n}")
    {'ke2021': ('Ke et al.', '2021')}
    """
    found = {}
    for entry in re.split(r"^@", text, flags=re.MULTILINE)[1:]:
        key = re.match(r"\w+\{([^,\s]+)", entry)[1]
        fields = dict(re.findall(r"^\s*(author|year|title)\s*=\s*\{(.*)\}", entry, re.MULTILINE))
        last = [name.split(",")[0] for name in fields.get("author", key).split(" and ")]
        names = f"{last[0]} et al." if len(last) > 2 else " and ".join(last)
        found[key] = re.sub(r"\\\W|[{}]", "", names), fields.get("year", "n.d.")
    return found
