"""Starts a template from the gallery or from a file, without saving it."""

from typing import Any
from uuid import UUID

from quart import Blueprint, Response, ResponseReturnValue, g, render_template, request

from webapp.domain.roles import Action
from webapp.domain.templates.starters import STARTERS, find_starter, read_file, starter_letter
from webapp.errors import ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.body.uploads import Upload, takes_file
from webapp.http.forms import Form, render_page
from webapp.pages.mail.frame import mail_frame
from webapp.pages.templates.editing import about

blueprint = Blueprint("starters", __name__, url_prefix="/templates")
LABELS = {"file": "The file"}


@blueprint.get("/starters")
@guarded(Action.TEMPLATES)
async def index() -> ResponseReturnValue:
    form = Form({"campaign": request.args.get("campaign", type=UUID) or ""})
    return await render_template("templates/starters.html", form=form, starters=STARTERS)


@blueprint.get("/starters/rendered")
@guarded(Action.TEMPLATES)
async def rendered() -> Response:
    starter = find_starter(request.args.get("starter", STARTERS[0].key))
    return mail_frame(await starter_letter(g.caller.org, starter), images=True)  # for the logo


@blueprint.post("/file")
@guarded(Action.TEMPLATES)
@takes_file
async def open_file(upload: Upload) -> ResponseReturnValue:
    form = upload.form
    try:
        file = await upload.first_file("Select an HTML or MJML file.")
        values = await read_file(file.name, file.pieces)
    except ValidationError as refusal:
        form.refuse(refusal, LABELS)
        return await render_page("templates/starters.html", form=form, starters=STARTERS)
    form = Form(values | {"campaign": form.values.get("campaign", "")})
    context: dict[str, Any] = {"form": form, "is_edited": True, **await about(form)}
    return await render_page("templates/new.html", **context)  # with its errors, which can be fixed in the editor
