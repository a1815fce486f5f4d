"""Mail logs (one row per recipient, also the durable outbox), their events, daily counts, links and hits."""

from collections.abc import Collection
from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from tortoise import fields
from tortoise.queryset import QuerySet

from webapp.models.base.indexes import ExpressionIndex, IndexWhere
from webapp.models.base.org_model import OrgModel
from webapp.models.organization import Organization


class MailStatus(StrEnum):
    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    DEFERRED = "deferred"
    HALTED = "halted"


PENDING, SENDING, SENT, FAILED, DEFERRED, HALTED = MailStatus

# For queries of any status, because the status comes before the ID in the indexes.
IN_ANY_STATE = f"status IN {tuple(map(str, MailStatus))}"
# For indexes that claims need not write, because rows being sent are found by status. No other statement uses the same
# expression: the planner would choose such an index for every claim if it believed it to be empty.
NOT_SENDING = f"COALESCE(status <> '{SENDING}', true)"
# For the index of emails with a later report, which are few.
REPORTED = "(bounced_at IS NOT NULL OR complained_at IS NOT NULL)"
# What an index by recipient has: the rows of an email stand together, also one that was retried later.
ADDRESS, EMAIL_OR_ROW = "lower(to_email)", "COALESCE(email_id, id)"
AGENT_LENGTH = 300  # characters
NETWORK_LENGTH = 16  # hexadecimal digits
# Verdicts on hits (domain/tracking/rules) that queries name: by a person, and by a proxy that hides if there was one.
PERSON, PROXY = "person", "proxy"
# The contract's "Mail log states".
MOVES: dict[MailStatus, frozenset[MailStatus]] = {
    PENDING: frozenset({SENDING, DEFERRED, HALTED, FAILED}),
    SENDING: frozenset({SENT, FAILED, PENDING, DEFERRED, HALTED}),
    DEFERRED: frozenset({PENDING, HALTED, FAILED}),
    HALTED: frozenset({PENDING}),
    SENT: frozenset(),
    FAILED: frozenset(),
}


class MailKind(StrEnum):
    CAMPAIGN = "campaign"
    TRANSACTIONAL = "transactional"
    COMPOSE = "compose"


class RecipientType(StrEnum):
    TO = "to"
    CC = "cc"
    BCC = "bcc"


class MailLog(OrgModel):
    """One recipient of one message; has no foreign keys because it outlives account, campaign, contact and content."""

    kind = fields.CharField(max_length=16)
    email_id = fields.UUIDField(null=True)
    account_id = fields.UUIDField(null=True)
    campaign_id = fields.UUIDField(null=True)
    campaign_run_id = fields.UUIDField(null=True)
    contact_id = fields.UUIDField(null=True)
    content_id = fields.UUIDField()
    variables: fields.Field[dict[str, Any]] = fields.JSONField()
    from_email = fields.CharField(max_length=254, null=True)
    to_email = fields.CharField(max_length=254)
    recipient_type = fields.CharField(max_length=3)
    message_id = fields.CharField(max_length=320)
    status = fields.CharField(max_length=16, default=PENDING)
    next_attempt_at = fields.DatetimeField()
    attempts = fields.SmallIntField(default=0)  # temporary refusals of the message
    crashes = fields.SmallIntField(default=0)  # workers that died while sending it
    unknowns = fields.SmallIntField(default=0)  # lost replies to the final dot
    first_tried_at = fields.DatetimeField(null=True)  # the first temporary refusal
    waiting_since = fields.DatetimeField(null=True)  # the first failure of its account
    lease_token = fields.UUIDField(null=True)
    lease_until = fields.DatetimeField(null=True)
    run_epoch = fields.IntField(null=True)  # the run's epoch when it was claimed
    cap_day = fields.DateField(null=True)  # the account's day that the claim counts on
    sent_at = fields.DatetimeField(null=True)
    smtp_message_id = fields.TextField(null=True)
    response_code = fields.SmallIntField(null=True)
    error = fields.TextField(null=True)
    bounced_at = fields.DatetimeField(null=True)  # reported after it was sent
    complained_at = fields.DatetimeField(null=True)
    bounce: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)  # of such a report

    class Meta:
        table = "mail_logs"
        unique_together = (("campaign_run_id", "contact_id"),)
        indexes = (  # few, because each mail writes all of them two or three times; lists merge several
            ("org_id", "status", "id"),
            ("campaign_run_id", "status", "id"),
            IndexWhere(
                fields=("org_id", "account_id", "id"),
                name="mail_logs_of_account",
                where=f"account_id IS NOT NULL AND {NOT_SENDING}",
            ),
            IndexWhere(
                fields=("org_id", "campaign_id", "id"),
                name="mail_logs_of_campaign",
                where=f"campaign_id IS NOT NULL AND {NOT_SENDING}",
            ),
            ExpressionIndex(
                fields=("org_id", "to_email", "email_id", "id"),
                columns=f"org_id, {ADDRESS}, {EMAIL_OR_ROW}, id",
                name="mail_logs_to",
                where=NOT_SENDING,
            ),
            IndexWhere(fields=("email_id",), name="mail_logs_email", where="email_id IS NOT NULL"),
            IndexWhere(fields=("org_id", "id"), name="mail_logs_reported", where=REPORTED),
            IndexWhere(
                fields=("org_id", "status", "email_id"),
                name="mail_logs_email_status",
                where=f"email_id IS NOT NULL AND {NOT_SENDING}",
            ),
            IndexWhere(
                fields=("account_id", "next_attempt_at", "id"),
                name="mail_logs_due_account",
                where="status = 'pending' AND account_id IS NOT NULL",
            ),
            IndexWhere(
                fields=("campaign_run_id", "next_attempt_at", "id"),
                name="mail_logs_due_run",
                where="status = 'pending' AND account_id IS NULL",
            ),
            IndexWhere(
                fields=("campaign_run_id", "contact_id", "status"),
                name="mail_logs_missed",
                where="status = 'failed' OR status = 'halted'",
            ),
            IndexWhere(fields=("lease_until",), name="mail_logs_leased", where="status = 'sending'"),
            IndexWhere(
                fields=("account_id", "next_attempt_at"), name="mail_logs_deferred", where="status = 'deferred'"
            ),
        )

    @classmethod
    def of_run(cls, run_id: UUID) -> QuerySet[Self]:
        """The rows of a run that the caller found through its organization."""
        return cls.filter(campaign_run_id=run_id)

    @classmethod
    def of_runs(cls, run_ids: Collection[UUID]) -> QuerySet[Self]:
        return cls.filter(campaign_run_id__in=list(run_ids))


