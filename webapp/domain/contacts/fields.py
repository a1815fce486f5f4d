"""Changes contacts' fields, and knows which of them are personal choices."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from uuid_utils.compat import uuid7

from webapp import clock
from webapp.addresses import email_key, readable
from webapp.contact_fields import FieldKind, instant_of
from webapp.languages.spelling import plain_form, search_form
from webapp.models import Contact, Organization
from webapp.models.contact import CHOICES, INPUT_FIELDS, ContactStatus
from webapp.models.queries.contacts.segment_filter import filter_values

DEFAULTS = {field.name: field.default for field in INPUT_FIELDS if field.kind is not FieldKind.EMAIL}
NAMES = tuple(field.name for field in INPUT_FIELDS)
TIMES = {field.name for field in INPUT_FIELDS if field.kind is FieldKind.TIME}
CHOICE_NAMES = {field.name for field in CHOICES}


def new_contact(org: Organization, values: Mapping[str, Any]) -> Contact:
    contact = Contact(id=uuid7(), org_id=org.id)
    apply_fields(contact, {**DEFAULTS, **values})
    return contact


def apply_fields(contact: Contact, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        if name == "status":
            set_status(contact, ContactStatus(value))
        elif name in TIMES:
            setattr(contact, name, value and instant_of(value))
        else:
            setattr(contact, name, (value or {}) if name == "custom_fields" else value)
    contact.email_key = email_key(contact.email)
    contact.search_text = search_text(contact)
    contact.filter_values = filter_values(contact)


def search_text(contact: Contact) -> str:
    parts = [part for part in (contact.email, readable(contact.email), contact.full_name, contact.phone) if part]
    return "\n".join(dict.fromkeys([*map(search_form, parts), *map(plain_form, parts)]))


def set_status(contact: Contact, status: ContactStatus) -> None:
    if status == ContactStatus.SUBSCRIBED:
        undo_unsubscribe(contact)
        contact.bounced_at = None
    elif contact.status != status:
        contact.unsubscribed_at = clock.now()
    contact.status = status


def undo_unsubscribe(contact: Contact) -> None:
    contact.status = ContactStatus.SUBSCRIBED
    contact.unsubscribed_at = contact.unsubscribed_campaign_id = None


def snapshot(contact: Contact, names: Collection[str] = NAMES) -> dict[str, Any]:
    """The values of these fields, which are JSON."""
    values = {name: getattr(contact, name) for name in names}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


def restraints(choices: Mapping[str, Any]) -> dict[str, Any]:
    """The choices that mean less mail or tracking than the defaults."""
    return {
        field.name: choices[field.name]
        for field in CHOICES
        if field.name in choices and field.is_less(choices[field.name], field.default)
    }


def without_loosening(contact: Contact, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without choices that would mean more mail or tracking."""
    loosening = {
        field.name
        for field in CHOICES
        if field.name in values and not field.is_less(values[field.name], getattr(contact, field.name))
    }
    return {name: value for name, value in values.items() if name not in loosening}
