"""Programs submit email by SMTP: what arrives, and what the API, the log and a stranger see of it."""

import re
import smtplib
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from tests.api.conftest import Api
from tests.apps import app_of
from tests.factories import account_on, make_suppression
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.smtp.conftest import Door, key_of, letter
from webapp.config import Settings
from webapp.models import Account, Email, MailLog, Organization

ADDED = re.compile(
    rb"Received: from (\S+) \(\[127\.0\.0\.1\]\)\r\n\tby \S+ with (E?SMTPS?A|UTF8SMTPA) id [0-9a-f]{32};\r\n\t[^\r]+\r\n"
)


@pytest.fixture
async def account(smtp_server: SmtpServer, acme: Organization) -> Account:
    return await account_on(smtp_server, acme)


@pytest.fixture
async def api(settings: Settings, acme: Organization) -> Api:
    return Api(app_of(settings), await key_of(acme, "viewer"))


def written(message: EmailMessage) -> bytes:
    return message.as_bytes(policy=SMTP)


async def test_a_message_arrives_byte_for_byte_at_the_recipients_of_its_envelope(
    door: Door, key: str, account: Account, smtp_server: SmtpServer, settings: Settings, rival: Organization
) -> None:
    message = letter(Cc="cc@x.example", Bcc="hidden@x.example", Message_ID="<mine@acme.example>")
    message["Date"] = "Sun, 29 Nov 2026 12:00:00 +0000"
    await door.send(key, message)
    await deliver_all(settings)
    (arrived,) = smtp_server.messages
    assert (arrived.mail_from, sorted(arrived.recipients)) == (
        "hello@acme.example",
        ["ann@x.example", "cc@x.example", "hidden@x.example"],
    )
    del message["Bcc"]
    assert ADDED.sub(b"", arrived.content) == written(message)
    assert len(ADDED.findall(arrived.content)) == 1
    assert not await MailLog.of(rival).exists()


async def test_message_id_and_date_are_added_only_where_they_are_missing(
    door: Door, key: str, account: Account, smtp_server: SmtpServer, settings: Settings, acme: Organization
) -> None:
    message = letter()
    email_id = await door.send(key, message, ["other@y.example"])
    await deliver_all(settings)
    (arrived,) = smtp_server.messages
    assert arrived.recipients == ["other@y.example"]
    own_id = f"<{email_id.hex}@acme.example>"
    assert arrived.content.count(b"Message-ID: " + own_id.encode()) == 1
    assert arrived.content.count(b"\r\nDate: ") == 1
    assert arrived.content.endswith(written(message))
    (row,) = await MailLog.of(acme)
    assert (row.id, row.message_id, row.recipient_type, row.from_email) == (
        email_id,
        own_id,
        "bcc",
        "hello@acme.example",
    )


async def test_the_api_shows_what_was_submitted(
    door: Door, key: str, account: Account, api: Api, settings: Settings, rival: Organization
) -> None:
    message = letter(Cc="cc@x.example", Subject="Grüße aus Köln", Reply_To="Desk <desk@acme.example>", X_Kind="a")
    email_id = await door.send(key, message)
    _, shown = await api.get(f"/v1/emails/{email_id}")
    email = shown["data"]
    assert (email["from"], email["to"], email["cc"]) == (
        "Acme <hello@acme.example>",
        ["ann@x.example"],
        ["cc@x.example"],
    )
    assert (email["subject"], email["reply_to"], email["headers"]) == (
        "Grüße aus Köln",
        ["desk@acme.example"],
        {"x-kind": "a"},
    )
    assert (email["html"], email["text"]) == ("<p>Grüße</p>\n", "Grüße\n.\n..two dots\n")
    assert email["attachments"] == [{"filename": "Rechnung März.pdf", "content_type": "application/pdf", "size": 256}]
    assert (await api.get(f"/v1/emails/{email_id}/attachments/0"))[1] == bytes(range(256))
    assert (await api.get(f"/v1/emails/{email_id}/attachments/1"))[0] == 404

    stranger = Api(app_of(settings), await key_of(rival, "viewer"))
    assert (await stranger.get(f"/v1/emails/{email_id}"))[0] == 404
    assert (await stranger.get(f"/v1/emails/{email_id}/attachments/0"))[0] == 404


