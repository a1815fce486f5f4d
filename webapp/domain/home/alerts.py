"""The home page's alerts: accounts that cannot send, halted campaigns, unread sheets, plan limits nearly reached."""

from typing import NamedTuple
from uuid import UUID

from webapp.domain.plans.usage import Use, limits_near
from webapp.models import Account, Campaign, Organization, SegmentSheet
from webapp.models.account import AccountStatus
from webapp.models.campaign import CampaignStatus

MAX_ALERTS = 5  # of a kind


class Alert(NamedTuple):
    """A row that needs a person: its `kind` is account, campaign or sheet, and `words` say what is wrong."""

    kind: str
    row_id: UUID
    name: str
    words: str


class Alerts(NamedTuple):
    """The alerts, and the plan limits that are nearly or fully used."""

    alerts: list[Alert]
    limits: list[Use]


async def find_alerts(org: Organization) -> Alerts:
    """The newest MAX_ALERTS of each kind."""
    accounts = await Account.of(org).filter(status=AccountStatus.ERROR).order_by("-id").limit(MAX_ALERTS)
    campaigns = await Campaign.of(org).filter(status=CampaignStatus.HALTED).order_by("-id").limit(MAX_ALERTS)
    sheets = await SegmentSheet.of(org).filter(next_sync_at=None).order_by("-id").limit(MAX_ALERTS)
    alerts = [Alert("account", one.id, one.name, one.last_error or "it cannot send") for one in accounts]
    alerts += [Alert("campaign", one.id, one.title, one.halted_reason or "it was stopped") for one in campaigns]
    alerts += [
        Alert("sheet", one.segment_id, one.title or "A Google Sheet", one.last_error or "it is not read any more")
        for one in sheets
    ]
    return Alerts(alerts, await limits_near(org))
