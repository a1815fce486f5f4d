"""Only a Message-ID or tag of ours, or an id that no stranger guesses, confirms a report; others are shown."""

import re

import pytest

from tests.api.conftest import Api
from tests.domain.bounces.conftest import Mailbox, kinds_of, sent_mail, without_message_id
from tests.domain.bounces.test_breaker import half_sent
from tests.domain.bounces.test_effects import COMPLAINT, UNKNOWN, fresh, suppressed
from tests.factories import make_contact, make_webhook
from tests.pages.conftest import Visitor
from tests.sending.reports.samples import ANN
from tests.sending.reports.samples.providers import exchange, ses
from tests.sending.reports.samples.servers import postfix, postfix_group
from webapp.domain.bounces.reading import MOST_SEARCHES
from webapp.domain.mail_logs.mail_logs import list_steps
from webapp.models import Account, BounceReport, CampaignRun, Contact, Event, MailLog, Organization

SES_ID = "0102019b1c2d3e4f-5a6b7c8d-1111-4222-8333-9f0e1d2c3b4a-000000"
OUTLOOK_ID = "AS8PR03MB7654C0B9A1F7C5D1E0A2D3B4C5D6A@AS8PR03MB7654.eurprd03.prod.outlook.com"
# What servers answer to a message's end, as a mail log keeps it.
REPLIES = {
    "Postfix": "2.0.0 Ok: queued as 4Zx1yT5QnWz3fKq",
    "Exchange Online": f"2.6.0 <{OUTLOOK_ID}> [InternalId=23497643622546, Hostname=AM0PR03MB1234.eurprd03.prod.outlook.com]"
    " 9567 bytes in 0.213, 43.672 KB/sec Queued mail for delivery",
    "Gmail API": "19a1b2c3d4e5f607",
    "Amazon SES": f"Ok {SES_ID}",
    "Haraka": "Message Queued (8D1A6F2B-7C3E-4D5F-9A0B-1C2D3E4F5A6B.1)",
}


def forged_ids(reply: str) -> list[str]:
    """Message-IDs of the reply's words, whole and in part, in the forms that one could try."""
    words = {part for word in reply.split() for part in (word, *re.split(r"[^\w.-]+", word))}
    local = {text for word in words for text in (word, word.lower(), word.strip(".,:;()[]<>")) if text}
    return [f"<{text.replace('<', '').replace('>', '')}@forged-by-anybody.example>" for text in sorted(local)]


async def untouched(org: Organization, rows: list[MailLog]) -> bool:
    """True where no report has any effect but to be listed."""
    now = [await fresh(row) for row in rows]
    unchanged = all(row.bounced_at is row.complained_at is None for row in now)
    contacts = await Contact.of(org).exclude(bounced_at=None, status="subscribed").count()
    accounts = await Account.of(org).filter(bounce_warning__not_isnull=True).count()
    reported = ["email.bounced", "email.complained", "email.delivered"]
    events = await Event.of(org).filter(type__in=reported).count()
    return unchanged and not contacts + accounts + events and await suppressed(org) == []


@pytest.mark.parametrize("server", REPLIES)
async def test_words_of_an_acceptance_confirm_nothing(mailbox: Mailbox, acme: Organization, server: str) -> None:
    (row,) = await sent_mail(acme, mailbox.account)
    await make_contact(acme, ANN)
    await MailLog.filter(id=row.id).update(smtp_message_id=REPLIES[server])
    true = {SES_ID, SES_ID.lower(), *OUTLOOK_ID.split("@"), OUTLOOK_ID}
    for message_id in forged_ids(REPLIES[server]):
        if message_id[1:].partition("@")[0] not in true:
            mailbox.add(UNKNOWN, message_id)
            mailbox.add(COMPLAINT, message_id)
    await mailbox.read()
    assert (await mailbox.state()).messages > 0
    assert await untouched(acme, [row])
    assert await BounceReport.of(acme).filter(mail_log_id__not_isnull=True).count() == 0


