"""Turn the sources of the book into a project of MyST, the program behind Jupyter Book 2.

    python -m tools.myst2      then, in _build/myst2: myst build --site, or myst start

Writes `myst.yml` and the pages of _toc.yml. What only version 1 or site/ understands becomes MyST:
figures are cells with labels, widgets `anywidget` directives; the API is docstrings.
"""

import inspect
import json
import re
import shutil
from importlib import import_module
from pathlib import Path
from posixpath import dirname, join, normpath

import nbformat
import yaml
from nbformat.v4 import new_markdown_cell

import ledger
from pecode import figures
from tools import markdown
from tools.home import CONFIG, ROOT

TARGET = ROOT / "_build" / "myst2"
STATE, VIEW = (f"application/vnd.jupyter.widget-{kind}+json" for kind in ("state", "view"))
LAYOUT = ("layout", "tabbable", "tooltip")  # Jupyter's
EXPORT = "export default { render };"
FENCE = re.compile(r"(?ms)^```\{([\w-]+)\} *([^\n]*)\n((?::[\w-]+:[^\n]*\n)*)(.*?)^```$")
DOC = re.compile(r"\{doc\}`(?:([^<`]*?) *<)?([^>`]*)>?`")
OUTSIDE = re.compile(r'<a href="\.\./(?:figures|slides|vectors)\S*">(.*?)</a>')  # made by site/


def converted(text, page):
    """Return the text of a page in MyST's own words; page: its path without the ending.

    >>> converted("{doc}`Chapter 2 <../chapters/02-counting>`: {py:func}`~pecode.count`", "a/b")
    '[Chapter 2](/chapters/02-counting.ipynb): `count`'
    """

    def lead(found):
        target = source(normpath(join("/", dirname(page), found[2])).lstrip("/"))
        return f"[{found[1] or ''}](/{target})"

    text = DOC.sub(lead, FENCE.sub(lambda found: directive(page, *found.groups()), text))
    text = re.sub(r"\{py:\w+\}`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", OUTSIDE.sub(r"\1", text))
    return re.sub(r"\{ref\}`(\d+-\w+|[A-Z]\d+)`", r"[\1](#ledger-\1)", text)


def directive(page, name, argument, options, body):
    """Return a directive that MyST knows, or what stands for one that it does not know."""
    if name == "literalinclude":
        wanted = dict(re.findall(r":([\w-]+): *(.*)", options))
        code = (ROOT / dirname(page) / argument).read_text("utf8")
        if "pyobject" in wanted:
            code = markdown.definition(code, wanted["pyobject"])
        if "start-after" in wanted:
            start, end = (wanted.get(key, "\0").strip('"') for key in ("start-after", "end-before"))
            code = code.partition(start)[2].partition("\n")[2].partition(end)[0]
        return f"```{wanted.get('language', 'python')}\n{code.strip()}\n```"
    if name == "eval-rst":
        return "\n\n".join(map(described, re.findall(r"automodule:: *(\S+)", body)))
    if name == "ledger-table":
        rows = getattr(ledger, argument)()
        return "\n\n".join(f"(ledger-{row['id']})=\n**{row['id']}** {row['says']}" for row in rows)
    if name == "moving-figure":
        return widget(argument, getattr(figures, argument)().get_state())
    if name == "glossary":
        body = re.sub(r"(?m)^  (?=\S)", ": ", body)
    return f"```{{{name}}} {argument}\n{options}{body}```"


def described(name):
    """Return the docstrings of what a module offers as Markdown."""
    held = import_module(name)
    own = [key for key, each in vars(held).items() if getattr(each, "__module__", "") == name]
    said = {key: inspect.getdoc(getattr(held, key)) for key in getattr(held, "__all__", own)}
    return "\n\n".join(f"**{key}**\n\n```text\n{said[key]}\n```" for key in said if key[0] != "_")


def widget(name, state):
    """Return the directive that shows a widget in a state; its module becomes a file."""
    (TARGET / "widgets").mkdir(parents=True, exist_ok=True)
    (TARGET / "widgets" / f"{name}.js").write_text(module(state["_esm"]), encoding="utf8")
    own = {key: state[key] for key in state if key[0] != "_" and key not in LAYOUT}
    return f"```{{anywidget}} /widgets/{name}.js\n{json.dumps(own)}\n```"


def module(code):
    """Return the module of a widget for a host whose model can less than Jupyter's."""
    if EXPORT not in code:
        raise ValueError(f"code: expected a module with `{EXPORT}`")
    lent = "export default { render: ({ model, el }) => render({ model: lent(model), el }) };"
    return Path(__file__).with_suffix(".js").read_text("utf8") + code.replace(EXPORT, lent)


def notebook(text, page):
    """Return a notebook of the book as one for MyST."""
    held = nbformat.reads(text, as_version=4)
    states = held.metadata.pop("widgets", {}).get(STATE, {}).get("state", {})
    for number, cell in enumerate(held.cells):
        figure = cell.metadata.pop("mystnb", {}).get("figure", {})
        if cell.cell_type == "markdown":
            cell.source = converted(cell.source, page)
        elif figure:
            cell.metadata["label"] = figure["name"]
            cell.metadata["caption"] = converted(figure.get("caption", ""), page)
        for output in cell.get("outputs", []):
            if view := output.get("data", {}).get(VIEW):
                state = states[view["model_id"]]["state"]
                shown = widget(state["_anywidget_id"].split(".")[-1], state)
                held.cells[number] = new_markdown_cell(shown, id=cell.id)
    return nbformat.writes(held) + "\n"


def source(page):
    """Return the path of a page's source in the book."""
    return f"{page}.md" if (ROOT / f"{page}.md").exists() else f"{page}.ipynb"


def entry(listed):
    """Return an entry of _toc.yml as one of myst.yml."""
    children = {"children": [*map(entry, listed["sections"])]} if "sections" in listed else {}
    return {"file": source(listed["file"]), **children}


def main():
    """Write the project."""
    shutil.rmtree(TARGET, ignore_errors=True)
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
    listed = [entry({"file": toc["root"]})]
    for part in toc["parts"]:
        listed.append({"title": part["caption"], "children": [*map(entry, part["chapters"])]})
    project = {"title": CONFIG["title"], "bibliography": ["references.bib"], "toc": listed}
    config = {"version": 1, "project": project, "site": {"template": "book-theme"}}
    for path in re.findall(r"'file': '(.*?)'", str(listed)):
        page, text = path.rpartition(".")[0], (ROOT / path).read_text("utf8")
        text = notebook(text, page) if path.endswith("ipynb") else converted(text, page)
        (TARGET / path).parent.mkdir(parents=True, exist_ok=True)
        (TARGET / path).write_text(text, encoding="utf8")
    shutil.copy2(ROOT / "references.bib", TARGET)
    shutil.copytree(ROOT / "appendices" / "frameworks", TARGET / "appendices" / "frameworks")
    (TARGET / "myst.yml").write_text(yaml.safe_dump(config), encoding="utf8")
    print(f"{TARGET}: now run `myst build --site` there")


if __name__ == "__main__":
    main()
