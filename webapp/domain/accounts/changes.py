"""What the audit log tells of an account: its settings, and of its secrets no more than that they were changed."""

from collections.abc import Iterable
from typing import Any

from webapp.domain.accounts.credentials import SECRETS
from webapp.models import Account

TOLD = (
    "name",
    "provider_type",
    "status",
    "smtp_host",
    "smtp_port",
    "smtp_username",
    "smtp_security",
    "google_email",
    "from_email",
    "from_name",
    "daily_mail_limit",
    "concurrency",
)


def settings_of(account: Account) -> dict[str, Any]:
    """What an account is set to, for the entry about its first or its last day."""
    return {name: value for name in TOLD if name != "name" and (value := getattr(account, name)) is not None}


def differences(before: Account, after: Account, columns: Iterable[str]) -> dict[str, Any]:
    """The old and the new value of each setting among the columns that changed."""
    changed = set(columns)
    values = {name: [getattr(before, name), getattr(after, name)] for name in TOLD if name in changed}
    return values | {name: _fate(after, name) for name in SECRETS if name in changed}


def _fate(account: Account, secret: str) -> str:
    return "removed" if getattr(account, secret) is None else "changed"
