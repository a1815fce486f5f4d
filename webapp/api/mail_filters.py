"""The filters that lists of emails and of mail logs share."""

from dataclasses import replace
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema

from webapp.api.responses.emails import MailState
from webapp.domain.inputs import SUBJECT_LENGTH, EmailAddress, Id, OneLine
from webapp.domain.mail_logs.search import TAG, MailLogSearch, read_tag
from webapp.http.paging import CreatedBetween, CursorPaging
from webapp.models.email import SUBJECT_KEY
from webapp.models.mail_log import MailStatus


def _without_space(value: Any) -> Any:
    if isinstance(value, str) and " " in value:
        raise ValueError("must not contain a space: in a URL, + is written as %2B")
    return value


# In a query string.
Address = Annotated[EmailAddress, BeforeValidator(_without_space)]
Tag = Annotated[
    tuple[str, str | None],
    BeforeValidator(read_tag),
    WithJsonSchema({"type": "string", "pattern": f"^{TAG.pattern}$", "examples": ["kind:welcome"]}),
]


class MailFilters(CreatedBetween):
    to: Address | None = Field(default=None, description="Only emails to this address, in any case.")
    tag: Tag | None = Field(
        default=None, description="Only emails with this tag: `name`, or `name:value` for one of its values."
    )

    @property
    def search(self) -> MailLogSearch:
        return MailLogSearch(since=self.created_after, until=self.created_before, recipient=self.to, tag=self.tag)


class EmailParams(MailFilters, CursorPaging):
    from_: Address | None = Field(default=None, alias="from", description="Only emails from this address, in any case.")
    subject: Annotated[str, StringConstraints(min_length=1, max_length=SUBJECT_LENGTH), OneLine] | None = Field(
        default=None,
        description=f"Only emails with this whole subject, in any case; its first {SUBJECT_KEY} characters count.",
    )
    status: MailState | None = Field(default=None, description="Only emails with this status.")
    after: Id | None = Field(default=None, description="Only emails older than this id.")
    before: Id | None = Field(default=None, description="Only emails newer than this id.")

    @property
    def search(self) -> MailLogSearch:
        status = MailStatus(self.status) if self.status else None
        return replace(super().search, status=status, sender=self.from_, subject=self.subject)
