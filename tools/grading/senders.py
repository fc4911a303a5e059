"""Who handed a file in: its folder says so, or what Canvas and Moodle write before its name."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

# Canvas: lovelaceada_LATE_71_4502_name.ipynb; Moodle: a folder or a file, Ada Lovelace_71_assign…
CANVAS = re.compile(r"(?i)(?P<name>.+?)_(?P<late>late_)?(?P<id>\d+)_(?:\d+_|(?:text|link)\.)")
MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_[a-z]+")
NUMBERS = {"Canvas": "ID", "Moodle": "Identifier"}  # their columns; Moodle's has "Participant 71"


@dataclass(frozen=True)
class Sender:
    """Who handed a file in; without a name it is nobody.

    Attributes
    ----------
    folder : str
        The name of the folder for what goes back.
    id : tuple of str
        The platform, and its number of the student; empty if a folder says who it is.
    late : bool or None
        What the platform says; None if it says nothing.
    """

    name: str = ""
    folder: str = ""
    id: tuple = ()
    late: bool | None = None

    @property
    def key(self):
        """What two files of one student have in common."""
        return self.id or same(self.name)


def sender_of(path):
    """Return who handed in a file; its path begins below the folder that is graded.

    In an archive that is in nobody's folder, as that of a whole class, the names inside tell.
    """
    first, *rest = path.parts
    if found := MOODLE.match(first):
        return Sender(found["name"], found[0], ("Moodle", found["id"]))
    if rest and not is_archive(Path(first)):
        return Sender(first, first)
    if found := CANVAS.match(first):
        name, number = found["name"], found["id"]
        return Sender(name, f"{name}_{number}", ("Canvas", number), bool(found["late"]))
    return sender_of(Path(*rest)) if rest else Sender()


def is_archive(path):
    """Say whether a path is named like an archive, which is opened."""
    return path.suffix.lower() == ".zip"


def same(name):
    """Return what two spellings of a name have in common: systems store accents in two ways."""
    return unicodedata.normalize("NFC", name).strip().casefold()


def letters(name):
    """Return what Canvas leaves of a name."""
    return "".join(filter(str.isalnum, same(name)))


def spellings(student, row):
    """Return the ways in which a platform may write the name of a row of the roster."""
    last = row.get("Last name") or row.get("Surname", "")
    whole = [student, row.get("Student", ""), row.get("Full name", "")]
    whole += [f"{row.get('First name', '')} {last}"]
    first_name_first = [" ".join(reversed(name.split(",", 1))) for name in whole]
    return {letters(name) for name in [*whole, *first_name_first]} - {""}


def on_roster(senders, roster):
    """Return the names on the roster of those senders who are on it, by their keys.

    The number of a platform decides; where the roster has none, a name that nobody else has.
    """
    exact = {same(student): student for student in roster}
    for student, row in roster.items():
        for platform, column in NUMBERS.items():
            exact[platform, re.sub(r"\D", "", row.get(column, ""))] = student
    found = {sender.key: exact[sender.key] for sender in senders if sender.key in exact}
    written = {student: spellings(student, row) for student, row in roster.items()}
    alike = {
        sender.key: [
            name for name, ways in written.items()
            if letters(sender.name) in ways and not roster[name].get(NUMBERS[sender.id[0]])
        ]
        for sender in senders if sender.id and sender.key not in found
    }  # fmt: skip
    claims = Counter(name for names in [*alike.values(), found.values()] for name in names)
    single = {key: names[0] for key, names in alike.items() if len(names) == 1}
    return found | {key: name for key, name in single.items() if claims[name] == 1}
