"""The rows that retention may delete: final ones beyond what the plan keeps."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from webapp.models.row import id_lower_bound

NOTHING, EVERYTHING = UUID(int=0), UUID(int=2**128 - 1)

# Of the row `m`. Its run can be resumed while the campaign is there; a retry reads what failed while it makes its rows.
FINAL = (
    "m.status = 'sent'",
    """m.status = 'failed' AND NOT EXISTS (
       SELECT 1 FROM campaign_runs x WHERE x.retried_run_id = m.campaign_run_id AND NOT x.materialised)""",
    """m.status = 'halted' AND NOT EXISTS (
       SELECT 1 FROM campaign_runs r WHERE r.id = m.campaign_run_id AND (r.status = 'sending'
         OR r.status = 'halted' AND EXISTS (SELECT 1 FROM campaigns c WHERE c.id = r.campaign_id)))""",
)
IS_FINAL = f"({' OR '.join(FINAL)})"
# Of a final row `m`: beyond the rows ($2), or beyond the days ($3), which count from its end and not from when it was
# queued. A row that was not sent ended when it was last claimed, or due; the rows of a compose end when they are made.
IS_OVER = """(m.id < $2 OR m.id < $3 AND (m.kind = 'compose' OR CASE WHEN m.sent_at IS NOT NULL THEN m.sent_at < $4
    ELSE m.next_attempt_at < $4 AND (m.cap_day IS NULL OR m.cap_day < $5) END))"""


@dataclass(frozen=True)
class Bounds:
    """Rows with an id below `rows`, and those that ended before `ended`, are deleted.

    `day` is that of `ended` in `timezone`; rows since `month`, its first instant in UTC, still count towards its quota.
    """

    org_id: UUID
    timezone: str
    rows: UUID
    ended: datetime
    day: date
    month: datetime

    @property
    def days(self) -> UUID:
        return id_lower_bound(self.ended)

    @property
    def end(self) -> UUID:
        """The first id that stays in any case."""
        return max(self.rows, self.days)

    @property
    def values(self) -> list[Any]:
        return [self.org_id, self.rows, self.days, self.ended, self.day]
