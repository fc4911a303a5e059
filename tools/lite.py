"""Build the site with its notebooks for the browser: `make lite`.

    python tools/lite.py [--compiled FOLDER] [--reuse]

The book is built with the buttons, and JupyterLite into lite/ beside it: Python (Pyodide), the pure
wheels, `pecode`, the exercises and the widgets. Five compiled packages stay at the address of
Pyodide's makers; with `--compiled` they are taken from a folder and nothing is asked of any other
host. Without npm, which brings Pyodide, the book is built without the buttons, and says so.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from tools.live import distribution, notebooks  # noqa: E402

HTML = ROOT / "_build" / "html"
WORK = ROOT / "_build" / "live"
TITLE = "Positional Encoding, from Counting to Rotation"
EXTENSIONS = ("@jupyterlite/pyodide-kernel-extension", "@jupyter-widgets/jupyterlab-manager",
              "anywidget")  # fmt: skip
# Loaded before anything else; the kernel would ask PyPI for them otherwise.
FIRST = ["micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython",
         "ipython-pygments-lexers"]  # fmt: skip
# What a first visit loads, compressed, until a chapter has drawn its first figure. It was measured
# (tests/browser/test_live_all.py holds it to that), since the compiled packages are elsewhere.
MEGABYTES = 29
NO_NPM = (
    "No npm here. It is part of Node.js and brings Python for the browser, so the book is built "
    "without the button “Run in the browser”."
)
# A live notebook's links lead to the pages of the book, wherever it is published.
SCRIPT = """<script>
      // The notebooks name the book by an address that nobody has: here it gets its own.
      const book = new URL("../../", document.baseURI).href;
      const ask = window.fetch;
      window.fetch = async (...request) => {
        const answer = await ask(...request);
        if (!new URL(answer.url || "x:").pathname.endsWith(".ipynb") || !answer.ok) return answer;
        const text = (await answer.text()).replaceAll("%s", book);
        return new Response(text, { headers: { "Content-Type": "application/json" } });
      };
      // A tab is named after its notebook; JupyterLab gives to all of them the name of the book.
      const path = new URLSearchParams(location.search).get("path") ?? "";
      const [, name] = /([^/]*)[.]ipynb$/.exec(path) ?? [];
      const named = () => document.title.startsWith(name) ||
        (document.title = `${name} – ${document.title}`);
      const all = { childList: true, subtree: true };
      if (name) new MutationObserver(named).observe(document.head, all);
    </script>
    """


def book(arguments=(), live="1"):
    """Build the book's pages, with the buttons or (an empty text) without."""
    environment = {**os.environ, "PECODE_LIVE": live}
    program = Path(sys.executable).with_name("jupyter-book")
    command = [program, "build", str(ROOT), "--quiet", *arguments]
    subprocess.run(command, check=True, env=environment)


def configuration(contents, target):
    """Return what `jupyter lite build` is told."""
    return {
        "LiteBuildConfig": {
            "contents": [str(contents)],
            "output_dir": str(target),
            "cache_dir": str(WORK / "cache"),
            "apps": ["notebooks"],
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
            "ignore_sys_prefix": ["federated_extensions"],
            "federated_extensions": [str(distribution.EXTENSIONS / name) for name in EXTENSIONS],
        }
    }


def settings():
    """Return what JupyterLite is told in the browser."""
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": FIRST}}
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": TITLE,
            "enableMemoryStorage": True,  # where a browser keeps nothing
            # "Not Trusted" and "Last Checkpoint" say nothing about a notebook in the browser
            "disabledExtensions": [
                "@jupyter-notebook/notebook-extension:trusted",
                "@jupyter-notebook/notebook-extension:checkpoints",
            ],
            "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
        },
    }


# Of JupyterLab: as dark as the reader's system, and no news from its makers.
PREFERENCES = {
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    # seconds: who reloads a page thinks that what was written is there
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 5},
}


def write(path, content):
    """Write a JSON file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf8")


def lite(target, compiled=None, html=HTML):
    """Build JupyterLite into a folder, for the pages of `html`; return what the site says of it."""
    folder, contents = WORK / "lite", WORK / "notebooks"
    for path in (folder, contents, target):
        shutil.rmtree(path, ignore_errors=True)  # a state of an earlier build drops settings
    packages = distribution.make(folder / "static" / "pyodide", compiled)
    made = notebooks.write(ROOT, html, contents)
    write(folder / "jupyter_lite_config.json", configuration(contents, target))
    write(folder / "jupyter-lite.json", settings())
    write(folder / "overrides.json", PREFERENCES)
    done = subprocess.run(
        [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", str(folder)],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"jupyter lite build failed:\n{done.stdout}{done.stderr}")
    for page in target.rglob("index.html"):
        page.write_text(with_script(page.read_text(encoding="utf8")), encoding="utf8")
    names = distribution.COMPILED
    built = {
        "notebooks": made,
        "compiled": list(names),
        "needs": [] if compiled else [elsewhere(packages[name]) for name in names],
        "megabytes": MEGABYTES,
    }
    write(target / "live.json", built)
    return built


def elsewhere(package):
    """Return where a package is that the site does not have, and its hash."""
    return {"address": package["file_name"], "sha256": package["sha256"]}


def with_script(html):
    """Return a page of JupyterLite with our script, and nothing for search engines."""
    head = f'<head>\n    <meta name="robots" content="noindex">\n    {SCRIPT % notebooks.BOOK}'
    return html.replace("<head>", head, 1).replace("<html>", '<html lang="en">', 1)


def main(arguments=None):
    """Build the book and the notebooks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--compiled", type=Path, help="the folder of the compiled wheels (full mode)"
    )
    parser.add_argument(
        "--reuse", action="store_true", help="the pages are built: only the notebooks"
    )
    parser.add_argument(
        "--target", type=Path, default=HTML / "lite", help="where the notebooks are built"
    )
    parser.add_argument("rest", nargs="*", help="more arguments for jupyter-book, after --")
    chosen = parser.parse_args(arguments)
    if not shutil.which("npm"):
        print(NO_NPM, file=sys.stderr)
        shutil.rmtree(HTML / "lite", ignore_errors=True)
        book(chosen.rest, live="")
        return
    if not chosen.reuse:
        book(chosen.rest)
    target = chosen.target.resolve()
    built = lite(target, chosen.compiled)
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file()) / 1e6
    far = len(built["needs"])
    print(f"{target}: {len(built['notebooks'])} notebooks, {size:.0f} MB, {far} packages elsewhere")


if __name__ == "__main__":
    main()
