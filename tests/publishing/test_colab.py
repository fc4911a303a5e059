"""Copies of the notebooks for Colab: their Markdown, without a browser or a network."""

import subprocess
import zlib
from types import SimpleNamespace

import nbformat
import pytest

from publishing import colab, markdown


def refer(role, target, title, document=None):
    """Say what was asked for."""
    return f"<{role} {target} {title}>"


def copied(*cells):
    """The cells of a copy whose title is followed by these cells."""
    title = {"cell_type": "markdown", "source": "# A title"}
    listed = [{"id": str(k), "metadata": {}, **cell} for k, cell in enumerate([title, *cells])]
    notebook = nbformat.from_dict({"cells": listed})
    book = SimpleNamespace(link=refer)
    return colab.for_colab(notebook, "chapters/01.ipynb", book, "fetch")["cells"]


def test_a_copy_fetches_the_modules_first_and_holds_no_outputs():
    title, first, cell = copied({"cell_type": "code", "source": "1", "outputs": [{}]})
    assert title["source"] == "# A title"
    assert first["source"] == "fetch"
    assert (cell["source"], cell["outputs"]) == ("1", [])


@pytest.mark.parametrize(
    ("tags", "source", "folded"),
    [
        (["remove-input"], "plot()", True),
        (["hide-input"], "plot()", True),
        ([], "plot()", False),
        (["remove-input"], 'ask("dials")', False),  # its cell is to be run
    ],
)
def test_hidden_code_is_folded_unless_it_asks(tags, source, folded):
    cell = copied({"cell_type": "code", "source": source, "metadata": {"tags": tags}})[2]
    assert cell["metadata"].get("jupyter", {}).get("source_hidden", False) is folded


def test_a_figure_keeps_its_caption():
    figure = {"name": "fig-a", "caption": "See $x$ in {ref}`there`."}
    cell = {"cell_type": "code", "source": "plot()", "metadata": {"mystnb": {"figure": figure}}}
    assert copied(cell)[3]["source"] == "**<number fig-a >.** See $x$ in <ref there >."


def test_the_first_cell_fetches_the_modules_of_one_commit(tmp_path):
    for name in ("book.py", "exercises.py"):
        (tmp_path / name).touch()
    git = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a"]
    for command in (
        "init -q",
        "add .",
        "commit -qm a",
        "tag first",
        "rm -q book.py",
        "commit -qm b",
    ):
        subprocess.run([*git, *command.split()], check=True)
    cell = colab.FIRST_CELL.format(repository=tmp_path, commit="first")
    lines = [line[1:] for line in cell.splitlines() if line.startswith("!")] * 2  # and once more
    script = "\n".join(lines).replace("/content", str(tmp_path))
    subprocess.run(["sh", "-ec", script], check=True)
    assert (tmp_path / "book" / "book.py").exists()
    assert 'sys.path.insert(0, "/content/book")' in cell


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A built book of one page."""
    monkeypatch.setattr(colab, "names", lambda html: ["chapters/05-a.ipynb"])
    page = tmp_path / "chapters" / "05-a.html"
    page.parent.mkdir()
    page.write_text(
        '<figure id="fig-a"><span class="caption-number">Fig. 5.1 </span></figure>'
        '<div id="equation-eq-b"><span class="eqno">(5.2)</span></div>'
    )
    head = b"# Sphinx inventory version 2\n# Project: a\n# Version: 1\n# compressed using zlib\n"
    lines = b"a/b std:doc -1 a/b.html A page\nsome-label std:label -1 a/b.html#$ A section\n"
    (tmp_path / "objects.inv").write_bytes(head + zlib.compress(lines))
    return colab.Book(tmp_path, "https://site/")


@pytest.mark.parametrize(
    ("role", "target", "title", "text"),
    [
        ("numref", "fig-a", "", "[Fig. 5.1](https://site/chapters/05-a.html#fig-a)"),
        ("eq", "eq-b", "", "[(5.2)](https://site/chapters/05-a.html#equation-eq-b)"),
        ("number", "eq-b", "", "5.2"),
        ("doc", "../a/b", "so", "[so](https://site/a/b.html)"),
        ("ref", "some-label", "", "[A section](https://site/a/b.html#some-label)"),
        ("doc", "10-reach", "the tenth", "the tenth"),  # a chapter that was left out
    ],
)
def test_a_reference_leads_to_the_published_book(book, role, target, title, text):
    assert book.link(role, target, title, "chapters/05-a.ipynb") == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```{math}\n:label: eq-a\nx\n```", "$$\nx \\tag{<number eq-a >}\n$$"),
        ("```{prf:theorem} Name\n:label: thm-a\nA\n```", "> **<number thm-a > (Name)**\n>\n> A"),
        ("```{prf:proof}\nA\n```", "*Proof.* A ∎"),
        ("{doc}`so <a>`", "<doc a so>"),
        ("```{literalinclude} a.py\n:pyobject: f\n```", "```python\ncode of f in a.py\n```"),
    ],
)
def test_markdown_of_the_book_becomes_plain(text, expected):
    def include(path, options):
        return f"code of {options['pyobject']} in {path}"

    assert markdown.plain(text, refer, include) == expected
