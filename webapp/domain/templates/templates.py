"""Templates: saved emails with merge tags."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from uuid import UUID

from tortoise.exceptions import IntegrityError
from tortoise.expressions import Q
from uuid_utils.compat import uuid7

from webapp import db
from webapp.domain.audit.audit import actor_name
from webapp.domain.merge_tags.budget import ContentKind, run_in_render_pool
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.merge_tags.rendering import MergeSource, has_tags
from webapp.domain.name_copy import name_copy
from webapp.domain.pagination import Listed, Page, fetch_page, having_text, in_order
from webapp.domain.plans import limits
from webapp.domain.templates.blocks import stored
from webapp.domain.templates.brand import body_of_blocks, locked_style, style_of
from webapp.domain.templates.inputs import ALIAS, NewTemplate, TemplateChanges, content_of
from webapp.domain.templates.mjml import mjml_letter
from webapp.domain.templates.run_compiler import compile_letter
from webapp.domain.templates.style import LetterStyle
from webapp.errors import Busy, FieldError, NotFound, Outdated, ValidationError
from webapp.models import Campaign, Content, Organization, Template, TemplateVersion
from webapp.models.campaign import CampaignStatus, halt_incomplete, lock_campaigns_using
from webapp.models.template import TemplateKind
from webapp.models.usage import Metric

COLUMNS = {"name": "LOWER(name)", "updated": "updated_at", "created": "id"}  # for sorting
CONTENT = ("subject", "kind", "source", "body")
# All columns but the body, which may have half a megabyte.
OUTLINE = ("id", "created_at", "org_id", "name", "subject", "kind", "variables", "updated_at")
TRIES = 5  # to save content, because the brand or the kind may change in between


class ContentSource(NamedTuple):
    subject: MergeSource
    body: MergeSource

    def content(self, org_id: UUID) -> Content:
        kind = "html" if self.body.body_kind is ContentKind.HTML else "text"
        return Content(
            id=uuid7(),
            org_id=org_id,
            subject=self.subject.text,
            is_template=any(has_tags(source.text) for source in self),
            **{kind: self.body.text},
        )


def body_kind(template: Template) -> ContentKind | None:
    """The kind of the body; None if it depends on its HTML tags."""
    if template.kind == TemplateKind.HTML:
        return None
    return ContentKind.TEXT if template.kind == TemplateKind.TEXT else ContentKind.HTML


def source_of(template: Template, subject: str | None = None) -> ContentSource:
    """The content of a template, with its own subject unless one is given. Raises ValidationError for an empty part."""
    named = "template_id: the template's"
    source = ContentSource(
        MergeSource("template_id", f"{named} subject", template.subject)
        if subject is None
        else MergeSource("subject", "subject", subject),
        MergeSource("template_id", f"{named} body", template.body, body_kind(template)),
    )
    for part in source:
        if not part.text.strip():
            raise part.fault("is empty")
    return source


async def list_templates(org: Organization, page: Page) -> Listed[Template]:
    return await fetch_page(Template.of(org).order_by("-id"), page)


async def list_outlines(org: Organization, q: str | None, page: Page, sort: str) -> Listed[Template]:
    rows = in_order(Template.of(org), COLUMNS, sort).only(*OUTLINE)
    return await fetch_page(having_text(rows, q or "", "name", "subject"), page)


async def campaigns_using(
    org: Organization, template: Template, status: CampaignStatus | None = None
) -> Listed[Campaign]:
    users = Campaign.of(org).filter(template_id=template.id).order_by("-id")
    return await fetch_page(users.filter(status=status) if status else users, Page(1, 10))


async def find_template(org: Organization, reference: UUID | str) -> Template:
    """By id or alias. Raises NotFound."""
    if isinstance(reference, str) and ALIAS.fullmatch(reference):
        template = await Template.of(org).get_or_none(alias=reference)
        if template is not None:
            return template
    return await Template.one_of(org, reference)


async def template_named(org: Organization, reference: UUID | str) -> Template:
    """The `template_id` of a request body. Raises NotFound that names the field."""
    try:
        return await find_template(org, reference)
    except NotFound:
        raise NotFound("template_id: template not found") from None


async def templates_named(org: Organization, references: Collection[UUID | str]) -> dict[UUID | str, Template]:
    """Those that exist, by the ids and aliases that name them."""
    if not references:
        return {}
    ids = [reference for reference in references if isinstance(reference, UUID)]
    aliases = [reference for reference in references if isinstance(reference, str)]
    rows = await Template.of(org).filter(Q(id__in=ids) | Q(alias__in=aliases))
    return {row.id: row for row in rows} | {row.alias: row for row in rows if row.alias}


@asynccontextmanager
async def _saving() -> AsyncIterator[None]:
    """A transaction. Raises ValidationError if the alias is taken."""
    try:
        async with db.write_transaction():
            yield
    except IntegrityError:
        raise ValidationError.at("alias", "is the alias of another template") from None


async def add_template(org: Organization, data: NewTemplate) -> Template:
    """Raises ValidationError for faulty content or two contents, PlanLimitExceeded, Busy."""
    template = Template(id=uuid7(), org_id=org.id, saved_by=actor_name())
    for _ in range(TRIES):
        changes, style = await _changes(org, data, template, None)
        async with _saving():
            if await _is_current(org, style):
                await limits.consume(org, Metric.TEMPLATES)
                await template.update_from_dict(changes).save(force_create=True)
                return template
    raise _busy()


async def duplicate_template(org: Organization, template: Template) -> Template:
    """Copies subject and content into a new template. Raises PlanLimitExceeded."""
    fields = {name: getattr(template, name) for name in (*CONTENT, "variables")}
    async with db.write_transaction():
        await limits.consume(org, Metric.TEMPLATES)
        name = await name_copy(Template.of(org), "name", template.name)
        return await Template.create(id=uuid7(), org_id=org.id, name=name, saved_by=actor_name(), **fields)


async def change_template(
    org: Organization,
    template: Template,
    data: TemplateChanges,
    *,
    edition: str | None = None,
    also: Callable[[], Awaitable[object]] | None = None,
) -> Template:
    """Locks the template. Raises ValidationError for faulty content or two contents, NotFound, Busy.

    Raises Outdated if the template is not of this edition any more. `also` changes something else in the same
    transaction.
    """
    for _ in range(TRIES):
        # Before the transaction, which blocks others.
        changes, style = await _changes(org, data, template, TemplateKind(template.kind))
        async with _saving():
            is_current = await _is_current(org, style)
            locked = await Template.of(org).select_for_update().get_or_none(id=template.id)
            if locked is None:
                raise NotFound
            if edition not in (None, locked.edition):
                raise Outdated(locked)
            if is_current and all(getattr(locked, name) == getattr(template, name) for name in CONTENT):
                if any(getattr(locked, name) != new for name, new in changes.items() if name in CONTENT):
                    await TemplateVersion.keep_of(locked)
                locked.saved_by = actor_name()
                await locked.update_from_dict(changes).save(update_fields=[*changes, "updated_at", "saved_by"])
                if also is not None:
                    await also()
                return locked
        template = locked  # another request has just changed it
    raise _busy()


async def _changes(
    org: Organization, data: NewTemplate | TemplateChanges, template: Template, current: TemplateKind | None
) -> tuple[dict[str, Any], LetterStyle | None]:
    """The columns to change, and the style that blocks were compiled with; `current` is the kind of a saved template.

    Raises ValidationError.
    """
    fields, body_name = data.named_changes()
    changes: dict[str, Any] = {name: fields[name] for name in ("name", "alias", "subject") if name in fields}
    style, content = None, content_of(fields, body_name, current)
    if content is not None:
        kind, name = content
        changes |= {"kind": kind, "source": None, "body": fields.get("body", template.body)}
        if kind is TemplateKind.BLOCKS:
            body_name, style, blocks = name, await style_of(org), fields[name]
            changes |= {"source": {name: stored(blocks)}, "body": await body_of_blocks(org, blocks, style)}
        elif kind is TemplateKind.MJML:
            body_name, mjml = name, fields[name]
            changes |= {"source": {name: mjml}, "body": await body_of_mjml(org, mjml)}
    if "subject" in changes or "body" in changes:
        sources = (changes.get("subject", template.subject), changes.get("body", template.body))
        changes["variables"] = await run_in_render_pool(org.id, tag_names, *sources, body_name)
    return changes, style


async def _is_current(org: Organization, style: LetterStyle | None) -> bool:
    """False if the brand has changed since; locks the brand until the transaction ends."""
    return style is None or style == await locked_style(org)


def _busy() -> Busy:
    return Busy("others are changing the same; try again in a moment", 1)


async def body_of_mjml(org: Organization, mjml: str) -> str:
    """The HTML of MJML. Raises ValidationError that names a line."""
    return await compile_letter(org.id, lambda: mjml_letter(mjml)) if mjml.strip() else ""


def tag_names(subject: str, body: str, body_name: str = "body") -> list[str]:
    """The names of the tags, the subject's first. Raises ValidationError that names faulty fields."""
    names: dict[str, None] = {}
    faults = []
    for field, source in (("subject", subject), (body_name, body)):
        try:
            names |= read_template(source).variables
        except ValueError as fault:
            faults.append(FieldError.at(field, fault))
    if faults:
        raise ValidationError(details=faults)
    return list(names)


async def delete_template(org: Organization, template: Template) -> None:
    """Deletes the template and halts scheduled campaigns that used it. Raises NotFound if it was deleted before."""
    async with db.write_transaction():
        await limits.release(org, Metric.TEMPLATES)
        locked = await Template.of(org).select_for_update().get_or_none(id=template.id)
        if locked is None:
            raise NotFound
        await lock_campaigns_using(locked)
        await locked.delete()
        await halt_incomplete(org.id)
