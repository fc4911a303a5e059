"""What is stated in more than one place of a release, and the files for others."""

import datetime
import json
import os
import re
import tomllib
from pathlib import Path

import check_jsonschema
import pytest
import yaml
from click.testing import CliRunner
from PIL import Image

import pecode
from publishing.website import publish

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
SAY_THE_TITLE = (
    "README.md", "intro.md", "LICENSE-text", "pecode/__init__.py", "pecode/README.md",
    "tools/handout.md",
)  # fmt: skip


def test_version_and_date_are_the_same_wherever_they_are_stated():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    number, date = publish.newest_entry((ROOT / "CHANGELOG.md").read_text(encoding="utf8"))
    assert citation["version"] == PROJECT["version"] == pecode.__version__ == number
    assert citation["date-released"] == date
    assert datetime.date.fromisoformat(date)


def test_author_imprint_and_title_are_those_of_the_config_everywhere():
    def read(name):
        return yaml.safe_load((ROOT / name).read_text(encoding="utf8"))

    def names(work):
        return ", ".join(
            each.get("name") or f"{each['given-names']} {each['family-names']}"
            for each in work["authors"]
        )

    config, citation = read("_config.yml"), read("CITATION.cff")
    author, year, options = config["author"], config["copyright"], config["sphinx"]["config"]
    imprint, book = options["imprint"], citation["preferred-citation"]
    found = [
        ("pyproject.toml: authors", PROJECT["authors"], [{"name": author}]),
        ("_config.yml: logo", options["html_theme_options"]["logo"]["text"], config["title"]),
        ("CITATION.cff: edition", book["edition"], str(imprint["edition"])),
        ("CITATION.cff: year", str(book["year"]), year),
        (
            "CITATION.cff: publisher",
            book.get("publisher", {}).get("name", ""),
            imprint["publisher"],
        ),
    ]
    for work in (citation, book):
        found += [
            (f"CITATION.cff: authors of the {work['type']}", names(work), author),
            (f"CITATION.cff: title of the {work['type']}", work["title"], config["title"]),
            (f"CITATION.cff: doi of the {work['type']}", work.get("doi", ""), imprint["doi"]),
        ]
    for name in SAY_THE_TITLE:
        has_it = config["title"] in (ROOT / name).read_text(encoding="utf8")
        found.append((f"{name}: the title", config["title"] if has_it else "", config["title"]))
    for name in ("LICENSE", "LICENSE-text"):
        line = re.search(r"^.*\(c\).*$", (ROOT / name).read_text(encoding="utf8"), re.MULTILINE)
        found.append((name, line[0], f"Copyright (c) {year} {author}"))
    for name in ("LICENSE-text", "README.md"):
        has_it = imprint["license"] in (ROOT / name).read_text(encoding="utf8")
        found.append(
            (f"{name}: the license", imprint["license"] if has_it else "", imprint["license"])
        )
    for path in (ROOT / "publishing").rglob("*.html"):
        said = "CC BY" in path.read_text(encoding="utf8")
        found.append((f"{path.name}: a license of its own", said, False))
    wrong = [f"{where}: expected {wanted!r}, got {got!r}" for where, got, wanted in found
             if got != wanted]  # fmt: skip
    assert not wrong, "\n".join(wrong)


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
        ("github-actions", sorted(ROOT.glob(".github/actions/*/action.yml"))),
        ("dependabot", [".github/dependabot.yml"]),
    ],
)
def test_a_file_for_others_fits_its_schema(schema, names):
    command = ["--builtin-schema", f"vendor.{schema}", "--output-format", "json"]
    done = CliRunner().invoke(check_jsonschema.main, [*command, *(str(ROOT / n) for n in names)])
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


def test_the_oldest_python_is_tested_and_the_package_with_the_newest():
    def jobs(name):
        path = ROOT / ".github" / "workflows" / name
        return yaml.safe_load(path.read_text(encoding="utf8"))["jobs"]

    others = jobs("versions.yml")
    tested = [
        jobs("book.yml")["test"]["with"]["python-version"],
        *others["between"]["strategy"]["matrix"]["python-version"],
        others["newest"]["with"]["python-version"],
    ]
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert min(tested, key=lambda version: int(version.removeprefix("3."))) == oldest
    tried = jobs("release.yml")["try"]["strategy"]["matrix"]["python-version"]
    assert tried == [tested[0], tested[-1]]
