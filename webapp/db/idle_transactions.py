"""Ends sessions whose process stopped or vanished inside a transaction and left its locks behind."""

from webapp import db

IDLE_SECONDS = 10  # between two statements of a transaction, which never waits for anything but the database


async def terminate_idle_transactions(seconds: float = IDLE_SECONDS) -> int:
    """Ends our sessions idle for `seconds`, which the server's own limit misses between preparing and running."""
    if db.dialect().has_one_writer:
        return 0
    query = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user
       AND application_name = current_setting('application_name')
       AND xact_start IS NOT NULL AND wait_event = 'ClientRead'
       AND state_change < clock_timestamp() - $1 * interval '1 second'"""
    ended = await db.fetch(query, seconds)
    return len(ended)
