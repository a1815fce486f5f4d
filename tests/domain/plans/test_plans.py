"""The table of plans: the contract's figures, and what an operator's file may change in them."""

from collections.abc import Iterator
from dataclasses import astuple, fields, replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from webapp import config
from webapp.config import read_settings
from webapp.domain.plans.plans import PLANS, Plan, plan_named, plan_table
from webapp.errors import ConfigError
from webapp.models.usage import Metric

MIB = 1024 * 1024


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """The file that PENNYPOST_PLANS names."""
    file = tmp_path / "plans.json"
    found = read_settings({"PENNYPOST_DATA_DIR": str(tmp_path)})
    config.configure(replace(found, plans_file=file))
    yield file
    config.configure(found)


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("free", (2, 1_000, 10_000, 10, 1, 50 * MIB, 10, 3_000, 3_000, False, False, 10, 20, 5_000, 3)),
        ("basic", (10, 25_000, 100_000, 100, 5, 500 * MIB, 100, 50_000, 15_000, True, False, 25, 50, 25_000, 14)),
        ("scale", (50, 250_000, 1_000_000, 1_000, 25, 5_000 * MIB, 1_000, 1_000_000, 75_000, True, True, 100, 200,
                   500_000, 30)),
        ("enterprise", (None, None, None, None, None, None, None, None, None, True, True, 500, 1_000, None, 365)),
    ],
)  # fmt: skip
def test_the_built_in_plans_are_those_of_the_contract(tmp_path: Path, name: str, limits: tuple[Any, ...]) -> None:
    config.configure(read_settings({"PENNYPOST_DATA_DIR": str(tmp_path)}))
    assert astuple(plan_named(name)) == (name, *limits)
    assert list(plan_table()) == ["free", "basic", "scale", "enterprise"]


def test_a_file_changes_what_it_names_and_nothing_else(file: Path) -> None:
    file.write_bytes(orjson.dumps({"free": {"max_contacts": 7, "max_accounts": None, "allow_automation": True}}))
    changed = replace(PLANS["free"], max_contacts=7, max_accounts=None, allow_automation=True)
    assert plan_table() == {**PLANS, "free": changed}


def test_a_plan_of_ones_own_starts_from_the_largest(file: Path) -> None:
    file.write_bytes(orjson.dumps({"gold": {"burst": 5}, "Ünique plan": {}}))
    assert plan_named("gold") == replace(PLANS["enterprise"], name="gold", burst=5)
    assert list(plan_table()) == [*PLANS, "gold", "Ünique plan"]


def test_a_plan_that_was_taken_out_of_the_file_is_named(file: Path) -> None:
    file.write_text("{}")
    with pytest.raises(ConfigError, match="PENNYPOST_PLANS has no plan gold, but an organization is on it"):
        plan_named("gold")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cannot be read as JSON"),
        ('{"free": 7}', "must be an object of plans"),
        ('{"free": {"max_contact": 7}}', "free has no limit max_contact"),
        ('{"two\\nlines": {}}', "is not a valid plan name"),
        ('{"free": {"max_contacts": -1}}', "max_contacts of free cannot be "),
        ('{"free": {"max_contacts": "7"}}', "max_contacts of free cannot be "),
        ('{"free": {"burst": 0}}', "burst of free cannot be "),
        ('{"free": {"allow_automation": 1}}', "allow_automation of free cannot be "),
    ],
)
def test_a_file_that_says_nothing_sensible_is_refused_in_a_line(file: Path, text: str, words: str) -> None:
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=words) as refused:
        plan_table()
    assert "\n" not in str(refused.value)


def test_every_limit_that_is_counted_is_one_of_the_plans() -> None:
    assert {str(metric) for metric in Metric} <= {field.name for field in fields(Plan)}
