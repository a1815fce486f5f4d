"""/v1/suppressions and its response bodies."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints
from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Done, One, Time, answers, cursor_list
from webapp.domain import pagination
from webapp.domain.inputs import Id, Input, OneLine
from webapp.domain.roles import Action
from webapp.domain.suppressions import suppressions
from webapp.domain.suppressions.suppressions import NewSuppression, SuppressionChanges
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import QueryInteger, query

blueprint = Blueprint("suppressions", __name__, url_prefix="/suppressions")


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


class SuppressionParams(Input):
    email: Annotated[str, StringConstraints(max_length=254), OneLine] | None = Field(
        default=None, description="Only entries with this text in their address (case-insensitive)."
    )
    limit: Annotated[QueryInteger, Field(ge=1, le=100)] = Field(default=20, description="Maximum number of results.")
    after: Id | None = Field(default=None, description="Only entries older than this id.")
    before: Id | None = Field(default=None, description="Only entries newer than this id.")


@blueprint.get("")
@guarded(Action.READ)
@query(SuppressionParams)
@answers(SuppressionList)
async def index(query_args: SuppressionParams) -> object:
    """List suppressed addresses and domains, newest first."""
    cursor = pagination.Cursor(query_args.limit, query_args.after, query_args.before)
    return await suppressions.list_suppressions(g.caller.org, query_args.email, cursor)


@blueprint.post("")
@guarded(Action.CONTACTS)
@json_body(NewSuppression)
@answers(One[Suppression], 201, 200)
async def create(data: NewSuppression) -> object:
    """Suppress an email address or a domain.

    It gets no email any more, transactional or campaign: its mail logs fail with the reason. `*@example.com` suppresses
    a domain. Returns 200 with the existing entry if it is already suppressed.
    """
    return await suppressions.add_one(g.caller.org, data)


@blueprint.post("/batch")
@guarded(Action.CONTACTS)
@json_body(SuppressionChanges)
@answers(One[SuppressionBatch])
async def change_many(data: SuppressionChanges) -> object:
    """Add and remove up to 100 entries at once.

    All changes are made or none. Returns the entries that were added, that existed before, and that were removed.
    """
    data.check()
    return await suppressions.change(g.caller.org, data)


@blueprint.get("/<address(batch):suppression_id>")
@guarded(Action.READ, suppressions.find_suppression)
@answers(One[Suppression])
async def show(entry: models.Suppression) -> object:
    """Get an entry by its id, or by its address or domain."""
    return entry


@blueprint.delete("/<address(batch):suppression_id>")
@guarded(Action.CONTACTS, suppressions.find_suppression)
@answers(Done)
async def remove(entry: models.Suppression) -> None:
    """Remove an entry by its id, or by its address or domain.

    Email to the address is sent again. Emails that have failed stay failed.
    """
    await suppressions.remove(g.caller.org, [entry.id])
