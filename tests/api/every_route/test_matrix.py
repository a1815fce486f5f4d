"""Another organization's ids: every route that takes an id, with one's own, a stranger's, a random and a malformed one.

A stranger's id answers byte for byte like a random one, and nothing changes anywhere. A field that takes an id, and a
route with an id and a body, fails the test without an entry here.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, get_args
from uuid import UUID, uuid4

import pytest
from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo
from quart import Quart
from quart_schema.validation import QUART_SCHEMA_QUERYSTRING_ATTRIBUTE, QUART_SCHEMA_REQUEST_ATTRIBUTE
from uuid_utils.compat import uuid7

from tests.api.conftest import NOT_FOUND, Api
from tests.api.mails import MAIL
from tests.factories import account_on, make_account, make_contact, make_one_of_each
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import dispatching
from webapp import clock, models
from webapp.config import Settings
from webapp.models import ApiKey, ApiRequest, ApiRequestDetails, Organization, OrgUsage
from webapp.models.base.org_model import OrgModel
from webapp.models.usage import Metric

pytestmark = pytest.mark.usefixtures("started")

LATER = datetime(2100, 1, 1, tzinfo=UTC)
BASE = "/api/v1"  # which has every route; those of /v1 are the same views
MALFORMED = ["nonsense", "019a9f6e5c1a7cc39d6e0f6f5f3b2a10", "019a9f6e-5c1a-7cc3-9d6e-0f6f5f3b2a1", "%00", "%C3%A4"]
ABSENT = (404, json.dumps(NOT_FOUND, separators=(",", ":")).encode())

ID = "<the id>"  # the place in a body that the cell is about; "$name" is the id of something of one's own
TEMPLATED = {"from": "hello@acme.example", "to": ["ada@example.org"], "template": {"id": ID}}
TO_ADA = {"emails": ["ada@example.org"]}
PERMISSIVE = {"X-Batch-Validation": "permissive"}

# The bodies of the routes with an id in their path; those that are not here take none.
PATHS: Mapping[str, Any] = {
    "PATCH /accounts/<account_id>": {"daily_mail_limit": 7},
    "POST /accounts/<account_id>/from-check": {"send_probe": False},
    "PATCH /segments/<segment_id>": {"name": "Others"},
    "POST /segments/<segment_id>/contacts": {"email": "new@example.org"},
    "PATCH /contacts/<contact_id>": {"status": "unsubscribed"},
    "PATCH /forms/<form_id>": {"name": "Other"},
    "POST /forms/<form_id>/sign-ups": {"email": "ada@example.org"},
    "PATCH /topics/<topic_id>": {"position": 2},
    "PATCH /contacts/<contact_id>/topics": {"topics": []},
    "PATCH /templates/<template_id>": {"subject": "Other"},
    "POST /templates/<template_id>/render": {"variables": {}},
    "PATCH /campaigns/<campaign_id>": {"title": "Other"},
    "POST /campaigns/<campaign_id>/send": {},
    "POST /campaigns/<campaign_id>/test": {"to": "ada@example.org"},
    "PATCH /emails/<email_id>": {"scheduled_at": (clock.now() + timedelta(days=1)).isoformat()},
    "PATCH /webhooks/<webhook_id>": {"events": ["email.sent"]},
    "POST /webhooks/<webhook_id>/replay": {"failed": True},
}
# What changes more than its row, and what the campaign of it must be.
ALONE: Mapping[str, dict[str, Any]] = {
    "POST /campaigns/<campaign_id>/send": {},
    "POST /campaigns/<campaign_id>/stop": {
        "status": "scheduled",
        "schedule_type": "scheduled_once",
        "next_run_at": LATER,
    },
    "POST /campaigns/<campaign_id>/resume": {"status": "halted"},
    "POST /campaigns/<campaign_id>/runs/<run_id>/retry": {},
    "POST /emails/<email_id>/cancel": {},
    "POST /contacts/<contact_id>/erase": {},
    "PATCH /emails/<email_id>": {},
}


@dataclass(frozen=True)
class Reference:
    """A body that names a row, with ID in its place, which is 404 when it is missing."""

    route: str
    body: Any
    malformed: int = 400
    nonsense: int | None = None  # where that word may name something

    @property
    def name(self) -> str:
        return next(place_of_id(self.body))

    def __str__(self) -> str:
        return f"{self.route} {self.name}"


# A key has no form that could be wrong: one that is none names nothing.
REFERENCES = [
    Reference("POST /segments/<segment_id>/contacts", {"contact_id": ID}),
    Reference("POST /contacts", {"email": "new@example.org", "segments": [ID]}),
    Reference("POST /contacts", {"email": "newer@example.org", "segments": ["$segment_id", ID]}),
    Reference("POST /contacts/upsert", {"email": "new@example.org", "segments": [ID]}),
    Reference("POST /contacts/batch", [{"email": "new@example.org", "segments": [ID]}], malformed=200),
    Reference("POST /contacts/batch", {"contacts": [{"email": "new@example.org", "segments": [ID]}]}, malformed=200),
    Reference("PATCH /contacts/<contact_id>", {"segments": [ID]}),
    Reference("POST /forms", {"name": "News", "segment_ids": ["$segment_id", ID]}),
    Reference("POST /forms", {"name": "News", "topic_ids": ["$topic_id", ID]}),
    Reference("POST /forms", {"name": "News", "account_id": ID}),
    Reference("PATCH /forms/<form_id>", {"segment_ids": ["$segment_id", ID]}),
    Reference("PATCH /forms/<form_id>", {"topic_ids": ["$topic_id", ID]}),
    Reference("PATCH /forms/<form_id>", {"account_id": ID}),
    Reference("PATCH /contacts/<contact_id>/topics", {"topics": [{"id": ID, "subscription": "opt_out"}]}),
    Reference("POST /campaigns", {"title": "News", "segment_id": ID}),
    Reference("POST /campaigns", {"title": "News", "segment_id": "$segment_id", "template_id": ID}, nonsense=404),
    Reference("POST /campaigns", {"title": "News", "segment_id": "$segment_id", "exclude_segment_ids": [ID]}),
    Reference("POST /campaigns", {"title": "News", "segment_id": "$segment_id", "sender_account_ids": [ID]}),
    Reference("POST /campaigns", {"title": "News", "segment_id": "$segment_id", "media_ids": [ID]}),
    Reference("POST /campaigns", {"title": "News", "segment_id": "$segment_id", "topic_id": ID}),
    Reference("PATCH /campaigns/<campaign_id>", {"topic_id": ID}),
    Reference("PATCH /campaigns/<campaign_id>", {"media_ids": ["$media_id", ID]}),
    Reference("PATCH /campaigns/<campaign_id>", {"sender_account_ids": ["$account_id", ID]}),
    Reference("PATCH /campaigns/<campaign_id>", {"segment_id": ID}),
    Reference("PATCH /campaigns/<campaign_id>", {"exclude_segment_ids": ["$segment_id", ID]}),
    Reference("PATCH /campaigns/<campaign_id>", {"template_id": ID}, nonsense=404),
    Reference("POST /campaigns/<campaign_id>/send", {"sender_account_ids": [ID]}),
    Reference("POST /campaigns/<campaign_id>/send", {"sender_account_ids": ["$account_id", ID]}),
    Reference("POST /campaigns/<campaign_id>/send", {"senderAccountIds": [ID]}),
    Reference("POST /campaigns/<campaign_id>/test", {"to": "ada@example.org", "account_id": ID}),
    Reference("POST /emails", MAIL | {"account_key": ID}, malformed=404),
    Reference("POST /emails", TEMPLATED, nonsense=404),
    Reference("POST /emails/batch", [MAIL, MAIL | {"account_key": ID}], malformed=404),
    Reference("POST /emails", MAIL | {"topic_id": ID}),
    Reference("POST /emails/batch", [MAIL, MAIL | {"topic_id": ID}]),
    Reference("POST /emails/batch", {"emails": [MAIL | {"topic_id": ID}]}),
    Reference("POST /emails/batch", [MAIL, TEMPLATED], nonsense=404),
    Reference("POST /emails/batch", {"emails": [MAIL | {"account_key": ID}]}, malformed=404),
    Reference("POST /emails/batch", {"emails": [TEMPLATED]}, nonsense=404),
    Reference("POST /compose", {"account_key": ID, "subject": "x", "body": "x", "recipients": TO_ADA}, malformed=404),
    Reference("POST /compose", {"account_key": "$account_key", "template_id": ID, "recipients": TO_ADA}, nonsense=404),
    Reference(
        "POST /compose",
        {
            "account_key": "$account_key",
            "template_id": "$template_id",
            "recipients": {"type": "contacts", "contact_ids": ["$contact_id", ID]},
        },
    ),
]
# Queries that name a row: what a missing one answers.
QUERIES = {
    ("GET /contacts", "segment_id"): 404,
    ("GET /emails", "after"): 400,
    ("GET /emails", "before"): 400,
    ("GET /suppressions", "after"): 400,
    ("GET /suppressions", "before"): 400,
    ("GET /media", "after"): 400,
    ("GET /media", "before"): 400,
    ("GET /campaigns/<campaign_id>/report", "run_id"): 404,
    ("GET /mail-logs", "campaign_id"): 200,
    ("GET /mail-logs", "account_id"): 200,
    ("GET /mail-logs", "campaign_run_id"): 200,
    **{("GET /events", name): 200 for name in ("after", "before", "email_id", "contact_id", "campaign_id")},
    ("GET /webhooks/<webhook_id>/events", "after"): 200,
    ("GET /webhooks/<webhook_id>/events", "before"): 200,
    ("GET /webhooks/<webhook_id>/attempts", "after"): 200,
    ("GET /webhooks/<webhook_id>/attempts", "before"): 200,
    ("GET /webhooks/<webhook_id>/attempts", "event_id"): 200,
}
# After what they name, not by it; for one route, or for all others.
NAMED: Mapping[Any, str] = {
    **dict.fromkeys([("GET /suppressions", "after"), ("GET /suppressions", "before")], "suppression_id"),
    **dict.fromkeys([("GET /media", "after"), ("GET /media", "before")], "media_id"),
    "after": "email_id",
    "before": "email_id",
    "campaign_run_id": "run_id",
}
NOT_ROWS = {"content_id", "inline_content_id", "oauth_client_id"}  # names inside a mail, and at a provider


def place_of_id(body: Any, place: str = "") -> Iterator[str]:
    """Where ID stands in a body, like `recipients.contact_ids`."""
    if isinstance(body, dict):
        for name, value in body.items():
            yield from place_of_id(value, f"{place}.{name}".removeprefix("."))
    elif isinstance(body, list):
        for item in body:
            yield from place_of_id(item, place)
    elif body == ID:
        yield place


def filled(body: Any, row_id: str, own: Mapping[str, str]) -> Any:
    """The body with the id in its place, and ids of one's own in the others."""
    if isinstance(body, dict):
        return {name: filled(value, row_id, own) for name, value in body.items()}
    if isinstance(body, list):
        return [filled(item, row_id, own) for item in body]
    if isinstance(body, str) and body.startswith("$"):
        return own[body[1:]]
    return row_id if body == ID else body


