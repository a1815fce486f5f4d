"""The search forms of mail logs and emails."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, StringConstraints

from webapp.domain.inputs import Id, OneLine
from webapp.errors import InvalidValue
from webapp.models.mail_log import MailStatus
from webapp.pages.shared.search import SearchForm

LABELS = {
    "status": "Status",
    "account_id": "Account",
    "campaign_id": "Campaign",
    "campaign_run_id": "Run",
    "to": "Recipient",
    "tag": "Tag",
}
TAG = re.compile(r"([A-Za-z0-9_-]{1,256})(?:[:=]([A-Za-z0-9_-]{1,256}))?")


def _status(value: Any) -> MailStatus:
    if value not in list(MailStatus):
        raise InvalidValue.choice(f"one of {', '.join(MailStatus)}")
    return MailStatus(value)


def _tag(value: Any) -> tuple[str, str | None]:
    tag = TAG.fullmatch(str(value))
    if tag is None:
        raise InvalidValue.example("name", "kind, or a name and value like kind:welcome")
    return tag[1], tag[2]


class EmailSearchForm(SearchForm):
    status: Annotated[MailStatus, BeforeValidator(_status)] | None = None
    account_id: Id | None = None
    to: Annotated[str, StringConstraints(max_length=254), OneLine] | None = None
    tag: Annotated[tuple[str, str | None], BeforeValidator(_tag)] | None = None


class MailLogSearchForm(EmailSearchForm):
    campaign_id: Id | None = None
    campaign_run_id: Id | None = None
