"""Rows for tests, each with what it needs and nothing more."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from itertools import count
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from tests.fakes.stream_server import StreamServer
from webapp import clock, crypto, db
from webapp.domain.accounts.credentials import seal_secret
from webapp.domain.sandbox.sandbox import store_mail
from webapp.models import (
    Account,
    ApiRequest,
    ApiRequestDetails,
    Attachment,
    BulkChange,
    Campaign,
    CampaignRun,
    CampaignRunAccount,
    Contact,
    ContactImport,
    Content,
    Email,
    EmailTag,
    Event,
    ImportChunk,
    Invitation,
    MailLog,
    Media,
    Organization,
    Segment,
    SegmentContact,
    SignUpForm,
    Suppression,
    Template,
    TemplateVersion,
    Topic,
    User,
    Webhook,
    WebhookAttempt,
)
from webapp.models.outbox.insert import NewRow, add_rows
from webapp.models.queries.contacts.segment_filter import filter_values
from webapp.models.topic import topic_key
from webapp.sending.webhook import new_secret

_INDEXES = count()  # of attachments, so that no two emails have the same


async def make_org(name: str = "Acme", **fields: Any) -> Organization:
    """An organization in UTC on the largest plan."""
    return await Organization.create(**{"name": name, "timezone": "UTC", "plan": "enterprise", **fields})


async def make_account(
    org: Organization, *, password: str | None = None, tokens: tuple[str, str] | None = None, **fields: Any
) -> Account:
    """An SMTP account on loopback, without login; `password` is sealed, and OAuth's access and refresh `tokens` are."""
    defaults = {
        "name": "Main",
        "provider_type": "smtp",
        "account_key": crypto.new_account_key(),
        "daily_mail_limit": 500,
        "smtp_host": "127.0.0.1",
        "smtp_port": 25,
        "smtp_security": "auto",
        "from_email": "hello@acme.example",
    }
    account = Account(org=org, **{**defaults, **fields})
    if password is not None:
        account.smtp_password = seal_secret(account, "smtp_password", password)
    for name, token in zip(("oauth_access_token", "oauth_refresh_token"), tokens or (), strict=False):
        setattr(account, name, seal_secret(account, name, token))
    await account.save(force_create=True)
    return account


async def account_on(server: StreamServer, org: Organization, **fields: Any) -> Account:
    """An account that sends through a server of the test."""
    return await make_account(org, **{"smtp_port": server.port, "smtp_security": "none", **fields})


async def make_mail(org: Organization, account: Account, *recipients: str, **fields: Any) -> list[UUID]:
    """A queued mail to `recipients` (default: one); returns the ids of its rows, the first is the email's."""
    content = await Content.create(org=org, subject="Hello", html="<p>Hello</p>", text=None)
    email = new_email(org, account, content, *(recipients or ("ann@example.org",)))
    rows = rows_of(email, **fields)
    async with db.write_transaction():
        await email.save(force_create=True)
        await add_rows(rows)
    return [row.id for row in rows]


async def tag_email(email_id: UUID, **tags: str) -> None:
    """Give a stored email these tags, by name."""
    email = await Email.get(id=email_id)
    await Email.filter(id=email_id).update(tags=[{"name": name, "value": value} for name, value in tags.items()])
    for tag in {*tags, *(f"{name}:{value}" for name, value in tags.items())}:
        await EmailTag.create(org_id=email.org_id, email_id=email_id, tag=tag)


def new_email(org: Organization, account: Account, content: Content, *recipients: str) -> Email:
    """An email to them that is to be saved with its rows."""
    row_id = uuid7()
    return Email(
        id=row_id,
        org=org,
        account_id=account.id,
        content_id=content.id,
        message_id=f"<{row_id.hex}@acme.example>",
        sender="Acme <hello@acme.example>",
        addresses={"to": list(recipients), "cc": [], "bcc": [], "reply_to": []},
        headers={},
        tags=[],
        variables={},
    )


def rows_of(email: Email, **fields: Any) -> list[NewRow]:
    """The rows of an email, of which the first has its id."""
    shared: dict[str, Any] = {"org_id": email.org_id, "kind": "transactional", "content_id": email.content_id}
    shared |= {"recipient_type": "to", "message_id": email.message_id, "email_id": email.id}
    shared |= {"account_id": email.account_id, "from_email": "hello@acme.example", **fields}
    return [
        NewRow(id=uuid7() if number else email.id, to_email=address, **shared)
        for number, address in enumerate(email.addresses["to"])
    ]


async def make_contact(org: Organization, email: str | None = None, **fields: Any) -> Contact:
    """A subscribed contact; without an address it gets one of its own."""
    row_id = uuid7()
    address = email or f"c{row_id.hex}@example.org"
    defaults: dict[str, Any] = {"email": address, "email_key": address.lower(), "custom_fields": {}}
    contact = Contact(**{"id": row_id, "org": org, "search_text": address.lower(), **defaults, **fields})
    contact.filter_values = filter_values(contact)
    await contact.save(force_create=True)
    return contact


