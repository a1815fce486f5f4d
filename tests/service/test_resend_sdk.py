"""The official `resend` package as a client: its address set to ours, nothing else of it changed."""

import asyncio
import base64
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import resend
from resend.exceptions import ResendError

from tests.api.mails import MAIL
from tests.apps import app_of
from tests.factories import account_on, make_segment
from tests.fakes.served import served
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.support.messages import parsed
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key
from webapp.models import MailLog, Organization

PDF = bytes(range(256)) * 400


@pytest.fixture(autouse=True)
async def client(settings: Settings, acme: Organization, smtp_server: SmtpServer) -> AsyncIterator[None]:
    """The package, told where to go and with which key."""
    await account_on(smtp_server, acme)
    issued = await issue_key(acme, NewKey(name="sdk", role="sender"))
    async with served(app_of(settings)) as address:
        before = resend.api_url, resend.api_key
        resend.api_url, resend.api_key = f"{address}/v1", issued.secret
        yield
        resend.api_url, resend.api_key = before


async def call(method: Callable[..., Any], *args: Any) -> Any:
    """What the package answers; it waits for its answers, so it has a thread."""
    return await asyncio.to_thread(method, *args)


async def test_a_mail_with_attachments(settings: Settings, smtp_server: SmtpServer) -> None:
    files = [
        {"filename": "list.pdf", "content": list(PDF)},
        {"filename": "base64.pdf", "content": base64.b64encode(PDF).decode()},
        {"filename": "logo.png", "content": list(b"logo"), "inline_content_id": "logo"},
    ]
    more = {"cc": "bob@example.org", "headers": {"X-Order": "42"}, "tags": [{"name": "kind", "value": "invoice"}]}
    answer = await call(resend.Emails.send, MAIL | more | {"subject": "Grüße", "attachments": files})
    shown = (await call(resend.Emails.get, answer["id"]))["data"]
    assert (shown["id"], shown["tags"]) == (answer["id"], [{"name": "kind", "value": "invoice"}])
    assert [file["size"] for file in shown["attachments"]] == [len(PDF), len(PDF), 4]
    await deliver_all(settings)
    (received,) = smtp_server.messages
    assert received.recipients == ["ada@example.org", "bob@example.org"]
    message = parsed(received.content)
    assert (message["Subject"], message["X-Order"]) == ("Grüße", "42")
    arrived = {part.get_filename(): part.get_content() for part in message.walk() if part.get_filename()}
    assert arrived == {"list.pdf": PDF, "base64.pdf": PDF, "logo.png": b"logo"}


async def test_the_idempotency_key_of_its_options() -> None:
    first, second = [await call(resend.Emails.send, MAIL, {"idempotency_key": "order-1"}) for _ in range(2)]
    assert first["id"] == second["id"]
    assert second["http_headers"]["idempotency-replayed"] == "true"
    assert await MailLog.all().count() == 1
    with pytest.raises(ResendError) as refused:
        await call(resend.Emails.send, MAIL | {"subject": "Other"}, {"idempotency_key": "order-1"})
    assert refused.value.code == 409


async def test_contacts_and_templates(acme: Organization) -> None:
    editor = await issue_key(acme, NewKey(name="editor", role="editor"))
    resend.api_key = editor.secret
    segment = await make_segment(acme)
    names = {"first_name": "Ada", "last_name": "Lovelace"}
    more = {"properties": {"company": "Acme"}, "segments": [{"id": str(segment.id)}], "unsubscribed": True}
    made = (await call(resend.Contacts.create, {"email": "ada@example.org", **names, **more}))["data"]
    assert made.items() >= {**names, "custom_fields": {"company": "Acme"}, "status": "unsubscribed"}.items()
    listed = await call(resend.Contacts.list, None, None, str(segment.id))
    assert [one["id"] for one in listed["data"]] == [made["id"]]
    change = {"id": made["id"], "unsubscribed": False, "properties": {"seats": 3}, "first_name": "Augusta"}
    changed = (await call(resend.Contacts.update, change))["data"]
    assert (changed["status"], changed["first_name"]) == ("subscribed", "Augusta")
    assert changed["custom_fields"] == {"company": "Acme", "seats": 3}
    template = await call(resend.Templates.create, {"name": "Welcome", "subject": "Hello", "html": "<p>Hi</p>"})
    assert template["data"]["body"] == "<p>Hi</p>"
    template = await call(resend.Templates.update, {"id": template["data"]["id"], "html": "<p>Bye</p>"})
    assert template["data"]["body"] == "<p>Bye</p>"


async def test_refusals_come_with_their_status_and_message() -> None:
    with pytest.raises(ResendError) as refused:
        await call(resend.Emails.send, MAIL | {"to": []})
    assert (refused.value.code, refused.value.message) == (400, "to must have at least 1 item, not 0")
    resend.api_key = "svc_live_wrong"
    with pytest.raises(ResendError) as refused:
        await call(resend.Emails.send, MAIL)
    assert (refused.value.code, refused.value.message) == (401, "Invalid API key")
