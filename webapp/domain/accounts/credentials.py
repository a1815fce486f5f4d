"""The way to an account's server: its secrets, encrypted for their row and decrypted only to sign in."""

from typing import cast

from webapp import crypto
from webapp.config import settings
from webapp.domain.accounts import destinations
from webapp.models import Account
from webapp.models.account import BounceReading
from webapp.sending.host_policy import HostPolicy
from webapp.sending.outcomes import Blame, Phase, TryLater
from webapp.sending.reports.mailbox import ImapLogin, ImapSecurity, MailboxTrouble, MailboxUnreadable
from webapp.sending.smtp.connect import Security, SmtpLogin, Unreachable

SANDBOX_HOST = "127.0.0.1"
IMAPS_PORT = 993
SIGN_IN_SECRETS = ("smtp_password", "google_access_token", "google_refresh_token")
SECRETS = (*SIGN_IN_SECRETS, "bounce_imap_password")  # encrypted columns


def seal_secret(account: Account, column: str, plain: str) -> str:
    return crypto.seal(plain, binding(account, column))


def open_secret(account: Account, column: str) -> str | None:
    """Raises ConfigError when no secret key decrypts it."""
    sealed: str | None = getattr(account, column)
    return None if sealed is None else crypto.unseal(sealed, binding(account, column))


def require_keys(account: Account) -> None:
    """Raises KeyMissing unless this process can decrypt what the account signs in with."""
    for column in SIGN_IN_SECRETS:
        sealed: str | None = getattr(account, column)
        if sealed is not None:
            crypto.require_key(sealed)


def binding(account: Account, column: str) -> str:
    return f"{account.org_id}:{account.id}:{column}"


def smtp_login(account: Account) -> SmtpLogin:
    """Raises Unreachable where the password was entered for another server, and as `open_secret`."""
    if destinations.needs_smtp_password(account):
        reason = destinations.again(account.smtp_host)
        raise Unreachable(TryLater(None, reason, Phase.LOGIN, Blame.MISCONFIGURED))
    found = settings()
    host, port = (account.smtp_host or "", account.smtp_port or 0)
    if account.is_sandbox:
        host, port = SANDBOX_HOST, found.sandbox_port
    return SmtpLogin(
        account_id=str(account.id),
        host=host,
        port=port,
        security=cast("Security", account.smtp_security or "auto"),
        username=account.smtp_username,
        password=open_secret(account, "smtp_password"),
        policy=HostPolicy.of(found, exempt=account.is_sandbox),
        concurrency=account.concurrency,
    )


def imap_login(account: Account) -> ImapLogin:
    """The way to the mailbox that bounces are read from; the account's own has the user name of SMTP.

    Raises MailboxUnreadable where the password was entered for another server, and as `open_secret`.
    """
    is_own = account.bounce_reading == BounceReading.ACCOUNT
    username = account.smtp_username if is_own else account.bounce_imap_username
    password = destinations.mailbox_password(account)
    if password is None:
        raise MailboxUnreadable(destinations.again(account.bounce_imap_host), MailboxTrouble.LOGIN)
    return ImapLogin(
        host=account.bounce_imap_host or "",
        port=account.bounce_imap_port or IMAPS_PORT,
        username=username or "",
        password=open_secret(account, password) or "",
        security=cast("ImapSecurity", account.bounce_imap_security or "tls"),
        policy=HostPolicy.of(settings()),
    )
