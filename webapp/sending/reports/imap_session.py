"""One conversation with an IMAP server (RFC 3501); EXAMINE and BODY.PEEK change nothing."""

import datetime as dt
import imaplib
import re
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from webapp.sending.outcomes import clean
from webapp.sending.reports.imap_search import OpenedMailbox, may_be_read_keys, windows
from webapp.sending.reports.mailbox import (
    MAX_MESSAGES,
    MESSAGE_BYTES,
    ImapLogin,
    MailboxMessage,
    MailboxTrouble,
    MailboxUnreadable,
    Reading,
)
from webapp.sending.reports.mime_parts import read_fields
from webapp.sending.reports.parse import may_be_read

T = TypeVar("T")

MAX_LINES = 1024 * 1024  # bytes of all lines of a session
MAX_LITERALS = 2 * MAX_MESSAGES * MESSAGE_BYTES
SAID = re.compile(r"(?:\w+ failed: |\w+ command error: BAD \[b.)?(.*?)(?:['\"]\])?", re.DOTALL)
MAX_UID = 2**32 - 1
SHARE = 0.75  # of the time; then no further message is fetched

MAILBOX = "INBOX"
HEADER = "HEADER.FIELDS (FROM CONTENT-TYPE AUTO-SUBMITTED X-FAILED-RECIPIENTS SUBJECT)"
HEADER_BYTES = 16 * 1024

# User names that LOGIN takes unquoted (RFC 3501, 9: ASTRING-CHAR), and passwords that it takes quoted.
PLAIN_NAME = re.compile(r"[A-Za-z0-9!#$&'+,\-./:;<=>?@\[\]^_`|~}]+")
PLAIN_PASSWORD = re.compile(r"[\x20-\x7e]*")
UNSENDABLE = re.compile(r"[\x00\r\n]")
NOT_NOW = re.compile(r"\[(UNAVAILABLE|INUSE|LIMIT|SERVERBUG|THROTTLED)\]|too many", re.IGNORECASE)  # RFC 5530


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


class _BoundedClient(IMAPClient):  # type: ignore[misc]  # it has no types
    def __init__(self, host: str, sock: socket.socket, *, is_secure: bool) -> None:
        self._connected = sock
        super().__init__(host, ssl=is_secure, timeout=sock.gettimeout())

    def _create_IMAP4(self) -> imaplib.IMAP4:  # noqa: N802 - IMAPClient's name
        return _BoundedConnection(self.host, self._connected)


