"""An erased address is refused wherever it comes from."""

from typing import Any

import pytest
from uuid_utils.compat import uuid7

from tests.api.conftest import Api, make_api
from tests.factories import account_on, make_account, make_contact, make_org
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from webapp import clock, db
from webapp.config import Settings
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.upsert import upsert_batch
from webapp.domain.personal_data.erase import forget_tombstone
from webapp.models import Content, MailLog, Organization, Tombstone
from webapp.models.mail_log import MailKind, RecipientType
from webapp.models.outbox.insert import NewRow, add_rows
from webapp.models.suppression import address_digest

ADA = "ada@example.org"


@pytest.fixture
async def words(acme: Organization) -> str:
    """Says since when Ada's address is erased."""
    await Tombstone.create(org=acme, digest=address_digest(acme.id, ADA))
    return f"erased on {clock.now():%Y-%m-%d}"


async def requests_of(api: Api, acme: Organization) -> list[tuple[str, str, Any]]:
    other = await make_contact(acme, "bob@example.org")
    segment = await api.create("/v1/segments", {"name": "News"})
    return [
        ("POST", "/v1/contacts", {"email": "Ada@Example.org"}),
        ("POST", "/v1/contacts/upsert", {"email": ADA}),
        ("PATCH", f"/v1/contacts/{other.id}", {"email": ADA}),
        ("POST", f"/v1/segments/{segment['id']}/contacts", {"email": ADA}),
    ]


async def test_programs_are_refused_until_the_owner_signs_up_again(api: Api, acme: Organization, words: str) -> None:
    for method, path, body in await requests_of(api, acme):
        status, answer = await api.answer(method, path, json=body)
        assert (status, answer["details"][0]["field"]) == (400, "email"), path
        assert words in answer["details"][0]["message"]
    _, batch = await api.post("/v1/contacts/batch", [{"email": ADA}, {"email": "cem@example.org"}])
    assert [row["status"] for row in batch["data"]] == ["error", "created"]
    assert words in batch["data"][0]["message"]
    await forget_tombstone(acme, ADA)
    assert (await api.post("/v1/contacts", {"email": ADA}))[0] == 201


async def test_another_organization_may_add_the_address(api: Api, words: str) -> None:
    stranger = await make_api(api.app, await make_org("Others"))
    assert (await stranger.post("/v1/contacts", {"email": ADA}))[0] == 201


async def test_imports_refuse_the_row_alone(acme: Organization, words: str) -> None:
    erased, other = await upsert_batch(acme, [NewContact(email=ADA), NewContact(email="bob@example.org")])
    assert erased.contact is None
    assert words in (erased.reason or "")
    assert other.contact is not None


async def test_email_to_it_fails_immediately_and_others_get_theirs(api: Api, acme: Organization, words: str) -> None:
    account = await make_account(acme)
    body = {"from": account.from_email, "to": [ADA, "bob@example.org"], "subject": "Hi", "text": "Hello"}
    _, made = await api.post("/v1/emails", body)
    _, shown = await api.get(f"/v1/emails/{made['id']}")
    assert [(one["email"], one["status"], one["error"]) for one in shown["data"]["recipients"]] == [
        (ADA, "failed", words),
        ("bob@example.org", "pending", None),
    ]


async def test_no_variable_of_a_program_lets_email_to_it_pass(
    acme: Organization, words: str, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    content = await Content.create(org=acme, subject="Hi", html=None, text="Hello")
    row = NewRow(
        id=uuid7(),
        org_id=acme.id,
        kind=MailKind.COMPOSE,
        content_id=content.id,
        to_email=ADA,
        recipient_type=RecipientType.TO,
        message_id="<a@acme.example>",
        account_id=account.id,
        from_email=account.from_email,
        variables={"reader_link": "f/confirm"},
    )
    async with db.write_transaction():
        await add_rows([row])
    await deliver_all(settings)
    assert (await MailLog.get(id=row.id)).error == words
    assert smtp_server.messages == []
