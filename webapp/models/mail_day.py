"""The days of organizations: how much mail was handed in on each and what became of it, counted and kept."""

from tortoise import fields

from webapp.models.base import OrgModel


class MailDay(OrgModel):
    """Recipients whose mail was handed in on a day of the organization's timezone, as they were counted last.

    Of a day that was over then, `sent` and `failed` change only when `waiting` does, which can only shrink.
    """

    day = fields.DateField()
    timezone = fields.CharField(max_length=64, null=True)  # that the day was counted in; null: it never was
    is_over = fields.BooleanField(default=False)  # whether the day was over when it was counted
    sent = fields.BigIntField(default=0)
    failed = fields.BigIntField(default=0)
    waiting = fields.BigIntField(default=0)  # neither yet; what was halted may still be sent
    gone_sent = fields.BigIntField(default=0)
    gone_failed = fields.BigIntField(default=0)

    class Meta:
        table = "mail_days"
        unique_together = (("org_id", "day"),)
