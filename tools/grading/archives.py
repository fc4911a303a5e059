"""Archives (.zip) of a student or of a class: their notebooks are taken out, and nothing else."""

import os
import tempfile
import time
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

from grading import notebooks
from grading.sandbox import clean
from grading.senders import is_archive, sender_of

MANY, LARGE = 10_000, 1_000_000_000  # files in an archive; bytes of one, packed and unpacked
OTHER = "is not graded: the name of a notebook ends in .ipynb"
NESTED = "is not graded: an archive inside an archive stays packed"


def found(folder, space):
    """Return the files below a folder and in its archives, and which of them are not graded.

    Parameters
    ----------
    space : Path
        An empty folder, where the notebooks of archives are put.

    Returns
    -------
    dict of Path: Path
        By the name below the folder ("class.zip/ada/02-counting.ipynb"): the file to read.
    dict of Path: str
        By the name of each that is not graded: why.
    """
    files, others = {}, {}
    for path in notebooks.handed_in(folder):
        name = path.relative_to(folder)
        inside = {Path(): "" if notebooks.is_named(path) else OTHER}
        if is_archive(path):
            try:
                # A class's archive has the time of the download; the files in it have their own.
                when = path.lstat().st_mtime if sender_of(name).name else None
                inside = _inside(path, space, when)
            except Exception as problem:  # it must not cost the class its table
                inside = {Path(): _not_unpacked(problem)}
        for member, what in inside.items():  # a file that was taken out, or why it was not
            files[name / member] = what if isinstance(what, Path) else path
            if what and not isinstance(what, Path):
                others[name / member] = what
    return files, others


def _inside(path, space, when):
    """Return for each file in an archive where it is now, or why it stays packed."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGE:
        raise ValueError(f"it is a link or a pipe, or larger than {LARGE // 10**9} GB")
    with _opened(path) as archive:
        named = [(_name(each), each) for each in archive.infolist() if not each.is_dir()]
        named = [(name, each) for name, each in named if not notebooks.is_copy(name)]
        if not named:
            raise ValueError("it is empty")
        if len(named) > MANY or sum(each.file_size for _, each in named) > LARGE:
            raise ValueError(f"it holds more than {MANY:,} files or {LARGE // 10**9} GB")
        if any(len(os.fsencode(part)) > 255 for name, _ in named for part in name.parts):
            raise ValueError("it holds a name that is too long")
        return {name: _taken(archive, each, name, space, when) for name, each in named}


def _taken(archive, member, name, space, when):
    """Take a notebook out of an archive: return where it is, or why it stays packed.

    Each goes into a folder of its own: no path in an archive decides where something is written.
    """
    if not notebooks.is_named(name):
        return NESTED if is_archive(name) else OTHER
    if member.file_size > notebooks.LARGE:
        return _not_unpacked(f"it is larger than {notebooks.LARGE // 10**6} MB")
    try:
        text = archive.read(member)  # never more than file_size, whatever is packed
        when = when or time.mktime((*member.date_time, 0, 0, -1))
    except Exception as problem:  # encrypted, damaged, packed in an unknown way
        return _not_unpacked(problem)
    new = Path(tempfile.mkdtemp(dir=space)) / name.name
    new.write_bytes(text)
    os.utime(new, (when, when))
    return new


def _opened(path):
    """Open an archive; names that do not say their letters are UTF-8, or else those of DOS."""
    try:
        return ZipFile(path, metadata_encoding="utf8")
    except UnicodeDecodeError:
        return ZipFile(path)


def _name(member):
    """Return the path of a file in an archive, without what would lead out of it."""
    parts = PurePosixPath(member.filename.replace("\\", "/")).parts
    return Path(*[part for part in parts if part not in {"/", "//", ".."}])


def _not_unpacked(problem):
    return f"is not unpacked: {clean(problem, 100)}"
