"""/v1/contacts/{id}/export and erase, and the response body of the export."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field
from quart import Blueprint, Response, g
from typing_extensions import TypedDict

from webapp import models
from webapp.api.contacts import Consent, Contact
from webapp.api.responses import Done, One, Time, answers
from webapp.domain.contacts import contacts
from webapp.domain.personal_data.erase import erase_contact
from webapp.domain.personal_data.export import export_contact, json_of
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded

blueprint = Blueprint("personal_data", __name__, url_prefix="/contacts")


class ExportedEmail(TypedDict):
    """An email to the person."""

    subject: str | None
    id: UUID
    kind: str
    from_email: str | None
    to_email: str
    status: str
    error: str | None
    at: Time
    sent_at: Time | None
    campaign_id: UUID | None
    variables: Annotated[dict[str, Any], Field(description="The values of its merge tags.")]


class ExportedHit(TypedDict):
    """A link that was followed, or with `link_id: null` an email that was opened."""

    id: UUID
    mail_log_id: UUID
    at: Time
    link_id: UUID | None
    agent: Annotated[str, Field(description="The program, as it names itself.")]
    verdict: Annotated[str | None, Field(description="Who it was, as far as it is known.")]


class ExportedEvent(TypedDict):
    """An event about the contact."""

    id: UUID
    type: str
    at: Time
    data: dict[str, Any]


class ExportedChoice(TypedDict):
    """A topic that the person chose or left."""

    id: UUID
    name: str
    subscription: Literal["opt_in", "opt_out"]
    source: Literal["form", "import", "api", "person"]
    changed_at: Time | None


class ExportedSegment(TypedDict):
    """A segment that the contact is in."""

    id: UUID
    name: str


class ExportedSuppression(TypedDict):
    """Why the address gets no email."""

    id: UUID
    email: str
    reason: str
    at: Time


class PersonalData(TypedDict):
    """All that is stored of a person, oldest first."""

    contact: Contact
    consents: list[Consent]
    topics: list[ExportedChoice]
    segments: list[ExportedSegment]
    suppressions: list[ExportedSuppression]
    emails: list[ExportedEmail]
    hits: list[ExportedHit]
    events: list[ExportedEvent]


@blueprint.get("/<address(upsert, batch):contact_id>/export")
@guarded(Action.PERSONAL_DATA, contacts.find_contact)
@answers(One[PersonalData])
async def export(contact: models.Contact) -> Response:
    """Export all that is stored of a contact, named by its id or address, as one document."""
    parts = await export_contact(g.caller.org, contact)
    return Response(json_of(contact, parts), content_type="application/json")


@blueprint.post("/<address(upsert, batch):contact_id>/erase")
@guarded(Action.PERSONAL_DATA, contacts.find_contact)
@answers(Done)
async def erase(contact: models.Contact) -> None:
    """Erase a person, named by the id or address of the contact, from everything that is stored.

    The contact is deleted, with its choices, memberships and hits. In mail logs its address is `erased`; the contents
    of emails to it alone, events, logged requests and responses that name it are emptied. Email to it that waits is
    halted. Counts stay as they are. Requests, imports and pages that name the address again are refused with
    `erased on` and the day, and email to it fails; it comes back only by a confirmed sign-up.
    """
    await erase_contact(g.caller.org, contact)
