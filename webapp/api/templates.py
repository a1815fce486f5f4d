"""/v1/templates."""

from quart import Blueprint, g

from webapp.api import template_responses
from webapp.api.responses import Done, Many, One, answers
from webapp.domain.roles import Action
from webapp.domain.templates import templates, versions
from webapp.domain.templates.inputs import NewTemplate, TemplateChanges
from webapp.domain.templates.versions import Former
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import Paging, query
from webapp.models import Template

blueprint = Blueprint("templates", __name__, url_prefix="/templates")


@blueprint.get("")
@guarded(Action.READ)
@query(Paging)
@answers(Many[template_responses.Template])
async def index(query_args: Paging) -> object:
    """List templates, newest first."""
    return await templates.list_templates(g.caller.org, query_args.wanted)


@blueprint.post("")
@guarded(Action.TEMPLATES)
@json_body(NewTemplate)
@answers(One[template_responses.Template], 201)
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
@answers(One[template_responses.Template])
async def show(template: Template) -> object:
    """Get a template."""
    return template


@blueprint.patch("/<template_id>")
@guarded(Action.TEMPLATES, templates.find_template)
@json_body(TemplateChanges)
@answers(One[template_responses.Template])
async def change(template: Template, data: TemplateChanges) -> object:
    """Change a template.

    Omitted fields keep their values. Runs that are under way keep the content they started with.
    To write a template in another way, send the new `kind` with its content; `html` alone keeps the compiled body.
    """
    return await templates.change_template(g.caller.org, template, data)


@blueprint.delete("/<template_id>")
@guarded(Action.TEMPLATES, templates.find_template)
@answers(Done)
async def remove(template: Template) -> None:
    """Delete a template.

    Campaigns that use it are left without a template; scheduled ones are halted.
    """
    await templates.delete_template(g.caller.org, template)


@blueprint.get("/<template_id>/versions")
@guarded(Action.READ, templates.find_template)
@query(Paging)
@answers(Many[template_responses.TemplateVersionOutline])
async def list_versions(template: Template, query_args: Paging) -> object:
    """List the versions of a template, newest first.

    A version is what a template was before a change of its subject or content. The last 20 are stored.
    """
    return await versions.list_versions(template, query_args.wanted)


@blueprint.get("/<template_id>/versions/<version_id>")
@guarded(Action.READ, versions.find_version)
@answers(One[template_responses.TemplateVersion])
async def show_version(former: Former) -> object:
    """Get a version of a template."""
    return former.version


@blueprint.post("/<template_id>/versions/<version_id>/restore")
@guarded(Action.TEMPLATES, versions.find_version)
@answers(One[template_responses.Template])
async def restore(former: Former) -> object:
    """Restore a version of a template: its subject and content.

    What the template has now becomes a version, so that you can go back.
    """
    return await versions.restore(g.caller.org, former)
