"""Records how and when choices of contacts came about."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp.contact_fields import ContactField, FieldKind, instant_of
from webapp.domain.contacts import consent
from webapp.domain.contacts.fields import CHOICE_NAMES, restraints, snapshot
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.models import Consent, Contact, Organization
from webapp.models.contact import CHOICES, ConsentKind

LOGGED = (*CHOICE_NAMES, "email_key")  # a restraint follows its contact to another address
Choices = Mapping[str, Any]


class NewConsent(NamedTuple):
    org_id: UUID
    contact_id: UUID
    kind: ConsentKind
    text: str | None
    topic_id: UUID | None = None
    form_id: UUID | None = None
    form_version: int | None = None
    network: str | None = None
    page_url: str | None = None


class _Row(NamedTuple):
    """The columns of the table."""

    id: UUID
    org_id: UUID
    contact_id: UUID
    kind: str
    text: str | None
    topic_id: UUID | None
    form_id: UUID | None
    form_version: int | None
    network: str | None
    page_url: str | None


async def record_consents(consents: Iterable[NewConsent]) -> None:
    """Saves them in the caller's transaction, after the contacts."""
    await Consent.insert_tuples([_Row(uuid7(), *new) for new in consents])


def choices_of(contact: Contact) -> dict[str, Any]:
    """What `record_choices` compares a contact with after it was changed."""
    return snapshot(contact, LOGGED)


async def record_choices(changes: Iterable[tuple[Contact, Choices | None]], kind: ConsentKind) -> None:
    """Records choices of saved contacts, each with its former ones or None if new, here and in the consent log."""
    rows, logged = [], []
    for contact, before in changes:
        after = choices_of(contact)
        if after != before and (restraints(after) or restraints(before or {})):
            logged.append(contact)
        if words := words_of(after, before):
            rows.append(NewConsent(contact.org_id, contact.id, kind, words))
    await record_consents(rows)
    await consent.record(logged)


def words_of(after: Choices, before: Choices | None) -> str:
    """The choices that changed; those of a new contact are its status and its restraints."""
    known = {"status": None} if before is None else before
    shown = [field for field in CHOICES if after[field.name] != known.get(field.name, field.default)]
    return "; ".join(f"{field.label}: {_value_words(field, after[field.name])}" for field in shown)


def _value_words(field: ContactField, value: Any) -> str:
    if field.kind is FieldKind.BOOLEAN:
        return "yes" if value else "no"
    if field.kind is FieldKind.TIME:
        return f"{instant_of(value):%Y-%m-%d}" if value else "no"
    return str(value)


async def list_consents(org: Organization, contact: Contact, page: Page) -> Listed[Consent]:
    """Newest first."""
    return await fetch_page(Consent.of(org).filter(contact_id=contact.id).order_by("-id"), page)
