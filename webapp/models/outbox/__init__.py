"""The outbox: the hot statements over mail_logs, in SQL, for both dialects.

`mail_logs` is the queue. A worker claims rows for a lease, keeps the lease alive while it works and settles each row
with its outcome; a row whose lease ran out is claimed again. Every statement names the state it expects, and one that
comes too late changes nothing. Leases and due times are read off the database's clock.
"""

from webapp.models.outbox.claims import Claimed, DueAccount, claim, due_accounts
from webapp.models.outbox.days import hold_claims
from webapp.models.outbox.failures import fail_hopeless, fail_orphans, fail_rows_of_account
from webapp.models.outbox.leases import Reclaimed, extend_leases, reclaim, reclaim_all
from webapp.models.outbox.rows import NewRow, add_rows, release_deferred, release_deferred_of
from webapp.models.outbox.settlements import Settlement, note_use, settle
from webapp.models.outbox.stops import run_epochs

__all__ = [
    "Claimed",
    "DueAccount",
    "NewRow",
    "Reclaimed",
    "Settlement",
    "add_rows",
    "claim",
    "due_accounts",
    "extend_leases",
    "fail_hopeless",
    "fail_orphans",
    "fail_rows_of_account",
    "hold_claims",
    "note_use",
    "reclaim",
    "reclaim_all",
    "release_deferred",
    "release_deferred_of",
    "run_epochs",
    "settle",
]
