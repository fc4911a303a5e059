// Compiles the modules of wheels and of Python's library in the Python that will run them, at build time and not in
// each reader's browser: node bytecode.js FOLDER-OF-PYODIDE ARCHIVE …
const { readFileSync, writeFileSync } = require("node:fs");
const { pathToFileURL } = require("node:url");

const COMPILE = `
import importlib.util, marshal, zipfile

def compiled(path, folder, with_source):
    with zipfile.ZipFile(path) as old:
        files = [(name, old.read(name)) for name in old.namelist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in files:
            if name.endswith(".py"):
                code = marshal.dumps(compile(data, f"{folder}/{name}", "exec"))
                # The flag says that there is no source to compare with.
                code = importlib.util.MAGIC_NUMBER + bytes([1] + 11 * [0]) + code
                cached = importlib.util.cache_from_source(name) if with_source else f"{name}c"
                new.writestr(zipfile.ZipInfo(cached), code, zipfile.ZIP_DEFLATED)
            if with_source or not name.endswith(".py"):
                new.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)

compiled`;
const main = async ([core, ...archives]) => {
  const { loadPyodide } = await import(pathToFileURL(`${core}/pyodide.mjs`));
  const python = await loadPyodide();
  const compiled = python.runPython(COMPILE);
  for (const path of archives) {
    const isWheel = path.endsWith(".whl"); // which keeps its sources: traces show their lines
    python.FS.writeFile("/archive", readFileSync(path));
    compiled("/archive", isWheel ? "/lib/python3.14/site-packages" : "/lib/python314.zip", isWheel);
    writeFileSync(path, python.FS.readFile("/archive"));
  }
};
main(process.argv.slice(2));
