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
sys.path.insert(0, str(ROOT))

from tools.live import distribution, notebooks  # noqa: E402

HTML = ROOT / "_build" / "html"
WORK = ROOT / "_build" / "live"
EXTENSIONS = ("@jupyterlite/pyodide-kernel-extension", "@jupyter-widgets/jupyterlab-manager",
              "anywidget")  # fmt: skip
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
        if (!answer.ok || !/[.]ipynb([?]|$)/.test(answer.url)) return answer;
        return Response.json(JSON.parse((await answer.text()).replaceAll("%s", book)));
      };
      // A tab is named after its notebook; JupyterLab gives to all of them the name of the book.
      const asked = new URLSearchParams(location.search).get("path");
      const [, name] = /([^/]*)[.]ipynb$/.exec(asked) ?? [];
      const named = () => document.title.startsWith(name) ||
        (document.title = `${name} – ${document.title}`);
      const all = { childList: true, subtree: true };
      if (name) new MutationObserver(named).observe(document.head, all);
    </script>
    """


def book(arguments=(), live="1"):
    """Build the book's pages, with the buttons or (an empty text) without."""
    program = Path(sys.executable).with_name("jupyter-book")
    command = [program, "build", str(ROOT), "--quiet", *arguments]
    subprocess.run(command, check=True, env={**os.environ, "PECODE_LIVE": live})


def lite(target, compiled=None, html=HTML):
    """Build JupyterLite into a folder, for the pages of `html`; return what the site says of it."""
    folder, contents = WORK / "lite", WORK / "notebooks"
    for path in (folder, contents, target):
        shutil.rmtree(path, ignore_errors=True)  # a state of an earlier build drops settings
    packages = distribution.make(folder / "static" / "pyodide", compiled)
    made = notebooks.write(ROOT, html, contents)
    # overrides.json: as dark as the reader's system, no news from JupyterLab's makers, and text
    # is kept every five seconds. jupyter-lite.json: all that the kernel would ask PyPI for at its
    # start is loaded first; browsers that keep nothing get memory instead.
    for name in ("jupyter-lite.json", "overrides.json"):
        shutil.copy2(distribution.HERE / name, folder)
    told = {
        "contents": [str(contents)],
        "output_dir": str(target),
        "cache_dir": str(WORK / "cache"),
        "apps": ["notebooks"],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
        "ignore_sys_prefix": ["federated_extensions"],
        "federated_extensions": [str(distribution.EXTENSIONS / name) for name in EXTENSIONS],
    }
    written(folder / "jupyter_lite_config.json", {"LiteBuildConfig": told})
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"jupyter lite build failed:\n{done.stdout}{done.stderr}")
    for page in target.rglob("index.html"):
        page.write_text(with_script(page.read_text(encoding="utf8")), encoding="utf8")
    far = [] if compiled else [packages[name] for name in distribution.COMPILED]
    built = {
        "notebooks": made,
        "compiled": list(distribution.COMPILED),
        "needs": [{"address": each["file_name"], "sha256": each["sha256"]} for each in far],
        "megabytes": MEGABYTES,
    }
    return written(target / "live.json", built)


def written(path, content):
    """Write a file of JSON, and return its content."""
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf8")
    return content


def with_script(html):
    """Return a page of JupyterLite with our script, and nothing for search engines."""
    head = f'<head>\n    <meta name="robots" content="noindex">\n    {SCRIPT % notebooks.BOOK}'
    return html.replace("<head>", head, 1).replace("<html>", '<html lang="en">', 1)


def main(arguments=None):
    """Build the book and the notebooks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--compiled", type=Path, help="the folder of the compiled wheels (full mode)")
    add("--reuse", action="store_true", help="the pages are built: only the notebooks")
    add("--target", type=Path, default=HTML / "lite", help="where the notebooks are built")
    add("rest", nargs="*", help="more arguments for jupyter-book, after --")
    chosen = parser.parse_args(arguments)
    if not shutil.which("npm"):
        print(NO_NPM, file=sys.stderr)
        shutil.rmtree(HTML / "lite", ignore_errors=True)
        book(chosen.rest, live="")
        return
    if not chosen.reuse:
        book(chosen.rest)
    built = lite(chosen.target.resolve(), chosen.compiled)
    far = len(built["needs"])
    print(f"{chosen.target}: {len(built['notebooks'])} notebooks, {far} packages elsewhere")


if __name__ == "__main__":
    main()
