"""The database of a measurement: one organization, its contacts, and runs of a campaign that wait to be sent."""

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
from uuid_utils.compat import uuid7

from tests.conftest import POSTGRES, SECRET_KEY, free_port
from tests.factories import make_account, make_org
from tests.tools.bench.mails import SUBJECT, letter, newsletter
from webapp import clock, config, db
from webapp.config import Settings, read_settings
from webapp.db.migrate import migrate
from webapp.domain.delivery.campaign_builder import ContentBuilder
from webapp.domain.delivery.campaign_content import CampaignContentCache
from webapp.models import Account, CampaignRun, CampaignRunAccount, Content, MailLog, Organization
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.insert import NewRow, add_rows

DATABASE = "pennypost_bench"
AT_ONCE = 5_000
DAILY_LIMIT = 1_000_000  # of a server of one's own: a share of it is claimed ahead


@contextlib.asynccontextmanager
async def world(folder: Path, database: str = DATABASE) -> AsyncIterator[Settings]:
    """A migrated, empty database, connected: PostgreSQL where there is one, else SQLite."""
    url = await _fresh_database(folder, database)
    values = {"DATABASE_URL": url, "PENNYPOST_DATA_DIR": str(folder), "PENNYPOST_SECRET_KEYS": SECRET_KEY}
    settings = replace(read_settings(values), allow_private_hosts=True, sandbox_port=free_port())
    config.configure(settings)
    await migrate(settings)
    await db.connect(url)
    try:
        yield settings
    finally:
        await db.disconnect()


async def _fresh_database(folder: Path, database: str) -> str:
    try:
        server = await asyncpg.connect(POSTGRES, timeout=3)
    except (OSError, asyncpg.PostgresError):
        return f"sqlite://{folder / 'pennypost.db'}"
    try:
        await server.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
        await server.execute(f"CREATE DATABASE {database}")
    finally:
        await server.close()
    return POSTGRES.rpartition("/")[0] + f"/{database}"


async def drop(settings: Settings) -> None:
    """Remove the database of a PostgreSQL server again; a SQLite file goes with its folder."""
    if not settings.is_sqlite:
        server = await asyncpg.connect(POSTGRES)
        await server.execute(f"DROP DATABASE IF EXISTS {settings.database_url.rpartition('/')[2]} WITH (FORCE)")
        await server.close()


class Audience:
    """An organization with subscribed contacts, each with a row per run."""

    def __init__(self, org: Organization, content: Content, contact_ids: list[object]) -> None:
        self.org, self._content, self._contact_ids = org, content, contact_ids

    @classmethod
    async def make(cls, recipients: int) -> "Audience":
        """An organization with as many contacts, and the content that they get."""
        org = await make_org("Bench")
        content = await Content.create(org=org, subject=SUBJECT, html=newsletter(), is_template=True)
        ids = [uuid7() for _ in range(recipients)]
        for start in range(0, recipients, AT_ONCE):
            async with db.write_transaction():
                await db.run_many(
                    f"""INSERT INTO contacts (id, org_id, email, email_key, search_text, custom_fields, status,
                        created_at, updated_at) VALUES ($1, $2, $3, $4, $5, '{{}}', 'subscribed',
                        {db.dialect().now}, {db.dialect().now})""",
                    [(one, org.id, *[f"c{one.hex}@example.org"] * 3) for one in ids[start : start + AT_ONCE]],
                )
        return cls(org, content, list(ids))

    async def with_letter(self) -> "Audience":
        """The same contacts, and html that is nearly all text."""
        content = await Content.create(org=self.org, subject=SUBJECT, html=letter(), is_template=True)
        return self.with_content(content)

    def with_content(self, content: Content) -> "Audience":
        """The same contacts, and a saved content."""
        return Audience(self.org, content, self._contact_ids)

    async def message_size(self) -> int:
        """Bytes of a message that one of them gets."""
        account = await make_account(self.org)
        contents = await CampaignContentCache().load(account, [(self.org.id, self._content.id)])
        row = self._row(CampaignRun(id=uuid7(), campaign_id=uuid7()), self._contact_ids[0])
        claimed = Claimed(
            id=row.id,
            org_id=row.org_id,
            kind=row.kind,
            email_id=row.email_id,
            account_id=account.id,
            campaign_id=row.campaign_id,
            campaign_run_id=row.campaign_run_id,
            contact_id=row.contact_id,
            content_id=row.content_id,
            variables=dict(row.variables),
            from_email=row.from_email,
            to_email=row.to_email,
            recipient_type=row.recipient_type,
            message_id=row.message_id,
            attempts=0,
            unknowns=0,
            crashes=0,
            run_epoch=0,
            cap_day=clock.today("UTC"),
            token=uuid7(),
            seconds_since_first_try=None,
            seconds_waiting=None,
        )
        _, message = await ContentBuilder(contents[self._content.id]).build([claimed])
        return len(message)

    async def queue(self, port: int, connections: int, recipients: int, **fields: Any) -> Account:
        """A run that waits to be sent over so many connections to a port of this machine; returns its account."""
        fields |= {"smtp_port": port, "smtp_security": "none", "concurrency": connections}
        account = await make_account(self.org, daily_mail_limit=DAILY_LIMIT, **fields)
        run = await CampaignRun.create(
            org=self.org,
            campaign_id=uuid7(),
            trigger="api",
            trigger_key=str(uuid7()),
            content_id=self._content.id,
            materialised=True,
        )
        await CampaignRunAccount.create(run=run, account_id=account.id)
        rows = [self._row(run, contact_id) for contact_id in self._contact_ids[:recipients]]
        for start in range(0, recipients, AT_ONCE):
            async with db.write_transaction():
                await add_rows(rows[start : start + AT_ONCE])
        if not db.dialect().has_one_writer:
            for table in ("mail_logs", "contacts"):
                await db.connection().execute_script(f"VACUUM ANALYZE {table}")
        return account

    def _row(self, run: CampaignRun, contact_id: object) -> NewRow:
        row_id = uuid7()
        return NewRow(
            id=row_id,
            org_id=self.org.id,
            kind="campaign",
            content_id=self._content.id,
            to_email=f"c{row_id.hex}@example.org",
            recipient_type="to",
            message_id=f"<{row_id.hex}@acme.example>",
            campaign_id=run.campaign_id,
            campaign_run_id=run.id,
            contact_id=contact_id,  # type: ignore[arg-type]  # a flat list holds the column's values
            variables=json.loads('{"first_name": "Ada", "last_name": "Lovelace", "city": "London"}'),
        )

    async def count_sent(self, account: Account) -> int:
        """The rows that the account has sent."""
        return await MailLog.of(self.org).filter(account_id=account.id, status="sent").count()
