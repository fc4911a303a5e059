"""Python for the browser: Pyodide's core, and the wheels that the book needs, in one folder.

The core comes from npm, the wheels that are pure Python from PyPI, each by its hash: see
package-lock.json and wheels.txt beside this file. What is compiled for WebAssembly is on neither.
So the five packages of COMPILED are left at the address where Pyodide's makers publish them, with
the hash that their list of packages gives: a browser that gets other bytes refuses them. In full
mode they lie in a folder and are copied beside the rest.
"""

import email
import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EXTENSIONS = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LIST = "pyodide-lock.json"  # of all packages: names, files, hashes, what each needs
COMPILED = ("contourpy", "kiwisolver", "matplotlib", "numpy", "pillow")
# The kernel imports these; the rest is found from them and from what `pecode` needs.
KERNEL = ("comm", "ipython", "jedi", "micropip")
WIDGETS = ("anywidget", "ipywidgets", "ipython-pygments-lexers", "psygnal", "typing-extensions")
GRADIENTS = ("autograd",)
# What the widgets' wheels name and a browser does not need: their scripts are part of the site.
NOT_IN_A_BROWSER = {"jupyterlab-widgets", "widgetsnbextension", "pexpect", "psutil"}
OF_PECODE = ["numpy", "matplotlib", *GRADIENTS, "anywidget"]


@dataclass(frozen=True)
class Wheel:
    """A wheel: its file, and what its metadata say."""

    path: Path
    name: str
    version: str
    requires: tuple
    modules: tuple

    @property
    def digest(self):
        """Return the SHA-256 of the file."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def normal(name):
    """Return the name of a package in its normal form.

    >>> normal("Typing_extensions")
    'typing-extensions'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def read_wheel(path):
    """Return what the metadata of a wheel say."""
    with zipfile.ZipFile(path) as held:
        names = held.namelist()
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(held.read(about))
    code = [
        name
        for name in names
        if name.endswith(".py") and not re.search(r"\.(dist-info|data)/", name)
    ]
    return Wheel(
        path,
        normal(metadata["Name"]),
        metadata["Version"],
        tuple(metadata.get_all("Requires-Dist") or ()),
        tuple(sorted({name.split("/")[0].removesuffix(".py") for name in code})),
    )


def needed(roots, packages):
    """Return the names of the packages that are needed for some of them, those included."""
    found, waiting = set(), [normal(name) for name in roots]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += map(normal, packages[name]["depends"] if name in packages else [])
    return found


def pure(packages, pins):
    """Return the pure packages that the book needs, as `name==version`.

    What Pyodide's list has comes in the version that it names, the rest in the book's own.
    """
    names = needed((*KERNEL, *WIDGETS, *GRADIENTS, "matplotlib"), packages) - set(COMPILED)
    versions = dict(re.findall(r"^([\w.-]+)==([^\s;\\]+)", pins, flags=re.MULTILINE))
    return [
        f"{name}=={packages[name]['version'] if name in packages else versions[name]}"
        for name in sorted(names)
    ]


def dependencies(wheel, packages):
    """Return what a wheel needs in the browser; a need that nothing fills raises."""
    here = {"sys_platform": "emscripten", "platform_system": "Emscripten", "os_name": "posix",
            "platform_machine": "wasm32", "python_version": "3.14", "python_full_version": "3.14.2",
            "implementation_name": "cpython", "extra": ""}  # fmt: skip
    found = []
    for requirement in map(Requirement, wheel.requires):
        name = normal(requirement.name)
        if name in NOT_IN_A_BROWSER or (
            requirement.marker and not requirement.marker.evaluate(here)
        ):
            continue
        if name not in packages:
            raise ValueError(f"{wheel.name}: expected {name} among the wheels, there is none")
        found.append(name)
    return found


def compiled_from(folder):
    """Return the compiled wheels that lie in a folder, by name; one that is missing raises."""
    found = {wheel.name: wheel for wheel in map(read_wheel, sorted(Path(folder).glob("*.whl")))}
    missing = set(COMPILED) - set(found)
    if missing:
        raise ValueError(f"{folder}: expected wheels of {', '.join(COMPILED)}; "
                         f"got none of {', '.join(sorted(missing))}")  # fmt: skip
    return {name: found[name] for name in COMPILED}


