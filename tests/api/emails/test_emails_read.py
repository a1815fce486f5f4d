"""GET /v1/emails and /v1/emails/{id}."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.api.conftest import NOT_FOUND, Api
from tests.api.mails import MAIL, send
from webapp import clock
from webapp.clock import timestamp
from webapp.models import Account, Content, Email, MailLog
from webapp.models.base.row import time_of_id
from webapp.models.mail_log import MailStatus

OUTLINE = [
    "id", "from", "to", "cc", "bcc", "reply_to", "subject", "status", "account_id", "template_id", "topic_id", "tags", "message_id",
    "error", "created_at", "scheduled_at", "sent_at",
]  # fmt: skip


async def test_an_email_is_shown_whole_by_any_of_its_rows(api: Api, account: Account) -> None:
    addresses = {
        "from": "Acme <hello@acme.example>",
        "to": ["Ada <ada@example.org>", "bob@example.org"],
        "cc": ["carol@example.org"],
        "bcc": ["dan@example.org"],
        "reply_to": ["Help <help@acme.example>"],
    }
    own: dict[str, Any] = {"headers": {"X-A": "b"}, "tags": [{"name": "a", "value": "b"}]}
    email_id = await send(api, **addresses, **own, attachments=[{"filename": "a.txt", "content": "aGVsbG8="}])
    rows = await MailLog.all().order_by("id")
    assert [(row.to_email, row.recipient_type) for row in rows] == [
        *(("ada@example.org", "to"), ("bob@example.org", "to")),
        *(("carol@example.org", "cc"), ("dan@example.org", "bcc")),
    ]
    assert {(row.from_email, str(row.email_id)) for row in rows} == {("hello@acme.example", email_id)}
    status, body = await api.get(f"/v1/emails/{email_id}")
    assert [await api.get(f"/v1/emails/{row.id}") for row in rows] == [(status, body)] * 4
    expected = {
        "id": email_id,
        **addresses,
        "subject": "Hello",
        "html": "<p>Hello</p>",
        "text": None,
        "status": "pending",
        "account_id": str(account.id),
        "template_id": None,
        "topic_id": None,
        "tags": own["tags"],
        "headers": own["headers"],
        "attachments": [{"filename": "a.txt", "content_type": "text/plain", "size": 5}],
        "message_id": rows[0].message_id,
        "error": None,
        "created_at": 0,
        "scheduled_at": None,
        "sent_at": None,
        "recipients": [
            {"id": str(row.id), "email": row.to_email, "type": row.recipient_type, "status": "pending", "error": None}
            for row in rows
        ],
        "tracking": {"opens": False, "clicks": False},
        "engagement": [],
    }
    assert (status, list(body["data"])) == (200, list(expected))
    assert body["data"] | {"created_at": 0} == expected


async def test_its_status_is_that_of_its_rows_together(api: Api, account: Account) -> None:
    email_id = await send(api, to=["a@example.org", "b@example.org", "c@example.org"])
    for states, status in (
        ("sending pending sent", "pending"),
        ("deferred sending halted", "sending"),
        ("halted deferred sent", "deferred"),
        ("sent failed halted", "halted"),
        ("failed sent failed", "sent"),
        ("failed failed failed", "failed"),
    ):
        for row, state in zip(await MailLog.all().order_by("id"), states.split(), strict=True):
            sent_at = clock.now() if state == MailStatus.SENT else None
            error = "550 no such user" if state == MailStatus.FAILED else None
            await MailLog.filter(id=row.id).update(status=state, sent_at=sent_at, error=error)
        for data in ((await api.get(f"/v1/emails/{email_id}"))[1]["data"], (await api.get("/v1/emails"))[1]["data"][0]):
            assert data["status"] == status
            assert (data["sent_at"] is not None) == ("sent" in states.split())
            assert data["error"] == ("550 no such user" if "failed" in states else None)


async def test_a_list_has_20_unless_told_otherwise_waiting_and_scheduled_ones_too(api: Api, account: Account) -> None:
    await send(api, scheduled_at=(clock.now() + timedelta(days=1)).isoformat())
    status, body = await api.get("/v1/emails")
    assert (status, [row["status"] for row in body["data"]], body["has_more"]) == (200, ["pending"], False)
    assert body["data"][0]["scheduled_at"] is not None
    assert (list(body), list(body["data"][0])) == (["data", "has_more"], OUTLINE)  # without bodies
    assert (await api.post("/v1/emails/batch", [MAIL] * 100))[0] == 200
    for query, count in (("", 20), ("?limit=1", 1), ("?limit=100", 100)):
        _, body = await api.get(f"/v1/emails{query}")
        assert (len(body["data"]), body["has_more"]) == (count, True)


async def test_a_mail_without_html_has_none(api: Api, account: Account) -> None:
    email_id = await send(api, html=None, text="1 < 2\n3")
    email = (await api.get(f"/v1/emails/{email_id}"))[1]["data"]
    assert (email["html"], email["text"]) == (None, "1 < 2\n3")
    log = (await api.get(f"/v1/mail-logs/{email_id}"))[1]["data"]
    assert log["body_html"] == "1 &lt; 2<br>\n3"


async def test_what_retention_has_taken_is_absent(api: Api, account: Account) -> None:
    gone, kept = await send(api), await send(api)
    await Content.filter(id=(await Email.get(id=gone)).content_id).delete()
    assert await api.get(f"/v1/emails/{gone}") == (404, NOT_FOUND)
    assert [row["id"] for row in (await api.get("/v1/emails"))[1]["data"]] == [kept]


@pytest.mark.parametrize("path", ["/v1/emails", "/v1/mail-logs"])
async def test_lists_are_filtered_by_the_time_of_creation(
    api: Api, rival_api: Api, account: Account, path: str
) -> None:
    ids = [await send(api) for _ in range(3)]
    late = await send(api)
    end = timestamp(time_of_id(UUID(late)))
    for query, wanted in (
        (f"created_before={end}", ids[::-1]),
        (f"created_after={end}", [late]),
        (f"created_after=2026-01-01&created_before={end}", ids[::-1]),
        ("created_after=2999-01-01", []),
    ):
        status, body = await api.get(f"{path}?{query}")
        assert (status, [row["id"] for row in body["data"]]) == (200, wanted), query
        assert (await rival_api.get(f"{path}?{query}"))[1]["data"] == []


@pytest.mark.parametrize("path", ["/v1/emails", "/v1/mail-logs"])
@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("created_after=yesterday", "created_after must be an ISO 8601 time like 2026-11-20T09:30:00Z"),
        (
            "created_after=2026-01-02&created_before=2026-01-01",
            "created_before must be later than created_after",
        ),
    ],
)
async def test_a_wrong_time_of_creation_is_named(api: Api, path: str, query: str, message: str) -> None:
    status, body = await api.get(f"{path}?{query}")
    assert (status, body["message"]) == (400, message)


async def test_the_attachments_of_an_email_are_listed_in_order(api: Api, rival_api: Api, account: Account) -> None:
    files = [
        {"filename": "a.txt", "content": "aGVsbG8="},
        {"filename": "b.png", "content": "aGk=", "content_type": "image/png", "content_id": "logo"},
    ]
    path = f"/v1/emails/{await send(api, attachments=files)}/attachments"
    expected = [
        {"index": 0, "filename": "a.txt", "content_type": "text/plain", "size": 5, "content_id": None},
        {"index": 1, "filename": "b.png", "content_type": "image/png", "size": 2, "content_id": "logo"},
    ]
    assert await api.get(path) == (200, {"data": expected})
    assert await rival_api.get(path) == (404, NOT_FOUND)
    assert await api.get(f"/v1/emails/{await send(api)}/attachments") == (200, {"data": []})


async def test_an_attachment_is_downloaded_with_its_type_and_name(api: Api, rival_api: Api, account: Account) -> None:
    files = [
        {"filename": "a.html", "content": "PGI+aGk8L2I+"},
        {"filename": "Rechnung für Ada.pdf", "content": "JVBERi0xLjc="},
    ]
    path = f"/v1/emails/{await send(api, attachments=files)}/attachments"
    for index, (data, kind, name) in enumerate([
        (b"<b>hi</b>", "text/html", "a.html"),
        (b"%PDF-1.7", "application/pdf", "Rechnung%20f%C3%BCr%20Ada.pdf"),
    ]):  # fmt: skip
        response = await api.send("GET", f"{path}/{index}")
        assert (response.status_code, await response.get_data()) == (200, data)
        assert response.headers["Content-Type"] == kind
        assert response.headers["Content-Disposition"] == f"attachment; filename*=UTF-8''{name}"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert await rival_api.get(f"{path}/{index}") == (404, NOT_FOUND)
    for index in ("2", "-1", "01x", "99999999999", "%D9%A0", "0.0"):
        assert await api.get(f"{path}/{index}") == (404, NOT_FOUND), index