async def make_segment(org: Organization, *members: Contact, name: str = "Readers") -> Segment:
    """A segment with these members."""
    segment = await Segment.create(org=org, name=name, name_key=name.casefold(), contact_count=len(members))
    for contact in members:
        await SegmentContact.create(org=org, segment=segment, contact=contact)
    return segment


async def make_import(org: Organization, **fields: Any) -> ContactImport:
    """An import of a file with an address, whose columns are to be chosen."""
    defaults: dict[str, Any] = {"file_name": "people.csv", "size_bytes": 22, "encoding": "utf-8", "delimiter": ","}
    defaults |= {"header": ["email"], "status": "uploaded", "made_by_name": "ada@acme.example"}
    found = await ContactImport.create(org=org, **{**defaults, **fields})
    await ImportChunk.create(contact_import=found, number=0, data=b"email\nada@example.org\n")
    return found


async def make_bulk_change(org: Organization, **fields: Any) -> BulkChange:
    """A change of all contacts that is still to be made."""
    row_id = uuid7()
    defaults: dict[str, Any] = {"action": "delete", "filters": {"q": "c"}, "total": 1, "last_id": row_id}
    return await BulkChange.create(id=row_id, org=org, **{**defaults, **fields})


async def make_template(org: Organization, **fields: Any) -> Template:
    """A template without merge tags."""
    defaults: dict[str, Any] = {"name": "Welcome", "subject": "Hello", "body": "<p>Hello</p>", "variables": []}
    return await Template.create(org=org, **{**defaults, **fields})


async def make_version(template: Template, **fields: Any) -> TemplateVersion:
    """A former content of the template."""
    defaults = {"subject": "Before", "kind": "html", "body": "<p>Before</p>", "saved_at": clock.now()}
    return await TemplateVersion.create(org_id=template.org_id, template=template, **{**defaults, **fields})


async def make_campaign(org: Organization, **fields: Any) -> Campaign:
    """A manual campaign that was never sent."""
    return await Campaign.create(org=org, **{"title": "News", **fields})


async def copy_row(row: MailLog | Email, ids: Sequence[UUID]) -> None:
    """Rows with these ids and all that a saved one has, but for its contact."""
    table = row.describe(serializable=False)["table"]
    (saved,) = await db.fetch(f"SELECT * FROM {table} WHERE id = $1", row.id)
    values = {name: value for name, value in saved.items() if name not in ("id", "contact_id") and value is not None}
    places = ", ".join(f"${number + 1}" for number in range(len(values) + 1))
    statement = f"INSERT INTO {table} (id, {', '.join(values)}) VALUES ({places})"
    await db.run_many(statement, [(row_id, *values.values()) for row_id in ids])


async def make_run(org: Organization, accounts: Sequence[Account], recipients: int) -> tuple[CampaignRun, list[UUID]]:
    """A run under way with its rows waiting, served by `accounts`."""
    content = await Content.create(org=org, subject="News", html="<p>News</p>", text=None)
    run = await CampaignRun.create(
        org=org, campaign_id=uuid7(), trigger="api", trigger_key=str(uuid7()), content_id=content.id, materialised=True
    )
    for account in accounts:
        await CampaignRunAccount.create(run=run, account_id=account.id)
    shared: dict[str, Any] = {"org_id": org.id, "kind": "campaign", "content_id": content.id, "recipient_type": "to"}
    shared |= {"campaign_id": run.campaign_id, "campaign_run_id": run.id}
    ids = [uuid7() for _ in range(recipients)]
    rows = [
        NewRow(
            id=row_id,
            to_email=f"reader{number}@example.org",
            message_id=f"<{row_id.hex}@acme.example>",
            contact_id=uuid7(),
            **shared,
        )
        for number, row_id in enumerate(ids)
    ]
    async with db.write_transaction():
        await add_rows(rows)
    return run, ids


async def make_suppression(org: Organization, email: str, **fields: Any) -> Suppression:
    """A suppressed address or domain."""
    return await Suppression.create(
        **{"org": org, "email": email, "email_key": email.lower(), "reason": "bounce", **fields}
    )


async def make_media(org: Organization, **fields: Any) -> Media:
    """A picture whose file is nowhere."""
    defaults = {"hash": uuid7().hex * 2, "name": "logo.png", "type": "image/png", "width": 2, "height": 1, "bytes": 1}
    return await Media.create(org=org, **{**defaults, **fields})


