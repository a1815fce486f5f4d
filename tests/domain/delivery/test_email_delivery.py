"""Transactional email from the API to the recipients' server: the one message that leaves, and the rows that tell of it."""

from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.mails import send
from tests.factories import account_on, make_contact, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.support.messages import parsed, part
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, SENT


async def the_message(settings: Settings, server: SmtpServer) -> EmailMessage:
    """The only message that arrives once everything is delivered."""
    await deliver_all(settings)
    (received,) = server.messages
    return parsed(received.content)


@pytest.mark.usefixtures("account")
async def test_one_message_goes_to_everyone_and_shows_nobody_in_bcc(
    api: Api, settings: Settings, smtp_server: SmtpServer
) -> None:
    row_id = await send(
        api,
        to=["Ada <ada@example.org>", "bob@example.org"],
        cc="Carol <carol@example.org>",
        bcc=["boss@example.org", "ADA@example.org"],
        reply_to=["help@acme.example"],
        headers={"X-Order": "42"},
    )
    message = await the_message(settings, smtp_server)
    (received,) = smtp_server.messages
    assert received.recipients == ["ada@example.org", "bob@example.org", "carol@example.org", "boss@example.org"]
    assert (message["To"], message["Cc"]) == ("Ada <ada@example.org>, bob@example.org", "Carol <carol@example.org>")
    assert (message["Reply-To"], message["X-Order"], message["Bcc"]) == ("help@acme.example", "42", None)
    assert b"boss@example.org" not in received.content
    _, logs = await api.get("/v1/mail-logs")
    assert [(row["to_email"], row["status"], row["email_id"]) for row in reversed(logs["data"])] == [
        (address, "sent", row_id) for address in received.recipients
    ]
    assert logs["data"][-1]["id"] == row_id  # the id of a send is that of its first `to` row
    assert (await api.get(f"/v1/emails/{row_id}"))[1]["data"]["status"] == "sent"


LINK = '<p>Dear Ada, <a href="https://acme.example/7">see here</a></p>'
BOTH = "multipart/alternative"


@pytest.mark.parametrize(
    ("fields", "kind", "plain"),
    [
        ({"html": LINK}, BOTH, "Dear Ada, see here <https://acme.example/7>"),
        ({"html": LINK, "text": "Another text"}, BOTH, "Another text"),
        ({"html": None, "text": "Text & nothing else"}, "text/plain", "Text & nothing else"),
    ],
)
@pytest.mark.usefixtures("account")
async def test_a_text_part_is_made_from_html_alone_and_no_html_from_text(
    api: Api, settings: Settings, smtp_server: SmtpServer, fields: dict[str, Any], kind: str, plain: str
) -> None:
    await send(api, **fields)
    message = await the_message(settings, smtp_server)
    assert (message.get_content_type(), part(message, "plain")) == (kind, plain)


@pytest.mark.usefixtures("account")
async def test_braces_of_inline_content_arrive_as_they_are(
    api: Api, settings: Settings, smtp_server: SmtpServer
) -> None:
    await send(api, subject="{{ name }} {% if %}", html="<p>{{ name | default: 1 }}</p>", text="{{ name }}")
    message = await the_message(settings, smtp_server)
    assert message["Subject"] == "{{ name }} {% if %}"
    assert part(message, "html") == "<p>{{ name | default: 1 }}</p>"
    assert part(message, "plain") == "{{ name }}"


