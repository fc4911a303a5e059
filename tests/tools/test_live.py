"""Making the notebooks for the browser: packages, and Markdown, without a browser or a network."""

import hashlib
import json
import re
import zipfile
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from pyodide_lock import PyodideLockSpec

from tools import markdown
from tools.lite import MEGABYTES
from tools.live import distribution, notebooks

ROOT = Path(__file__).parents[2]


def wheel(folder, name, requires=(), modules=("a",)):
    """Write a wheel that holds nothing but its metadata and empty modules."""
    path = folder / f"{name}-1.0-py3-none-any.whl"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0",
             *(f"Requires-Dist: {each}" for each in requires)]  # fmt: skip
    with zipfile.ZipFile(path, "w") as held:
        held.writestr(f"{name}-1.0.dist-info/METADATA", "\n".join(lines))
        for module in modules:
            held.writestr(f"{module}.py", "")
    return path


def far(name):
    return {"name": name, "version": "2", "file_name": f"{name}.whl", "sha256": "0",
            "install_dir": "site"}  # fmt: skip


OFFICIAL = PyodideLockSpec(
    info={"version": "314", "python": "3.14.2", "platform": "emscripten_5_0_3"},
    packages={name: far(name) for name in distribution.COMPILED},
)


def listed(*wheels, compiled=()):
    return distribution.listed(OFFICIAL, list(wheels), dict(compiled), "https://far/").packages


def test_a_wheel_that_lies_beside_the_list_is_named_with_its_hash(tmp_path):
    own = wheel(tmp_path, "small", ["numpy>=1", "jupyterlab-widgets"], ["small", "more"])
    found = listed(own)
    assert found["small"].sha256 == hashlib.sha256(own.read_bytes()).hexdigest()
    assert found["small"].depends == ["numpy"]
    assert sorted(found["small"].imports) == ["more", "small"]
    assert found["numpy"].file_name == "https://far/numpy.whl"
    assert OFFICIAL.packages["numpy"].file_name == "numpy.whl"


def test_a_compiled_wheel_that_lies_beside_the_list_is_not_asked_for_elsewhere(tmp_path):
    binary = wheel(tmp_path, "numpy")
    found = listed(wheel(tmp_path, "small"), compiled={"numpy": binary})["numpy"]
    assert (found.file_name, found.version) == (binary.name, "1.0")
    assert found.sha256 == hashlib.sha256(binary.read_bytes()).hexdigest()


def test_a_need_that_nothing_fills_is_refused(tmp_path):
    with pytest.raises(ValueError, match="small: expected nowhere among the wheels"):
        listed(wheel(tmp_path, "small", ["nowhere"]))


def test_a_need_of_another_system_is_none(tmp_path):
    own = wheel(tmp_path, "small", ['nowhere; sys_platform == "win32"'])
    assert listed(own)["small"].depends == []


def test_a_folder_without_a_compiled_package_is_refused(tmp_path):
    for name in distribution.COMPILED[1:]:
        wheel(tmp_path, name)
    with pytest.raises(ValueError, match=f"got none of {distribution.COMPILED[0]}"):
        distribution.compiled_from(tmp_path)


def test_the_pure_wheels_are_pinned_with_hashes_and_without_an_address():
    text = (distribution.HERE / "wheels.txt").read_text(encoding="utf8")
    entries = text.split("\n", 1)[1].replace("\\\n", "").strip().splitlines()
    assert len(entries) > 20
    for entry in entries:
        assert "==" in entry
        assert "--hash=sha256:" in entry
        assert "://" not in entry
    lock = (distribution.HERE / "package-lock.json").read_text(encoding="utf8")
    assert "resolved" not in lock
    assert lock.count('"integrity"') == 3


def test_the_kernel_and_pyodide_are_of_one_version():
    """The kernel says for which Pyodide it is."""
    text = "".join(
        path.read_text(encoding="utf8")
        for path in (distribution.EXTENSIONS / "@jupyterlite/pyodide-kernel-extension/static").glob(
            "*.js"
        )
    )
    assert f"{distribution.address()}pyodide.mjs" in text


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


def test_a_live_notebook_has_a_note_and_no_outputs():
    code = {"cell_type": "code", "source": ["1 + 1"], "outputs": [{"a": "b"}]}
    new = notebooks.for_browser(made(TITLE, code), "chapters/01.ipynb", NO_BOOK, ROOT)
    assert [cell["cell_type"] for cell in new["cells"]] == ["markdown", "markdown", "code"]
    assert "run.html?path=chapters/01.ipynb&fresh" in "".join(new["cells"][1]["source"])
    assert new["cells"][2]["outputs"] == []


