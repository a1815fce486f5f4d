"""Templates: a subject and a body with merge tags."""

from tortoise import fields

from webapp.models.base import OrgModel


class Template(OrgModel):
    """A saved mail; `variables` are the merge tags in subject and body."""

    name = fields.CharField(max_length=200)
    subject = fields.TextField(default="")
    body = fields.TextField(default="")
    variables: fields.Field[list[str]] = fields.JSONField()
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "templates"
        indexes = (("org_id", "id"),)