def listed(official, wheels, compiled, address):
    """Return the list of packages of the book's own distribution.

    Parameters
    ----------
    official : dict
        The list of Pyodide's makers.
    wheels : iterable of Wheel
        What lies beside the list.
    compiled : dict of Wheel or None
        The compiled ones, where they lie beside it too; None leaves them at the address.
    address : str
        Where Pyodide's makers publish theirs, with a slash at its end.
    """
    there, packages = official["packages"], {}
    beside = {wheel.name: wheel for wheel in wheels} | (compiled or {})
    known = set(beside) | set(COMPILED)
    for name in COMPILED:
        file = there[name]["file_name"]
        packages[name] = {**there[name], "file_name": address + file}
    for name, wheel in beside.items():
        new = {
            "name": wheel.name,
            "version": wheel.version,
            "file_name": wheel.path.name,
            "sha256": wheel.digest,
            "install_dir": "site",
            "package_type": "package",
            "unvendored_tests": False,
            "imports": list(wheel.modules),
        }
        if name in there:  # what Pyodide's makers found out about it is better than its own word
            new |= {key: there[name][key] for key in ("imports", "depends")}
        elif name == "pecode":
            new["depends"] = OF_PECODE
        else:
            new["depends"] = dependencies(wheel, known)
        packages[name] = new
    for name, package in packages.items():
        gone = {normal(other) for other in package["depends"]} - known
        if gone:
            raise ValueError(f"{name}: expected {', '.join(sorted(gone))} among the wheels")
    return {"info": official["info"], "packages": dict(sorted(packages.items()))}


# Getting it


def core():
    """Return the folder of Pyodide's core, which npm brings if it is not there yet."""
    work = ROOT / "_build" / "live" / "npm"
    files = [HERE / "package.json", HERE / "package-lock.json"]
    stamp = work / ".installed"
    wanted = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        for path in files:
            shutil.copy2(path, work)
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=work, check=True)
        stamp.write_text(wanted)
    return work / "node_modules" / "pyodide"


def wheels():
    """Return the pure wheels of wheels.txt, which pip brings if they are not there yet."""
    work = ROOT / "_build" / "live" / "wheels"
    stamp = work / ".installed"
    wanted = hashlib.sha256((HERE / "wheels.txt").read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
             "--no-deps", "--require-hashes", "--only-binary=:all:", "--implementation=py",
             "--python-version=3.14", "--abi=none", "--platform=any",
             "--requirement", str(HERE / "wheels.txt"), "--dest", str(work)],
            check=True,
        )  # fmt: skip
        stamp.write_text(wanted)
    return [read_wheel(path) for path in sorted(work.glob("*.whl"))]


def own_wheel(work):
    """Build the wheel of `pecode` and `exercises`; its name tells its content, for caches."""
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
    name, version, *tags = built.stem.split("-")
    digest = hashlib.sha256(content(built)).hexdigest()[:8]
    told = "-".join([name, version, f"0{digest}", *tags])  # a build number begins with a digit
    return read_wheel(built.rename(built.with_name(f"{told}.whl")))


def content(archive):
    """Return the files of an archive without the times that it holds."""
    with zipfile.ZipFile(archive) as held:
        return b"".join(name.encode() + held.read(name) for name in sorted(held.namelist()))


def kernel_wheels():
    """Return the wheels that are part of the kernel: Python's side of it."""
    folder = EXTENSIONS / "@jupyterlite" / "pyodide-kernel-extension" / "static" / "pypi"
    found = map(read_wheel, sorted(folder.glob("*.whl")))
    return [wheel for wheel in found if wheel.name != "widgetsnbextension"]


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
    official = json.loads((there / LIST).read_text(encoding="utf8"))
    binary = compiled_from(compiled) if compiled else None
    own = own_wheel(ROOT / "_build" / "live" / "own")
    beside = [*wheels(), *kernel_wheels(), own]
    new = listed(official, beside, binary, address())
    for wheel in [*beside, *(binary or {}).values()]:
        shutil.copy2(wheel.path, target / wheel.path.name)
    (target / LIST).write_text(json.dumps(new, indent=1) + "\n", encoding="utf8")
    return new
