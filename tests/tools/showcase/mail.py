"""A month of mail: what programs sent each day, and the runs of campaigns."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from uuid_utils.compat import uuid7

from tests.tools.showcase.words import FAILURES, RECEIPT, RECEIPT_TEXT, SUBJECTS
from webapp import clock
from webapp.domain.contacts.fields import snapshot
from webapp.models import (
    Account,
    AccountUsage,
    Attachment,
    Campaign,
    CampaignRun,
    CampaignRunAccount,
    Contact,
    Content,
    Email,
    EmailTag,
    MailEvent,
    MailLog,
    Organization,
)
from webapp.models.email import subject_key
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENT, MailStatus

FAR = timedelta(days=2)  # when what waits is due: nothing moves while it is looked at
AT_ONCE = 500


def id_at(at: datetime) -> UUID:
    """An id made at this instant."""
    return uuid7(nanoseconds=int(at.timestamp() * 1_000_000) * 1_000)


@dataclass
class Mail:
    """What is put together and written at the end."""

    org: Organization
    rows: list[MailLog] = field(default_factory=list)
    emails: list[Email] = field(default_factory=list)
    events: list[MailEvent] = field(default_factory=list)
    used: Counter[tuple[UUID, date]] = field(default_factory=Counter)
    failures: Sequence[tuple[int, str]] = FAILURES
    chance: random.Random = field(default_factory=lambda: random.Random(7))

    async def write(self) -> None:
        """Keep all of it, with what the accounts used of their days."""
        await Email.bulk_create(self.emails, batch_size=AT_ONCE)
        await MailLog.bulk_create(self.rows, batch_size=AT_ONCE)
        await MailEvent.bulk_create(self.events, batch_size=AT_ONCE)
        days = [
            AccountUsage(account_id=account_id, day=day, used=used) for (account_id, day), used in self.used.items()
        ]
        await AccountUsage.bulk_create(days, batch_size=AT_ONCE)

    def add(self, at: datetime, status: MailStatus, to: str, account: Account | None, **fields: Any) -> MailLog:
        """A row made at this instant, in a state that fits it."""
        row_id = id_at(at)
        row = MailLog(
            **{"id": row_id, "created_at": at, "org_id": self.org.id, "variables": {}, "recipient_type": "to"}
            | {"to_email": to, "account_id": account.id if account else None, "status": status}
            | {"from_email": account.from_email if account else None, "message_id": f"<{row_id.hex}@northwind.example>"}
            | {"next_attempt_at": clock.now() + FAR}
            | fields
        )
        self._settle(row, at)
        self.rows.append(row)
        if account and status in (SENT, FAILED):
            self.used[account.id, at.astimezone(ZoneInfo(self.org.timezone)).date()] += 1
        return row

    def _settle(self, row: MailLog, at: datetime) -> None:
        if row.status == SENT:
            row.sent_at, row.response_code = at + timedelta(seconds=2), 250
            row.smtp_message_id = f"250 2.0.0 Ok: queued as {row.id.hex[-10:].upper()}"
        if row.status == FAILED:
            row.response_code, words = self.chance.choices(self.failures, (6, 3, 1)[: len(self.failures)])[0]
            row.error, row.attempts = words.format(to=row.to_email), 1
            self._note(row, "sending", "failed", row.error, at + timedelta(seconds=2))
        if row.status == DEFERRED:
            self._note(row, "pending", "deferred", "the account's daily limit is reached", at + timedelta(minutes=1))

    def _note(self, row: MailLog, before: str, after: str, cause: str, at: datetime) -> None:
        event = MailEvent(id=id_at(at), created_at=at, org_id=self.org.id, mail_log_id=row.id)
        event.update_from_dict({"from_status": before, "to_status": after, "cause": cause})
        self.events.append(event)

    async def transactional(self, accounts: Sequence[Account], contacts: Sequence[Contact], days: int) -> Email:
        """What programs sent on each day; returns the newest email, which has attachments."""
        content = await Content.create(org=self.org, subject=SUBJECTS[0], html=RECEIPT, text=RECEIPT_TEXT)
        contents = [content] + [
            await Content.create(org=self.org, subject=subject, html=RECEIPT, text=RECEIPT_TEXT)
            for subject in SUBJECTS[1:]
        ]
        now = clock.now()
        for back in range(days, -1, -1):
            for number in range(self.chance.randint(14, 44)):
                at = now - timedelta(days=back, minutes=7 * number + 3)
                status = self.chance.choices((SENT, FAILED), (30, 1))[0]
                self.add_email(at, status, self.chance.choice(contacts), self.chance.choice(accounts), contents)
        for hours in (4, 30, 52):
            email = self.add_email(now, PENDING, self.chance.choice(contacts), accounts[0], contents)
            email.scheduled_at = self.rows[-1].next_attempt_at = now + timedelta(hours=hours)
        for _ in range(12):
            self.add_email(now - timedelta(minutes=40), DEFERRED, self.chance.choice(contacts), accounts[-1], contents)
        newest = self.add_email(now - timedelta(minutes=1), SENT, contacts[0], accounts[0], contents[:1])
        newest.tags = [{"name": "category", "value": "receipt"}]
        await newest.save(force_create=True)
        for tag in ("category", "category:receipt"):
            await EmailTag.create(org=self.org, email=newest, tag=tag)
        self.emails.remove(newest)
        for position, (name, kind) in enumerate((("receipt.pdf", "application/pdf"), ("terms.txt", "text/plain"))):
            fields: dict[str, Any] = {
                "position": position,
                "filename": name,
                "content_type": kind,
                "size": 9,
                "data": b"%PDF-1.7\n",
            }
            await Attachment.create(org=self.org, email=newest, **fields)
        return newest

    def add_email(
        self, at: datetime, status: MailStatus, contact: Contact, account: Account, contents: Sequence[Content]
    ) -> Email:
        """An email with one recipient and one of these contents."""
        content = self.chance.choice(contents)
        row = self.add(at, status, contact.email, account, kind="transactional", content_id=content.id)
        row.email_id = row.id
        email = Email(
            id=row.id,
            created_at=at,
            org_id=self.org.id,
            account_id=account.id,
            content_id=content.id,
            message_id=row.message_id,
            sender=f"Northwind Books <{account.from_email}>",
            addresses={"to": [contact.email], "cc": [], "bcc": [], "reply_to": ["shop@northwind.example"]},
            headers={"X-Shop": "northwind"},
            tags=[],
            variables={},
            size=len(RECEIPT),
            from_key=account.from_email and account.from_email.lower(),
            subject_key=subject_key(content.subject),
        )
        self.emails.append(email)
        return email

    async def run(
        self,
        campaign: Campaign,
        at: datetime,
        contacts: Sequence[Contact],
        accounts: Sequence[Account],
        statuses: Sequence[tuple[MailStatus, int]],
        failure: tuple[int, str] | None = None,
        every: float = 0.1,
        **fields: Any,
    ) -> CampaignRun:
        """A run of a campaign begun at an instant, whose recipients are in these states, in so many parts of 100.

        One recipient's email comes `every` so many seconds. Where a `failure` is given, all its mail failed for that.
        """
        self.failures = (failure,) if failure else FAILURES
        content = await Content.create(org=self.org, subject="Rivers", html=fields.pop("html"), is_template=True)
        run = await CampaignRun.create(
            id=id_at(at),
            created_at=at,
            org=self.org,
            campaign_id=campaign.id,
            trigger="dashboard",
            trigger_key=str(at),
            content_id=content.id,
            segment_id=campaign.segment_id,
            started_at=at,
            from_email=accounts[0].from_email,
            materialised=True,
            is_counted=True,
            **fields,
        )
        for account in accounts:
            await CampaignRunAccount.create(run=run, account_id=account.id)
        states, weights = zip(*statuses, strict=True)
        for number, contact in enumerate(contacts):
            status = self.chance.choices(states, weights)[0]
            self.add(
                at + timedelta(seconds=every * number),
                status,
                contact.email,
                None if status in (PENDING, HALTED) else self.chance.choice(accounts),
                kind="campaign",
                content_id=content.id,
                campaign_id=campaign.id,
                campaign_run_id=run.id,
                contact_id=contact.id,
                variables=snapshot(contact, ["first_name"]) | {"city": contact.custom_fields["city"]},
            )
        return run
