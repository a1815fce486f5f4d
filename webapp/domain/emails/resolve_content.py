"""Emails whose content stands: templates are found and filled in, and what will be sent is what is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from webapp.domain.emails.batch_inputs import Batch
from webapp.domain.emails.inputs import ChosenTemplate, NewEmail
from webapp.domain.merge_tags.budget import MIB, REQUEST_BYTES, Budget, run_in_render_pool
from webapp.domain.merge_tags.validation import MergeSource, check_missing, fill_in
from webapp.domain.templates.templates import template_named
from webapp.errors import ApiError, NotFound, ValidationError
from webapp.models import Organization, Template

Templates = Mapping[UUID, Template | NotFound]


@dataclass(frozen=True)
class Draft:
    """An email with its subject and bodies as they will be sent; of the bodies one at least is there."""

    data: NewEmail
    subject: str
    html: str | None
    text: str | None
    template_id: UUID | None = None


@dataclass(frozen=True)
class DraftBatch:
    """A batch in its order: drafts, and what is wrong with those that are none."""

    items: Sequence[Draft | ApiError]


async def draft_email(org: Organization, data: NewEmail) -> Draft:
    """The email with its template filled in.

    Raises NotFound for a template that is not the organization's, ValidationError for one that gives no mail: with
    `missing_variables` where values are missing.
    """
    (draft,) = await _draft_all(org, [data])
    if isinstance(draft, ApiError):
        raise draft
    return draft


async def draft_batch(org: Organization, data: Batch) -> DraftBatch:
    """The emails of a batch, each drafted for itself; nothing is raised for one that is bad."""
    return DraftBatch(await _draft_all(org, data.items))


async def _draft_all(org: Organization, items: Sequence[NewEmail | ApiError]) -> list[Draft | ApiError]:
    wanted = {item.template.id for item in items if isinstance(item, NewEmail) and item.template}
    if not wanted:
        return _drafts(items, {})
    found = {template_id: await _find(org, template_id) for template_id in wanted}
    return await run_in_render_pool(org.id, _drafts, items, found)


async def _find(org: Organization, template_id: UUID) -> Template | NotFound:
    try:
        return await template_named(org, template_id, "template.id")
    except NotFound as missing:
        return missing


def _drafts(items: Sequence[NewEmail | ApiError], templates: Templates) -> list[Draft | ApiError]:
    budget = Budget()
    return [_draft(item, templates, budget) for item in items]


def _draft(item: NewEmail | ApiError, templates: Templates, budget: Budget) -> Draft | ApiError:
    """Once the budget is spent, nothing is filled in any more."""
    if isinstance(item, ApiError):
        return item
    if item.template is None:
        return Draft(item, item.subject or "", item.html, item.text)
    template = templates[item.template.id]
    if isinstance(template, NotFound):
        return template
    if budget.is_spent:
        return _too_much()
    try:
        draft = _filled(item, item.template, template, budget)
    except ValidationError as fault:
        return _too_much() if budget.is_spent else fault
    return _too_much() if budget.is_spent else draft


def _too_much() -> ValidationError:
    bound = f"takes too much work, or more than {REQUEST_BYTES // MIB} MiB, together with those of the emails before it"
    return ValidationError.of("template.id", f"template.id names a template that {bound}")


def _filled(data: NewEmail, chosen: ChosenTemplate, template: Template, budget: Budget) -> Draft:
    variables = chosen.variables or {}
    subject, body = _sources(data, template)
    check_missing("template.variables", [subject, body], [variables], budget)
    mail = fill_in(subject, body, variables, budget)
    return Draft(data, mail.subject, mail.html, mail.text, template.id)


def _sources(data: NewEmail, template: Template) -> tuple[MergeSource, MergeSource]:
    """Subject and body with their merge tags; the payload's subject wins."""
    named = "template.id names a template whose"
    body = MergeSource("template.id", f"{named} body", template.body)
    if data.subject:
        return MergeSource("subject", "subject", data.subject), body
    if template.subject.strip():
        return MergeSource("template.id", f"{named} subject", template.subject), body
    raise ValidationError.of("subject", "subject is required: the template has none")
