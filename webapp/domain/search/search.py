"""Finds what an organization has by its name."""

from typing import NamedTuple

from tortoise.queryset import QuerySet

from webapp import db
from webapp.domain.campaigns.overview import newest_titled
from webapp.domain.contacts.search import contacts_beginning
from webapp.domain.emails.emails import EmailView, find_recent_emails
from webapp.domain.pagination import ARow, Page, having_text
from webapp.domain.roles import Action, Role
from webapp.domain.segments.segments import list_segments
from webapp.domain.templates.templates import list_outlines
from webapp.models import Account, Campaign, Contact, Organization, Segment, SignUpForm, Template, Topic, Webhook

SHOWN = 5  # of each kind


class Matches(NamedTuple):
    contacts: list[Contact]
    campaigns: list[Campaign]
    templates: list[Template]
    segments: list[Segment]
    forms: list[SignUpForm]
    topics: list[Topic]
    accounts: list[Account]
    webhooks: list[Webhook]
    emails: list[EmailView]


async def search_everything(org: Organization, q: str, role: Role) -> Matches:
    """A few of each kind that the role may open: contacts by the start of address or name, others by their names."""
    page = Page(size=SHOWN)
    async with db.searching(org.id):
        return Matches(
            await contacts_beginning(org, q, SHOWN),
            await newest_titled(org, q, SHOWN),
            (await list_outlines(org, q, page, "-updated")).rows,
            (await list_segments(org, page, q)).rows,
            await _newest_named(SignUpForm.of(org).only("id", "name"), q, "name"),
            await _newest_named(Topic.of(org).only("id", "name"), q, "name"),
            await _newest_named(
                Account.of(org).only("id", "name", "from_email"), q, "name", "COALESCE(from_email, '')"
            ),
            await _newest_named(Webhook.of(org).only("id", "url"), q, "url") if role.may(Action.WEBHOOKS) else [],
            await find_recent_emails(org, q, SHOWN),
        )


async def _newest_named(rows: QuerySet[ARow], q: str, *columns: str) -> list[ARow]:
    return await having_text(rows.order_by("-id"), q, *columns).limit(SHOWN)
