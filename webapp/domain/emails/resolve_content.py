"""Resolves the content of emails by filling in their templates, so that rows hold what will be sent."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp.addresses import email_key
from webapp.domain.campaigns.tracked_links import track
from webapp.domain.contacts.unsubscribe import sample_own_links, with_sample_links
from webapp.domain.emails.inputs import ChosenTemplate, NewEmail, scheduled_time
from webapp.domain.inputs import Tracking
from webapp.domain.key_scope import KeyScope, current_scope
from webapp.domain.link_signing import ReaderLink
from webapp.domain.merge_tags.budget import MIB, REQUEST_BYTES, Budget, run_in_render_pool
from webapp.domain.merge_tags.rendering import MergeSource, check_missing, fill_in
from webapp.domain.templates.templates import body_kind, templates_named
from webapp.domain.time_words import TimeWords
from webapp.domain.tracking.placeholders import Tracked, tag_name, with_addresses
from webapp.errors import ApiError, NotFound, ValidationError
from webapp.models import Contact, Content, Organization, Template, TrackedLink


class TrackedIds(NamedTuple):
    """The ids that a tracked email and its content will have, and its links."""

    email_id: UUID
    content_id: UUID
    links: list[TrackedLink]


class Source(NamedTuple):
    """The message that was submitted by SMTP, as it is sent, with the ids that the email will have."""

    email_id: UUID
    message_id: str
    data: bytes


@dataclass(frozen=True)
class ResolvedEmail:
    """An email with its final subject and at least one body, or those that a submitted message shows."""

    data: NewEmail
    subject: str
    html: str | None
    text: str | None
    template_id: UUID | None = None
    tracked: TrackedIds | None = None
    scheduled_at: datetime | None = None
    scope: KeyScope = field(default_factory=current_scope)  # because emails of several keys are accepted together
    source: Source | None = None
    reader_link: ReaderLink | None = None  # that takes the place of its sample while the email is built

    @property
    def tracking(self) -> Tracking | None:
        """What to track, if anything."""
        asked = self.data.tracking
        return asked if asked and (asked.opens or asked.clicks) and self.html is not None else None


async def resolve_email(org: Organization, data: NewEmail) -> ResolvedEmail:
    """Fills in the template. Raises NotFound, ValidationError with `missing_variables`."""
    (resolved,) = await resolve_batch(org, [data])
    if isinstance(resolved, ApiError):
        raise resolved
    return resolved


async def resolve_batch(org: Organization, items: Sequence[NewEmail | ApiError]) -> list[ResolvedEmail | ApiError]:
    def resolve_all() -> list[ResolvedEmail | ApiError]:
        budget = Budget()
        return [_scheduled(_resolve(item, templates, budget), org.timezone) for item in items]

    wanted = {item.template.id for item in items if isinstance(item, NewEmail) and item.template}
    templates = await templates_named(org, wanted)
    takes_long = wanted or any(
        isinstance(item, NewEmail) and isinstance(item.scheduled_at, TimeWords) for item in items
    )
    resolved = await run_in_render_pool(org.id, resolve_all) if takes_long else resolve_all()
    to_track = [item for item in resolved if isinstance(item, ResolvedEmail) and item.tracking]
    if not to_track:
        return resolved
    keys = {email_key(item.data.to[0].email) for item in to_track}
    refusing = Contact.of(org).filter(email_key__in=list(keys), do_not_track=True)
    refused_keys = set(await refusing.values_list("email_key", flat=True))
    return await run_in_render_pool(org.id, lambda: [_track(org.id, item, refused_keys) for item in resolved])


def _scheduled(item: ResolvedEmail | ApiError, timezone: str) -> ResolvedEmail | ApiError:
    if isinstance(item, ApiError) or item.data.scheduled_at is None:
        return item
    try:
        return replace(item, scheduled_at=scheduled_time(item.data.scheduled_at, timezone))
    except ValidationError as fault:
        return fault


def _track(org_id: UUID, item: ResolvedEmail | ApiError, refused_keys: Collection[object]) -> ResolvedEmail | ApiError:
    """Makes the email to one recipient tracked by signed addresses in its HTML; takes a millisecond per 100 KB."""
    if isinstance(item, ApiError) or item.tracking is None or email_key(item.data.to[0].email) in refused_keys:
        return item
    content = Content(id=uuid7(), org_id=org_id, subject="", html=item.html)
    links = track(content, item.tracking.model_dump())
    if content.html is None or content.html == item.html:
        return item
    email_id, tags = uuid7(), Tracked({tag_name(link.number): link.id for link in links}, item.tracking.opens)
    html = with_addresses(content.html, tags, email_id, org_id)
    return replace(item, html=html, tracked=TrackedIds(email_id, content.id, links))


def _resolve(
    item: NewEmail | ApiError, templates: Mapping[UUID | str, Template], budget: Budget
) -> ResolvedEmail | ApiError:
    if isinstance(item, ApiError):
        return item
    if item.template is None and item.topic_id is None:
        return ResolvedEmail(item, item.subject or "", item.html, item.text)
    if item.template is None:
        html, text = (body and with_sample_links(body) for body in (item.html, item.text))
        return ResolvedEmail(item, item.subject or "", html, text)
    if item.template.id not in templates:
        return NotFound("template.id: template not found")
    resolved: ResolvedEmail | ApiError | None
    try:
        resolved = None if budget.is_spent else _fill_in(item, item.template, templates[item.template.id], budget)
    except ValidationError as fault:
        resolved = fault
    if resolved is None or budget.is_spent:
        bound = f"takes too much work or over {REQUEST_BYTES // MIB} MiB, counting the emails before it"
        return ValidationError.about("template.id", f"the template {bound}")
    return resolved


def _fill_in(data: NewEmail, chosen: ChosenTemplate, template: Template, budget: Budget) -> ResolvedEmail:
    if not data.subject and not template.subject.strip():
        raise ValidationError.at("subject", "is required: the template has none")
    variables, named = chosen.variables or {}, "template.id: the template's"
    if data.topic_id is not None:
        variables = sample_own_links() | variables
    subject = MergeSource("template.id", f"{named} subject", template.subject)
    if data.subject:
        subject = MergeSource("subject", "subject", data.subject)
    body = MergeSource("template.id", f"{named} body", template.body, body_kind(template))
    check_missing("template.variables", [subject, body], [variables], budget)
    mail = fill_in(subject, body, variables, budget)
    return ResolvedEmail(data, mail.subject, mail.html, mail.text, template.id)
