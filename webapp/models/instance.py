"""The installation as a whole."""

from tortoise import fields

from webapp.models.row import Row


class Instance(Row):
    """There is one row at most. While `held_at` is set nothing is sent and no schedule fires."""

    held_at = fields.DatetimeField(null=True)
    held_reason = fields.CharField(max_length=255, null=True)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "instance"
