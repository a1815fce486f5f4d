"""An account with every part of a pace, whose window is closed, what waits for it, and a forecast of days."""

from collections.abc import Sequence
from datetime import timedelta

from tests.factories import make_account, make_campaign
from tests.tools.showcase.mail import FAR, Mail
from tests.tools.showcase.words import LETTER, RECEIPT, RECEIPT_TEXT, SUBJECTS
from webapp import clock
from webapp.models import Account, Campaign, Contact, Content, MailLog, Organization, Segment, Template
from webapp.models.mail_log import PENDING
from webapp.models.outbox.send_window import DAYS
from webapp.models.queries.provider_slowdowns import slow_down

SLOW_PROVIDER, ITS_MAILBOX = "google", "@gmail.com"
TEMPORARY = "421 4.7.28 Our system has detected an unusual rate of email from your IP address"


async def make_paced(org: Organization) -> Account:
    """At a provider that states its rates; the window opens in two days, and the ramp is at its first one."""
    today = clock.today(org.timezone).weekday()
    opens = sorted((today + days) % len(DAYS) for days in (2, 3, 4))
    window = {"days": [DAYS[day] for day in opens], "from": "08:00", "to": "18:00", "timezone": org.timezone}
    return await make_account(
        org,
        name="Microsoft 365 of the shop",
        from_email="news@northwind.example",
        smtp_host="smtp.office365.com",
        smtp_port=587,
        smtp_security="starttls",
        smtp_username="news@northwind.example",
        password="a password",
        daily_mail_limit=10_000,
        concurrency=3,
        max_per_minute=30,
        max_per_hour=1_200,
        min_gap_seconds=1,
        send_window={**window, "includes_transactional": False},
        ramp={"start": 400, "step_percent": 20, "until": 8_000},
        reserve_for_transactional=50,
    )


async def fill_forecast(org: Organization, segment: Segment, template: Template) -> Campaign:
    """A campaign ready to be sent, which takes its one account days: a server on loopback, whatever the base URL is."""
    window = {"days": DAYS[:5], "from": "08:00", "to": "18:00", "timezone": org.timezone}
    relay = await make_account(
        org,
        name="Relay in the office",
        from_email="office@northwind.example",
        daily_mail_limit=60,
        max_per_minute=2,
        send_window={**window, "includes_transactional": False},
    )
    senders = [str(relay.id)]
    return await make_campaign(
        org, title="Invitation to the fair", segment=segment, template=template, sender_account_ids=senders
    )


async def fill_waiting(
    mail: Mail, account: Account, segment: Segment, members: Sequence[Contact], template: Template
) -> list[MailLog]:
    """A row of a campaign that waits for the window, and two emails: for what a provider asked, and for the rates."""
    await slow_down(account, SLOW_PROVIDER, TEMPORARY)
    await account.refresh()
    at = clock.now() - timedelta(minutes=2)
    campaign = await make_campaign(
        mail.org, title="Weekdays in Berlin", status="sending", last_run_at=at, segment=segment, template=template
    )
    await mail.run(campaign, at, members, [account], ((PENDING, 100),), html=LETTER)
    for row in mail.rows[-len(members) :]:
        row.next_attempt_at = at
    waiting = [mail.rows[-1]]
    content = await Content.create(org=mail.org, subject=SUBJECTS[0], html=RECEIPT, text=RECEIPT_TEXT)
    for is_slowed in (True, False):
        reader = next(member for member in members if member.email.endswith(ITS_MAILBOX) == is_slowed)
        mail.add_email(at, PENDING, reader, account, [content])
        waiting.append(mail.rows[-1])
        waiting[-1].next_attempt_at = clock.now() + FAR if is_slowed else at
    return waiting
