"""Applies, completes and validates the settings of an account."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any

from webapp import addresses, clock
from webapp.config import settings
from webapp.domain.accounts.credentials import (
    IMAPS_PORT,
    SECRETS,
    ask_again,
    imap_destination,
    mailbox_password,
    may_get_token,
    reads_by_oauth,
    record_earlier,
    record_entered,
    seal_secret,
    smtp_destination,
)
from webapp.domain.accounts.pace import pace_faults
from webapp.errors import FieldError, ValidationError
from webapp.models import Account
from webapp.models.account import RENEW_EVERY, BounceReading, OAuthGrant, OAuthProvider, ProviderType, SmtpAuth
from webapp.sending import host_policy, webhook
from webapp.sending.graph import APP_SCOPE
from webapp.sending.reports.imap import PORTS as IMAP_PORTS

CLIENT_FIELDS = ("oauth_token_url", "oauth_client_id", "oauth_client_secret")  # of a custom provider, besides a scope
SHARED_TIMES = ("oauth_expires_at", "oauth_renew_at")  # also of Google's tokens
TOKEN_FIELDS = ("oauth_access_token", "oauth_refresh_token", "oauth_token_expires_at", *SHARED_TIMES)
OAUTH_FIELDS = ("oauth_provider", "oauth_scope", *TOKEN_FIELDS, *CLIENT_FIELDS)
SMTP_FIELDS = ("smtp_host", "smtp_port", "smtp_username", "smtp_password", "smtp_password_for", "smtp_security")
GOOGLE_FIELDS = ("google_email", "google_access_token", "google_refresh_token", "google_token_expires_at")
ISSUER = ("provider_type", "oauth_provider", "oauth_token_url", "smtp_username")  # of tokens, and for what and whom
READING = {  # which mailbox is read, besides its login
    *("bounce_reading", "bounce_imap_host", "bounce_imap_port", "bounce_imap_security", "bounce_imap_username"),
    "bounce_imap_password",
}
REQUIRED = {  # and how such an account is called
    ProviderType.SMTP: (("smtp_host", "smtp_port"), "an smtp"),
    ProviderType.GOOGLE: (("google_access_token", "google_refresh_token"), "a google"),
    ProviderType.MICROSOFT: ((), "a microsoft"),
}
DIALLED = frozenset({"provider_type", *SMTP_FIELDS, "smtp_auth"})  # what the host policy checks


def apply_settings(account: Account, values: Mapping[str, Any]) -> set[str]:
    """Sets these fields and those that follow from them; returns the changed columns."""
    before = copy(account)
    record_earlier(account, values)
    was_derived = account.from_email is None or account.from_email == _derived_from_email(account)
    for name, value in values.items():
        is_secret = name in SECRETS and value is not None
        setattr(account, name, seal_secret(account, name, value) if is_secret else value)
    _complete_sign_in(account)
    for name in (*_old_expiries(values), *_unused_fields(account), *_foreign_tokens(before, account, values)):
        setattr(account, name, None)
    if any(values.get(name) and getattr(account, name) for name in ("google_refresh_token", "oauth_refresh_token")):
        account.oauth_renew_at = clock.now() + RENEW_EVERY
    if account.provider_type == ProviderType.SMTP and account.smtp_security is None:
        account.smtp_security = "auto"
    record_entered(account, values)
    if account.from_email is None or (was_derived and "from_email" not in values):
        account.from_email = _derived_from_email(account)
    if account.provider_type != ProviderType.SMTP and "bounce_verp" not in values:
        account.bounce_verp = False
    if account.changes_since(before) & {*DIALLED, "from_email", "bounce_verp"}:  # tests the server again
        account.update_from_dict({"bounce_verp_works": None, "bounce_verp_error": None})
    return account.changes_since(before)


def _complete_sign_in(account: Account) -> None:
    if account.provider_type != ProviderType.SMTP:
        account.smtp_auth = SmtpAuth.PASSWORD
    if account.provider_type == ProviderType.MICROSOFT:
        account.oauth_provider = account.oauth_provider or OAuthProvider.MICROSOFT
        if account.oauth_grant == OAuthGrant.CLIENT_CREDENTIALS:
            account.oauth_scope = account.oauth_scope or APP_SCOPE
    if not account.has_oauth_sign_in:
        account.oauth_grant = OAuthGrant.REFRESH_TOKEN


def _old_expiries(values: Mapping[str, Any]) -> Iterator[str]:
    """The times that belonged to tokens which are replaced."""
    if "google_access_token" in values:
        yield "google_token_expires_at"
    if "oauth_access_token" in values or "oauth_refresh_token" in values:
        yield "oauth_token_expires_at"
    if "google_refresh_token" in values or "oauth_refresh_token" in values:
        yield "oauth_expires_at"


def _unused_fields(account: Account) -> Iterator[str]:
    """The fields that the way in which the account signs in does not have."""
    if account.provider_type != ProviderType.SMTP:
        yield from SMTP_FIELDS
    if account.provider_type != ProviderType.GOOGLE:
        yield from GOOGLE_FIELDS
    if account.provider_type != ProviderType.MICROSOFT:
        yield "microsoft_email"
    if account.has_oauth_sign_in:
        yield from ("smtp_password", "smtp_password_for")
        if account.oauth_provider != OAuthProvider.CUSTOM:
            yield from ("oauth_scope", *CLIENT_FIELDS)
        if account.oauth_grant == OAuthGrant.CLIENT_CREDENTIALS:
            yield from ("oauth_refresh_token", *SHARED_TIMES)
    else:
        kept = SHARED_TIMES if account.provider_type == ProviderType.GOOGLE else ()
        yield from (name for name in OAUTH_FIELDS if name not in kept)


def _foreign_tokens(before: Account, account: Account, values: Mapping[str, Any]) -> Iterator[str]:
    """Stored secrets that another server or token endpoint would get now, so that they must be entered again."""
    if not before.has_oauth_sign_in:
        return
    if before.oauth_grant != account.oauth_grant or before.oauth_scope != account.oauth_scope:
        yield from (name for name in ("oauth_access_token", "oauth_token_expires_at") if name not in values)
    is_other_issuer = any(getattr(before, name) != getattr(account, name) for name in ISSUER)
    is_other_server = not smtp_destination(account).is_covered_by(smtp_destination(before))
    if is_other_issuer or is_other_server:
        yield from (name for name in TOKEN_FIELDS if name not in values)
    if is_other_issuer and "oauth_client_secret" not in values:
        yield "oauth_client_secret"


def _derived_from_email(account: Account) -> str | None:
    if api_email := account.google_email or account.microsoft_email:
        return api_email
    try:
        return addresses.normalize(account.smtp_username or "")
    except ValueError:
        return None


def validate_settings(account: Account) -> None:
    """Raises ValidationError with every missing setting."""
    required, kind = REQUIRED[ProviderType(account.provider_type)]
    missing = [name for name in required if getattr(account, name) is None]
    faults = [FieldError.at(name, f"is required for {kind} account") for name in missing]
    faults += _oauth_faults(account)
    for name, other in (("smtp_password", "smtp_username"), ("smtp_username", "smtp_password")):
        if (
            account.smtp_auth == SmtpAuth.PASSWORD
            and getattr(account, name) is None
            and getattr(account, other) is not None
        ):
            faults.append(FieldError.at(name, f"is required with {other}", f"{name} is missing"))
    if account.bounce_reading == BounceReading.MAILBOX:
        read_with = ["bounce_imap_host", "bounce_imap_username", "bounce_imap_password"]
    else:
        user = "microsoft_email" if account.provider_type == ProviderType.MICROSOFT else "smtp_username"
        read_with = ["bounce_imap_host", user] if reads_by_imap(account) else []
    words = "is required to read bounces from this mailbox"
    faults += [FieldError.at(name, words) for name in read_with if getattr(account, name) is None]
    if account.bounce_verp and account.provider_type != ProviderType.SMTP:
        name = account.provider_type.title()
        words = f"bounce_verp is for smtp accounts: {name} puts the account's own address in place of a return path"
        faults.append(FieldError("bounce_verp", words))
    faults += pace_faults(account)
    if faults:
        raise ValidationError(details=faults)


def _oauth_faults(account: Account) -> list[FieldError]:
    if not account.has_oauth_sign_in:
        return []
    is_smtp = account.provider_type == ProviderType.SMTP
    is_app = account.oauth_grant == OAuthGrant.CLIENT_CREDENTIALS
    required = ["smtp_username"] if is_smtp else ["microsoft_email"] if is_app else []
    required.append("oauth_provider")
    required.append("oauth_scope" if is_app else "oauth_refresh_token")
    if account.oauth_provider == OAuthProvider.CUSTOM:
        required += CLIENT_FIELDS
    faults = [
        FieldError.at(name, "is required to sign in by OAuth") for name in required if getattr(account, name) is None
    ]
    if not is_smtp and account.oauth_provider == OAuthProvider.GOOGLE:
        words = "oauth_provider must be microsoft or custom for a microsoft account"
        faults.append(FieldError("oauth_provider", words))
    if is_app and account.oauth_provider != OAuthProvider.CUSTOM:  # the server's client is everybody's
        words = "client_credentials is for accounts with oauth_provider custom, whose client is their own"
        faults.insert(0, FieldError("oauth_grant", words))
    if account.smtp_security == "none":
        faults.append(FieldError("smtp_security", "smtp_security can't be none to sign in by OAuth"))
    if account.oauth_token_url is not None:
        try:
            webhook.check_url(account.oauth_token_url)
        except ValueError as error:
            faults.append(FieldError.at("oauth_token_url", str(error)))
    if reads_by_oauth(account) and account.bounce_imap_host and not may_get_token(account, imap_destination(account)):
        words = "must be of the same provider as the server that sends, as one sign-in serves both"
        faults.append(FieldError.at("bounce_imap_host", words))
    return faults


def require_mailbox_password(account: Account) -> None:
    """Raises ValidationError if a stored password would be sent to another IMAP server than it was entered for."""
    if reads_by_oauth(account):
        return
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