class ImapSession:
    """A session over a connected socket; `seconds` limits all of it."""

    def __init__(
        self, login: ImapLogin, sock: socket.socket, context: ssl.SSLContext, seconds: float, *, is_private_peer: bool
    ) -> None:
        self._login, self._sock, self._context, self._is_private_peer = login, sock, context, is_private_peer
        self._end = time.monotonic() + SHARE * seconds
        self._step = MailboxTrouble.PROTOCOL  # the trouble if a command is refused
        self._in_handshake = self._is_lost = False
        self._can_search = True
        self._subjects: Sequence[str] = ()
        self._client: Any = None
        sock.settimeout(seconds)

    def run(self, talk: Callable[["ImapSession"], T]) -> T:
        """Calls `talk` and closes the socket. Raises only MailboxUnreadable."""
        try:
            result = talk(self)
        except MailboxUnreadable:
            raise
        except Exception as error:  # noqa: BLE001 - the library may fail in any way on a server's data
            raise self._failure(error) from None
        else:
            if not self._is_lost:
                with suppress(imaplib.IMAP4.error, OSError, Flood):
                    self._client.logout()
            return result
        finally:
            if self._client is not None:
                with suppress(OSError):
                    self._client.shutdown()
            self._sock.close()

    def open(self) -> OpenedMailbox:
        """Signs in and opens the mailbox. Raises MailboxUnreadable and the library's errors."""
        self._connect()
        self._sign_in()
        self._step = MailboxTrouble.MAILBOX
        status = self._client.select_folder(MAILBOX, readonly=True)
        self._step = MailboxTrouble.PROTOCOL
        return OpenedMailbox(*(status.get(name, 0) for name in (b"UIDVALIDITY", b"UIDNEXT", b"EXISTS")))

    def read(
        self, cursor: str | None, since: dt.date, limit: int, subjects: Sequence[str] = (), *, everything: bool
    ) -> Reading:
        """Returns what was read before a lost connection, too. Raises like `open`."""
        self._subjects = subjects
        box = self.open()
        last = _last_uid(cursor, box)
        uids = self._find(box, last, since, limit + 1, everything=everything)
        messages, done = list[MailboxMessage](), last or 0
        for uid in uids[:limit]:
            try:
                content = self._fetch(uid, everything=everything)
            except (imaplib.IMAP4.abort, OSError):
                if uid == uids[0]:
                    raise
                self._is_lost = True
                break
            if content is not None:
                messages.append(MailboxMessage(f"{box.validity}:{uid}", content))
            done = uid
            if time.monotonic() > self._end:
                break
        has_more = bool(uids) and done != uids[-1]
        return Reading(messages, f"{box.validity}:{done if has_more else max(done, box.next_uid - 1)}", has_more)

    def _connect(self) -> None:
        host, security = self._login.host.rstrip("."), self._login.security
        if security == "tls":
            self._in_handshake = True
            self._sock = self._context.wrap_socket(self._sock, server_hostname=host)
            self._in_handshake = False
        self._client = _BoundedClient(host, self._sock, is_secure=security == "tls")
        if security == "starttls":
            if not self._client.has_capability("STARTTLS"):
                raise MailboxUnreadable(f"{self._login.host} does not offer STARTTLS", MailboxTrouble.TLS)
            self._step, self._in_handshake = MailboxTrouble.TLS, True
            self._client.starttls(self._context)
            self._in_handshake = False

    def _sign_in(self) -> None:
        host, username, password = self._login.host, self._login.username, self._login.password
        if self._login.security == "none" and not self._is_private_peer:
            words = f"the password was not sent to {host} without TLS: encryption is set to none"
            raise MailboxUnreadable(words, MailboxTrouble.TLS)
        self._step = MailboxTrouble.LOGIN
        if self._login.token is not None:
            self._sign_in_with_token(self._login.token)
            return
        is_plain = PLAIN_NAME.fullmatch(username) and PLAIN_PASSWORD.fullmatch(password)
        if is_plain and not self._client.has_capability("LOGINDISABLED"):
            self._client.login(username, password)
        elif self._client.has_capability("AUTH=PLAIN") and not UNSENDABLE.search(username + password):
            self._client.plain_login(username, password)
        else:
            words = "does not support password sign-in" if is_plain else "accepts no such user name or password"
            raise MailboxUnreadable(f"{host} {words}", MailboxTrouble.LOGIN)

    def _sign_in_with_token(self, token: str) -> None:
        """By XOAUTH2, which Microsoft, Google and Yahoo have."""
        if not self._client.has_capability("AUTH=XOAUTH2"):
            raise MailboxUnreadable(f"{self._login.host} does not support OAuth sign-in", MailboxTrouble.LOGIN)
        answers = iter([f"user={self._login.username}\1auth=Bearer {token}\1\1"])
        self._client.sasl_login("XOAUTH2", lambda _: next(answers, ""))  # a refusal follows an empty answer

    def _find(self, box: OpenedMailbox, last: int | None, since: dt.date, limit: int, *, everything: bool) -> list[int]:
        """The UIDs of the first new messages, sorted."""
        uids = set[int]()
        for window in windows(box, last):
            keys = window if last is not None else [*window, "SINCE", since]
            uids |= {uid for uid in self._search(keys, everything=everything) if (last or 0) < uid <= MAX_UID}
            if len(uids) >= limit:
                break
        return sorted(uids)[:limit]

    def _search(self, keys: list[Any], *, everything: bool) -> list[int]:
        if self._can_search and not everything:
            try:
                return list(self._client.search([*keys, *may_be_read_keys(self._subjects)]))
            except imaplib.IMAP4.abort:
                raise
            except imaplib.IMAP4.error:
                self._can_search = False  # `_fetch` then reads each header
        return list(self._client.search(keys))

    def _fetch(self, uid: int, *, everything: bool) -> bytes | None:
        """None if the message is gone, unreadable or not a report."""
        try:
            if not (self._can_search or everything):
                header = self._part(uid, HEADER, HEADER_BYTES)
                if header is None or not may_be_read(read_fields(header), self._subjects):
                    return None
            return self._part(uid, "", MESSAGE_BYTES)
        except imaplib.IMAP4.abort:
            raise
        except imaplib.IMAP4.error:
            return None

    def _part(self, uid: int, section: str, size: int) -> bytes | None:
        self._client.socket().settimeout(max(1.0, self._end - time.monotonic()))
        parts = self._client.fetch([uid], [f"BODY.PEEK[{section}]<0.{size}>"]).get(uid, {})
        return next((value for name, value in parts.items() if name[:5] == b"BODY[" and isinstance(value, bytes)), None)

    def _failure(self, error: Exception) -> MailboxUnreadable:
        """Hides the words of a server that does not speak IMAP, because they would help port scans."""
        host, words, trouble = self._login.host, "did not respond like an IMAP server", MailboxTrouble.PROTOCOL
        if isinstance(error, LoginError) and isinstance(error.__context__, imaplib.IMAP4.error):
            error = error.__context__  # which the library wrapped
        if isinstance(error, imaplib.IMAP4.error) and not isinstance(error, imaplib.IMAP4.abort):
            return self._refusal(_words_of(error))
        if isinstance(error, ssl.SSLCertVerificationError):
            words = clean(f"the certificate of {host} is not valid: {error.verify_message}")
            return MailboxUnreadable(words, MailboxTrouble.TLS)
        if isinstance(error, TimeoutError):
            words, trouble = "did not respond in time", MailboxTrouble.UNREACHABLE
        elif isinstance(error, Flood):
            words = "sent more than it was asked for"
        elif isinstance(error, OSError) and self._in_handshake:
            words, trouble = "ended the TLS handshake", MailboxTrouble.TLS
        elif isinstance(error, OSError) or (isinstance(error, imaplib.IMAP4.abort) and "unexpected" not in str(error)):
            words, trouble = "closed the connection", MailboxTrouble.CLOSED
        return MailboxUnreadable(f"{host} {words}", trouble)

    def _refusal(self, words: str) -> MailboxUnreadable:
        """Hides a banner that is not IMAP, because it would help port scans."""
        host, trouble = self._login.host, self._step
        if trouble is MailboxTrouble.LOGIN:
            trouble = MailboxTrouble.BUSY if NOT_NOW.search(words) else trouble
            return MailboxUnreadable(clean(f"{host} rejected the login: {words}"), trouble)
        if trouble is MailboxTrouble.MAILBOX:
            return MailboxUnreadable(clean(f"{host} did not open {MAILBOX}: {words}"), trouble)
        if trouble is MailboxTrouble.TLS:
            return MailboxUnreadable(f"{host} did not start TLS", trouble)
        if self._client is not None:
            return MailboxUnreadable(clean(f"{host} refused a command: {words}"), trouble)
        if words.startswith("* BYE"):
            return MailboxUnreadable(clean(f"{host} rejected the connection: {words[6:]}"), MailboxTrouble.BUSY)
        return MailboxUnreadable(f"{host} did not respond like an IMAP server", trouble)


def _last_uid(cursor: str | None, box: OpenedMailbox) -> int | None:
    """The UID of the last message read; None if UIDs were reassigned (RFC 3501, 2.3.1.1)."""
    validity, _, uid = (cursor or "").partition(":")
    return int(uid) if validity == str(box.validity) and re.fullmatch(r"\d{1,10}", uid, re.ASCII) else None


def _words_of(refusal: imaplib.IMAP4.error) -> str:
    first = refusal.args[0] if refusal.args else ""
    text = first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first)
    match = SAID.fullmatch(text)
    return match[1] if match else text
