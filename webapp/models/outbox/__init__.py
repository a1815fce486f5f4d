"""The outbox: the hot statements over mail_logs, in SQL, for both databases.

`mail_logs` is the queue. A worker claims rows under a lease, extends the lease while it works and settles each row with
its outcome; a row with an expired lease is claimed again. Every statement names the status it expects, and one that
comes too late changes nothing. Leases and due times go by the database's clock.
"""

from webapp.models.outbox.cancel_email import Halt, halt_email
from webapp.models.outbox.claims import Claimed, claim
from webapp.models.outbox.composes import EXPIRED, compose_due_at, fail_in_flight, final_outcomes, withdraw
from webapp.models.outbox.daily_quota import (
    RunAccount,
    accounts_of_runs,
    block_claims,
    clear_exhausted,
    exhaust,
    left_of,
    lock_quota,
    rebase_days,
)
from webapp.models.outbox.due import ClaimCursors, DueAccount, due_accounts
from webapp.models.outbox.failures import (
    fail_expired,
    fail_rows_of_account,
    fail_rows_of_deleted_accounts,
    fail_runs_without_accounts,
)
from webapp.models.outbox.insert import NewRow, add_rows, release_deferred, release_deferred_of
from webapp.models.outbox.leases import extend_leases, is_any_leased, reclaim, reclaim_all
from webapp.models.outbox.restore import RestoreSummary, halt_emails, halt_runs, summarize_restore
from webapp.models.outbox.run_rows import (
    analyze_once,
    count_audience,
    create_rows,
    has_retryable_rows,
    incomplete_runs,
    is_starved,
)
from webapp.models.outbox.runs import (
    REFRESH_SECONDS,
    count_pending,
    count_rows,
    defer_rows,
    end_resume,
    ended_uncounted,
    finish_runs,
    halt_rows,
    halt_run,
    halted_with_waiting_rows,
    is_any_unfinished,
    release_halted,
    release_rows,
    resume_run,
    resumed_with_halted_rows,
    run_epochs,
    save_counts,
)
from webapp.models.outbox.settlements import Settlement, record_use, settle

__all__ = [
    "EXPIRED",
    "REFRESH_SECONDS",
    "ClaimCursors",
    "Claimed",
    "DueAccount",
    "Halt",
    "NewRow",
    "RestoreSummary",
    "RunAccount",
    "Settlement",
    "accounts_of_runs",
    "add_rows",
    "analyze_once",
    "block_claims",
    "claim",
    "clear_exhausted",
    "compose_due_at",
    "count_audience",
    "count_pending",
    "count_rows",
    "create_rows",
    "defer_rows",
    "due_accounts",
    "end_resume",
    "ended_uncounted",
    "exhaust",
    "extend_leases",
    "fail_expired",
    "fail_in_flight",
    "fail_rows_of_account",
    "fail_rows_of_deleted_accounts",
    "fail_runs_without_accounts",
    "final_outcomes",
    "finish_runs",
    "halt_email",
    "halt_emails",
    "halt_rows",
    "halt_run",
    "halt_runs",
    "halted_with_waiting_rows",
    "has_retryable_rows",
    "incomplete_runs",
    "is_any_leased",
    "is_any_unfinished",
    "is_starved",
    "left_of",
    "lock_quota",
    "rebase_days",
    "reclaim",
    "reclaim_all",
    "record_use",
    "release_deferred",
    "release_deferred_of",
    "release_halted",
    "release_rows",
    "resume_run",
    "resumed_with_halted_rows",
    "run_epochs",
    "save_counts",
    "settle",
    "summarize_restore",
    "withdraw",
]
