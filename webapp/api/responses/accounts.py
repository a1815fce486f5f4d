"""Accounts."""

from typing import Any, Literal
from uuid import UUID

from typing_extensions import TypedDict

from webapp.api.responses.common import Time, maybe_time, time
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
    last_used_at: Time | None
    created_at: Time
    updated_at: Time
    has_smtp_password: bool
    has_google_token: bool


def account(view: AccountToday) -> Account:
    row: Any = view.account  # its columns hold plain strings where the shape names the values
    return {
        "id": row.id,
        "name": row.name,
        "provider_type": row.provider_type,
        "account_key": row.account_key,
        "daily_mail_limit": row.daily_mail_limit,
        "concurrency": row.concurrency,
        "smtp_host": row.smtp_host,
        "smtp_port": row.smtp_port,
        "smtp_username": row.smtp_username,
        "smtp_security": row.smtp_security,
        "google_email": row.google_email,
        "from_email": row.from_email,
        "from_name": row.from_name,
        "status": row.status,
        "sent_today": view.sent_today,
        "remaining_today": view.remaining_today,
        "last_error": row.last_error,
        "last_used_at": maybe_time(row.last_used_at),
        "created_at": time(row.created_at),
        "updated_at": time(row.updated_at),
        "has_smtp_password": row.smtp_password is not None,
        "has_google_token": row.google_access_token is not None,
    }
