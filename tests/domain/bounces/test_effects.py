"""A report changes its email, contact, run and suppressions, once, by its kind."""

from datetime import timedelta
from typing import Any

import pytest

from tests.domain.bounces.conftest import Mailbox, kinds_of, read_from, sent_mail, without_message_id
from tests.factories import make_account, make_contact
from tests.fakes.imap_server import ImapServer
from tests.sending.reports.samples import ANN, OURS, mail
from tests.sending.reports.samples.providers import MICROSOFT_FEEDBACK, complaint, exchange
from tests.sending.reports.samples.servers import postfix, postfix_group
from tests.sending.reports.samples.systems import CONTENT, LATER, SAID, SIZE
from webapp import clock, db
from webapp.domain.accounts.credentials import seal_secret
from webapp.domain.bounces.reading import read_due
from webapp.domain.mail_logs.mail_logs import list_steps
from webapp.models import Account, BounceReport, Contact, Event, MailboxReading, MailLog, Organization, Suppression
from webapp.models.base.org_model import AT_ONCE
from webapp.models.mail_log import SENT
from webapp.models.queries.event_log import BY_ACCEPTANCE, MailChange, record_mail_events

UNKNOWN = postfix(postfix_group(ANN, "5.1.1", "smtp; 550 5.1.1 no such user"))
SPAM = exchange("5.7.511", "550 5.7.511 Message rejected: its content was taken for spam")
FULL = postfix(postfix_group(ANN, "4.2.2", "smtp; 452 4.2.2 mailbox full"))
CLOSED = postfix(postfix_group(ANN, "5.0.0", "smtp; 550 this mailbox is inactive"))
NO_REASON = postfix(postfix_group(ANN, "5.0.0", "smtp; 554 A problem occurred"))
GAVE_UP = postfix(postfix_group(ANN, "4.4.7", "smtp; delivery time expired"))
DELIVERED = postfix(postfix_group(ANN, "2.1.5", "smtp; 250 2.1.5 ok", action="delivered"))
UNCLEAR = mail(
    f"From: MAILER-DAEMON@relay.example\nSubject: Hello\n\nThe mail to {ANN} could not be delivered, for a reason of ours."
    f"\n\nMessage-ID: {OURS}\n\nHi\n"
)
COMPLAINT = complaint(MICROSOFT_FEEDBACK, "Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\nVersion: 1\n")


async def fresh(row: MailLog) -> MailLog:
    return await MailLog.get(id=row.id)


async def suppressed(org: Organization) -> list[tuple[str, str]]:
    return [(one.email_key, one.reason) for one in await Suppression.of(org).order_by("id")]


async def test_an_unknown_mailbox_is_a_bounce_and_suppressed(
    mailbox: Mailbox, acme: Organization, rival: Organization
) -> None:
    (row,) = await sent_mail(acme, mailbox.account)
    contact, theirs = await make_contact(acme, "Ann@Example.org"), await make_contact(rival, ANN)
    mailbox.add(UNKNOWN, row.message_id)
    await mailbox.read()
    assert (await mailbox.state()).last_error is None
    found = await fresh(row)
    assert found.bounced_at is not None
    assert found.bounce == {
        "type": "Permanent",
        "subType": "NoEmail",
        "status": "5.1.1",
        "diagnosticCode": ["550 5.1.1 no such user"],
    }
    assert (found.status, found.complained_at) == (SENT, None)
    steps = await list_steps(acme, found)
    assert [step.status for step in steps] == ["pending", "sent", "report"]
    assert steps[-1].cause == "bounced: 550 5.1.1 no such user"
    assert await kinds_of(row) == ["bounced"]
    assert (await Event.of(acme).get(type="email.bounced")).data == {"bounce": found.bounce}
    assert (await Contact.get(id=contact.id)).bounced_at is not None
    assert await suppressed(acme) == [(ANN, "bounce")]
    assert (await Suppression.of(acme).get()).mail_log_id == row.id
    assert await mailbox.reports() == [("bounce", row.id)]
    assert (await Contact.get(id=theirs.id)).bounced_at is None
    assert await suppressed(rival) == []


