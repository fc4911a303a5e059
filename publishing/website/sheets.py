"""One style sheet for all pages, made of the theme's, the extensions' and the book's.

One file is shown sooner than eleven, and two thirds of the rules are for classes that no page and
no script names. Its address has a hash, so that a browser keeps no older one.
"""

import hashlib
import re
from itertools import chain, groupby, pairwise

import tinycss2

STYLE = "style.css"
# What templates/layout.html writes: the address of the one sheet, and those that it is made of.
LINK = re.compile(rf'({re.escape(STYLE)})(\?v=\w+)?(?=")')
WORD = re.compile(r"[\w-]+")
PLAIN = {"skip_comments": True, "skip_whitespace": True}


def is_linked(html):
    """Return whether a page knows which version of the sheet it needs."""
    return f"{STYLE}?v=" in html


def link_one(static, pages):
    """Write the sheet for these pages, and its version into each of them."""
    texts = {page: page.read_text(encoding="utf8") for page in pages}
    listed = {names for text in texts.values() for names in re.findall('data-sheets="(.*?)"', text)}
    if not listed:
        return
    names = max(listed, key=len).split()
    scripts = (path.read_text("utf8") for path in (*static.glob("*.js"), *static.glob("*/*.js")))
    named = set(chain.from_iterable(map(WORD.findall, chain(texts.values(), scripts))))
    style = "".join(
        chain.from_iterable(lean((static / name).read_text("utf8"), named) for name in names)
    )
    (static / STYLE).write_text(style, encoding="utf8")
    version = hashlib.md5(style.encode()).hexdigest()[:8]
    for page, text in texts.items():
        linked = LINK.sub(rf"\1?v={version}", text)
        if linked != text:
            page.write_text(linked, encoding="utf8")


def lean(sheet, named):
    """Yield the rules of a sheet, without those for a class that is not in `named`."""
    for rule in tinycss2.parse_rule_list(sheet, **PLAIN):
        text = rule.serialize()
        if rule.type == "qualified-rule":
            parts = groupby(rule.prelude, key=lambda token: token == ",")
            used = [list(part) for is_comma, part in parts if not is_comma]
            used = [tinycss2.serialize(part) for part in used if is_used(part, named)]
            if used:
                yield f"{','.join(used)}{{{tinycss2.serialize(rule.content)}}}"
        elif rule.lower_at_keyword in ("media", "supports"):
            inner = "".join(lean(tinycss2.serialize(rule.content), named))
            if inner:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}"
        elif rule.lower_at_keyword != "charset" and "Font Awesome" not in text:
            yield text  # book.css draws the icons: no page needs that font


def is_used(selector, named):
    """Return whether all classes that a selector asks for are named; in brackets none is."""
    classes = (
        name.value for dot, name in pairwise(selector) if dot == "." and name.type == "ident"
    )
    return all(name in named or not WORD.fullmatch(name) for name in classes)
