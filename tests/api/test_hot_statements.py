"""Statements of the hot path carry an id of the organization's, so that its rows could be on a server of their own."""

import re
from collections.abc import Iterable
from typing import Any

import pytest
from quart import Quart

from tests.api.conftest import make_api
from tests.factories import account_on, make_campaign, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import dispatching
from tests.faults.support.world import until_received, until_sent
from tests.queries import look_ups
from webapp import db
from webapp.config import Settings
from webapp.models import Organization

UUIDS = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
# Statements that ask which organizations have work, which one a key belongs to, or about the instance and the server.
FOR_ALL = re.compile(
    r"FROM accounts a LEFT JOIN|FROM bulk_changes WHERE finished_at|FROM campaign_runs WHERE NOT materialised"
    r"|FROM contact_imports WHERE status|FROM webhooks w\s+WHERE w.status"
    r'|"api_keys"."key_hash"=|AS VARCHAR\) LIKE|worker_heartbeats|FROM "instance"|pg_class|pg_postmaster|pg_stat_activity|set_config'
)


@pytest.mark.postgres
async def test_each_carries_an_id_of_the_organization(
    app: Quart, settings: Settings, acme: Organization, rival: Organization, smtp_server: SmtpServer
) -> None:
    api = await make_api(app, acme)
    account = await account_on(smtp_server, acme)
    await make_contact(rival, "reader0@example.org")
    segment = await make_segment(
        acme, *[await make_contact(acme, f"reader{number}@example.org") for number in range(3)]
    )
    campaign = await make_campaign(acme, segment=segment, template=await make_template(acme))
    email = {"from": account.from_email, "to": "ada@example.org", "subject": "Hi", "text": "Hi"}
    with look_ups() as statements:
        async with dispatching(settings):
            await api.post("/v1/emails", {**email, "account_key": account.account_key})
            await api.post(f"/v1/campaigns/{campaign.id}/send", {})
            await until_received(smtp_server, 4)
            await until_sent(acme)
    own, foreign = await ids_of(acme), await ids_of(rival)
    hot = [(sql, ids_in(values)) for sql, values in statements if not FOR_ALL.search(sql)]
    assert len(hot) > 30
    assert {sql for sql, ids in hot if not ids & own or ids & foreign} == set()


async def ids_of(org: Organization) -> set[str]:
    """The ids of all its rows."""
    tables = await db.fetch("SELECT table_name FROM information_schema.columns WHERE column_name = 'org_id'")
    rows = [await db.fetch(f"SELECT id FROM {table['table_name']} WHERE org_id = $1", org.id) for table in tables]
    return {str(org.id), *(str(row["id"]) for some in rows for row in some)}


def ids_in(values: Iterable[Any]) -> set[str]:
    return set(UUIDS.findall(str(list(values))))
