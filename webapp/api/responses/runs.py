"""Campaign runs."""

from typing import Any, Literal
from uuid import UUID

from typing_extensions import TypedDict

from webapp.api.responses.common import Time, maybe_time, time
from webapp.domain.campaigns.runs import RunView


class Run(TypedDict):
    """One sending of a campaign, with the number of its mail logs in each state."""

    id: UUID
    campaign_id: UUID
    status: Literal["sending", "completed", "halted"]
    trigger: Literal["api", "dashboard", "schedule", "retry"]
    started_at: Time | None
    finished_at: Time | None
    created_at: Time
    total: int
    pending: int
    sending: int
    sent: int
    failed: int
    deferred: int
    halted: int


def run(view: RunView) -> Run:
    """A run; `total` is the sum of the other counts."""
    row: Any = view.run
    counts = view.counts
    return {
        "id": row.id,
        "campaign_id": row.campaign_id,
        "status": row.status,
        "trigger": row.trigger,
        "started_at": maybe_time(row.started_at),
        "finished_at": maybe_time(row.finished_at),
        "created_at": time(row.created_at),
        "total": sum(counts.values()),
        "pending": counts["pending"],
        "sending": counts["sending"],
        "sent": counts["sent"],
        "failed": counts["failed"],
        "deferred": counts["deferred"],
        "halted": counts["halted"],
    }
