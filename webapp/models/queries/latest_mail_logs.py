"""Finds the mail logs that changed last."""

from datetime import datetime
from uuid import UUID

from webapp import db
from webapp.db.dialects import as_instant, as_uuid
from webapp.models.mail_log import FAILED, SENDING, SENT, MailStatus

RECENT = 40  # newest rows by ID in each state, which include those that changed last
BEING_SENT = 3  # of hundreds that workers may have claimed, so that outcomes are seen too
FAILED_AT = "(SELECT e.created_at FROM mail_events e WHERE e.mail_log_id = m.id ORDER BY e.id DESC LIMIT 1)"


async def latest_mail_logs(org_id: UUID, count: int) -> dict[UUID, datetime | None]:
    """Some rows being sent, those sent or failed last with that time, and then the newest waiting ones."""
    rows = await db.fetch(latest_rows(), org_id, RECENT, count)
    return {as_uuid(row["id"]): (at := row["changed_at"]) and as_instant(at) for row in rows}


def latest_rows() -> str:
    """BETWEEN and ORDER BY leave the planner only the index by status."""
    now = db.dialect().now
    times = {SENDING: now, SENT: "COALESCE(sent_at, created_at)", FAILED: f"COALESCE({FAILED_AT}, created_at)"}
    of_each = " UNION ALL ".join(
        f"""SELECT * FROM (SELECT id, {times.get(status, f"CASE WHEN false THEN {now} END")} AS changed_at
            FROM mail_logs m WHERE org_id = $1 AND status BETWEEN '{status}' AND '{status}'
            ORDER BY status DESC, id DESC LIMIT {BEING_SENT if status == SENDING else "$2"}) {status}"""
        for status in MailStatus
    )
    return f"SELECT id, changed_at FROM ({of_each}) m ORDER BY changed_at IS NULL, changed_at DESC, id DESC LIMIT $3"
