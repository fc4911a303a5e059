"""The buttons that run the notebook of a page."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from publishing.website import launch, publish

ROOT = Path(__file__).parents[3]
REPOSITORY = "https://github.com/user/repo"
PATH = "chapters/02-counting.ipynb"


def test_binder_knows_github_and_gitlab_and_nothing_else():
    at_gitlab = launch.binder("https://gitlab.com/group/sub/repo", PATH)
    assert at_gitlab.startswith("https://mybinder.org/v2/gl/group%2Fsub%2Frepo/HEAD?urlpath=lab")
    assert launch.binder(REPOSITORY, PATH).startswith("https://mybinder.org/v2/gh/user/repo/HEAD")
    for other in ("", "https://git.example.org/user/repo", "https://gitlab.example.org/user/repo"):
        assert launch.binder(other, PATH) is None


@pytest.mark.parametrize("said", ["", " ", "yes"])
def test_colab_is_offered_where_its_copies_are_said_to_be_there(said):
    chosen = publish.settings(ROOT, {"PECODE_REPOSITORY": REPOSITORY, "PECODE_COLAB": said})
    context = {"pathto": str, "header_buttons": []}
    config = SimpleNamespace(live_notebooks=False, **chosen)
    launch.add_buttons(SimpleNamespace(config=config), "chapters/02-counting", "", context, None)
    (group,) = context["header_buttons"]
    labels = [button["label"] for button in group["buttons"]]
    assert labels == ["launch-binder", *(["launch-colab"] if said == "yes" else [])]


def test_colab_knows_github_and_nothing_else():
    assert launch.colab(REPOSITORY, PATH).endswith(f"/user/repo/blob/colab/{PATH}")
    for other in ("", "https://gitlab.com/user/repo"):
        assert launch.colab(other, PATH) is None
