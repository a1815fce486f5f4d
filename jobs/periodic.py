"""All periodic work, in one table: arq's cron runs it, or the fallback without Redis; running it twice is safe."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from webapp.config import Settings
from webapp.domain.api_requests import idempotency
from webapp.domain.auth import one_time_link_emails, one_time_links, sessions
from webapp.domain.campaigns import campaigns, run_deferrals, run_rows, runs, scheduler, stop
from webapp.domain.contacts import consent
from webapp.domain.delivery import recovery
from webapp.domain.home import daily_chart
from webapp.domain.imports import cleanup, worker
from webapp.domain.instance import retention, workers
from webapp.domain.segments import google_sheet_sync
from webapp.domain.team import invitations

ROWS_SECONDS = 4.0  # so that a run ends before the next one is due


@dataclass(frozen=True)
class Periodic:
    """Work and its period in seconds, a divisor of a minute or whole minutes."""

    name: str
    seconds: int
    run: Callable[[], Awaitable[object]]


def periodic_work(settings: Settings, reclaim: Callable[[], Awaitable[None]]) -> list[Periodic]:
    return [
        Periodic("reclaim", _divisor_of_a_minute(settings.lease_seconds // 6), reclaim),
        Periodic("free_what_is_locked", 5, recovery.kill_idle_transactions),
        Periodic("write_consent", 10, consent.write_waiting),
        Periodic("fire_schedules", 10, scheduler.run_due_schedules),
        Periodic("release_deferred", 10, recovery.release_deferred),
        Periodic("halt_waiting", 10, stop.finish_halts),
        Periodic("end_resumes", 10, stop.finish_resumes),
        Periodic("make_rows", 5, lambda: run_rows.create_pending_rows(ROWS_SECONDS)),
        Periodic("work_on_imports", 5, lambda: worker.process_pending(ROWS_SECONDS)),
        Periodic("finish_runs", 10, runs.finish_runs),
        Periodic("count_runs", 10, lambda: runs.keep_counts(ROWS_SECONDS)),
        Periodic("defer_runs", 10, run_deferrals.defer_runs),
        Periodic("halt_incomplete", 10, campaigns.halt_incomplete),
        Periodic("read_due_sheets", 60, google_sheet_sync.read_due),
        Periodic("mail_waiting_links", 10, one_time_link_emails.send_requested_links),
        Periodic("fail_hopeless", 60, recovery.fail_expired),
        Periodic("count_days", 60, lambda: daily_chart.refresh_counts(ROWS_SECONDS)),
        Periodic("prune", 600, retention.prune),
        Periodic("forget_old_imports", 3600, cleanup.forget_old_imports),
        Periodic("forget_dead_workers", 3600, workers.forget_dead_workers),
        Periodic("forget_old_links", 600, one_time_links.forget_old_links),
        Periodic("forget_old_invitations", 3600, invitations.forget_old_invitations),
        Periodic("forget_old_sessions", 3600, sessions.forget_old_sessions),
        Periodic("forget_old_keys", 3600, idempotency.forget_old_keys),
    ]


def _divisor_of_a_minute(seconds: int) -> int:
    return max(number for number in range(1, 61) if 60 % number == 0 and number <= max(seconds, 1))
