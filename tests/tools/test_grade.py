"""A class hands in, honest students and others; nbgrader grades it, and tables hold the result."""

import copy
import csv
import html
import inspect
import json
import os
import re
import shutil
import socket
import zipfile
from base64 import b64encode
from pathlib import Path
from urllib.request import urlopen

import nbformat
import pytest

from exercises.registry import exercises, solution_of
from publishing.home import ROOT
from tests import data
from tests.browser_fixtures import Log, jupyter
from tools import grade, handout
from tools.grading import submission, tables

DATA = data("tools/handed_in.yml")
PROGRAMS = DATA["programs"]
CHAPTER = "05-translation"
RIGHT = {
    "fifty_in_column_three": 'ask("fifty_in_column_three", answer=0.284)',
    "five_and_five_hundred": 'ask("five_and_five_hundred", answer="c")',
} | {
    name: f"import numpy as np\n\n\n{inspect.getsource(solution_of(exercises()[name]))}"
    for name in ("table_by_operators", "moved_rows")
}
NUMBER, LETTER, FUNCTION, REPAIR = RIGHT  # the task of the last: a function with a mistake

# What runs in a page says so in its title, asks a foreign host, and starts a kernel.
HIT = (
    "document.title='hit';new Image().src='http://foreign.example/hit';"
    "fetch('/api/kernels',{method:'POST',headers:{'X-XSRFToken':document.cookie.slice(6)}})"
)
SCRIPT = f"<script>{HIT}</script>"
HIDDEN = f'">{SCRIPT}'
FRAMED = b64encode(f"<script>parent.{HIT}</script>".encode()).decode()
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" onload="{HIT}"/>'
MOVED = '<meta http-equiv="refresh" content="0;url=http://foreign.example/">'
# What a student writes, stores as an output, and lets run
MEANT = {"HIT": HIT, "SCRIPT": SCRIPT, "FRAMED": FRAMED, "SVG": SVG, "MOVED": MOVED}
WRITTEN = [re.sub("|".join(MEANT), lambda name: MEANT[name[0]], text) for text in DATA["written"]]


def write_hostile(notebook):
    """Write, store and hide in the metadata what a page might run."""
    notebook.cells = []  # the rest comes back
    for text in WRITTEN:
        data = {"text/html": text, "application/javascript": HIT}
        output = nbformat.v4.new_output("display_data", data)
        raw = nbformat.v4.new_raw_cell(text, metadata={"raw_mimetype": "text/html"})
        written = nbformat.v4.new_markdown_cell(text)
        written.metadata["tags"] = [HIDDEN]
        notebook.cells += [nbformat.v4.new_code_cell("1", outputs=[output]), raw, written]
    svg = {"image/svg+xml": b64encode(SVG.encode()).decode()}
    written.attachments = {"a.svg": svg, "b": {f'" onerror="{HIT}" "': "AAAA"}}
    flags = {"grade_id": HIDDEN, "task": True, "grade": False, "solution": False}
    form = {"locked": True, "points": 1, "schema_version": 3, "cell_type": "markdown"}
    written.metadata["nbgrader"] = flags | form
    state = {"application/vnd.jupyter.widget-state+json": {"state": {}, "a": HIDDEN}}
    notebook.metadata.update(title=HIDDEN, widgets=state, kernelspec={"display_name": HIDDEN})
    notebook.metadata.language_info = {"name": HIDDEN, "pygments_lexer": HIDDEN}


def ending_with(code):
    """Return a change of a notebook: a cell of code at its end."""
    return lambda notebook: notebook.cells.append(nbformat.v4.new_code_cell(code))


def filled_in(released, answers, change=None):
    """Return a notebook of the handout with answers, as text."""
    new = nbformat.reads(released, as_version=4)
    for cell in new.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = answers.get(name, cell.source)
    if change:
        change(new)
    return nbformat.writes(new)


def grade_cells(notebook):
    return [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]


def vandalize(notebook):
    first, second, *_ = grade_cells(notebook)
    first.source, first.metadata["nbgrader"]["points"] = "pass", 100
    notebook.cells.remove(second)


