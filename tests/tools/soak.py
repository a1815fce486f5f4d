"""The tests that take long, on every database that is there; each run ends with a table of figures.

It fails where a test does, and where a fault has no figure.
"""

import argparse
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tests.fakes.postgres_server import programs
from tests.figures import KEY, Figure, read
from tests.run import Leg, close, run, why_no_postgres

LONGEST = 2400  # seconds of a leg
REQUESTS = "tests/api/every_route/test_schemathesis.py"
FAULTS = (*range(1, 38), 40)
ON_SERVERS_ALONE = {6, 32}  # a file has no server that could crash, and no row that somebody could lock


@dataclass
class Soak:
    """What is run on a database: its legs, and the faults that may be left out of the table."""

    database: str
    legs: list[Leg]
    without: set[int]

    def figures(self) -> list[Figure]:
        """What its tests noted."""
        cases = [case for leg in self.legs if leg.report is not None for case in leg.report.iter("testcase")]
        notes = [(case.get("name", ""), note) for case in cases for note in case.iter("property")]
        return sorted(read(name, note.get("value", "")) for name, note in notes if note.get("name") == KEY)

    def missing(self) -> list[int]:
        """The faults that no figure tells of."""
        return sorted(set(FAULTS) - {figure.fault for figure in self.figures()} - self.without)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--require-all", action="store_true", help="fail when a leg is left out or a test is skipped")
    required = parser.parse_args().require_all
    soaks = [
        Soak("SQLite", legs("SQLite", "sqlite", None), ON_SERVERS_ALONE),
        Soak("PostgreSQL", legs("PostgreSQL", "postgres", why_no_postgres()), absent_on_postgres()),
    ]
    soaks_there = [soak for soak in soaks if soak.legs[0].absent is None]
    with ThreadPoolExecutor() as at_once:
        for number in range(2):  # both databases at once: mostly they wait, or ask a service on the other core
            list(at_once.map(run, [soak.legs[number] for soak in soaks_there]))
    for soak in soaks_there:
        run(soak.legs[2])
    code = close([leg for soak in soaks for leg in soak.legs], required=required)
    incomplete = [f"{soak.database}: F{number}" for soak in soaks_there for number in soak.missing()]
    if incomplete:
        print(f"FAILED: faults without a figure: {', '.join(incomplete)}")
    return 1 if incomplete else code


def absent_on_postgres() -> set[int]:
    """The faults that need programs of PostgreSQL's which this machine has not."""
    return (set() if programs() else {6}) | (set() if shutil.which("pg_dump") else {40})


def legs(name: str, database: str, absent: str | None) -> list[Leg]:
    """The generated requests, all the rest, and what must be alone on the machine."""
    # Each test on a line of its own, and a report that has room for figures.
    arguments = ["--database", database, "-vv", "--soak", "-o", "junit_family=xunit1"]
    others = [f"--ignore={REQUESTS}", "--ignore=tests/browser"]
    return [
        Leg(f"{name}, generated requests", [*arguments, "-m", "", REQUESTS], absent, LONGEST),
        Leg(f"{name}, soak", [*arguments, "-m", "not alone", *others], absent, LONGEST),
        Leg(f"{name}, alone", [*arguments, "-m", "alone", *others], absent, LONGEST),
    ]


if __name__ == "__main__":
    sys.exit(main())
