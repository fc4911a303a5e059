"""Store again what other libraries compute, for the tests that compare `pecode` with them.

python -m tests.conformance            (where the libraries of the extra `peers` are installed)

Writes tests/conformance/vectors, one file for each group of cases; the same libraries write the
same files. The tests read them where the libraries are absent.
"""

import argparse
import json
import sys

from publishing.home import ROOT

from .case import VECTORS, record, stored, version
from .groups import GROUPS


def main():
    """Record every case of the named groups, or those that are not stored yet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--new", action="store_true", help="keep what is stored, add what is not")
    parser.add_argument("groups", nargs="*", help=f"of {', '.join(GROUPS)}; all without a name")
    options = parser.parse_args()
    for group in options.groups or GROUPS:
        kept = stored(group) if options.new and (VECTORS / f"{group}.json").exists() else {}
        wanted = [case for case in GROUPS[group] if case.name not in kept]
        absent = {case.package for case in wanted if version(case.package) is None}
        if absent:
            sys.exit(f"{group}: install {', '.join(sorted(absent))} first")
        # A line for each case, so that a difference says which.
        records = kept | {case.name: record(case) for case in wanted}
        lines = [json.dumps(records[case.name]) for case in GROUPS[group]]
        path = VECTORS / f"{group}.json"
        path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {len(lines)} cases, {path.stat().st_size // 1000} KB")


if __name__ == "__main__":
    main()
