"""Store again what other libraries compute, for the tests that compare `pecode` with them.

python -m tests.conformance            (where libraries of the group `peers` are installed)

Writes tests/conformance/vectors, one file for each group of cases; the same libraries write the
same files, and cases of a library that is absent stay as they are stored. The tests read them
where the libraries are absent.
"""

import json

from publishing.home import ROOT

from .case import VECTORS, record, stored, version
from .groups import GROUPS


def main():
    """Record every case whose library is there."""
    for group, cases in GROUPS.items():
        kept = stored(group)
        found = [record(case) if version(case.package) else kept[case.name] for case in cases]
        # A line for each case, so that a difference says which.
        text = ",\n".join(map(json.dumps, found))
        path = VECTORS / f"{group}.json"
        path.write_text(f"[\n{text}\n]\n", encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {len(found)} cases, {path.stat().st_size // 1000} KB")


if __name__ == "__main__":
    main()
