"""Transactional email from the API to the recipients' server: the one message that leaves, and the rows that tell of it."""

import asyncio
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest

from tests.api.conftest import Api, make_api
from tests.api.mails import send
from tests.factories import account_on, make_contact, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.support.messages import parsed, part
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, PENDING, SENDING, SENT

PATIENCE = 30.0  # seconds


async def nothing_waits() -> bool:
    return not await MailLog.across_orgs().filter(status__in=[PENDING, SENDING]).exists()


async def deliver(settings: Settings) -> None:
    async with working(settings):
        await eventually(nothing_waits, PATIENCE)


async def the_message(settings: Settings, server: SmtpServer) -> EmailMessage:
    """The only message that arrives once everything is delivered."""
    await deliver(settings)
    (received,) = server.messages
    return parsed(received.content)


async def test_one_message_goes_to_everyone_and_shows_nobody_in_bcc(
    api: Api, account: Account, settings: Settings, smtp_server: SmtpServer
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
    for row in logs["data"]:
        _, shown = await api.get(f"/v1/emails/{row['id']}")
        assert (shown["data"]["id"], shown["data"]["status"]) == (row_id, "sent")


async def test_a_missing_text_part_is_made_from_the_html(
    api: Api, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    await send(api, html='<p>Dear Ada, <a href="https://acme.example/7">see here</a></p>')
    message = await the_message(settings, smtp_server)
    assert message.get_content_type() == "multipart/alternative"
    assert part(message, "plain") == "Dear Ada, see here <https://acme.example/7>"


async def test_a_given_text_part_stays_and_text_alone_makes_no_html(
    api: Api, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    await send(api, text="Another text")
    assert part(await the_message(settings, smtp_server), "plain") == "Another text"
    smtp_server.messages.clear()
    await send(api, html=None, text="Text & nothing else")
    message = await the_message(settings, smtp_server)
    assert (message.get_content_type(), part(message, "plain")) == ("text/plain", "Text & nothing else")


async def test_braces_of_inline_content_arrive_as_they_are(
    api: Api, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    await send(api, subject="{{ name }} {% if %}", html="<p>{{ name | default: 1 }}</p>", text="{{ name }}")
    message = await the_message(settings, smtp_server)
    assert message["Subject"] == "{{ name }} {% if %}"
    assert part(message, "html") == "<p>{{ name | default: 1 }}</p>"
    assert part(message, "plain") == "{{ name }}"


async def test_a_template_arrives_filled_in_escaped_in_html_and_on_one_line_in_the_subject(
    api: Api, account: Account, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    template = await make_template(acme, subject="Not this one", body="<p>{{ name }}{% if vip %}!{% endif %}</p>")
    chosen = {"id": str(template.id), "variables": {"name": "A <b>\r\nBcc: eve@example.org", "vip": True}}
    await send(api, html=None, template=chosen, subject="Hi {{ name }}")
    message = await the_message(settings, smtp_server)
    assert (message["Subject"], message["Bcc"]) == ("Hi A <b>Bcc: eve@example.org", None)
    assert part(message, "html").replace("\r\n", "\n") == "<p>A &lt;b&gt;\nBcc: eve@example.org!</p>"


async def test_an_unsubscribed_contact_gets_its_transactional_mail(
    api: Api, account: Account, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await make_contact(acme, "ada@example.org", status="unsubscribed", unsubscribed_at=clock.now())
    await send(api)
    message = await the_message(settings, smtp_server)
    assert message["To"] == "ada@example.org"
    assert message["List-Unsubscribe"] is None


async def test_a_scheduled_mail_goes_when_its_time_has_come(
    api: Api, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    at = clock.now() + timedelta(seconds=1.5)
    later = await send(api, to="later@example.org", scheduled_at=at.isoformat())
    await send(api, to="now@example.org")
    async with working(settings):
        await asyncio.sleep((at - clock.now()).total_seconds())
        await eventually(nothing_waits, PATIENCE)
    assert smtp_server.recipients() == ["now@example.org", "later@example.org"]
    _, shown = await api.get(f"/v1/emails/{later}")
    assert (await MailLog.across_orgs().get(id=later)).sent_at >= at
    assert shown["data"]["scheduled_at"] is not None


async def statuses(row_id: str) -> list[str]:
    return [row.status for row in await MailLog.across_orgs().filter(email_id=row_id).order_by("id")]


async def test_with_less_of_the_day_left_than_it_has_recipients_a_mail_waits_whole(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme, daily_mail_limit=3, concurrency=1)
    first = await send(api, to=["a@example.org", "b@example.org"])
    second = await send(api, to=["c@example.org"], cc=["d@example.org"])
    await deliver(settings)
    assert (await statuses(first), await statuses(second)) == ([SENT] * 2, [DEFERRED] * 2)
    assert smtp_server.recipients() == ["a@example.org", "b@example.org"]
    assert (await api.get(f"/v1/emails/{second}"))[1]["data"]["status"] == "deferred"


async def test_with_more_recipients_than_the_daily_limit_a_mail_fails(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme, daily_mail_limit=2)
    row_id = await send(api, to=["a@example.org", "b@example.org"], bcc=["c@example.org"])
    await deliver(settings)
    assert (await statuses(row_id), smtp_server.messages) == ([FAILED] * 3, [])
    shown = (await api.get(f"/v1/emails/{row_id}"))[1]["data"]
    assert (shown["status"], shown["error"]) == (
        "failed",
        "the email has more recipients than the account's daily limit of 2",
    )


async def test_it_is_sent_when_one_was_sent_and_failed_when_none_was(
    api: Api, rival: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.refuse("gone@example.org", "550 5.1.1 no such user")
    rival_api = await make_api(api.app, rival)
    mixed = await send(api, to=["gone@example.org", "ada@example.org"])
    none = await send(api, to=["gone@example.org"])
    await deliver(settings)
    found: dict[str, Any] = {row_id: (await api.get(f"/v1/emails/{row_id}"))[1]["data"] for row_id in (mixed, none)}
    assert [found[row_id]["status"] for row_id in (mixed, none)] == ["sent", "failed"]
    assert [(one["status"], one["error"]) for one in found[mixed]["recipients"]] == [
        ("failed", "550 5.1.1 no such user"),
        ("sent", None),
    ]
    assert (await rival_api.get(f"/v1/emails/{mixed}"))[0] == 404


async def test_a_mail_that_is_on_its_way_cannot_be_cancelled_any_more(
    api: Api, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.delay("DOT", 0.5)
    row_id = await send(api)
    async with working(settings):
        await eventually(lambda: is_on_its_way(row_id), PATIENCE)
        status, body = await api.post(f"/v1/emails/{row_id}/cancel")
        assert (status, body["error"]) == (409, "Conflict")
        await eventually(nothing_waits, PATIENCE)
    assert await statuses(row_id) == [SENT]
    assert (await api.post(f"/v1/emails/{row_id}/cancel"))[0] == 409


async def is_on_its_way(row_id: str) -> bool:
    return await statuses(row_id) == [SENDING]


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
        await deliver(settings)
        assert set(server.recipients()) == sent
    rows = {row.to_email: (row.status, row.error) for row in await MailLog.of(acme)}
    assert {address for address, (status, _) in rows.items() if status == SENT} == sent
    reason = "127.0.0.1 does not accept non-ASCII addresses (no SMTPUTF8 support)"
    assert {state for address, state in rows.items() if address not in sent} == {(FAILED, reason)}
