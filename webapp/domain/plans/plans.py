"""The table of plans, which the operator's file may change."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StrictBool, StrictInt, TypeAdapter
from pydantic import ValidationError as PydanticError

from webapp.config import settings
from webapp.errors import ConfigError

MEGABYTE = 1024 * 1024
SUPPRESSIONS_PER_CONTACT, LEAST_SUPPRESSIONS = 4, 10_000
Count = Annotated[StrictInt, Field(ge=0, le=2**53 - 1)]  # exact in JSON, Lua and the database
Rate = Annotated[StrictInt, Field(ge=1, le=1_000_000)]  # also for days


@dataclass(frozen=True)
class Plan:
    """None is unlimited; retention is in rows and days."""

    name: str
    max_accounts: Count | None
    max_contacts: Count | None
    max_suppressions: Count | None
    max_templates: Count | None
    max_webhooks: Count | None
    media_bytes: Count | None
    max_campaigns_per_month: Count | None
    monthly_email_quota: Count | None
    api_requests_per_month: Count | None
    allow_automation: StrictBool
    allow_google_sheet_sync: StrictBool
    requests_per_second: Rate
    burst: Rate
    kept_rows: Count | None
    kept_days: Rate


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
    for limit in limits:
        if limit not in known or limit == "name":
            raise ConfigError(f"PENNYPOST_PLANS: {name} has no limit {limit}")
    try:
        plan = TypeAdapter(Plan).validate_python({**known, **limits, "name": name})
    except PydanticError as error:
        limit = str(error.errors()[0]["loc"][0])
        raise ConfigError(f"PENNYPOST_PLANS: {limit} of {name} cannot be {json.dumps(limits[limit])}") from None
    if "max_contacts" in limits and "max_suppressions" not in limits:
        contacts = plan.max_contacts  # the list of suppressions outlives them, so it allows several times as many
        most = None if contacts is None else max(SUPPRESSIONS_PER_CONTACT * contacts, LEAST_SUPPRESSIONS)
        return replace(plan, max_suppressions=most)
    return plan