@pytest.mark.usefixtures("account")
async def test_a_template_arrives_filled_in_escaped_in_html_and_on_one_line_in_the_subject(
    api: Api, account: Account, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    template = await make_template(acme, subject="Not this one", body="<p>{{ name }}{% if vip %}!{% endif %}</p>")
    chosen = {"id": str(template.id), "variables": {"name": "A <b>\r\nBcc: eve@example.org", "vip": True}}
    await send(api, html=None, template=chosen, subject="Hi {{ name }}")
    message = await the_message(settings, smtp_server)
    assert (message["Subject"], message["Bcc"]) == ("Hi A <b>Bcc: eve@example.org", None)
    assert part(message, "html").replace("\r\n", "\n") == "<p>A &lt;b&gt;\nBcc: eve@example.org!</p>"


@pytest.mark.usefixtures("account")
async def test_an_unsubscribed_contact_gets_its_transactional_mail(
    api: Api, account: Account, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await make_contact(acme, "ada@example.org", status="unsubscribed", unsubscribed_at=clock.now())
    await send(api)
    message = await the_message(settings, smtp_server)
    assert message["To"] == "ada@example.org"
    assert message["List-Unsubscribe"] is None


@pytest.mark.usefixtures("account")
async def test_a_scheduled_mail_goes_when_its_time_has_come(
    api: Api, settings: Settings, smtp_server: SmtpServer
) -> None:
    at = clock.now() + timedelta(seconds=1.5)
    later = await send(api, to="later@example.org", scheduled_at=at.isoformat())
    await send(api, to="now@example.org")
    await deliver_all(settings)
    assert smtp_server.recipients() == ["now@example.org", "later@example.org"]
    assert (await MailLog.across_orgs().get(id=later)).sent_at >= at
    assert (await api.get(f"/v1/emails/{later}"))[1]["data"]["scheduled_at"] is not None


async def statuses(row_id: str) -> list[str]:
    return [row.status for row in await MailLog.across_orgs().filter(email_id=row_id).order_by("id")]


async def test_with_less_of_the_day_left_than_it_has_recipients_a_mail_waits_whole(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme, daily_mail_limit=3, concurrency=1)
    first = await send(api, to=["a@example.org", "b@example.org"])
    second = await send(api, to=["c@example.org"], cc=["d@example.org"])
    await deliver_all(settings)
    assert (await statuses(first), await statuses(second)) == ([SENT] * 2, [DEFERRED] * 2)
    assert smtp_server.recipients() == ["a@example.org", "b@example.org"]
    assert (await api.get(f"/v1/emails/{second}"))[1]["data"]["status"] == "deferred"


async def test_with_more_recipients_than_the_daily_limit_a_mail_fails(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme, daily_mail_limit=2)
    row_id = await send(api, to=["a@example.org", "b@example.org"], bcc=["c@example.org"])
    await deliver_all(settings)
    assert (await statuses(row_id), smtp_server.messages) == ([FAILED] * 3, [])
    shown = (await api.get(f"/v1/emails/{row_id}"))[1]["data"]
    assert (shown["status"], shown["error"]) == (
        "failed",
        "the email has more recipients than the account's daily limit of 2",
    )


@pytest.mark.usefixtures("account")
async def test_it_is_sent_when_one_was_sent_and_failed_when_none_was(
    api: Api, rival_api: Api, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.refuse("gone@example.org", "550 5.1.1 no such user")
    mixed = await send(api, to=["gone@example.org", "ada@example.org"])
    none = await send(api, to=["gone@example.org"])
    await deliver_all(settings)
    found: dict[str, Any] = {row_id: (await api.get(f"/v1/emails/{row_id}"))[1]["data"] for row_id in (mixed, none)}
    assert [found[row_id]["status"] for row_id in (mixed, none)] == ["sent", "failed"]
    assert [(one["status"], one["error"]) for one in found[mixed]["recipients"]] == [
        ("failed", "550 5.1.1 no such user"),
        ("sent", None),
    ]
    assert (await rival_api.get(f"/v1/emails/{mixed}"))[0] == 404


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        (
            {"bcc": ["josé@example.org", "boss@example.org"]},
            {"ada@example.org", "carol@example.org", "boss@example.org"},
        ),
        ({"cc": "用户@example.org"}, set()),
        ({"from": "josé@acme.example"}, set()),
    ],
)
async def test_a_server_without_smtputf8_refuses_who_needs_it_and_all_where_a_header_does(
    acme: Organization, api: Api, settings: Settings, fields: dict[str, Any], sent: set[str]
) -> None:
    async with SmtpServer(smtputf8=False) as server:
        account = await account_on(server, acme)
        mail = {"to": "ada@example.org", "cc": "carol@example.org", "account_key": account.account_key} | fields
        await send(api, **mail)
        await deliver_all(settings)
        assert set(server.recipients()) == sent
    rows = {row.to_email: (row.status, row.error) for row in await MailLog.of(acme)}
    assert {address for address, (status, _) in rows.items() if status == SENT} == sent
    reason = "127.0.0.1 does not accept non-ASCII addresses (no SMTPUTF8 support)"
    assert {state for address, state in rows.items() if address not in sent} == {(FAILED, reason)}
