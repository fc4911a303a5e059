"""What the pages say of themselves, under which address, and which version of the book they are."""

import datetime
import doctest
import filecmp
import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml
from docutils import nodes
from PIL import Image
from sphinx.errors import ConfigError

ROOT = Path(__file__).parents[1]
SITE = "https://user.github.io/a/b/"
REPOSITORY = "https://github.com/user/repo"


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


publish = load(ROOT / "site" / "publish.py")
sys.modules["publish"] = publish  # site/live.py finds it beside itself
live = load(ROOT / "site" / "live.py")


def test_the_examples_of_the_extension_run():
    result = doctest.testmod(publish)
    assert result.attempted > 5
    assert result.failed == 0


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
    no_buttons = publish.binder("", "chapters/01.ipynb"), publish.colab("", "chapters/01.ipynb")
    assert no_buttons == (None, None)


def test_a_repository_that_is_named_may_be_anywhere():
    assert publish.repository_address("https://git.example.org:8443/a/b.git") == (
        "https://git.example.org:8443/a/b"
    )


def test_binder_knows_github_and_gitlab_and_nothing_else():
    path = "chapters/02-counting.ipynb"
    at_gitlab = publish.binder("https://gitlab.com/group/sub/repo", path)
    assert at_gitlab.startswith("https://mybinder.org/v2/gl/group%2Fsub%2Frepo/HEAD?urlpath=lab")
    assert publish.binder(REPOSITORY, path).startswith("https://mybinder.org/v2/gh/user/repo/HEAD")
    for other in ("", "https://git.example.org/user/repo", "https://gitlab.example.org/user/repo"):
        assert publish.binder(other, path) is None


@pytest.mark.parametrize("said", ["", " ", "yes"])
def test_colab_is_offered_where_its_copies_are_said_to_be_there(said):
    chosen = publish.settings(ROOT, {"PECODE_REPOSITORY": REPOSITORY, "PECODE_COLAB": said})
    context = {"pathto": str, "header_buttons": []}
    config = SimpleNamespace(live_notebooks=False, **chosen)
    live.add_buttons(SimpleNamespace(config=config), "chapters/02-counting", "", context, None)
    (group,) = context["header_buttons"]
    labels = [button["label"] for button in group["buttons"]]
    assert labels == ["launch-binder", *(["launch-colab"] if said == "yes" else [])]


def test_colab_knows_github_and_nothing_else():
    path = "chapters/02-counting.ipynb"
    assert publish.colab(REPOSITORY, path, branch="dev").endswith(f"/user/repo/blob/dev/{path}")
    for other in ("", "https://gitlab.com/user/repo"):
        assert publish.colab(other, path) is None


def test_a_file_is_read_at_the_page_of_its_host():
    assert publish.source_address(REPOSITORY, "A.md") == f"{REPOSITORY}/blob/HEAD/A.md"
    assert publish.source_address("https://gitlab.com/a/b", "A.md").endswith("/b/-/blob/HEAD/A.md")
    assert publish.source_address("", "A.md") is None


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
    assert publish.described(page(question, "The answer is long.")) == question


def test_a_short_question_is_followed_by_the_next_sentences():
    text = publish.described(
        page("Why not?", "Because of this, which is long enough to say.", "No.")
    )
    assert text == "Why not? Because of this, which is long enough to say."


def test_a_description_ends_with_a_sentence_and_before_a_formula():
    first, second = "A first sentence that is long enough to stand alone here.", "More of it." * 20
    assert publish.described(page(f"{first} {second}")) == first
    with_formula = nodes.paragraph("", f"{first} Here is ")
    with_formula += nodes.math("", r"\frac{1}{2}")
    assert publish.described(page(with_formula)) == first
    assert with_formula.next_node(nodes.math) is not None  # the page keeps it


def test_a_page_without_text_has_no_description():
    assert publish.described(page()) == ""
    assert publish.description("new", None) == ""


@pytest.mark.parametrize("name", publish.DESCRIPTIONS)
def test_a_description_that_is_written_by_hand_has_the_right_length(name):
    assert publish.SHORTEST <= len(publish.DESCRIPTIONS[name]) <= publish.LONGEST


def test_every_description_by_hand_is_for_a_page_that_exists():
    own = {"genindex", "search", "404", "_modules/index"}
    for name in publish.DESCRIPTIONS.keys() - own:
        assert (ROOT / f"{name}.md").exists() or (ROOT / f"{name}.ipynb").exists(), name


