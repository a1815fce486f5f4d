"""Types of a mailbox to read and its messages."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NamedTuple

from webapp.sending.host_policy import HostPolicy

ImapSecurity = Literal["tls", "starttls", "none"]

MESSAGE_BYTES = 256 * 1024  # read per message; enough for the report and the returned header
MAX_MESSAGES = 100  # per reading


@dataclass(frozen=True, slots=True)
class ImapLogin:
    host: str
    port: int
    username: str
    password: str = field(repr=False)
    security: ImapSecurity = "tls"  # "none" only signs in to private hosts
    policy: HostPolicy = field(default_factory=HostPolicy)
    token: str | None = field(default=None, repr=False)  # of OAuth, instead of the password


class MailboxMessage(NamedTuple):
    id: str  # permanent within its mailbox
    content: bytes  # at most MESSAGE_BYTES


class Reading(NamedTuple):
    """New messages; the next reading begins at `cursor`, immediately if `has_more`."""

    messages: list[MailboxMessage]
    cursor: str
    has_more: bool = False


class MailboxTrouble(StrEnum):
    HOST = "host"  # not allowed or unknown
    UNREACHABLE = "unreachable"
    TLS = "tls"  # invalid certificate or no encryption
    LOGIN = "login"
    SCOPE = "scope"  # the person has not granted access to mail
    MAILBOX = "mailbox"  # does not exist or may not be read
    CLOSED = "closed"
    PROTOCOL = "protocol"  # an invalid response
    OPERATOR = "operator"  # the server's Google client is misconfigured
    BUSY = "busy"

    @property
    def passes(self) -> bool:
        """True if it may pass without a person's help."""
        return self in (MailboxTrouble.UNREACHABLE, MailboxTrouble.CLOSED, MailboxTrouble.BUSY)


class MailboxUnreadable(Exception):
    """The message is a sentence without a full stop that names the host."""

    def __init__(self, words: str, trouble: MailboxTrouble) -> None:
        super().__init__(words)
        self.trouble = trouble
