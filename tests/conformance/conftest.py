"""Says which other implementations were there to be compared with, and which were not."""

from tests.conformance.case import version
from tests.conformance.groups import GROUPS


def pytest_terminal_summary(terminalreporter):
    packages = sorted({case.package for cases in GROUPS.values() for case in cases})
    there = [f"{package} {version(package)}" for package in packages if version(package)]
    absent = [package for package in packages if not version(package)]
    terminalreporter.write_line(f"conformance: ran {', '.join(there) or 'no other library'}")
    if absent:
        terminalreporter.write_line(f"conformance: only stored results of {', '.join(absent)}")
