"""The table of plans, which the operator's file may change."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from webapp.config import settings
from webapp.errors import ConfigError

MEGABYTE = 1024 * 1024
SUPPRESSIONS_PER_CONTACT, LEAST_SUPPRESSIONS = 4, 10_000


@dataclass(frozen=True)
class Plan:
    """None is unlimited; retention is in rows and days."""

    name: str
    max_accounts: int | None
    max_contacts: int | None
    max_suppressions: int | None
    max_templates: int | None
    max_webhooks: int | None
    media_bytes: int | None
    max_campaigns_per_month: int | None
    monthly_email_quota: int | None
    api_requests_per_month: int | None
    allow_automation: bool
    allow_google_sheet_sync: bool
    requests_per_second: int
    burst: int
    kept_rows: int | None
    kept_days: int


PLANS = {
    plan.name: plan
    for plan in (
        Plan("free", 2, 1_000, 10_000, 10, 1, 50 * MEGABYTE, 10, 3_000, 3_000, False, False, 10, 20, 5_000, 3),
        Plan(
            "basic", 10, 25_000, 100_000, 100, 5, 500 * MEGABYTE, 100, 50_000, 15_000, True, False, 25, 50, 25_000, 14
        ),
        Plan(
            "scale",
            50,
            250_000,
            1_000_000,
            1_000,
            25,
            5_000 * MEGABYTE,
            1_000,
            1_000_000,
            75_000,
            True,
            True,
            100,
            200,
            500_000,
            30,
        ),
        Plan("enterprise", None, None, None, None, None, None, None, None, None, True, True, 500, 1_000, None, 365),
    )
}
LONGEST_NAME = 16  # the column's
HIGHEST_COUNT = 2**53 - 1  # exact in JSON, Lua and the database
HIGHEST_RATE = 1_000_000  # also for days
SELF_HOSTED = "enterprise"  # the plan of an instance's first organization


def plan_table() -> Mapping[str, Plan]:
    """PLANS with the changes in the file of PENNYPOST_PLANS. Raises ConfigError for an invalid file."""
    file = settings().plans_file
    return PLANS if file is None else _read(file)


def plan_named(name: str) -> Plan:
    """Raises ConfigError if the operator has removed the plan."""
    plan = plan_table().get(name)
    if plan is None:
        raise ConfigError(f"PENNYPOST_PLANS has no plan {name}, but an organization is on it")
    return plan


@lru_cache(maxsize=8)
def _read(file: Path) -> Mapping[str, Plan]:
    try:
        table = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise ConfigError(f"PENNYPOST_PLANS: {file} cannot be read as JSON: {error}") from None
    if not isinstance(table, dict) or not all(isinstance(limits, dict) for limits in table.values()):
        raise ConfigError(f"PENNYPOST_PLANS: {file} must be an object of plans, each an object of limits")
    return PLANS | {name: _plan(name, limits) for name, limits in table.items()}


def _plan(name: str, limits: Mapping[str, Any]) -> Plan:
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable()):
        raise ConfigError(
            f"PENNYPOST_PLANS: {json.dumps(name)} is not a valid plan name: use 1 to {LONGEST_NAME} characters"
        )
    known = asdict(PLANS.get(name, PLANS[SELF_HOSTED]))
    if _fits("max_contacts", limits.get("max_contacts", True)):
        known["max_suppressions"] = _room_for_suppressions(limits["max_contacts"])
    for limit, value in limits.items():
        if limit not in known or limit == "name":
            raise ConfigError(f"PENNYPOST_PLANS: {name} has no limit {limit}")
        if not _fits(limit, value):
            raise ConfigError(f"PENNYPOST_PLANS: {limit} of {name} cannot be {json.dumps(value)}")
    return Plan(**{**known, **limits, "name": name})


def _room_for_suppressions(max_contacts: int | None) -> int | None:
    """The list outlives contacts, so it allows several times as many."""
    return None if max_contacts is None else max(SUPPRESSIONS_PER_CONTACT * max_contacts, LEAST_SUPPRESSIONS)


def _fits(limit: str, value: Any) -> bool:
    kinds = KINDS[limit]
    if value is None or isinstance(value, bool):
        return type(value) in kinds
    is_rate = limit in ("requests_per_second", "burst", "kept_days")
    lowest, highest = (1, HIGHEST_RATE) if is_rate else (0, HIGHEST_COUNT)
    return isinstance(value, int) and int in kinds and lowest <= value <= highest


KINDS = {name: get_args(kind) or (kind,) for name, kind in get_type_hints(Plan).items()}
