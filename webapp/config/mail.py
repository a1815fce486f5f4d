"""The mail that the instance itself sends, about signing in: by which server, as whom, and who may make an account."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, Protocol, TypeVar
from urllib.parse import SplitResult, unquote, urlsplit

from webapp import addresses
from webapp.addresses import Address
from webapp.errors import ConfigError
from webapp.hosts import host_of

T = TypeVar("T")

SUBMISSION_PORT, TLS_PORT = 587, 465  # RFC 6409, RFC 8314
LIKE = "must be a URL like smtp://user:password@mail.example.com:587 or smtps://user:password@mail.example.com"


class SignUp(StrEnum):
    """Who may make an organization of their own. Teams invite people into theirs in any case."""

    CLOSED = "closed"  # the operator alone
    INVITE = "invite"  # whom the operator gives a link
    OPEN = "open"  # anybody who reads the mail sent to their address


class Reads(Protocol):
    """The environment, read by name, default and parser; it raises ConfigError for what the parser refuses."""

    def get(self, name: str, default: str, parse: Callable[[str], T]) -> T:
        """The variable as `parse` makes it."""
        ...


@dataclass(frozen=True)
class MailServer:
    """The operator's own mail server. User name and password come together or not at all."""

    host: str
    port: int
    security: Literal["tls", "starttls", "none"]
    username: str | None = None
    password: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        """The server without its login, as a log or a page may show it."""
        scheme = "smtps" if self.security == "tls" else "smtp"
        return f"{scheme}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


@dataclass(frozen=True)
class MailSettings:
    """By which server the instance mails, and as whom."""

    server: MailServer
    sender: Address


def read_mail(env: Reads) -> MailSettings | None:
    """The mail server of this environment; None where the operator gave none. Raises ConfigError."""
    server = env.get("PENNYPOST_SMTP_URL", "", _server)
    sender = env.get("PENNYPOST_MAIL_FROM", "", _sender)
    if server is None and sender is None:
        return None
    if sender is None:
        raise ConfigError("PENNYPOST_MAIL_FROM is required with PENNYPOST_SMTP_URL: the address its mail comes from")
    if server is None:
        raise ConfigError("PENNYPOST_SMTP_URL is required with PENNYPOST_MAIL_FROM: the server its mail leaves by")
    return MailSettings(server, sender)


def read_sign_up(env: Reads, mail: MailSettings | None) -> SignUp:
    """Who may sign up. Raises ConfigError, also for `open` without a server that mails the links."""
    found = env.get("PENNYPOST_SIGN_UP", SignUp.CLOSED, _sign_up)
    if found is SignUp.OPEN and mail is None:
        raise ConfigError("PENNYPOST_SIGN_UP can be open only with PENNYPOST_SMTP_URL: the links to sign up are mailed")
    return found


def _server(text: str) -> MailServer | None:
    if not text:
        return None
    parts, port = _split(text)
    if parts.query not in ("", "tls=none") or (parts.query and parts.scheme == "smtps"):
        raise ValueError("takes ?tls=none behind smtp:// alone, and nothing else: without it STARTTLS is used")
    if (parts.username is None) != (parts.password is None):
        raise ValueError("must have a user name and a password, or neither")
    default = TLS_PORT if parts.scheme == "smtps" else SUBMISSION_PORT
    return MailServer(
        host=host_of(str(parts.hostname)),
        port=port or default,
        security="tls" if parts.scheme == "smtps" else "none" if parts.query else "starttls",
        username=_decoded(parts.username),
        password=_decoded(parts.password),
    )


def _split(text: str) -> tuple[SplitResult, int | None]:
    """The parts of the URL and its port. None of its sentences repeats the URL, which holds a password."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError(f"{LIKE}; percent-encode what is special in the password") from None
    is_plain = text.isprintable() and " " not in text and not parts.fragment and parts.path in ("", "/")
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or not is_plain or port == 0:
        raise ValueError(f"{LIKE}; percent-encode what is special in the password")
    return parts, port


def _decoded(text: str | None) -> str | None:
    return None if text is None else unquote(text)


def _sender(text: str) -> Address | None:
    return addresses.parse(text) if text else None


def _sign_up(text: str) -> SignUp:
    if text not in list(SignUp):
        raise ValueError("must be closed, invite or open")
    return SignUp(text)
