"""Lists of templates, and of the campaigns that use one."""

from tortoise.expressions import Q

from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.models import Campaign, Organization, Template

OUTLINE = (
    "id",
    "created_at",
    "org_id",
    "name",
    "subject",
    "variables",
    "updated_at",
)  # a body may have half a megabyte
NEWEST = Page(1, 10)


async def list_outlines(org: Organization, q: str | None, page: Page) -> Listed[Template]:
    rows = Template.of(org).order_by("-id").only(*OUTLINE)
    return await fetch_page(rows.filter(Q(name__icontains=q) | Q(subject__icontains=q)) if q else rows, page)


async def campaigns_using(org: Organization, template: Template) -> Listed[Campaign]:
    """The newest campaigns that a deletion of the template would leave without one."""
    return await fetch_page(Campaign.of(org).filter(template_id=template.id).order_by("-id"), NEWEST)
