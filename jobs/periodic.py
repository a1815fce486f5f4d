"""Everything periodic, in one table. arq's cron fires it, the ticker while Redis is away; firing twice is safe."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from webapp.config import Settings
from webapp.domain import (
    campaigns,
    consent,
    day_counts,
    deferrals,
    idempotency,
    import_pruning,
    import_work,
    invitations,
    link_mails,
    mailed_links,
    materialising,
    recovery,
    retention,
    runs,
    scheduler,
    sessions,
    sheet_sync,
    stops,
    workers,
)

ROWS_SECONDS = 4.0  # a firing ends before the next one is due


@dataclass(frozen=True)
class Periodic:
    """A piece of work and the seconds between two firings, a divisor of a minute or a number of whole minutes."""

    name: str
    seconds: int
    work: Callable[[], Awaitable[object]]


def periodic_work(settings: Settings, reclaim: Callable[[], Awaitable[None]]) -> list[Periodic]:
    """The table; `reclaim` takes back the rows of dead workers, and knows those that this process is sending."""
    return [
        Periodic("reclaim", _divisor_of_a_minute(settings.lease_seconds // 6), reclaim),
        Periodic("free_what_is_locked", 5, recovery.free_what_is_locked),
        Periodic("write_consent", 10, consent.write_waiting),
        Periodic("fire_schedules", 10, scheduler.fire_due),
        Periodic("release_deferred", 10, recovery.release_deferred),
        Periodic("halt_waiting", 10, stops.halt_waiting),
        Periodic("end_resumes", 10, stops.end_resumes),
        Periodic("make_rows", 5, lambda: materialising.make_waiting(ROWS_SECONDS)),
        Periodic("work_on_imports", 5, lambda: import_work.work_waiting(ROWS_SECONDS)),
        Periodic("finish_runs", 10, runs.finish_runs),
        Periodic("count_runs", 10, lambda: runs.keep_counts(ROWS_SECONDS)),
        Periodic("defer_runs", 10, deferrals.defer_runs),
        Periodic("halt_incomplete", 10, campaigns.halt_incomplete),
        Periodic("read_due_sheets", 60, sheet_sync.read_due),
        Periodic("mail_waiting_links", 10, link_mails.mail_asked_links),
        Periodic("fail_hopeless", 60, recovery.fail_hopeless),
        Periodic("count_days", 60, lambda: day_counts.keep_counts(ROWS_SECONDS)),
        Periodic("prune", 600, retention.prune),
        Periodic("forget_old_imports", 3600, import_pruning.forget_old_imports),
        Periodic("forget_dead_workers", 3600, workers.forget_dead_workers),
        Periodic("forget_old_links", 600, mailed_links.forget_old_links),
        Periodic("forget_old_invitations", 3600, invitations.forget_old_invitations),
        Periodic("forget_old_sessions", 3600, sessions.forget_old_sessions),
        Periodic("forget_old_keys", 3600, idempotency.forget_old_keys),
    ]


def _divisor_of_a_minute(seconds: int) -> int:
    """The largest divisor of 60 that is at most `seconds`."""
    return max(number for number in range(1, 61) if 60 % number == 0 and number <= max(seconds, 1))
