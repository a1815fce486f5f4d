"""What is known against the versions of uv.lock: fails where there is anything. `--require-all` fails where nobody could be asked.

Two services know: the package index, then OSV. A package that neither tells of was not audited, and is said to be so:
that is no clean bill.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(sys.executable).parent
SERVICES = ("pypi", "osv")
ANSWER_SECONDS, LONGEST = 10, 180  # of one answer, and of a service in all


class Audit(NamedTuple):
    """Which packages were audited, what is known against some of them, and of which nothing is known at all."""

    audited: set[str]
    faults: list[str]
    unknown: set[str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--require-all", action="store_true", help="fail when a package could not be audited")
    required = parser.parse_args().require_all
    with tempfile.TemporaryDirectory() as folder:
        locked = Path(folder) / "requirements.txt"
        command = [
            str(PROGRAMS / "uv"),
            "export",
            "--frozen",
            "--no-emit-project",
            "--quiet",
            "--output-file",
            str(locked),
        ]
        subprocess.run(command, cwd=ROOT, check=True, timeout=LONGEST, stdout=subprocess.DEVNULL)
        found = Audit(set(), [], names_in(locked.read_text()))
        for service in SERVICES:
            if found.unknown:
                found = joined(found, ask(service, locked))
    return close(found, required=required)


def names_in(requirements: str) -> set[str]:
    """The packages of an exported lock."""
    return {line.partition("==")[0] for line in requirements.splitlines() if "==" in line and line[0].isalnum()}


def ask(service: str, locked: Path) -> Audit:
    """What a service knows; nothing where it cannot be reached, which is said with its own last words."""
    options = ["--timeout", str(ANSWER_SECONDS), "--disable-pip", "--require-hashes", "--progress-spinner", "off"]
    command = [str(PROGRAMS / "pip-audit"), "-s", service, "-r", str(locked), "-f", "json", *options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
        return read(done.stdout)
    except subprocess.TimeoutExpired:
        words = f"no answer within {LONGEST} seconds"
    except ValueError:
        words = done.stderr.strip().rpartition("\n")[2]
    print(f"{service} could not be asked: {words}")
    return Audit(set(), [], set())


def read(report: str) -> Audit:
    """A report of pip-audit's. Raises ValueError for what is none."""
    packages: list[dict[str, Any]] = json.loads(report)["dependencies"]
    audited = [one for one in packages if "skip_reason" not in one]
    faults = [
        f"{one['name']} {one['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'no version yet'}"
        for one in audited
        for fault in one["vulns"]
    ]
    known = {one["name"] for one in audited}
    return Audit(known, faults, {one["name"] for one in packages} - known)


def joined(one: Audit, other: Audit) -> Audit:
    """What both know."""
    return Audit(one.audited | other.audited, one.faults + other.faults, one.unknown - other.audited)


def close(found: Audit, *, required: bool) -> int:
    """Say what was found and return the exit code."""
    for fault in sorted(set(found.faults)):
        print(f"FAILED: {fault}")
    if found.unknown:
        count = len(found.unknown | found.audited)
        print(
            f"NOT AUDITED: {len(found.unknown)} of the {count} packages of uv.lock: no service that answers knows them"
        )
    else:
        print(f"audited: {len(found.audited)} packages of uv.lock")
    return 1 if found.faults or (required and found.unknown) else 0


if __name__ == "__main__":
    sys.exit(main())
