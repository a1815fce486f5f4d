"""POST /v1/emails."""

import asyncio
import base64
import os
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import Api
from tests.api.mails import MAIL, send
from tests.factories import make_account
from webapp import clock
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.emails.attachments import PIECE
from webapp.domain.instance.suspension import suspend_sending
from webapp.domain.time_words import EXAMPLES
from webapp.models import Account, Attachment, Content, Email, MailLog, Organization

MIB = 1024 * 1024


def people(count: int) -> list[str]:
    return [f"person{number}@example.org" for number in range(count)]


def tags(count: int) -> list[dict[str, str]]:
    return [{"name": f"tag_{number}", "value": "x"} for number in range(count)]


def files(count: int) -> list[dict[str, str]]:
    return [{"filename": f"{number}.txt", "content": "aGVsbG8="} for number in range(count)]


async def refuse(api: Api, field: str, **fields: Any) -> str:
    """Send a mail that is refused for `field`, see that nothing of it is kept, and return the message."""
    given = {name: value for name, value in (MAIL | fields).items() if value is not ...}
    status, body = await api.post("/v1/emails", given)
    assert (status, body["error"]) == (400, "ValidationError"), body
    assert body["details"][0]["field"] == field, body
    assert body["message"].startswith(field)
    for model in (Email, MailLog, Content, Attachment):
        assert await model.all().count() == 0
    message: str = body["message"]
    return message


async def test_an_address_named_twice_counts_where_it_is_named_first(api: Api, account: Account) -> None:
    await send(api, to=["ada@example.org"] * 50, cc="Ada@Example.org", bcc=["ADA@example.org", "bob@example.org"])
    rows = await MailLog.all().order_by("id")
    assert [(row.to_email, row.recipient_type) for row in rows] == [
        ("ada@example.org", "to"),
        ("bob@example.org", "bcc"),
    ]


async def test_attachments_come_in_base64_or_as_bytes(api: Api, account: Account) -> None:
    data = bytes(range(256))
    wrapped = base64.encodebytes(data).decode()
    await send(
        api,
        attachments=[
            {"filename": "a.png", "content": wrapped, "content_id": "logo"},
            {"filename": "b", "content": list(data), "content_type": "text/plain; charset=utf-8"},
            {"filename": "c.unknown", "content": "", "inline_content_id": "<other>"},
        ],
    )
    rows = await Attachment.all().order_by("position")
    assert [(row.filename, row.content_type, row.content_id, row.size) for row in rows] == [
        ("a.png", "image/png", "logo", 256),
        ("b", "text/plain; charset=utf-8", None, 256),
        ("c.unknown", "application/octet-stream", "other", 0),
    ]
    assert [bytes(row.data) for row in rows] == [data, data, b""]


async def test_a_file_without_a_type_has_that_of_its_name(api: Api, account: Account) -> None:
    kinds = {"REPORT.CSV.GZ": "application/gzip", "README": "application/octet-stream", "invite.ics": "text/calendar"}
    email_id = await send(api, attachments=[{"filename": name, "content": ""} for name in kinds])
    _, body = await api.get(f"/v1/emails/{email_id}")
    assert {one["filename"]: one["content_type"] for one in body["data"]["attachments"]} == kinds


