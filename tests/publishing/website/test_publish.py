"""What the pages say of themselves, under which address, and which version of the book they are."""

import filecmp
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import jinja2
import pytest
from docutils import nodes
from sphinx.errors import ConfigError

from publishing.website import publish

ROOT = Path(__file__).parents[3]
SITE = "https://user.github.io/a/b/"
REPOSITORY = "https://github.com/user/repo"
INTRODUCTION = "What stands at the top of a page is said of it, and not its first words."


# Addresses


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("", ""),
        ("  ", ""),
        ("https://user.github.io/repo", "https://user.github.io/repo/"),
        ("https://user.github.io/repo/", "https://user.github.io/repo/"),
        ("https://example.org", "https://example.org/"),
        ("http://127.0.0.1:8000/a b", "http://127.0.0.1:8000/a%20b/"),
    ],
)
def test_the_address_of_the_site_ends_with_a_slash(text, address):
    assert publish.site_address(text) == address
    assert publish.site_address(address) == address


@pytest.mark.parametrize("text", ["user.github.io/repo", "ftp://a/b", "https://", "https://a/?q=1"])
def test_what_is_no_address_of_a_site_is_refused(text):
    with pytest.raises(ValueError, match=r"PECODE_SITE: expected https://host/path/, got"):
        publish.site_address(text)


def test_a_wrong_setting_stops_the_build_and_does_not_publish_half_a_site():
    with pytest.raises(ConfigError, match="PECODE_SITE"):
        publish.settings(ROOT, {"PECODE_SITE": "user.github.io"})


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/user/repo",
        "https://github.com/user/repo.git",
        "https://name:secret@github.com/user/repo.git/",
        "git@github.com:user/repo.git",
        "ssh://git@github.com:22/user/repo.git",
    ],
)
def test_every_form_of_a_remote_is_the_same_repository(remote):
    assert publish.repository_address(remote) == REPOSITORY
    assert publish.known_forge(remote) == REPOSITORY


@pytest.mark.parametrize(
    "remote", ["", "/srv/book.git", "../book", "file:///srv/user/book.git", "me@host:user/book.git"]
)
def test_a_remote_that_has_no_page_is_not_linked(remote):
    assert publish.known_forge(remote) == ""


def test_a_repository_that_is_named_wrongly_is_refused_without_its_password():
    with pytest.raises(ValueError, match="PECODE_REPOSITORY") as error:
        publish.repository_address("ftp://name:secret@host/user/repo")
    assert "secret" not in str(error.value)


def test_a_repository_that_readers_cannot_reach_is_not_linked():
    assert publish.repository(ROOT, " none ") == ""
    assert publish.repository(ROOT, REPOSITORY) == REPOSITORY


def test_a_repository_that_is_named_may_be_anywhere():
    assert publish.repository_address("https://git.example.org:8443/a/b.git") == (
        "https://git.example.org:8443/a/b"
    )


def test_a_file_is_read_at_the_page_of_its_host():
    assert publish.source_address(REPOSITORY, "A.md") == f"{REPOSITORY}/blob/HEAD/A.md"
    assert publish.source_address("https://gitlab.com/a/b", "A.md").endswith("/b/-/blob/HEAD/A.md")
    assert publish.source_address("", "A.md") is None


@pytest.mark.parametrize(
    ("repository", "form", "field"),
    [
        (REPOSITORY, f"{REPOSITORY}/issues/new", "title"),
        ("https://gitlab.com/a/b", "https://gitlab.com/a/b/-/issues/new", "issue[title]"),
    ],
)
def test_a_mistake_is_reported_where_the_sources_are_with_page_and_version(repository, form, field):
    address = publish.mistake_address(repository, "chapters/a & b", "1.2.3")
    parts = urlsplit(address)
    assert address.partition("?")[0] == form
    assert parse_qs(parts.query) == {field: ["Mistake in chapters/a & b (1.2.3)"]}


