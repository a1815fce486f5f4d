"""The brand of the organization's emails."""

from collections.abc import Mapping
from typing import Any

from quart import Blueprint, Response, ResponseReturnValue, g, request

from webapp.domain.preferences.link_mail import preferences_url
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
from webapp.languages import LANGUAGES, own_sentences
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
TEXTS = "texts."  # before the key of a sentence, in the names of fields
COLORS = {"background": "Background", "text": "Text", "accent": "Links", "button": "Buttons"}


@blueprint.route("", methods=FORM)
@guarded(Action.TEMPLATES)
async def show() -> ResponseReturnValue:
    g.nav_path = "/templates"
    brand = await find_brand(g.caller.org)
    values = {name: value for name in (*NAMES, "language") if (value := getattr(brand, name)) is not None}
    form = await _form(values | {f"{TEXTS}{key}": text for key, text in brand.texts.items()})
    if request.method == "POST":
        with form.refusing():
            await change_brand(g.caller.org, _read(form))
            words = "Brand saved. Templates made of blocks use it now, or within a minute if there are many."
            return redirect("/organization/brand", words)
    return await render_page(
        "organization/brand.html",
        form=form,
        fonts=FONTS,
        colors=COLORS,
        languages=LANGUAGES,
        language=brand.language,
        sentences=own_sentences(brand.language),
        preferences_url=preferences_url(g.caller.org),
        **await offered_images(),
    )


@blueprint.route("/sample", methods=FORM)
@guarded(Action.TEMPLATES)
async def sample() -> Response:
    org = g.caller.org
    if request.method == "GET":
        return mail_frame(await sample_letter(org), images=True)
    try:
        style = sample_style(org, _read(await _form()))
        return mail_frame(await sample_letter(org, style=style), images=True)
    except ValidationError as refusal:
        return text_frame(" ".join(Form().refuse(refusal).errors.values()))


def _read(form: Form) -> WholeBrand:
    """The brand with the sentences that are filled in."""
    texts = {name.removeprefix(TEXTS): text for name, text in form.values.items() if name.startswith(TEXTS) and text}
    return Form({**form.values, "texts": texts}).read(WholeBrand)


async def _form(initial: Mapping[str, Any] | None = None) -> Form:
    """The form with the logo that was chosen in the media library."""
    form = await Form.sent(initial)
    if "logo_image" in form.values:
        form.values["logo_url"] = form.values.pop("logo_image")
    return form
