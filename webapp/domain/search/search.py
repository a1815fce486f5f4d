"""Finds an organization's contacts, campaigns, segments, forms, templates and emails by their names."""

from typing import NamedTuple

from webapp import db
from webapp.domain.campaigns.overview import newest_titled
from webapp.domain.contacts.search import contacts_beginning
from webapp.domain.emails.emails import EmailView, find_recent_emails
from webapp.domain.forms.forms import forms_named
from webapp.domain.pagination import Page
from webapp.domain.segments.segments import list_segments
from webapp.domain.templates.templates import list_outlines
from webapp.models import Campaign, Contact, Organization, Segment, SignUpForm, Template

SHOWN = 5  # of each kind


class Matches(NamedTuple):
    contacts: list[Contact]
    campaigns: list[Campaign]
    templates: list[Template]
    segments: list[Segment]
    forms: list[SignUpForm]
    emails: list[EmailView]


async def search_everything(org: Organization, q: str) -> Matches:
    """A few of each kind: contacts by the start of the address or name, the newest emails, others by their names."""
    page = Page(size=SHOWN)
    async with db.searching(org.id):
        return Matches(
            await contacts_beginning(org, q, SHOWN),
            await newest_titled(org, q, SHOWN),
            (await list_outlines(org, q, page, "-updated")).rows,
            (await list_segments(org, page, q)).rows,
            await forms_named(org, q, SHOWN),
            await find_recent_emails(org, q, SHOWN),
        )
