"""Transactional emails are read together where they are small, and one by one where they are not."""

import pytest

from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import all_are, queue_mails, until_received
from tests.support.messages import parsed
from webapp.config import Settings
from webapp.models import Attachment, Content, Email, MailLog, Organization
from webapp.models.mail_log import FAILED, PENDING, SENT

MAILS = 12


@pytest.mark.parametrize("what", ["email", "content", "files"])
async def test_nothing_of_a_strangers_is_read_for_an_email(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer, what: str
) -> None:
    account = await account_on(smtp_server, acme)
    (email_id,) = await make_mail(acme, account)
    file = {"filename": "theirs.txt", "content_type": "text/plain", "size": 3, "data": b"abc"}
    await Attachment.create(org=acme, email_id=email_id, position=0, **file)
    table = {"email": Email.of(acme), "content": Content.of(acme), "files": Attachment.of(acme)}[what]
    await table.update(org_id=rival.id)
    async with working(settings):
        await eventually(lambda: all_are(acme, SENT, FAILED))
    row = await MailLog.of(acme).get()
    if what == "files":
        assert row.status == SENT
        assert not list(parsed(smtp_server.messages[0].content).iter_attachments())
    else:
        assert (row.status, row.error) == (FAILED, "the content of the email was removed")
        assert not smtp_server.messages


async def test_an_email_that_cannot_be_made_is_no_trouble_of_those_before_and_behind_it(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account, theirs = await account_on(smtp_server, acme, concurrency=1), await account_on(smtp_server, rival)
    ids = await queue_mails(acme, account, MAILS)
    await queue_mails(rival, theirs, 1)
    await Email.of(acme).filter(id=ids[4]).update(headers={"X-Number": 5})  # a text is what it must be
    async with working(settings):
        await eventually(MailLog.of(acme).filter(id=ids[4], status=PENDING, attempts=1).exists)
        await until_received(smtp_server, MAILS)  # all others of ours, and the stranger's
    (left,) = await MailLog.of(acme).exclude(status=SENT)
    assert left.error == "internal error; see the server log"
    assert not await MailLog.of(acme).filter(status=SENT).exclude(attempts=0).exists()  # none of them has failed before
    assert await MailLog.of(rival).filter(status=SENT).exists()


async def test_of_emails_behind_one_another_each_recipient_has_its_own_answer(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.refuse("gone@example.org", "550 5.7.1 not from you")
    account, theirs = await account_on(smtp_server, acme, concurrency=1), await account_on(smtp_server, rival)
    await make_mail(rival, theirs)
    people = [("ann@example.org", "gone@example.org", "bob@example.org"), ("gone@example.org",), ("cem@example.org",)]
    ids = [await make_mail(acme, account, *some) for some in people * 3]
    hidden = {"to": ["ann@example.org"], "cc": [], "bcc": ["bob@example.org", "gone@example.org"], "reply_to": []}
    await Email.of(acme).filter(id=ids[0][0]).update(addresses=hidden)
    async with working(settings):
        await eventually(lambda: all_are(acme, SENT, FAILED))
    for row in await MailLog.of(acme).all():
        wanted = (FAILED, 550) if row.to_email == "gone@example.org" else (SENT, 250)
        assert (row.status, row.response_code) == wanted
    received = [(message.recipients, parsed(message.content)) for message in smtp_server.messages]
    found = {message["Message-ID"]: (recipients, message) for recipients, message in received}
    recipients, message = found[f"<{ids[0][0].hex}@acme.example>"]
    assert (recipients, message["To"]) == (["ann@example.org", "bob@example.org"], "ann@example.org")
    assert "bob@example.org" not in message.as_string()
    assert len(smtp_server.messages) == 3 * 2 + 1
