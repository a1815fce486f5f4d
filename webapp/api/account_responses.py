"""The response bodies of accounts, without secrets."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.responses import Time, makes, shaped
from webapp.domain.accounts.accounts import AccountToday


class Account(TypedDict):
    """A sending account; its secrets are never returned."""

    id: UUID
    name: str
    provider_type: Literal["smtp", "google"]
    account_key: str
    daily_mail_limit: int
    concurrency: int
    smtp_host: str | None
    smtp_port: int | None
    smtp_username: str | None
    smtp_security: Literal["auto", "tls", "starttls", "none"] | None
    google_email: str | None
    from_email: str | None
    from_name: str | None
    status: Literal["active", "paused", "error"]
    sent_today: int
    remaining_today: int
    last_error: str | None
    bounce_reading: Literal["off", "account", "mailbox"]
    bounce_imap_host: str | None
    bounce_imap_port: int | None
    bounce_imap_security: Literal["tls", "starttls", "none"] | None
    bounce_imap_username: str | None
    bounce_warning: Annotated[str | None, Field(description="The latest bounce because of the sender's reputation.")]
    bounce_verp: bool
    bounce_verp_works: Annotated[bool | None, Field(description="Null until the account's server was asked.")]
    bounce_verp_error: Annotated[str | None, Field(description="Why emails keep the plain return path.")]
    last_used_at: Time | None
    created_at: Time
    updated_at: Time
    has_smtp_password: bool
    has_google_token: bool
    has_bounce_imap_password: bool


@makes(Account)
def _account(view: AccountToday) -> Account:
    return shaped(
        Account,
        view.account,
        sent_today=view.sent_today,
        remaining_today=view.remaining_today,
        has_smtp_password=view.account.smtp_password is not None,
        has_google_token=view.account.google_access_token is not None,
        has_bounce_imap_password=view.account.bounce_imap_password is not None,
    )
