"""Which workers live."""

from tortoise import fields

from webapp.models.base import Row


class WorkerHeartbeat(Row):
    """A worker process; `seen_at` is written every few seconds by the database's clock."""

    hostname = fields.CharField(max_length=255)
    process_id = fields.IntField()
    seen_at = fields.DatetimeField()

    class Meta:
        table = "worker_heartbeats"
        indexes = (("seen_at",),)
