"""Erases a person from tables that are read whole, some rows at a time."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from webapp.db.dialects import Values
from webapp.domain.personal_data.person import Person
from webapp.models import (
    Account,
    ApiRequest,
    ApiRequestDetails,
    AuditEntry,
    BounceReport,
    Campaign,
    CampaignRun,
    ContactImport,
    Email,
    Event,
    IdempotencyKey,
    ProviderSlowdown,
    SandboxMail,
    SegmentSheet,
    TrackedLink,
    WebhookAttempt,
    WebhookDelivery,
)
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import LAST_ID
from webapp.models.contact import STANDARD_FIELDS
from webapp.models.queries.rows_naming import end_of_part, has_bytes, has_text, rows_of_part
from webapp.models.suppression import ERASED_VALUE

ROWS_AT_ONCE = 500
BODIES = ("query", "headers", "request_body", "response_body")

Rewrite = Callable[[Person, Any], Awaitable[None]]


class Sweep(NamedTuple):
    """A table, and its columns that may have the address; `rewrite` gets the rows that do."""

    model: type[OrgModel]
    columns: tuple[str, ...]
    rewrite: Rewrite
    by_id: bool = False  # also rows that have the contact's id
    are_bytes: bool = False  # of its only column


async def _delete(_: Person, row: OrgModel) -> None:
    await row.delete()


async def _forget_request(person: Person, row: ApiRequest) -> None:
    await ApiRequest.of(person.org).filter(id=row.id).update(path=person.hide(row.path))
    await _forget_bodies(person, row.id)


async def _forget_details(person: Person, row: ApiRequestDetails) -> None:
    await _forget_bodies(person, row.id)


async def _forget_bodies(person: Person, request_id: UUID) -> None:
    details = ApiRequestDetails.of(person.org).filter(id=request_id)
    await details.update(query="", headers="[]", request_body=None, response_body=None)


async def _forget_event(person: Person, row: Event) -> None:
    data = person.hide_in(row.data)
    if row.contact_id == person.contact_id and row.type.startswith("contact."):
        data |= {name: None for name in (*STANDARD_FIELDS, "language") if data.get(name) is not None}
        data |= {"email": ERASED_VALUE, "custom_fields": {}}
    if data != row.data:
        await Event.of(person.org).filter(id=row.id).update(data=data)
    await WebhookAttempt.of(person.org).filter(event_id=row.id).update(answer=None)


async def _forget_attempt(person: Person, row: WebhookAttempt) -> None:
    """Deletes the answer, because what quotes the address mostly quotes the whole event."""
    await WebhookAttempt.of(person.org).filter(id=row.id).update(answer=None, error=person.hide_in(row.error))


def _hiding(model: type[OrgModel], *columns: str) -> Sweep:
    async def hide(person: Person, row: OrgModel) -> None:
        await (
            model.of(person.org)
            .filter(id=row.id)
            .update(**{name: person.hide_in(getattr(row, name)) for name in columns})
        )

    return Sweep(model, columns, hide)


SWEEPS: Sequence[Sweep] = (
    Sweep(Event, ("data", "contact_id"), _forget_event, by_id=True),
    Sweep(WebhookAttempt, ("error", "answer"), _forget_attempt),
    _hiding(WebhookDelivery, "last_answer"),
    Sweep(ApiRequest, ("path",), _forget_request, by_id=True),
    Sweep(ApiRequestDetails, BODIES, _forget_details, by_id=True),
    Sweep(IdempotencyKey, ("body",), _delete, by_id=True, are_bytes=True),
    Sweep(SandboxMail, ("rcpt_tos", "mail_from"), _delete),
    _hiding(Email, "addresses", "headers"),  # as a Reply-To
    _hiding(BounceReport, "recipient", "verdict"),
    _hiding(AuditEntry, "target", "details"),
    _hiding(TrackedLink, "url"),
    _hiding(SegmentSheet, "last_error", "report"),
    _hiding(ContactImport, "failure"),
    # Which quote servers.
    _hiding(Account, "last_error", "bounce_warning"),
    _hiding(ProviderSlowdown, "reply"),
    _hiding(Campaign, "halted_reason"),
    _hiding(CampaignRun, "halted_reason"),
)


async def sweep(person: Person, of: Sweep, after: UUID) -> UUID | None:
    """Erases the person from the rows next after this id; the last id, or None at the end of the table."""
    table = of.model._meta.db_table  # noqa: SLF001 - Tortoise has no other way
    last = await end_of_part(table, person.org.id, after, ROWS_AT_ONCE)
    contact_id, values = str(person.contact_id), Values([person.org.id, after])
    if of.are_bytes:
        parts = dict.fromkeys(text.encode() for text in (person.email, person.key, contact_id))
        named = has_bytes(of.columns[0], parts, values)
    else:
        named = has_text(of.columns, [*person.forms, contact_id] if of.by_id else person.forms, values)
    for row_id in await rows_of_part(
        table, named, values, min(last or LAST_ID, person.until)
    ):  # one by one, because some are large
        row = await of.model.of(person.org).get_or_none(id=row_id)
        if row is not None:
            await of.rewrite(person, row)
    return last
