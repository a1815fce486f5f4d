"""The plans and their limits: the one table."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """Limits of a plan; None is unlimited. Retention is in rows and days."""

    name: str
    max_accounts: int | None
    max_contacts: int | None
    max_templates: int | None
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
        Plan("free", 2, 1_000, 10, 10, 3_000, 3_000, False, False, 10, 20, 5_000, 3),
        Plan("basic", 10, 25_000, 100, 100, 50_000, 15_000, True, False, 25, 50, 25_000, 14),
        Plan("scale", 50, 250_000, 1_000, 1_000, 1_000_000, 75_000, True, True, 100, 200, 500_000, 30),
        Plan("enterprise", None, None, None, None, None, None, True, True, 500, 1_000, None, 365),
    )
}
SELF_HOSTED = "enterprise"  # what an organization of one's own instance starts on
