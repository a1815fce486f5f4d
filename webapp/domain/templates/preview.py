"""Previews a template with a contact's values or placeholders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

from pydantic import StringConstraints

from webapp.contact_fields import CONTACT_FIELDS
from webapp.domain.contacts.contacts import merge_values
from webapp.domain.contacts.custom_fields import list_fields
from webapp.domain.contacts.unsubscribe import sample_links
from webapp.domain.inputs import OneLine
from webapp.domain.merge_tags.budget import Budget, ContentKind, run_in_render_pool
from webapp.domain.merge_tags.filters import Placeholder
from webapp.domain.merge_tags.liquid import variable_named
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.merge_tags.rendering import MergeSource, Rendered, is_html, placeholder_values, render_tags
from webapp.domain.templates.brand import body_of_blocks, style_of
from webapp.domain.templates.inputs import NewTemplate
from webapp.domain.templates.letter_checks import check_letter
from webapp.domain.templates.templates import body_kind, body_of_mjml, tag_names
from webapp.errors import ValidationError
from webapp.models import Contact, Organization, Template
from webapp.models.contact import STANDARD_FIELDS
from webapp.sending.mime.html_text import text_of

CLIPPED_BYTES = 102 * 1024  # of html; Gmail hides the rest behind a link
SAMPLES = 20
VALUE_SHOWN = 80  # characters
INVENTED = {field.name: field.sample for field in CONTACT_FIELDS if field.name in STANDARD_FIELDS}


class PreviewInput(NewTemplate):
    """A template that may have no name, and the email address of the contact to preview it for."""

    name: str = ""
    sample: Annotated[str, StringConstraints(max_length=254), OneLine] | None = None


class Tag(NamedTuple):
    name: str
    value: str | None
    is_missing: bool
    has_default: bool = False


@dataclass(frozen=True)
class Preview:
    mail: Rendered
    text: str
    tags: list[Tag]  # without the links that Pennypost fills in
    faults: Sequence[str] = ()  # sentences about problems in email programs

    @property
    def size(self) -> int:
        return len((self.mail.html or self.text).encode())

    @property
    def is_clipped(self) -> bool:
        return self.mail.html is not None and self.size > CLIPPED_BYTES

    @property
    def missing(self) -> int:
        return sum(tag.is_missing for tag in self.tags)


async def preview_template(org: Organization, asked: PreviewInput, *, is_marked: bool = False) -> Preview:
    """Renders the template for its sample contact, with its blocks marked if asked for.

    Raises ValidationError for a faulty template or unknown contact.
    """
    contact = await _contact(org, asked.sample) if asked.sample else None
    values = None if contact is None else merge_values(contact)
    body, kind = asked.body, ContentKind.HTML
    if asked.kind == "blocks":
        body = await body_of_blocks(org, asked.blocks, await style_of(org), is_marked=is_marked)
    elif asked.kind == "mjml":
        body = await body_of_mjml(org, asked.mjml)
    elif asked.kind == "text" or not is_html(body):
        kind = ContentKind.TEXT
    preview = await run_in_render_pool(org.id, _preview, asked.subject, body, kind, values)
    return replace(preview, faults=await check_letter(org, preview.mail.html))


def tags_to_fill(names: Sequence[str]) -> list[str]:
    """The tags without the links that Pennypost fills in, which are never missing."""
    links = sample_links()
    return [name for name in names if variable_named(links, name) is None]


async def sample_values(org: Organization, sample: str, variables: list[str]) -> Mapping[str, Any]:
    """The sample contact's values, or placeholders. Raises ValidationError as `preview_template` does."""
    values = merge_values(await _contact(org, sample)) if sample else placeholder_values(variables) | INVENTED
    return values | sample_links()


async def render_saved(org: Organization, template: Template) -> Rendered:
    """The saved body with placeholders: compiles nothing, so that a list can show many."""
    kind = body_kind(template) or (ContentKind.HTML if is_html(template.body) else ContentKind.TEXT)
    values = await sample_values(org, "", template.variables)
    body = await run_in_render_pool(org.id, render_tags, template.body, values, kind)
    return Rendered("", body, None) if kind is ContentKind.HTML else Rendered("", None, body)


class RenderedTemplate(NamedTuple):
    """What a send of a template would have, with the required variables that have no value."""

    subject: str
    html: str | None
    text: str
    missing: list[str]

    @property
    def size(self) -> int:
        return len(self.html or "") + len(self.text)


async def render_template(org: Organization, template: Template, variables: Mapping[str, Any]) -> RenderedTemplate:
    """Raises ValidationError if a bound is exceeded."""

    def render() -> RenderedTemplate:
        budget = Budget()
        subject = MergeSource("template", "the template's subject", template.subject)
        body = MergeSource("template", "the template's body", template.body, body_kind(template))
        missing = dict.fromkeys([*subject.missing(variables, budget), *body.missing(variables, budget)])
        title = subject.render(variables, ContentKind.SUBJECT, budget).strip()
        filled = body.render(variables, body.body_kind, budget)
        is_page = body.body_kind is ContentKind.HTML
        text = text_of(filled) if is_page else filled
        return RenderedTemplate(title, filled if is_page else None, text, list(missing))

    return await run_in_render_pool(org.id, render)


async def sample_addresses(org: Organization) -> list[str]:
    newest = await Contact.of(org).order_by("-id").limit(SAMPLES).only("id", "email")
    return [contact.email for contact in newest]


async def merge_fields(org: Organization) -> list[tuple[str, str]]:
    """The names and labels of the custom fields that a merge tag can show."""
    fields = [field for field in await list_fields(org) if field.name not in STANDARD_FIELDS]
    return [(field.name, field.label) for field in fields if _is_tag(field.name)]


def _is_tag(name: str) -> bool:
    try:
        return list(read_template(f"{{{{ {name} }}}}").variables) == [name]
    except ValueError:
        return False


async def _contact(org: Organization, address: str) -> Contact:
    contact = await Contact.of(org).get_or_none(email_key=address.lower())
    if contact is None:
        raise ValidationError.of("sample", "no contact has this email address")
    return contact


def _preview(title: str, written: str, kind: ContentKind, values: dict[str, Any] | None) -> Preview:
    variables, links = tag_names(title, written), sample_links()
    known = (INVENTED if values is None else values) | links
    shown = (placeholder_values(variables) | INVENTED if values is None else values) | links
    subject = MergeSource("subject", "subject", title)
    body = MergeSource("body", "body", written)
    budget = Budget()
    missing = [*subject.missing(known, budget), *body.missing(known, budget)]
    defaulted = {name for source in (subject, body) for name in read_template(source.text).defaulted}
    filled_subject, filled = subject.render(shown, ContentKind.SUBJECT, budget), body.render(shown, kind, budget)
    is_page = kind is ContentKind.HTML
    mail = Rendered(filled_subject, filled if is_page else None, None if is_page else filled)
    tags = []
    for name in tags_to_fill(variables):
        value = variable_named(shown, name)
        is_missing, has_default = name in missing, name in defaulted
        is_hidden = value is None or (isinstance(value, Placeholder) and (is_missing or has_default))
        text = "" if is_hidden else str(value)
        clipped = f"{text[:VALUE_SHOWN]}…" if len(text) > VALUE_SHOWN else text
        tags.append(Tag(name, clipped or None, is_missing, has_default))
    tags += [Tag(name, None, is_missing=True) for name in dict.fromkeys(missing) if name not in variables]
    return Preview(mail, text_of(filled) if is_page else filled, tags)
