"""The contents of a review, and its checks: errors that prevent sending, and warnings."""

import ipaddress
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Literal, NamedTuple, get_args
from urllib.parse import urlsplit
from uuid import UUID

from webapp.contact_fields import CONTACT_FIELDS
from webapp.domain.accounts.credentials import sign_in_finding
from webapp.domain.accounts.selection import ENCODED, LARGEST, can_carry, can_send_campaigns, has_domain
from webapp.domain.campaigns.forecast import Forecast
from webapp.domain.campaigns.mailchimp_tags import mailchimp_faults
from webapp.domain.campaigns.preview import CampaignPreview
from webapp.domain.campaigns.scheduling import AUTOMATIC, validate_schedule
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.plans.plans import Plan
from webapp.domain.templates.preview import CLIPPED_BYTES
from webapp.errors import ValidationError
from webapp.models import Account, Campaign, Media, Segment, Template, Topic
from webapp.models.account import AccountStatus
from webapp.models.campaign import CampaignStatus, ScheduleType
from webapp.models.contact import STANDARD_FIELDS
from webapp.models.outbox.audience_counts import AudienceCounts
from webapp.models.queries.contacts.segment_filter import CUSTOM, value_name
from webapp.models.queries.missing_values import MissingValues

STANDARD_LABELS = {field.name: field.label for field in CONTACT_FIELDS if field.name in STANDARD_FIELDS}
LIKENESS = 0.7  # of 1; then one name may be meant by the other
MEGABYTE = 1024 * 1024
Kind = Literal["bad", "alarm", "warn"]  # prevents sending; wrong for everyone; wrong for some
GRAVEST_FIRST: tuple[Kind, ...] = get_args(Kind)
Step = Literal["audience", "content", "template", "senders", "schedule", "brand"] | None  # where to fix it


class Check(NamedTuple):
    kind: Kind
    step: Step
    text: str
    tag: str | None = None  # the merge tag that it is about


@dataclass(frozen=True)
class Review:
    """`fault` is why the template cannot be rendered; `quota_left` is None without a limit."""

    campaign: Campaign
    counts: AudienceCounts
    accounts: Sequence[Account]
    preview: CampaignPreview | None
    fault: str | None
    missing: MissingValues | None
    plan: Plan
    quota_left: int | None
    base_url: str
    segment: Segment | None = None
    template: Template | None = None
    topic: Topic | None = None
    forecast: Forecast | None = None
    is_for_new: bool = False  # sends only to members that no earlier run reached
    known: Collection[str] = ()  # names of custom fields
    labels: Mapping[str, str] = field(default_factory=dict)  # of custom fields, by their names in filters
    last_trouble: str | None = None  # the limit of bounces or complaints that the last run exceeded
    excluded_segments: Sequence[Segment] = ()
    attachments: Sequence[Media] = ()  # without deleted ones
    lacks_address_in: Step = None  # where to add the postal address that the email lacks
    refused: Mapping[UUID, str] = field(default_factory=dict)  # why servers may refuse email, by account

    @property
    def left_out(self) -> list[str]:
        """The members who get nothing, by reason, without excluded segments."""
        segment, not_new = self.segment, "already in this campaign"
        if not self.is_for_new and segment is not None and not segment.is_dynamic:
            not_new = "in the segment before this campaign was created"
            not_new += ", or already in this campaign" if self.campaign.last_run_at else ""
        reasons = (
            (not_new, self.counts.not_new),
            ("unsubscribed or bounced", self.counts.unmailable),
            ("paused", self.counts.paused),
            (f"opted out of {self.topic.name if self.topic else 'the topic'}", self.counts.opted_out),
            ("suppressed", self.counts.suppressed),
        )
        return [f"{count:,} {reason}" for reason, count in reasons if count]

    @property
    def able(self) -> list[Account]:
        active = [account for account in self.accounts if account.status == AccountStatus.ACTIVE]
        return [account for account in active if can_send_campaigns(account) and self.may_use(account)]

    def may_use(self, account: Account) -> bool:
        return self.may_send_as(account) and can_carry(account, self.attached)

    @property
    def attached(self) -> int:
        """The bytes of the attachments."""
        return sum(media.bytes for media in self.attachments)

    def may_send_as(self, account: Account) -> bool:
        return self.campaign.from_email is None or has_domain(account, self.campaign.from_email)

    @property
    def senders(self) -> list[Account]:
        return [account for account in self.able if not account.is_failing]

    @property
    def sandbox_note(self) -> str | None:
        """A warning if the sandbox is the only sender."""
        if not self.able or not all(account.is_sandbox for account in self.able):
            return None
        note = "This goes to the sandbox only; nobody receives it."
        is_later = self.campaign.schedule_type != ScheduleType.MANUAL and self.campaign.sender_account_ids is None
        return f"{note} If you add an account before it goes out, your contacts receive it." if is_later else note

    @cached_property
    def checks(self) -> list[Check]:
        """The gravest first."""
        checks = [*_of_audience(self), *_of_content(self), *_of_senders(self), *_of_schedule(self)]
        return sorted(checks, key=lambda check: GRAVEST_FIRST.index(check.kind))

    @property
    def can_go(self) -> bool:
        return all(check.kind != "bad" for check in self.checks)


