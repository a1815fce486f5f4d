"""/resend/templates. A template is published from the moment that it is made."""

from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from quart import Blueprint, g

from webapp import models
from webapp.domain.inputs import Input, read_input
from webapp.domain.pagination import newest_page
from webapp.domain.roles import Action
from webapp.domain.templates import templates
from webapp.domain.templates.inputs import NewTemplate, TemplateChanges
from webapp.http.auth.permissions import guarded
from webapp.http.paging import query
from webapp.models.template import TemplateKind
from webapp.resend.shapes import Body, ListQuery, body, created, deleted, named, page_of, time
from webapp.resend.tags import to_merge_tags

blueprint = Blueprint("templates", __name__, url_prefix="/templates")

MOST_VARIABLES = 1_000
FALLBACK_LENGTH = 500  # characters, because each of its tags becomes as long


def _check_fallback(value: Any) -> Any:
    if len(str(value)) > FALLBACK_LENGTH:
        raise ValueError(f"must be at most {FALLBACK_LENGTH} characters")
    return value


class Variable(Input):
    key: str
    type: str
    fallback_value: Annotated[Any, AfterValidator(_check_fallback)] = None


class Variables(Input):
    variables: Annotated[list[Variable], Field(max_length=MOST_VARIABLES)] | None = None


def read_template(value: Any, model: type[NewTemplate] | type[TemplateChanges] = NewTemplate) -> Any:
    """Raises ValidationError."""
    declared = read_input(Variables, value, strict=True, is_lenient=True).variables or ()
    fallbacks = {variable.key: variable.fallback_value for variable in declared}
    return read_input(model, content_of(value, fallbacks), strict=True, is_lenient=True)


def content_of(value: Any, fallbacks: dict[str, Any] | None = None) -> Body:
    """The fields in our names and with merge tags. An email made of html gets its text from it."""
    values = {name: value[name] for name in ("name", "alias", "subject", "html", "text") if value.get(name) is not None}
    for name in {"subject", "html", "text"} & values.keys():
        if isinstance(values[name], str):
            values[name] = to_merge_tags(values[name], fallbacks)
    if values.get("html"):
        values.pop("text", None)
    if {"html", "text"} & values.keys():
        values["kind"] = "html" if values.get("html") else "text"
    return values


@blueprint.get("")
@guarded(Action.READ)
@query(ListQuery)
async def index(query_args: ListQuery) -> Body:
    return page_of(await newest_page(models.Template, g.caller.org, query_args.cursor, "a template"), _outline)


@blueprint.post("")
@guarded(Action.TEMPLATES)
@body(NewTemplate, read=read_template)
async def create(data: NewTemplate) -> tuple[Body, int]:
    template = await templates.add_template(g.caller.org, data)
    return created("template", template.id)


@blueprint.get("/<template_id>")
@guarded(Action.READ, templates.find_template)
async def show(template: models.Template) -> Body:
    return _whole(template)


@blueprint.patch("/<template_id>")
@guarded(Action.TEMPLATES, templates.find_template)
@body(TemplateChanges, read=partial(read_template, model=TemplateChanges))
async def change(template: models.Template, data: TemplateChanges) -> Body:
    await templates.change_template(g.caller.org, template, data)
    return named("template", template.id)


@blueprint.post("/<template_id>/publish")
@guarded(Action.TEMPLATES, templates.find_template)
async def publish(template: models.Template) -> Body:
    return named("template", template.id)


@blueprint.post("/<template_id>/duplicate")
@guarded(Action.TEMPLATES, templates.find_template)
async def duplicate(template: models.Template) -> Body:
    copied = await templates.duplicate_template(g.caller.org, template)
    return named("template", copied.id)


@blueprint.delete("/<template_id>")
@guarded(Action.TEMPLATES, templates.find_template)
async def remove(template: models.Template) -> Body:
    await templates.delete_template(g.caller.org, template)
    return deleted("template", template.id)


def _outline(template: models.Template) -> Body:
    return {
        "id": template.id,
        "name": template.name,
        "alias": template.alias,
        "status": "published",
        "published_at": time(template.updated_at),
        "created_at": time(template.created_at),
        "updated_at": time(template.updated_at),
    }


def _whole(template: models.Template) -> Body:
    made = {"created_at": time(template.created_at), "updated_at": time(template.updated_at)}
    return {
        "object": "template",
        **_outline(template),
        "current_version_id": template.id,
        "has_unpublished_versions": False,
        "from": None,
        "reply_to": None,
        "subject": template.subject,
        **bodies_of(template),
        "variables": [
            {"id": name, "key": name, "type": "string", "fallback_value": None, **made} for name in template.variables
        ],
    }


def bodies_of(template: models.Template | None) -> Body:
    """Both are null without a template."""
    if template is None:
        return {"html": None, "text": None}
    kind = "text" if template.kind == TemplateKind.TEXT else "html"
    return {"html": None, "text": None, kind: template.body}
