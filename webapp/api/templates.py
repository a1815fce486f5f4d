"""/v1/templates."""

from quart import Blueprint, ResponseReturnValue, g
from quart_schema import document_response

from webapp.api import responses
from webapp.domain.roles import Action
from webapp.domain.templates import templates
from webapp.domain.templates.templates import NewTemplate, TemplateChanges
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import Paging, query
from webapp.models import Template

blueprint = Blueprint("templates", __name__, url_prefix="/templates")


@blueprint.get("")
@guarded(Action.READ)
@query(Paging)
@document_response(responses.Many[responses.Template])
async def index(query_args: Paging) -> ResponseReturnValue:
    """List the templates, newest first."""
    return responses.many(await templates.list_templates(g.caller.org, query_args.wanted), responses.template)


@blueprint.post("")
@guarded(Action.TEMPLATES)
@json_body(NewTemplate)
@document_response(responses.One[responses.Template], 201)
async def create(data: NewTemplate) -> ResponseReturnValue:
    """Create a template.

    Subject and body may hold merge tags, filled in when a mail is sent: Liquid with `if`, `unless`, `for` and
    `assign`, and filters like `default`, `upcase` and `date`. `{{ "now" | date: "%Y" }}` is the time of rendering in
    the organization's timezone. One that does not parse is refused with line and column, as is a pattern or a written
    date that `date` does not know.
    The body may be named `html` or `text`, as other clients do; bodies that differ are refused.
    """
    return responses.one(responses.template(await templates.add_template(g.caller.org, data))), 201


@blueprint.get("/<template_id>")
@guarded(Action.READ, templates.find_template)
@document_response(responses.One[responses.Template])
async def show(template: Template) -> ResponseReturnValue:
    """Show a template."""
    return responses.one(responses.template(template))


@blueprint.patch("/<template_id>")
@guarded(Action.TEMPLATES, templates.find_template)
@json_body(TemplateChanges)
@document_response(responses.One[responses.Template])
async def change(template: Template, data: TemplateChanges) -> ResponseReturnValue:
    """Change a template.

    What is left out stays. A campaign that is being sent goes on with the text that it started with.
    """
    return responses.one(responses.template(await templates.change_template(g.caller.org, template, data)))


@blueprint.delete("/<template_id>")
@guarded(Action.TEMPLATES, templates.find_template)
@document_response(responses.Done)
async def remove(template: Template) -> ResponseReturnValue:
    """Delete a template.

    Campaigns that use it are left without one; those that wait for their time are halted.
    """
    await templates.delete_template(g.caller.org, template)
    return {"ok": True}
