"""Measures a mail log in partitions by month for docs/scale.md: `python -m tests.tools.partitions`.

Fills the mail log of a PostgreSQL database of its own with three months, copies it to a table partitioned by id, whose
UUIDv7 begins with its time, and lets the product's own statements work on one and the other by the search path.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import asyncpg
import uvloop

from tests.factories import make_account, make_org
from tests.tools.bench.world import drop, world
from webapp import db
from webapp.domain.mail_logs import mail_logs
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.domain.pagination import Page
from webapp.models import Account, Content, Organization
from webapp.models.mail_log import SENT
from webapp.models.outbox.claims import claim

DATABASE = "pennypost_partitions"
MONTHS = [datetime(2026, month, 1, tzinfo=UTC) for month in (9, 10, 11, 12)]  # three, and where the last ends
ROUNDS, CLAIMS, LISTS, AT_ONCE = 3, 100, 100, 20
SCHEMAS = ("public", "partitioned")
FILL = """
    INSERT INTO mail_logs (id, created_at, kind, email_id, account_id, content_id, variables, from_email, to_email,
        recipient_type, message_id, status, next_attempt_at, attempts, crashes, unknowns, sent_at, org_id)
    SELECT m.id, m.at, 'email', m.id, $2, $3, '{}', 'a@acme.example', 'reader' || n || '@example.org', 'to',
        '<' || m.id || '@acme.example>', $7, m.at, 1, 0, 0, m.at, $1
    FROM generate_series(1, $6::int) n
    CROSS JOIN LATERAL (SELECT $4::timestamptz + ($5::timestamptz - $4) * n / ($6 + 1) AS at) t
    CROSS JOIN LATERAL (SELECT t.at, (lpad(to_hex((EXTRACT(EPOCH FROM t.at) * 1000)::bigint), 12, '0')
        || '7' || substr(md5(n::text || $7), 1, 3) || '8' || substr(md5($7 || n), 1, 15))::uuid AS id) m"""


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.partitions", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="of a month")
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as name:
        async with world(Path(name), DATABASE) as settings:
            if settings.is_sqlite:
                raise SystemExit("this needs PostgreSQL")
            org = await make_org("Acme")
            account = await make_account(org, daily_mail_limit=10_000_000)
            content = await Content.create(org=org, subject="News", html="<p>News</p>", text=None)
            server = await asyncpg.connect(settings.database_url)
            await _fill(server, org, account, content, rows)
            await _copy(server)
            await _compare(server, settings.database_url, org, account)
            await _prune(server, org)
            await server.close()
        await drop(settings)


async def _fill(server: asyncpg.Connection, org: Organization, account: Account, content: Content, rows: int) -> None:
    for start, end in pairwise(MONTHS):
        await server.execute(FILL, org.id, account.id, content.id, start, end, rows, "sent")
    waiting = 2 * ROUNDS * CLAIMS * AT_ONCE
    await server.execute(FILL, org.id, account.id, content.id, MONTHS[-2], MONTHS[-1], waiting, "pending")
    print(f"{3 * rows + waiting:,} rows, of which {waiting:,} wait")


async def _copy(server: asyncpg.Connection) -> None:
    script = ["CREATE SCHEMA partitioned", """CREATE TABLE partitioned.mail_logs
        (LIKE public.mail_logs INCLUDING DEFAULTS) PARTITION BY RANGE (id)"""]  # fmt: skip
    for start, end in pairwise(MONTHS):
        first, last = (f"'{int(at.timestamp() * 1000):012x}00000000000000000000'" for at in (start, end))
        script.append(
            f"CREATE TABLE partitioned.mail_logs_{start:%m} PARTITION OF partitioned.mail_logs "
            f"FOR VALUES FROM ({first}) TO ({last})"
        )
    script.append("INSERT INTO partitioned.mail_logs SELECT * FROM public.mail_logs")
    indexes = await server.fetch(
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = 'mail_logs'"
    )
    for index in indexes:
        definition = index["indexdef"].replace("ON public.", "ON partitioned.")
        if "contact_id" in definition:  # unique, which a partitioned table is only with its key
            definition = definition.replace("UNIQUE ", "")
        script.append(definition)
    triggers = await server.fetch(
        "SELECT pg_get_triggerdef(oid) AS def FROM pg_trigger WHERE tgrelid = 'mail_logs'::regclass AND NOT tgisinternal"
    )
    script += [trigger["def"].replace(" ON public.", " ON partitioned.") for trigger in triggers]
    for statement in script:
        await server.execute(statement)
    for schema in SCHEMAS:
        await server.execute(f"VACUUM ANALYZE {schema}.mail_logs")


async def _compare(server: asyncpg.Connection, url: str, org: Organization, account: Account) -> None:
    async def take() -> None:
        assert len(await claim(account.id, messages=AT_ONCE, lease_seconds=90)) == AT_ONCE

    async def first_page() -> None:
        await mail_logs.list_mail_logs(org, MailLogSearch(), Page(), shows_links=False)

    async def sent() -> None:
        await mail_logs.list_mail_logs(org, MailLogSearch(status=SENT), Page(), shows_links=False)

    # Planning anew is most of what partitions add to a claim, which never needs it; lists do, as their filters vary.
    works: dict[str, tuple[Callable[[], Awaitable[None]], int, str]] = {
        f"claim of {AT_ONCE}": (take, CLAIMS, "force_generic_plan"),
        "first page of the mail log": (first_page, LISTS, "auto"),
        "first page of what was sent": (sent, LISTS, "auto"),
    }
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(ROUNDS):
        for schema in SCHEMAS:
            await server.execute(f"ALTER DATABASE {DATABASE} SET search_path = {schema}, public")
            for name, (work, number, plans) in works.items():
                await server.execute(f"ALTER DATABASE {DATABASE} SET plan_cache_mode = {plans}")
                await db.disconnect()
                await db.connect(url)
                times.setdefault((name, schema), []).append(await _median(work, number))
    for name in works:
        whole, parted = (statistics.median(times[name, schema]) for schema in SCHEMAS)
        print(f"{name:32}{whole:8.2f} ms whole {parted:8.2f} ms in partitions, ratio {parted / whole:.2f}")


async def _median(work: Callable[[], Awaitable[None]], number: int) -> float:
    """Milliseconds."""
    taken = []
    for _ in range(number):
        began = time.perf_counter()
        await work()
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


async def _prune(server: asyncpg.Connection, org: Organization) -> None:
    began = time.perf_counter()
    await server.execute(f"ALTER TABLE partitioned.mail_logs DETACH PARTITION partitioned.mail_logs_{MONTHS[0]:%m}")
    await server.execute(f"DROP TABLE partitioned.mail_logs_{MONTHS[0]:%m}")
    dropped = time.perf_counter() - began
    began = time.perf_counter()
    await server.execute("DELETE FROM public.mail_logs WHERE org_id = $1 AND created_at < $2", org.id, MONTHS[1])
    print(
        f"a month goes in {dropped:.2f} s by dropping its partition, in {time.perf_counter() - began:.0f} s by DELETE"
    )


if __name__ == "__main__":
    uvloop.run(main())
