"""Account logins: secrets are sealed to their row and decrypted only to sign in.

A password may be sent to the servers it was entered for and others of the same domain, which an account stores beside
it, like `tls:smtp.example.com`. Passwords from earlier versions without that may be sent to the account's servers until
one of these changes.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

from webapp import clock, crypto
from webapp.config import settings
from webapp.hosts import registrable_domain
from webapp.models import Account
from webapp.models.account import EXPIRY_WARNING, AccountStatus, BounceReading, ProviderType, SmtpAuth
from webapp.sending.host_policy import HostPolicy
from webapp.sending.outcomes import Blame, Phase, TryLater
from webapp.sending.reports.mailbox import ImapLogin, ImapSecurity, MailboxTrouble, MailboxUnreadable
from webapp.sending.smtp.connect import TLS_PORT, Security, SmtpLogin, Unreachable
from webapp.sending.smtp.sign_in import PASSWORDS_ARE_OFF

SANDBOX_HOST = "127.0.0.1"
IMAPS_PORT = 993
MICROSOFT_HOST = "smtp.office365.com"
MICROSOFT = {"office365.com", "outlook.com", "office.com"}  # domains of its mail servers
SIGN_IN_SECRETS = (
    *("smtp_password", "google_access_token", "google_refresh_token"),
    *("oauth_access_token", "oauth_refresh_token", "oauth_client_secret"),
)
SECRETS = (*SIGN_IN_SECRETS, "bounce_imap_password")


def seal_secret(account: Account, column: str, plain: str) -> str:
    return crypto.seal(plain, account.binding(column))


def open_secret(account: Account, column: str) -> str | None:
    """Raises ConfigError if no secret key decrypts it."""
    sealed: str | None = getattr(account, column)
    return None if sealed is None else crypto.unseal(sealed, account.binding(column))


def empty_lost(account: Account) -> list[str]:
    """Empties the secrets that no key decrypts, and returns their columns; a password is asked for again.

    The sandbox, whose inbox checks the password, gets a new one.
    """
    names = [name for name in SECRETS if (text := getattr(account, name)) is not None and not crypto.has_key(text)]
    for name in names:
        setattr(account, name, seal_secret(account, name, crypto.new_token() if account.is_sandbox else ""))
        if name.endswith("password"):
            setattr(account, f"{name}_for", _written(NO_SERVER))
    return names


def require_keys(account: Account) -> None:
    """Raises KeyMissing unless this process can decrypt the account's login."""
    for column in SIGN_IN_SECRETS:
        sealed: str | None = getattr(account, column)
        if sealed is not None:
            crypto.require_key(sealed)


def smtp_login(account: Account, token: str | None = None) -> SmtpLogin:
    """Accounts that sign in by OAuth need an access token.

    Raises Unreachable if the password was entered for another server, and like `open_secret`.
    """
    if needs_smtp_password(account):
        reason = ask_again(account.smtp_host)
        raise Unreachable(TryLater(None, reason, Phase.LOGIN, Blame.MISCONFIGURED))
    config = settings()
    host, port = (account.smtp_host or "", account.smtp_port or 0)
    if account.is_sandbox:
        host, port = SANDBOX_HOST, config.sandbox_port
    return SmtpLogin(
        account_id=str(account.id),
        host=host,
        port=port,
        security=cast("Security", account.smtp_security or "auto"),
        username=account.smtp_username,
        password=open_secret(account, "smtp_password"),
        token=token,
        policy=HostPolicy.of(config, account.org_id, exempt=account.is_sandbox),
        concurrency=account.concurrency,
    )


def imap_login(account: Account, token: str | None = None) -> ImapLogin:
    """The login of the mailbox that bounces are read from; with `reads_by_oauth` it needs an access token.

    Raises MailboxUnreadable if the password was entered for another server, and like `open_secret`.
    """
    is_own = account.bounce_reading == BounceReading.ACCOUNT
    own_username = account.microsoft_email or account.smtp_username
    username = own_username if is_own else account.bounce_imap_username
    password = mailbox_password(account)
    if password is None and token is None:
        raise MailboxUnreadable(ask_again(account.bounce_imap_host), MailboxTrouble.LOGIN)
    return ImapLogin(
        host=account.bounce_imap_host or "",
        port=account.bounce_imap_port or IMAPS_PORT,
        username=username or "",
        password=("" if password is None else open_secret(account, password)) or "",
        token=token,
        security=cast("ImapSecurity", account.bounce_imap_security or "tls"),
        policy=HostPolicy.of(settings(), account.org_id),
    )


def reads_by_oauth(account: Account) -> bool:
    """True if bounces are read from the account's own mailbox by IMAP with the sign-in that sends."""
    return account.bounce_reading == BounceReading.ACCOUNT and account.has_oauth_sign_in


def is_microsofts(host: str | None) -> bool:
    return registrable_domain(host or "") in MICROSOFT


def is_at_microsoft(account: Account) -> bool:
    return account.provider_type == ProviderType.MICROSOFT or is_microsofts(account.smtp_host)


