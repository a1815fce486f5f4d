"""Versions of templates: former contents, which can be restored."""

from typing import Any, NamedTuple
from uuid import UUID

from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.domain.templates.blocks import load_blocks
from webapp.domain.templates.inputs import TemplateChanges
from webapp.domain.templates.preview import PreviewInput
from webapp.domain.templates.templates import change_template, find_template
from webapp.errors import NotFound
from webapp.models import Organization, Template, TemplateVersion
from webapp.models.template import TemplateKind

OUTLINE = ("id", "created_at", "org_id", "template_id", "subject", "kind", "saved_at")


class Former(NamedTuple):
    template: Template
    version: TemplateVersion


async def list_versions(template: Template, page: Page) -> Listed[TemplateVersion]:
    return await fetch_page(template.versions.order_by("-id").only(*OUTLINE), page)


async def find_version(org: Organization, template_id: UUID | str, version_id: UUID | str) -> Former:
    """Raises NotFound."""
    template = await find_template(org, template_id)
    version = await TemplateVersion.one_of(org, version_id)
    if version.template_id != template.id:
        raise NotFound
    return Former(template, version)


async def restore(org: Organization, former: Former) -> Template:
    """Restores the version's subject and content, and saves the current ones as a version; locks the template.

    Raises NotFound, and ValidationError for content that is not valid any more.
    """
    changes = TemplateChanges.model_validate({"subject": former.version.subject, **content_of(former.version)})
    return await change_template(org, former.template, changes)


def preview_input(version: TemplateVersion) -> PreviewInput:
    return PreviewInput(subject=version.subject, **content_of(version))


def content_of(version: TemplateVersion) -> dict[str, Any]:
    content: dict[str, Any] = {"kind": TemplateKind(version.kind).value}
    if version.blocks is not None:
        return content | {"blocks": load_blocks(version.blocks)}
    if version.mjml is not None:
        return content | {"mjml": version.mjml}
    return content | {"body": version.body}
