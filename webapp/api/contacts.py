"""/v1/contacts and its response bodies."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, NotRequired
from uuid import UUID

from pydantic import Field, StringConstraints
from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Done, Many, One, Time, answers, makes, shaped
from webapp.contact_fields import CONTACT_FIELDS, FieldKind
from webapp.domain.contacts import consents, contacts, deletion, search
from webapp.domain.contacts.inputs import (
    ContactChanges,
    NewContact,
    NewContactBatch,
    ignored_in_contacts,
    read_contacts,
)
from webapp.domain.contacts.search import ContactFilters
from webapp.domain.contacts.upsert import RowResult, RowStatus, upsert_contact, upsert_contacts
from webapp.domain.inputs import Id, OneLine
from webapp.domain.roles import Action
from webapp.errors import ApiError
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import Paging, query
from webapp.models.contact import ContactStatus

blueprint = Blueprint("contacts", __name__, url_prefix="/contacts")


TYPES: Mapping[FieldKind, Any] = {
    FieldKind.EMAIL: str,
    FieldKind.TEXT: str | None,
    FieldKind.CUSTOM: dict[str, str | int | float | bool | None],
    FieldKind.STATUS: Literal["subscribed", "unsubscribed"],
    FieldKind.BOOLEAN: bool,
    FieldKind.TIME: Time | None,
    FieldKind.LANGUAGE: str | None,
}
_declared = {field.name: Annotated[TYPES[field.kind], Field(description=field.description)] for field in CONTACT_FIELDS}
Contact: Any = TypedDict("Contact", {"id": UUID, **_declared, "created_at": Time, "updated_at": Time})  # type: ignore[misc]  # built at run time
Contact.__doc__ = "A person you send to."


class Consent(TypedDict):
    """When and how a contact's choices were made."""

    id: UUID
    kind: Annotated[
        Literal["form", "import", "api", "person"],
        Field(description="`person`: by a link in an email; `api`: by a program or on the dashboard."),
    ]
    at: Time
    text: Annotated[str | None, Field(description="What was agreed to or chosen.")]
    form_id: UUID | None
    form_version: int | None
    network: Annotated[str | None, Field(description="The visitor's network, with the last part of the address cut.")]
    page_url: str | None
    topic_id: UUID | None


@makes(Consent)
def _consent(row: models.Consent) -> Consent:
    return shaped(Consent, row, at=row.created_at)


class ContactResult(TypedDict):
    """What became of a contact of a batch."""

    index: Annotated[int, Field(description="Its index in the batch, from 0.")]
    id: UUID | None
    status: Literal["created", "updated", "unchanged", "error"]
    message: NotRequired[Annotated[str, Field(description="What is wrong; only with `error`.")]]


class ContactBatch(TypedDict):
    """What became of each contact, in order."""

    data: list[ContactResult]


STATUSES = {RowStatus.CREATED: "created", RowStatus.CHANGED: "updated", RowStatus.REFUSED: "error"}


def _result(index: int, result: RowResult) -> dict[str, Any]:
    unchanged = "updated" if result.has_joined else "unchanged"
    status = STATUSES.get(result.status, unchanged)
    told = {"index": index, "id": result.contact and result.contact.id, "status": status}
    return told if result.error is None else told | {"message": str(result.error)}


class MemberParams(Paging):
    status: Literal["subscribed", "unsubscribed"] | None = Field(
        default=None, description="Only contacts with this status."
    )
    q: Annotated[str, StringConstraints(max_length=200), OneLine] | None = Field(
        default=None,
        description="Only contacts with each of these words in their email, name or phone, in upper or lower case. "
        "Letters without accents also match those with them.",
    )

    @property
    def filters(self) -> ContactFilters:
        return ContactFilters(status=ContactStatus(self.status) if self.status else None, q=self.q)


class ContactParams(MemberParams):
    segment_id: Id | None = Field(default=None, description="Only members of this segment.")


@blueprint.get("")
@guarded(Action.READ)
@query(ContactParams)
@answers(Many[Contact])
async def index(query_args: ContactParams) -> object:
    """List contacts, newest first, optionally filtered by segment, status or search text."""
    filters = replace(query_args.filters, segment_id=query_args.segment_id)
    return await search.list_contacts(g.caller.org, filters, query_args.wanted, is_bounded=True)


@blueprint.post("")
@guarded(Action.CONTACTS)
@json_body(NewContact)
@answers(One[Contact], 201)
async def create(data: NewContact) -> object:
    """Add a contact.

    The contact is subscribed unless `status` says otherwise. A duplicate email address is rejected with the
    `contact_id` of the existing contact. `unsubscribed`, `properties` and `segments` are accepted as aliases. If you
    send a field and its alias, their values must match.
    """
    return await contacts.add_contact(g.caller.org, data)


@blueprint.post("/upsert")
@guarded(Action.CONTACTS)
@json_body(NewContact)
@answers(One[Contact], 201, 200)
async def upsert(data: NewContact) -> object:
    """Create the contact with this address, or change the existing one.

    Omitted fields keep their values; `custom_fields` and `properties` are merged into the existing ones. An existing
    contact is subscribed again only if `status` says so, and joins the given `segments`. Returns 201 for a new
    contact, and 200 for an existing one.
    """
    return await upsert_contact(g.caller.org, data)


@blueprint.post("/batch")
@guarded(Action.CONTACTS)
@json_body(NewContactBatch, read=read_contacts, ignored=ignored_in_contacts)
@answers(ContactBatch)
async def upsert_many(data: list[NewContact | ApiError]) -> object:
    """Create or change up to 1,000 contacts, like `upsert`.

    Returns what became of each, in order. A contact with an error is not changed; the others are saved.
    """
    results = await upsert_contacts(g.caller.org, data)
    return {"data": [_result(index, result) for index, result in enumerate(results)]}


@blueprint.get("/<address(upsert, batch):contact_id>")
@guarded(Action.READ, contacts.find_contact)
@answers(One[Contact])
async def show(contact: models.Contact) -> object:
    """Get a contact by its id or address."""
    return contact


@blueprint.get("/<address(upsert, batch):contact_id>/consents")
@guarded(Action.READ, contacts.find_contact)
@query(Paging)
@answers(Many[Consent])
async def list_consents(contact: models.Contact, query_args: Paging) -> object:
    """List how and when the choices of a contact came about, newest first."""
    return await consents.list_consents(g.caller.org, contact, query_args.wanted)


@blueprint.patch("/<address(upsert, batch):contact_id>")
@guarded(Action.CONTACTS, contacts.find_contact)
@json_body(ContactChanges)
@answers(One[Contact])
async def change(contact: models.Contact, data: ContactChanges) -> object:
    """Change a contact, named by its id or address.

    Omitted fields keep their values. `custom_fields` is replaced; `properties` are merged into it. Subscribing also
    clears the bounced status. The contact joins the given `segments` and leaves none.
    """
    return await contacts.change_contact(g.caller.org, contact, data)


@blueprint.delete("/<address(upsert, batch):contact_id>")
@guarded(Action.CONTACTS, contacts.find_contact)
@answers(Done)
async def remove(contact: models.Contact) -> None:
    """Delete a contact, named by its id or address, and remove it from its segments.

    Its mail logs are kept, with its address, and so are events and logged requests that name it. To remove a person
    from them too, use `POST /v1/contacts/{id}/erase`.
    """
    await deletion.delete_contact(g.caller.org, contact)
