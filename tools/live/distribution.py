"""Python for the browser: Pyodide's core, and the wheels that the book needs, in one folder.

The core comes from npm, the wheels that are pure Python from PyPI, each by its hash: see
package-lock.json and wheels.txt beside this file. What is compiled for WebAssembly is on neither.
So the five packages of COMPILED are left at the address where Pyodide's makers publish them, with
the hash that their list of packages gives: a browser that gets other bytes refuses them. In full
mode they lie in a folder and are copied beside the rest.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from packaging.utils import canonicalize_name, parse_wheel_filename
from pyodide_lock import PyodideLockSpec
from pyodide_lock.utils import add_wheels_to_spec

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WORK = ROOT / "_build" / "live"
EXTENSIONS = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LIST = "pyodide-lock.json"  # of all packages: names, files, hashes, what each needs
COMPILED = ("contourpy", "kiwisolver", "matplotlib", "numpy", "pillow")
# What the widgets' wheels name and a browser does not need: their scripts are part of the site.
NOT_IN_A_BROWSER = {"jupyterlab-widgets", "widgetsnbextension", "pexpect", "psutil"}
OF_PECODE = ["numpy", "matplotlib", "autograd", "anywidget"]


def name_of(wheel):
    """Return the name of a wheel's package."""
    return str(parse_wheel_filename(wheel.name)[0])


def compiled_from(folder):
    """Return the compiled wheels that lie in a folder; one that is missing raises."""
    found = {name_of(wheel): wheel for wheel in sorted(Path(folder).glob("*.whl"))}
    if missing := set(COMPILED) - set(found):
        raise ValueError(f"{folder}: expected wheels of {', '.join(COMPILED)}; "
                         f"got none of {', '.join(sorted(missing))}")  # fmt: skip
    return {name: found[name] for name in COMPILED}


def listed(official, wheels, compiled, address):
    """Return the list of packages of the book's own distribution.

    Parameters
    ----------
    official : PyodideLockSpec
        The list of Pyodide's makers.
    wheels : list of Path
        The pure ones, which lie beside the list.
    compiled : dict of Path
        The compiled ones that do so, too; the others stay at the address.
    address : str
        Where Pyodide's makers publish theirs, with a slash at its end.
    """
    far = {name: official.packages[name].model_copy() for name in COMPILED}
    for name, package in far.items():
        package.file_name = address + package.file_name
        if name in compiled:
            package.file_name = compiled[name].name
            package.version = str(parse_wheel_filename(compiled[name].name)[1])
            package.sha256 = hashlib.sha256(compiled[name].read_bytes()).hexdigest()
    book = add_wheels_to_spec(
        PyodideLockSpec(info=official.info, packages=far), wheels, ignore_missing_dependencies=True
    )
    for name, package in book.packages.items():
        if name == "pecode":
            package.depends = OF_PECODE
        elif name in official.packages:  # what its makers found out is better than its own word
            there = official.packages[name]
            package.imports, package.depends = there.imports, there.depends
        package.depends = sorted({*map(canonicalize_name, package.depends)} - NOT_IN_A_BROWSER)
        if gone := set(package.depends) - set(book.packages):
            raise ValueError(f"{name}: expected {', '.join(sorted(gone))} among the wheels")
    return book


# Getting it


def brought(folder, files, command):
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
    """Return the folder of Pyodide's core, which npm brings."""
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    files = [HERE / "package.json", HERE / "package-lock.json"]
    return brought(WORK / "npm", files, command) / "node_modules" / "pyodide"


def wheels():
    """Return the pure wheels of wheels.txt, which pip brings."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
               "--no-deps", "--require-hashes", "--only-binary=:all:", "--implementation=py",
               "--python-version=3.14", "--abi=none", "--platform=any",
               "--requirement=wheels.txt"]  # fmt: skip
    return sorted(brought(WORK / "wheels", [HERE / "wheels.txt"], command).glob("*.whl"))


def own_wheel(work):
    """Build the wheel of the book's packages; its name tells its content, for caches."""
    shutil.rmtree(work, ignore_errors=True)
    left_out = shutil.ignore_patterns("__pycache__", "wrong_answers.py", "*.ipynb")
    for name in ("pecode", "exercises"):  # alone: a build in place would keep what was deleted
        shutil.copytree(ROOT / name, work / name, ignore=left_out)
    for name in ("book.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(ROOT / name, work / name)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check",
         "--no-deps", "--no-build-isolation", "--wheel-dir", str(work / "dist"), str(work)],
        check=True,
    )  # fmt: skip
    built = next((work / "dist").glob("*.whl"))
    with zipfile.ZipFile(built) as held:  # without the times that an archive holds
        content = b"".join(name.encode() + held.read(name) for name in sorted(held.namelist()))
    name, version, *tags = built.stem.split("-")
    digest = hashlib.sha256(content).hexdigest()[:8]
    told = "-".join([name, version, f"0{digest}", *tags])  # a build number begins with a digit
    return built.rename(built.with_name(f"{told}.whl"))


def kernel_wheels():
    """Return the wheels that are part of the kernel: Python's side of it."""
    folder = EXTENSIONS / "@jupyterlite" / "pyodide-kernel-extension" / "static" / "pypi"
    return [path for path in folder.glob("*.whl") if name_of(path) != "widgetsnbextension"]


def address():
    """Return where Pyodide's makers publish this version of it."""
    version = json.loads((HERE / "package.json").read_text())["dependencies"]["pyodide"]
    return f"https://cdn.jsdelivr.net/pyodide/v{version}/full/"


def make(target, compiled=None):
    """Write the distribution into a folder; return its list of packages.

    `compiled` is the folder of the compiled wheels in full mode, or None.
    """
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    there = core()
    for name in CORE:
        shutil.copy2(there / name, target / name)
    binary = compiled_from(compiled) if compiled else {}
    wanted = [*wheels(), *kernel_wheels(), own_wheel(WORK / "own")]
    beside = [Path(shutil.copy2(wheel, target)) for wheel in wanted]
    for wheel in binary.values():
        shutil.copy2(wheel, target)
    official = json.loads((there / LIST).read_text(encoding="utf8"))
    info = official["info"]  # has no version since Pyodide 314, which pyodide-lock 0.1 asks for
    known = PyodideLockSpec(info={"version": info["python"], **info}, packages=official["packages"])
    book = {**listed(known, beside, binary, address()).model_dump(), "info": info}
    (target / LIST).write_text(json.dumps(book, indent=1) + "\n", encoding="utf8")
    return book["packages"]