@pytest.mark.parametrize(
    ("report", "kind", "leaves_out", "warns"),
    [
        (CLOSED, ("Permanent", "General"), True, False),
        (GAVE_UP, ("Transient", "General"), False, False),
        (FULL, ("Transient", "MailboxFull"), False, False),
        (SPAM, ("Transient", "ContentRejected"), False, True),
        (NO_REASON, ("Undetermined", "Undetermined"), False, False),
        (UNCLEAR, ("Undetermined", "Undetermined"), False, False),
    ],
    ids=["closed", "given up", "full", "spam", "no reason", "prose with our Message-ID"],
)
async def test_other_failures_are_bounces_that_suppress_nobody(
    mailbox: Mailbox, acme: Organization, report: bytes, kind: tuple[str, str], *, leaves_out: bool, warns: bool
) -> None:
    (row,) = await sent_mail(acme, mailbox.account)
    contact = await make_contact(acme, ANN)
    mailbox.add(report, row.message_id)
    await mailbox.read()
    found, account = await fresh(row), await Account.get(id=mailbox.account.id)
    assert found.bounced_at is not None
    assert (found.bounce["type"], found.bounce["subType"]) == kind
    assert ((await Contact.get(id=contact.id)).bounced_at is not None) is leaves_out
    assert (account.status, account.bounce_warning is not None) == ("active", warns)
    assert await kinds_of(row) == ["bounced"]
    assert await suppressed(acme) == []


async def test_a_complaint_unsubscribes_and_suppresses(
    mailbox: Mailbox, acme: Organization, rival: Organization
) -> None:
    (row,) = await sent_mail(acme, mailbox.account)
    contact, theirs = await make_contact(acme, ANN), await make_contact(rival, ANN)
    mailbox.add(COMPLAINT, row.message_id)
    await mailbox.read()
    found = await fresh(row)
    assert (found.complained_at is not None, found.bounced_at, found.bounce) == (True, None, None)
    assert await kinds_of(row) == ["complained"]
    assert (await Contact.get(id=contact.id)).status == "unsubscribed"
    assert await Event.of(acme).filter(type="contact.unsubscribed", contact_id=contact.id).count() == 1
    assert await suppressed(acme) == [(ANN, "complaint")]
    assert (await Contact.get(id=theirs.id)).status == "subscribed"


async def test_a_delivery_that_was_told_at_acceptance_is_told_once(
    mailbox: Mailbox, acme: Organization, rival: Organization
) -> None:
    rows = [(await sent_mail(acme, mailbox.account))[0] for _ in range(2)]
    async with db.write_transaction():
        await record_mail_events([MailChange(rows[0].id, *BY_ACCEPTANCE)])
    for row in (*rows, *rows):
        mailbox.add(DELIVERED, row.message_id)
    await mailbox.read()
    assert (await Event.of(acme).get(mail_log_id=rows[1].id, type="email.delivered")).data == {
        "delivered": {"by": "report"}
    }
    for row in rows:
        assert await kinds_of(row) == ["delivered"]
        assert (await fresh(row)).bounce is None
        assert (await list_steps(acme, row))[-1].cause == "delivered, says mx.example.com"
    assert await Event.of(rival).count() == 0


@pytest.mark.parametrize("report", [UNKNOWN, COMPLAINT], ids=["unknown", "complaint"])
async def test_a_report_that_comes_twice_changes_nothing_the_second_time(
    mailbox: Mailbox, acme: Organization, report: bytes
) -> None:
    (row,) = await sent_mail(acme, mailbox.account)
    contact = await make_contact(acme, ANN)
    mailbox.add(report, row.message_id)
    await mailbox.read()
    first, steps, kinds = await fresh(row), await list_steps(acme, row), await kinds_of(row)
    await Suppression.all().delete()  # a person has thought better of it
    await Contact.filter(id=contact.id).update(bounced_at=None, status="subscribed")
    mailbox.add(report, row.message_id)
    await mailbox.read()
    found, again = await fresh(row), await Contact.get(id=contact.id)
    assert (found.bounced_at, found.complained_at) == (first.bounced_at, first.complained_at)
    assert (await list_steps(acme, row), await kinds_of(row)) == (steps, kinds)
    assert (again.bounced_at, again.status, await suppressed(acme)) == (None, "subscribed", [])
    assert len(await mailbox.reports()) == 1


LIVING = [said for said in SAID if said.verdict in (LATER, CONTENT, SIZE)]


