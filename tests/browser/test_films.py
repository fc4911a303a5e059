"""`make films`: a film of a figure, from its page, picture by picture."""

import json
import os
import shutil
import subprocess

import pytest
from PIL import Image

from pecode import figures
from pecode.figures.base import fingerprint
from tools import films
from tools.films import FILMS, PLAY, RATE, Scene, put

from ..browser_fixtures import ROOT
from ..figures.page import path

needs_ffmpeg = pytest.mark.skipif(
    not shutil.which("ffmpeg") and "CI" not in os.environ, reason=films.NO_FFMPEG
)
SHORT = [
    Scene(1, "It stands at 10.", (put("position t", 10),)),
    Scene(1, "It turns.", (PLAY,)),
]


@pytest.fixture
def page(chromium):
    tab = chromium.new_page(viewport={"width": 760, "height": 1400})
    yield tab
    tab.close()


def test_a_film_has_the_pictures_of_its_scenes(page, tmp_path):
    count = films.take(page, "TwoWaves", SHORT, tmp_path)
    pictures = [file.read_bytes() for file in sorted(tmp_path.glob("*.png"))]
    assert count == len(pictures) == 2 * RATE
    assert len(set(pictures[2:RATE])) == 1  # nothing moves until it plays
    assert len(set(pictures[RATE:])) > 0.9 * RATE
    # A second of playing are five positions, however long the pictures took.
    assert len(path(page, "0 path[data-mark=cosine]", 2)) == pytest.approx(16, abs=1)
    assert page.locator(".film-caption .shown").inner_text() == "It turns."
    with Image.open(tmp_path / "0000.png") as picture:
        assert picture.width % 2 == picture.height % 2 == 0
        assert picture.width >= 730


@needs_ffmpeg
def test_a_film_is_made_in_two_forms_with_captions(chromium, tmp_path, capsys):
    films.make(chromium, "TwoWaves", SHORT, tmp_path)
    assert "circle: 2 s" in capsys.readouterr().out
    probe = ["ffprobe", "-v", "error", "-count_frames", "-show_entries",
             "stream=codec_name,nb_read_frames", "-of", "csv=p=0"]  # fmt: skip
    found = [
        subprocess.check_output([*probe, tmp_path / f"circle.{form}"], text=True).split()[0]
        for form in ("webm", "gif")
    ]
    assert found == [f"vp9,{2 * RATE}", f"gif,{2 * films.GIF_RATE}"]
    captions = (tmp_path / "circle.vtt").read_text("utf8")
    assert captions.startswith("WEBVTT\n\nNOTE A circle with a hand")
    assert "00:01.000 --> 00:02.000\nIt turns.\n" in captions
    note = json.loads((tmp_path / "circle.json").read_text("utf8"))
    assert note["code"] == fingerprint(figures.TwoWaves)


@needs_ffmpeg
def test_a_film_that_is_too_large_is_refused(chromium, tmp_path, monkeypatch):
    monkeypatch.setattr(films, "LIMIT", 100)
    with pytest.raises(ValueError, match="TwoWaves: expected at most 100 bytes, got"):
        films.make(chromium, "TwoWaves", [Scene(0.2, "Short.")], tmp_path)


@pytest.mark.parametrize("name", FILMS)
def test_every_film_has_ten_to_twenty_seconds_and_captions_that_can_be_read(name):
    scenes = FILMS[name]
    assert 10 <= sum(scene.seconds for scene in scenes) <= 20
    for scene in scenes:
        words = len(scene.caption.split())
        assert scene.seconds >= max(1.4, 0.25 * words)
        assert scene.caption.endswith(".")


def test_the_list_of_figures_leads_to_films_of_the_present_code(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "site"))
    import elsewhere

    monkeypatch.setattr(elsewhere, "FILMS", tmp_path)
    target = tmp_path / "site"
    assert elsewhere.film("TwoWaves", target) is None
    for suffix in ("webm", "gif", "vtt"):
        (tmp_path / f"circle.{suffix}").write_bytes(b"x" * 120_000)
    note = {"seconds": 10.0, "code": "of an earlier day"}
    (tmp_path / "circle.json").write_text(json.dumps(note))
    assert elsewhere.film("TwoWaves", target) is None
    note["code"] = fingerprint(figures.TwoWaves)
    (tmp_path / "circle.json").write_text(json.dumps(note))
    said = elsewhere.film("TwoWaves", target)
    assert said == {"seconds": 10, "webm": "0.12 MB", "gif": "0.12 MB"}
    assert (target / "circle.webm").stat().st_size == 120_000
    template = elsewhere.without_scripts.JINJA.get_template("gallery.html")
    listed = [("TwoWaves", "circle", "One hand", 400, each) for each in (None, said)]
    page = template.render(listed=listed, foot=100, site="")
    assert page.count("../films/circle.webm") == 1
