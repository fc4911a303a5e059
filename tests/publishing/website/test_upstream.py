"""What the book changes within others' packages: a release that moved it is named here.

The build would go on without these changes, slower or with pages that are slower; nothing else
would say so.
"""

import inspect
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pybtex.plugin

from publishing.website import pages


def test_pybtex_looks_for_plugins_in_the_function_that_is_cached():
    name = "_load_entry_point"
    moved = (
        f"pybtex {version('pybtex')} does not look for plugins in pybtex.plugin.{name} any more: "
        "the cache in publishing/website/pages.py, setup, has no effect (each citation looks "
        "through all packages). Cache what has taken its place, or leave the line out"
    )
    assert f"{name}(plugin_group" in inspect.getsource(pybtex.plugin.find_plugin), moved
    assert callable(getattr(pybtex.plugin, name)), moved


def test_the_theme_lays_out_the_page_where_its_script_is_turned_off():
    theme = Path(find_spec("pydata_sphinx_theme").origin).parent / "theme/pydata_sphinx_theme"
    script = (theme / "static/scripts/pydata-sphinx-theme.js").read_text("utf8")
    assert len(pages.LOOKED_AT.findall(script)) == 1, (
        f"pydata-sphinx-theme {version('pydata-sphinx-theme')} asks in another way which boxes "
        "scroll: publishing/website/pages.py, LOOKED_AT, no longer finds it, and the theme lays "
        "out all of a page at each change of its size. site.js says what scrolls"
    )
