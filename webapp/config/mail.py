"""The operator's mail server, who may sign up, and the host name for greeting SMTP servers."""

import ipaddress
import re
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal
from urllib.parse import unquote, urlsplit

from webapp import addresses
from webapp.addresses import Address
from webapp.config.environment import ENCODE, Environment, split_server_url
from webapp.errors import ConfigError
from webapp.hosts import a_labels, host_of, is_name

SUBMISSION_PORT, TLS_PORT = 587, 465  # RFC 6409, RFC 8314
LITERAL = re.compile(r"\[(IPv6:)?([0-9A-Fa-f:.]+)\]")
LIKE = (
    f"must be a URL like smtp://user:password@mail.example.com:587 or smtps://user:password@mail.example.com; {ENCODE}"
)


class SignUp(StrEnum):
    """Who may create an organization; invitations to a team are always possible."""

    CLOSED = "closed"  # only the operator
    INVITE = "invite"  # people with a link from the operator
    OPEN = "open"  # everybody with an email address


@dataclass(frozen=True)
class MailServer:
    """The operator's mail server, with both a user name and a password, or neither."""

    host: str
    port: int
    security: Literal["tls", "starttls", "none"]
    username: str | None = None
    password: str | None = field(default=None, repr=False)

    def __str__(self) -> str:  # without the login, because logs and pages show it
        scheme = "smtps" if self.security == "tls" else "smtp"
        return f"{scheme}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


@dataclass(frozen=True)
class MailSettings:
    server: MailServer
    sender: Address


def read_mail(env: Environment) -> MailSettings | None:
    """Raises ConfigError if only one of server and sender is set."""
    server = env.find("PENNYPOST_SMTP_URL", _server)
    sender = env.find("PENNYPOST_MAIL_FROM", addresses.parse)
    if server is None and sender is None:
        return None
    if sender is None:
        raise ConfigError("PENNYPOST_MAIL_FROM is required with PENNYPOST_SMTP_URL: the From address of its email")
    if server is None:
        raise ConfigError("PENNYPOST_SMTP_URL is required with PENNYPOST_MAIL_FROM: the server that sends its email")
    return MailSettings(server, sender)


def read_sign_up(env: Environment, mail: MailSettings | None) -> SignUp:
    """Raises ConfigError, also for `open` without a mail server."""
    sign_up = env.get("PENNYPOST_SIGN_UP", SignUp.CLOSED, _sign_up)
    if sign_up is SignUp.OPEN and mail is None:
        raise ConfigError("PENNYPOST_SIGN_UP can be open only with PENNYPOST_SMTP_URL, which emails the sign-up links")
    return sign_up


def _server(text: str) -> MailServer:
    parts = split_server_url(text)
    port = parts.port
    is_plain = text.isprintable() and " " not in text and not parts.fragment and parts.path in ("", "/")
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or not is_plain or port == 0:
        raise ValueError(LIKE)
    if parts.query not in ("", "tls=none") or (parts.query and parts.scheme == "smtps"):
        raise ValueError("accepts only ?tls=none, with smtp://; without it STARTTLS is used")
    if (parts.username is None) != (parts.password is None):
        raise ValueError("must have both a user name and a password, or neither")
    default = TLS_PORT if parts.scheme == "smtps" else SUBMISSION_PORT
    return MailServer(
        host=host_of(str(parts.hostname)),
        port=port or default,
        security="tls" if parts.scheme == "smtps" else "none" if parts.query else "starttls",
        username=parts.username and unquote(parts.username),
        password=parts.password and unquote(parts.password),
    )


def _sign_up(text: str) -> SignUp:
    if text not in list(SignUp):
        raise ValueError("must be closed, invite or open")
    return SignUp(text)


def parse_helo_name(text: str) -> str:
    """The name that this machine greets SMTP servers with; relays require a full one (RFC 5321, 4.1.1.1 and 4.1.4)."""
    if is_name(text):
        return text
    literal = LITERAL.fullmatch(text)
    with suppress(ValueError):
        if literal and ipaddress.ip_address(literal[2]).version == (6 if literal[1] else 4):
            return text
    raise ValueError("must be a host name like mail.example.com, or an address like [192.0.2.1] or [IPv6:2001:db8::1]")


def helo_name_of(base_url: str) -> str | None:
    """The full host name of `base_url`, else of this machine, else None. Avoids DNS, which could block."""
    return _full_name(urlsplit(base_url).hostname or "") or _full_name(socket.gethostname())


def _full_name(host: str) -> str | None:
    name = a_labels(host.rstrip("."))
    is_full = "." in name and is_name(name) and not name.lower().endswith((".localhost", ".localdomain"))
    return name if is_full else None
