"""Messages that the sandbox inbox received."""

from tortoise import fields

from webapp.models.base import OrgModel


class SandboxMail(OrgModel):
    """A message as received, with its envelope."""

    mail_from = fields.CharField(max_length=320)
    rcpt_tos: fields.Field[list[str]] = fields.JSONField()
    subject = fields.TextField()
    size = fields.IntField()
    data = fields.BinaryField()

    class Meta:
        table = "sandbox_mails"
        indexes = (("org_id", "id"),)
