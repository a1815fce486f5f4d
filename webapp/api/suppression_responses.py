"""The response bodies of suppressions; other fields are never sent."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Time, shaped
from webapp.domain.pagination import CursorPage
from webapp.domain.suppressions.suppressions import Changed


class Suppression(TypedDict):
    """An address or a domain that gets no email."""

    id: UUID
    email: str
    reason: Literal["bounce", "complaint", "manual", "import"]
    mail_log_id: Annotated[UUID | None, Field(description="The email that bounced or was complained about.")]
    created_at: Time


class SuppressionList(TypedDict):
    """Entries, newest first."""

    data: list[Suppression]
    has_more: Annotated[bool, Field(description="Whether there are more results in this direction.")]


class SuppressionBatch(TypedDict):
    """The entries that were added, that existed before, and that were removed."""

    added: list[Suppression]
    existing: list[Suppression]
    removed: list[Suppression]


def suppression(row: models.Suppression) -> Suppression:
    return shaped(Suppression, row)


def suppression_list(listed: CursorPage[models.Suppression]) -> SuppressionList:
    return {"data": [suppression(row) for row in listed.rows], "has_more": listed.has_more}


def suppression_batch(changed: Changed) -> SuppressionBatch:
    added, existing, removed = (list(map(suppression, rows)) for rows in changed)
    return {"added": added, "existing": existing, "removed": removed}
