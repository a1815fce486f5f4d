"""Versions of templates: former contents, which can be restored."""

from typing import NamedTuple
from uuid import UUID

from webapp.domain.inputs import read_input
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.domain.templates.inputs import TemplateChanges
from webapp.domain.templates.preview import Preview, PreviewInput, preview_template
from webapp.domain.templates.templates import change_template, find_template
from webapp.errors import NotFound
from webapp.models import Organization, Template, TemplateVersion

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
    changes = read_input(TemplateChanges, former.version.as_input, strict=False)
    return await change_template(org, former.template, changes)


async def preview_version(org: Organization, version: TemplateVersion) -> Preview:
    """Raises ValidationError for content that is not valid any more."""
    return await preview_template(org, read_input(PreviewInput, version.as_input, strict=False))
