"""A mailbox to read, the result of a reading, and why there is none."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NamedTuple

from webapp.sending.host_policy import HostPolicy

ImapSecurity = Literal["tls", "starttls", "none"]

MESSAGE_BYTES = 256 * 1024  # read of a message; what is returned may follow, but its header begins before
MAX_MESSAGES = 100  # of one reading
READ_SECONDS, CHECK_SECONDS = 120.0, 30.0


@dataclass(frozen=True, slots=True)
class ImapLogin:
    host: str
    port: int
    username: str
    password: str = field(repr=False)
    security: ImapSecurity = "tls"  # "none" signs in to private hosts alone
    mailbox: str = "INBOX"
    policy: HostPolicy = field(default_factory=HostPolicy)


class MailboxMessage(NamedTuple):
    id: str  # the mailbox's own, for life
    content: bytes  # MESSAGE_BYTES at most


class Reading(NamedTuple):
    """New messages; `cursor` is where the next reading begins, and `has_more` if it should at once."""

    messages: list[MailboxMessage]
    cursor: str
    has_more: bool = False


class MailboxTrouble(StrEnum):
    HOST = "host"  # not allowed, or unknown
    UNREACHABLE = "unreachable"
    TLS = "tls"  # the certificate, or no encryption
    LOGIN = "login"
    SCOPE = "scope"  # the person has not allowed us to read mail
    MAILBOX = "mailbox"  # there is none by this name, or it may not be read
    CLOSED = "closed"  # the connection, at any time
    PROTOCOL = "protocol"  # nothing that we understand
    OPERATOR = "operator"  # our Google client may not ask
    BUSY = "busy"

    @property
    def passes(self) -> bool:
        """True where another try may succeed without a person."""
        return self in (MailboxTrouble.UNREACHABLE, MailboxTrouble.CLOSED, MailboxTrouble.BUSY)


class MailboxUnreadable(Exception):
    """The mailbox was not read; the message is a sentence without its end that names the host."""

    def __init__(self, words: str, trouble: MailboxTrouble) -> None:
        super().__init__(words)
        self.trouble = trouble
