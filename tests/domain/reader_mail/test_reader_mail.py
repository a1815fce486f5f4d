"""Emails to readers: by an account or the instance's own server, with a link that no table has."""

import json
import re
from datetime import timedelta
from uuid import UUID, uuid4

from tests.factories import account_on, make_account
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.support.instance_mail import body_of, mailing_by, read
from webapp import clock, db
from webapp.config import Settings
from webapp.domain import link_signing
from webapp.domain.instance.suspension import resume_sending, suspend_sending
from webapp.domain.link_signing import ReaderLink, ReaderPath
from webapp.domain.mail_logs.raw_message import Files, build_raw_message
from webapp.domain.reader_mail.letter import Letter
from webapp.domain.reader_mail.queue import ReaderMailQueue, forget_old_mail, send_written
from webapp.models import MailLog, Organization, OrgUsage, ReaderMail
from webapp.models.base.org_model import AT_ONCE
from webapp.models.usage import month_of

ADA = "ada@example.org"
FIRST, SECOND = uuid4(), uuid4()
TABLES = ("contents", "emails", "mail_logs", "events", "reader_mails")


def queue_of(account_id: UUID | None = None, **own: str) -> ReaderMailQueue:
    async def write(mail: ReaderMail) -> Letter | None:
        if mail.email != ADA:
            return None
        link = ReaderLink(ReaderPath.CONFIRM, FIRST, SECOND)
        words = ("Please confirm", "Hello <b>.\n\nAgain.", "Confirm", "Bye.")
        return Letter(*words, link, mail.language or "en", account_id, **own)

    return ReaderMailQueue("test", write)


async def tables() -> str:
    rows = [row for table in TABLES for row in await db.fetch(f"SELECT * FROM {table}")]
    return json.dumps(rows, default=str)


def token_in(text: str) -> str:
    match = re.search(r"/f/confirm/([\w.-]+)", text)
    assert match
    return match[1]


async def test_an_account_sends_it_with_a_link_that_no_table_has(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme, from_email="hello@acme.example")
    await make_account(rival)
    queue = queue_of()
    for _ in range(2):
        await queue.add(acme, ADA, language="ar")
    await queue.add(acme, "nobody@example.org")
    await queue.send()
    assert await ReaderMail.across_orgs().count() == 0
    await deliver_all(settings)
    (received,) = smtp_server.messages
    message = read(received)
    assert (received.recipients, message["Auto-Submitted"]) == ([ADA], "auto-generated")
    for kind in ("plain", "html"):
        assert link_signing.ids_in(ReaderPath.CONFIRM, token_in(body_of(message, kind))) == (FIRST, SECOND)
    html = body_of(message, "html")
    assert "Hello &lt;b&gt;." in html
    assert 'dir="rtl"' in html
    assert "Acme" in html
    (row,) = await MailLog.of(acme)
    assert (row.kind, row.account_id) == ("transactional", account.id)
    signature = token_in(html).partition(".")[2]
    assert signature not in await tables()
    assert signature.encode() not in (await build_raw_message(acme, row, Files.ALL, shows_links=True) or b"")


async def test_the_named_account_sends_it_unless_it_is_paused(acme: Organization, rival: Organization) -> None:
    oldest, named, strangers = [await make_account(org) for org in (acme, acme, rival)]
    for account_id, sender in ((named.id, named.id), (strangers.id, oldest.id)):
        queue = queue_of(account_id, html=f"<p>{link_signing.ReaderLink(ReaderPath.CONFIRM, FIRST, SECOND).sample_url}")
        await queue.add(acme, ADA)
        await queue.send()
        assert (await MailLog.of(acme).order_by("-id").first()).account_id == sender  # type: ignore[union-attr]
    named.status = "paused"
    await named.save()
    queue = queue_of(named.id)
    await queue.add(acme, ADA)
    await queue.send()
    assert await MailLog.of(acme).filter(account_id=oldest.id).count() == 2


async def test_the_instance_sends_it_for_organizations_without_an_account(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings)
    queue = queue_of()
    await queue.add(acme, ADA)
    await queue.send()
    await queue.send()
    assert await ReaderMail.across_orgs().count() == 1
    stored = await tables()
    await send_written()
    (received,) = smtp_server.messages
    token = token_in(body_of(read(received)))
    assert link_signing.ids_in(ReaderPath.CONFIRM, token) == (FIRST, SECOND)
    assert token.partition(".")[2] not in stored
    assert await ReaderMail.across_orgs().count() == await MailLog.across_orgs().count() == 0


async def test_the_instance_sends_no_words_that_were_written_for_an_account(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings)
    account = await account_on(smtp_server, acme, from_email="hello@acme.example", status="paused")
    queue = queue_of(account.id)
    await queue.add(acme, ADA)
    await queue.send()
    await send_written()
    assert smtp_server.messages == []
    account.status = "active"
    await account.save()
    await ReaderMail.across_orgs().update(due_at=AT_ONCE)
    await queue.send()
    assert await MailLog.of(acme).filter(account_id=account.id).count() == 1
    assert await ReaderMail.across_orgs().count() == 0


async def test_trouble_of_an_organization_delays_no_other(acme: Organization, rival: Organization) -> None:
    for org in (acme, rival):
        await make_account(org)
    acme.plan = "free"
    await acme.save()
    await OrgUsage.create(org=acme, metric="monthly_email_quota", period=month_of(clock.now()), used=10**9)
    queue = queue_of()
    for org in (acme, rival):
        await queue.add(org, ADA)
    await queue.send()
    (waiting,) = await ReaderMail.across_orgs()
    assert waiting.org_id == acme.id
    assert waiting.due_at > clock.now()
    assert await MailLog.of(rival).count() == 1
    assert await forget_old_mail() == 0
    await ReaderMail.across_orgs().update(created_at=clock.now() - timedelta(days=2))
    assert await forget_old_mail() == 1


async def test_nothing_is_mailed_while_sending_is_suspended_nor_from_an_old_backup(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings)
    queue = queue_of()
    await queue.add(acme, ADA)
    await suspend_sending("restored")
    await queue.send()
    assert await ReaderMail.of(acme).filter(letter__isnull=True).count() == 1
    await resume_sending()
    await ReaderMail.of(acme).update(created_at=clock.now() - timedelta(days=2))
    await queue.send()
    assert await ReaderMail.of(acme).filter(letter__isnull=True).count() == 1
    await ReaderMail.of(acme).update(created_at=clock.now() - timedelta(hours=23))
    await queue.send()
    await send_written()
    assert [received.recipients for received in smtp_server.messages] == [[ADA]]
