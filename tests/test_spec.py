"""Every row of the specification's endpoint tables, and what the contract adds: in the app and in the OpenAPI document."""

import asyncio
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from quart import Quart

from tests.conftest import SECRET_KEY
from webapp import config
from webapp.app import create_app
from webapp.config import read_settings
from webapp.http.openapi.document import document

TESTS = Path(__file__).parent
DECISIONS = re.findall(r"^\| (?!decision).*", (TESTS / "contract.md").read_text(), re.MULTILINE)
ATTACKS = re.findall(r"^\| (S\d+) [^|]*\| ([^|]*) \|", (TESTS / "attacks.md").read_text(), re.MULTILINE)
NAMED = re.compile(r"(?:(?P<file>[\w/]+\.py)::|::)?(?P<test>\btest_\w+)(?!\w*\.py)")
LATER = "*Later*"

# The bodies of the conventions: the fields of an answer.
ONE = {"data"}
MANY = {"data", "meta"}
PART = {"data", "has_more"}
DONE = {"ok"}
ID = {"id"}
SENT = {"ok", "campaign_id", "contacts_messaged", "already_messaged"}

KEYED = {400, 401, 403, 429, 500, 503}  # of every request with a key
BODIED = {408, 413, 415}  # of every request with a body


@dataclass(frozen=True)
class Row:
    """A row of an endpoint table: what it answers with, and the refusals beside those of every request."""

    method: str
    path: str
    status: int
    answer: set[str]
    refusals: set[int] = field(default_factory=set)
    again: int | None = None  # what it answers with when all is there already

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def has_body(self) -> bool:
        return self.method == "PATCH" or (self.method == "POST" and not self.path.endswith(BODILESS))


BODILESS = (
    "/restore", "/cancel", "/stop", "/resume", "/retry", "/signing-secret/rotate", "/{webhook_id}/test", "/{event_id}/replay",
    "/erase",
)  # fmt: skip

