"""Sign-up forms, and sign-ups that are not contacts before their confirmation."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.models.account import Account
from webapp.models.base.org_model import OrgModel


class ConfirmBy(StrEnum):
    BUTTON = "button"
    CLICK = "click"  # the page confirms by itself where a person surely sees it


class FieldType(StrEnum):
    TEXT = "text"
    CHOICE = "choice"  # of one of the field's options
    CHECKBOX = "checkbox"
    DATE = "date"


class SignUpForm(OrgModel):
    key = fields.CharField(max_length=22, unique=True)  # in public addresses
    name = fields.CharField(max_length=200)
    is_open = fields.BooleanField(default=True, db_default=True)
    segment_ids: fields.Field[list[str]] = fields.JSONField(default=list, db_default=[])
    topic_ids: fields.Field[list[str]] = fields.JSONField(default=list, db_default=[])
    form_fields: fields.Field[list[dict[str, Any]]] = fields.JSONField(default=list, db_default=[])
    consent_text = fields.TextField(null=True)
    version = fields.IntField(default=1, db_default=1)  # rises with the fields and the consent's text
    double_opt_in = fields.BooleanField(default=True, db_default=True)
    confirm_by = fields.CharField(max_length=8, default=ConfirmBy.BUTTON, db_default="button")
    account: fields.ForeignKeyNullableRelation[Account] = fields.ForeignKeyField(
        "models.Account", null=True, on_delete=fields.SET_NULL, related_name="forms"
    )
    account_id: UUID | None  # that sends the confirmation; None: the oldest active one
    # Of the confirmation email; None: ours in the form's language.
    subject = fields.TextField(null=True)
    body = fields.TextField(null=True)
    redirect_after_submit = fields.TextField(null=True)
    redirect_after_confirm = fields.TextField(null=True)
    allowed_origins: fields.Field[list[str]] = fields.JSONField(default=list, db_default=[])
    language = fields.CharField(max_length=35, null=True)  # None: the organization's
    closed_until = fields.DatetimeField(null=True)  # to visitors without a proof of work, because it is flooded
    announced_until = fields.DatetimeField(null=True)  # the `closed_until` that members were mailed about
    submitted = fields.BigIntField(default=0, db_default=0)
    mailed = fields.BigIntField(default=0, db_default=0)
    opened = fields.BigIntField(default=0, db_default=0)
    confirmed = fields.BigIntField(default=0, db_default=0)
    expired = fields.BigIntField(default=0, db_default=0)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "forms"
        indexes = (("org_id", "id"), ("account_id",))

    @classmethod
    async def forget(cls, column: Literal["segment_ids", "topic_ids"], row: OrgModel) -> None:
        """Takes a deleted segment or topic from its organization's forms.

        Commits, because sign-ups lock a form before its segments.
        """
        async with db.write_transaction():
            for form in await cls.filter(org_id=row.org_id).order_by("id").select_for_update():
                left = [row_id for row_id in getattr(form, column) if row_id != str(row.id)]
                if left != getattr(form, column):
                    setattr(form, column, left)
                    await form.save(update_fields=[column, "updated_at"])


@dataclass(frozen=True)
class Submission:
    """What was sent by a form. Its own link confirms it and no other, because anyone may sign the address up again."""

    version: int  # of the form
    topic_ids: list[str]
    fields: dict[str, Any]  # of the contact
    consent_text: str | None = None  # which the form may change later
    language: str | None = None  # of the page
    network: str | None = None  # a /24 or /48
    page_url: str | None = None


class PendingSignUp(OrgModel):
    """A sign-up that waits for its confirmation, or was confirmed, by the form and the address."""

    form: fields.ForeignKeyRelation[SignUpForm] = fields.ForeignKeyField("models.SignUpForm", related_name="sign_ups")
    form_id: UUID
    email = fields.CharField(max_length=254)
    email_key = fields.CharField(max_length=254)
    # The submissions by their ids, which sort by time; none once one is confirmed.
    values: fields.Field[dict[str, dict[str, Any]]] = fields.JSONField(default=dict, db_default={})
    # Of the latest submission:
    topic_ids: fields.Field[list[str]] = fields.JSONField(default=list, db_default=[])
    version = fields.IntField()
    language = fields.CharField(max_length=35, null=True)
    network = fields.CharField(max_length=64, null=True)
    page_url = fields.TextField(null=True)
    expires_at = fields.DatetimeField()
    mailed_at = fields.DatetimeField(null=True)  # most recently
    mails = fields.IntField(default=0, db_default=0)
    opened_at = fields.DatetimeField(null=True)
    confirmed_at = fields.DatetimeField(null=True)
    contact_id = fields.UUIDField(null=True)  # whom it confirmed

    class Meta:
        table = "pending_sign_ups"
        unique_together = (("form_id", "email_key"),)
        indexes = (
            ("org_id", "email_key"),
            ("email_key",),
            ("expires_at",),
        )

    @property
    def latest_id(self) -> UUID:
        return UUID(max(self.values))

    def submission(self, submission_id: UUID) -> Submission | None:
        saved = self.values.get(str(submission_id))
        return None if saved is None else Submission(**saved)


class BarredAddress(OrgModel):
    """An address that said "This wasn't me", which the organization's forms leave alone until `expires_at`."""

    address_hash = fields.CharField(max_length=64)  # keyed
    expires_at = fields.DatetimeField()

    class Meta:
        table = "barred_addresses"
        unique_together = (("org_id", "address_hash"),)
        indexes = (("expires_at",),)