def test_every_page_hands_its_own_form_to_the_footer():
    app = SimpleNamespace(
        config=SimpleNamespace(**publish.settings(ROOT, {}), root_doc="intro"),
        env=SimpleNamespace(found_docs={publish.ABOUT}),
    )
    app.config.pecode_repository, app.config.pecode_pdf = REPOSITORY, False
    app.config.author, app.config.imprint = "A. B.", {}
    context = {"pathto": "to {}".format}
    publish.add_words(app, "search", "search.html", context, None)
    assert context["mistake"].startswith(f"{REPOSITORY}/issues/new?title=Mistake+in+search+")
    assert context["about"] == f"to {publish.ABOUT}"


def test_without_a_repository_there_is_no_place_to_report_a_mistake():
    assert publish.mistake_address("", "intro", "1.2.3") is None


# Descriptions


def page(*paragraphs):
    document = nodes.section()
    document += nodes.title("", "Title")
    document += [
        each if not isinstance(each, str) else nodes.paragraph("", each) for each in paragraphs
    ]
    return nodes.container("", document)


def test_a_description_is_the_question_of_the_chapter():
    question = "What does a Transformer lose when nobody tells it the positions?"
    assert publish.first_sentences(page(question, "The answer is long.")) == question


def test_a_short_question_is_followed_by_the_next_sentences():
    text = publish.first_sentences(
        page("Why not?", "Because of this, which is long enough to say.", "No.")
    )
    assert text == "Why not? Because of this, which is long enough to say."


def test_a_description_ends_with_a_sentence_and_before_a_formula():
    first, second = "A first sentence that is long enough to stand alone here.", "More of it." * 20
    assert publish.first_sentences(page(f"{first} {second}")) == first
    with_formula = nodes.paragraph("", f"{first} Here is ")
    with_formula += nodes.math("", r"\frac{1}{2}")
    assert publish.first_sentences(page(with_formula)) == first
    assert with_formula.next_node(nodes.math) is not None  # the page keeps it


def test_a_page_without_text_has_no_description():
    assert publish.first_sentences(page()) == ""
    assert publish.description("new", None) == ""


