"""Unsent mail in a restored database, which may have been sent after the backup."""

from typing import NamedTuple

from webapp import db
from webapp.models.outbox.transitions import transition

ROWS_AT_ONCE = 2_000
# Rows of emails that are due later and were never tried cannot have been sent.
MAY_BE_SENT = "campaign_run_id IS NULL AND NOT (status = 'pending' AND attempts + crashes + unknowns = 0 AND {ahead})"


class RestoreSummary(NamedTuple):
    waiting: int
    emails: int
    campaign_mails: int
    campaigns: int
    keys: int


async def halt_emails(reason: str) -> None:
    """Halts unsent emails that may have been sent already. Call it in a transaction."""
    condition, change = MAY_BE_SENT.format(ahead=f"next_attempt_at > {db.dialect().now}"), "error = $2"
    for status in ("pending", "deferred"):
        while await transition(
            status, "halted", condition, reason, sets=change, cause=reason, limit=ROWS_AT_ONCE, wait=True
        ):
            pass


async def summarize_restore(reason: str) -> RestoreSummary:
    query = f"""SELECT
        (SELECT COUNT(*) FROM mail_logs WHERE status IN ('pending', 'sending', 'deferred')) AS waiting,
        (SELECT COUNT(*) FROM mail_logs WHERE status = 'halted' AND error = $1) AS emails,
        (SELECT COUNT(*) FROM mail_logs WHERE status = 'halted' AND campaign_run_id IN (
           SELECT id FROM campaign_runs WHERE status = 'halted' AND halted_reason = $1)) AS campaign_mails,
        (SELECT COUNT(*) FROM campaigns WHERE status = 'halted' AND halted_reason = $1) AS campaigns,
        (SELECT COUNT(*) FROM api_keys
         WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > {db.dialect().now})) AS keys"""
    (row,) = await db.fetch(query, reason)
    return RestoreSummary(**row)
