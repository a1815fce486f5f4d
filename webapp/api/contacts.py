"""/v1/contacts."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints
from quart import Blueprint, g

from webapp.api import responses
from webapp.api.responses import Done, Many, One, answers
from webapp.domain.contacts import contacts, search
from webapp.domain.contacts.inputs import ContactChanges, NewContact
from webapp.domain.contacts.search import ContactFilters
from webapp.domain.inputs import Id, OneLine
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import Paging, query
from webapp.models import Contact
from webapp.models.contact import ContactStatus

blueprint = Blueprint("contacts", __name__, url_prefix="/contacts")


class ContactParams(Paging):
    segment_id: Id | None = Field(default=None, description="Only members of this segment.")
    status: Literal["subscribed", "unsubscribed"] | None = Field(
        default=None, description="Only contacts with this status."
    )
    q: Annotated[str, StringConstraints(max_length=200), OneLine] | None = Field(
        default=None, description="Only contacts with this text in their email, name or phone (case-insensitive)."
    )


@blueprint.get("")
@guarded(Action.READ)
@query(ContactParams)
@answers(Many[responses.Contact])
async def index(query_args: ContactParams) -> object:
    """List contacts, newest first, optionally filtered by segment, status or search text."""
    filters = ContactFilters(
        segment_id=query_args.segment_id,
        status=ContactStatus(query_args.status) if query_args.status else None,
        q=query_args.q,
    )
    return await search.list_contacts(g.caller.org, filters, query_args.wanted)


@blueprint.post("")
@guarded(Action.CONTACTS)
@json_body(NewContact)
@answers(One[responses.Contact], 201)
async def create(data: NewContact) -> object:
    """Add a contact.

    The contact is subscribed unless `status` says otherwise. Duplicate email addresses are rejected. `unsubscribed`,
    `properties` and `segments` are accepted as aliases. If you send a field and its alias, their values must match.
    """
    return await contacts.add_contact(g.caller.org, data)


@blueprint.get("/<contact_id>")
@guarded(Action.READ, contacts.find_contact)
@answers(One[responses.Contact])
async def show(contact: Contact) -> object:
    """Get a contact."""
    return contact


@blueprint.patch("/<contact_id>")
@guarded(Action.CONTACTS, contacts.find_contact)
@json_body(ContactChanges)
@answers(One[responses.Contact])
async def change(contact: Contact, data: ContactChanges) -> object:
    """Change a contact.

    Omitted fields keep their values. `custom_fields` is replaced; `properties` are merged into it. Subscribing also
    clears the bounced status. The contact joins the given `segments` and leaves none.
    """
    return await contacts.change_contact(g.caller.org, contact, data)


@blueprint.delete("/<contact_id>")
@guarded(Action.CONTACTS, contacts.find_contact)
@answers(Done)
async def remove(contact: Contact) -> None:
    """Delete a contact and remove it from its segments.

    Its mail logs are kept.
    """
    await contacts.delete_contact(g.caller.org, contact)
