"""/resend/contacts, by id and by address, and the segments that a contact is in."""

from typing import Any, NamedTuple

from pydantic import Field
from quart import Blueprint, g

from webapp import models
from webapp.domain.contacts import contacts, deletion, search
from webapp.domain.contacts.fields import snapshot
from webapp.domain.contacts.inputs import ContactChanges, NewContact
from webapp.domain.contacts.search import ContactFilters
from webapp.domain.inputs import Id, read_input
from webapp.domain.mail_logs.mail_logs import segments_of
from webapp.domain.roles import Action
from webapp.domain.segments.members import ContactIn, find_both, find_member, remove_member
from webapp.domain.topics.choices import TopicSubscriptions, upsert_with_choices
from webapp.errors import ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.paging import query
from webapp.models.contact import ContactStatus
from webapp.resend.shapes import Body, ListQuery, body, created, deleted, listed, named, page_of, time
from webapp.resend.topics import read_subscriptions

blueprint = Blueprint("contacts", __name__, url_prefix="/contacts")

TYPES: dict[type, str] = {bool: "boolean", int: "number", float: "number"}


class ContactQuery(ListQuery):
    segment_id: Id | None = Field(default=None)


class ContactWithTopics(NamedTuple):
    contact: NewContact
    topics: TopicSubscriptions


def read_contact(value: Any, model: type[NewContact] | type[ContactChanges] = NewContact) -> Any:
    """Raises ValidationError."""
    if isinstance(value, dict):
        if value.get("topics"):
            raise ValidationError.at("topics", "is not supported here: change them at /contacts/{id}/topics")
        if (audience_id := value.pop("audience_id", None)) and isinstance(value.get("segments") or [], list):
            value["segments"] = [*(value.get("segments") or []), audience_id]
    return read_input(model, value, strict=True, is_lenient=True)


def read_with_topics(value: Any) -> ContactWithTopics:
    """Raises ValidationError."""
    topics = (value.pop("topics", None) or []) if isinstance(value, dict) else []
    return ContactWithTopics(read_contact(value), read_subscriptions(topics))


def read_changes(value: Any) -> Any:
    """Raises ValidationError. The audience has only named the contact."""
    if isinstance(value, dict):
        value.pop("audience_id", None)
    return read_contact(value, ContactChanges)


@blueprint.get("")
@guarded(Action.READ)
@query(ContactQuery)
async def index(query_args: ContactQuery) -> Body:
    filters = ContactFilters(segment_id=query_args.segment_id)
    return page_of(await search.page_beside(g.caller.org, filters, query_args.cursor), outline)


@blueprint.post("")
@guarded(Action.CONTACTS)
@body(NewContact, read=read_with_topics)
async def create(data: ContactWithTopics) -> tuple[Body, int]:
    contact = await upsert_with_choices(g.caller.org, data.contact, data.topics)
    return created("contact", contact.id)


@blueprint.get("/<contact_id>")
@guarded(Action.READ, contacts.find_contact)
async def show(contact: models.Contact) -> Body:
    return whole(contact)


@blueprint.patch("/<contact_id>")
@guarded(Action.CONTACTS, contacts.find_contact)
@body(ContactChanges, read=read_changes)
async def change(contact: models.Contact, data: ContactChanges) -> Body:
    await contacts.change_contact(g.caller.org, contact, data)
    return named("contact", contact.id)


@blueprint.delete("/<contact_id>")
@guarded(Action.CONTACTS, contacts.find_contact)
async def remove(contact: models.Contact) -> Body:
    await deletion.delete_contact(g.caller.org, contact)
    return gone(contact)


@blueprint.get("/<contact_id>/segments")
@guarded(Action.READ, contacts.find_contact)
async def segments_index(contact: models.Contact) -> Body:
    joined = await segments_of(g.caller.org, contact)
    return listed(
        {"id": segment.id, "name": segment.name, "created_at": time(segment.created_at)} for segment in joined
    )


@blueprint.post("/<contact_id>/segments/<segment_id>")
@guarded(Action.SEGMENTS, find_both)
async def segments_add(both: ContactIn) -> Body:
    await contacts.add_to_segment(g.caller.org, both.segment, [both.contact.id])
    return _membership(both)


@blueprint.delete("/<contact_id>/segments/<segment_id>")
@guarded(Action.SEGMENTS, find_both)
async def segments_remove(both: ContactIn) -> Body:
    await leave(both)
    return _membership(both) | {"deleted": True}


async def leave(both: ContactIn) -> None:
    member = await find_member(g.caller.org, both.segment.id, both.contact.id)
    await remove_member(g.caller.org, member)


def _membership(both: ContactIn) -> Body:
    ids = {"contact_id": both.contact.id, "segment_id": both.segment.id}
    return named("contact_segment", both.segment.id) | ids


def outline(contact: models.Contact) -> Body:
    return {
        "id": contact.id,
        **snapshot(contact, ("email", "first_name", "last_name")),
        "created_at": time(contact.created_at),
        "unsubscribed": contact.status == ContactStatus.UNSUBSCRIBED,
    }


def whole(contact: models.Contact) -> Body:
    properties = {
        name: {"type": TYPES.get(type(value), "string"), "value": value}
        for name, value in contact.custom_fields.items()
    }
    return {"object": "contact", **outline(contact), "properties": properties}


def gone(contact: models.Contact) -> Body:
    return deleted("contact", contact.id) | {"contact": contact.id}
