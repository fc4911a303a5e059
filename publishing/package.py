"""Build what a package index gets into _build/dist: `make package`.

The wheel and the archive of sources hold `pecode` and nothing else of the book. The same sources
give the same bytes: files are dated by SOURCE_DATE_EPOCH or else by the last change, and all may
read them.
"""

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
from datetime import UTC, datetime

from publishing.home import ROOT
from publishing.website import publish

TARGET = ROOT / "_build" / "dist"
BESIDE = ("pyproject.toml", "LICENSE")
# What pip calls, without an environment made for it: the versions are those of requirements.txt.
BACKEND = "from setuptools.build_meta import *; build_sdist('..'); build_wheel('..')"


def epoch():
    """Return the seconds since 1970 by which files are dated."""
    day = datetime.fromisoformat(publish.last_change(ROOT)).replace(tzinfo=UTC)
    return int(os.environ.get("SOURCE_DATE_EPOCH") or day.timestamp())


def build(target, seconds):
    """Write wheel and archive into a folder, which is emptied first; return their paths."""
    shutil.rmtree(target, ignore_errors=True)
    work = target / "sources"  # alone: a build in place would keep what was deleted
    shutil.copytree(ROOT / "pecode", work / "pecode", ignore=shutil.ignore_patterns("__pycache__"))
    for name in BESIDE:
        shutil.copy2(ROOT / name, work)
    for path in work.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    done = subprocess.run(
        [sys.executable, "-c", BACKEND], cwd=work, umask=0o022, check=False, capture_output=True,
        env=os.environ | {"SOURCE_DATE_EPOCH": str(seconds)}, text=True,
    )  # fmt: skip
    if done.returncode:  # else its remarks are of no use to anybody
        sys.exit(done.stderr)
    shutil.rmtree(work)
    (wheel,), (archive,) = target.glob("*.whl"), target.glob("*.tar.gz")
    archive.write_bytes(repacked(archive.read_bytes(), seconds))
    return wheel, archive


def repacked(archive, seconds):
    """Return an archive with its files in order, of nobody, and dated by the seconds.

    setuptools writes the dates, the owner and the clock of the machine into it.
    """
    packed = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(archive)) as found,
        gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=seconds) as file,
        tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for entry in sorted(filter(tarfile.TarInfo.isfile, found), key=lambda each: each.name):
            plain = tarfile.TarInfo(entry.name)
            plain.size, plain.mtime = entry.size, seconds
            new.addfile(plain, found.extractfile(entry))
    return packed.getvalue()


if __name__ == "__main__":
    for built in build(TARGET, epoch()):
        print(f"{built.relative_to(ROOT)}: {built.stat().st_size / 1e3:.0f} KB")