async def test_a_file_of_several_pieces_is_whole(api: Api, account: Account) -> None:
    for size in (PIECE // 4 * 3, PIECE // 4 * 9 + 2):
        data = os.urandom(size)
        await send(api, attachments=[{"filename": "a", "content": base64.b64encode(data).decode()}])
        assert bytes((await Attachment.get()).data) == data
        await Attachment.all().delete()


async def test_what_is_no_base64_is_refused(api: Api, account: Account) -> None:
    for content in ("AA=", "AA==AAAA", "AA==" + "A" * PIECE, "A" * PIECE + "AAA\u00e9"):
        assert "is not base64" in await refuse(api, "attachments.0.content", **file(content=content))


async def test_25_mib_of_attachments_are_taken_and_a_byte_more_is_not(api: Api, account: Account) -> None:
    half = base64.b64encode(bytes(25 * MIB // 2)).decode()
    files = [{"filename": "a", "content": half}, {"filename": "b", "content": half}]
    assert "25 MiB" in await refuse(api, "attachments", attachments=[*files, {"filename": "c", "content": "AA=="}])
    await send(api, attachments=files)


@pytest.mark.parametrize(
    "fields",
    [
        {"to": people(50), "reply_to": people(50)},
        {"cc": people(50)},
        {"bcc": people(50)},
        {"to": "ann@example.org", "cc": "one@example.org", "bcc": "two@example.org", "reply_to": "Jo <jo@example.org>"},
        {"html": None, "text": "text alone"},
        {"headers": {"X-" + "a" * 74: "value", "X-1-b": ""}, "tags": tags(75), "attachments": files(20)},
        {"tags": [{"name": "aZ09_-" + "x" * 250, "value": "-" * 256}]},
    ],
)
async def test_what_is_just_within_the_limits_is_taken(api: Api, account: Account, fields: dict[str, Any]) -> None:
    status, body = await api.post("/v1/emails", MAIL | fields)
    assert (status, list(body)) == (200, ["id"])
    _, shown = await api.get(f"/v1/emails/{body['id']}")
    for name in ("to", "cc", "bcc", "reply_to"):
        given = fields.get(name, [])
        assert name not in fields or shown["data"][name] == ([given] if isinstance(given, str) else given)
    for name in ("headers", "tags", "html", "text"):
        assert name not in fields or shown["data"][name] == fields[name]
    assert len(shown["data"]["attachments"]) == len(fields.get("attachments", ()))


FILE = {"filename": "a", "content": ""}
TEMPLATE = {"id": str(uuid4())}


def file(**fields: Any) -> dict[str, Any]:
    return {"attachments": [{name: value for name, value in (FILE | fields).items() if value is not ...}]}


BAD: list[tuple[str, list[dict[str, Any]]]] = [
    ("from", [{"from": ...}, {"from": "Acme"}]),
    ("to", [{"to": ...}, {"to": []}, {"to": people(51)}, {"to": people(1) * 51}]),
    ("to.0", [{"to": "nobody"}, {"to": [1]}, {"to": ["a@b.example, c@d.example"]}]),
    ("to.1", [{"to": ["ada@example.org", "a@b"]}]),
    ("cc", [{"cc": people(51)}]),
    ("bcc", [{"bcc": people(51)}]),
    ("reply_to", [{"reply_to": people(51)}]),
    ("subject", [{"subject": ...}, {"subject": ""}]),
    ("text", [{"html": ...}, {"html": ..., "text": "Hi", "template": TEMPLATE}]),
    ("html", [{"template": TEMPLATE}]),
    ("template.id", [{"template": {"id": 7}, "html": ...}]),
    ("template.name", [{"template": TEMPLATE | {"name": "Welcome"}, "html": ...}]),
    ("headers", [{"headers": {"X-" + "a" * 75: "x"}}, {"headers": [["X-A", "a"]]}]),
    ("headers.X-A", [{"headers": {"X-A": 1}}]),
    ("tags", [{"tags": tags(76)}]),
    ("tags.0.name", [{"tags": [{"name": name, "value": "x"}]} for name in ("a b", "x" * 257)]),
    ("tags.0.value", [{"tags": [{"name": "a"} | value]} for value in ({}, {"value": "ä"}, {"value": "x" * 257})]),
    ("attachments", [{"attachments": files(21)}]),
    ("attachments.0.filename", [file(filename=name) for name in ("../../etc/passwd", "C:\\a", "..", "a\u202eg.exe")]),
    ("attachments.0.content", [file(content=content) for content in (..., [256], ["a"], "no!")]),
    ("attachments.0.content_type", [file(content_type="x")]),
    ("attachments.0.content_id", [file(content_id="a b")]),
    ("attachments.0.path", [file(path="https://example.org/a.pdf")]),
    (
        "scheduled_at",
        [
            {"scheduled_at": at}
            for at in ("9999-12-31T23:59:59Z", "tomorrow", "yesterday", "in 0 minutes", "in 31 days")
        ],
    ),
    ("org_id", [{"org_id": str(uuid4())}]),
]


async def test_a_bad_field_is_named_and_nothing_is_kept(api: Api, account: Account) -> None:
    for field, changes in BAD:
        for change in changes:
            await refuse(api, field, **change)


async def test_a_time_is_in_the_future_and_30_days_ahead_at_most(api: Api, account: Account) -> None:
    for ahead in (timedelta(seconds=-1), timedelta(days=30, minutes=1)):
        await refuse(api, "scheduled_at", scheduled_at=(clock.now() + ahead).isoformat())
    for ahead in (timedelta(minutes=1), timedelta(days=30, minutes=-1)):
        at = (clock.now() + ahead).isoformat()
        assert (await api.post("/v1/emails", MAIL | {"scheduled_at": at}))[0] == 200


async def test_words_of_time_are_read_and_the_time_is_in_the_answer(
    api: Api, acme: Organization, account: Account
) -> None:
    await Organization.filter(id=acme.id).update(timezone="Asia/Tokyo")
    for words, ahead in (("in 90 minutes", timedelta(minutes=90)), (" In  2 days ", timedelta(days=2))):
        status, body = await api.post("/v1/emails", MAIL | {"scheduled_at": words})
        assert status == 200
        assert abs(datetime.fromisoformat(body["scheduled_at"]) - clock.now() - ahead) < timedelta(minutes=1)
        assert (await api.get(f"/v1/emails/{body['id']}"))[1]["data"]["scheduled_at"] == body["scheduled_at"]
    emails = [MAIL, MAIL | {"scheduled_at": "tomorrow noon"}, MAIL | {"scheduled_at": "31 february 9am"}]
    headers = {"X-Batch-Validation": "permissive"}
    status, body = await api.post("/v1/emails/batch", emails, headers=headers)
    tomorrow = clock.today("Asia/Tokyo") + timedelta(days=1)
    assert [list(item) for item in body["data"]] == [["id"], ["id", "scheduled_at"]]
    assert (status, body["data"][1]["scheduled_at"]) == (200, f"{tomorrow}T03:00:00.000Z")
    assert body["errors"] == [{"index": 2, "message": f"scheduled_at is not understood: use a time like {EXAMPLES}"}]


async def test_what_is_optional_may_be_null(api: Api, account: Account) -> None:
    names = ("cc", "bcc", "reply_to", "text", "account_key", "headers", "tags", "scheduled_at", "template")
    await send(api, **dict.fromkeys(names), **file(content_type=None, content_id=None, path=None))
    await send(api, attachments=None)


class TestAccountChoice:
    """Which account a mail goes by."""

    async def chosen(self, api: Api, **fields: Any) -> str:
        await send(api, **fields)
        row = await MailLog.all().order_by("-id").first()
        assert row is not None
        return (await Account.get(id=row.account_id)).name

    async def test_the_named_one(self, api: Api, acme: Organization) -> None:
        await make_account(acme)
        other = await make_account(acme, name="Other", from_email="x@other.example")
        assert await self.chosen(api, account_key=other.account_key) == "Other"

    async def test_that_of_the_address_then_of_the_domain_then_the_oldest(self, api: Api, acme: Organization) -> None:
        await make_account(acme, name="Oldest", from_email=None)
        await make_account(acme, name="Domain", from_email="info@acme.example")
        await make_account(acme, name="Address", from_email="Hello@acme.example")
        assert await self.chosen(api) == "Address"
        assert await self.chosen(api, **{"from": "new@ACME.example"}) == "Domain"
        assert await self.chosen(api, **{"from": "new@else.example"}) == "Oldest"

    async def test_a_paused_one_is_passed_over(self, api: Api, acme: Organization) -> None:
        await make_account(acme, name="Paused", status="paused")
        await make_account(acme, name="Other", from_email="x@other.example")
        assert await self.chosen(api) == "Other"

    async def test_one_in_error_keeps_the_mail_of_its_address(self, api: Api, acme: Organization) -> None:
        await make_account(acme, name="Oldest", from_email="x@other.example")
        await make_account(acme, name="Error", status="error")
        assert await self.chosen(api) == "Error"
        await make_account(acme, name="Active")
        assert await self.chosen(api) == "Active"

    async def test_the_sandbox_is_used_only_when_it_is_named(self, api: Api, acme: Organization) -> None:
        sandbox = await sandbox_account(acme)
        refusal = await refuse(api, "account_key", **{"from": "sandbox@pennypost.example"})
        assert refusal.endswith(f"to test without one, send account_key {sandbox.account_key} (the sandbox)")
        assert await self.chosen(api, account_key=sandbox.account_key) == "Sandbox"

    async def test_without_a_usable_account_the_mail_is_refused(self, api: Api, acme: Organization) -> None:
        paused = await make_account(acme, status="paused")
        await make_account(acme, status="error", from_email="x@other.example")
        await refuse(api, "account_key")
        await refuse(api, "account_key", account_key=paused.account_key)

    async def test_a_strict_organization_sends_from_its_own_addresses(
        self, api: Api, rival_api: Api, acme: Organization, rival: Organization
    ) -> None:
        account = await make_account(acme)
        await make_account(rival)
        await Organization.filter(id=acme.id).update(strict_from=True)
        for key in ({}, {"account_key": account.account_key}):
            await refuse(api, "from", **{"from": "boss@else.example"}, **key)
        assert await self.chosen(api, **{"from": "boss@acme.example"}) == "Main"
        assert (await rival_api.post("/v1/emails", MAIL | {"from": "boss@else.example"}))[0] == 200  # it is theirs


async def test_no_mail_waits_for_an_account_that_is_deleted_meanwhile(api: Api, acme: Organization) -> None:
    account = await make_account(acme)
    sends = [("/v1/emails", MAIL), ("/v1/emails/batch", [MAIL] * 3)] * 5
    answers = await asyncio.gather(
        *(api.post(path, body) for path, body in sends),
        api.delete(f"/v1/accounts/{account.id}"),
        *(api.post(path, body) for path, body in sends),
    )
    assert {status for status, _ in answers} <= {200, 400}
    assert await MailLog.filter(status="pending").count() == 0
    assert await MailLog.all().count() == sum("id" in body or 3 * ("data" in body) for _, body in answers)


async def test_a_name_that_nests_without_end_is_refused_for_its_field(api: Api, account: Account) -> None:
    nested = "(" * 900 + ")" * 900
    for field in ("from", "to.0", "cc.0", "bcc.0", "reply_to.0"):
        message = await refuse(api, field, **{field.removesuffix(".0"): f'"a" {nested} "b" <a@b.example>'})
        assert message == f"{field} must have a name of 200 characters at most"


async def test_while_sending_is_on_hold_an_email_is_accepted_and_waits(api: Api, account: Account) -> None:
    await suspend_sending("restored")
    assert (await api.get(f"/v1/emails/{await send(api)}"))[1]["data"]["status"] == "pending"
