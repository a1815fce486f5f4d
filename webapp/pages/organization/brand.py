"""The brand of the organization's emails."""

from quart import Blueprint, Response, ResponseReturnValue, g, request

from webapp.domain.media.media import newest_pictures
from webapp.domain.roles import Action
from webapp.domain.templates.brand import NAMES, WholeBrand, change_brand, find_brand, sample_letter
from webapp.http.auth.permissions import guarded
from webapp.http.forms import FORM, Form, redirect, render_page
from webapp.pages.mail.frame import mail_frame

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
    brand = await find_brand(g.caller.org)
    form = await Form.sent({name: value for name in NAMES if (value := getattr(brand, name)) is not None})
    if request.method == "POST":
        with form.refusing():
            await change_brand(g.caller.org, form.read(WholeBrand))
            words = "Brand saved. Templates made of blocks have it now, or within a minute if there are many."
            return redirect("/organization/brand", words)
    pictures = await newest_pictures(g.caller.org)
    return await render_page("organization/brand.html", form=form, fonts=FONTS, colors=COLORS, pictures=pictures)


@blueprint.get("/sample")
@guarded(Action.TEMPLATES)
async def sample() -> Response:
    return mail_frame(await sample_letter(g.caller.org), images=True)
