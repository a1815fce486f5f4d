"""Templates: saved emails with merge tags."""

from typing import Any, NamedTuple
from uuid import UUID

from tortoise.expressions import Q
from uuid_utils.compat import uuid7

from webapp import db
from webapp.domain.merge_tags.budget import INLINE_SOURCE, ContentKind, run_in_render_pool
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.merge_tags.rendering import MergeSource, has_tags
from webapp.domain.pagination import Listed, Page, fetch_page, in_order
from webapp.domain.plans import limits
from webapp.domain.templates.blocks import stored
from webapp.domain.templates.brand import body_of_blocks, locked_style, style_of
from webapp.domain.templates.inputs import NewTemplate, TemplateChanges, content_of
from webapp.domain.templates.mjml import mjml_letter
from webapp.domain.templates.run_compiler import compile_letter
from webapp.domain.templates.style import LetterStyle
from webapp.errors import Busy, FieldError, NotFound, ValidationError
from webapp.models import Campaign, Content, Organization, Template, TemplateVersion
from webapp.models.campaign import halt_incomplete, lock_campaigns_using
from webapp.models.template import TemplateKind
from webapp.models.usage import Metric

NAME_LENGTH = 200
COLUMNS = {"name": "LOWER(name)", "updated": "updated_at", "created": "id"}  # for sorting
CONTENT = ("subject", "kind", "source", "body")
# All columns but the body, which may have half a megabyte.
OUTLINE = ("id", "created_at", "org_id", "name", "subject", "kind", "variables", "updated_at")
TRIES = 5  # to save content, because the brand or the kind may change in between


class _Written(NamedTuple):
    """A template's new content; `body` is sent, `name` is the field that faults name.

    `style` is the one that blocks were compiled with.
    """

    kind: TemplateKind
    source: dict[str, Any] | None
    body: str
    name: str
    style: LetterStyle | None = None

    async def is_current(self, org: Organization) -> bool:
        """False if the brand has changed since; locks the brand until the transaction ends."""
        return self.style is None or self.style == await locked_style(org)


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
    return await fetch_page(rows.filter(Q(name__icontains=q) | Q(subject__icontains=q)) if q else rows, page)


async def campaigns_using(org: Organization, template: Template) -> Listed[Campaign]:
    return await fetch_page(Campaign.of(org).filter(template_id=template.id).order_by("-id"), Page(1, 10))


find_template = Template.one_of


async def template_named(org: Organization, template_id: UUID, field: str = "template_id") -> Template:
    """The template that a request body names in `field`. Raises NotFound that names the field."""
    template = await Template.of(org).get_or_none(id=template_id)
    if template is None:
        raise NotFound(f"{field}: template not found")
    return template


async def add_template(org: Organization, data: NewTemplate) -> Template:
    """Raises ValidationError for faulty content or two contents, PlanLimitExceeded, Busy."""
    fields, body_name = data.named_changes()
    template = Template(id=uuid7(), org_id=org.id, name=fields["name"], subject=fields.get("subject", ""))
    for _ in range(TRIES):
        content = await _written(org, fields, body_name, None)
        if content is not None:
            template.kind, template.source, template.body = content.kind, content.source, content.body
        template.variables = await _variables(
            org.id, template.subject, template.body, content.name if content else body_name
        )
        async with db.write_transaction():
            if content is None or await content.is_current(org):
                await limits.consume(org, Metric.TEMPLATES)
                await template.save(force_create=True)
                return template
    raise _busy()


async def duplicate_template(org: Organization, template: Template) -> Template:
    """Copies subject and content into a new template. Raises PlanLimitExceeded."""
    copied = Template(id=uuid7(), org_id=org.id, name=f"Copy of {template.name}"[:NAME_LENGTH])
    for name in ("subject", "kind", "source", "body", "variables"):
        setattr(copied, name, getattr(template, name))
    async with db.write_transaction():
        await limits.consume(org, Metric.TEMPLATES)
        await copied.save(force_create=True)
    return copied


async def change_template(org: Organization, template: Template, data: TemplateChanges) -> Template:
    """Locks the template. Raises ValidationError for faulty content or two contents, NotFound, Busy."""
    fields, body_name = data.named_changes()
    for _ in range(TRIES):
        content = await _written(org, fields, body_name, template)  # before the transaction, which blocks others
        changes = await _changes(org, template, fields, content, content.name if content else body_name)
        async with db.write_transaction():
            is_current = content is None or await content.is_current(org)
            locked = await Template.of(org).select_for_update().get_or_none(id=template.id)
            if locked is None:
                raise NotFound
            if is_current and all(getattr(locked, name) == getattr(template, name) for name in CONTENT):
                if any(getattr(locked, name) != new for name, new in changes.items() if name in CONTENT):
                    await TemplateVersion.keep_of(locked)
                locked.update_from_dict(changes)
                await locked.save(update_fields=[*changes, "updated_at"])
                return locked
        template = locked  # another request has just changed it
    raise _busy()


async def _changes(
    org: Organization, template: Template, fields: dict[str, Any], content: _Written | None, body_name: str
) -> dict[str, Any]:
    changes: dict[str, Any] = {name: fields[name] for name in ("name", "subject") if name in fields}
    if content is not None:
        changes |= {"kind": content.kind, "source": content.source, "body": content.body}
    if "subject" in changes or "body" in changes:
        new = {"subject": template.subject, "body": template.body} | changes
        changes["variables"] = await _variables(org.id, new["subject"], new["body"], body_name)
    return changes


def _busy() -> Busy:
    return Busy("others are changing the same; try again in a moment", 1)


async def _written(
    org: Organization, fields: dict[str, Any], body_name: str, template: Template | None
) -> _Written | None:
    """The new content; None if nothing changes. Raises ValidationError."""
    change = content_of(fields, body_name, TemplateKind(template.kind) if template else None)
    if change is None:
        return None
    kind, name = change
    if kind is TemplateKind.BLOCKS:
        style = await style_of(org)
        body = await body_of_blocks(org, fields["blocks"], style)
        return _Written(kind, {name: stored(fields["blocks"])}, body, name, style)
    if kind is TemplateKind.MJML:
        return _Written(kind, {name: fields[name]}, await body_of_mjml(org, fields[name]), name)
    body = fields["body"] if name else template.body if template else ""
    return _Written(kind, None, body, body_name)


async def body_of_mjml(org: Organization, mjml: str) -> str:
    """The HTML of MJML. Raises ValidationError that names a line."""
    return await compile_letter(org.id, lambda: mjml_letter(mjml)) if mjml.strip() else ""


async def _variables(org_id: UUID, subject: str, body: str, body_name: str) -> list[str]:
    if len(subject) + len(body) <= INLINE_SOURCE:
        return tag_names(subject, body, body_name)
    return await run_in_render_pool(org_id, tag_names, subject, body, body_name)


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
