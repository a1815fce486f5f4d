"""Resolves the content of emails by filling in their templates, so that rows hold what will be sent."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from webapp.addresses import email_key
from webapp.domain.emails.inputs import ChosenTemplate, NewEmail
from webapp.domain.emails.tracked import TrackedHtml, refuse_tracking, track_html
from webapp.domain.merge_tags.budget import MIB, REQUEST_BYTES, Budget, run_in_render_pool
from webapp.domain.merge_tags.rendering import MergeSource, check_missing, fill_in
from webapp.domain.templates.templates import body_kind, template_named
from webapp.errors import ApiError, NotFound, ValidationError
from webapp.models import Organization, Template

Templates = Mapping[UUID, Template | NotFound]


@dataclass(frozen=True)
class ResolvedEmail:
    """An email with its final subject and at least one body; `tracked` has its links."""

    data: NewEmail
    subject: str
    html: str | None
    text: str | None
    template_id: UUID | None = None
    tracked: TrackedHtml | None = None

    @property
    def is_to_track(self) -> bool:
        tracking = self.data.tracking
        return tracking is not None and (tracking.opens or tracking.clicks) and self.html is not None


async def resolve_email(org: Organization, data: NewEmail) -> ResolvedEmail:
    """Fills in the template. Raises NotFound, ValidationError with `missing_variables`."""
    (resolved,) = await resolve_batch(org, [data])
    if isinstance(resolved, ApiError):
        raise resolved
    return resolved


async def resolve_batch(org: Organization, items: Sequence[NewEmail | ApiError]) -> list[ResolvedEmail | ApiError]:
    resolved = await _resolve_found(org, items)
    to_track = [item for item in resolved if isinstance(item, ResolvedEmail) and item.is_to_track]
    if not to_track:
        return resolved
    refusing = await refuse_tracking(org, {item.data.to[0].email for item in to_track})
    return await run_in_render_pool(org.id, _track_all, org.id, resolved, refusing)


def _track_all(
    org_id: UUID, items: Sequence[ResolvedEmail | ApiError], refusing: Collection[str]
) -> list[ResolvedEmail | ApiError]:
    return [item if isinstance(item, ApiError) else _track(org_id, item, refusing) for item in items]


def _track(org_id: UUID, item: ResolvedEmail, refusing: Collection[str]) -> ResolvedEmail:
    data = item.data
    if not item.is_to_track or data.tracking is None or item.html is None or email_key(data.to[0].email) in refusing:
        return item
    tracked = track_html(org_id, item.html, data.tracking)
    return item if tracked is None else replace(item, html=tracked.html, tracked=tracked)


async def _resolve_found(org: Organization, items: Sequence[NewEmail | ApiError]) -> list[ResolvedEmail | ApiError]:
    wanted = {item.template.id for item in items if isinstance(item, NewEmail) and item.template}
    if not wanted:
        return _resolve_all(items, {})
    templates: dict[UUID, Template | NotFound] = {}
    for template_id in wanted:
        try:
            templates[template_id] = await template_named(org, template_id, "template.id")
        except NotFound as missing:
            templates[template_id] = missing
    return await run_in_render_pool(org.id, _resolve_all, items, templates)


def _resolve_all(items: Sequence[NewEmail | ApiError], templates: Templates) -> list[ResolvedEmail | ApiError]:
    budget = Budget()
    return [_resolve(item, templates, budget) for item in items]


def _resolve(item: NewEmail | ApiError, templates: Templates, budget: Budget) -> ResolvedEmail | ApiError:
    if isinstance(item, ApiError):
        return item
    if item.template is None:
        return ResolvedEmail(item, item.subject or "", item.html, item.text)
    template = templates[item.template.id]
    if isinstance(template, NotFound):
        return template
    if budget.is_spent:
        return _budget_exceeded()
    try:
        resolved = _fill_in(item, item.template, template, budget)
    except ValidationError as fault:
        return _budget_exceeded() if budget.is_spent else fault
    return _budget_exceeded() if budget.is_spent else resolved


def _budget_exceeded() -> ValidationError:
    bound = f"takes too much work or over {REQUEST_BYTES // MIB} MiB, counting the emails before it"
    return ValidationError.about("template.id", f"the template {bound}")


def _fill_in(data: NewEmail, chosen: ChosenTemplate, template: Template, budget: Budget) -> ResolvedEmail:
    if not data.subject and not template.subject.strip():
        raise ValidationError.at("subject", "is required: the template has none")
    variables, named = chosen.variables or {}, "template.id: the template's"
    subject = MergeSource("template.id", f"{named} subject", template.subject)
    if data.subject:
        subject = MergeSource("subject", "subject", data.subject)
    body = MergeSource("template.id", f"{named} body", template.body, body_kind(template))
    check_missing("template.variables", [subject, body], [variables], budget)
    mail = fill_in(subject, body, variables, budget)
    return ResolvedEmail(data, mail.subject, mail.html, mail.text, template.id)
