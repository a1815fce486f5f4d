"""A list costs the same number of queries however long it is."""

import logging
from uuid import uuid4

import pytest

from tests.factories import (
    make_account,
    make_contact,
    make_form,
    make_invitation,
    make_mail,
    make_media,
    make_segment,
    make_suppression,
    make_template,
)
from tests.pages.campaigns.test_campaigns import make_sent
from tests.pages.conftest import Visitor, make_person
from tests.pages.organization.test_api_requests import make_request
from tests.queries import count_queries
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.roles import Role
from webapp.domain.sandbox.sandbox import store_mail
from webapp.models import Organization

MOST, MOST_AT_HOME = 14, 20  # that page tells of all the others


async def fill(org: Organization, rows: int) -> None:
    for number in range(rows):
        account = await make_account(org, name=f"Account {number}")
        await make_mail(org, account, f"r{number}@example.org")
        await make_sent(org, account, sent=1, failed=1)
        await make_contact(org)
        issued = await issue_key(org, NewKey(name=f"Key {number}", role="viewer"))
        await make_request(org, key_id=issued.key.id)
        person = await make_person(org, f"{uuid4()}@acme.example", Role.VIEWER)
        await make_invitation(org, person, email=f"{uuid4()}@acme.example")
        await make_segment(org, await make_contact(org), name=f"Segment {number}")
        await make_template(org)
        await make_form(org)
        await make_media(org)
        await make_suppression(org, f"{uuid4()}@example.org")
        await store_mail(org.id, "a@acme.example", ["b@acme.example"], b"Subject: x\r\n\r\nhi\r\n")


async def queries_of(visitor: Visitor, path: str, caplog: pytest.LogCaptureFixture) -> int:
    caplog.clear()
    with caplog.at_level(logging.DEBUG, "tortoise.db_client"):
        assert (await visitor.get(path)).status == 200
    return sum(record.name == "tortoise.db_client" and "SELECT" in record.getMessage() for record in caplog.records)


async def test_ten_rows_cost_no_more_queries_than_two(
    owner: Visitor, acme: Organization, caplog: pytest.LogCaptureFixture
) -> None:
    lists = (
        "accounts contacts campaigns forms api-keys mail-logs emails sandbox team segments templates suppressions media"
    )
    paths = [f"/{name}" for name in f"home {lists} requests events webhooks audit usage".split()]
    await fill(acme, 2)
    few = [await queries_of(owner, path, caplog) for path in paths]
    await fill(acme, 8)
    for path, before in zip(paths, few, strict=True):
        assert 0 < await queries_of(owner, path, caplog) <= before <= (MOST_AT_HOME if path == "/home" else MOST), path


async def test_a_list_of_mail_reads_no_bodies(owner: Visitor, acme: Organization) -> None:
    await fill(acme, 2)
    for path in ("/home", "/home/now", "/mail-logs", "/mail-logs/list", "/emails"):
        with count_queries() as statements:
            assert "Hello" in (await owner.get(path)).text
        of_contents = [statement for statement in statements if "contents" in statement]
        assert of_contents
        assert not [statement for statement in of_contents if "html" in statement or "text" in statement]
