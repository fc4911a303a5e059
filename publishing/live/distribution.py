"""Python for the browser: Pyodide's core, the wheels that the book needs, and the page's scripts.

The core and the editor come from npm, the wheels that are pure Python from PyPI, each by its hash:
see package-lock.json and wheels.txt beside this file (`make lock` runs this module, which writes
it). What is compiled for WebAssembly is on neither. So the five packages of COMPILED are left at
the address where Pyodide's makers publish them, with the hash that their list of packages gives: a
browser that gets other bytes refuses them. In full mode they lie in a folder and are copied.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from itertools import chain
from pathlib import Path

from packaging.utils import parse_wheel_filename

from publishing.home import ROOT

HERE = Path(__file__).parent
WORK = ROOT / "_build" / "live"
VERSION = json.loads((HERE / "package.json").read_text())["dependencies"]["pyodide"]
ADDRESS = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"  # where its makers publish it
PAGE = ("worker.js", "session.py", "backend.py", "run.css")  # and page.js and editor.js, bundled
LIBRARY = "python_stdlib.zip"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", LIBRARY)
LIST = "pyodide-lock.json"  # of all packages: names, files, hashes, what each needs
COMPILED = ("contourpy", "kiwisolver", "matplotlib", "numpy", "pillow")
# What Pyodide names among the needs of matplotlib: one it asked for years ago, one for PDFs.
NOT_IN_A_BROWSER = {"fonttools", "pytz"}
PARTS_OF_A_MODULE = (".py", ".js", ".mplstyle", ".ttf", ".npz", ".txt", ".json", ".jsonl")
LENT = ("shakespeare/*.npz", "heads.json")  # by their names alone: worker.js fetches what is opened
ROOTS = ("numpy", "matplotlib", "autograd", "traitlets")
# What is not on Pyodide's list. Matplotlib is loaded when a cell draws.
OF_THE_BOOK = ["book", "exercises", "figures", "lab", "pecheck", "pecode"]
OURS = {
    "autograd": {"imports": ["autograd"], "depends": ["numpy"]},
    "pecode": {"imports": OF_THE_BOOK, "depends": ["autograd", "numpy", "traitlets"]},
}
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


def make(target, compiled=()):
    """Write the distribution into a folder, with the compiled wheels in full mode."""
    shutil.rmtree(target, ignore_errors=True)
    here = target / f"pyodide-{VERSION}"
    here.mkdir(parents=True)
    for name in CORE:
        shutil.copy2(core() / name, here)
    for name in PAGE:
        shutil.copy2(HERE / name, target)
    bundle_page(target)
    near = [Path(shutil.copy2(wheel, target)) for wheel in (*wheels(), own_wheel(WORK / "own"))]
    # To compile their modules would take half of a start.
    subprocess.run(["node", HERE / "bytecode.js", core(), here / LIBRARY, *near], check=True)
    for wheel in compiled:
        shutil.copy2(wheel, target)
    book = listed(list(map(renamed_by_hash, near)), compiled)
    (target / LIST).write_text(json.dumps(book, indent=1) + "\n", encoding="utf8")


def bundle_page(target):
    """Put each script of the page and what it imports, from npm or the book, into one file."""
    esbuild = shutil.which("esbuild", path=core().parent / ".bin")
    command = [esbuild, HERE / "page.js", HERE / "editor.js", f"--outdir={target}",
               "--bundle", "--minify", "--format=esm", "--legal-comments=eof",
               "--log-level=warning"]  # fmt: skip
    subprocess.run(command, check=True, env=os.environ | {"NODE_PATH": str(core().parent)})


def listed(wheels, compiled):
    """Return the list of packages of the book's own distribution, beside which the wheels lie.

    Without `compiled` ones their packages stay at the address of Pyodide's makers.
    """
    info, known = official()["info"], official()["packages"]
    book = {name: known[name] | {"file_name": ADDRESS + known[name]["file_name"]}
            for name in COMPILED}  # fmt: skip
    for path in (*wheels, *compiled):
        name, number, *_ = parse_wheel_filename(path.name)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        here = {"version": str(number), "file_name": path.name, "sha256": digest}
        here |= {"install_dir": "site", "package_type": "package", "unvendored_tests": False}
        book[name] = {"name": name} | (OURS | known)[name] | here
    for name, package in book.items():
        package["depends"] = sorted(set(package["depends"]) - NOT_IN_A_BROWSER)
        if gone := set(package["depends"]) - set(book):
            raise ValueError(f"{name}: expected {', '.join(sorted(gone))} among the wheels")
    return {"info": info, "packages": book}


# Getting it


def installed(folder, files, command):
    """Return a folder that a command fills, anew when one of the files has changed."""
    stamp = folder / ".installed"
    wanted = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for path in files:
            shutil.copy2(path, folder)
        subprocess.run(command, cwd=folder, check=True)
        stamp.write_text(wanted)
    return folder


def core():
    """Return the folder of Pyodide's core, which npm brings; without npm FileNotFoundError."""
    if not (npm := shutil.which("npm")):  # npm.cmd on Windows, where no other name would do
        raise FileNotFoundError("npm is missing")
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    files = [HERE / "package.json", HERE / "package-lock.json"]
    return installed(WORK / "npm", files, command) / "node_modules" / "pyodide"


