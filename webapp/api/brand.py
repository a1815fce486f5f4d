"""/v1/brand."""

from quart import Blueprint, ResponseReturnValue, g
from quart_schema import document_response

from webapp.api import responses, template_responses
from webapp.domain.roles import Action
from webapp.domain.templates.brand import BrandChanges, change_brand, find_brand
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body

blueprint = Blueprint("brand", __name__, url_prefix="/brand")


@blueprint.get("")
@guarded(Action.READ)
@document_response(responses.One[template_responses.Brand])
async def show() -> ResponseReturnValue:
    """Get the brand: the colors, font, width, logo and address of emails made of blocks."""
    return responses.one(template_responses.brand(await find_brand(g.caller.org)))


@blueprint.patch("")
@guarded(Action.TEMPLATES)
@json_body(BrandChanges)
@document_response(responses.One[template_responses.Brand])
async def change(data: BrandChanges) -> ResponseReturnValue:
    """Change the brand.

    Omitted fields keep their values. Templates of blocks are compiled again: at once, or within a minute if they are
    many. Texts and links that would be hard to read on the background are rejected.
    """
    return responses.one(template_responses.brand(await change_brand(g.caller.org, data)))