def sign_in_finding(account: Account) -> str | None:
    """What will end the account's sign-in if no person acts, in sentences; None if nothing is known to."""
    ends_at = account.oauth_expires_at
    if account.smtp_auth == SmtpAuth.PASSWORD and account.smtp_password and is_microsofts(account.smtp_host):
        has_stopped = account.status == AccountStatus.ERROR and PASSWORDS_ARE_OFF in (account.last_error or "")
        what = "switches off passwords for SMTP at the end of December 2026, and this account stops then"
        return (
            f"Microsoft {'no longer accepts passwords for this mailbox' if has_stopped else what}. "
            "Connect it with Microsoft, or ask your Microsoft 365 administrator to allow passwords again."
        )
    if ends_at is not None and ends_at <= clock.now() + EXPIRY_WARNING:
        reason = "because the OAuth client is in testing" if account.provider_type == ProviderType.GOOGLE else ""
        when = "has expired" if ends_at <= clock.now() else f"expires on {ends_at:%-d %b %Y, %H:%M} UTC"
        return f"The sign-in {when}{reason and ' '}{reason}. Reconnect the account."
    return None


def may_get_token(account: Account, server: "PasswordTarget") -> bool:
    """True if an access token of the account's sign-in may be sent to the server."""
    smtp = smtp_destination(account)
    return (server.protection == TLS and is_at_microsoft(account) and is_microsofts(server.host)) or (
        account.provider_type == ProviderType.SMTP and server.is_covered_by(smtp)
    )


# The fields that determine the servers that get a password.
SMTP_SERVER = frozenset({"smtp_host", "smtp_port", "smtp_security"})
IMAP_SERVER = frozenset({"bounce_reading", "bounce_imap_host", "bounce_imap_port", "bounce_imap_security"})


# The protection of a connection before the password is sent, weakest first. Offered: TLS if the server offers it,
# required on public hosts. TLS: or STARTTLS, which verifies the certificate too.
PROTECTIONS = NO_PROTECTION, OFFERED, TLS = "none", "offered", "tls"


class PasswordTarget(NamedTuple):
    protection: str
    host: str

    def is_covered_by(self, other: "PasswordTarget") -> bool:
        is_same = registrable_domain(self.host) == registrable_domain(other.host)
        return is_same and PROTECTIONS.index(self.protection) >= PROTECTIONS.index(other.protection)


NO_SERVER = PasswordTarget(NO_PROTECTION, "")  # whose domain no account's server has


def needs_smtp_password(account: Account) -> bool:
    """True if the stored password was entered for another server, and is not used until it is entered again."""
    if account.smtp_password is None or account.is_sandbox:
        return False
    return not _may_go(account.smtp_password_for, smtp_destination(account))


def mailbox_password(account: Account) -> str | None:
    """The column with the password for the IMAP server, or None if it must be entered.

    The account's own mailbox uses the SMTP password, or one that was entered for this server.
    """
    columns = ["bounce_imap_password"]
    if account.bounce_reading == BounceReading.ACCOUNT:
        columns.insert(0, "smtp_password")
    server = imap_destination(account)
    usable = (name for name in columns if getattr(account, name) is not None)
    return next((name for name in usable if _may_go(getattr(account, f"{name}_for"), server)), None)


def ask_again(host: str | None) -> str:
    return f"enter the password again for {host}"


def smtp_destination(account: Account) -> PasswordTarget:
    protection = NO_PROTECTION if account.smtp_security == "none" else OFFERED
    if account.smtp_security in ("tls", "starttls") or (protection == OFFERED and account.smtp_port == TLS_PORT):
        protection = TLS
    return PasswordTarget(protection, account.smtp_host or "")


def imap_destination(account: Account) -> PasswordTarget:
    protection = NO_PROTECTION if account.bounce_imap_security == "none" else TLS
    return PasswordTarget(protection, account.bounce_imap_host or "")


def _may_go(entered_for: str | None, server: PasswordTarget) -> bool:
    return entered_for is None or any(server.is_covered_by(known) for known in _read(entered_for))


def record_earlier(account: Account, names: Iterable[str]) -> None:
    """Before a server changes: records where a password without a record may be sent so far."""
    if not (SMTP_SERVER | IMAP_SERVER) & set(names):
        return
    servers = {
        "smtp_password": [smtp_destination(account), *_own_mailbox(account)],
        "bounce_imap_password": [imap_destination(account)],
    }
    for name, sent_to in servers.items():
        if getattr(account, name) is not None and getattr(account, f"{name}_for") is None:
            setattr(account, f"{name}_for", _written(*sent_to))


def record_entered(account: Account, values: Mapping[str, Any]) -> None:
    """After fields were set: records that a new password is for the servers given with it."""
    if "smtp_password" in values:
        mailbox = _own_mailbox(account) if IMAP_SERVER & values.keys() else []
        account.smtp_password_for = _written(smtp_destination(account), *mailbox)
    if "bounce_imap_password" in values:
        account.bounce_imap_password_for = _written(imap_destination(account))
    for name in ("smtp_password", "bounce_imap_password"):
        if getattr(account, name) is None:
            setattr(account, f"{name}_for", None)


def _own_mailbox(account: Account) -> list[PasswordTarget]:
    is_own = account.bounce_reading == BounceReading.ACCOUNT and account.provider_type == ProviderType.SMTP
    return [imap_destination(account)] if is_own else []


def _written(*servers: PasswordTarget) -> str:
    return " ".join(map(":".join, servers))


def _read(text: str) -> list[PasswordTarget]:
    return [PasswordTarget(*word.split(":", 1)) for word in text.split(" ")]
