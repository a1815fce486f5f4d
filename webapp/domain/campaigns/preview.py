"""A campaign's mail as the first member of its segment gets it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webapp import clock
from webapp.domain.campaigns.runs import set_audience
from webapp.domain.contacts.contacts import merge_values
from webapp.domain.contacts.unsubscribe import sample_link
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.merge_tags.rendering import Rendered, placeholder_values, render_lenient
from webapp.domain.templates.templates import source_of
from webapp.errors import ValidationError
from webapp.models import Campaign, CampaignRun, Contact, Organization, Template
from webapp.models.outbox.run_rows import first_of_audience

LINK = "unsubscribe_url"
ALWAYS_SET = (LINK, "email")


@dataclass(frozen=True)
class CampaignPreview:
    """`needs` are the tags without a value in every contact; `names` are all, also those that conditions ask for."""

    mail: Rendered
    needs: tuple[str, ...]
    has_link: bool
    names: tuple[str, ...] = ()

    @property
    def octets(self) -> int:
        return max(len((body or "").encode()) for body in (self.mail.html, self.mail.text))


async def preview_campaign(org: Organization, campaign: Campaign, template: Template) -> CampaignPreview:
    """Raises ValidationError for an empty subject or body."""
    content = source_of(template).content(org.id)
    values = await first_member_values(org, campaign, template)
    sources = template.subject, template.body
    mail, parts = await run_in_render_pool(
        org.id, lambda: (render_lenient(content, values), [read_template(source) for source in sources])
    )
    required = dict.fromkeys(name for part in parts for name in part.required_names)
    needs = tuple(name for name in required if name not in ALWAYS_SET)
    named = dict.fromkeys(name for part in parts for name in part.variables)
    names = tuple(name for name in named if name not in ALWAYS_SET)
    return CampaignPreview(mail, needs, any(LINK in part.variables for part in parts), names)


async def first_member_values(org: Organization, campaign: Campaign, template: Template) -> Mapping[str, Any]:
    link = {LINK: sample_link()}
    first = None
    if campaign.segment_id is not None:
        run = CampaignRun(org_id=org.id, campaign_id=campaign.id, started_at=clock.now())
        await set_audience(org, campaign, run, are_new=False)
        first = await Contact.of(org).get_or_none(id=await first_of_audience(run))
    if first is not None:
        return merge_values(first) | link
    return placeholder_values(template.variables) | link


def fault_text(error: ValidationError) -> str:
    words = str(error).removeprefix("template_id: ")
    return f"{words[:1].upper()}{words[1:]}."
