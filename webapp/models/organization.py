"""Organizations: the tenants."""

from tortoise import fields

from webapp.models.row import Row


class Organization(Row):
    """A tenant: everything else belongs to one."""

    name = fields.CharField(max_length=200)
    timezone = fields.CharField(max_length=64)  # an IANA name
    plan = fields.CharField(max_length=16)
    strict_from = fields.BooleanField(default=False)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "organizations"
