"""/resend/contact-properties: the custom fields of contacts that were saved with a type."""

from typing import Literal

from quart import Blueprint, g

from webapp import models
from webapp.domain.contacts import bulk, custom_fields
from webapp.domain.contacts.custom_fields import FieldInput, Label
from webapp.domain.inputs import Input
from webapp.domain.pagination import newest_page
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.paging import query
from webapp.models.contact import CustomFieldKind
from webapp.resend.shapes import Body, ListQuery, Unsupported, body, created, deleted, page_of, time

blueprint = Blueprint("contact_properties", __name__, url_prefix="/contact-properties")


class ResendProperty(Input):
    key: Label
    type: Literal["string", "number", "boolean"] = "string"
    fallback_value: Unsupported = None


KINDS = {"string": CustomFieldKind.TEXT, "number": CustomFieldKind.NUMBER, "boolean": CustomFieldKind.BOOLEAN}
TYPES = {kind: name for name, kind in KINDS.items()} | {CustomFieldKind.DATE: "string"}


@blueprint.get("")
@guarded(Action.READ)
@query(ListQuery)
async def index(query_args: ListQuery) -> Body:
    return page_of(await newest_page(models.CustomField, g.caller.org, query_args.cursor, "a property"), _outline)


@blueprint.post("")
@guarded(Action.CONTACTS)
@body(ResendProperty)
async def create(data: ResendProperty) -> tuple[Body, int]:
    field = await custom_fields.add_field(g.caller.org, FieldInput(label=data.key, kind=KINDS[data.type]))
    return created("contact_property", field.id)


@blueprint.get("/<property_id>")
@guarded(Action.READ, models.CustomField.one_of)
async def show(field: models.CustomField) -> Body:
    return {"object": "contact_property", **_outline(field)}


@blueprint.delete("/<property_id>")
@guarded(Action.CONTACTS, models.CustomField.one_of)
async def remove(field: models.CustomField) -> Body:
    await bulk.delete_field(g.caller.org, field)
    return deleted("contact_property", field.id)


def _outline(field: models.CustomField) -> Body:
    return {
        "id": field.id,
        "key": field.name,
        "type": TYPES[CustomFieldKind(field.kind)],
        "fallback_value": None,
        "created_at": time(field.created_at),
    }
