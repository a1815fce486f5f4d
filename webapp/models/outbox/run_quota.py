"""The daily quotas left to the accounts of active runs."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.models.mail_log import MailStatus
from webapp.models.outbox.due_accounts import ACCOUNT_CAN_SEND_RUN
from webapp.models.outbox.runs import has_rows


class RunAccount(NamedTuple):
    run_id: UUID
    account_id: UUID
    timezone: str
    limit: int
    has_deferred: bool  # whether rows of the run wait for another day


async def accounts_of_runs() -> list[RunAccount]:
    """The active accounts that can send rows of active runs, run by run; they may be backing off."""
    rows = await db.fetch(
        f"""SELECT r.id AS run_id, a.id AS account_id, o.timezone, a.daily_mail_limit,
             {has_rows("r.id", MailStatus.DEFERRED)} AS has_deferred
           FROM campaign_runs r JOIN campaign_run_accounts ra ON ra.run_id = r.id
           JOIN accounts a ON a.id = ra.account_id JOIN organizations o ON o.id = a.org_id
           WHERE r.status = 'sending' AND a.status = 'active' AND {ACCOUNT_CAN_SEND_RUN} ORDER BY r.id, a.id"""
    )
    return [
        RunAccount(
            dialects.as_uuid(row["run_id"]),
            dialects.as_uuid(row["account_id"]),
            row["timezone"],
            row["daily_mail_limit"],
            bool(row["has_deferred"]),
        )
        for row in rows
    ]


async def left_of(days: Iterable[tuple[UUID, date]]) -> dict[tuple[UUID, date], int]:
    """The recipients that may still be claimed; a missing key has its whole quota."""
    records = [{"account_id": account_id, "day": day} for account_id, day in days]
    rows = await db.fetch(
        f"""SELECT u.account_id, u.day, CASE WHEN u.is_full OR u.used > a.daily_mail_limit THEN 0
              ELSE a.daily_mail_limit - u.used END AS free
            FROM account_usage u JOIN accounts a ON a.id = u.account_id
            JOIN {db.dialect().records("$1", {"account_id": "uuid", "day": "date"})}
            ON u.account_id = k.account_id AND u.day = k.day""",
        dialects.json_records(records),
    )
    return {(dialects.as_uuid(row["account_id"]), date.fromisoformat(str(row["day"]))): row["free"] for row in rows}
