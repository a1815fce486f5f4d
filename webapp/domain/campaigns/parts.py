"""What a campaign is made of, as people read it, and what there is to choose from."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from webapp.domain.campaigns.overview import schedule_of
from webapp.domain.campaigns.review import chosen_accounts
from webapp.domain.pagination import Page
from webapp.domain.segments.segments import list_segments
from webapp.models import Account, Campaign, Organization, Segment, Template

SEGMENTS, TEMPLATES, ACCOUNTS = 500, 30, 200  # that a step lists
LISTED = ("id", "name", "subject", "variables", "updated_at")  # of a template, whose body may be megabytes


class Parts(NamedTuple):
    """What is chosen so far; `accounts` are those that may pull it, named or not."""

    segment: Segment | None
    template: Template | None
    accounts: list[Account]
    schedule: str


async def parts_of(org: Organization, campaign: Campaign) -> Parts:
    """The parts of a campaign."""
    segment = await Segment.of(org).get_or_none(id=campaign.segment_id) if campaign.segment_id else None
    template = await Template.of(org).only(*LISTED).get_or_none(id=campaign.template_id)
    return Parts(segment, template, await chosen_accounts(org, campaign), schedule_of(org, campaign))


async def segments_to_choose(org: Organization, search: str, chosen: UUID | None) -> list[Segment]:
    """The first SEGMENTS by name whose name has a text in it, and the one that is chosen."""
    found: list[Segment] = (await list_segments(org, Page(size=SEGMENTS), search)).rows
    if chosen is None or any(one.id == chosen for one in found):
        return found
    return [*await Segment.of(org).filter(id=chosen), *found]


async def templates_to_choose(org: Organization, search: str, chosen: UUID | None) -> list[Template]:
    """The newest TEMPLATES whose name has a text in it, without their bodies, and the one that is chosen."""
    rows = Template.of(org).only(*LISTED).order_by("-id")
    found = await rows.filter(name__icontains=search).limit(TEMPLATES)
    if chosen is None or any(one.id == chosen for one in found):
        return found
    return [*await rows.filter(id=chosen), *found]


async def accounts_to_choose(org: Organization) -> list[Account]:
    """The first ACCOUNTS, the sandbox last."""
    return await Account.of(org).order_by("is_sandbox", "id").limit(ACCOUNTS)


def named_accounts(campaign: Campaign) -> Sequence[str]:
    """The ids of the accounts that a campaign names; none where every active one is used."""
    return campaign.sender_account_ids or []
