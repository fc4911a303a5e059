"""Python for the browser: its packages, without a browser or a network."""

import hashlib
import json
import re
import zipfile
from pathlib import Path

import pytest
from pyodide_lock import PyodideLockSpec

from publishing.live import distribution

ROOT = Path(__file__).parents[3]


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
    own = wheel(tmp_path, "small", ["numpy>=1", "pytz"], ["small", "more"])
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


def test_a_folder_without_a_compiled_package_is_refused(tmp_path):
    for name in distribution.COMPILED[1:]:
        wheel(tmp_path, name)
    with pytest.raises(ValueError, match=f"got none of {distribution.COMPILED[0]}"):
        distribution.compiled_from(tmp_path, {})


def test_a_compiled_package_that_is_not_the_published_one_is_refused(tmp_path):
    wheels = {name: wheel(tmp_path, name) for name in distribution.COMPILED}
    hashes = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in wheels.items()}
    assert distribution.compiled_from(tmp_path, hashes) == wheels
    wheel(tmp_path, "numpy", ["changed"])
    with pytest.raises(ValueError, match=r"numpy-1\.0.*expected the file of .*got .*UNOFF"):
        distribution.compiled_from(tmp_path, hashes)
    assert distribution.compiled_from(tmp_path, {}) == wheels


def test_the_pure_wheels_are_pinned_with_hashes_and_without_an_address():
    text = (distribution.HERE / "wheels.txt").read_text(encoding="utf8")
    entries = text.split("\n", 1)[1].replace("\\\n", "").strip().splitlines()
    assert len(entries) == 8
    for entry in entries:
        assert "==" in entry
        assert "--hash=sha256:" in entry
        assert "://" not in entry
    lock = (distribution.HERE / "package-lock.json").read_text(encoding="utf8")
    assert "resolved" not in lock
    entries = json.loads(lock)["packages"].items()
    assert [name for name, entry in entries if name and "integrity" not in entry] == []


def test_the_cost_that_the_page_names_is_the_one_that_was_measured():
    script = (distribution.HERE / "page.js").read_text(encoding="utf8")
    text = (ROOT / "run.md").read_text(encoding="utf8")
    assert re.findall(r"(\d+) MB", text) == re.findall(r"const MEGABYTES = (\d+);", script)
