"""Adds, changes and deletes webhooks, and rotates their signing secrets."""

from datetime import timedelta
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema
from uuid_utils.compat import uuid7

from webapp import clock, crypto, db
from webapp.config import settings
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.inputs import Input, OneLine, examples, partial
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.domain.plans import limits
from webapp.errors import NotFound, ValidationError
from webapp.models import Organization, Webhook
from webapp.models.event import EventType, WebhookStatus
from webapp.models.queries import webhook_outbox
from webapp.models.usage import Metric
from webapp.sending.host_policy import HostPolicy, HostRefused, HostUnknown, LookupFailed
from webapp.sending.webhook import check_url, new_secret, resolve_url

URL_LENGTH = 2_000
SETTLE_SECONDS = 8.0
FORMER_SECRET = timedelta(hours=24)  # for which the former secret signs too
SECRETS = ("secret", "former_secret")  # encrypted columns
SUBSCRIBABLE = tuple(kind.value for kind in EventType if kind != EventType.WEBHOOK_TEST)

LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
TOP_LABEL = "[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
PORT = "6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3}"
PATTERN = rf"^(https://({LABEL}\.)*|http://){TOP_LABEL}(:({PORT}))?(/[!\"$-~]*)?$"


def _known(events: list[str]) -> list[str]:
    unknown = [name for name in events if name != "*" and name not in SUBSCRIBABLE]
    if unknown:
        raise ValueError(f"has an unknown type: {unknown[0]}; use * for all, or some of {', '.join(SUBSCRIBABLE)}")
    if not events:
        raise ValueError("must name an event type, or * for all")
    return list(dict.fromkeys(events))


Url = Annotated[
    str,
    StringConstraints(max_length=URL_LENGTH),
    OneLine,
    AfterValidator(check_url),
    WithJsonSchema({"type": "string", "maxLength": URL_LENGTH, "pattern": PATTERN}),
]
Subscribed = Annotated[
    list[str],
    Field(max_length=100),
    AfterValidator(_known),
    WithJsonSchema({"type": "array", "items": {"type": "string", "enum": ["*", *SUBSCRIBABLE]}, "minItems": 1}),
]


class NewWebhook(Input):
    """An endpoint. `*` is every event but those of single recipients of campaigns, which come by their names."""

    model_config = examples({"url": "https://example.com/webhooks", "events": ["email.bounced"]})

    url: Url = Field(description="Where events are posted to: https, or http to an allowed private host.")
    events: Subscribed = Field(description="The types of events to post, or `*`.")


@partial(NewWebhook)
class WebhookChanges(Input):
    """The fields to change; omitted fields keep their values."""

    model_config = examples({"status": "disabled"})

    status: Literal["enabled", "disabled"] | None = Field(
        default=None, description="A disabled webhook gets nothing; events that come meanwhile can be replayed."
    )


class IssuedWebhook(NamedTuple):
    webhook: Webhook
    signing_secret: str  # shown once


def open_secrets(webhook: Webhook) -> list[str]:
    """The secrets that currently sign. Raises ConfigError if no secret key decrypts one."""
    secrets = [crypto.unseal(webhook.secret, webhook.binding("secret"))]
    if webhook.former_secret is not None and webhook.former_until is not None and webhook.former_until > clock.now():
        secrets.append(crypto.unseal(webhook.former_secret, webhook.binding("former_secret")))
    return secrets


async def list_webhooks(org: Organization, page: Page) -> Listed[Webhook]:
    return await fetch_page(Webhook.of(org).order_by("-id"), page)


find_webhook = Webhook.one_of