@pytest.mark.parametrize("options", [" SMTPUTF8 BODY=8BITMIME", ""])  # programs often do not declare it
async def test_addresses_and_headers_beyond_ascii_are_sent_with_smtputf8(
    door: Door, key: str, account: Account, smtp_server: SmtpServer, settings: Settings, options: str
) -> None:
    content = "From: hello@acme.example\r\nTo: müller@x.example\r\nSubject: Grüße\r\n\r\nHällo\r\n".encode()
    async with door.dialed(key) as client:
        assert (await client.submit(content, "müller@x.example", options=options)).startswith("250 ")
    await deliver_all(settings)
    (arrived,) = smtp_server.messages
    assert (arrived.recipients, ADDED.sub(b"", arrived.content).endswith(content)) == (["müller@x.example"], True)
    assert "SMTPUTF8" in arrived.options


async def test_a_body_with_eight_bits_is_accepted_without_8bitmime(
    door: Door, key: str, account: Account, smtp_server: SmtpServer, settings: Settings
) -> None:
    content = b"From: hello@acme.example\r\n\r\n\xff\xfe\xe4\r\n"
    async with door.dialed(key) as client:
        assert (await client.submit(content)).startswith("250 ")
    await deliver_all(settings)
    assert smtp_server.messages[0].content.endswith(b"\r\n\r\n\xff\xfe\xe4\r\n")


async def test_tags_are_kept_and_not_sent(
    door: Door, key: str, account: Account, smtp_server: SmtpServer, settings: Settings, acme: Organization
) -> None:
    message = letter()
    message["X-Pennypost-Tag"] = "kind=order"
    message["X-Pennypost-Tag"] = "shop=7"
    await door.send(key, message)
    assert (await Email.of(acme).get()).tags == [{"name": "kind", "value": "order"}, {"name": "shop", "value": "7"}]
    await deliver_all(settings)
    assert b"pennypost-tag" not in smtp_server.messages[0].content.lower()


async def test_an_idempotency_key_makes_one_email_whatever_a_program_makes_anew(
    door: Door, key: str, account: Account, acme: Organization, rival: Organization, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, rival)
    first = await door.send(key, letter(X_Pennypost_Idempotency_Key="order-1", Date="Sun, 29 Nov 2026 12:00:00 +0000"))
    again = await door.send(key, letter(X_Pennypost_Idempotency_Key="order-1", Date="Sun, 29 Nov 2026 12:00:09 +0000"))
    theirs = await door.send(await key_of(rival), letter(X_Pennypost_Idempotency_Key="order-1"))
    assert first == again != theirs
    other = letter(X_Pennypost_Idempotency_Key="order-1", Subject="Another").as_bytes(policy=SMTP)
    async with door.dialed(key) as client:
        assert (await client.submit(other.replace(b"\r\n.", b"\r\n.."))).startswith(
            "550 5.7.0 the Idempotency-Key was used"
        )
    assert await Email.of(acme).count() == 1


async def test_a_boundary_that_is_a_word_of_the_text_hides_no_difference(
    door: Door, key: str, account: Account, acme: Organization
) -> None:
    content = (
        b"From: hello@acme.example\r\nX-Pennypost-Idempotency-Key: order-1\r\n"
        b"Content-Type: multipart/mixed; boundary=un\r\n\r\n--un\r\n\r\nIt is %slikely.\r\n--un--\r\n"
    )
    async with door.dialed(key) as client:
        first = await client.submit(content % b"")
        assert (await client.submit(content % b"un")).startswith("550 5.7.0 the Idempotency-Key was used")
        assert await client.submit((content % b"").replace(b"=un", b"=new").replace(b"--un", b"--new")) == first
    assert await Email.of(acme).count() == 1


async def test_an_idempotency_key_is_of_the_account_that_the_user_name_picks(
    door: Door, key: str, account: Account, acme: Organization, smtp_server: SmtpServer
) -> None:
    other = await account_on(smtp_server, acme, name="Other")
    message = letter(X_Pennypost_Idempotency_Key="order-1")
    first = await door.send(key, message, user=other.account_key)
    assert await door.send(key, message, user=other.account_key) == first
    with pytest.raises(smtplib.SMTPDataError, match="the Idempotency-Key was used for another request"):
        await door.send(key, message, user=account.account_key)
    assert [email.account_id for email in await Email.of(acme)] == [other.id]


async def test_a_suppressed_recipient_is_accepted_and_its_row_failed(
    door: Door, key: str, account: Account, smtp_server: SmtpServer, settings: Settings, acme: Organization
) -> None:
    await make_suppression(acme, "ann@x.example")
    await door.send(key, letter(Cc="cc@x.example"))
    await deliver_all(settings)
    assert [arrived.recipients for arrived in smtp_server.messages] == [["cc@x.example"]]
    rows = {row.to_email: row.status for row in await MailLog.of(acme)}
    assert rows == {"ann@x.example": "failed", "cc@x.example": "sent"}
