"""Recipients of one email know its Message-ID: a report with it must not let one of them report another."""

from typing import Any

import pytest

from tests.domain.bounces.conftest import Mailbox, kinds_of, sent_mail, without_message_id
from tests.domain.bounces.test_confirmation import REPLIES, SES_ID, untouched
from tests.domain.bounces.test_effects import COMPLAINT, FULL, UNKNOWN, fresh, suppressed
from tests.factories import make_contact
from tests.sending.reports.samples import ANN, BOB
from tests.sending.reports.samples.providers import ses
from webapp.domain.delivery.return_path import make_tag
from webapp.models import BounceReport, MailLog, Organization


def with_tag(report: bytes, row: MailLog) -> bytes:
    """The report as it comes to the tagged return path of the row."""
    return b"Delivered-To: hello+%b@acme.example\r\n" % make_tag(row.org_id, row.id).encode() + report


@pytest.mark.parametrize("report", [UNKNOWN, FULL, COMPLAINT], ids=["postfix", "full", "complaint"])
async def test_a_message_id_that_others_know_confirms_nothing(
    mailbox: Mailbox, acme: Organization, report: bytes
) -> None:
    rows = await sent_mail(acme, mailbox.account, ANN, BOB)
    await make_contact(acme, BOB)
    mailbox.add(report, rows[0].message_id, BOB)
    await mailbox.read()
    (found,) = await BounceReport.of(acme)
    assert (found.mail_log_id, found.is_certain) == (rows[1].id, False)
    assert await untouched(acme, rows)


@pytest.mark.parametrize(
    ("others", "is_certain"),
    [
        ({"status": "sent"}, False),
        ({"status": "failed", "error": "550 5.1.1 no such user"}, True),
        ({"status": "halted"}, True),
        ({"status": "pending", "attempts": 1}, True),
        ({"status": "pending", "unknowns": 1}, False),
        ({"status": "pending", "crashes": 1}, False),
        ({"status": "sent", "to_email": "ANN@example.org"}, True),
    ],
    ids=str,
)
async def test_a_message_id_confirms_where_nobody_else_got_the_email(
    mailbox: Mailbox, acme: Organization, others: dict[str, Any], *, is_certain: bool
) -> None:
    row, other = await sent_mail(acme, mailbox.account, ANN, BOB)
    await MailLog.filter(id=other.id).update(**others)
    mailbox.add(UNKNOWN, row.message_id)
    await mailbox.read()
    assert await suppressed(acme) == ([(ANN, "bounce")] if is_certain else [])
    (report,) = await BounceReport.of(acme)
    assert report.is_certain is is_certain


@pytest.mark.parametrize("is_shared", [True, False])
async def test_a_provider_s_id_confirms_where_each_recipient_has_one(
    mailbox: Mailbox, acme: Organization, *, is_shared: bool
) -> None:
    reply = REPLIES["Amazon SES"]
    row, other = await sent_mail(acme, mailbox.account, ANN, BOB)
    await MailLog.filter(id=row.id).update(smtp_message_id=reply)
    await MailLog.filter(id=other.id).update(smtp_message_id=reply if is_shared else reply.replace("1", "2"))
    mailbox.add(ses("5.1.1", "smtp; 550 5.1.1 no such user"), f"<{SES_ID}@eu-west-1.amazonses.com>")
    await mailbox.read()
    assert await suppressed(acme) == ([] if is_shared else [(ANN, "bounce")])
    assert (await BounceReport.of(acme).get()).mail_log_id == row.id


@pytest.mark.parametrize("returns_message_id", [True, False])
async def test_the_tag_of_a_recipient_confirms_its_own_bounce(
    mailbox: Mailbox, acme: Organization, *, returns_message_id: bool
) -> None:
    rows = await sent_mail(acme, mailbox.account, ANN, BOB)
    report = UNKNOWN if returns_message_id else without_message_id(UNKNOWN)
    for row in rows:
        mailbox.add(with_tag(report, row), row.message_id, row.to_email)
    await mailbox.read()
    assert [await kinds_of(row) for row in rows] == [["bounced"], ["bounced"]]
    assert await suppressed(acme) == [(ANN, "bounce"), (BOB, "bounce")]


async def test_the_tag_of_a_recipient_bounces_nobody_else(mailbox: Mailbox, acme: Organization) -> None:
    rows = await sent_mail(acme, mailbox.account, ANN, BOB)
    mailbox.add(with_tag(UNKNOWN, rows[0]), rows[0].message_id, BOB)
    await mailbox.read()
    assert await suppressed(acme) == [(ANN, "bounce")]
    assert (await fresh(rows[1])).bounced_at is None
