"""The responses of requests with an `Idempotency-Key`."""

from tortoise import fields

from webapp.models.base import OrgModel


class IdempotencyKey(OrgModel):
    """A caller's `Idempotency-Key` for an endpoint, with the body's hash and the response."""

    endpoint = fields.CharField(max_length=160)
    key = fields.CharField(max_length=256)
    body_hash = fields.CharField(max_length=64)
    status = fields.SmallIntField()
    body = fields.BinaryField()

    class Meta:
        table = "idempotency_keys"
        unique_together = (("org_id", "endpoint", "key"),)
        indexes = (("created_at",),)
