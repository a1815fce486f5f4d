"""The search over everything: a page, and its dialog where there is JavaScript."""

import asyncio
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

from quart import Blueprint, ResponseReturnValue, g, render_template

from webapp.domain.emails.emails import EmailView
from webapp.domain.inputs import Input
from webapp.domain.roles import Action
from webapp.domain.search.search import SHOWN, Matches, search_everything
from webapp.http.auth.permissions import guarded
from webapp.http.paging import query
from webapp.languages.spelling import plain_form
from webapp.pages import help as help_pages
from webapp.pages.shared.filters import status_word
from webapp.pages.shared.navigation import find_pages
from webapp.pages.shared.search import Words

LEAST_FOR_HELP = 3  # characters

blueprint = Blueprint("search", __name__, url_prefix="/search")


class SearchQuery(Input):
    q: Words = ""


class Result(NamedTuple):
    href: str
    title: str
    detail: str = ""


class ResultGroup(NamedTuple):
    label: str
    icon: str
    results: list[Result]
    more: str = ""  # the URL of the list with the same search


@blueprint.get("")
@guarded(Action.READ)
@query(SearchQuery)
async def show(query_args: SearchQuery) -> ResponseReturnValue:
    return await render_template("search/show.html", **await _context(query_args.q))


@blueprint.get("/results")
@guarded(Action.READ)
@query(SearchQuery)
async def show_results(query_args: SearchQuery) -> ResponseReturnValue:
    return await render_template("search/_results.html", **await _context(query_args.q))


async def _context(q: str) -> dict[str, Any]:
    groups: list[ResultGroup] = []
    if q:
        groups = _exact_first(q, _groups(q, await search_everything(g.caller.org, q, g.caller.role)))
        about = [Result(section.href, section.heading, document.title) for document, section in await _help(q, groups)]
        groups += [ResultGroup("Help", "help", about)] if about else []
    return {"q": q, "groups": groups, "contacts_path": f"/contacts?{urlencode({'q': q})}"}


async def _help(q: str, others: list[ResultGroup]) -> list[tuple[help_pages.Document, help_pages.Section]]:
    """Sections of the help; those about the code only if nothing else is found."""
    if len(q) < LEAST_FOR_HELP:
        return []
    found = await asyncio.to_thread(help_pages.find_sections, q)
    if not found and not others:
        found = await asyncio.to_thread(help_pages.find_sections, q, about_the_code=True)
    return found[:SHOWN]


def _groups(q: str, matches: Matches) -> Iterator[ResultGroup]:
    pages = [Result(item.href, item.label) for item in find_pages(g.caller.role, q)]
    yield ResultGroup("Pages", "next", pages[:SHOWN])
    contacts = [Result(f"/contacts/{row.id}", row.full_name or row.email, row.email) for row in matches.contacts]
    yield ResultGroup("Contacts", "contacts", contacts)
    campaigns = [Result(f"/campaigns/{row.id}", row.title, status_word(row.status)) for row in matches.campaigns]
    yield ResultGroup("Campaigns", "campaigns", campaigns, _more("/campaigns", campaigns, q=q))
    templates = [Result(f"/templates/{row.id}", row.name, row.subject) for row in matches.templates]
    yield ResultGroup("Templates", "templates", templates, _more("/templates", templates, q=q))
    segments = [Result(f"/segments/{row.id}", row.name) for row in matches.segments]
    yield ResultGroup("Segments", "segments", segments, _more("/segments", segments, q=q))
    forms = [Result(f"/forms/{row.id}", row.name) for row in matches.forms]
    yield ResultGroup("Forms", "forms", forms)
    may_edit = g.caller.role.may(Action.TOPICS)
    topics = [Result(f"/topics/{row.id}" if may_edit else "/topics", row.name) for row in matches.topics]
    yield ResultGroup("Topics", "topics", topics)
    accounts = [Result(f"/accounts/{row.id}", row.name, row.from_email or "") for row in matches.accounts]
    yield ResultGroup("Accounts", "accounts", accounts)
    webhooks = [Result(f"/webhooks/{row.id}", row.url) for row in matches.webhooks]
    yield ResultGroup("Webhooks", "webhooks", webhooks)
    emails = [
        Result(f"/emails/{row.email.id}", row.subject or "(no subject)", _recipient(row)) for row in matches.emails
    ]
    yield ResultGroup("Transactional", "emails", emails, _more("/emails", emails, to=q))


def _exact_first(q: str, groups: Iterable[ResultGroup]) -> list[ResultGroup]:
    """What is called exactly that comes before what merely has the words; without empty groups."""

    def is_other(result: Result) -> bool:
        return plain_form(result.title) != plain_form(q)

    ordered = [group._replace(results=sorted(group.results, key=is_other)) for group in groups if group.results]
    return sorted(ordered, key=lambda group: is_other(group.results[0]))


def _recipient(email: EmailView) -> str:
    return email.recipients[0].to_email if email.recipients else ""


def _more(path: str, results: list[Result], **filters: str) -> str:
    return f"{path}?{urlencode(filters)}" if len(results) == SHOWN else ""
