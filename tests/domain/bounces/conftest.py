"""A mailbox that bounces come back to, and emails that were sent before."""

import re
from uuid import UUID

import pytest

from tests.factories import make_account, make_mail
from tests.fakes.imap_server import HOST, ImapServer
from tests.sending.reports.samples import ANN, OURS
from webapp import clock
from webapp.domain.bounces.reading import read_due
from webapp.models import Account, BounceReport, Event, MailboxReading, MailLog, Organization
from webapp.models.base.org_model import AT_ONCE
from webapp.models.mail_log import SENT


class Mailbox:
    """An account's mailbox on a server of the test; `read` reads what has come."""

    def __init__(self, server: ImapServer, account: Account) -> None:
        self.server, self.account = server, account

    def add(self, report: bytes, message_id: str | None = None, recipient: str = ANN) -> None:
        """A report that has come today, about the email with this Message-ID."""
        about = report.replace(ANN.encode(), recipient.encode())
        if message_id is not None:
            about = about.replace(OURS.encode(), message_id.encode())
        self.server.add(about, clock.now().date())

    async def read(self) -> None:
        await MailboxReading.filter(account_id=self.account.id).update(next_at=AT_ONCE)
        await read_due()

    async def state(self) -> MailboxReading:
        return await MailboxReading.get(account_id=self.account.id)

    async def reports(self) -> list[tuple[str, UUID | None]]:
        """The kinds of what was read, and the mail logs, the oldest first."""
        found = await BounceReport.filter(account_id=self.account.id).order_by("id")
        return [(one.kind, one.mail_log_id) for one in found]


def without_message_id(report: bytes) -> bytes:
    """The report as a server writes it that returns no Message-ID."""
    return re.sub(rb"(?im)^(Message-ID|References|In-Reply-To):.*\r\n", b"", report)


async def read_from(server: ImapServer, org: Organization) -> Mailbox:
    """The own mailbox of an account, read from now on."""
    account = await make_account(
        org,
        bounce_reading="account",
        bounce_imap_host=HOST,
        bounce_imap_port=server.port,
        bounce_imap_security="none",
        smtp_username="ann",
        password="secret",
    )
    await MailboxReading.begin(account)
    return Mailbox(server, account)


@pytest.fixture
async def mailbox(imap_server: ImapServer, acme: Organization) -> Mailbox:
    """Our account's own mailbox."""
    return await read_from(imap_server, acme)


async def sent_mail(org: Organization, account: Account, *recipients: str) -> list[MailLog]:
    """The rows of an email that the account's server has accepted."""
    ids = await make_mail(org, account, *(recipients or (ANN,)))
    await MailLog.filter(id__in=ids).update(status=SENT, sent_at=clock.now())
    return await MailLog.filter(id__in=ids).order_by("id")


async def kinds_of(row: MailLog) -> list[str]:
    """The types of a mail log's events but for those of its sending, the oldest first."""
    events = await Event.filter(mail_log_id=row.id).order_by("id")
    return [one.type.removeprefix("email.") for one in events if one.type not in ("email.queued", "email.sent")]
