"""The API reference: an overview, a page for each noun, and a search on all of them."""

import asyncio
from typing import Any

from quart import Blueprint, ResponseReturnValue, current_app, render_template

from webapp.config import settings
from webapp.domain.inputs import Input
from webapp.domain.plans.plans import PLANS, plan_table
from webapp.errors import NotFound
from webapp.http.auth.permissions import public
from webapp.http.paging import query
from webapp.pages.api_reference.endpoints import ApiNoun, api_errors, api_nouns
from webapp.pages.api_reference.samples import LANGUAGES, VARIABLE, VERIFICATION_SAMPLES
from webapp.pages.api_reference.search import GUIDES, OVERVIEW, search_reference
from webapp.pages.shared.search import Words

blueprint = Blueprint("reference", __name__, url_prefix=OVERVIEW)
DEFAULT_LANGUAGE = "curl"


class ReferenceQuery(Input):
    q: Words = ""
    language: str = DEFAULT_LANGUAGE


@blueprint.before_app_serving
async def build_ahead() -> None:
    """Builds the nouns in a thread, so that the first reader need not wait for half a second of work."""
    current_app.add_background_task(api_nouns)


@blueprint.before_request
async def build_apart() -> None:
    """Leaves the event loop to other requests while the nouns are built."""
    if "api_nouns" not in current_app.extensions:
        await asyncio.to_thread(api_nouns)


@blueprint.get("")
@public
@query(ReferenceQuery)
async def overview(query_args: ReferenceQuery) -> ResponseReturnValue:
    plans = [plan for plan in plan_table().values() if plan.name in PLANS]  # an operator's own plans are private
    page = {"refusals": api_errors(), "base_url": settings().base_url, "variable": VARIABLE, "plans": plans}
    return await _render("reference/overview.html", query_args, None, **page)


@blueprint.get("/<noun>")
@public
@query(ReferenceQuery)
async def show(noun: str, query_args: ReferenceQuery) -> ResponseReturnValue:
    api_noun = api_nouns().get(noun)
    if api_noun is None:
        raise NotFound
    receivers = VERIFICATION_SAMPLES if noun == "webhooks" else []
    return await _render("reference/noun.html", query_args, api_noun, receivers=receivers)


async def _render(template: str, asked: ReferenceQuery, noun: ApiNoun | None, **page: Any) -> ResponseReturnValue:
    """Renders the page, or its search results."""
    if asked.q:
        template, page = "reference/search.html", {"q": asked.q, "found": search_reference(asked.q)}
    nouns = list(api_nouns().values())
    language = asked.language if asked.language in LANGUAGES else DEFAULT_LANGUAGE
    return await render_template(
        template,
        **page,
        guides=GUIDES,
        nouns=nouns,
        noun=noun,
        here=noun.path if noun else OVERVIEW,
        languages=LANGUAGES,
        language=language,
        query="" if language == DEFAULT_LANGUAGE else f"?language={language}",
    )