# Completeness: what the app and its input models have, against the tables above.


def routes_with_ids(app: Quart, base: str = BASE) -> dict[str, Any]:
    """Every route with an id in its path, and its view."""
    return {
        f"{method} {bare(rule.rule).removeprefix(base)}": app.view_functions[rule.endpoint]
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD"}
        if rule.rule.startswith(f"{base}/") and "<" in rule.rule
    }


def test_every_route_with_an_id_in_its_path_is_the_same_at_both_addresses(app: Quart) -> None:
    assert routes_with_ids(app) == routes_with_ids(app, "/v1")
    assert routes_with_ids(app).keys() >= PATHS.keys() | ALONE.keys()


def test_every_field_of_a_body_or_a_query_that_names_a_row_has_an_entry(app: Quart) -> None:
    bodies, queries = set(), set()
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/v1/"):
            view = app.view_functions[rule.endpoint]
            for method in (rule.methods or set()) - {"HEAD"}:
                route = f"{method} {bare(rule.rule).removeprefix('/api/v1')}"
                body, _ = getattr(view, QUART_SCHEMA_REQUEST_ATTRIBUTE, (None, None))
                bodies |= {(route, name) for name in references_in(body)}
                queries |= {
                    (route, name) for name in references_in(getattr(view, QUART_SCHEMA_QUERYSTRING_ATTRIBUTE, None))
                }
    assert bodies == {(reference.route, reference.name) for reference in REFERENCES}
    assert queries == set(QUERIES)


