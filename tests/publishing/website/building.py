"""Small sites, built by Sphinx in this process."""

import io
import logging
import os

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from tests import data

SITES = data("publishing/website/sites.yml")


def built(folder, files, settings, strict=True, **environment):
    """Write the files and build them; return the folder of the pages, and the warnings.

    With `strict` a warning is an error. Of PECODE_… only what `environment` has is set.
    """
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf8")
    said, out = io.StringIO(), folder / "out"
    with pytest.MonkeyPatch.context() as patch, docutils_namespace():
        # Sphinx leaves its handlers, which would make errors of the warnings of later tests.
        patch.setattr(logging.getLogger("sphinx"), "handlers", [])
        for name in [name for name in os.environ if name.startswith("PECODE_")]:
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        folders = (folder, None, out, folder / "trees", "html")
        settings = {"html_theme": "basic", **settings}
        Sphinx(*folders, settings, None, said, warningiserror=strict).build()
    return out, said.getvalue()