def test_a_chapter_without_a_page_has_no_live_notebook(tmp_path):
    for path in ("chapters/01-a.ipynb", "chapters/02-b.ipynb", "exercises/02-b.ipynb",
                 "exercises/overview.ipynb"):  # fmt: skip
        file(tmp_path / path)
    for path in ("chapters/01-a.html", "exercises/02-b.html", "exercises/overview.html"):
        file(tmp_path / "html" / path)
    found = notebooks.names(tmp_path, tmp_path / "html")
    assert found == ["chapters/01-a.ipynb", "exercises/02-b.ipynb"]


@pytest.mark.parametrize("whole", [True, False])
def test_a_reference_may_lead_nowhere_only_where_a_chapter_was_left_out(whole):
    def missing(role, target, title, document):
        raise KeyError(target)

    book = SimpleNamespace(**{**vars(NO_BOOK), "link": missing, "whole": whole})
    text = {"cell_type": "markdown", "source": ["See {doc}`the ninth <10-reach>`."]}
    if whole:
        with pytest.raises(KeyError, match="10-reach"):
            notebooks.for_browser(made(TITLE, text), "chapters/01.ipynb", book, ROOT)
    else:
        new = notebooks.for_browser(made(TITLE, text), "chapters/01.ipynb", book, ROOT)
        assert new["cells"][2]["source"] == "See the ninth."


def test_the_cost_that_the_page_names_is_the_one_that_was_measured():
    text = (ROOT / "run.md").read_text(encoding="utf8")
    assert re.findall(r"(\d+) MB", text) == [str(MEGABYTES)]


def file(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def test_another_text_is_another_edition():
    editions = {
        notebooks.for_browser(made(TITLE, cell), "chapters/01.ipynb", NO_BOOK, ROOT)["metadata"][
            "edition"
        ]
        for cell in (TITLE, {**TITLE, "source": ["# B"]}, TITLE)
    }
    assert len(editions) == 2


def test_a_figure_keeps_its_caption_and_hidden_code_is_folded():
    cell = {
        "cell_type": "code",
        "source": ["plot()"],
        "metadata": {
            "tags": ["remove-input"],
            "mystnb": {"figure": {"name": "fig-a", "caption": "See $x$ in {ref}`there`."}},
        },
    }
    new = notebooks.for_browser(made(TITLE, cell), "chapters/01.ipynb", NO_BOOK, ROOT)
    assert new["cells"][2]["metadata"]["jupyter"] == {"source_hidden": True}
    assert "".join(new["cells"][3]["source"]) == "**Fig. 1.1.** See $x$ in <ref there >."


def test_a_question_is_not_folded_since_its_cell_is_to_be_run():
    tags = {"tags": ["remove-input"]}
    cell = {"cell_type": "code", "source": ['ask("dials")'], "metadata": tags}
    new = notebooks.for_browser(made(TITLE, cell), "exercises/01.ipynb", NO_BOOK, ROOT)
    assert "jupyter" not in new["cells"][2]["metadata"]


def test_print_options_are_said_to_every_cell():
    cell = {"cell_type": "code", "source": ["np.set_printoptions(suppress=True)  # why"]}
    new = notebooks.for_browser(made(TITLE, cell), "chapters/01.ipynb", NO_BOOK, ROOT)
    lines = "".join(new["cells"][2]["source"]).splitlines()
    assert lines[0] == "np.set_printoptions(suppress=True)  # why"
    assert lines[2].endswith('("pre_run_cell", lambda _: np.set_printoptions(suppress=True))')


def test_a_copy_for_colab_installs_the_module_first_and_names_the_site():
    text = {"cell_type": "markdown", "source": [f"[a]({notebooks.BOOK}b.html)"]}
    code = {"cell_type": "code", "source": ["np.set_printoptions(suppress=True)\n", "1"]}
    copy = notebooks.for_colab(
        made(TITLE, text, code), "chapters/01.ipynb", NO_BOOK, ROOT, "https://site/", "pecode @ git"
    )
    assert [cell["source"] for cell in copy["cells"][::3]] == [
        "# A title", "np.set_printoptions(suppress=True)\n1",
    ]  # fmt: skip
    assert '%pip install --quiet "pecode @ git"' in copy["cells"][1]["source"]
    assert copy["cells"][2]["source"] == "[a](https://site/b.html)"
    assert "book.invalid" not in json.dumps(copy)


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
