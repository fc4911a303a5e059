"""Copies of the notebooks for Colab: their Markdown, without a browser or a network."""

import subprocess
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from publishing import colab, markdown

ROOT = Path(__file__).parents[2]


# Links that only say what they were asked for.
NO_BOOK = SimpleNamespace(
    numbers={"fig-a": ("chapters/01.html", "Fig. 1.1")},
    sections=defaultdict(lambda: [""] * 9),
    link=lambda role, target, title, document: f"<{role} {target} {title}>",
)


def made(*cells):
    joined = [{**cell, "source": "".join(cell["source"])} for cell in cells]
    listed = [{"id": str(k), "metadata": {}, **cell} for k, cell in enumerate(joined)]
    return nbformat.from_dict({"cells": listed})


TITLE = {"cell_type": "markdown", "source": ["# A title"]}


def test_a_chapter_without_a_page_has_no_copy(tmp_path):
    for path in ("chapters/01-a.ipynb", "chapters/02-b.ipynb", "exercises/02-b.ipynb",
                 "exercises/overview.ipynb"):  # fmt: skip
        file(tmp_path / path)
    for path in ("chapters/01-a.html", "exercises/02-b.html", "exercises/overview.html"):
        file(tmp_path / "html" / path)
    found = colab.names(tmp_path, tmp_path / "html")
    assert found == ["chapters/01-a.ipynb", "exercises/02-b.ipynb"]


@pytest.mark.parametrize("whole", [True, False])
def test_a_reference_may_lead_nowhere_only_where_a_chapter_was_left_out(whole):
    def missing(role, target, title, document):
        raise KeyError(target)

    book = SimpleNamespace(**{**vars(NO_BOOK), "link": missing, "whole": whole})
    text = {"cell_type": "markdown", "source": ["See {doc}`the ninth <10-reach>`."]}
    if whole:
        with pytest.raises(KeyError, match="10-reach"):
            colab.for_colab(made(TITLE, text), "chapters/01.ipynb", book, ROOT, "")
    else:
        new = colab.for_colab(made(TITLE, text), "chapters/01.ipynb", book, ROOT, "")
        assert new["cells"][2]["source"] == "See the ninth."


def file(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def test_a_figure_keeps_its_caption_and_hidden_code_is_folded():
    cell = {
        "cell_type": "code",
        "source": ["plot()"],
        "metadata": {
            "tags": ["remove-input"],
            "mystnb": {"figure": {"name": "fig-a", "caption": "See $x$ in {ref}`there`."}},
        },
    }
    new = colab.for_colab(made(TITLE, cell), "chapters/01.ipynb", NO_BOOK, ROOT, "")
    assert new["cells"][2]["metadata"]["jupyter"] == {"source_hidden": True}
    assert "".join(new["cells"][3]["source"]) == "**Fig. 1.1.** See $x$ in <ref there >."


def test_a_question_is_not_folded_since_its_cell_is_to_be_run():
    tags = {"tags": ["remove-input"]}
    cell = {"cell_type": "code", "source": ['ask("dials")'], "metadata": tags}
    new = colab.for_colab(made(TITLE, cell), "exercises/01.ipynb", NO_BOOK, ROOT, "")
    assert "jupyter" not in new["cells"][2]["metadata"]


def test_a_copy_for_colab_fetches_the_modules_first_and_holds_no_outputs():
    code = {
        "cell_type": "code",
        "source": ["np.set_printoptions(suppress=True)\n", "1"],
        "outputs": [{}],
    }
    title, install, cell = colab.for_colab(
        made(TITLE, code), "chapters/01.ipynb", NO_BOOK, ROOT, "fetch"
    )["cells"]
    assert title["source"] == "# A title"
    assert install["source"] == "fetch"
    assert cell["source"] == "np.set_printoptions(suppress=True)\n1"
    assert cell["outputs"] == []


def test_the_first_cell_fetches_the_modules_of_one_commit(tmp_path):
    for name in ("book.py", "exercises.py"):
        (tmp_path / name).touch()
    git = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "a"], ["tag", "first"],
                    ["rm", "-q", "book.py"], ["commit", "-qm", "b"]):  # fmt: skip
        subprocess.run([*git, *command], check=True)
    cell = colab.COLAB.format(repository=tmp_path, commit="first")
    lines = [line[1:] for line in cell.splitlines() if line.startswith("!")] * 2  # and once more
    script = "\n".join(lines).replace("/content", str(tmp_path))
    subprocess.run(["sh", "-ec", script], check=True)
    assert (tmp_path / "book" / "book.py").exists()
    assert 'sys.path.insert(0, "/content/book")' in cell


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
    def refer(role, target, title):
        return f"<{role} {target} {title}>"

    def include(path, options):
        return f"code of {options['pyobject']} in {path}"

    assert markdown.plain(text, refer, include) == expected


def test_a_function_that_a_module_does_not_have_is_named():
    with pytest.raises(KeyError, match="'g'"):
        markdown.definition("def f(): pass", "g")
