"""Fails rows without another try, because their account was deleted or never works."""

from typing import Any
from uuid import UUID

from webapp import db
from webapp.models.outbox.due import ACCOUNT_CAN_SEND_RUN, HAS_ADDRESS
from webapp.models.outbox.transitions import Transition, add_transitions

FAILED_AT_ONCE = 5_000


async def fail_rows_of_account(account_id: UUID, reason: str) -> None:
    for status in ("pending", "deferred"):
        while await _fail(status, "SELECT id, $2 AS reason FROM mail_logs WHERE account_id = $3", reason, account_id):
            pass


async def fail_rows_of_deleted_accounts() -> None:
    """Fails the rows of deleted accounts, and those of runs whose accounts were all deleted; commits."""
    await _fail(
        "pending",
        """SELECT id, $2 AS reason FROM mail_logs WHERE account_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM accounts a
                           WHERE a.id = mail_logs.account_id AND a.org_id = mail_logs.org_id)""",
        "the account was deleted",
    )
    stranded = """NOT EXISTS (SELECT 1 FROM campaign_run_accounts ra JOIN accounts a ON a.id = ra.account_id
                              WHERE ra.run_id = r.id AND a.org_id = r.org_id)"""
    for run_id in await _runs_that_send(stranded):
        for status in ("pending", "deferred"):
            while await _fail(status, _rows_of(stranded, "$3"), "every account of this run was deleted", run_id):
                pass


async def fail_expired(seconds: float) -> None:
    """Fails rows that are due for `seconds` on accounts failing for as long.

    Rows of a run fail if all its accounts are paused or failing for as long, unless all with an address are paused.
    """
    query = f"""SELECT a.id FROM accounts a WHERE {_fails_for("$1")} AND (
          SELECT m.id FROM mail_logs m WHERE m.account_id = a.id AND m.status = 'pending'
          ORDER BY m.next_attempt_at LIMIT 1) IS NOT NULL"""
    accounts = await db.fetch_ids(query, seconds)
    of_account = f"""SELECT mail_logs.id, $2 || ': ' || COALESCE(a.last_error, 'it does not work') AS reason
                     FROM accounts a JOIN mail_logs ON mail_logs.account_id = a.id
                     WHERE a.id = $4 AND {_fails_for("$3")} AND {_waits_for("$3")}"""
    for account_id in accounts:
        await _fail("pending", of_account, "gave up waiting for the account", seconds, account_id)
    of_run = f"{_rows_of(_hopeless('$3'), '$4')} AND mail_logs.account_id IS NULL AND {_waits_for('$3')}"
    for run_id in await _runs_that_send(_hopeless("$1"), seconds):
        await _fail(
            "pending", of_run, "gave up waiting for the accounts of the run: none of them works", seconds, run_id
        )


def _fails_for(seconds: str) -> str:
    return f"{db.dialect().since('a.failing_since')} >= {seconds}"


def _waits_for(seconds: str) -> str:
    return f"{db.dialect().since('COALESCE(mail_logs.waiting_since, mail_logs.next_attempt_at)')} >= {seconds}"


def _hopeless(seconds: str) -> str:
    accounts = "SELECT 1 FROM campaign_run_accounts ra JOIN accounts a ON a.id = ra.account_id WHERE ra.run_id = r.id"
    works = f"a.failing_since IS NULL OR NOT {_fails_for(seconds)}"
    return f"""NOT EXISTS ({accounts} AND {ACCOUNT_CAN_SEND_RUN} AND ({works}))
               AND (EXISTS ({accounts} AND {ACCOUNT_CAN_SEND_RUN}) OR NOT EXISTS ({accounts} AND {HAS_ADDRESS}))"""


async def _runs_that_send(condition: str, *values: Any) -> list[UUID]:
    """The active runs `r`, found first because a join would read the rows of all runs."""
    return await db.fetch_ids(f"SELECT r.id FROM campaign_runs r WHERE r.status = 'sending' AND {condition}", *values)


def _rows_of(condition: str, run_id: str) -> str:
    return f"""SELECT mail_logs.id, $2 AS reason FROM campaign_runs r
               JOIN mail_logs ON mail_logs.campaign_run_id = r.id
               WHERE r.id = {run_id} AND r.status = 'sending' AND {condition}"""


async def _fail(status: str, query: str, reason: str, *values: Any) -> bool:
    """Fails some of the rows that the query selects; True if there may be more."""
    sql = db.dialect()
    lock = sql.lock("FOR UPDATE OF mail_logs SKIP LOCKED")
    async with db.write_transaction():
        update = f"""WITH failing AS ({query} AND mail_logs.status = '{status}' LIMIT $1 {lock})
            UPDATE mail_logs SET status = 'failed', error = failing.reason, next_attempt_at = {sql.now} FROM failing
            WHERE mail_logs.id = failing.id AND mail_logs.id {sql.one_of("SELECT id FROM failing")}
            RETURNING mail_logs.id AS id, org_id, error"""
        rows = await db.fetch(update, FAILED_AT_ONCE, reason, *values)
        await add_transitions([Transition(row["org_id"], row["id"], status, "failed", row["error"]) for row in rows])
    return len(rows) == FAILED_AT_ONCE
