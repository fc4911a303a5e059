"""`python -m pecheck`: read the config of a model, name a table, or a function.

Exit status 0: no warning; 1: warnings, a mistake, or no match; 2: the input cannot be read;
3: part of a config had to be guessed, with warnings or without.
"""

import argparse
import importlib
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

from pecheck import config, examine, identify
from pecheck.configuration.settings import keys_in
from pecheck.sentences import COMMANDS
from pecode import __version__

_LOOSE = 0.1  # a tolerance that noise of 0.02 passes


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    first, statuses = __doc__.split("\n\n")
    parser = argparse.ArgumentParser("python -m pecheck", description=first, epilog=statuses)
    parser.add_argument("--version", action="version", version=f"pecheck {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)

    for name, run in {"config": _config, "identify": _identify, "examine": _examine}.items():
        row = COMMANDS[name]
        command = commands.add_parser(
            name, help=row["help"], description=row["help"], epilog=statuses
        )
        for argument, said in row["arguments"].items():
            kind = {"type": {"int": int, "float": float}[said["type"]]} if "type" in said else {}
            command.add_argument(argument, **{**said, **kind})
        command.set_defaults(run=run)

    options = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):  # of a terminal that cannot show every character
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return options.run(options)
    except BrokenPipeError:  # `| head` has seen enough
        sys.stderr.close()
        return 0
    except (TypeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2


def _config(options):
    piped = options.file == "-"
    given = keys_in("standard input", sys.stdin.buffer) if piped else Path(options.file)
    report = config(given, options.length)
    print(report.json(indent=1) if options.json else report)
    if any("a guess" in layer.sources.values() for layer in report.layers):
        return 3
    return 1 if report.warnings else 0


def _identify(options):
    path = Path(options.file)
    found = identify(path, options.base, options.tolerance)
    print(found or f"No known formula or mistake fits within {options.tolerance:g}.")
    if not found and (loosely := identify(path, options.base, _LOOSE)):
        print(f"With --tolerance {_LOOSE:g} it may be: {loosely}")
    return 0 if found and not found.bug else 1


def _examine(options):
    function, layers = _loaded("function", options.function), (None,)
    convert = None if options.convert is None else _loaded("convert", options.convert)
    if options.config is not None:
        layers = config(Path(options.config)).layers
        layers = [each for each in layers if each.frequencies is not None] or layers[:1]
    expected = {"layout": options.layout, "base": options.base, "convert": convert}
    for layer in layers:  # one function may be right for some kinds of layers alone
        found = examine(function, options.d_head, n_heads=options.heads, layer=layer, **expected)
        if not found.problems:
            break
    if len(layers) > 1:
        agrees = ", and none of them agrees" * bool(found.problems)
        print(f"compared with the {layer.kind} layers, one of {len(layers)} kinds{agrees}")
    print(found)
    return 1 if found.problems else 0


def _loaded(name, text):
    module, _, function = text.rpartition(":")  # a path on Windows has a colon of its own
    if not module or not function:
        raise ValueError(f"{name}: expected module:function, got {text!r}")
    path = Path(module)
    is_file = path.suffix == ".py"
    sys.path.insert(0, str(path.parent.resolve()) if is_file else "")
    try:
        if is_file:  # not the module that another file of this name became
            return getattr(SimpleNamespace(**runpy.run_path(module, run_name=path.stem)), function)
        return getattr(importlib.import_module(module), function)
    except (Exception, SystemExit) as error:  # whatever that module raises
        why = f"{type(error).__name__}: {error}"
        raise ValueError(f"{name}: {text} cannot be loaded: {why}") from error


if __name__ == "__main__":
    sys.exit(main())
