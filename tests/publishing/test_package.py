"""What a package index gets: its files, its bytes, and the examples of its README."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest

import pecode
from pecode import diagnose
from publishing import package

EXAMPLES = re.findall(
    r"```python\n(.*?)```\n+```text\n(.*?)```",
    (package.ROOT / "pecode" / "README.md").read_text(encoding="utf8"),
    flags=re.DOTALL,
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return package.build(tmp_path_factory.mktemp("a") / "dist", seconds=10**9)


def test_wheel_and_archive_hold_the_module_and_nothing_else_of_the_book(built):
    wheel, archive = built
    with zipfile.ZipFile(wheel) as held:
        names = set(held.namelist())
        described = next(name for name in names if name.endswith("METADATA"))
        text = held.read(described).decode()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"pecode"}
    wanted = {path.relative_to(package.ROOT).as_posix()
              for path in (package.ROOT / "pecode").rglob("*")
              if path.is_file() and path.suffix not in (".pyc", ".md")}  # fmt: skip
    assert "pecode/py.typed" in wanted
    assert {name for name in names if name.startswith("pecode/")} - {"pecode/README.md"} == wanted
    with tarfile.open(archive) as held:
        inside = {name.partition("/")[2] for name in held.getnames()}
    assert wanted <= inside
    rest = {name.split("/")[0] for name in inside - wanted}
    assert rest <= {
        "pecode",
        "pecode.egg-info",
        "pyproject.toml",
        "LICENSE",
        "PKG-INFO",
        "setup.cfg",
    }
    assert re.findall(r"^Requires-Dist: (.*)$", text, flags=re.MULTILINE) == ["numpy>=1.26"]


def test_two_builds_have_the_same_bytes_whoever_builds(built, tmp_path):
    before = os.umask(0o077)
    try:
        again = package.build(tmp_path / "dist", seconds=10**9)
    finally:
        os.umask(before)
    for first, second in zip(built, again, strict=True):
        assert (first.name, first.read_bytes()) == (second.name, second.read_bytes())
    with tarfile.open(again[1]) as held:
        assert {entry.mtime for entry in held} == {10**9}


@pytest.mark.parametrize(("code", "printed"), EXAMPLES)
def test_an_example_of_its_readme_prints_what_stands_there(built, tmp_path, code, printed):
    with zipfile.ZipFile(built[0]) as held:
        held.extractall(tmp_path)
    code += "\nimport pecode, sys\nprint(pecode.__file__, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": "."},
                          cwd=tmp_path, capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout == printed
    assert done.stderr.strip().startswith(str(tmp_path))


def test_there_are_three_examples():
    assert len(EXAMPLES) == 3


@pytest.mark.parametrize("module", [pecode, diagnose])
def test_public_functions_say_their_types(module):
    functions = [getattr(module, name) for name in module.__all__]
    functions = [each for each in functions if not isinstance(each, type)]
    for function in functions:
        code = (
            function.__wrapped__.__code__ if hasattr(function, "__wrapped__") else function.__code__
        )
        arguments = code.co_varnames[: code.co_argcount]
        assert {*arguments, "return"} == set(function.__annotations__), function.__name__
