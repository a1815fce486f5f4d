"""One declaration: a field that is added to it is everywhere, without another line of code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import SUFFIX

CASES = Path(__file__).with_name("added_field_cases.py")


def test_a_field_added_to_the_declaration_is_everywhere(request: pytest.FixtureRequest) -> None:
    """The cases run in a process of their own, whose Pennypost has the fields of tests/support/added_fields.py."""
    database = request.config.getoption("--database")
    plugins = ["-p", "tests.support.added_fields", "-p", "no:playwright", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", "-q", *plugins, "--database", database, str(CASES)]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    cases = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environ | {"PYTEST_DB_SUFFIX": f"{SUFFIX}_added"}
    )
    assert cases.returncode == 0, cases.stdout + cases.stderr
