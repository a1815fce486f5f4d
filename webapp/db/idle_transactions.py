"""Sessions whose process stopped or vanished in the middle of a transaction: their locks would hold others up."""

from webapp import db

SILENT_SECONDS = 10  # between two statements of a transaction, which never waits for anything but the database


async def end_silent(seconds: float = SILENT_SECONDS) -> int:
    """End those sessions of ours in which a transaction waits for its process longer than that; returns how many.

    The server's own idle_in_transaction_session_timeout misses who stopped between preparing a statement and running
    it. SQLite has no sessions.
    """
    if db.dialect().has_one_writer:
        return 0
    ended = await db.fetch(
        """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND usename = current_user
           AND application_name = current_setting('application_name')
           AND xact_start IS NOT NULL AND wait_event = 'ClientRead'
           AND state_change < clock_timestamp() - $1 * interval '1 second'""",
        seconds,
    )
    return len(ended)
