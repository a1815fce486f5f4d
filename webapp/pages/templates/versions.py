"""The pages of a template's versions."""

from quart import Blueprint, Response, ResponseReturnValue, g, render_template

from webapp.domain.pagination import Page
from webapp.domain.roles import Action
from webapp.domain.templates import templates, versions
from webapp.domain.templates.versions import Former
from webapp.errors import ApiError
from webapp.http.auth.permissions import guarded
from webapp.http.flashes import flash
from webapp.http.forms import Form, in_words, redirect, submit_once
from webapp.models import Template
from webapp.models.template import VERSIONS
from webapp.pages.mail.frame import text_frame
from webapp.pages.templates.editing import KINDS, preview_frame

blueprint = Blueprint("template_versions", __name__, url_prefix="/templates/<uuid:template_id>/versions")


@blueprint.get("")
@guarded(Action.READ, templates.find_template)
async def index(template: Template) -> ResponseReturnValue:
    listed = await versions.list_versions(template, Page(1, VERSIONS))
    return await render_template("templates/versions.html", template=template, listed=listed, kinds=KINDS)


@blueprint.get("/<uuid:version_id>")
@guarded(Action.READ, versions.find_version)
async def show(former: Former) -> ResponseReturnValue:
    return await render_template("templates/version.html", **former._asdict(), kinds=KINDS, form=Form())


@blueprint.get("/<uuid:version_id>/rendered")
@guarded(Action.READ, versions.find_version)
async def rendered(former: Former) -> Response:
    try:
        preview = await versions.preview_version(g.caller.org, former.version)
    except ApiError as refusal:
        return text_frame(in_words(refusal))
    return preview_frame(preview)


@blueprint.post("/<uuid:version_id>/restore")
@guarded(Action.TEMPLATES, versions.find_version)
async def restore(former: Former) -> ResponseReturnValue:
    async def bring_back() -> str:
        await versions.restore(g.caller.org, former)
        flash("Version restored. The content before it is under Versions.")
        return f"/templates/{former.template.id}"

    try:
        return redirect(await submit_once(await Form.sent(), bring_back))
    except ApiError as refusal:
        return redirect(f"/templates/{former.template.id}/versions", in_words(refusal), "bad")
