"""Segments."""

from uuid import UUID

from typing_extensions import TypedDict

from webapp.api.responses.common import Time, time
from webapp.models import Segment as SegmentRow


class Segment(TypedDict):
    """An audience, and how many contacts are members of it."""

    id: UUID
    name: str
    contact_count: int
    created_at: Time
    updated_at: Time


def segment(row: SegmentRow) -> Segment:
    return {
        "id": row.id,
        "name": row.name,
        "contact_count": row.contact_count,
        "created_at": time(row.created_at),
        "updated_at": time(row.updated_at),
    }
