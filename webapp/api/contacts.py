"""/v1/contacts."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints
from quart import Blueprint, ResponseReturnValue, g
from quart_schema import document_response

from webapp.api import responses
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
@document_response(responses.Many[responses.Contact])
async def index(query_args: ContactParams) -> ResponseReturnValue:
    """List contacts, newest first, optionally filtered by segment, status or search text."""
    filters = ContactFilters(
        segment_id=query_args.segment_id,
        status=ContactStatus(query_args.status) if query_args.status else None,
        q=query_args.q,
    )
    listed = await search.list_contacts(g.caller.org, filters, query_args.wanted)
    return responses.many(listed, responses.contact)


@blueprint.post("")
@guarded(Action.CONTACTS)
@json_body(NewContact)
@document_response(responses.One[responses.Contact], 201)
async def create(data: NewContact) -> ResponseReturnValue:
    """Add a contact.

    The contact is subscribed unless `status` says otherwise. Duplicate email addresses are rejected. `unsubscribed`,
    `properties` and `segments` are accepted as aliases. If you send a field and its alias, their values must match.
    """
    return responses.one(responses.contact(await contacts.add_contact(g.caller.org, data))), 201


@blueprint.get("/<contact_id>")
@guarded(Action.READ, contacts.find_contact)
@document_response(responses.One[responses.Contact])
async def show(contact: Contact) -> ResponseReturnValue:
    """Get a contact."""
    return responses.one(responses.contact(contact))


@blueprint.patch("/<contact_id>")
@guarded(Action.CONTACTS, contacts.find_contact)
@json_body(ContactChanges)
@document_response(responses.One[responses.Contact])
async def change(contact: Contact, data: ContactChanges) -> ResponseReturnValue:
    """Change a contact.

    Omitted fields keep their values. `custom_fields` is replaced; `properties` are merged into it. Subscribing also
    clears the bounced status. The contact joins the given `segments` and leaves none.
    """
    return responses.one(responses.contact(await contacts.change_contact(g.caller.org, contact, data)))


@blueprint.delete("/<contact_id>")
@guarded(Action.CONTACTS, contacts.find_contact)
@document_response(responses.Done)
async def remove(contact: Contact) -> ResponseReturnValue:
    """Delete a contact and remove it from its segments.

    Its mail logs are kept.
    """
    await contacts.delete_contact(g.caller.org, contact)
    return {"ok": True}