def bare(path: str) -> str:
    """The path without what it says of its ids."""
    return re.sub(r"<[^>:]*:", "<", path)


def references_in(model: type[BaseModel] | None, place: str = "") -> Iterator[str]:
    """The fields of a model, and of the models inside it, that hold an id or are called so."""
    for name, about in model.model_fields.items() if model else ():
        kinds = set(types_in(about.annotation))
        for called in names_of(name, about):
            here = f"{place}.{called}".strip(".") if name != "root" else place
            is_called_so = re.search(r"(_ids?|Ids?|account_key)$", called) and called not in NOT_ROWS
            if UUID in kinds or is_called_so:
                yield here
            for inner in kinds:
                if isinstance(inner, type) and issubclass(inner, BaseModel):
                    yield from references_in(inner, here)


def names_of(name: str, about: FieldInfo) -> list[str]:
    """What callers may call a field."""
    if isinstance(about.validation_alias, AliasChoices):
        return [str(choice) for choice in about.validation_alias.choices]
    return [about.alias or name]


def types_in(annotation: Any) -> Iterator[Any]:
    """The types that an annotation is made of."""
    yield annotation
    for part in get_args(annotation):
        yield from types_in(part)


# The cells.


WRITTEN = (ApiKey, ApiRequest, ApiRequestDetails)  # by each request