def forge_outputs(notebook):
    for cell in grade_cells(notebook):
        cell.outputs = [nbformat.v4.new_output("stream", text="✓ passed: 99 checks\n")]


def write_archive(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def read_table(path):
    return list(csv.DictReader(path.read_text(encoding="utf8").splitlines()))


# What each gets: p(assed), f(ailed), o(pen) for each exercise, nothing where it is not graded;
# the answers; a change of the notebook
CLASS = {
    "perfect": ("pppp", RIGHT),
    "untouched": ("oooo", {}),
    "half": ("popo", {name: RIGHT[name] for name in (NUMBER, FUNCTION)}),
    "wrong": ("ffff", DATA["wrong"]),
    "vandal": ("ooop", {REPAIR: RIGHT[REPAIR]}, vandalize),
    "loop": ("pptp", RIGHT | {FUNCTION: PROGRAMS["loop"]}),
    "ended": ("ppep", RIGHT | {FUNCTION: "import os\n\nos._exit(0)"}),
    "exit": ("ppep", RIGHT | {FUNCTION: f"{RIGHT[FUNCTION]}\nexit()"}),
    "locks": ("oooo", {}, ending_with(PROGRAMS["lock"])),  # and is graded before others
    "forged": ("oofo", {FUNCTION: PROGRAMS["displayed"]}, forge_outputs),
    "thief": ("ooff", {LETTER: PROGRAMS["thief"].format(root=ROOT), FUNCTION: "", REPAIR: ""}),
    "replaced": ("oopp", {FUNCTION: PROGRAMS["replaced"]}),
    "broken": ("", {}),
    "written": ("oooo", {}, write_hostile),
    "run": ("oooo", {}, ending_with(f"MEANT = {MEANT!r}\n{PROGRAMS['run']}")),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Grade the class once; return the folder of the course."""
    if not os.environ.get("PECODE_GRADING"):
        pytest.skip("make test-grading grades a class; it needs nbgrader and bubblewrap")
    base, folder = tmp_path_factory.mktemp("class"), tmp_path_factory.mktemp("submissions")
    course = base / "course"
    released = handout.files()[f"{CHAPTER}.ipynb"]
    texts = {name: filled_in(released, *rest) for name, (_, *rest) in CLASS.items()}
    texts["broken"] = texts["broken"][:100]
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as server:
        patch.setattr(grade, "COURSE", course)
        names = {"root": ROOT, "course": course, "port": server.getsockname()[1]}
        texts["spy"] = filled_in(released, {}, ending_with(PROGRAMS["spy"].format(**names)))
        # Three come in a download from Canvas, one of these in an archive of the student's own.
        write_archive(base / "half.zip", {f"work/{CHAPTER}.ipynb": texts.pop("half")})
        write_archive(folder / "submissions.zip", {
            f"perfectada_71_4501_{CHAPTER} (1).ipynb": texts.pop("perfect"),
            "halfbob_LATE_72_4502_answers.zip": (base / "half.zip").read_bytes(),
            f"vandal_99_4503_{CHAPTER}-2.ipynb": texts.pop("vandal"),
        })  # fmt: skip
        for student, text in texts.items():
            (folder / student).mkdir()
            (folder / student / f"{CHAPTER}.ipynb").write_text(text, encoding="utf8")
        (base / "class.csv").write_text(DATA["roster"])
        grade.main([str(folder), "--roster", str(base / "class.csv")])
    return course


def test_every_student_has_a_row_with_the_right_results(course):
    rows = {row["name"]: row for row in read_table(course / "grades.csv")}
    for student, (expected, *_) in CLASS.items():
        row = rows.pop(student)
        assert "".join(row[name][:1] for name in RIGHT) == expected, student
        assert row["points"] == (str(expected.count("p")) if expected else ""), student
        assert row["note"] == DATA["notes"].get(student, ""), student
        assert row["late"] == ("late" if student == "half" else ""), student
    assert rows.pop("Missing, Dan")["note"] == "Nothing was handed in."
    assert set(rows) == {"spy"}


def test_the_roster_comes_back_as_canvas_imports_it(course):
    rows = read_table(course / "grades-class.csv")
    assert list(rows[0]) == [*DATA["roster"].splitlines()[0].split(",")[:5], "Positional Encoding"]
    assert [row["Positional Encoding"] for row in rows] == ["4", "4", "2", "", ""]


def test_feedback_comes_as_an_archive_with_the_names_of_the_platform(course):
    with zipfile.ZipFile(course / "feedback.zip") as archive:
        names = archive.namelist()
    given = ("perfectada_71_4501_", "halfbob_LATE_72_4502_", "wrong/")
    assert {f"{start}{CHAPTER}.html" for start in given} <= {*names}
    assert len(names) == len(CLASS)  # and the spy, but not the broken one


def split(cells, k):
    cells.insert(k, copy.deepcopy(cells[k]))
    cells[k].source, cells[k + 1].source = cells[k].source[:50], cells[k].source[50:]


# What happened to the answer k and the test behind it, in JupyterLab or elsewhere; what is said
TEST, ODD = f"test_{FUNCTION}", {"source": "\ud800", "metadata": {"nbgrader": {"grade_id": ["a"]}}}
CHANGES = {
    "nothing": (lambda cells, k: None, {}),
    "split": (split, {"cells split or copied": {FUNCTION}}),
    "copied": (
        lambda cells, k: cells.extend(copy.deepcopy(cells[k : k + 2])),
        {"cells split or copied": {FUNCTION, TEST}},
    ),
    "answer deleted": (lambda cells, k: cells.pop(k), {"cells deleted": {FUNCTION}}),
    "test deleted": (lambda cells, k: cells.pop(k + 1), {"cells deleted": {TEST}}),
    "test edited": (lambda cells, k: cells[k + 1].update(source="pass"), {"tests edited": {TEST}}),
    "stripped": (
        lambda cells, k: [cell.update(metadata={}) for cell in cells],
        {"metadata lost": {*RIGHT, *(f"test_{name}" for name in RIGHT)}},
    ),
    "markdown": (lambda cells, k: cells[k].update(cell_type="markdown"), {}),
    "helper below": (lambda cells, k: cells.insert(k + 1, nbformat.v4.new_code_cell("a = 1")), {}),
    "test on top": (lambda cells, k: cells.insert(0, cells.pop(k + 1)), {}),
    "odd": (lambda cells, k: cells[k].update(ODD), {"cells deleted": {FUNCTION}}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_notebook_is_mended_and_the_change_is_named(tmp_path, name):
    change, said = CHANGES[name]
    released = nbformat.reads(handout.files()[f"{CHAPTER}.ipynb"], as_version=4)
    new = copy.deepcopy(released)
    k = new.cells.index(submission.names(new)[FUNCTION])
    change(new.cells, k)
    (tmp_path / "a.ipynb").write_text(json.dumps(new))
    mended, remarks, unedited = submission.rebuilt(submission.read(tmp_path / "a.ipynb"), released)
    assert {what: names for what, names in remarks.items() if names} == said
    known, kept = submission.names(released), submission.names(mended)
    assert kept.keys() == known.keys()
    assert all(kept[name].metadata == cell.metadata for name, cell in known.items())
    assert all(kept[f"test_{name}"].source == known[f"test_{name}"].source for name in RIGHT)
    assert {*RIGHT} - {FUNCTION} <= unedited
    order = list(kept)
    assert all(order.index(name) < order.index(f"test_{name}") for name in RIGHT)
    if name == "helper below":
        code = [cell.source for cell in mended.cells]
        assert code.index("a = 1") < code.index(known[TEST].source)
    nbformat.validate(mended)
    nbformat.writes(mended).encode("utf8")


def test_what_is_no_notebook_is_said_to_be_none(tmp_path):
    for k, held in enumerate([b"", b"[1, 2]", b"3", b'{"cells": [1]}', "{}".encode("utf-16")]):
        (tmp_path / f"{k}.ipynb").write_bytes(held)
        with pytest.raises(ValueError, match="not a notebook"):
            submission.read(tmp_path / f"{k}.ipynb")


PAGE, NEW, OLD = f"{CHAPTER}.ipynb", (2026, 9, 2, 0, 0, 0), (2026, 9, 1, 0, 0, 0)
DATED = {zipfile.ZipInfo(f"new/{PAGE}", NEW): "", zipfile.ZipInfo(f"old/{PAGE}", OLD): ""}
ARCHIVES = {
    "ada/large.zip": {PAGE: "0" * 100_001},
    "dan/work.zip": DATED,
    "eve.zip": {f"cy/{PAGE}": ""},
}


@pytest.mark.parametrize("packed", [False, True])
def test_every_file_is_a_students_or_it_is_said_why_not(tmp_path, monkeypatch, packed):
    monkeypatch.setattr(grade, "LARGEST", 100_000)
    folder, expected = tmp_path / "class", DATA["files"] | DATA["others"]
    (folder / "fay" / PAGE).mkdir(parents=True)
    (folder / "gus").mkdir()
    for k, name in enumerate([*DATA["files"], *ARCHIVES]):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name in ARCHIVES:
            write_archive(path, ARCHIVES[name])
        else:
            path.write_text("table_by_operators" if "homework" in name else "")
        os.utime(path, (10 * k + 1e9,) * 2)
    if packed:  # by macOS, with its name
        (tmp_path / "__MACOSX").mkdir()
        folder = Path(shutil.make_archive(tmp_path.with_name("packed"), "zip", tmp_path))
    else:
        (folder / "gus" / PAGE).symlink_to(__file__)
        (folder / PAGE).write_text("")
        expected[PAGE] = "no student in its path"
    folder = grade.unpack(folder, tmp_path / "to")
    found, left = grade.collect(folder, {"04-sinusoid": ["a_b_c"], CHAPTER: RIGHT})
    assert {chapter for _, chapter in found} == {CHAPTER}
    told = left | {name: list(who) for (who, _), name in found.items()}
    assert {str(name): what for name, what in told.items()} == {
        name: what for name, what in expected.items() if what
    }


def test_an_archive_does_not_replace_what_others_handed_in(tmp_path):
    name, to = f"bob_7_1_{PAGE}", tmp_path.with_name("unpacked")
    write_archive(tmp_path / "ada.zip", {name: "hers"})
    assert (grade.unpack(tmp_path / "ada.zip", to) / name).read_text() == "hers"
    (tmp_path / name).write_text("his")
    assert (grade.unpack(tmp_path, to) / name).read_text() == "his"


@pytest.mark.parametrize("encoding", ["utf8", "utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize(("head", "row", "name", "number"), DATA["lists"])
def test_a_list_of_any_language_keeps_its_names(tmp_path, head, row, name, number, encoding):
    if encoding == "latin-1" and "氏" in head:
        head = head.replace("氏名", "Prénom")
    (tmp_path / "class.csv").write_text(f"{head}\n{row}\n", encoding=encoding)
    [person] = tables.read_roster(tmp_path / "class.csv")
    assert (tables.name_of(person), tables.number_of(person)) == (name, number)
    _, rows = tables.with_points([person], {}, 4)
    assert [each["name"] for each in rows.values()] == [name]


def test_names_that_differ_by_a_hyphen_have_folders_of_their_own():
    names = ["Jo Ann", "Jo+Ann", "Jo-Ann", "Jo.Ann", "jo"]
    assert len({tables.folder_of(tables.Student(name, "")) for name in names}) == len(names)


def test_feedback_names_the_misconception(course):
    page = (course / "feedback" / "wrong" / CHAPTER / f"{CHAPTER}.html").read_text(encoding="utf8")
    text = " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())
    assert "That is column 2." in text
    assert "these are all sines, then all cosines." in text


def test_a_notebook_reads_nothing_but_the_handout_and_reaches_nobody(course):
    graded = (course / "autograded" / "spy" / CHAPTER / f"{CHAPTER}.ipynb").read_text("utf8")
    told = re.findall(r"SPY (\w+) (.*?)\\n", graded)
    assert [result for _, result in told] == ["refused"] * 7


def look(tab, url, own):
    """Open a page and click its links; return its title and what it asked for."""
    log = Log(tab, own)
    tab.goto(url, wait_until="load")
    for link in tab.locator(".rendered_html a").all():
        link.evaluate("link => link.click()")
    tab.wait_for_timeout(200)
    return tab.title(), log


@pytest.mark.parametrize("name", ["written", "run"])
def test_a_page_of_feedback_runs_nothing_and_asks_nobody(course, new_tab, name):
    url = (course / "feedback" / name / CHAPTER / f"{CHAPTER}.html").as_uri()
    title, log = look(new_tab(), url, url)
    assert (title, log.foreign, log.local) == (CHAPTER, [], [url])


@pytest.fixture(scope="module")
def formgrader(course):
    """Start the server of a teacher in the folder of the course; its address."""
    with (
        (course / "server.log").open("w") as log,
        jupyter("jupyter_server", cwd=course, stdout=log, stderr=log) as address,
    ):
        yield address


@pytest.fixture
def book(course):
    """The gradebook, in which a teacher gives points by hand."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as held:
        yield held


@pytest.mark.parametrize("name", ["written", "run"])
def test_formgrader_runs_nothing_of_a_student(book, formgrader, new_tab, name):
    number = book.find_submission(CHAPTER, name).notebooks[0].id
    url = f"{formgrader}/formgrader/submissions/{number}/"
    title, log = look(new_tab(), url, formgrader)
    assert (title, log.foreign) == (CHAPTER, [])
    assert not [asked for asked in log.local if "/api/kernels" in asked]
    with urlopen(f"{formgrader}/api/kernels") as answer:
        assert json.load(answer) == []


def test_points_that_are_given_by_hand_count(course, book):
    given = book.find_grade(f"test_{LETTER}", CHAPTER, CHAPTER, "wrong")
    for points, expected in (0.5, "0.5 points"), (0, "failed"), (1, "passed"):
        given.manual_score = points
        book.db.commit()
        student = tables.Student("wrong", "")
        found, _ = tables.of_notebook(course, student, CHAPTER, {}, {LETTER})
        assert found[LETTER] == (expected, points)


def test_a_worksheet_of_moodle_comes_back_with_all_its_columns(tmp_path):
    worksheet = "Identifier;Full name;Email\nParticipant 8;Jo Ann;j@b\n;Bo;bo@b\n;Cy;cy@b\n"
    (tmp_path / "class.csv").write_text(worksheet, encoding="utf-8-sig")
    students = {
        tables.Student("Jo A.", "8"): {"name": "Jo A.", "points": "2", "note": ""},
        tables.Student("bo@b", ""): {"name": "bo@b", "points": "", "note": "05 ended Python."},
        tables.Student("guest", ""): {"name": "guest", "points": "1", "note": ""},
    }
    back, rows = tables.with_points(tables.read_roster(tmp_path / "class.csv"), students, 4)
    assert list(back[0]) == ["Identifier", "Full name", "Email", "Positional Encoding"]
    assert [person["Positional Encoding"] for person in back] == ["2", "", ""]
    assert [row["name"] for row in rows.values()] == ["Jo Ann", "Bo", "guest", "Cy"]


def test_without_a_folder_of_submissions_nothing_is_graded(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: "there")
    monkeypatch.setattr(grade, "COURSE", tmp_path / "book" / "course")
    (tmp_path / "empty").mkdir()
    cases = {"nowhere": "not a folder", ".": "not a folder", "empty": "no notebook of these"}
    for folder, said in cases.items():
        with pytest.raises(SystemExit, match=said):
            grade.main([str(tmp_path / folder)])
    with pytest.raises(SystemExit, match="no list of the class at"):
        grade.main([str(tmp_path / "empty"), "--roster", str(tmp_path / "nowhere.csv")])
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(SystemExit, match="bubblewrap is missing"):
        grade.main([str(tmp_path / "empty")])
    assert not (tmp_path / "book" / "course" / "submitted").exists()
