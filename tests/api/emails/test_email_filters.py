"""The filters of GET /v1/emails and GET /v1/mail-logs: which rows they find, page by page, and what they refuse."""

import random
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from tests.api.conftest import Api
from tests.api.mails import send
from tests.factories import make_account
from webapp.clock import timestamp
from webapp.models import Account, Email, MailLog, Organization
from webapp.models.base.row import Json, time_of_id
from webapp.models.email import EmailRow, subject_key
from webapp.models.mail_log import MailStatus
from webapp.models.queries.listed_emails import MAX_SCANNED

ADDRESSES = ("ada@example.org", "Bob+news@Example.org", "a%b@example.org", "c/d@example.org", "dörte@müller.example")
SOUGHT = (*ADDRESSES, "ADA@EXAMPLE.ORG", "bob+news@example.org", "A%B@example.org", "dörte@MÜLLER.example")
SENDERS = ("Acme <hello@acme.example>", "Shop@acme.example")
SUBJECTS = ("Your order 1042", "YOUR order 1042", "Straße 100%", "x" * 300)
TAGS = ({"name": "kind", "value": "receipt"}, {"name": "kind", "value": "reset"}, {"name": "order", "value": "1042"})

Rows = list[dict[str, Any]]


async def fill(api: Api, org: Organization, seed: int) -> None:
    """Emails of all kinds; each recipient's row has any status."""
    chance = random.Random(seed)
    emails = [
        {
            "from": chance.choice(SENDERS),
            "to": chance.sample(ADDRESSES, chance.choice((1, 1, 2))),
            "bcc": chance.sample(ADDRESSES, chance.choice((0, 0, 1))),
            "subject": chance.choice(SUBJECTS),
            "text": "Hi",
            "tags": chance.sample(TAGS, chance.choice((0, 1, 2))),
        }
        for _ in range(40)
    ]
    assert (await api.post("/v1/emails/batch", emails))[0] == 200
    for row in await MailLog.of(org):
        await MailLog.filter(id=row.id).update(status=chance.choice(("sent", *MailStatus)))


def bare(written: str) -> str:
    return written.rpartition("<")[2].rstrip(">").lower()


def is_to(address: str, *written: str) -> bool:
    return address.lower().replace("müller", "xn--mller-kva") in map(bare, written)


def has_tag(tag: str, email: dict[str, Any]) -> bool:
    return any(tag in (own["name"], f"{own['name']}:{own['value']}") for own in email["tags"])


def is_wanted(wanted: dict[str, str], email: dict[str, Any]) -> bool:
    """The rule itself, in the plainest words."""
    rules: dict[str, Callable[[str], bool]] = {
        "to": lambda address: is_to(address, *email["to"], *email["cc"], *email["bcc"]),
        "from": lambda address: is_to(address, email["from"]),
        "subject": lambda subject: email["subject"].lower() == subject.lower(),
        "tag": lambda tag: has_tag(tag, email),
        "status": lambda status: email["status"] == status,
        "created_after": lambda time: timestamp(time_of_id(UUID(email["id"]))) >= time,
    }
    return all(rules[name](value) for name, value in wanted.items())


def some_of(chance: random.Random, **given: str) -> dict[str, str]:
    return {name: value for name, value in given.items() if chance.random() < 0.4}


async def rows_at(api: Api, path: str, **wanted: Any) -> Rows:
    status, body = await api.get(f"{path}?{urlencode(wanted)}")
    assert status == 200, body
    rows: Rows = body["data"]
    return rows


async def walked(api: Api, wanted: dict[str, str], end: str) -> list[str]:
    """The ids of the emails that are found, three on a page, from the newest with `after`, or the oldest with `before`."""
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        status, body = await api.get(f"/v1/emails?{urlencode({**wanted, 'limit': 3, **cursor})}")
        assert status == 200, body
        ids = [row["id"] for row in body["data"]]
        found = [*ids, *found] if end == "before" else [*found, *ids]
        if not body["has_more"]:
            return found
        cursor = {end: ids[0] if end == "before" else ids[-1]}


