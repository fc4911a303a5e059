"""Python for the browser: its packages, without a browser or a network."""

import hashlib
import json
import re
import zipfile

import pytest
from pyodide_lock import PyodideLockSpec

from publishing.home import ROOT
from publishing.live import distribution
from publishing.live.distribution import COMPILED, HERE


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


def listed(*wheels, compiled=()):
    """List wheels beside the compiled packages of Pyodide's makers."""
    each = {"version": "2", "sha256": "0", "install_dir": "site"}
    official = PyodideLockSpec(
        info={"version": "314", "python": "3.14.2", "platform": "emscripten_5_0_3"},
        packages={name: {"name": name, "file_name": f"{name}.whl", **each} for name in COMPILED},
    )
    return distribution.listed(official, list(wheels), dict(compiled), "https://far/").packages


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_wheel_is_listed_with_its_hash_its_modules_and_its_needs(tmp_path):
    own = wheel(tmp_path, "small", ["numpy>=1", "pytz"], ["small", "more"])
    found = listed(own)
    assert found["small"].sha256 == sha256(own)
    assert found["small"].depends == ["numpy"]
    assert sorted(found["small"].imports) == ["more", "small"]
    assert found["numpy"].file_name == "https://far/numpy.whl"
    with pytest.raises(ValueError, match="other: expected nowhere among the wheels"):
        listed(wheel(tmp_path, "other", ["nowhere"]))


def test_a_compiled_wheel_beside_the_list_is_not_asked_for_elsewhere(tmp_path):
    binary = wheel(tmp_path, "numpy")
    found = listed(wheel(tmp_path, "small"), compiled={"numpy": binary})["numpy"]
    assert (found.file_name, found.version) == (binary.name, "1.0")
    assert found.sha256 == sha256(binary)


def test_compiled_packages_are_refused_unless_they_are_the_published_ones(tmp_path):
    wheels = {name: wheel(tmp_path, name) for name in COMPILED}
    hashes = {name: sha256(path) for name, path in wheels.items()}
    assert distribution.compiled_from(tmp_path, hashes) == wheels
    wheel(tmp_path, "numpy", ["changed"])
    with pytest.raises(ValueError, match=r"numpy-1\.0.*expected the file of .*got .*UNOFF"):
        distribution.compiled_from(tmp_path, hashes)
    assert distribution.compiled_from(tmp_path, {}) == wheels
    wheels["numpy"].unlink()
    with pytest.raises(ValueError, match="got none of numpy"):
        distribution.compiled_from(tmp_path, {})


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