def wheels():
    """Return the pure wheels of wheels.txt, which pip brings."""
    command = [*PIP, "download", "--no-deps", "--require-hashes", "--only-binary=:all:",
               "--implementation=py", "--python-version=3.14", "--abi=none", "--platform=any",
               "--requirement=wheels.txt"]  # fmt: skip
    return sorted(installed(WORK / "wheels", [HERE / "wheels.txt"], command).glob("*.whl"))


def own_wheel(work):
    """Build the wheel of the book's modules: that of `pecode`, and what else the cells import."""
    shutil.rmtree(work, ignore_errors=True)
    command = [sys.executable, "-m", "uv", "build", "--quiet", "--no-build-isolation"]
    same = {"SOURCE_DATE_EPOCH": "315532800"}  # the same content gives the same bytes
    subprocess.run([*command, "--out-dir", work], cwd=ROOT, check=True, env=os.environ | same)
    (built,) = work.glob("*.whl")
    with zipfile.ZipFile(built, "a", zipfile.ZIP_DEFLATED) as held:
        rooms = [sorted((ROOT / room).rglob("*")) for room in ("exercises", "figures", "lab")]
        for path in [ROOT / "book.py", *chain(*rooms)]:
            if path.suffix in PARTS_OF_A_MODULE:
                entry = zipfile.ZipInfo(path.relative_to(ROOT).as_posix())
                data = b"" if any(map(path.match, LENT)) else path.read_bytes()
                held.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return built


def renamed_by_hash(wheel):
    """Rename a wheel so that its name tells its content, for caches."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()[:8]
    name, version, tags = wheel.name.split("-", 2)
    # What stands before the tags is a build number, which begins with a digit.
    return wheel.rename(wheel.with_name(f"{name}-{version}-0{digest}-{tags}"))


def official():
    """Return the list of packages of Pyodide's makers."""
    return json.loads((core() / LIST).read_text(encoding="utf8"))


def compiled_from(folder, is_official):
    """Return the compiled wheels of a folder; a missing or another one raises."""
    there = Path(folder).glob("*.whl")
    found = {str(parse_wheel_filename(wheel.name)[0]): wheel for wheel in there}
    if missing := set(COMPILED) - set(found):
        raise ValueError(f"{folder}: expected wheels of {', '.join(COMPILED)}; "
                         f"got none of {', '.join(sorted(missing))}")  # fmt: skip
    for name in COMPILED if is_official else ():
        wanted = official()["packages"][name]["sha256"]
        if (got := hashlib.sha256(found[name].read_bytes()).hexdigest()) != wanted:
            raise ValueError(
                f"{found[name]}: expected the file of {ADDRESS} (SHA-256 {wanted}), got {got}; "
                "with UNOFFICIAL=yes it is taken all the same"
            )
    return [found[name] for name in COMPILED]


# Pinning it


def lock():
    """Write wheels.txt: what the book needs, in Pyodide's versions or else in the book's own."""
    own = (ROOT / "requirements.txt").read_text(encoding="utf8")
    versions = dict(re.findall(r"(?m)^([\w.-]+)==([^\s;\\]+)", own))
    versions |= {name: package["version"] for name, package in official()["packages"].items()}
    known = WORK / "versions.txt"
    known.write_text("".join(f"{name}=={versions[name]}\n" for name in versions))
    command = [Path(sys.executable).with_name("uv"), "pip", "compile", "-",
               f"--constraint={known}", "--generate-hashes", "--python-version=3.14",
               "--python-platform=linux", "--no-header", "--no-annotate", "--no-emit-index-url",
               "--no-emit-find-links", "--quiet",
               *map("--no-emit-package={}".format, (*COMPILED, *NOT_IN_A_BROWSER))]  # fmt: skip
    pinned = subprocess.check_output(command, input="\n".join(ROOTS), text=True)
    head = "# Made by `make lock`: pure wheels for the browser, in the versions that Pyodide names."
    (HERE / "wheels.txt").write_text(f"{head}\n{pinned}", encoding="utf8")


if __name__ == "__main__":
    lock()
