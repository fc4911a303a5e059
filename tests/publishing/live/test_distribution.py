"""Python for the browser: its packages, without a browser or a network."""

import hashlib
import json
import re

import pytest

from publishing.home import ROOT
from publishing.live import distribution
from publishing.live.distribution import COMPILED, HERE


def test_compiled_packages_are_refused_unless_they_are_the_published_ones(tmp_path, monkeypatch):
    wheels = {name: tmp_path / f"{name}-1.0-py3-none-any.whl" for name in COMPILED}
    for name, path in wheels.items():
        path.write_text(name)
    known = {name: {"sha256": hashlib.sha256(name.encode()).hexdigest()} for name in COMPILED}
    monkeypatch.setattr(distribution, "official", lambda: {"packages": known})
    assert distribution.compiled_from(tmp_path, True) == [*wheels.values()]
    wheels["numpy"].write_text("changed")
    with pytest.raises(ValueError, match=r"numpy-1\.0.*expected the file of .*got .*UNOFF"):
        distribution.compiled_from(tmp_path, True)
    assert distribution.compiled_from(tmp_path, False) == [*wheels.values()]
    wheels["numpy"].unlink()
    with pytest.raises(ValueError, match="got none of numpy"):
        distribution.compiled_from(tmp_path, False)


def test_what_is_brought_is_pinned_with_hashes_and_without_an_address():
    text = (HERE / "wheels.txt").read_text(encoding="utf8")
    entries = text.split("\n", 1)[1].replace("\\\n", "").strip().splitlines()
    assert [each for each in entries if not re.match(r"[\w.-]+==\S+ +--hash=sha256:", each)] == []
    lock = (HERE / "package-lock.json").read_text(encoding="utf8")
    assert "://" not in text
    assert "resolved" not in lock
    entries = json.loads(lock)["packages"].items()
    assert [name for name, entry in entries if name and "integrity" not in entry] == []


def test_the_cost_that_the_page_names_is_the_one_that_was_measured():
    script = (HERE / "page.js").read_text(encoding="utf8")
    text = (ROOT / "run.md").read_text(encoding="utf8")
    assert re.findall(r"(\d+) MB", text) == re.findall(r"const MEGABYTES = (\d+);", script)