async def test_each_filter_of_emails_finds_those_of_its_rule(
    api: Api, rival_api: Api, account: Account, acme: Organization, rival: Organization
) -> None:
    await make_account(rival)
    await fill(api, acme, 1)
    await fill(rival_api, rival, 2)
    everything = await rows_at(api, "/v1/emails", limit=100)
    chance, sizes = random.Random(1), set()
    for _ in range(60):
        wanted = some_of(
            chance,
            **{"from": chance.choice(("HELLO@acme.example", "shop@ACME.example", "x@acme.example"))},
            to=chance.choice(SOUGHT),
            subject=chance.choice((*SUBJECTS, "your Order 1042", "Your order")),
            tag=chance.choice(("kind", "kind:receipt", "order", "order:1042", "kind:1042", "nothing")),
            status=chance.choice(list(MailStatus)),
            created_after=timestamp(time_of_id(UUID(everything[20]["id"]))),
        )
        expected = [email["id"] for email in everything if is_wanted(wanted, email)]
        assert await walked(api, wanted, "after") == expected, wanted
        last = (await rows_at(api, "/v1/emails", limit=100))[-1]["id"]
        from_oldest = await walked(api, wanted | {"before": last}, "before")
        assert from_oldest == [row_id for row_id in expected if row_id != last], wanted
        sizes.add(len(expected))
    assert max(sizes) > 9
    assert len(sizes) > 4


async def test_each_filter_of_mail_logs_finds_those_of_its_rule(
    api: Api, rival_api: Api, account: Account, acme: Organization, rival: Organization
) -> None:
    other = await make_account(acme, name="Shop", from_email="shop@acme.example")
    await make_account(rival)
    await fill(api, acme, 3)
    await fill(rival_api, rival, 4)
    everything = await rows_at(api, "/v1/mail-logs", page_size=100)
    emails = {row["id"]: row for row in await rows_at(api, "/v1/emails", limit=100)}
    chance, sizes = random.Random(2), set()
    for _ in range(60):
        wanted = some_of(
            chance,
            to=chance.choice(ADDRESSES),
            tag=chance.choice(("kind", "kind:receipt", "order", "order:1042", "nothing")),
            status=chance.choice(list(MailStatus)),
            account_id=str(chance.choice((account, other)).id),
        )
        expected = [
            row["id"]
            for row in everything
            if ("to" not in wanted or is_to(wanted["to"], row["to_email"]))
            and ("tag" not in wanted or has_tag(wanted["tag"], emails[row["email_id"]]))
            and wanted.get("status", row["status"]) == row["status"]
            and wanted.get("account_id", row["account_id"]) == row["account_id"]
        ]
        found: list[str] = []
        for page in range(1, len(expected) // 4 + 2):
            _, body = await api.get(f"/v1/mail-logs?{urlencode({**wanted, 'page': page, 'page_size': 4})}")
            found += [row["id"] for row in body["data"]]
            assert body["meta"] == {"page": page, "page_size": 4, "total": len(expected)}, wanted
        assert sorted(found) == sorted(expected), wanted
        sizes.add(len(expected))
    assert max(sizes) > 9


async def test_a_recipient_tried_again_stands_with_its_email(api: Api, account: Account, acme: Organization) -> None:
    mail = {"from": "hello@acme.example", "to": ["ada@example.org"], "subject": "Hi", "text": "Hi", "tags": TAGS[:1]}
    first, second = [(await api.post("/v1/emails", mail))[1]["id"] for _ in range(2)]
    row = await MailLog.get(id=first)
    await MailLog.filter(id=first).update(status="failed")
    email = await Email.get(id=first)
    await MailLog.create(
        org=acme, kind="transactional", email_id=email.id, account_id=account.id, content_id=row.content_id,
        variables={}, to_email=row.to_email, recipient_type="to", message_id=row.message_id, status="sending",
        next_attempt_at=row.next_attempt_at,
    )  # fmt: skip
    for query in ("to=ada@example.org", "tag=kind"):
        _, body = await api.get(f"/v1/mail-logs?{query}&page_size=1")
        assert ([body["data"][0]["id"]], body["meta"]["total"]) == ([second], 3)
        emails = await rows_at(api, "/v1/emails", **dict([query.split("=")]))
        assert [(row["id"], row["status"]) for row in emails] == [(second, "pending"), (first, "sending")]


@pytest.mark.parametrize("path", ["/v1/emails", "/v1/mail-logs"])
@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("to=ada", "to", "is not an email address"),
        ("to=", "to", "is not an email address"),
        ("to=ada+news@example.org", "to", "in a URL, + is written as %2B"),
        ("to=Ada%20%3Cada@example.org%3E", "to", "must not contain a space"),
        ("to=ada%0A@example.org", "to", "must not contain line breaks"),
        ("tag=", "tag", "must be a name like kind, or a name and value like kind:welcome"),
        ("tag=kind:", "tag", "must be a name like kind, or a name and value like kind:welcome"),
        ("tag=:welcome", "tag", "must be a name like kind"),
        (f"tag={'x' * 257}", "tag", "must be a name like kind"),
        ("status=gone", "status", "must be 'pending', 'sending'"),
        ("created_after=2026-01-02&created_before=2026-01-01", "created_before", "must be later than created_after"),
        ("recipient=ada@example.org", "recipient", "is not a query parameter here"),
    ],
)
async def test_a_wrong_filter_is_named(api: Api, path: str, query: str, field: str, words: str) -> None:
    status, body = await api.get(f"{path}?{query}")
    assert (status, body["details"][0]["field"]) == (400, field), body
    assert words in body["message"]