# A whole site, small and with another theme: with an address, and without one


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    extensions = ["myst_parser", "sphinx_external_toc", "publishing.website.publish"]
    files = {
        "conf.py": f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        f"extensions = {extensions}\nhtml_title = 'Book'\nhtml_theme = 'basic'\n",
        "_toc.yml": "format: jb-book\nroot: intro\n"
        "parts:\n  - caption: One & only\n    chapters:\n      - file: a/deep\n",
        "intro.md": f"---\nmyst: {{html_meta: {{description: '{INTRODUCTION}'}}}}\n---\n# Book\n",
        "a/deep.md": '# "Deep" & more\n\nIs this question, which asks if 1 < 2, a "long" one?\n',
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf8")

    def run(out="html", **environment):
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "."]
        clean = {name: text for name, text in os.environ.items() if not name.startswith("PECODE_")}
        done = subprocess.run(
            [*command, out, "-d", f"{out}.doctrees"],
            cwd=folder,
            env=clean | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return folder / out

    return run


@pytest.fixture(scope="module")
def with_address(build):
    return build("addressed", PECODE_SITE=SITE, PECODE_REPOSITORY=REPOSITORY)


@pytest.fixture(scope="module")
def without_address(build):
    return build("plain")


def test_with_an_address_a_page_says_where_it_is(with_address):
    text = (with_address / "a/deep.html").read_text(encoding="utf8")
    assert text.count(f'<link rel="canonical" href="{SITE}a/deep.html" />') == 1
    assert f'<meta property="og:url" content="{SITE}a/deep.html">' in text
    assert f'<meta property="og:image" content="{SITE}_static/social.png">' in text
    assert '<meta property="og:title" content="“Deep” &amp; more">' in text
    assert '<meta property="og:type" content="article">' in text
    said = "Is this question, which asks if 1 &lt; 2, a “long” one?"
    assert text.count(f'<meta name="description" content="{said}">') == 1
    assert f'<meta property="og:description" content="{said}">' in text
    assert filecmp.cmp(
        with_address / "_static/social.png", ROOT / "publishing/website/social.png", shallow=False
    )


def test_without_an_address_nothing_is_absolute_and_nothing_is_left_over(
    build, with_address, without_address
):
    later = with_address.with_name("later")
    for kept in ("", ".doctrees"):
        shutil.copytree(f"{with_address}{kept}", f"{later}{kept}")
    assert (later / "robots.txt").exists()
    build("later")  # the address is gone; no source has changed
    for out in (without_address, later):
        pages = {path: path.read_text(encoding="utf8") for path in out.rglob("*.html")}
        assert len(pages) > 4
        for text in pages.values():
            assert "canonical" not in text
            assert "og:image" not in text
            assert "github.io" not in text
            assert 'content="https:' not in text
        for name in ("robots.txt", "sitemap.xml", "_static/social.png"):
            assert not (out / name).exists()


def test_the_same_sources_give_the_same_pages(build, with_address):
    again = build("again", PECODE_SITE=SITE, PECODE_REPOSITORY=REPOSITORY)
    names = sorted(path.relative_to(again) for path in again.rglob("*.html"))
    assert filecmp.cmpfiles(again, with_address, names, shallow=False)[1:] == ([], [])


def test_the_sitemap_has_the_pages_of_the_book_and_no_others(with_address):
    tree = ElementTree.parse(with_address / "sitemap.xml")
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    found = [place.text for place in tree.iter(f"{space}loc")]
    assert found == [f"{SITE}a/deep.html", f"{SITE}intro.html"]


def test_robots_are_told_the_sitemap_and_readers_that_robots_do_not_look_below_a_root(
    build, with_address
):
    root = "https://example.org/"
    at_root = build("root", PECODE_SITE=root)
    for out, site, start in [(with_address, SITE, "#"), (at_root, root, "User-agent")]:
        text = (out / "robots.txt").read_text(encoding="utf8")
        assert text.endswith(f"User-agent: *\nAllow: /\nSitemap: {site}sitemap.xml")
        assert text.startswith(start)


def test_the_first_page_is_reached_and_shown_from_the_root(with_address):
    text = (with_address / "index.html").read_text(encoding="utf8")
    assert 'http-equiv="Refresh" content="0; url=intro.html"' in text[:200]
    assert text.count(f'<link rel="canonical" href="{SITE}intro.html">') == 1
    assert f'<meta name="description" content="{INTRODUCTION}">' in text
    assert '<meta property="og:type" content="website">' in text
    assert '<meta property="og:title" content="Book">' in text


def test_pages_for_finding_pages_are_not_found_themselves(with_address):
    for name in ("404", "search"):
        text = (with_address / f"{name}.html").read_text(encoding="utf8")
        assert '<meta name="robots" content="noindex">' in text
    assert "noindex" not in (with_address / "intro.html").read_text(encoding="utf8")
    assert "canonical" not in (with_address / "404.html").read_text(encoding="utf8")


def addresses(html):
    return re.findall(r'(?:href|src|action|data-content_root)="([^"]*)"', html)


def test_every_link_of_the_missing_page_starts_at_the_root_of_the_host(with_address):
    html = (with_address / "404.html").read_text(encoding="utf8")
    found = addresses(html)
    assert '<base href="/a/b/404.html">' in html
    assert html.index("<base") < html.index("href=", html.index("<base") + len("<base href="))
    assert {"intro.html", "a/deep.html", "search.html", "./"} <= set(found)
    assert "../" not in "".join(found)
    assert "One &amp; only" in html
    assert "objects.inv" not in html


def test_without_an_address_the_missing_page_finds_the_root_itself(without_address):
    html = (without_address / "404.html").read_text(encoding="utf8")
    assert html.count('fetch(folder + "objects.inv"') == 1
    assert "<base" not in html
    assert [each for each in addresses(html) if each.startswith("/")] == []


def test_a_page_that_says_too_little_of_itself_is_a_warning(tmp_path):
    conf = "html_theme = 'basic'\nextensions = ['publishing.website.publish']\n"
    (tmp_path / "conf.py").write_text(f"import sys\nsys.path += [{str(ROOT)!r}]\n{conf}")
    (tmp_path / "other.rst").write_text("Title\n=====\n\nShort.\n")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "singlehtml", "-D", "root_doc=other"]
    done = subprocess.run(
        [*command, ".", "o"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "other: a description has 50 to 160 characters, and this has 6: 'Short.'" in done.stderr


# Version and date


@pytest.mark.parametrize("repository", ["", REPOSITORY])
@pytest.mark.parametrize("pdf", ["", "../book.pdf"])
@pytest.mark.parametrize("about", ["", "../appendices/site.html"])
@pytest.mark.parametrize("imprint", [{}, {"edition": 2, "publisher": "Press", "doi": "10.1234/a"}])
def test_the_footer_says_whose_it_is_and_links_to_what_is_there(repository, pdf, about, imprint):
    changes = publish.source_address(repository, "CHANGELOG.md")
    loader = jinja2.FileSystemLoader(ROOT / "publishing" / "website" / "templates")
    footer = jinja2.Environment(loader=loader).get_template("extra-footer.html")
    text = footer.render(
        theme_extra_footer="<p>Free.</p>",
        book_version="1.2.3",
        book_date="2026-01-31",
        copyright="2026",
        author="A. & B.",
        imprint=imprint,
        repository=repository,
        changes=changes,
        mistake=publish.mistake_address(repository, "intro", "1.2.3"),
        pdf=pdf,
        about=about,
    )
    assert "<p>Free.</p>" in text
    number = "Edition 2, version 1.2.3" if imprint else "Version 1.2.3"
    assert f'<p>{number}, <time datetime="2026-01-31">2026-01-31</time>.' in text
    assert f"<p>© 2026 A. &amp; B.{' Press.' if imprint else ''}</p>" in text
    form = f"{repository}/issues/new?title=Mistake+in+intro+%281.2.3%29"
    wanted = [repository, f"{repository}/blob/HEAD/CHANGELOG.md", form] if repository else []
    wanted = [*([about] if about else []), *wanted, *([pdf] if pdf else [])]
    assert addresses(text) == ["https://doi.org/10.1234/a"] * bool(imprint) + wanted
    assert text.count(" · ") == max(len(wanted) - 1, 0)


def test_a_doi_that_is_none_stops_the_build():
    config = SimpleNamespace(
        templates_path=[], pecode_site="", imprint={"doi": "https://doi.org/1"}
    )
    with pytest.raises(ConfigError, match=r"imprint, doi: expected 10\."):
        publish.look_around(SimpleNamespace(outdir="."), config)


def git(folder, *arguments):
    identity = {"GIT_COMMITTER_DATE": "2001-02-03T04:05:06+0000", "GIT_AUTHOR_NAME": "a"}
    identity |= {"GIT_AUTHOR_EMAIL": "a", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a"}
    subprocess.run(["git", *arguments], cwd=folder, env=os.environ | identity, check=True)


def test_the_date_is_that_of_the_last_commit_or_of_the_newest_entry(tmp_path):
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## [0.1.0] - 2026-01-31\n")
    assert publish.last_change(tmp_path) == "2026-01-31"
    git(tmp_path, "init", "-q")
    assert publish.last_change(tmp_path) == "2026-01-31"  # nothing is committed yet
    assert publish.dates_of_files(tmp_path) == {}
    git(tmp_path, "add", "CHANGELOG.md")
    git(tmp_path, "commit", "-qm", "a")
    assert publish.last_change(tmp_path) == "2001-02-03"
    assert publish.dates_of_files(tmp_path) == {"CHANGELOG.md": "2001-02-03"}
    inside = tmp_path / "copy"  # a copy of the book inside another repository
    inside.mkdir()
    (inside / "CHANGELOG.md").write_text("## [0.1.0] - 2026-01-31\n")
    assert publish.last_change(inside) == "2026-01-31"
