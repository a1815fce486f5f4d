"""Applies, completes and validates the settings of an account."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

from webapp import addresses
from webapp.config import settings
from webapp.domain.accounts.credentials import (
    IMAPS_PORT,
    SECRETS,
    ask_again,
    mailbox_password,
    record_earlier,
    record_entered,
    seal_secret,
)
from webapp.errors import FieldError, ValidationError
from webapp.models import Account
from webapp.models.account import BounceReading, ProviderType
from webapp.sending import host_policy
from webapp.sending.reports.imap import PORTS as IMAP_PORTS

SMTP_FIELDS = ("smtp_host", "smtp_port", "smtp_username", "smtp_password", "smtp_password_for", "smtp_security")
GOOGLE_FIELDS = ("google_email", "google_access_token", "google_refresh_token", "google_token_expires_at")
READING = {  # which mailbox is read, besides its login
    *("bounce_reading", "bounce_imap_host", "bounce_imap_port", "bounce_imap_security", "bounce_imap_username"),
    "bounce_imap_password",
}
DIALLED = frozenset({"provider_type", *SMTP_FIELDS})  # what the host policy checks


def apply_settings(account: Account, values: Mapping[str, Any]) -> set[str]:
    """Sets these fields and those that follow from them; returns the changed columns."""
    before = copy(account)
    record_earlier(account, values)
    was_derived = account.from_email is None or account.from_email == _derived_from_email(account)
    for name, value in values.items():
        is_secret = name in SECRETS and value is not None
        setattr(account, name, seal_secret(account, name, value) if is_secret else value)
    if "google_access_token" in values:
        account.google_token_expires_at = None  # belonged to the old token
    for name in GOOGLE_FIELDS if account.provider_type == ProviderType.SMTP else SMTP_FIELDS:
        setattr(account, name, None)
    if account.provider_type == ProviderType.SMTP and account.smtp_security is None:
        account.smtp_security = "auto"
    record_entered(account, values)
    if account.from_email is None or (was_derived and "from_email" not in values):
        account.from_email = _derived_from_email(account)
    if account.provider_type == ProviderType.GOOGLE and "bounce_verp" not in values:
        account.bounce_verp = False
    if account.changes_since(before) & {*DIALLED, "from_email", "bounce_verp"}:  # tests the server again
        account.update_from_dict({"bounce_verp_works": None, "bounce_verp_error": None})
    return account.changes_since(before)


def _derived_from_email(account: Account) -> str | None:
    if account.google_email:
        return account.google_email
    try:
        return addresses.normalize(account.smtp_username or "")
    except ValueError:
        return None


def validate_settings(account: Account) -> None:
    """Raises ValidationError with every missing setting."""
    required, kind = ("google_access_token", "google_refresh_token"), "a google"
    if account.provider_type == ProviderType.SMTP:
        required, kind = ("smtp_host", "smtp_port"), "an smtp"
    missing = [name for name in required if getattr(account, name) is None]
    faults = [FieldError.at(name, f"is required for {kind} account") for name in missing]
    for name, other in (("smtp_password", "smtp_username"), ("smtp_username", "smtp_password")):
        if getattr(account, name) is None and getattr(account, other) is not None:
            faults.append(FieldError.at(name, f"is required with {other}", f"{name} is missing"))
    if account.bounce_reading == BounceReading.MAILBOX:
        read_with = ["bounce_imap_host", "bounce_imap_username", "bounce_imap_password"]
    else:
        read_with = ["bounce_imap_host", "smtp_username"] if reads_by_imap(account) else []
    words = "is required to read bounces from this mailbox"
    faults += [FieldError.at(name, words) for name in read_with if getattr(account, name) is None]
    if account.bounce_verp and account.provider_type == ProviderType.GOOGLE:
        words = "bounce_verp is for smtp accounts: Google puts the account's own address in place of a return path"
        faults.append(FieldError("bounce_verp", words))
    if faults:
        raise ValidationError(details=faults)


def require_mailbox_password(account: Account) -> None:
    """Raises ValidationError if a stored password would be sent to another IMAP server than it was entered for."""
    is_sent = reads_by_imap(account) or account.bounce_imap_password is not None
    if account.bounce_imap_host is not None and is_sent and mailbox_password(account) is None:
        raise ValidationError.about("bounce_imap_password", ask_again(account.bounce_imap_host))


def reads_by_imap(account: Account) -> bool:
    own_gmail = account.bounce_reading == BounceReading.ACCOUNT and account.provider_type == ProviderType.GOOGLE
    return account.bounce_reading != BounceReading.OFF and not own_gmail


async def validate_host(account: Account) -> None:
    """Raises ValidationError if the host is not allowed, or only with TLS; takes up to 10 s."""
    if account.provider_type != ProviderType.SMTP:
        return
    endpoints = await _resolve(account, "smtp", account.smtp_port or 0, host_policy.PORTS)
    is_private = bool(endpoints) and all(host_policy.is_private(endpoint.address) for endpoint in endpoints)
    if account.smtp_security == "none" and account.smtp_username and not is_private:
        words = "smtp_security can't be none with a password, unless the server has an allowed private address"
        faults = [FieldError("smtp_security", words)]
        if not endpoints:
            faults.append(FieldError.at("smtp_host", "was not found"))
        raise ValidationError(details=faults)


async def validate_imap_host(account: Account) -> None:
    """Raises ValidationError if the host is not allowed; takes up to 10 s."""
    if reads_by_imap(account):
        await _resolve(account, "bounce_imap", account.bounce_imap_port or IMAPS_PORT, IMAP_PORTS)


async def _resolve(
    account: Account, fields: str, port: int, ports: tuple[int, ...]
) -> Sequence[host_policy.ResolvedAddress]:
    """The addresses of the host in `fields`; empty if it is not found. Raises ValidationError if it is not allowed."""
    policy = host_policy.HostPolicy.of(settings(), account.org_id)
    try:
        return await host_policy.resolve(getattr(account, f"{fields}_host") or "", port, policy, ports=ports)
    except host_policy.HostRefused as error:
        raise ValidationError.at(f"{fields}_{error.about}", error) from None
    except (host_policy.HostUnknown, host_policy.LookupFailed):
        return ()  # it may resolve later
