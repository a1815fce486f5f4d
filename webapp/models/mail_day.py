"""Daily mail counts of organizations, cached."""

from tortoise import fields

from webapp.models.base import OrgModel


class MailDay(OrgModel):
    """Recipients of a day's mail in the organization's timezone, as last counted.

    Once the day is over, `sent` and `failed` change only with `waiting`, which can only shrink.
    """

    day = fields.DateField()
    timezone = fields.CharField(max_length=64, null=True)  # in which the day was counted; null: not yet
    is_over = fields.BooleanField(default=False)  # when it was counted
    sent = fields.BigIntField(default=0)
    failed = fields.BigIntField(default=0)
    waiting = fields.BigIntField(default=0)  # also halted mail, which may still be sent
    gone_sent = fields.BigIntField(default=0)
    gone_failed = fields.BigIntField(default=0)

    class Meta:
        table = "mail_days"
        unique_together = (("org_id", "day"),)
