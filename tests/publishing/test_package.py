"""What a package index gets: the files, and the examples of its README."""

import inspect
import os
import re
import subprocess
import sys
import zipfile

import pytest

import pecheck
import pecode
from publishing.home import ROOT

README = (ROOT / "pecode" / "README.md").read_text(encoding="utf8")
EXAMPLES = re.findall(r"(?s)```python\n(.*?)```\n+```text\n(.*?)```", README)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "uv", "build", "--quiet", "--no-build-isolation"]
    subprocess.run([*command, "--out-dir", folder], cwd=ROOT, check=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_its_two_packages_and_needs_numpy_alone(wheel):
    with zipfile.ZipFile(wheel) as held:
        names = set(held.namelist())
        (described,) = (held.read(name).decode() for name in names if name.endswith("METADATA"))
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"pecode", "pecheck"}
    paths = [*(ROOT / "pecode").rglob("*"), *(ROOT / "pecheck").rglob("*")]
    paths = [path for path in paths if path.is_file() and path.suffix not in (".pyc", ".md")]
    wanted = {path.relative_to(ROOT).as_posix() for path in paths}
    assert {"pecode/py.typed", "pecheck/py.typed"} <= wanted
    assert wanted <= names
    assert re.findall(r"^Requires-Dist: (.*)$", described, flags=re.MULTILINE) == ["numpy>=1.26"]


@pytest.mark.parametrize(("code", "printed"), EXAMPLES, ids=["first", "second", "third"])
def test_an_example_of_its_readme_prints_what_stands_there(wheel, tmp_path, code, printed):
    with zipfile.ZipFile(wheel) as held:
        held.extractall(tmp_path)
    code += "\nimport pecode, sys\nprint(pecode.__file__, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": "."},
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == printed
    assert done.stderr.strip().startswith(str(tmp_path))


@pytest.mark.parametrize("module", [pecode, pecheck])
def test_public_functions_say_their_types(module):
    functions = [getattr(module, name) for name in module.__all__]
    for function in (each for each in functions if not isinstance(each, type)):
        named = {*inspect.signature(function).parameters, "return"}
        assert named == set(function.__annotations__), function.__name__