SPECIFICATION = [
    # Discovery
    Row("GET", "/v1", 200, ONE),
    # Accounts
    Row("GET", "/v1/accounts", 200, MANY),
    Row("POST", "/v1/accounts", 201, ONE),
    Row("GET", "/v1/accounts/{id}", 200, ONE, {404}),
    Row("PATCH", "/v1/accounts/{id}", 200, ONE, {404, 409}),
    Row("DELETE", "/v1/accounts/{id}", 200, DONE, {404, 409}),
    # Segments
    Row("GET", "/v1/segments", 200, MANY),
    Row("POST", "/v1/segments", 201, ONE, {404}),
    Row("GET", "/v1/segments/{id}", 200, ONE, {404}),
    Row("PATCH", "/v1/segments/{id}", 200, ONE, {404}),
    Row("DELETE", "/v1/segments/{id}", 200, DONE, {404, 409}),
    # Segment contacts
    Row("GET", "/v1/segments/{id}/contacts", 200, MANY, {404}),
    Row("POST", "/v1/segments/{id}/contacts", 200, ONE, {404, 409}),
    Row("DELETE", "/v1/segments/{id}/contacts/{contactId}", 200, DONE, {404, 409}),
    # Contacts
    Row("GET", "/v1/contacts", 200, MANY, {404}),
    Row("POST", "/v1/contacts", 201, ONE, {404, 409}),
    Row("GET", "/v1/contacts/{id}", 200, ONE, {404}),
    Row("PATCH", "/v1/contacts/{id}", 200, ONE, {404, 409}),
    Row("DELETE", "/v1/contacts/{id}", 200, DONE, {404}),
    # Templates
    Row("GET", "/v1/templates", 200, MANY),
    Row("POST", "/v1/templates", 201, ONE),
    Row("GET", "/v1/templates/{id}", 200, ONE, {404}),
    Row("PATCH", "/v1/templates/{id}", 200, ONE, {404}),
    Row("DELETE", "/v1/templates/{id}", 200, DONE, {404}),
    # Campaigns
    Row("GET", "/v1/campaigns", 200, MANY),
    Row("POST", "/v1/campaigns", 201, ONE, {404}),
    Row("GET", "/v1/campaigns/{id}", 200, ONE, {404}),
    Row("PATCH", "/v1/campaigns/{id}", 200, ONE, {404}),
    Row("DELETE", "/v1/campaigns/{id}", 200, DONE, {404}),
    Row("GET", "/v1/campaigns/{id}/runs", 200, MANY, {404}),
    Row("POST", "/v1/campaigns/{id}/send", 200, SENT, {404, 409}),
    # Transactional emails
    Row("GET", "/v1/emails", 200, PART | {"searched_until"}),
    Row("GET", "/v1/emails/{id}", 200, ONE, {404}),
    Row("POST", "/v1/emails", 200, ID | {"scheduled_at"}, {404, 409}),
    Row("POST", "/v1/emails/batch", 200, {"data", "errors"}, {404, 409}),
    # Mail logs
    Row("GET", "/v1/mail-logs", 200, MANY),
]
CONTRACT = [
    Row("POST", "/v1/campaigns/{id}/stop", 200, ONE, {404, 409}),
    Row("POST", "/v1/campaigns/{id}/resume", 200, ONE, {404, 409}),
    Row("POST", "/v1/campaigns/{id}/test", 200, ID, {404}),
    Row("GET", "/v1/campaigns/{id}/runs/{run_id}", 200, ONE, {404}),
    Row("POST", "/v1/campaigns/{id}/runs/{run_id}/retry", 200, ONE, {404, 409}),
    Row("POST", "/v1/emails/{id}/cancel", 200, ONE, {404, 409}),
    Row("PATCH", "/v1/emails/{id}", 200, ONE, {404, 409}),
    Row("GET", "/v1/emails/{id}/attachments", 200, {"data"}, {404}),
    Row("GET", "/v1/emails/{id}/attachments/{index}", 200, set(), {404}),
    Row("POST", "/v1/contacts/upsert", 201, ONE, {404, 409}, again=200),
    Row("POST", "/v1/contacts/batch", 200, {"data"}, {404, 409}),
    Row("GET", "/v1/mail-logs/{id}", 200, ONE, {404}),
    Row("GET", "/v1/metrics", 200, PART),
    Row("GET", "/v1/usage", 200, ONE),
    Row("GET", "/v1/suppressions", 200, PART),
    Row("POST", "/v1/suppressions", 201, ONE, again=200),
    Row("POST", "/v1/suppressions/batch", 200, ONE),
    Row("GET", "/v1/suppressions/{id}", 200, ONE, {404}),
    Row("DELETE", "/v1/suppressions/{id}", 200, DONE, {404}),
]
# Beside both: events and webhooks, which the specification calls planned, and pictures.
ADDED = [
    Row("GET", "/v1/accounts/{id}/from-check", 200, ONE, {404}),
    Row("POST", "/v1/accounts/{id}/from-check", 200, ONE, {404, 409}),
    Row("GET", "/v1/templates/{template_id}/versions", 200, MANY, {404}),
    Row("GET", "/v1/templates/{template_id}/versions/{version_id}", 200, ONE, {404}),
    Row("POST", "/v1/templates/{template_id}/versions/{version_id}/restore", 200, ONE, {404}),
    Row("POST", "/v1/templates/{template_id}/render", 200, ONE, {404}),
    Row("GET", "/v1/forms", 200, MANY),
    Row("POST", "/v1/forms", 201, ONE, {404, 409}),
    Row("GET", "/v1/forms/{form_id}", 200, ONE, {404}),
    Row("PATCH", "/v1/forms/{form_id}", 200, ONE, {404, 409}),
    Row("DELETE", "/v1/forms/{form_id}", 200, DONE, {404}),
    Row("POST", "/v1/forms/{form_id}/sign-ups", 202, DONE, {404, 409}),
    Row("GET", "/v1/brand", 200, ONE),
    Row("PATCH", "/v1/brand", 200, ONE),
    Row("GET", "/v1/events", 200, PART | {"cursor"}),
    Row("GET", "/v1/campaigns/{id}/runs/{run_id}/engagement", 200, ONE, {404}),
    Row("GET", "/v1/campaigns/{id}/report", 200, ONE, {404}),
    Row("GET", "/v1/events/{event_id}", 200, ONE, {404}),
    Row("GET", "/v1/topics", 200, MANY),
    Row("POST", "/v1/topics", 201, ONE, {409}),
    Row("GET", "/v1/topics/{topic_id}", 200, ONE, {404}),
    Row("PATCH", "/v1/topics/{topic_id}", 200, ONE, {404}),
    Row("DELETE", "/v1/topics/{topic_id}", 200, DONE, {404}),
    Row("GET", "/v1/contacts/{id}/topics", 200, {"data"}, {404}),
    Row("PATCH", "/v1/contacts/{id}/topics", 200, {"data"}, {404}),
    Row("GET", "/v1/media", 200, PART),
    Row("POST", "/v1/media", 201, ONE, again=200),
    Row("GET", "/v1/media/{media_id}", 200, ONE, {404}),
    Row("DELETE", "/v1/media/{media_id}", 200, DONE, {404, 409}),
    Row("GET", "/v1/sandbox/messages", 200, MANY),
    Row("DELETE", "/v1/sandbox/messages", 200, DONE),
    Row("GET", "/v1/sandbox/messages/{id}", 200, ONE, {404}),
    Row("GET", "/v1/sandbox/messages/{id}/raw", 200, ONE, {404}),
    Row("DELETE", "/v1/sandbox/messages/{id}", 200, DONE, {404}),
    Row("GET", "/v1/contacts/{id}/consents", 200, MANY, {404}),
    Row("GET", "/v1/contacts/{id}/export", 200, ONE, {404}),
    Row("POST", "/v1/contacts/{id}/erase", 200, DONE, {404}),
    Row("GET", "/v1/webhooks", 200, MANY),
    Row("POST", "/v1/webhooks", 201, ONE),
    Row("GET", "/v1/webhooks/{webhook_id}", 200, ONE, {404}),
    Row("PATCH", "/v1/webhooks/{webhook_id}", 200, ONE, {404}),
    Row("DELETE", "/v1/webhooks/{webhook_id}", 200, DONE, {404}),
    Row("POST", "/v1/webhooks/{webhook_id}/signing-secret/rotate", 200, ONE, {404}),
    Row("POST", "/v1/webhooks/{webhook_id}/test", 200, ONE, {404, 409}),
    Row("GET", "/v1/webhooks/{webhook_id}/events", 200, PART, {404}),
    Row("GET", "/v1/webhooks/{webhook_id}/attempts", 200, PART, {404}),
    Row("POST", "/v1/webhooks/{webhook_id}/events/{event_id}/replay", 200, ONE, {404, 409}),
    Row("POST", "/v1/webhooks/{webhook_id}/replay", 200, ONE, {404, 409}),
]
ROWS = SPECIFICATION + CONTRACT + ADDED
# Whose bodies may have no unknown fields: the others name them as `warnings`.
STRICT = {("POST", f"/v1/{path}") for path in ("emails", "emails/batch", "campaigns/{id}/send", "media")}
# What is not documented to clients: the discovery at the root, and compose, on the older address alone.
ROOT = ("GET", "/")
COMPOSE = ("POST", "/api/v1/compose")

