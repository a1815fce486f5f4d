"""What makes an account one that can send: its settings taken, completed and judged."""

from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from webapp import addresses
from webapp.config import settings
from webapp.domain.logins import seal_secret
from webapp.errors import FieldError, ValidationError
from webapp.models import Account
from webapp.models.account import AccountStatus, Provider
from webapp.sending import guard

SECRETS = ("smtp_password", "google_access_token", "google_refresh_token")
FIELDS_OF = {
    Provider.SMTP: ("smtp_host", "smtp_port", "smtp_username", "smtp_password", "smtp_security"),
    Provider.GOOGLE: ("google_email", "google_access_token", "google_refresh_token"),
}
TROUBLE = ("last_error", "rest_until", "rests", "failing_since")


def take_settings(account: Account, given: Mapping[str, Any]) -> set[str]:
    """Set the given fields and what follows from them, and heal. Returns the columns that may have changed."""
    was_derived = account.from_email is None or account.from_email == _derived_from_email(account)
    for name, value in given.items():
        is_secret = name in SECRETS and value is not None
        setattr(account, name, seal_secret(account.org_id, account.id, name, value) if is_secret else value)
    cleared = _clear_other_provider(account)
    if account.from_email is None or (was_derived and "from_email" not in given):
        account.from_email = _derived_from_email(account)
    _heal(account)
    return {*given, *cleared, "smtp_security", "from_email", "status", *TROUBLE}


def _clear_other_provider(account: Account) -> tuple[str, ...]:
    """Leave an account the fields of its provider only."""
    other = Provider.GOOGLE if account.provider_type == Provider.SMTP else Provider.SMTP
    for name in FIELDS_OF[other]:
        setattr(account, name, None)
    if account.provider_type == Provider.SMTP and account.smtp_security is None:
        account.smtp_security = "auto"
    return FIELDS_OF[other]


def _derived_from_email(account: Account) -> str | None:
    """`google_email`, or `smtp_username` when that is an address."""
    if account.google_email:
        return account.google_email
    try:
        return addresses.normalize(account.smtp_username or "")
    except ValueError:
        return None


def _heal(account: Account) -> None:
    if account.status == AccountStatus.ERROR:
        account.status = AccountStatus.ACTIVE
    account.update_from_dict({"last_error": None, "rest_until": None, "rests": 0, "failing_since": None})


async def check_account(account: Account) -> None:
    """Judge an account as it would be kept; looks its host up. Raises ValidationError with every fault."""
    is_smtp = account.provider_type == Provider.SMTP
    faults = list(_smtp_faults(account) if is_smtp else _google_faults(account))
    if is_smtp and not faults:
        faults = [fault async for fault in _host_faults(account)]
    if faults:
        raise ValidationError(details=faults)


def _smtp_faults(account: Account) -> Iterable[FieldError]:
    for name in ("smtp_host", "smtp_port"):
        if getattr(account, name) is None:
            yield FieldError(name, f"{name} is required for an smtp account")
    for name, other in (("smtp_password", "smtp_username"), ("smtp_username", "smtp_password")):
        if getattr(account, name) is None and getattr(account, other) is not None:
            yield FieldError(name, f"{name} is required where there is an {other}")


def _google_faults(account: Account) -> Iterable[FieldError]:
    for name in ("google_access_token", "google_refresh_token"):
        if getattr(account, name) is None:
            yield FieldError(name, f"{name} is required for a google account")


async def _host_faults(account: Account) -> AsyncIterator[FieldError]:
    """Whether the host may be dialled at all, and with a password in clear text."""
    host, port = account.smtp_host or "", account.smtp_port or 0
    try:
        await guard.check(host, port, guard.Policy.of(settings()))
    except guard.HostRefused as error:
        field = f"smtp_{error.about}"
        yield FieldError(field, f"{field} {error}")
        return
    if account.smtp_security == "none" and account.smtp_username and not await _is_private(host, port):
        yield FieldError(
            "smtp_security",
            "smtp_security none would send the password in clear text: take auto, tls or starttls, "
            "or a server on a private address that this service may connect to",
        )


async def _is_private(host: str, port: int) -> bool:
    """Whether every address of an allowed host is a private one; a host that does not resolve counts as public."""
    try:
        endpoints = await guard.resolve(host, port, guard.Policy.of(settings()))
    except (guard.HostUnknown, guard.LookupFailed):
        return False
    return not any(guard.is_public(endpoint.address) for endpoint in endpoints)