class MailEvent(OrgModel):
    mail_log_id = fields.UUIDField()
    from_status = fields.CharField(max_length=16)
    to_status = fields.CharField(max_length=16)
    cause = fields.TextField()

    class Meta:
        table = "mail_events"
        indexes = (("mail_log_id", "id"),)


class MailDay(OrgModel):
    """Recipients per day in the organization's timezone; for past days only `waiting` rows still move."""

    day = fields.DateField()
    timezone = fields.CharField(max_length=64, null=True)  # used for the count; None: not counted yet
    is_over = fields.BooleanField(default=False)  # when it was counted
    sent = fields.BigIntField(default=0)
    failed = fields.BigIntField(default=0)
    waiting = fields.BigIntField(default=0)  # including halted mail, which may still be sent
    opened = fields.BigIntField(default=0, db_default=0)  # emails that people surely opened on that day
    clicked = fields.BigIntField(default=0, db_default=0)
    subscribed = fields.BigIntField(null=True)  # contacts at the latest count of the day
    gone_sent = fields.BigIntField(default=0)
    gone_failed = fields.BigIntField(default=0)

    class Meta:
        table = "mail_days"
        unique_together = (("org_id", "day"),)


class OutcomeDay(OrgModel):
    """A past day whose emails and hits are in `outcome_groups`, while its number of waiting emails is the same."""

    day = fields.DateField()
    timezone = fields.CharField(max_length=64)
    waiting = fields.BigIntField(null=True)  # when it was counted; None: to be counted again
    counted_at = fields.DatetimeField()
    seconds = fields.FloatField()  # that counting took

    class Meta:
        table = "outcome_days"
        unique_together = (("org_id", "day"),)


class OutcomeGroup(OrgModel):
    """Finished emails and hits of a day by what they have in common.

    Those that retention deleted are counted as `is_gone`, with all outcomes, on the day in the timezone of that time.
    Of others, `bounced` and `complained` are 0, because they may still change.
    """

    day = fields.DateField()
    has_tags = fields.BooleanField()  # each row is counted twice: by its tags too, and without them
    is_gone = fields.BooleanField()
    account_id = fields.UUIDField(null=True)
    template_id = fields.UUIDField(null=True)
    campaign_id = fields.UUIDField(null=True)
    tags: fields.Field[list[dict[str, str]] | None] = fields.JSONField(null=True)
    accepted = fields.BigIntField()
    sent = fields.BigIntField()
    failed = fields.BigIntField()
    bounced = fields.BigIntField()
    complained = fields.BigIntField()
    suppressed = fields.BigIntField()
    opened = fields.BigIntField()
    clicked = fields.BigIntField()

    class Meta:
        table = "outcome_groups"
        indexes = (("org_id", "day", "has_tags"),)


class TrackedLink(OrgModel):
    """A link's target; outlives email and content, so that links in old mail keep working."""

    content_id = fields.UUIDField()
    number = fields.SmallIntField()  # from 1, as in the content's placeholders
    url = fields.TextField()

    class Meta:
        table = "tracked_links"
        indexes = (("org_id", "id"), ("content_id", "number"))


class MailHit(OrgModel):
    """A request for a link of an email, or for its pixel if `link_id` is null."""

    # Unconstrained, because checking the key would lock the organization.
    org: fields.ForeignKeyRelation[Organization] = fields.ForeignKeyField("models.Organization", db_constraint=False)
    mail_log_id = fields.UUIDField()
    campaign_id = fields.UUIDField(null=True)
    run_id = fields.UUIDField(null=True)
    contact_id = fields.UUIDField(null=True)
    link_id = fields.UUIDField(null=True)
    agent = fields.CharField(max_length=AGENT_LENGTH)
    network = fields.CharField(max_length=NETWORK_LENGTH)  # hashed with a salt that is forgotten after a day
    is_head = fields.BooleanField(default=False)
    is_prefetch = fields.BooleanField(default=False)
    repeats = fields.IntField(default=0)  # further requests at the same time
    verdict = fields.CharField(max_length=12, null=True)  # who made it (domain/tracking/rules); None: not judged yet

    class Meta:
        table = "mail_hits"
        indexes = (
            ("mail_log_id", "link_id"),
            IndexWhere(  # has all that the lists of who opened and clicked group, so that they read no rows
                fields=("campaign_id", "contact_id", "link_id", "verdict", "created_at", "org_id"),
                name="mail_hits_of_recipients",
                where="campaign_id IS NOT NULL",
            ),
            IndexWhere(fields=("run_id", "created_at"), name="mail_hits_of_run", where="run_id IS NOT NULL"),
            IndexWhere(fields=("org_id", "id"), name="mail_hits_of_people", where=f"verdict = '{PERSON}'"),
            IndexWhere(fields=("created_at",), name="mail_hits_unjudged", where="verdict IS NULL"),
        )
