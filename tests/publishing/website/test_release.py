"""What is stated in more than one place of a release, and the files for others."""

import datetime
import json
import os
import re
import tomllib

import check_jsonschema
import pytest
import yaml
from click.testing import CliRunner
from PIL import Image

import pecode
from publishing.home import ROOT
from publishing.website import publish
from tests import data

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]


def test_version_and_date_are_the_same_wherever_they_are_stated():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    number, date = publish.newest_entry()
    assert citation["version"] == PROJECT["version"] == pecode.__version__ == number
    assert citation["date-released"] == date
    assert datetime.date.fromisoformat(date)


def test_author_imprint_and_title_are_those_of_the_config_everywhere():
    def name_of(author):
        return author.get("name") or f"{author['given-names']} {author['family-names']}"

    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    title, author, year = config["title"], config["author"], config["copyright"]
    imprint = config["sphinx"]["config"]["imprint"]
    line, license = f"Copyright (c) {year} {author}", imprint["license"]
    wanted = {
        "LICENSE": [line],
        "LICENSE-text": [line, title, license],
        "README.md": [title, license],
        "_config.yml": [f"text: {title}"],  # beside the logo
        "pyproject.toml": [f'name = "{author}"'],
    }
    others = ("intro.md", "pecode/__init__.py", "pecode/README.md", "tools/handout.md")
    wanted |= {name: [title] for name in others}
    for name, all_words in wanted.items():
        text = (ROOT / name).read_text("utf8")
        assert [words for words in all_words if words not in text] == [], name
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf8"))
    book = citation["preferred-citation"]
    for work in (citation, book):
        authors = ", ".join(map(name_of, work["authors"]))
        found = authors, work["title"], work.get("doi", "")
        assert found == (author, title, imprint["doi"]), work["type"]
    publisher = book.get("publisher", {}).get("name", "")
    found = book["edition"], str(book["year"]), publisher
    assert found == (str(imprint["edition"]), year, imprint["publisher"])
    templates = (ROOT / "publishing").rglob("*.html")
    assert [path.name for path in templates if "CC BY" in path.read_text("utf8")] == []


# Files for others: they are held against the schemas of those who read them


@pytest.mark.parametrize(("schema", "pattern"), data("publishing/website/sites.yml")["schemas"])
def test_a_file_for_others_fits_its_schema(schema, pattern):
    command = ["--builtin-schema", f"vendor.{schema}", "--output-format", "json"]
    done = CliRunner().invoke(check_jsonschema.main, [*command, *map(str, ROOT.glob(pattern))])
    assert json.loads(done.stdout)["status"] == "ok", done.stdout


def test_the_picture_for_shared_links_is_as_the_services_ask():
    path = ROOT / "publishing" / "website" / "social.png"
    with Image.open(path) as image:
        assert image.size == (1200, 630)
    assert path.stat().st_size < 150_000


def test_binder_installs_the_pinned_set_and_the_package():
    folder = ROOT / ".binder"
    line = (folder / "requirements.txt").read_text().strip()
    assert (folder / line.removeprefix("-r ")).resolve() == ROOT / "requirements.txt"
    wanted = (folder / "runtime.txt").read_text().strip().removeprefix("python-")
    assert PROJECT["requires-python"] == f">={wanted}"
    assert os.access(folder / "postBuild", os.X_OK)  # else it is not run


def test_the_oldest_python_is_tested():
    oldest = PROJECT["requires-python"].removeprefix(">=")
    workflow = (ROOT / ".github" / "workflows" / "book.yml").read_text(encoding="utf8")
    assert f'python-version: "{oldest}"' in workflow


# What appendices/site.md says of the browser's memory is what the scripts do

PAGE = (ROOT / "appendices" / "site.md").read_text(encoding="utf8")
PATHS = [p for name in ("publishing", "exercises", "figures") for p in ROOT.glob(f"{name}/**/*")]
SCRIPTS = {path: path.read_text("utf8") for path in PATHS if path.suffix in (".js", ".html")}


def test_every_name_under_which_something_is_kept_is_listed_and_no_other():
    """Those of the theme are in the packages: tests/browser/test_site.py sees them."""
    names = set(re.findall(r'"(pecode-[\w-]+)"', "\n".join(SCRIPTS.values())))
    events = {"pecode-changed"}  # told to the other parts of a page, and kept nowhere
    assert names - events == set(re.findall(r"`(pecode-[\w-]+)`", PAGE))


def test_nothing_is_kept_in_another_way():
    others = r"document\.cookie|indexedDB|cookieStore|sendBeacon|storage\.getDirectory|caches\."
    assert [path.name for path, text in SCRIPTS.items() if re.search(others, text)] == []
    uses = {path.name for path, text in SCRIPTS.items() if "Storage.setItem" in text}
    assert uses == {"kept.js"}
