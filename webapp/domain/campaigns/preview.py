"""Previews a campaign's email as its first recipient gets it, or the first who missed it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webapp.domain.campaigns.content import campaign_content
from webapp.domain.campaigns.runs import draft_run
from webapp.domain.contacts.contacts import merge_values
from webapp.domain.contacts.unsubscribe import PREFERENCES_URL, UNSUBSCRIBE_URL, sample_links
from webapp.domain.link_signing import BROWSER_URL
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.merge_tags.parser import MergeTemplate, read_template
from webapp.domain.merge_tags.rendering import Rendered, placeholder_values, render_lenient
from webapp.domain.templates.letter_checks import check_letter
from webapp.errors import ValidationError
from webapp.models import Campaign, Contact, Content, Organization, Template
from webapp.models.outbox.audience_counts import first_of_audience, first_unreached

LINKS = {UNSUBSCRIBE_URL, PREFERENCES_URL}  # to pages where readers can unsubscribe
ALWAYS_SET = {*LINKS, BROWSER_URL, "email"}


@dataclass(frozen=True)
class CampaignPreview:
    """`needs` are the tags that some contacts have no value for; `names` also has those used in conditions.

    `preview_text` is what inboxes show after the subject.

    `faults` are sentences about problems in email programs.
    """

    mail: Rendered
    needs: tuple[str, ...]
    has_link: bool
    preview_text: str = ""
    names: tuple[str, ...] = ()
    faults: Sequence[str] = ()

    @property
    def octets(self) -> int:
        return max(len((body or "").encode()) for body in (self.mail.html, self.mail.text))


async def preview_campaign(
    org: Organization, campaign: Campaign, template: Template, *, is_for_new: bool = False
) -> CampaignPreview:
    """Raises ValidationError if subject or body are empty or have too many tags."""
    content = campaign_content(campaign, template)
    values = await first_member_values(org, campaign, template, is_for_new=is_for_new)
    sources = content.subject, content.html or content.text or ""
    after_subject = Content(subject=campaign.preview_text or "", is_template=True)

    def render() -> tuple[Rendered, str, list[MergeTemplate]]:
        parts = [read_template(source) for source in sources]
        return render_lenient(content, values), render_lenient(after_subject, values).subject, parts

    try:
        mail, preview_text, parts = await run_in_render_pool(org.id, render)
    except ValueError as fault:  # each part parses, but together they have too many tags
        message = f"template_id: the template's body with the campaign's preview text {fault}"
        raise ValidationError.of("template_id", message) from None
    required = dict.fromkeys(path[0] for part in parts for path in part.required)
    needs = tuple(name for name in required if name not in ALWAYS_SET)
    named = dict.fromkeys(name for part in parts for name in part.variables)
    names = tuple(name for name in named if name not in ALWAYS_SET)
    has_link, faults = not LINKS.isdisjoint(named), await check_letter(org, mail.html)
    return CampaignPreview(mail, needs, has_link, preview_text, names, faults)


async def first_member_values(
    org: Organization, campaign: Campaign, template: Template, *, is_for_new: bool = False
) -> Mapping[str, Any]:
    """Those of the first recipient, or with `is_for_new` of one whom the campaign has not reached, if there is one.

    If nobody gets the mail, of the first member.
    """
    links, first = sample_links(), None
    if campaign.segment_id is not None:
        run = await draft_run(org, campaign, are_new=False)
        first_id = await first_unreached(run) if is_for_new else None
        first = await Contact.of(org).get_or_none(id=first_id or await first_of_audience(run))
    if first is not None:
        return merge_values(first) | links
    own = filter(None, (campaign.subject, campaign.preview_text))
    names = [*template.variables, *(name for source in own for name in read_template(source).variables)]
    return placeholder_values(names) | links


def fault_text(error: ValidationError) -> str:
    words = str(error).removeprefix("template_id: ")
    return f"{words[:1].upper()}{words[1:]}."