Key = tuple[str, str]


@dataclass(frozen=True)
class Served:
    """What the app answers, and what its document tells: by method and path, whose ids have no names here."""

    routes: frozenset[Key]
    operations: dict[Key, dict[str, Any]]
    components: dict[str, Any]

    def fields_of(self, response: dict[str, Any]) -> set[str]:
        """The fields of a response's body; a file has none."""
        if "*/*" in response["content"]:
            return set()
        name = response["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        return set(self.components["schemas"][name]["properties"])


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    """One app for all rows, without a database."""
    folder = str(tmp_path_factory.mktemp("spec"))
    settings = read_settings({"PENNYPOST_DATA_DIR": folder, "PENNYPOST_SECRET_KEYS": SECRET_KEY})
    config.configure(settings)
    app = create_app(settings)
    described = asyncio.run(described_by(app))
    operations = {
        (method.upper(), bare(path)): operation
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }
    routes = {
        (method, bare(rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.rule == "/" or re.match(r"(/api)?/v1(/|$)", rule.rule)
        for method in (rule.methods or set()) - {"HEAD"}
    }
    return Served(frozenset(routes), operations, described["components"])


async def described_by(app: Quart) -> dict[str, Any]:
    async with app.app_context():
        return document()


def bare(path: str) -> str:
    """The path with its ids unnamed: the specification calls most of them `id`."""
    return re.sub(r"\{\w+\}|<[^>]+>", "{}", path)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_documented_endpoint_is_there(served: Served, row: Row) -> None:
    assert {(row.method, bare(row.path)), (row.method, "/api" + bare(row.path))} <= served.routes
    operation = served.operations[row.method, bare(row.path)]
    done = [status for status in operation["responses"] if status < "400"]
    assert set(done) == {str(status) for status in (row.status, row.again) if status is not None}
    told = {"warnings"} if row.has_body and (row.method, row.path) not in STRICT else set()
    for status in done:
        assert served.fields_of(operation["responses"][status]) == row.answer | told
    found = {int(status) for status in operation["responses"] if status >= "400"}
    asked = {500} if row.path == "/v1" else KEYED | row.refusals | (BODIED if row.has_body else set())
    assert found == asked
    assert ("requestBody" in operation) == row.has_body


def test_no_endpoint_is_there_that_nobody_documented(served: Served) -> None:
    rows = {(row.method, bare(row.path)) for row in ROWS}
    assert len(rows) == len(ROWS)
    assert set(served.operations) == rows
    assert served.routes == rows | {(method, "/api" + path) for method, path in rows} | {ROOT, COMPOSE}


def named_tests(cell: str) -> Iterator[tuple[str, str]]:
    """The files and tests that a cell of a table names."""
    file = ""
    for found in NAMED.finditer(cell):
        file = found["file"] or file
        yield file, found["test"]


def test_a_decision_of_the_contract_names_tests_that_are_there() -> None:
    for line in DECISIONS:
        decision, cell = line.strip("| ").split(" | ", 1)
        named = list(named_tests(cell))
        assert decision
        assert named or cell.startswith(LATER) or "check_error" in cell, decision
        check_tests(named)


def test_every_attack_has_a_row() -> None:
    assert [number for number, _ in ATTACKS] == [f"S{number}" for number in range(1, 63)]


def test_an_attack_names_tests_that_are_there() -> None:
    for attack, cell in ATTACKS:
        named = list(named_tests(cell))
        assert named or re.fullmatch(r"\*Later\* \(.+\)", cell), f"{attack} has no test and no reason"
        check_tests(named)


def check_tests(named: Iterable[tuple[str, str]]) -> None:
    """That these tests stand in these files."""
    for file, test in named:
        assert re.search(rf"def {test}\(", (TESTS / file).read_text()), f"{file} has no {test}"
