"""A mailbox that is read: an unknown recipient, a verdict on the sender, a complaint, and a report about nobody's email."""

from datetime import timedelta

from tests.factories import make_mail
from tests.sending.reports.samples import ANN, OURS
from tests.sending.reports.samples.providers import MICROSOFT_FEEDBACK, complaint, exchange
from tests.sending.reports.samples.servers import postfix, postfix_group
from webapp import clock
from webapp.domain.bounces.effects import apply
from webapp.domain.bounces.matching import match_by_id, search_match
from webapp.models import Account, Email, MailboxReading, MailLog, Organization
from webapp.models.mail_log import SENT
from webapp.models.outbox.transitions import Transition, add_transitions
from webapp.sending.reports.parse import parse

REPORTS = {
    "mia.tanaka@oldshop.example": postfix(postfix_group(ANN, "5.1.1", "smtp; 550 5.1.1 no such user")),
    "noah.keller@strict.example": exchange("5.7.511", "550 5.7.511 Message rejected: its content was taken for spam"),
    "eva.lind@annoyed.example": complaint(
        MICROSOFT_FEEDBACK, "Feedback-Type: abuse\nUser-Agent: Feedback/1.0\nVersion: 1\n"
    ),
}


async def fill_bounces(org: Organization, account: Account) -> list[MailLog]:
    """Read the reports from the account's mailbox, and return the emails that they are about."""
    account.bounce_reading, account.bounce_verp, account.bounce_verp_works = "account", True, True
    await account.save()
    await MailboxReading.begin(account)
    await (
        MailboxReading.of(org)
        .filter(account_id=account.id)
        .update(read_at=clock.now() - timedelta(seconds=20), next_at=clock.now() + timedelta(seconds=40), messages=61)
    )
    rows = []
    for recipient, report in REPORTS.items():
        (mail_id,) = await make_mail(org, account, recipient, from_email=account.from_email)
        await Email.filter(id=mail_id).update(sender=f"{org.name} <{account.from_email}>")
        await MailLog.filter(id=mail_id).update(status=SENT, sent_at=clock.now(), response_code=250)
        await add_transitions([Transition(org.id, mail_id, "sending", SENT, "250 2.0.0 Ok")])
        row = await MailLog.get(id=mail_id)
        await _read(org, account, report, recipient, row.message_id)
        rows.append(row)
    await _read(org, account, REPORTS["mia.tanaka@oldshop.example"], "kim@elsewhere.example", "<1@elsewhere.example>")
    return rows


async def _read(org: Organization, account: Account, report: bytes, recipient: str, message_id: str) -> None:
    about = report.replace(ANN.encode(), recipient.encode()).replace(OURS.encode(), message_id.encode())
    verdicts = parse(about)
    for verdict, match in zip(verdicts, await match_by_id(org, verdicts), strict=True):
        await apply(org, account, verdict, match or await search_match(org, account, verdict))