@pytest.mark.parametrize(
    ("query", "field"), [("from=hello", "from"), ("subject=", "subject"), (f"subject={'x' * 999}", "subject")]
)
async def test_a_wrong_filter_of_emails_is_named(api: Api, query: str, field: str) -> None:
    status, body = await api.get(f"/v1/emails?{query}")
    assert (status, body["details"][0]["field"]) == (400, field)


async def test_a_search_that_stops_early_says_where_to_go_on(api: Api, account: Account, acme: Organization) -> None:
    first, sender = await send(api, **{"from": "first@acme.example", "subject": "Found"}), {"from": "b@acme.example"}
    many = {"a": "Found", "b": "Other"}
    content_id = (await Email.get(id=first)).content_id
    for name, subject in many.items():
        await Email.insert_tuples([an_email(acme, account, content_id, name, subject) for _ in range(MAX_SCANNED + 10)])
    await Email.filter(id=first).update(from_key="b@acme.example")
    cursor: dict[str, str] = {}
    for _ in range(4):
        status, body = await api.get(f"/v1/emails?{urlencode({**sender, 'subject': 'found', **cursor})}")
        assert status == 200
        if not body["has_more"]:
            break
        assert body["data"] == []
        cursor = {"after": body["searched_until"]}
    assert [row["id"] for row in body["data"]] == [first]
    assert cursor


def an_email(org: Organization, account: Account, content_id: UUID, name: str, subject: str) -> EmailRow:
    row_id = uuid7()
    return EmailRow(
        id=row_id, org_id=org.id, account_id=account.id, content_id=content_id, template_id=None, topic_id=None,
        message_id=f"<{row_id.hex}@acme.example>", sender=f"{name}@acme.example", addresses=Json("{}"),
        headers=Json("{}"), tags=Json("[]"), variables=Json("{}"), scheduled_at=None, size=1,
        from_key=f"{name}@acme.example", subject_key=subject_key(subject),
    )  # fmt: skip
