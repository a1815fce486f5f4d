"""What is wrong with a campaign, or worth knowing, before it is sent: pure, from what is known of it."""

import ipaddress
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from webapp.domain.accounts.selection import can_send_campaigns
from webapp.domain.campaigns.preview import Preview
from webapp.domain.campaigns.scheduling import AUTOMATIC, check_times
from webapp.domain.plans.plans import Plan
from webapp.domain.templates.preview import CLIPPED_BYTES
from webapp.errors import ValidationError
from webapp.models import Account, Campaign
from webapp.models.account import AccountStatus
from webapp.models.campaign import ScheduleType
from webapp.models.queries.missing_values import MissingValues

Kind = Literal["bad", "warn"]
Step = Literal["audience", "content", "senders", "schedule"] | None


class Finding(NamedTuple):
    """A sentence about a step, or about what no step can change; what is `bad` keeps the campaign from being sent."""

    kind: Kind
    step: Step
    text: str


@dataclass(frozen=True)
class Facts:
    """What is known of a campaign. `accounts` are those that may pull it, well or not.

    `fault` says why its template makes no mail, `quota_left` how many recipients the plan has left (None: no end).
    """

    campaign: Campaign
    recipients: int
    accounts: Sequence[Account]
    preview: Preview | None
    fault: str | None
    gaps: MissingValues | None
    plan: Plan
    quota_left: int | None
    base_url: str

    @property
    def senders(self) -> list[Account]:
        """The accounts that can send now."""
        return [one for one in self.accounts if one.status == AccountStatus.ACTIVE and can_send_campaigns(one)]

    @property
    def is_sent_at_once(self) -> bool:
        """Whether it goes out as soon as it is confirmed, so that all must be ready now."""
        return self.campaign.schedule_type == ScheduleType.MANUAL


def findings(facts: Facts) -> list[Finding]:
    """All there is to say, step by step."""
    return [*_of_audience(facts), *_of_content(facts), *_of_senders(facts), *_of_schedule(facts)]


def _of_audience(facts: Facts) -> Iterator[Finding]:
    campaign, later = facts.campaign, "warn" if not facts.is_sent_at_once else "bad"
    if campaign.segment_id is None:
        yield Finding("bad", "audience", "Nobody is chosen yet: pick a segment.")
    elif facts.recipients == 0 and campaign.schedule_type != ScheduleType.RECURRING_NEW_CONTACTS:
        yield Finding(_kind(later), "audience", "The segment has no subscribed members.")
    if facts.quota_left is not None and facts.recipients > facts.quota_left:
        needs = f"this needs {facts.recipients:,}, and the {facts.plan.name.capitalize()} plan has {facts.quota_left:,}"
        yield Finding(_kind(later), "audience", f"Too many recipients: {needs} left this month.")


def _kind(word: str) -> Kind:
    return "bad" if word == "bad" else "warn"


def _of_content(facts: Facts) -> Iterator[Finding]:
    if facts.campaign.template_id is None:
        yield Finding("bad", "content", "There is no content yet: pick a template.")
    if facts.fault is not None:
        yield Finding("bad", "content", facts.fault)
    if facts.preview is not None:
        yield from _of_mail(facts.preview)
    if facts.gaps is not None:
        yield from _of_gaps(facts.gaps, facts.recipients)
    if _is_loopback(urlsplit(facts.base_url).hostname) and any(not _is_local(one) for one in facts.senders):
        yield Finding(
            "bad",
            None,
            f"Nobody could unsubscribe: links would lead to {facts.base_url}, which is the reader's own computer. "
            "The operator sets PENNYPOST_BASE_URL to the address at which people reach this service.",
        )


def _of_mail(preview: Preview) -> Iterator[Finding]:
    if not preview.has_link:
        text = "There is no unsubscribe link in the mail. Mail programs show a button of their own, not all of them: "
        yield Finding("warn", "content", text + "add {{ unsubscribe_url }} to the template.")
    if preview.octets > CLIPPED_BYTES:
        size, most = preview.octets // 1024, CLIPPED_BYTES // 1024
        yield Finding("warn", "content", f"The mail has {size:,} kB: Gmail cuts off what comes after {most} kB.")


def _of_gaps(gaps: MissingValues, recipients: int) -> Iterator[Finding]:
    """The tags that stay empty for somebody, the worst first."""
    whom = "contacts" if gaps.checked >= recipients else f"of the first {gaps.checked:,} contacts"
    for name, count in sorted(gaps.by_name.items(), key=lambda gap: -gap[1]):
        if count:
            text = f"{count:,} {whom} have no value for {{{{ {name} }}}}, which stays empty in their mail."
            yield Finding("warn", "content", text.replace("1 contacts have", "1 contact has") if count == 1 else text)


def _is_loopback(host: str | None) -> bool:
    if host is None or host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_local(account: Account) -> bool:
    """Whether its mail stays on this machine, whose links work there."""
    return account.is_sandbox or (account.smtp_host is not None and _is_loopback(account.smtp_host))


def _of_senders(facts: Facts) -> Iterator[Finding]:
    if not facts.senders:
        yield Finding("bad", "senders", "No account can send it: it needs an active one with a from address.")
    for account in facts.accounts:
        if account.status == AccountStatus.ERROR:
            yield Finding(
                "warn", "senders", f"“{account.name}” has an error: {account.last_error or 'it cannot send'}."
            )
        elif account.status == AccountStatus.PAUSED:
            yield Finding("warn", "senders", f"“{account.name}” is paused, and sends nothing until it is resumed.")
        elif not can_send_campaigns(account):
            lacks = "has no from address" if account.from_email is None else "is not connected to Google"
            yield Finding("warn", "senders", f"“{account.name}” {lacks}, so no campaign goes through it.")
    if any(account.is_sandbox for account in facts.senders):
        yield Finding("warn", "senders", "The sandbox is among the accounts: what goes through it reaches nobody.")


def _of_schedule(facts: Facts) -> Iterator[Finding]:
    if facts.campaign.schedule_type in AUTOMATIC and not facts.plan.allow_automation:
        text = f"The {facts.plan.name.capitalize()} plan does not allow campaigns that repeat by themselves."
        yield Finding("bad", "schedule", text)
    try:
        check_times(facts.campaign)
    except ValidationError as error:
        is_past = error.details[0].field == "scheduled_at" and facts.campaign.scheduled_at is not None
        text = (
            "Its time has passed." if is_past else "The schedule is not complete: its time or its interval is missing."
        )
        yield Finding("bad", "schedule", text)