async def everything_of(*orgs: Organization) -> str:
    """Every row of the organizations, but for what each request writes."""
    ids = [org.id for org in orgs]
    tables = [table for name in models.__all__ if issubclass(table := getattr(models, name), OrgModel)]
    found = {table: table.filter(org_id__in=ids) for table in tables if table not in WRITTEN}
    found[OrgUsage] = found[OrgUsage].exclude(metric=Metric.API_REQUESTS)
    return repr([await rows.order_by("id").values() for rows in found.values()])


async def seen(api: Api, route: str, **kwargs: Any) -> tuple[int, bytes, dict[str, str]]:
    """What the caller can tell one answer from another by."""
    method, path = route.split()
    response = await api.send(method, BASE + path, **kwargs)
    headers = {name.lower(): value for name, value in response.headers.items()}
    kept = {name: headers[name] for name in headers.keys() - CHANGING}
    return response.status_code, await response.get_data(), kept


CHANGING = {"x-request-id", "link", "ratelimit-remaining", "ratelimit-reset"}  # the path itself stands in the link


def in_path(route: str, ids: Mapping[str, str]) -> str:
    """The route with ids in its path."""
    return re.sub(r"<(\w+)>", lambda found: ids[found[1]], route)


def json_of(body: Any) -> dict[str, Any]:
    return {} if body is None else {"json": body}


@pytest.fixture
async def own(acme: Organization, smtp_server: SmtpServer) -> dict[str, str]:
    return await make_one_of_each(acme, await account_on(smtp_server, acme))


@pytest.fixture
async def strangers(rival: Organization, smtp_server: SmtpServer) -> dict[str, str]:
    return await make_one_of_each(rival, await account_on(smtp_server, rival))


async def test_a_path_with_a_strangers_id_answers_like_one_with_a_random_id(
    app: Quart, api: Api, acme: Organization, rival: Organization, own: dict[str, str], strangers: dict[str, str]
) -> None:
    before = await everything_of(acme, rival)
    for route in routes_with_ids(app):
        body = PATHS.get(route)
        for name in re.findall(r"<(\w+)>", route):
            missing = await seen(api, in_path(route, own | {name: str(uuid4())}), **json_of(body))
            assert missing[:2] == ABSENT, route
            for other in ({name: strangers[name]}, strangers, *({name: text} for text in MALFORMED)):
                answer = await seen(api, in_path(route, own | other), **json_of(body))
                assert answer == missing, (route, other)
    assert await everything_of(acme, rival) == before


async def test_a_path_with_ones_own_id_finds_its_row(
    app: Quart, api: Api, acme: Organization, own: dict[str, str]
) -> None:
    for route in routes_with_ids(app):
        body, ids = PATHS.get(route), own
        if route.startswith("DELETE") or route in ALONE:
            ids = await make_one_of_each(acme, await make_account(acme), **ALONE.get(route, {}))
        method, path = in_path(route, ids).split()
        status, answer = await api.answer(method, BASE + path, **json_of(body))
        assert status in (200, 202), (route, answer)


