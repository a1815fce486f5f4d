"""The audit of dependencies fails on what is known, and never takes silence for a clean bill."""

import json
from collections.abc import Mapping

import pytest

from tests.tools.audit import Audit, close, joined, names_in, read

CLEAN = {"name": "quart", "version": "0.22.0", "vulns": []}
FAULTY = {"name": "jinja2", "version": "3.1.0", "vulns": [{"id": "CVE-2025-27516", "fix_versions": ["3.1.6"]}]}
SKIPPED = {"name": "uvloop", "skip_reason": "Dependency not found on PyPI and could not be audited: uvloop (0.23.0)"}


def report(*packages: Mapping[str, object]) -> Audit:
    return read(json.dumps({"dependencies": packages, "fixes": []}))


def test_a_package_with_an_advisory_fails_with_what_mends_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert close(report(CLEAN, FAULTY), required=False) == 1
    assert "FAILED: jinja2 3.1.0: CVE-2025-27516, mended in 3.1.6" in capsys.readouterr().out


def test_clean_packages_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert close(report(CLEAN), required=True) == 0
    assert capsys.readouterr().out == "audited: 1 packages of uv.lock\n"


def test_what_nobody_knows_is_said_and_fails_where_all_is_required(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(CLEAN, SKIPPED)
    assert (close(found, required=False), close(found, required=True)) == (0, 1)
    assert "NOT AUDITED: 1 of the 2 packages of uv.lock" in capsys.readouterr().out


def test_a_second_service_may_know_more() -> None:
    asked = Audit(set(), [], names_in("quart==0.22.0 \\\n    --hash=sha256:0==0\nuvloop==0.23.0 ; sys_platform\n"))
    assert asked.unknown == {"quart", "uvloop"}
    first = joined(asked, report(CLEAN, SKIPPED))
    assert (first.audited, first.unknown) == ({"quart"}, {"uvloop"})
    assert joined(first, report({**SKIPPED, "vulns": [], "version": "0.23.0"})).unknown == {"uvloop"}
    known = {"name": "uvloop", "version": "0.23.0", "vulns": []}
    assert joined(first, report(known)) == Audit({"quart", "uvloop"}, [], set())


def test_what_is_no_report_is_refused() -> None:
    with pytest.raises(ValueError, match="Expecting value"):
        read("Traceback (most recent call last)")
