"""/resend/suppressions."""

from typing import Annotated, Literal

from pydantic import Field
from quart import Blueprint, g

from webapp import models
from webapp.domain.inputs import Input
from webapp.domain.pagination import newest_page
from webapp.domain.roles import Action
from webapp.domain.suppressions import suppressions
from webapp.domain.suppressions.suppressions import AT_ONCE, Entry, IdOrEntry, NewSuppression, SuppressionChanges
from webapp.http.auth.permissions import guarded
from webapp.http.paging import query
from webapp.models.suppression import SuppressionReason
from webapp.resend.shapes import Body, ListQuery, body, created, deleted, named, page_of, time

blueprint = Blueprint("suppressions", __name__, url_prefix="/suppressions")

ORIGINS = {
    "bounce": [SuppressionReason.BOUNCE],
    "complaint": [SuppressionReason.COMPLAINT],
    "manual": [SuppressionReason.MANUAL, SuppressionReason.IMPORT],
}
ORIGIN_OF = {reason: origin for origin, reasons in ORIGINS.items() for reason in reasons}


class SuppressionQuery(ListQuery):
    origin: Literal["bounce", "complaint", "manual"] | None = None


class SuppressionRequest(Input):
    email: Entry


class SuppressionBatch(Input):
    emails: Annotated[list[Entry], Field(min_length=1, max_length=AT_ONCE)]


class Removed(Input):
    emails: Annotated[list[IdOrEntry], Field(max_length=AT_ONCE)] = Field(default=[])
    ids: Annotated[list[IdOrEntry], Field(max_length=AT_ONCE)] = Field(default=[])


@blueprint.get("")
@guarded(Action.READ)
@query(SuppressionQuery)
async def index(query_args: SuppressionQuery) -> Body:
    chosen = {"reason__in": ORIGINS[query_args.origin]} if query_args.origin else {}
    page = await newest_page(models.Suppression, g.caller.org, query_args.cursor, "a suppression", **chosen)
    return page_of(page, _outline)


@blueprint.post("")
@guarded(Action.CONTACTS)
@body(SuppressionRequest)
async def create(data: SuppressionRequest) -> tuple[Body, int]:
    entry, _ = await suppressions.add_one(g.caller.org, NewSuppression(email=data.email))
    return created("suppression", entry.id)


@blueprint.post("/batch/add")
@guarded(Action.CONTACTS)
@body(SuppressionBatch)
async def add_many(data: SuppressionBatch) -> tuple[Body, int]:
    changed = await suppressions.change(g.caller.org, SuppressionChanges(add=data.emails))
    return {"data": [named("suppression", entry.id) for entry in (*changed.added, *changed.existing)]}, 201


@blueprint.post("/batch/remove")
@guarded(Action.CONTACTS)
@body(Removed)
async def remove_many(data: Removed) -> Body:
    changes = SuppressionChanges(remove=[*data.emails, *data.ids])
    changes.check()
    changed = await suppressions.change(g.caller.org, changes)
    return {"data": [deleted("suppression", entry.id) for entry in changed.removed]}


@blueprint.get("/<suppression_id>")
@guarded(Action.READ, suppressions.find_suppression)
async def show(entry: models.Suppression) -> Body:
    return {"object": "suppression", **_outline(entry)}


@blueprint.delete("/<suppression_id>")
@guarded(Action.CONTACTS, suppressions.find_suppression)
async def remove(entry: models.Suppression) -> Body:
    await suppressions.remove(g.caller.org, [entry.id])
    return deleted("suppression", entry.id)


def _outline(entry: models.Suppression) -> Body:
    return {
        "id": entry.id,
        "email": entry.email,
        "origin": ORIGIN_OF[SuppressionReason(entry.reason)],
        "source_id": entry.mail_log_id,
        "created_at": time(entry.created_at),
    }
