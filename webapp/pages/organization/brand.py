"""The brand of the organization's emails."""

from collections.abc import Mapping
from typing import Any

from quart import Blueprint, Response, ResponseReturnValue, g, request

from webapp.domain.roles import Action
from webapp.domain.templates.brand import (
    NAMES,
    WholeBrand,
    change_brand,
    find_brand,
    sample_letter,
    sample_style,
)
from webapp.errors import ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.forms import FORM, Form, redirect, render_page
from webapp.pages.mail.frame import mail_frame, text_frame
from webapp.pages.media.library import offered_images

blueprint = Blueprint("brand", __name__, url_prefix="/organization/brand")
FONTS = (
    ("system", "The device's own"),
    ("arial", "Arial"),
    ("verdana", "Verdana"),
    ("tahoma", "Tahoma"),
    ("trebuchet", "Trebuchet"),
    ("georgia", "Georgia"),
    ("times", "Times New Roman"),
    ("courier", "Courier"),
)
COLORS = {"background": "Background", "text": "Text", "accent": "Links", "button": "Buttons"}


@blueprint.route("", methods=FORM)
@guarded(Action.TEMPLATES)
async def show() -> ResponseReturnValue:
    g.nav_path = "/templates"
    brand = await find_brand(g.caller.org)
    form = await _form({name: value for name in NAMES if (value := getattr(brand, name)) is not None})
    if request.method == "POST":
        with form.refusing():
            await change_brand(g.caller.org, form.read(WholeBrand))
            words = "Brand saved. Templates made of blocks have it now, or within a minute if there are many."
            return redirect("/organization/brand", words)
    images = await offered_images()
    return await render_page("organization/brand.html", form=form, fonts=FONTS, colors=COLORS, **images)


@blueprint.route("/sample", methods=FORM)
@guarded(Action.TEMPLATES)
async def sample() -> Response:
    org = g.caller.org
    if request.method == "GET":
        return mail_frame(await sample_letter(org), images=True)
    try:
        style = sample_style(org, (await _form()).read(WholeBrand))
        return mail_frame(await sample_letter(org, style=style), images=True)
    except ValidationError as refusal:
        return text_frame(" ".join(Form().refuse(refusal).errors.values()))


async def _form(initial: Mapping[str, Any] | None = None) -> Form:
    """The form with the logo that was chosen in the media library."""
    form = await Form.sent(initial)
    if "logo_image" in form.values:
        form.values["logo_url"] = form.values.pop("logo_image")
    return form
