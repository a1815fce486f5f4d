"""The search forms of mail logs and emails."""

from typing import Annotated, Any

from pydantic import BeforeValidator, StringConstraints

from webapp.domain.inputs import Id, OneLine
from webapp.domain.mail_logs.search import read_tag
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


def _status(value: Any) -> MailStatus:
    if value not in list(MailStatus):
        raise InvalidValue.choice(f"one of {', '.join(MailStatus)}")
    return MailStatus(value)


class EmailSearchForm(SearchForm):
    status: Annotated[MailStatus, BeforeValidator(_status)] | None = None
    account_id: Id | None = None
    to: Annotated[str, StringConstraints(max_length=254), OneLine] | None = None
    tag: Annotated[tuple[str, str | None], BeforeValidator(read_tag)] | None = None


class MailLogSearchForm(EmailSearchForm):
    campaign_id: Id | None = None
    campaign_run_id: Id | None = None
