"""`python -m pecheck`: what it prints, and what its exit status says."""

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import pecode
from pecheck import config, identify
from pecheck.__main__ import main
from pecheck.variants import VARIANTS
from pecode import sinusoidal_table
from tests.pecheck import LLAMA, YARN


@pytest.fixture
def written(tmp_path):
    def write(settings):
        (tmp_path / "config.json").write_text(json.dumps(settings))
        return str(tmp_path / "config.json")

    return write


@pytest.mark.parametrize(
    ("change", "status"),
    [({}, 0), ({"rope_scaling": YARN}, 1), ({"model_type": "new", "rope_scaling": YARN}, 3)],
)
def test_the_status_says_whether_a_config_has_warnings(written, change, status, capsys):
    path = written({**LLAMA, **change})
    assert main(["config", path]) == status
    assert capsys.readouterr().out == f"{config(Path(path))}\n"
    assert main(["config", path, "--json", "--length", "4096"]) == status
    assert json.loads(capsys.readouterr().out) == json.loads(config(path, 4096).json())


def test_the_help_says_what_an_exit_status_means(capsys):
    with pytest.raises(SystemExit):
        main(["config", "--help"])
    assert "3: part of a config had to be guessed" in " ".join(capsys.readouterr().out.split())


def test_the_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"pecheck {pecode.__version__}\n"


def test_a_config_comes_from_standard_input_too(monkeypatch, capsys):
    text = io.TextIOWrapper(io.BytesIO(json.dumps(LLAMA).encode()))
    monkeypatch.setattr(sys, "stdin", text)
    assert main(["config", "-"]) == 0
    assert "layers 0-31 full_attention: rotary" in capsys.readouterr().out


def test_what_cannot_be_read_is_said_on_standard_error(written, capsys):
    assert main(["config", written([1])]) == 2
    said = capsys.readouterr()
    assert said.err.endswith(": expected a JSON object with keys, got a list of 1\n")
    assert not said.out


TABLE = sinusoidal_table(60, 64)


@pytest.mark.parametrize(
    ("name", "table", "status"),
    [
        ("paper", TABLE, 0),
        ("cosine first", VARIANTS["cosine first"].make(60, 64), 0),
        ("factor 2 lost", VARIANTS["factor 2 lost"].make(60, 64), 1),
    ],
)
def test_the_status_says_whether_a_table_is_right(name, table, status, tmp_path, capsys):
    path = str(tmp_path / "table.npy")
    np.save(path, table)
    assert main(["identify", path]) == status
    assert capsys.readouterr().out == f"{identify(path)}\n"
    assert identify(path).name == name


def test_a_noisy_table_is_said_to_be_near_a_name(tmp_path, capsys):
    path = str(tmp_path / "table.npy")
    np.save(path, TABLE + 0.02 * np.random.default_rng(0).normal(size=TABLE.shape))
    assert main(["identify", path]) == 1
    said = capsys.readouterr().out
    assert said.startswith("No known formula or mistake fits within 0.01.")
    assert "With --tolerance 0.1 it may be: paper" in said


@pytest.mark.parametrize("content", [None, b"", b"{}", b"PK\x03\x04"])
def test_a_file_that_is_not_a_table_is_refused(content, tmp_path, capsys):
    path = tmp_path / "table.npy"
    if content is not None:
        path.write_bytes(content)
    assert main(["identify", str(path)]) == 2
    expected = "a file that exists" if content is None else "a file that numpy.save wrote"
    assert capsys.readouterr().err.startswith(f"table: expected {expected}")
