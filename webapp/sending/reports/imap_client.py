"""IMAPClient over a connected socket, with bounds on what the server may send."""

import imaplib
import re
import socket
import ssl

from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from webapp.sending.outcomes import clean
from webapp.sending.reports.mailbox import MAX_MESSAGES, MESSAGE_BYTES, MailboxTrouble, MailboxUnreadable

MAX_LINES = 1024 * 1024  # bytes of all lines of a session
MAX_LITERALS = 2 * MAX_MESSAGES * MESSAGE_BYTES
SAID = re.compile(r"(?:\w+ failed: |\w+ command error: BAD \[b.)?(.*?)(?:['\"]\])?", re.DOTALL)


class Flood(Exception):
    """The server sends more than was requested."""


class _BoundedConnection(imaplib.IMAP4):
    def __init__(self, host: str, sock: socket.socket) -> None:
        self._connected, self._lines_left, self._literals_left = sock, MAX_LINES, MAX_LITERALS
        super().__init__(host)

    def _create_socket(self, timeout: float | None) -> socket.socket:  # noqa: ARG002 - imaplib's signature
        return self._connected

    def read(self, size: int) -> bytes:
        self._literals_left -= size
        if size > MESSAGE_BYTES or self._literals_left < 0:
            raise Flood
        data = super().read(size)
        if len(data) < size:
            raise self.abort("EOF in a literal")
        return data

    def readline(self) -> bytes:
        try:
            line = super().readline()
        except self.error:  # the line is too long, which imaplib reports as a refused command
            raise Flood from None
        self._lines_left -= len(line)
        if self._lines_left < 0:
            raise Flood
        return line


class BoundedClient(IMAPClient):  # type: ignore[misc]  # it has no types
    def __init__(self, host: str, sock: socket.socket, *, is_secure: bool) -> None:
        self._connected = sock
        super().__init__(host, ssl=is_secure, timeout=sock.gettimeout())

    def _create_IMAP4(self) -> imaplib.IMAP4:  # noqa: N802 - IMAPClient's name
        return _BoundedConnection(self.host, self._connected)


def failure_of(error: Exception, host: str, *, in_handshake: bool) -> MailboxUnreadable:
    """Hides the words of a server that does not speak IMAP, because they would help port scans."""
    words, trouble = "did not respond like an IMAP server", MailboxTrouble.PROTOCOL
    if isinstance(error, ssl.SSLCertVerificationError):
        sentence = clean(f"the certificate of {host} is not valid: {error.verify_message}")
        return MailboxUnreadable(sentence, MailboxTrouble.TLS)
    if isinstance(error, TimeoutError):
        words, trouble = "did not respond in time", MailboxTrouble.UNREACHABLE
    elif isinstance(error, Flood):
        words = "sent more than it was asked for"
    elif isinstance(error, OSError) and in_handshake:
        words, trouble = "ended the TLS handshake", MailboxTrouble.TLS
    elif isinstance(error, OSError) or (isinstance(error, imaplib.IMAP4.abort) and "unexpected" not in str(error)):
        words, trouble = "closed the connection", MailboxTrouble.CLOSED
    return MailboxUnreadable(f"{host} {words}", trouble)


def cause_of(error: Exception) -> Exception:
    """The error that the library wrapped in a LoginError."""
    wrapped = error.__context__ if isinstance(error, LoginError) else None
    return wrapped if isinstance(wrapped, imaplib.IMAP4.error) else error


def words_of(refusal: imaplib.IMAP4.error) -> str:
    first = refusal.args[0] if refusal.args else ""
    text = first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first)
    match = SAID.fullmatch(text)
    return match[1] if match else text
