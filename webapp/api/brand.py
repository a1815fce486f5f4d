"""/v1/brand and its response bodies."""

from typing import cast

from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp.api.responses import One, answers, makes
from webapp.domain.preferences.link_mail import preferences_url
from webapp.domain.roles import Action
from webapp.domain.templates.brand import NAMES, BrandChanges, change_brand, find_brand
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.models import Brand as BrandRow

blueprint = Blueprint("brand", __name__, url_prefix="/brand")


class Brand(TypedDict):
    """The style of your emails made of blocks, and the language and words of pages for their readers."""

    background: str
    text: str
    accent: str
    button: str
    font: str
    width: int
    logo_url: str | None
    address: str | None
    language: str
    texts: dict[str, str]
    preferences_url: str


@makes(Brand)
def _brand(brand: BrandRow) -> Brand:
    own = {name: getattr(brand, name) for name in (*NAMES, "language", "texts")}
    return cast("Brand", own | {"preferences_url": preferences_url(g.caller.org)})


@blueprint.get("")
@guarded(Action.READ)
@answers(One[Brand])
async def show() -> object:
    """Get the brand: the style of emails made of blocks, and the language and words of pages for their readers."""
    return await find_brand(g.caller.org)


@blueprint.patch("")
@guarded(Action.TEMPLATES)
@json_body(BrandChanges)
@answers(One[Brand])
async def change(data: BrandChanges) -> object:
    """Change the brand.

    Omitted fields keep their values. Templates of blocks are compiled again: at once, or within a minute if they are
    many. Texts and links that would be hard to read on the background are rejected. `texts` is replaced whole: an empty
    object brings our sentences back.
    """
    return await change_brand(g.caller.org, data)
