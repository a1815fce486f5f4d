"""/v1/templates and its response bodies."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field
from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Done, Many, One, Time, answers
from webapp.domain.roles import Action
from webapp.domain.templates import preview, templates, versions
from webapp.domain.templates.inputs import NewRender, NewTemplate, TemplateChanges
from webapp.domain.templates.versions import Former
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import Paging, query

blueprint = Blueprint("templates", __name__, url_prefix="/templates")


class Template(TypedDict):
    """A saved email with merge tags."""

    id: UUID
    name: str
    alias: str | None
    subject: str
    kind: Literal["html", "text", "blocks", "mjml"]
    body: Annotated[str, Field(description="What is sent, compiled from `blocks` or `mjml` if it is made of these.")]
    blocks: Annotated[list[dict[str, Any]] | None, Field(description="The content of the kind `blocks`.")]
    mjml: Annotated[str | None, Field(description="The content of the kind `mjml`.")]
    variables: Annotated[list[str], Field(description="The merge tags used in the subject and body.")]
    created_at: Time
    updated_at: Time


class TemplateVersionOutline(TypedDict):
    """A former content of a template."""

    id: UUID
    subject: str
    kind: Literal["html", "text", "blocks", "mjml"]
    saved_at: Annotated[Time, Field(description="When the template was saved with it.")]


class TemplateVersion(TemplateVersionOutline):
    """A former content of a template, whole."""

    body: Annotated[str, Field(description="The content of the kinds `html` and `text`.")]
    blocks: Annotated[list[dict[str, Any]] | None, Field(description="The content of the kind `blocks`.")]
    mjml: Annotated[str | None, Field(description="The content of the kind `mjml`.")]


@blueprint.get("")
@guarded(Action.READ)
@query(Paging)
@answers(Many[Template])
async def index(query_args: Paging) -> object:
    """List templates, newest first."""
    return await templates.list_templates(g.caller.org, query_args.wanted)


@blueprint.post("")
@guarded(Action.TEMPLATES)
@json_body(NewTemplate)
@answers(One[Template], 201)
async def create(data: NewTemplate) -> object:
    """Create a template.

    Subject and body can contain merge tags, filled in when an email is sent: Liquid with `if`, `unless`, `for` and
    `assign`, and filters like `default`, `upcase` and `date`. `{{ "now" | date: "%Y" }}` is the time of rendering in
    the organization's time zone. Templates that do not parse, or use an unknown date or date format, are rejected with
    line and column.
    `html` and `text` are accepted as aliases for `body`; if you send several, their values must match.

    Instead of `body`, send `blocks` (headings, texts, buttons, images and more) or `mjml`: they are compiled to HTML
    when they are saved, and merge tags stay as they are. Errors name the block, like `blocks[3].url`, or the line.
    """
    return await templates.add_template(g.caller.org, data)


@blueprint.get("/<template_id>")
@guarded(Action.READ, templates.find_template)
@answers(One[Template])
async def show(template: models.Template) -> object:
    """Get a template."""
    return template


@blueprint.patch("/<template_id>")
@guarded(Action.TEMPLATES, templates.find_template)
@json_body(TemplateChanges)
@answers(One[Template])
async def change(template: models.Template, data: TemplateChanges) -> object:
    """Change a template.

    Omitted fields keep their values. Runs that are under way keep the content they started with.
    To write a template in another way, send the new `kind` with its content; `html` alone keeps the compiled body.
    """
    return await templates.change_template(g.caller.org, template, data)


@blueprint.delete("/<template_id>")
@guarded(Action.TEMPLATES, templates.find_template)
@answers(Done)
async def remove(template: models.Template) -> None:
    """Delete a template.

    Campaigns that use it are left without a template; scheduled ones are halted.
    """
    await templates.delete_template(g.caller.org, template)


class RenderedTemplate(TypedDict):
    """What an email made of a template would have."""

    subject: str
    html: str | None
    text: str
    missing: Annotated[list[str], Field(description="The required merge tags without a value; a send is refused.")]


@blueprint.post("/<template_id>/render")
@guarded(Action.READ, templates.find_template)
@json_body(NewRender)
@answers(One[RenderedTemplate])
async def render(template: models.Template, data: NewRender) -> object:
    """Render a template with variables, as a send would; sends nothing."""
    return await preview.render_template(g.caller.org, template, data.variables)


@blueprint.get("/<template_id>/versions")
@guarded(Action.READ, templates.find_template)
@query(Paging)
@answers(Many[TemplateVersionOutline])
async def list_versions(template: models.Template, query_args: Paging) -> object:
    """List the versions of a template, newest first.

    A version is what a template was before a change of its subject or content. The last 20 are stored.
    """
    return await versions.list_versions(template, query_args.wanted)


@blueprint.get("/<template_id>/versions/<version_id>")
@guarded(Action.READ, versions.find_version)
@answers(One[TemplateVersion])
async def show_version(former: Former) -> object:
    """Get a version of a template."""
    return former.version


@blueprint.post("/<template_id>/versions/<version_id>/restore")
@guarded(Action.TEMPLATES, versions.find_version)
@answers(One[Template])
async def restore(former: Former) -> object:
    """Restore a version of a template: its subject and content.

    What the template has now becomes a version, so that you can go back.
    """
    return await versions.restore(g.caller.org, former)
