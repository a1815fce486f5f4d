"""Emails of an organization to its readers that are still to be written."""

from enum import StrEnum
from typing import Any
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.models.base.org_model import OrgModel
from webapp.models.instance import NOT_SUSPENDED
from webapp.models.queries import lease


class ReaderPath(StrEnum):
    """The path of a page behind a reader's link, which is also what its token is signed for."""

    PREFERENCES = "unsubscribe"
    CONFIRM = "f/confirm"
    DATA = "data"
    ERASE = "erase"


class ReaderMail(OrgModel):
    kind = fields.CharField(max_length=32)  # the name of its queue
    email = fields.CharField(max_length=254)
    email_key = fields.CharField(max_length=254)
    subject_id = fields.UUIDField()  # what it is about
    language = fields.CharField(max_length=35, null=True)
    due_at = fields.DatetimeField()
    # The written letter, if the instance's own server must send it, without the token of its link.
    letter: fields.Field[list[Any] | None] = fields.JSONField(null=True)

    class Meta:
        table = "reader_mails"
        unique_together = (("org_id", "kind", "email_key", "subject_id"),)
        indexes = (("due_at",),)

    @classmethod
    async def due_in_turn(cls, kind: str, limit: int) -> list[UUID]:
        """Those to be written, of all organizations in turn; none while sending is suspended."""
        due = f"kind = '{kind}' AND letter IS NULL AND due_at <= {db.dialect().now} AND {NOT_SUSPENDED}"
        return await lease.in_turn("reader_mails", due, limit, first="due_at", then="due_at, id")
