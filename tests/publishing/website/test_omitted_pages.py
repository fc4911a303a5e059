"""What becomes of numbers and references in a copy of the book that leaves chapters out."""

import re
from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from publishing.home import contents
from publishing.website.omitted_pages import number_chapters

from .building import SITES, built

pytestmark = pytest.mark.filterwarnings("ignore:nodes.Node.traverse")  # sphinx_multitoc_numbering


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a page of a copy, as text, and the warnings of its build."""
    folder = tmp_path_factory.mktemp("copy")
    out, said = built(folder, **SITES["copy"], strict=False)
    html = (out / "chapters" / "10-reach.html").read_text("utf8")
    return re.sub("<[^>]*>", "", html), html, said


def test_chapters_keep_the_numbers_that_the_text_names(copy):
    text, *_ = copy
    for said in ("10. Far", "10.1. Near", "Fig. 10.1", "8. Adding"):
        assert said in text


def test_a_reference_to_what_is_left_out_becomes_words(copy):
    text, html, warnings = copy
    said = ("See Skip it?, the one before, a figure of chapter 9,\nan exercise of chapter 9, "
            "My notes, a link,\na statement of chapter 9 and nowhere.")  # fmt: skip
    assert said in text
    assert "09-skipping" not in html
    told = re.findall(r"10-reach\.md:\d+: WARNING: .+ is left out, and is called '.+'", warnings)
    assert len(told) == 7
    assert "xref_missing" not in warnings  # each place is told once
    assert warnings.count("lost-theorem") == 1
    assert "unknown document: 'nowhere'" in warnings


@pytest.mark.parametrize(("chapters", "name"), SITES["nothing_left"])
def test_a_part_in_which_nothing_is_left_ends_in_a_sentence(chapters, name):
    toc = {"root": "intro", "parts": [{"caption": "Part IV", "chapters": chapters}]}
    with pytest.raises(SystemExit, match=f"nothing is left below '{name}': delete its lines, too"):
        contents(toc)
    toc["parts"][0]["chapters"] = [{"file": "a", "sections": [{"file": "b"}]}, {"file": "c"}]
    assert contents(toc) == {"": ["intro"], "Part IV": ["a", "b", "c"]}


def test_a_chapter_without_a_line_in_the_list_is_not_numbered_like_another():
    env = SimpleNamespace(toc_secnumbers={"chapters/mine": {}}, toc_fignumbers={})
    with pytest.raises(ExtensionError, match=r"chapters/mine: book\.py numbers the chapters"):
        number_chapters(None, env)