async def add_webhook(org: Organization, data: NewWebhook) -> IssuedWebhook:
    """Raises ValidationError for a forbidden URL, PlanLimitExceeded."""
    await _validate_host(org, data.url)
    secret, webhook = new_secret(), Webhook(id=uuid7(), org_id=org.id, url=data.url, events=data.events)
    webhook.secret = crypto.seal(secret, webhook.binding("secret"))
    async with db.write_transaction():
        await limits.consume(org, Metric.WEBHOOKS)
        await webhook.save(force_create=True)
        await record(org, AuditAction.WEBHOOK_ADDED, webhook.id, webhook.url, events=webhook.events)
    return IssuedWebhook(webhook, secret)


async def change_webhook(org: Organization, webhook: Webhook, data: WebhookChanges) -> Webhook:
    """Locks the webhook. Raises ValidationError for a forbidden URL, NotFound if it was deleted."""
    fields = {name: value for name, value in data.given().items() if value is not None}
    if "url" in fields:
        await _validate_host(org, fields["url"])
    async with db.write_transaction():
        locked = await _lock(org, webhook.id)
        changes = {
            name: [getattr(locked, name), value] for name, value in fields.items() if getattr(locked, name) != value
        }
        locked.update_from_dict(fields)
        if "status" in changes:
            locked.update_from_dict({"disabled_reason": None, "failing_since": None, "is_announced": False})
        await locked.save()
        if changes:
            await record(org, AuditAction.WEBHOOK_CHANGED, locked.id, locked.url, **changes)
    if locked.status == WebhookStatus.DISABLED:
        await settle(locked.id, SETTLE_SECONDS)
    return locked


async def rotate_secret(org: Organization, webhook: Webhook) -> IssuedWebhook:
    """Both secrets sign for FORMER_SECRET. Locks the webhook; raises NotFound if it was deleted."""
    secret = new_secret()
    async with db.write_transaction():
        locked = await _lock(org, webhook.id)
        former = crypto.unseal(locked.secret, locked.binding("secret"))
        locked.former_secret = crypto.seal(former, locked.binding("former_secret"))
        locked.former_until = clock.now() + FORMER_SECRET
        locked.secret = crypto.seal(secret, locked.binding("secret"))
        await locked.save()
        await record(org, AuditAction.WEBHOOK_ROTATED, locked.id, locked.url)
    return IssuedWebhook(locked, secret)


async def delete_webhook(org: Organization, webhook: Webhook) -> None:
    """Deletes the webhook, then its deliveries and attempts in batches. Raises NotFound if it was deleted before."""
    async with db.write_transaction():
        await limits.release(org, Metric.WEBHOOKS, 0)  # locks the counter first, as adding does
        locked = await _lock(org, webhook.id)
        locked.status = WebhookStatus.DELETED
        await locked.save(update_fields=["status"])
        await limits.release(org, Metric.WEBHOOKS)
        await record(org, AuditAction.WEBHOOK_DELETED, locked.id, locked.url)
    await settle(locked.id, SETTLE_SECONDS)


async def settle(webhook_id: UUID, seconds: float) -> None:
    """Fails the waiting deliveries of a disabled webhook, or deletes the rows of a deleted one; a worker continues."""
    await db.in_batches(lambda: webhook_outbox.settle(webhook_id), seconds)


async def finish_settling(seconds: float) -> None:
    """Continues what requests did not finish."""
    until = clock.elapsed() + seconds
    for webhook_id in await webhook_outbox.unsettled():
        await settle(webhook_id, until - clock.elapsed())


async def _lock(org: Organization, webhook_id: UUID) -> Webhook:
    webhook = await Webhook.of(org).select_for_update(no_key=True).get_or_none(id=webhook_id)
    if webhook is None:
        raise NotFound
    return webhook


async def _validate_host(org: Organization, url: str) -> None:
    """Raises ValidationError for a forbidden host or port; may take 10 s."""
    try:
        await resolve_url(url, HostPolicy.of(settings(), org.id))
    except HostRefused as error:
        subject = f"the host {urlsplit(url).hostname}" if error.about == "host" else "the port"
        raise ValidationError.about("url", f"{subject} {error}") from None
    except (HostUnknown, LookupFailed):
        return  # the host may resolve later