async def test_a_body_that_names_a_strangers_row_is_answered_like_one_that_names_none(
    api: Api, acme: Organization, rival: Organization, own: dict[str, str], strangers: dict[str, str]
) -> None:
    before = await everything_of(acme, rival)
    for reference in REFERENCES:
        theirs = strangers[noun_of(reference.name)]
        answers = []
        for row_id in (missing_like(theirs), theirs, "nonsense", "", "%00"):
            body = filled(reference.body, row_id, own)
            answers.append(await seen(api, in_path(reference.route, own), json=body))
        missing, stranger, *malformed = answers
        status, text, _ = missing
        told = json.loads(text)
        assert (status, set(told), told["error"]) == (404, {"error", "message"}, "Not found"), str(reference)
        field = {"senderAccountIds": "sender_account_ids"}.get(reference.name, reference.name)
        assert field.rpartition(".")[2] in told["message"].split()[0], told["message"]
        assert stranger == missing, str(reference)
        expected = [reference.nonsense or reference.malformed, *[reference.malformed] * 2]
        assert [answer[0] for answer in malformed] == expected, str(reference)
    assert await everything_of(acme, rival) == before


async def test_a_body_that_names_ones_own_row_is_taken(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    async with dispatching(settings):  # which a compose needs
        for reference in REFERENCES:
            own = await make_one_of_each(acme, account)
            if reference.name == "contact_id":
                own["contact_id"] = str((await make_contact(acme)).id)
            method, path = in_path(reference.route, own).split()
            body = filled(reference.body, own[noun_of(reference.name)], own)
            status, answer = await api.answer(method, BASE + path, json=body)
            assert status in (200, 201), (str(reference), answer)


async def test_a_permissive_batch_tells_a_strangers_row_like_a_random_one(
    api: Api, acme: Organization, rival: Organization, own: dict[str, str], strangers: dict[str, str]
) -> None:
    before = await everything_of(acme, rival)
    for mail, name in ((MAIL | {"account_key": ID}, "account_key"), (TEMPLATED, "template_id")):
        answers = [
            await seen(api, "POST /emails/batch", json=[filled(mail, row_id, own)], headers=PERMISSIVE)
            for row_id in (strangers[name], missing_like(strangers[name]))
        ]
        assert answers[0] == answers[1]
        assert answers[0][0] == 200
        assert answers[0][1].startswith(b'{"data":[],"errors":[{"index":0,')
    assert await everything_of(acme, rival) == before


async def test_a_query_that_names_a_strangers_row_is_answered_like_one_that_names_none(
    api: Api, acme: Organization, rival: Organization, own: dict[str, str], strangers: dict[str, str]
) -> None:
    before = await everything_of(acme, rival)
    for (route, parameter), status in QUERIES.items():
        name = NAMED.get((route, parameter), NAMED.get(parameter, parameter))
        asked = in_path(route, own)
        missing = await seen(api, f"{asked}?{parameter}={uuid7()}")  # in the order of time, as theirs is
        assert missing[0] == status
        assert await seen(api, f"{asked}?{parameter}={strangers[name]}") == missing
        for text in ("nonsense", "", "%00"):
            assert (await seen(api, f"{asked}?{parameter}={text}"))[0] == 400
        found, body = await api.get(f"{BASE}{asked.split()[1]}?{parameter}={own[name]}")
        assert found == 200
        assert body["data"] or parameter in ("after", "before")
    assert await everything_of(acme, rival) == before


def noun_of(name: str) -> str:
    """What a field names, as paths call it."""
    last = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name.rpartition(".")[2]).lower()
    named = {
        "topics.id": "topic_id",
        "sender_account_ids": "account_id",
        "contact_ids": "contact_id",
        "segments": "segment_id",
        "exclude_segment_ids": "segment_id",
        "segment_ids": "segment_id",
        "topic_ids": "topic_id",
        "media_ids": "media_id",
        "id": "template_id",
    }
    return named.get(name) or named.get(last, last)


def missing_like(known: str) -> str:
    """A random id, or a random key where that is what is known."""
    return f"acc_{uuid4().hex[:24]}" if known.startswith("acc_") else str(uuid4())