def _of_audience(review: Review) -> Iterator[Check]:
    campaign, counts = review.campaign, review.counts
    kind: Kind = "bad" if campaign.schedule_type == ScheduleType.MANUAL else "warn"
    other = "other " if counts.suppressed or counts.paused or counts.opted_out else ""
    if counts.suppressed:
        are = "member is suppressed and gets" if counts.suppressed == 1 else "members are suppressed and get"
        yield Check("warn", "audience", f"{counts.suppressed:,} {are} nothing.")
    if review.last_trouble is not None:
        yield Check("alarm", "audience", f"In the last run {review.last_trouble}.")
    if campaign.segment_id is None:
        yield Check("bad", "audience", "No audience yet. Select a segment.")
    elif counts.recipients == 0 and review.is_for_new:
        is_open = campaign.status in (CampaignStatus.SENDING, CampaignStatus.HALTED)
        has = "is already in the current run" if is_open else "has already received this campaign"
        yield Check("bad", None, f"Everyone {'else ' if other else ''}in this segment {has}.")
    elif counts.recipients == 0 and not campaign.is_for_new_members:
        yield Check(kind, "audience", f"The segment has no {other}subscribed members.")
    if review.quota_left is not None and counts.recipients > review.quota_left:
        plan = f"the {review.plan.name.capitalize()} plan has {review.quota_left:,} left this month"
        yield Check(kind, "audience", f"Too many recipients: you need {counts.recipients:,}, and {plan}.")


def _of_content(review: Review) -> Iterator[Check]:
    if review.campaign.template_id is None:
        yield Check("bad", "content", "No content yet. Select a template.")
    if review.fault is not None:
        yield Check("bad", "template", review.fault)
    if review.preview is not None:
        if not review.preview.has_link:
            text = "No unsubscribe link. Some mail apps don't show their own button, so add {{ unsubscribe_url }}."
            yield Check("alarm", "template", text)
        if review.preview.octets > CLIPPED_BYTES:
            size, limit = review.preview.octets // 1024, CLIPPED_BYTES // 1024
            yield Check("warn", "template", f"The email is {size:,} kB. Gmail clips emails larger than {limit} kB.")
        yield from (Check("warn", "template", words) for words in review.preview.faults)
    yield from _of_attachments(review)
    if review.lacks_address_in is not None:
        text = "No postal address. Many countries require yours in marketing emails."
        yield Check("warn", review.lacks_address_in, text)
    if review.template is not None:
        own = f"{review.campaign.subject or ''}\n{review.campaign.preview_text or ''}"
        subject = "" if review.campaign.subject else review.template.subject
        yield from (Check("alarm", "content", fault) for fault in mailchimp_faults(own))
        body_faults = mailchimp_faults(f"{subject}\n{review.template.body}")
        yield from (Check("alarm", "template", fault) for fault in body_faults)
    if review.missing is not None:
        yield from _of_missing(review, review.missing)
    hosts = [account.smtp_host for account in review.able if not account.is_sandbox]
    reaches_others = any(host is None or not _is_loopback(host) for host in hosts)
    if reaches_others and _is_loopback(urlsplit(review.base_url).hostname):
        yield Check(
            "bad",
            None,
            f"Unsubscribe links would point to {review.base_url}, which recipients can't open. "
            "Set PENNYPOST_BASE_URL to this server's public address.",
        )


def _of_attachments(review: Review) -> Iterator[Check]:
    if len(review.attachments) < len(review.campaign.media_ids):
        yield Check("bad", "content", "An attachment was deleted from the media library. Choose the attachments again.")
    if review.attached:
        each = review.attached * ENCODED
        size, total = _megabytes(each), _megabytes(each * max(review.counts.recipients, 1))
        whom = "recipient" if review.counts.recipients == 1 else "recipients"
        text = f"The attachments add {size} to each email, {total} in total for {review.counts.recipients:,} {whom}."
        yield Check("warn", "content", f"{text} A link to the file loads faster, and fewer filters stop it.")


def _megabytes(count: float) -> str:
    return f"{max(count / MEGABYTE, 0.1):,.1f} MB"


