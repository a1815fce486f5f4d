"""POST /v1/emails at the edges of the contract's table: what is just taken, and what is one too many."""

from datetime import timedelta
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.mails import MAIL
from tests.factories import make_account
from tests.support.table import table
from webapp import clock
from webapp.models import Account, Email, MailLog, Organization


def people(count: int) -> list[str]:
    return [f"person{number}@example.org" for number in range(count)]


def names(count: int) -> list[dict[str, str]]:
    return [{"name": f"tag_{number}", "value": "x"} for number in range(count)]


def files(count: int) -> list[dict[str, str]]:
    return [{"filename": f"{number}.txt", "content": "aGVsbG8="} for number in range(count)]


async def refusal(api: Api, **fields: Any) -> str:
    """The message of the 400; nothing of the mail is kept."""
    status, body = await api.post("/v1/emails", MAIL | fields)
    assert (status, body["error"]) == (400, "ValidationError"), body
    assert await Email.all().count() == await MailLog.all().count() == 0
    message: str = body["message"]
    return message


@pytest.mark.parametrize(
    "fields",
    [
        {"to": people(1)[0]},
        {"to": people(50)},
        {"cc": people(50)},
        {"bcc": people(50)},
        {"reply_to": people(50)},
        {"cc": "one@example.org", "bcc": "two@example.org", "reply_to": "Three <three@example.org>"},
        {"html": None, "text": "text alone"},
        {"text": None},
        {"headers": {"X-" + "a" * 74: "value", "X-1-b": ""}},
        {"tags": names(75)},
        {"tags": [{"name": "aZ09_-" + "x" * 250, "value": "-" * 256}]},
        {"attachments": files(20)},
    ],
    ids=" ".join,
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


@table(
    ("field", "fields"),
    [
        ("to", {"to": people(51)}),
        ("cc", {"cc": people(51)}),
        ("bcc", {"bcc": people(51)}),
        ("bcc", {"bcc": people(1) * 51}),
        ("reply_to", {"reply_to": people(51)}),
        ("headers", {"headers": {"X-" + "a" * 75: "value"}}),
        ("headers", {"headers": {"X_A": "value"}}),
        ("headers", {"headers": {"X-Ä": "value"}}),
        ("tags", {"tags": names(76)}),
        ("tags.0.name", {"tags": [{"name": "x" * 257, "value": "x"}]}),
        ("tags.0.value", {"tags": [{"name": "x", "value": "x" * 257}]}),
        ("tags.0.name", {"tags": [{"name": "", "value": "x"}]}),
        ("tags.0.value", {"tags": [{"name": "x", "value": "ä"}]}),
        ("tags", {"tags": {"name": "value"}}),
        ("attachments", {"attachments": files(21)}),
        ("attachments.0.path", {"attachments": [files(1)[0] | {"path": "https://example.org/a.pdf"}]}),
        ("template", {"template": {"variables": {}}, "html": "<p>beside it</p>"}),
    ],
)
async def test_what_is_one_too_many_or_malformed_is_refused(
    api: Api, account: Account, field: str, fields: dict[str, Any]
) -> None:
    assert (await refusal(api, **fields)).startswith(field)


@table(
    "name",
    [
        "From", "To", "Cc", "Bcc", "Subject", "Reply-To", "Sender", "Return-Path", "Received", "Message-ID", "Date",
        "DKIM-Signature", "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Content-Anything",
    ],
)  # fmt: skip
async def test_headers_that_the_service_writes_are_refused_in_any_case(api: Api, account: Account, name: str) -> None:
    for spelled in (name, name.lower(), name.upper()):
        assert await refusal(api, headers={"X-Fine": "1", spelled: "x"}) == (
            f"headers is not valid: the header {spelled} may not be set here"
        )


@table("brk", ["\r", "\n", "\0"])
@table("place", ["subject", "name in from", "name in to", "name in reply_to", "file name", "header", "content_type"])
async def test_cr_lf_and_nul_are_refused_wherever_they_could_end_a_line(
    api: Api, account: Account, place: str, brk: str
) -> None:
    evil = f"x{brk}Bcc: eve@example.org"
    file = {"filename": "a.txt", "content": ""}
    await refusal(
        api,
        **{
            "subject": {"subject": evil},
            "name in from": {"from": f"{evil} <hello@acme.example>"},
            "name in to": {"to": [f"{evil} <ada@example.org>"]},
            "name in reply_to": {"reply_to": f"{evil} <ada@example.org>"},
            "file name": {"attachments": [file | {"filename": evil}]},
            "header": {"headers": {"X-A": evil}},
            "content_type": {"attachments": [file | {"content_type": f"text/plain{brk}"}]},
        }[place],
    )


async def test_a_time_is_in_the_future_and_30_days_ahead_at_most(api: Api, account: Account) -> None:
    for ahead in (timedelta(seconds=-1), timedelta(days=30, minutes=1)):
        assert (await refusal(api, scheduled_at=(clock.now() + ahead).isoformat())).startswith("scheduled_at")
    for ahead in (timedelta(minutes=1), timedelta(days=30, minutes=-1)):
        at = (clock.now() + ahead).isoformat()
        assert (await api.post("/v1/emails", MAIL | {"scheduled_at": at}))[0] == 200


async def test_strict_from_is_off_unless_it_is_set(
    api: Api, rival_api: Api, account: Account, rival: Organization
) -> None:
    foreign = {"from": "boss@else.example"}
    await make_account(rival)
    await Organization.filter(id=rival.id).update(strict_from=True)
    status, body = await rival_api.post("/v1/emails", MAIL | foreign)
    assert (status, body["details"][0]["field"]) == (400, "from")
    assert (await api.post("/v1/emails", MAIL | foreign))[0] == 200
    assert (await rival_api.post("/v1/emails", MAIL | {"from": "new@acme.example"}))[0] == 200


@pytest.mark.parametrize("path", ["/v1/emails", "/v1/emails/batch"])
async def test_an_unknown_field_of_a_send_is_refused_however_deep_it_is(api: Api, account: Account, path: str) -> None:
    for extra in ({"sendnow": True}, {"tags": [{"name": "a", "value": "b", "color": "red"}]}):
        mail = MAIL | extra
        status, body = await api.post(path, [mail] if path.endswith("batch") else mail)
        assert status == 400
        assert "is not a known field" in body["message"]
    assert await MailLog.all().count() == 0


async def test_a_strangers_email_list_has_nothing_of_ours(api: Api, rival_api: Api, account: Account) -> None:
    await api.post("/v1/emails", MAIL | {"to": people(50)})
    assert (await rival_api.get("/v1/emails"))[1]["data"] == []
    assert (await rival_api.get("/v1/mail-logs"))[1]["meta"]["total"] == 0
