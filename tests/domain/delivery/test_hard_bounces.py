"""A server that says that an address does not exist has it suppressed, in the transaction that settles the mail."""

import pytest

from tests.api.conftest import Api
from tests.api.mails import send
from tests.factories import account_on, make_contact, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from webapp.config import Settings
from webapp.domain.accounts.accounts import sandbox_account
from webapp.models import Account, Contact, Event, MailLog, Organization, Suppression
from webapp.models.mail_log import FAILED, SENT
from webapp.sandbox_inbox import sandbox_inbox
from webapp.server import listen

GONE = "gone@example.org"


async def suppressed(org: Organization) -> list[str]:
    return [one.email_key for one in await Suppression.of(org).filter(reason="bounce").order_by("email_key")]


async def test_a_transactional_email_suppresses_an_address_that_does_not_exist(
    api: Api, acme: Organization, rival: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.refuse(GONE)
    theirs = await account_on(smtp_server, rival)
    row_id = await send(api, to=["ann@example.org", GONE])
    await deliver_all(settings)
    rows = {row.to_email: row for row in await MailLog.of(acme)}
    assert (rows[GONE].status, rows["ann@example.org"].status) == (FAILED, SENT)
    _, answer = await api.get(f"/v1/suppressions/{GONE}")
    assert (answer["data"]["reason"], answer["data"]["mail_log_id"]) == ("bounce", str(rows[GONE].id))
    added = await Event.of(acme).get(type="suppression.added")
    assert (added.data["email"], added.data["reason"]) == (GONE, "bounce")
    assert str(rows["ann@example.org"].id) == row_id
    await send(api, to=GONE)
    (their_id,) = await make_mail(rival, theirs, "ann@example.org")
    await deliver_all(settings)
    again = await MailLog.of(acme).filter(to_email=GONE).order_by("-id").first()
    assert (again.status, (again.error or "").partition(" on ")[0]) == (FAILED, "suppressed: bounce")
    assert (await MailLog.of(rival).get(id=their_id)).status == SENT
    assert await suppressed(rival) == []


async def test_the_sandbox_s_played_refusals_can_be_tried_again(acme: Organization, settings: Settings) -> None:
    sandbox = await sandbox_account(acme)
    async with sandbox_inbox(listen("127.0.0.1", settings.sandbox_port, "PENNYPOST_SANDBOX_PORT")):
        for _ in range(2):
            (row_id,) = await make_mail(acme, sandbox, "bounce+x@example.com")
            await deliver_all(settings)
            assert (await MailLog.get(id=row_id)).error == "550 5.1.1 no such user"
    assert await Event.of(acme).filter(type="email.bounced").count() == 2
    assert await Suppression.of(acme).count() == 0


@pytest.mark.usefixtures("account")
async def test_an_address_is_tried_again_when_its_contact_is_subscribed_or_its_entry_removed(
    api: Api, rival_api: Api, acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.refuse(GONE)
    contact, theirs = await make_contact(acme, GONE), await make_contact(rival, GONE)
    await Contact.filter(id__in=[contact.id, theirs.id]).update(bounced_at=contact.created_at)
    await Suppression.insert_new(rival.id, {GONE: None}, "bounce")
    await send(api, to=GONE)
    await deliver_all(settings)
    assert await suppressed(acme) == [GONE]
    assert (await rival_api.patch(f"/v1/contacts/{contact.id}", {"status": "subscribed"}))[0] == 404
    assert (await api.patch(f"/v1/contacts/{contact.id}", {"first_name": "Ann"}))[0] == 200
    assert await suppressed(acme) == [GONE]
    assert (await api.patch(f"/v1/contacts/{contact.id}", {"status": "subscribed"}))[0] == 200
    assert await suppressed(acme) == []
    assert await Event.of(acme).filter(type="suppression.removed").count() == 1
    await send(api, to=GONE)
    await deliver_all(settings)
    assert await suppressed(acme) == [GONE]
    assert (await api.delete(f"/v1/suppressions/{GONE}"))[0] in (200, 204)
    await Suppression.insert_new(acme.id, {GONE: None}, "complaint")
    await Contact.filter(id=contact.id).update(bounced_at=contact.created_at)
    await api.patch(f"/v1/contacts/{contact.id}", {"status": "subscribed"})
    assert [entry.reason for entry in await Suppression.of(acme)] == ["complaint"]
    assert await suppressed(rival) == [GONE]