@pytest.mark.parametrize(
    ("server", "report", "message_id"),
    [
        ("Postfix", UNKNOWN, None),
        ("Exchange Online", exchange("5.1.10", "550 5.1.10 RESOLVER.ADR.RecipientNotFound"), f"<{OUTLOOK_ID}>"),
        ("Amazon SES", ses("5.1.1", "smtp; 550 5.1.1 user unknown"), f"<{SES_ID}@eu-west-1.amazonses.com>"),
    ],
    ids=["postfix", "outlook's id", "ses' id"],
)
async def test_a_true_report_is_certain(
    mailbox: Mailbox, acme: Organization, server: str, report: bytes, message_id: str | None
) -> None:
    (row,) = await sent_mail(acme, mailbox.account)
    await MailLog.filter(id=row.id).update(smtp_message_id=REPLIES[server])
    mailbox.add(report, message_id or row.message_id)
    await mailbox.read()
    assert await kinds_of(row) == ["bounced"]
    assert await suppressed(acme) == [(ANN, "bounce")]


async def test_a_mail_that_names_recipients_of_a_run_halts_nothing(mailbox: Mailbox, acme: Organization) -> None:
    await make_webhook(acme, events=["email.bounced", "email.complained"])
    run, rows = await half_sent(acme, mailbox)
    groups = [postfix_group(row.to_email, "5.1.1", "smtp; 550 5.1.1 no such user") for row in rows[:20]]
    for start in (0, 10):
        mailbox.add(without_message_id(postfix("".join(groups[start : start + 10]))))
    for row in rows[20:30]:
        mailbox.add(without_message_id(COMPLAINT), recipient=row.to_email)
    await mailbox.read()
    found = await CampaignRun.get(id=run.id)
    assert (found.status, found.bounced, found.complained) == ("sending", 0, 0)
    assert await BounceReport.of(acme).filter(is_certain=False, mail_log_id__not_isnull=True).count() == 30
    assert await untouched(acme, rows[:30])


async def test_of_a_mail_that_names_many_recipients_some_are_searched_for(mailbox: Mailbox, acme: Organization) -> None:
    groups = [postfix_group(f"p{number}@example.org", "5.1.1", "smtp; 550 5.1.1 no") for number in range(99)]
    await sent_mail(acme, mailbox.account)
    mailbox.add(without_message_id(postfix("".join([*groups, postfix_group(ANN, "5.1.1", "smtp; 550 5.1.1 no")]))))
    await mailbox.read()
    assert [row_id for _, row_id in await mailbox.reports()] == [None] * MOST_SEARCHES


async def test_an_unconfirmed_bounce_is_shown_as_such_until_a_certain_report_comes(
    api: Api, rival_api: Api, owner: Visitor, mailbox: Mailbox, acme: Organization
) -> None:
    (row,) = await sent_mail(acme, mailbox.account)
    path = f"/v1/mail-logs/{row.id}"
    mailbox.add(without_message_id(UNKNOWN))
    await mailbox.read()
    _, answer = await api.get(path)
    assert (answer["data"]["bounced_at"], answer["data"]["bounce"]["unconfirmed"]) == (None, True)
    assert (await list_steps(acme, await fresh(row)))[-1].cause == (
        "unconfirmed report, which somebody else may have sent: bounced: 550 5.1.1 no such user"
    )
    text = (await owner.get(f"/mail-logs/{row.id}")).text
    assert "Unconfirmed bounce" in text
    assert "somebody else may have sent it" in text
    listed = (await owner.get(f"/accounts/{mailbox.account.id}/bounces")).text
    assert "unconfirmed: somebody else may have sent it" in listed
    assert "1 bounce" not in (await owner.get("/home")).text
    assert (await rival_api.get(path))[0] == 404
    mailbox.add(UNKNOWN, row.message_id)
    await mailbox.read()
    _, answer = await api.get(path)
    assert answer["data"]["bounced_at"] is not None
    assert "unconfirmed" not in answer["data"]["bounce"]
    assert await suppressed(acme) == [(ANN, "bounce")]
    assert "1 bounce" in (await owner.get("/home")).text
