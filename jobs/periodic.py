"""The table of periodic work, which arq's cron runs, or FallbackCron without Redis; running it twice is safe."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from jobs.reader_mail import mail_readers
from webapp import clock
from webapp.backoff import Backoff
from webapp.config import Settings
from webapp.domain import metrics
from webapp.domain.api_requests import idempotency
from webapp.domain.auth import one_time_links, sessions
from webapp.domain.bounces import reading
from webapp.domain.campaigns import campaigns, run_rows, runs, scheduler, stop
from webapp.domain.contacts import bulk, consent, filter_refresh
from webapp.domain.delivery import recovery, renewal
from webapp.domain.forms import floods, sign_up
from webapp.domain.from_checks import checking
from webapp.domain.home import daily_chart
from webapp.domain.imports import undo, worker
from webapp.domain.instance import retention, totals, workers
from webapp.domain.media import files
from webapp.domain.notifications import notifications
from webapp.domain.personal_data import erase
from webapp.domain.reader_mail import queue
from webapp.domain.segments import google_sheet_sync, segments, watch
from webapp.domain.team import invitations
from webapp.domain.templates import brand
from webapp.domain.topics import topics
from webapp.domain.tracking import judging
from webapp.domain.webhooks import webhooks

log = logging.getLogger(__name__)

ROWS_SECONDS = 4.0  # so that work ends before it is due again
TICK_SECONDS = 0.5
OVERDUE, OVERDUE_SECONDS = 4, 60.0  # periods, and the least; arq pauses for a while after the clock was changed


@dataclass(frozen=True)
class Periodic:
    """Work and its period in seconds, a divisor of a minute or whole minutes."""

    name: str
    seconds: int
    run: Callable[[], Awaitable[object]]


DELETIONS = [
    Periodic("prune", 600, retention.prune),
    Periodic("drop_unnamed_files", 600, files.drop_unnamed),
    Periodic("forget_old_imports", 3600, undo.forget_old_imports),
    Periodic("forget_dead_workers", 3600, workers.forget_dead_workers),
    Periodic("forget_old_links", 600, one_time_links.forget_old_links),
    Periodic("expire_sign_ups", 600, sign_up.expire_sign_ups),
    Periodic("forget_old_reader_mail", 3600, queue.forget_old_mail),
    Periodic("forget_old_notifications", 3600, notifications.forget_old_notifications),
    Periodic("forget_old_invitations", 3600, invitations.forget_old_invitations),
    Periodic("forget_old_sessions", 3600, sessions.forget_old_sessions),
    Periodic("forget_old_keys", 3600, idempotency.forget_old_keys),
]


def periodic_work(settings: Settings, reclaim: Callable[[], Awaitable[None]]) -> list[Periodic]:
    longest = max(settings.lease_seconds // 6, 1)
    reclaim_seconds = max(number for number in range(1, 61) if 60 % number == 0 and number <= longest)
    return [
        Periodic("reclaim", reclaim_seconds, reclaim),
        Periodic("free_what_is_locked", 5, recovery.kill_idle_transactions),
        Periodic("write_consent", 10, consent.write_waiting),
        Periodic("fire_schedules", 10, scheduler.run_due_schedules),
        Periodic("release_deferred", 10, recovery.release_deferred),
        Periodic("halt_waiting", 10, stop.finish_halts),
        Periodic("end_resumes", 10, stop.finish_resumes),
        Periodic("fail_given_up", 10, stop.finish_given_up),
        Periodic("make_rows", 5, lambda: run_rows.create_pending_rows(ROWS_SECONDS)),
        Periodic("work_on_imports", 5, lambda: worker.process_pending(ROWS_SECONDS)),
        Periodic("settle_webhooks", 10, lambda: webhooks.finish_settling(ROWS_SECONDS)),
        Periodic("delete_segments", 10, lambda: segments.finish_deleting(ROWS_SECONDS)),
        Periodic("delete_topics", 10, lambda: topics.finish_deleting(ROWS_SECONDS)),
        Periodic("compare_segments", 60, lambda: watch.compare_segments(ROWS_SECONDS)),
        Periodic("work_on_changes", 5, lambda: bulk.process_pending(ROWS_SECONDS)),
        Periodic("erase_people", 5, lambda: erase.process_pending(ROWS_SECONDS)),
        Periodic("refresh_filters", 60, lambda: filter_refresh.refresh_filters(ROWS_SECONDS)),
        Periodic("compile_templates", 10, lambda: brand.finish_compiling(ROWS_SECONDS)),
        Periodic("finish_runs", 10, runs.finish_runs),
        Periodic("count_runs", 10, lambda: runs.keep_counts(ROWS_SECONDS)),
        Periodic("defer_runs", 10, run_rows.defer_runs),
        Periodic("halt_incomplete", 10, campaigns.halt_incomplete),
        Periodic("read_due_sheets", 60, google_sheet_sync.read_due),
        Periodic("read_bounces", 60, reading.read_due),
        Periodic("check_from_addresses", 60, checking.check_due),
        Periodic("renew_sign_ins", 600, renewal.renew_due),
        Periodic("judge_hits", judging.EVERY.seconds, lambda: judging.judge_hits(ROWS_SECONDS)),
        Periodic("mail_waiting_links", 10, one_time_links.send_requested_links),
        Periodic("mail_waiting_readers", 10, mail_readers),
        Periodic("mail_notifications", 10, notifications.send_notifications),
        Periodic("fail_hopeless", 60, recovery.fail_expired),
        Periodic("count_days", 60, lambda: daily_chart.refresh_counts(ROWS_SECONDS)),
        Periodic("save_outcomes", 60, lambda: metrics.save_past_days(ROWS_SECONDS)),
        Periodic("fold_totals", 2, totals.fold_deltas),
        Periodic("recount_totals", 3600, totals.recount),
        Periodic("guard_flooded_forms", 60, floods.guard_flooded_forms),
        *DELETIONS,
    ]


class FallbackCron:
    """Runs work that is due while arq is away, or that is overdue; no work runs twice at the same time."""

    def __init__(self, table: Sequence[Periodic], is_arq_up: Callable[[], bool]) -> None:
        self._table = table
        self._is_arq_up = is_arq_up
        self._fired_at = {piece.name: clock.elapsed() for piece in table}
        self._active: set[str] = set()
        self._failures: Backoff[str] = Backoff(log, "periodic work")

    async def run(self) -> None:
        async with asyncio.TaskGroup() as fired:
            while True:
                await asyncio.sleep(TICK_SECONDS)
                for piece in self._table:
                    overdue = max(OVERDUE * piece.seconds, OVERDUE_SECONDS)
                    delay = overdue if self._is_arq_up() else piece.seconds
                    if clock.elapsed() - self._fired_at[piece.name] >= delay:
                        fired.create_task(self.fire(piece))

    async def fire(self, piece: Periodic) -> None:
        self._fired_at[piece.name] = clock.elapsed()
        if piece.name in self._active or not self._failures.is_due(piece.name):
            return
        self._active.add(piece.name)
        try:
            await self._failures.attempt(piece.name, piece.run, piece=piece.name)
        finally:
            self._active.discard(piece.name)