# A whole site, small and with another theme: with an address, and without one


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    extensions = ["myst_parser", "sphinx_external_toc", "publish"]
    files = {
        "conf.py": f"import sys\nsys.path.insert(0, {str(ROOT / 'site')!r})\n"
        f"extensions = {extensions}\nhtml_title = 'Book'\nhtml_theme = 'basic'\n",
        "_toc.yml": "format: jb-book\nroot: intro\n"
        "parts:\n  - caption: One & only\n    chapters:\n      - file: a/deep\n",
        "intro.md": "# Book\n\nWords.\n",
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
    assert text.count(f'<link rel="canonical" href="{SITE}a/deep.html">') == 1
    assert f'<meta property="og:url" content="{SITE}a/deep.html">' in text
    assert f'<meta property="og:image" content="{SITE}_static/social.png">' in text
    assert '<meta property="og:title" content="“Deep” &amp; more">' in text
    assert '<meta property="og:type" content="article">' in text
    said = "Is this question, which asks if 1 &lt; 2, a “long” one?"
    assert text.count(f'<meta name="description" content="{said}">') == 1
    assert f'<meta property="og:description" content="{said}">' in text
    assert filecmp.cmp(with_address / "_static/social.png", ROOT / "site/social.png", shallow=False)


def test_without_an_address_nothing_is_absolute_and_nothing_is_left_over(build, without_address):
    later = build("later", PECODE_SITE=SITE)
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


def test_the_sitemap_says_when_a_page_changed_where_that_is_known():
    tree = ElementTree.fromstring(publish.sitemap(SITE, {"a&b": "2026-01-31", "c": ""}).encode())
    assert [[part.text for part in entry] for entry in tree] == [
        [f"{SITE}a%26b.html", "2026-01-31"],
        [f"{SITE}c.html"],
    ]


def test_robots_are_told_the_sitemap_and_readers_that_robots_do_not_look_below_a_root():
    for site, is_below in [(SITE, True), ("https://example.org/", False)]:
        text = publish.robots(site)
        assert f"\nSitemap: {site}sitemap.xml\n" in text
        assert text.startswith("#") is is_below


def test_the_first_page_is_reached_and_shown_from_the_root(with_address):
    text = (with_address / "index.html").read_text(encoding="utf8")
    assert 'http-equiv="Refresh" content="0; url=intro.html"' in text[:200]
    assert f'href="{SITE}intro.html"' in text
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
    assert {"/a/b/intro.html", "/a/b/a/deep.html", "/a/b/search.html", "/a/b/"} <= set(found)
    assert [
        each for each in found if each and not each.startswith(("/a/b/", "#", "https://"))
    ] == []
    assert publish.rooted(html, SITE) == html
    assert "One &amp; only" in html


def test_without_an_address_the_missing_page_finds_the_root_itself(without_address):
    html = (without_address / "404.html").read_text(encoding="utf8")
    assert html.count(publish.FIND_ROOT) == 1
    assert publish.rooted(html, "") == html
    assert [each for each in addresses(html) if each.startswith("/")] == []


def test_links_elsewhere_and_on_the_page_are_left_alone():
    html = '<a href="#x"><a href="https://a/b"><a href="mailto:a@b"><img src="data:image/png,">'
    assert publish.rooted(html, SITE) == html


def test_a_page_that_says_too_little_of_itself_is_a_warning(tmp_path):
    conf = "html_theme = 'basic'\nextensions = ['publish']\n"
    (tmp_path / "conf.py").write_text(f"import sys\nsys.path += [{str(ROOT / 'site')!r}]\n{conf}")
    (tmp_path / "other.rst").write_text("Title\n=====\n\nShort.\n")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-b",
            "singlehtml",
            "-D",
            "root_doc=other",
            ".",
            "o",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "other: a description has 50 to 160 characters, and this has 6: 'Short.'" in done.stderr


# Version and date


def test_the_footer_says_version_and_date_and_links_to_what_is_there(with_address):
    assert publish.footer("1.2.3", "2026-01-31") == (
        '<p>Version 1.2.3, <time datetime="2026-01-31">2026-01-31</time>.</p>'
    )
    text = publish.footer("1.2.3", "2026-01-31", REPOSITORY, "../book.pdf")
    assert addresses(text) == [REPOSITORY, f"{REPOSITORY}/blob/HEAD/CHANGELOG.md", "../book.pdf"]


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


def test_version_and_date_are_the_same_wherever_they_are_stated():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    number, date = publish.newest_entry((ROOT / "CHANGELOG.md").read_text(encoding="utf8"))
    assert citation["version"] == project["version"] == number
    assert citation["date-released"] == date
    assert datetime.date.fromisoformat(date)


def test_the_entries_of_the_changelog_go_back_in_time():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf8")
    entries = re.findall(r"^## \[([\d.]+)\] - (\S+)$", text, re.MULTILINE)
    assert len(entries) == len(re.findall(r"^## \[\d", text, re.MULTILINE)) > 0
    keys = [(date, [*map(int, number.split("."))]) for number, date in entries]
    assert keys == sorted(keys, reverse=True)


# Files for others: they are held against the schemas of those who read them


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        ("citation-file-format", ["CITATION.cff"]),
        ("github-workflows", sorted(ROOT.glob(".github/workflows/*.yml"))),
        ("dependabot", [".github/dependabot.yml"]),
    ],
)
def test_a_file_for_others_fits_its_schema(schema, names):
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    done = subprocess.run(
        [*check, "--output-format", "json", *names], cwd=ROOT, capture_output=True, check=False
    )
    assert json.loads(done.stdout)["status"] == "ok", done.stdout.decode()


def test_a_wrong_citation_would_be_seen(tmp_path):
    text = (ROOT / "CITATION.cff").read_text(encoding="utf8")
    (tmp_path / "CITATION.cff").write_text(text.replace("type: software", "type: novel"))
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    done = subprocess.run(
        [*check, "vendor.citation-file-format", str(tmp_path / "CITATION.cff")],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1


def test_the_picture_for_shared_links_is_what_the_program_draws():
    drawn = load(ROOT / "tools" / "social.py").draw()
    path = ROOT / "site" / "social.png"
    with Image.open(path) as image:
        stored = np.asarray(image.convert("RGB"))
    assert stored.shape == drawn.shape == (630, 1200, 3)
    assert path.stat().st_size < 150_000
    # few colors are stored, and edges are smoothed a little differently on other processors
    assert np.abs(stored.astype(int) - drawn).mean() < 1.0


def test_binder_installs_the_pinned_set_and_the_package():
    folder = ROOT / ".binder"
    line = (folder / "requirements.txt").read_text().strip()
    assert (folder / line.removeprefix("-r ")).resolve() == ROOT / "requirements.txt"
    wanted = (folder / "runtime.txt").read_text().strip().removeprefix("python-")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    assert project["requires-python"] == f">={wanted}"
    assert os.access(folder / "postBuild", os.X_OK)  # else it is not run
