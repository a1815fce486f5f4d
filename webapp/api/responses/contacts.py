"""Contacts."""

from typing import Any, Literal
from uuid import UUID

from typing_extensions import TypedDict

from webapp.api.responses.common import Time, maybe_time, time
from webapp.models import Contact as ContactRow


class Contact(TypedDict):
    """A person whom the organization writes to."""

    id: UUID
    email: str
    first_name: str | None
    last_name: str | None
    phone: str | None
    custom_fields: dict[str, str | int | float | bool | None]
    status: Literal["subscribed", "unsubscribed"]
    unsubscribed_at: Time | None
    bounced_at: Time | None
    created_at: Time
    updated_at: Time


def contact(found: ContactRow) -> Contact:
    row: Any = found  # its columns hold plain strings where the shape names the values
    return {
        "id": row.id,
        "email": row.email,
        "first_name": row.first_name,
        "last_name": row.last_name,
        "phone": row.phone,
        "custom_fields": row.custom_fields,
        "status": row.status,
        "unsubscribed_at": maybe_time(row.unsubscribed_at),
        "bounced_at": maybe_time(row.bounced_at),
        "created_at": time(row.created_at),
        "updated_at": time(row.updated_at),
    }
