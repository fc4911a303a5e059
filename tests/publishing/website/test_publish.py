"""What the pages say of themselves, under which address, and which version of the book they are."""

import re
from urllib.parse import parse_qs

import pytest
from jinja2 import Environment, FileSystemLoader
from sphinx.errors import ConfigError

from publishing.home import ROOT
from publishing.website import launch, publish

from .building import SITES, built

SITE = "https://user.github.io/a/b/"
REPOSITORY = "https://github.com/user/repo"
FIRST = "Positional Encoding, from Counting to Rotation"


def test_an_address_ends_with_one_slash_and_a_wrong_one_stops_the_build():
    local, far = "http://127.0.0.1:8000", "https://user.github.io/repo/"
    for text, site in {"  ": "", local: f"{local}/", far: far}.items():
        assert publish.address({"PECODE_SITE": text}, "PECODE_SITE", end="/") == site
    for text in ("user.github.io/repo", "ftp://a/b", "https://", "https://a/?q=1"):
        with pytest.raises(ConfigError, match="PECODE_SITE: expected https://host/path, got"):
            publish.address({"PECODE_SITE": text}, "PECODE_SITE")


def test_a_mistake_is_reported_where_the_sources_are():
    for repository, form, field in (
        (REPOSITORY, f"{REPOSITORY}/issues/new", "title"),
        ("https://gitlab.com/a/b", "https://gitlab.com/a/b/-/issues/new", "issue[title]"),
    ):
        address, _, query = publish.mistake_address(repository, "chapters/a & b").partition("?")
        assert address == form
        assert parse_qs(query) == {field: [f"Mistake in chapters/a & b ({publish.VERSION})"]}


def test_binder_opens_a_repository_by_its_address():
    opened = "https://mybinder.org/v2/git/https%3A%2F%2Fgithub.com%2Fuser%2Frepo/HEAD?urlpath=lab"
    assert launch.binder(REPOSITORY, "chapters/02-counting.ipynb").startswith(opened)


def test_a_copy_names_its_author_and_those_of_whom_it_was_made():
    license, adapted = (ROOT / "LICENSE-text").read_text("utf8"), f"{FIRST}, CC BY 4.0"
    for author, adapted_from, said in (
        (f"The authors of {FIRST}", "", ""),
        ("Ada", adapted, f"Ada, adapted from {adapted}"),
    ):
        imprint = {"adapted_from": adapted_from}
        publish.keep_first_authors(author, imprint, license)
        assert publish.ownership(author, FIRST, imprint) == said
    with pytest.raises(ConfigError, match="the license asks you to name 'Positional"):
        publish.keep_first_authors("Ada", {}, license)


# A whole site, small and with another theme: with an address, and without one


@pytest.fixture(scope="module")
def with_address(tmp_path_factory):
    folder, places = tmp_path_factory.mktemp("site"), {"PECODE_SITE": SITE}
    return built(folder, **SITES["book"], **places, PECODE_REPOSITORY=REPOSITORY)[0]


def test_with_an_address_a_page_says_where_it_is_and_what_it_is_about(with_address):
    text = (with_address / "a/deep.html").read_text(encoding="utf8")
    for wanted in SITES["book_says"]:
        assert text.count(wanted.replace("SITE/", SITE)) == 1, wanted
    assert (with_address / "_static/social.png").exists()


def test_the_sitemap_has_the_pages_and_the_missing_one_finds_its_files(with_address):
    text = (with_address / "sitemap.xml").read_text(encoding="utf8")
    assert {*re.findall("<loc>(.*?)</loc>", text)} == {f"{SITE}a/deep.html", f"{SITE}intro.html"}
    text = (with_address / "404.html").read_text(encoding="utf8")
    assert '<meta name="robots" content="noindex">' in text
    links = re.findall(r'(?:href|src)="([^"#?]+)', text)
    assert {"/a/b/intro.html", "/a/b/_static/all.css"} <= set(links)
    assert [link for link in links if not link.startswith(("/a/b/", "https://"))] == []


def test_without_an_address_nothing_is_absolute(tmp_path):
    out, _ = built(tmp_path, **SITES["book"])
    for path in out.rglob("*.html"):
        text = path.read_text(encoding="utf8")
        for absolute in ("canonical", "og:image", "github", 'content="https:'):
            assert absolute not in text, path
    assert not (out / "sitemap.xml").exists()
    assert not (out / "_static/social.png").exists()


def test_the_foot_of_a_page_says_whose_it_is_and_leads_to_the_sources():
    templates = FileSystemLoader(ROOT / "publishing" / "website" / "templates")
    template = Environment(loader=templates).get_template("extra-footer.html")
    said = {"copyright": "2026", "author": "A. & B.", "book_version": "1.2.3",
            "book_date": "2026-01-31", "foot_links": {"Sources": REPOSITORY}}  # fmt: skip
    imprint = {"edition": 2, "publisher": "Press", "address": "", "adapted_from": "B."}
    imprint |= {"doi": "10.1234/a", "license": "CC0"}
    text = template.render(imprint=imprint, **said)
    assert "<p>© 2026 A. &amp; B. Press.</p>\n  <p>Adapted from B.</p>" in text
    assert "<p>Text: CC0. Code: MIT." in text
    assert '<p>Edition 2, version 1.2.3, <time datetime="2026-01-31">2026-01-31</time>.' in text
    assert re.findall('href="(.*?)"', text) == ["https://doi.org/10.1234/a", REPOSITORY]
    assert "<p>Version 1.2.3," in template.render(imprint={}, **said)