async def test_a_living_person_is_neither_suppressed_nor_barred(
    mailbox: Mailbox, acme: Organization, rival: Organization
) -> None:
    contacts = [await make_contact(org, ANN) for org in (acme, rival)]
    rows = [(await sent_mail(acme, mailbox.account))[0] for _ in LIVING]
    for said, row in zip(LIVING, rows, strict=True):
        mailbox.add(said.message, row.message_id)
    await mailbox.read()
    assert {(await fresh(row)).bounce["type"] for row in rows} == {"Transient"}
    assert await suppressed(acme) == []
    assert [(await Contact.get(id=contact.id)).bounced_at for contact in contacts] == [None, None]


async def test_a_mailbox_that_stays_full_is_suppressed_after_five_emails(mailbox: Mailbox, acme: Organization) -> None:
    rows = [(await sent_mail(acme, mailbox.account))[0] for _ in range(6)]
    await make_contact(acme, ANN)
    for row in rows[:4]:
        mailbox.add(FULL, row.message_id)
        mailbox.add(FULL, row.message_id)
    await mailbox.read()
    assert await suppressed(acme) == []
    await BounceReport.filter(mail_log_id=rows[0].id).update(created_at=clock.now() - timedelta(days=15))
    mailbox.add(FULL, rows[4].message_id)
    await mailbox.read()
    assert await suppressed(acme) == []
    mailbox.add(FULL, rows[5].message_id)
    await mailbox.read()
    assert await suppressed(acme) == [(ANN, "bounce")]
    assert [(await fresh(row)).bounced_at is not None for row in rows] == [True] * 6
    assert await Contact.of(acme).exclude(bounced_at=None).count() == 0


async def test_what_matches_nothing_changes_nothing(mailbox: Mailbox, acme: Organization, rival: Organization) -> None:
    (row,) = await sent_mail(acme, mailbox.account)
    (theirs,) = await sent_mail(rival, await make_account(rival))
    contact = await make_contact(acme, ANN)
    forged: list[Any] = [
        theirs.message_id,  # a stranger's
        row.message_id.replace("@acme.example", "@evil.example"),
        f"<{contact.id.hex}@acme.example>",
        "<hello@acme.example>",
    ]
    for message_id in forged:
        mailbox.add(UNKNOWN, message_id)
    (pruned,) = await sent_mail(acme, mailbox.account)
    await MailLog.filter(id=pruned.id).delete()
    mailbox.add(UNKNOWN, pruned.message_id)
    await mailbox.read()
    assert await mailbox.reports() == [("bounce", None)] * 5
    assert [(await fresh(one)).bounced_at for one in (row, theirs)] == [None, None]
    assert (await Contact.get(id=contact.id)).bounced_at is None
    assert (await suppressed(acme), await suppressed(rival)) == ([], [])
    assert await BounceReport.of(rival).count() == 0


async def test_of_a_mailbox_that_accounts_share_each_report_is_listed_once(
    imap_server: ImapServer, acme: Organization, rival: Organization
) -> None:
    fields = {"bounce_reading": "mailbox", "bounce_imap_username": "ann"}
    shared = [await read_from(imap_server, org) for org in (acme, acme, rival)]
    for one in shared:
        sealed = seal_secret(one.account, "bounce_imap_password", "secret")
        await Account.filter(id=one.account.id).update(**fields, bounce_imap_password=sealed)
    of_first, of_second, theirs = shared
    (row,) = await sent_mail(acme, of_second.account, "eve@example.org")
    of_first.add(UNKNOWN, "<1@elsewhere.example>", "kim@elsewhere.example")
    of_first.add(without_message_id(UNKNOWN), recipient="eve@example.org")  # it is the second one's
    for one in (of_first, of_second, of_first, theirs):
        await one.read()
    assert sorted([*await of_first.reports(), *await of_second.reports()], key=str) == [
        ("bounce", None),
        ("bounce", row.id),
    ]
    assert [mail_log_id for _, mail_log_id in await theirs.reports()] == [None, None]
    of_first.add(UNKNOWN, "<2@elsewhere.example>", "lee@elsewhere.example")
    await MailboxReading.all().update(next_at=AT_ONCE)
    await read_due()  # all at once
    assert await BounceReport.of(acme).filter(mail_log_id=None).count() == 2
