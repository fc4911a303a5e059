"""What is stated in more than one place of a release, and the files for others."""

import datetime
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import publish
import pytest
import yaml
from PIL import Image

ROOT = Path(__file__).parents[2]


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


def test_the_picture_for_shared_links_is_as_the_services_ask():
    path = ROOT / "site" / "social.png"
    with Image.open(path) as image:
        assert image.size == (1200, 630)
    assert path.stat().st_size < 150_000


def test_binder_installs_the_pinned_set_and_the_package():
    folder = ROOT / ".binder"
    line = (folder / "requirements.txt").read_text().strip()
    assert (folder / line.removeprefix("-r ")).resolve() == ROOT / "requirements.txt"
    wanted = (folder / "runtime.txt").read_text().strip().removeprefix("python-")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    assert project["requires-python"] == f">={wanted}"
    assert os.access(folder / "postBuild", os.X_OK)  # else it is not run
