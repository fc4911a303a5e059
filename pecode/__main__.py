"""`python -m pecode`: read the config of a model, or name the table in a file.

Exit status 0 where nothing is to be warned of, 1 with warnings or a mistake or no name, 2 for what
cannot be read.
"""

import argparse
import sys
from pathlib import Path

_LOOSE = 0.1  # a tolerance that noise of 0.02 passes


def main(arguments=None):
    """Run a command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pecode", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    _config(commands)
    _identify(commands)
    given = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):  # of a terminal that cannot show every character
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return given.run(given)
    except BrokenPipeError:  # `| head` has seen enough
        sys.stderr.close()
        return 0


def _config(commands):
    parser = commands.add_parser("config", help="what a config.json does with positions")
    parser.add_argument("file", help="path of the file, or - for standard input")
    parser.add_argument("--length", type=int, metavar="N", help="of a text, in tokens")
    parser.add_argument("--json", action="store_true", help="for programs: see the page of the API")
    parser.set_defaults(run=_run_config)


def _run_config(given):
    from pecode.diagnose import Unreadable, config
    from pecode.diagnose.configuration.reading import parse, text_of

    try:
        if given.file == "-":
            source = parse(text_of("standard input", sys.stdin.buffer))
        else:
            source = Path(given.file)
        report = config(source, given.length)
    except (Unreadable, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print(report.json(indent=1) if given.json else report)
    return 1 if report.warnings else 0


def _identify(commands):
    parser = commands.add_parser("identify", help="what a table of encodings in a file is")
    parser.add_argument("file", help="path of an array that numpy.save wrote")
    parser.add_argument("--base", type=float, default=10000.0, help="the base that is expected")
    parser.add_argument("--tolerance", type=float, default=0.01, help="largest part of the scale")
    parser.set_defaults(run=_run_identify)


def _run_identify(given):
    from pecode.diagnose import identify

    try:
        found = identify(Path(given.file), given.base, given.tolerance)
        loosely = None if found else identify(Path(given.file), given.base, _LOOSE)
    except (TypeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print(found or f"Nothing that is known here fits within {given.tolerance:g}.")
    if loosely and given.tolerance < _LOOSE:
        print(f"With --tolerance {_LOOSE:g} it may be: {loosely}")
    return 0 if found and not found.bug else 1


if __name__ == "__main__":
    sys.exit(main())
