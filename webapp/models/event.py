"""Events, and the webhooks that receive them."""

from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from tortoise import fields
from tortoise.queryset import QuerySet

from webapp.models.base.indexes import IndexWhere
from webapp.models.base.org_model import OrgModel
from webapp.models.organization import Organization


class EventType(StrEnum):
    EMAIL_SCHEDULED = "email.scheduled"
    EMAIL_QUEUED = "email.queued"
    EMAIL_SENT = "email.sent"
    EMAIL_DELIVERY_DELAYED = "email.delivery_delayed"
    EMAIL_FAILED = "email.failed"
    EMAIL_BOUNCED = "email.bounced"
    EMAIL_COMPLAINED = "email.complained"
    EMAIL_DELIVERED = "email.delivered"
    EMAIL_SUPPRESSED = "email.suppressed"
    EMAIL_CANCELED = "email.canceled"
    EMAIL_OPENED = "email.opened"
    EMAIL_CLICKED = "email.clicked"
    CONTACT_CREATED = "contact.created"
    CONTACT_CONFIRMED = "contact.confirmed"
    CONTACT_UPDATED = "contact.updated"
    CONTACT_DELETED = "contact.deleted"
    CONTACT_UNSUBSCRIBED = "contact.unsubscribed"
    CONTACT_SUBSCRIBED = "contact.subscribed"
    CONTACT_TOPIC_CHANGED = "contact.topic_changed"
    FORM_SUBMITTED = "form.submitted"
    SEGMENT_JOINED = "segment.joined"
    SEGMENT_LEFT = "segment.left"
    CAMPAIGN_STARTED = "campaign.started"
    CAMPAIGN_COMPLETED = "campaign.completed"
    CAMPAIGN_HALTED = "campaign.halted"
    ACCOUNT_ERROR = "account.error"
    ACCOUNT_RECOVERED = "account.recovered"
    SUPPRESSION_ADDED = "suppression.added"
    SUPPRESSION_REMOVED = "suppression.removed"
    WEBHOOK_TEST = "webhook.test"


def _unchecked_org() -> fields.ForeignKeyRelation[Organization]:
    """Unconstrained, because checking the key locks the organization, for which a worker's outcome must not wait."""
    return fields.ForeignKeyField("models.Organization", db_constraint=False)


class Event(OrgModel):
    """Written in the transaction that caused it; outlives its subjects."""

    org = _unchecked_org()
    type = fields.CharField(max_length=32)
    email_id = fields.UUIDField(null=True)
    mail_log_id = fields.UUIDField(null=True)
    contact_id = fields.UUIDField(null=True)
    campaign_id = fields.UUIDField(null=True)
    account_id = fields.UUIDField(null=True)
    is_of_run = fields.BooleanField(default=False)  # about one recipient of a campaign or one member of a segment
    data: fields.Field[dict[str, Any]] = fields.JSONField()

    class Meta:
        table = "events"
        indexes = (
            ("org_id", "id"),
            IndexWhere(fields=("email_id", "id"), name="events_of_email", where="email_id IS NOT NULL"),
            IndexWhere(fields=("contact_id", "id"), name="events_of_contact", where="contact_id IS NOT NULL"),
        )


class WebhookStatus(StrEnum):
    ENABLED = "enabled"
    DISABLED = "disabled"
    DELETED = "deleted"  # invisible while its rows are being deleted


class Webhook(OrgModel):
    """Its secrets are encrypted and bound to this row."""

    url = fields.TextField()
    events: fields.Field[list[str]] = fields.JSONField()  # types, or "*"
    status = fields.CharField(max_length=16, default=WebhookStatus.ENABLED)
    disabled_reason = fields.TextField(null=True)
    secret = fields.TextField()
    former_secret = fields.TextField(null=True)  # also signs until former_until
    former_until = fields.DatetimeField(null=True)
    failing_since = fields.DatetimeField(null=True)  # the first failure since the last success
    leased_by = fields.UUIDField(null=True)  # the only worker that delivers to it
    lease_until = fields.DatetimeField(null=True)
    is_announced = fields.BooleanField(default=False)  # its disabling, see models/notification.py
    updated_at = fields.DatetimeField(auto_now=True)
    deliveries: fields.ReverseRelation["WebhookDelivery"]
    attempts: fields.ReverseRelation["WebhookAttempt"]

    class Meta:
        table = "webhooks"
        indexes = (("org_id", "id"),)

    @classmethod
    def of(cls, org: Organization) -> QuerySet[Self]:
        return super().of(org).exclude(status=WebhookStatus.DELETED)


class DeliveryStatus(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class WebhookDelivery(OrgModel):
    org = _unchecked_org()
    webhook: fields.ForeignKeyRelation[Webhook] = fields.ForeignKeyField("models.Webhook", related_name="deliveries")
    webhook_id: UUID
    event_id = fields.UUIDField()
    status = fields.CharField(max_length=16, default=DeliveryStatus.PENDING)
    attempts = fields.SmallIntField(default=0)
    due_at = fields.DatetimeField()
    last_answer = fields.TextField(null=True)  # the status or the reason why there was none
    finished_at = fields.DatetimeField(null=True)

    class Meta:
        table = "webhook_deliveries"
        unique_together = (("webhook_id", "event_id"),)
        indexes = (
            ("org_id", "id"),
            IndexWhere(fields=("webhook_id", "due_at"), name="webhook_deliveries_due", where="status = 'pending'"),
            IndexWhere(fields=("webhook_id", "id"), name="webhook_deliveries_failed", where="status = 'failed'"),
        )


class WebhookAttempt(OrgModel):
    webhook: fields.ForeignKeyRelation[Webhook] = fields.ForeignKeyField("models.Webhook", related_name="attempts")
    webhook_id: UUID
    event_id = fields.UUIDField()
    number = fields.SmallIntField()  # of the delivery's attempts, from 1
    response_status = fields.SmallIntField(null=True)  # None: no response
    error = fields.TextField(null=True)
    answer = fields.TextField(null=True)  # its first 2 KiB
    milliseconds = fields.IntField()

    class Meta:
        table = "webhook_attempts"
        indexes = (("org_id", "id"), ("webhook_id", "id"), ("event_id",))
