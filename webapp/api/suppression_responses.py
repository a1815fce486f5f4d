"""The response bodies of suppressions."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.responses import Time, cursor_list


class Suppression(TypedDict):
    """An address or a domain that gets no email."""

    id: UUID
    email: str
    reason: Literal["bounce", "complaint", "manual", "import"]
    mail_log_id: Annotated[UUID | None, Field(description="The email that bounced or was complained about.")]
    created_at: Time


class SuppressionBatch(TypedDict):
    """The entries that were added, that existed before, and that were removed."""

    added: list[Suppression]
    existing: list[Suppression]
    removed: list[Suppression]


SuppressionList = cursor_list(Suppression, "Entries, newest first.")
