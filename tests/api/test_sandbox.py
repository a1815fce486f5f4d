"""/v1/sandbox/messages: what the built-in inbox received, for the tests of programs."""

from time import monotonic
from uuid import uuid4

import pytest

from tests.api.conftest import NOT_FOUND, Api
from webapp.domain.contacts import unsubscribe
from webapp.domain.sandbox.sandbox import store_mail
from webapp.models import Organization, SandboxMail

PATH = "/v1/sandbox/messages"
MAIL = b"""From: Shop <shop@acme.example>\r
To: ada@example.org\r
Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary=b\r
\r
--b\r
Content-Type: multipart/alternative; boundary=c\r
\r
--c\r
Content-Type: text/plain; charset=utf-8\r
\r
Thank you.\r
--c\r
Content-Type: text/html; charset=utf-8\r
\r
<p>Thank you.</p>\r
--c--\r
--b\r
Content-Type: application/pdf\r
Content-Disposition: attachment; filename=order.pdf\r
\r
12345\r
--b--\r
"""


@pytest.fixture
async def mail(acme: Organization) -> SandboxMail:
    return await store_mail(acme.id, "shop@acme.example", ["ada@example.org"], MAIL)


async def test_a_test_can_assert_on_what_arrived(api: Api, acme: Organization, mail: SandboxMail) -> None:
    await store_mail(acme.id, "shop@acme.example", ["bob@example.org"], b"Subject: Other\r\n\r\nx\r\n")
    status, listed = await api.get(f"{PATH}?q=ADA@example.org")
    (row,) = listed["data"]
    assert (status, row["from"], row["to"], row["subject"]) == (
        200,
        "shop@acme.example",
        ["ada@example.org"],
        "Grüße",
    )
    _, body = await api.get(f"{PATH}/{row['id']}")
    message = body["data"]
    assert message.items() >= row.items()
    assert message["text"].strip() == "Thank you."
    assert message["html"].strip() == "<p>Thank you.</p>"
    assert {"name": "Subject", "value": "Grüße"} in message["headers"]
    ((filename, kind),) = [(file["filename"], file["content_type"]) for file in message["attachments"]]
    assert (filename, kind) == ("order.pdf", "application/pdf")
    assert (await api.get(f"{PATH}/{mail.id}/raw"))[1]["data"]["raw"].encode() == MAIL


async def test_a_stranger_reads_and_deletes_nothing(rival_api: Api, mail: SandboxMail) -> None:
    assert (await rival_api.get(PATH))[1]["data"] == []
    for method, path in (("GET", ""), ("GET", "/raw"), ("DELETE", "")):
        assert await rival_api.answer(method, f"{PATH}/{mail.id}{path}") == (404, NOT_FOUND)
    assert await rival_api.delete(PATH) == (200, {"ok": True})
    assert await SandboxMail.all().count() == 1


async def test_messages_are_deleted_one_by_one_or_all(api: Api, sender_api: Api, acme: Organization) -> None:
    one, *_ = [await store_mail(acme.id, "a@acme.example", ["b@example.org"], MAIL) for _ in range(3)]
    assert (await sender_api.delete(f"{PATH}/{one.id}"))[0] == 403
    assert await api.delete(f"{PATH}/{one.id}") == (200, {"ok": True})
    assert (await api.get(PATH))[1]["meta"]["total"] == 2
    assert await api.delete(PATH) == (200, {"ok": True})
    assert (await api.get(PATH))[1]["data"] == []


async def test_a_viewer_gets_no_working_unsubscribe_link(api: Api, viewer_api: Api, acme: Organization) -> None:
    link = unsubscribe.link(uuid4(), uuid4())
    mail = await store_mail(acme.id, "a@acme.example", ["b@example.org"], f"Subject: x\r\n\r\n{link}\r\n".encode())
    for path in (f"{PATH}/{mail.id}", f"{PATH}/{mail.id}/raw"):
        assert link in str(await api.get(path))
        assert link not in str(await viewer_api.get(path))


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        (b"Content-Type: text/plain; charset=punycode", b"a" * 2_000_000),
        (b"Content-Type: text/plain; charset*=punycode''" + b"a" * 2_000_000, b"x"),
        (b"Content-Type: text/plain" + b";" * 2_000_000, b"x"),
        (b"Content-Type: text/plain\r\nContent-Disposition: inline; filename*=punycode''" + b"a" * 2_000_000, b"x"),
        (b"Content-Type: text/plain\r\nX-Words: =?punycode?q?" + b"a" * 2_000_000 + b"?=", b"x"),
        (b"Content-Type: text/plain\r\nX-Words: " + b"=?utf-8?q?" * 200_000, b"x"),
    ],
)
async def test_a_hostile_message_opens_in_seconds(api: Api, acme: Organization, fields: bytes, body: bytes) -> None:
    began = monotonic()
    data = b"Subject: x\r\n" + fields + b"\r\n\r\n" + body
    stored = await store_mail(acme.id, "shop@acme.example", ["ada@example.org"], data)
    status, message = await api.get(f"{PATH}/{stored.id}")
    assert (status, message["data"]["subject"]) == (200, "x")
    assert monotonic() - began < 30


@pytest.mark.parametrize(
    ("field", "name"),
    [
        (b"Content-Disposition: attachment; filename=a.txt", "a.txt"),
        (b'Content-Type: text/plain; x=";name=b"; NAME="a \\"b\\".txt"', 'a "b".txt'),
        (b"Content-Disposition: attachment; filename=a.txt; filename*=UTF-8'de'%c3%bc.txt", "ü.txt"),
        (b"Content-Disposition: attachment; filename*1=b.txt; filename*0*=iso-8859-1''%fc", "üb.txt"),
        (b'Content-Disposition: attachment; filename="=?utf-8?q?=C3?= =?utf-8?q?=BC?=.txt"', "ü.txt"),
        (b'Content-Disposition: attachment; filename="=?utf-8?b?w7w?= =?none-such?q?=C3=BC?= =?x.txt"', "üü =?x.txt"),
    ],
)
async def test_names_of_files_are_decoded(api: Api, acme: Organization, field: bytes, name: str) -> None:
    data = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + field + b"\r\n\r\nx\r\n--b--\r\n"
    stored = await store_mail(acme.id, "shop@acme.example", ["ada@example.org"], data)
    _, message = await api.get(f"{PATH}/{stored.id}")
    assert [file["filename"] for file in message["data"]["attachments"]] == [name]
