"""Templates."""

from typing import Annotated
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.responses.common import Time, time
from webapp.models import Template as TemplateRow


class Template(TypedDict):
    """A saved mail with merge tags."""

    id: UUID
    name: str
    subject: str
    body: str
    variables: Annotated[list[str], Field(description="The names of the merge tags in subject and body.")]
    created_at: Time
    updated_at: Time


def template(row: TemplateRow) -> Template:
    return {
        "id": row.id,
        "name": row.name,
        "subject": row.subject,
        "body": row.body,
        "variables": row.variables,
        "created_at": time(row.created_at),
        "updated_at": time(row.updated_at),
    }