async def make_one_of_each(org: Organization, account: Account, **campaign: Any) -> dict[str, str]:
    """One of everything, with a run that has failed and can be retried; ids by the names that they have in paths."""
    contact = await make_contact(org)
    segment, template = await make_segment(org, contact), await make_template(org)
    made = await make_campaign(org, segment=segment, template=template, **campaign)
    run, (row_id,) = await make_run(org, [account], 1)
    await CampaignRun.filter(id=run.id).update(campaign_id=made.id, status="completed")
    await MailLog.filter(id=row_id).update(campaign_id=made.id, contact_id=contact.id, status="failed")
    (mail_id,) = await make_mail(org, account)
    await Email.filter(id=mail_id).update(scheduled_at=clock.now())
    index = next(_INDEXES)
    file: dict[str, Any] = {"filename": "a.txt", "content_type": "text/plain", "size": 2, "data": b"hi"}
    await Attachment.create(org=org, email_id=mail_id, position=index, **file)
    event = await Event.create(org=org, type="contact.updated", data={}, contact_id=contact.id, campaign_id=made.id)
    rows = {"account": account, "contact": contact, "segment": segment, "template": template, "campaign": made}
    rows |= {"form": await make_form(org), "topic": await make_topic(org)}
    rows["version"] = await make_version(template)
    rows["suppression"] = await make_suppression(org, f"{uuid7().hex}@example.net")
    rows["media"] = await make_media(org, name="terms.pdf", type="application/pdf", width=0, height=0)
    rows["mail"] = await store_mail(org.id, "a@acme.example", ["b@acme.example"], b"Subject: x\r\n\r\nhi\r\n")
    webhook = await make_webhook(org)
    attempt = await make_webhook_attempt(webhook, event.id)
    rows |= {"webhook": webhook, "event": event, "attempt": attempt}
    ids = {f"{name}_id": str(row.id) for name, row in rows.items()} | {"run_id": str(run.id)}
    return ids | {
        "email_id": str(mail_id),
        "attachment_index": str(index),
        "mail_log_id": str(row_id),
        "account_key": account.account_key,
    }


async def make_form(org: Organization, **fields: Any) -> SignUpForm:
    return await SignUpForm.create(org=org, **{"key": secrets.token_urlsafe(16), "name": "Newsletter", **fields})


async def make_topic(org: Organization, **fields: Any) -> Topic:
    """A topic that everybody gets who did not leave."""
    name = fields.pop("name", f"Topic {next(_INDEXES)}")
    return await Topic.create(
        org=org, **{"name": name, "name_key": topic_key(name), "default_subscription": "opt_in", **fields}
    )


async def make_webhook(org: Organization, url: str = "https://example.com/hooks", **fields: Any) -> Webhook:
    """A webhook of everything; nothing can be posted to its URL."""
    webhook = Webhook(**{"id": uuid7(), "org": org, "url": url, "events": ["*"], **fields})
    webhook.secret = crypto.seal(new_secret(), webhook.binding("secret"))
    await webhook.save(force_create=True)
    return webhook


async def make_webhook_attempt(webhook: Webhook, event_id: UUID | str, **fields: Any) -> WebhookAttempt:
    """A request to a webhook that it refused."""
    defaults = {"org_id": webhook.org_id, "webhook_id": webhook.id, "event_id": event_id, "number": 1}
    answer = {"response_status": 500, "answer": "no", "milliseconds": 12}
    return await WebhookAttempt.create(**{**defaults, **answer, **fields})


async def make_api_request(org: Organization, **fields: Any) -> ApiRequest:
    """A request of the log."""
    defaults = {"method": "GET", "path": "/v1", "status": 200, "duration_ms": 1, "address": "::1", "request_id": "x"}
    return await ApiRequest.create(**{"org": org, **defaults, **fields})


async def make_request_details(org: Organization, request: ApiRequest, **fields: Any) -> ApiRequestDetails:
    """Details of a request of the log: no headers and no bodies by default."""
    bodies = {"request_body": "", "request_body_is_cut": False, "response_body": "", "response_body_is_cut": False}
    return await ApiRequestDetails.create(
        **{"id": request.id, "org": org, "query": "", "headers": "[]", **bodies, **fields}
    )


async def make_invitation(org: Organization, inviter: User | None = None, **fields: Any) -> Invitation:
    """An invitation whose link nobody knows, open for a week; without an inviter it is void."""
    now = clock.now()
    defaults: dict[str, Any] = {"email": "new@acme.example", "role": "viewer", "sent_at": now}
    defaults |= {"token_hash": crypto.digest(crypto.new_token()), "expires_at": now + timedelta(days=7)}
    return await Invitation.create(org=org, inviter=inviter, **{**defaults, **fields})


async def want_mail(org: Organization, run: CampaignRun) -> None:
    """Give the run's rows contacts."""
    for row in await MailLog.of(org).filter(campaign_run_id=run.id):
        await MailLog.of(org).filter(id=row.id).update(contact_id=(await make_contact(org)).id)