def _of_missing(review: Review, missing: MissingValues) -> Iterator[Check]:
    is_whole, needs = missing.checked >= review.counts.recipients, review.preview.needs if review.preview else ()
    spellings = {name.casefold(): name for name in (*sorted(review.known), *STANDARD_FIELDS)}
    whom = "contacts" if is_whole else f"of the first {missing.checked:,} contacts"
    own = read_template(f"{review.campaign.subject or ''} {review.campaign.preview_text or ''}").variables
    for name, count in sorted(missing.by_name.items(), key=lambda entry: -entry[1]):
        step: Step = "content" if name in own else "template"
        if count == missing.checked and count and name not in STANDARD_FIELDS:
            is_known = name.casefold() in spellings  # a field of other contacts
            all_lack = "None of these recipients has" if is_known else "No contact has"
            who_lacks = all_lack if is_whole else f"None of the first {missing.checked:,} contacts has"
            likely = get_close_matches(name.casefold(), spellings, 1, LIKENESS)
            meant = f" Did you mean {{{{ {spellings[likely[0]]} }}}}?" if likely else ""
            advice = " Add a default." if is_known else meant
            yield Check("alarm", step, f"{who_lacks} a value for {{{{ {name} }}}}.{advice}", name)
        elif count and name in needs:
            label = STANDARD_LABELS.get(name) or review.labels.get(value_name(f"{CUSTOM}{name}")) or name
            text = (
                f"{count:,} {whom} have no value for “{label}”, so {{{{ {name} }}}} will be blank. "
                f'Add a default: {{{{ {name} | default: "…" }}}}.'
            )
            yield Check("warn", step, text.replace("1 contacts have", "1 contact has") if count == 1 else text, name)


def _is_loopback(host: str | None) -> bool:
    if host is None or host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _of_senders(review: Review) -> Iterator[Check]:
    if not review.able:
        sender = review.campaign.from_email
        choose = "this campaign. Choose an active account with a From address."
        if not all(can_carry(account, review.attached) for account in review.accounts):
            choose = "attachments of this size. Choose an account of another provider, or smaller files."
        choose_fitting = f"as {sender}. Choose an active account of the same domain, or another From address."
        yield Check("bad", "senders", f"No account can send {choose if sender is None else choose_fitting}")
    elif not review.senders:
        text = "No account can connect right now. Sending starts once one can; test the login on the account's page."
        yield Check("alarm", "senders", text)
    for account in review.accounts:
        yield from _of_account(review, account)
    for words in dict.fromkeys(review.refused[account.id] for account in review.able if account.id in review.refused):
        yield Check("alarm", "senders", words)
    yield from _of_sandbox(review)


def _of_account(review: Review, account: Account) -> Iterator[Check]:
    if account.is_failing:
        error = (account.last_error or "no answer").removesuffix(".")
        text = f"“{account.name}” can't connect, so the forecast leaves it out: {error}."
        yield Check("warn", "senders", text)
    if account.status == AccountStatus.ERROR:
        yield Check("warn", "senders", f"“{account.name}” has an error: {account.last_error or 'sending fails'}.")
    elif account.status == AccountStatus.PAUSED:
        yield Check("warn", "senders", f"“{account.name}” is paused and sends nothing until you resume it.")
    elif not can_send_campaigns(account):
        provider = account.provider_type.title()
        lacks = "has no From address" if account.from_email is None else f"isn't connected to {provider}"
        yield Check("warn", "senders", f"“{account.name}” {lacks}, so it can't send campaigns.")
    elif not review.may_send_as(account):
        text = f"“{account.name}” can't send as {review.campaign.from_email}, so this campaign doesn't use it."
        yield Check("warn", "senders", text)
    elif not can_carry(account, review.attached):
        largest = _megabytes(LARGEST[account.provider_type])
        text = f"“{account.name}” can't send emails over {largest}, so with these attachments it isn't used."
        yield Check("warn", "senders", text)
    if account.status != AccountStatus.ERROR and (finding := sign_in_finding(account)):
        yield Check("warn", "senders", f"“{account.name}”: {finding}")


def _of_sandbox(review: Review) -> Iterator[Check]:
    if review.sandbox_note:
        yield Check("warn", "senders", review.sandbox_note)
    elif any(account.is_sandbox for account in review.able):
        yield Check("warn", "senders", "One of the accounts is the sandbox. Email sent through it is never delivered.")


def _of_schedule(review: Review) -> Iterator[Check]:
    if review.campaign.schedule_type in AUTOMATIC and not review.plan.allow_automation:
        text = f"The {review.plan.name.capitalize()} plan doesn't include recurring campaigns."
        yield Check("bad", "schedule", text)
    try:
        validate_schedule(review.campaign, with_content=False)
    except ValidationError as error:
        is_past = error.details[0].field == "scheduled_at" and review.campaign.scheduled_at is not None
        text = (
            "The scheduled time has passed." if is_past else "The schedule is incomplete: add the time or the interval."
        )
        yield Check("bad", "schedule", text)
