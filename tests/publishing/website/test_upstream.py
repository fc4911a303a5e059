"""What the book changes within another package, and would be slower without: who moved it is named.

What the theme no longer does (pages.py, LOOKED_AT) tests/browser/test_site.py sees.
"""

import inspect
from importlib.metadata import version

import pybtex.plugin


def test_pybtex_looks_for_plugins_in_the_function_that_is_cached():
    assert "_load_entry_point(plugin_group" in inspect.getsource(pybtex.plugin.find_plugin), (
        f"pybtex {version('pybtex')} looks for plugins elsewhere: the cache in "
        "publishing/website/pages.py, setup, has no effect (each citation looks through all "
        "packages). Cache what has taken its place, or leave the line out"
    )
