"""Templates: saved mails with merge tags, and the content of a mail sent from one."""

from typing import Annotated, Any, NamedTuple
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints
from tortoise.expressions import Q
from uuid_utils.compat import uuid7

from webapp import db
from webapp.domain.inputs import SUBJECT_LENGTH, Input, Name, OneLine, partial
from webapp.domain.merge_tags.budget import INLINE_SOURCE, run_in_render_pool
from webapp.domain.merge_tags.parser import SOURCE_LENGTH, read_template
from webapp.domain.merge_tags.rendering import MergeSource, has_tags, is_html
from webapp.domain.pagination import Listed, Page, fetch_page, in_order
from webapp.domain.plans import limits
from webapp.errors import FieldError, NotFound, ValidationError
from webapp.models import Campaign, Content, Organization, Template
from webapp.models.campaign import halt_incomplete, lock_campaigns_using
from webapp.models.usage import Metric

NAME_LENGTH = 200
BODY_NAMES = ("body", "html", "text")
COLUMNS = {"name": "LOWER(name)", "updated": "updated_at", "created": "id"}  # a list may be sorted by these
# Without the body, which may have half a megabyte.
OUTLINE = ("id", "created_at", "org_id", "name", "subject", "variables", "updated_at")

Source = Annotated[str, StringConstraints(max_length=SOURCE_LENGTH)]


class OtherBodies(Input):
    html: Source | None = Field(default=None, description="Alias of `body`.")
    text: Source | None = Field(default=None, description="Alias of `body`.")

    def named_changes(self) -> tuple[dict[str, Any], str]:
        """The given fields by our names, and the name of the body. Raises ValidationError for two different bodies."""
        fields = self.given()
        bodies = {name: body for name in BODY_NAMES if (body := fields.pop(name, None)) is not None}
        if not bodies:
            return fields, "body"
        name, body = next(iter(bodies.items()))
        for other, said in bodies.items():
            if said != body:
                raise ValidationError.of(other, f"{other} contradicts {name}: a template has one body")
        return fields | {"body": body}, name


class NewTemplate(OtherBodies):
    """A template. Subject and body may hold merge tags: `{{ first_name | default: "there" }}`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "Welcome",
                    "subject": "Welcome, {{ first_name }}",
                    "body": '<p>Hello {{ first_name | default: "there" }}</p>',
                }
            ]
        }
    )

    name: Name = Field(description="The name of the template; recipients don't see it.")
    subject: Annotated[str, StringConstraints(max_length=SUBJECT_LENGTH), OneLine] = Field(
        default="", description="The subject line."
    )
    body: Source = Field(default="", description="HTML if it contains an HTML tag, otherwise plain text.")


@partial(NewTemplate)
class TemplateChanges(OtherBodies):
    """The fields to change; omitted fields keep their values."""


class ContentSource(NamedTuple):
    subject: MergeSource
    body: MergeSource

    def content(self, org_id: UUID) -> Content:
        kind = "html" if is_html(self.body.text) else "text"
        return Content(
            id=uuid7(),
            org_id=org_id,
            subject=self.subject.text,
            is_template=any(has_tags(source.text) for source in self),
            **{kind: self.body.text},
        )


def source_of(template: Template, subject: str | None = None) -> ContentSource:
    """The content of a template, with another subject where one is given. Raises ValidationError for an empty part."""
    named = "template_id: the template's"
    source = ContentSource(
        MergeSource("template_id", f"{named} subject", template.subject)
        if subject is None
        else MergeSource("subject", "subject", subject),
        MergeSource("template_id", f"{named} body", template.body),
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


async def find_template(org: Organization, template_id: UUID | str) -> Template:
    """Raises NotFound."""
    return await Template.one_of(org, template_id)


async def template_named(org: Organization, template_id: UUID, field: str = "template_id") -> Template:
    """The template of a body's `field`. Raises NotFound that names the field."""
    template = await Template.of(org).get_or_none(id=template_id)
    if template is None:
        raise NotFound(f"{field}: template not found")
    return template


async def add_template(org: Organization, data: NewTemplate) -> Template:
    """Creates a template. Raises ValidationError for invalid tags or two bodies, PlanLimitExceeded."""
    fields, body_name = data.named_changes()
    template = Template(id=uuid7(), org_id=org.id, **{"subject": "", "body": "", **fields})
    template.variables = await _variables(org.id, template.subject, template.body, body_name)
    async with db.write_transaction():
        await limits.consume(org, Metric.TEMPLATES)
        await template.save(force_create=True)
    return template


async def duplicate_template(org: Organization, template: Template) -> Template:
    """Copies subject and body into a new template. Raises PlanLimitExceeded."""
    name = f"Copy of {template.name}"[:NAME_LENGTH]
    return await add_template(org, NewTemplate(name=name, subject=template.subject, body=template.body))


async def change_template(org: Organization, template: Template, data: TemplateChanges) -> Template:
    """Locks and changes it. Raises ValidationError for invalid tags or two bodies, NotFound."""
    given, body_name = data.named_changes()
    expected = given.get("subject", template.subject), given.get("body", template.body)
    is_parsed = not given.keys().isdisjoint({"subject", "body"})
    # Outside the transaction, which would block others.
    variables = await _variables(org.id, *expected, body_name) if is_parsed else []
    async with db.write_transaction():
        locked = await Template.of(org).select_for_update().get_or_none(id=template.id)
        if locked is None:
            raise NotFound
        for name, value in given.items():
            setattr(locked, name, value)
        if is_parsed:
            if (locked.subject, locked.body) != expected:  # somebody else has just changed the other one
                variables = await _variables(org.id, locked.subject, locked.body, body_name)
            locked.variables = variables
        await locked.save(update_fields=[*given, *(["variables"] if is_parsed else []), "updated_at"])
    return locked


async def _variables(org_id: UUID, subject: str, body: str, body_name: str) -> list[str]:
    if len(subject) + len(body) <= INLINE_SOURCE:
        return tag_names(subject, body, body_name)
    return await run_in_render_pool(org_id, tag_names, subject, body, body_name)


def tag_names(subject: str, body: str, body_name: str = "body") -> list[str]:
    """The names of the tags, the subject's first. Raises ValidationError that names a field with a fault."""
    names: dict[str, None] = {}
    faults = []
    for field, source in (("subject", subject), (body_name, body)):
        try:
            names |= read_template(source).variables
        except ValueError as fault:
            faults.append(FieldError(field, f"{field} {fault}"))
    if faults:
        raise ValidationError(details=faults)
    return list(names)


async def delete_template(org: Organization, template: Template) -> None:
    """Deletes the template; scheduled campaigns that used it halt. Raises NotFound when it was deleted since."""
    async with db.write_transaction():
        await limits.release(org, Metric.TEMPLATES)
        locked = await Template.of(org).select_for_update().get_or_none(id=template.id)
        if locked is None:
            raise NotFound
        await lock_campaigns_using(locked)
        await locked.delete()
        await halt_incomplete(org.id)
