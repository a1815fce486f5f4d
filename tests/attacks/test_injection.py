"""What callers, contacts and servers say, on the wire, in the log and on pages (S33, S34, S37)."""

import logging
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.mails import MAIL
from tests.factories import account_on, make_campaign, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.pages.conftest import Visitor
from tests.support.messages import parsed
from webapp.config import Settings
from webapp.models import Account, Contact, Email, MailLog, Organization

BREAKS = ["\r", "\n", "\r\n", "\0", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1b"]
FILE = {"filename": "a.txt", "content": ""}
EVIL = "x{brk}Bcc: eve@example.org"
NO_NAMES = ("", " ", "X Y", "X:", "X-A:b", "X-Ä", "X\tA", "X_A", "X\r\nBcc", "Bcc ", " Bcc", "x" * 77)
WRITTEN = (
    "From", "To", "Cc", "Bcc", "Subject", "Reply-To", "Sender", "Return-Path", "Received", "Message-ID", "Date",
    "DKIM-Signature", "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Content-Anything",
)  # fmt: skip
COMMAND = "r@x>\r\nRCPT TO:<eve@example.org"
OURS = {
    "From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
    "List-Unsubscribe", "List-Unsubscribe-Post", "Feedback-ID",
}  # fmt: skip


@pytest.fixture
async def account(acme: Organization, smtp_server: SmtpServer) -> Account:
    return await account_on(smtp_server, acme)


async def test_no_line_break_passes_the_api(api: Api, account: Account) -> None:
    for evil, brk in ((EVIL.format(brk=brk), brk) for brk in BREAKS):
        for fields in (
            {"subject": evil},
            {"from": f"{evil} <hello@acme.example>"},
            *({field: [f"{evil} <ada@example.org>"]} for field in ("to", "cc", "bcc", "reply_to")),
            {"headers": {"X-A": evil}},
            {"headers": {evil: "x"}},
            {"headers": {f"X-A{brk}": "x"}},
            {"attachments": [FILE | {"filename": evil}]},
            {"attachments": [FILE | {"content_type": f"text/plain{brk}X: y"}]},
            {"attachments": [FILE | {"content_id": f"a{brk}X: y"}]},
            {"tags": [{"name": f"a{brk}", "value": "b"}]},
        ):
            status, body = await api.post("/v1/emails", MAIL | fields)
            assert (status, body["error"]) == (400, "ValidationError"), fields
        for name in ("first_name", "last_name", "phone"):
            assert (await api.post("/v1/contacts", {"email": "ada@example.org", name: evil}))[0] == 400
    assert await Email.all().count() == await Contact.all().count() == 0


async def test_no_header_name_passes_that_is_none_or_ours(api: Api, account: Account) -> None:
    for name in (*NO_NAMES, *WRITTEN, *map(str.lower, WRITTEN), *map(str.upper, WRITTEN)):
        status, body = await api.post("/v1/emails", MAIL | {"headers": {"X-Fine": "1", name: "eve@example.org"}})
        assert (status, body["details"][0]["field"]) == (400, "headers"), name
    assert await Email.all().count() == 0


async def test_no_smtp_command_passes_the_api(api: Api, account: Account) -> None:
    for address in (COMMAND, f"Ada <{COMMAND}>", "ada@example.org> SIZE=1", "<ada@example.org"):
        for field in ("from", "to", "cc", "bcc", "reply_to"):
            assert (await api.post("/v1/emails", MAIL | {field: address}))[0] == 400, (field, address)
    assert await Email.all().count() == 0


async def test_values_of_contacts_make_no_header_and_no_command(
    api: Api, acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    """Custom fields may hold line breaks: they are text. Only a subject must be one line."""
    template = await make_template(acme, subject="Hi {{ note }}", body="{{ note }}", variables=["note"])
    segment = await make_segment(acme)
    for number, brk in enumerate(BREAKS[:3] + BREAKS[4:]):
        note = EVIL.format(brk=brk) + f"{brk}.{brk}RCPT TO:<eve@example.org>{brk}=?utf-8?q?=0D=0ABcc:_eve?="
        contact = {"email": f"ada{number}@example.org", "custom_fields": {"note": note}}
        assert (await api.post(f"/v1/segments/{segment.id}/contacts", contact))[0] == 200
    campaign = await make_campaign(acme, segment=segment, template=template)
    assert (await api.post(f"/v1/campaigns/{campaign.id}/send", {}))[0] == 200
    await deliver_all(settings)
    assert len(smtp_server.messages) == len(BREAKS) - 1
    for mail in smtp_server.messages:
        message = parsed(mail.content)
        assert set(message.keys()) <= OURS
        assert len(message.keys()) == len(set(message.keys()))
        assert not message.defects
        (recipient,) = mail.recipients
        assert recipient.startswith("ada")


async def test_a_servers_hostile_words_are_short_text_everywhere(
    api: Api, account: Account, owner: Visitor, settings: Settings, smtp_server: SmtpServer, caplog: Any
) -> None:
    caplog.set_level(logging.INFO)
    markup = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    words = f"550 5.7.1 {markup} \x1b[31mred \u202e{{{{ 7*7 }}}} " + "x" * 3_000
    smtp_server.reply("RCPT", words)
    _, sent = await api.post("/v1/emails", MAIL)
    await deliver_all(settings)
    row = await MailLog.of(await account.org).get(id=sent["id"])
    assert row.error.isprintable()
    assert len(row.error) <= 1_010
    for path in ("/home", "/mail-logs", f"/mail-logs/{row.id}", f"/accounts/{account.id}"):
        page = await owner.get(path)
        assert page.status == 200
        assert not page.soup.select("img[onerror]"), path
        assert page.soup.find("script", string="alert(1)") is None, path
    assert markup in (await owner.get(f"/mail-logs/{row.id}")).text
    assert not [one for one in caplog.records if "\x1b" in one.getMessage() or "\n" in one.getMessage()]
