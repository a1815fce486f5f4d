"""An SMTP server in the test's own loop, on 127.0.0.1 and a free port, that does as it is told and forgets nothing.

    async with SmtpServer() as server:                      # clear text, no login wanted
        server.refuse("gone@example.org", "550 5.1.1 no such user")
        ...                                                 # dial 127.0.0.1, server.port
    assert [mail.recipients for mail in server.messages] == [["ada@example.org"]]

Steps, for `reply`, `delay`, `hold`, `drop` and `hang`: GREETING EHLO STARTTLS AUTH MAIL RCPT DATA BODY DOT RSET NOOP QUIT.
BODY is "354 said, the message is coming in"; DOT is "the message is here, the answer is not". `times` limits how often
a script applies (None: always); scripts of one step apply in the order they were given, each until it is used up.

    server.reply("MAIL", "451 4.3.0 later", times=2)        server.reply("DOT", "421 closing", close=True)
    server.delay("DOT", 0.2)                                server.hang("DATA")
    server.drop("DOT")            # the message is kept: the client cannot know
    server.drop("BODY")           # the message is lost
    server.close_after(100)       # messages per connection
    server.dismiss("421 4.4.2 idle for too long")   # closes the connections that there are, unasked

TLS: `SmtpServer(tls="starttls")` or `tls="implicit"`, `certificate="good" | "wrong-name" | "expired" | "untrusted"`;
`client_context()` trusts the tests' authority. Login: `SmtpServer(users={"ada": "secret"})`, `auth=("PLAIN", "LOGIN")`.
"""

import asyncio
import base64
import contextlib
import datetime as dt
import hmac
import re
import ssl
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, Self

import trustme

from tests.fakes.stream_server import HOST, StreamServer

LIMIT = 64 * 1024 * 1024  # bytes a client may be ahead of what is read
CHALLENGE = b"<1.2@mx.example.com>"
LENIENT_END = re.compile(rb"(?:\r\n|\r|\n)\.(?:\r\n|\r|\n)")

Certificate = Literal["good", "wrong-name", "expired", "untrusted"]


@dataclass
class Received:
    """One accepted message, dots undone."""

    mail_from: str
    recipients: list[str]
    content: bytes
    options: list[str]
    connection: int
    is_secure: bool
    user: str | None
    at: float = field(default_factory=time.monotonic)  # seconds; before it was answered


@dataclass
class Command:
    """One line a client sent, and over which connection; `line` has no CRLF."""

    connection: int
    line: str
    is_secure: bool

    @property
    def verb(self) -> str:
        """The first word, in upper case."""
        return self.line.partition(" ")[0].upper()


@dataclass
class _Script:
    reply: str | None = None
    seconds: float = 0
    until: asyncio.Event | None = None
    drop: bool = False
    hang: bool = False
    times: int | None = None


class _Drop(Exception):
    """The connection ends here."""


@cache
def authority() -> trustme.CA:
    """The authority that the tests' certificates come from."""
    return trustme.CA()


def client_context() -> ssl.SSLContext:
    """A client's TLS context that trusts nobody but `authority()`."""
    context = ssl.create_default_context()
    authority().configure_trust(context)
    return context


@cache
def server_context(certificate: Certificate) -> ssl.SSLContext:
    issuer = trustme.CA() if certificate == "untrusted" else authority()
    names = ["elsewhere.example"] if certificate == "wrong-name" else ["localhost", HOST, "mx.example.com"]
    start = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    end = start.replace(year=2021) if certificate == "expired" else start.replace(year=2090)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    issuer.issue_cert(*names, not_before=start, not_after=end).configure_cert(context)
    return context


@dataclass
class SmtpServer(StreamServer):
    """The server; its arguments say what it offers, its methods what it does, its lists what happened."""

    tls: Literal["none", "starttls", "implicit"] = "none"
    certificate: Certificate = "good"
    users: dict[str, str] | None = None  # given: MAIL needs a login
    auth: tuple[str, ...] = ("PLAIN", "LOGIN")
    user_of: Callable[[str], str | None] = lambda _: None  # of a token, for XOAUTH2
    refused_auth: tuple[str, ...] = ()  # mechanisms that it offers and lets nobody in by
    initial_responses: bool = True  # False: AUTH takes none, 501
    pipelining: bool = True
    discards: bool = False  # what has come in with a command, whatever it offers
    smtputf8: bool = True
    size: int | None = None
    most_recipients: int | None = None  # of a transaction; others are answered `one_too_many`
    one_too_many: str = "452 4.5.3 too many recipients"
    lenient_ends: bool = False  # takes LF.LF, LF.CRLF, CR.CR ... for the end of a message, as smuggling needs it

    messages: list[Received] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    logins: list[tuple[str, str]] = field(default_factory=list)  # every try, user and password
    violations: list[str] = field(default_factory=list)  # what a client did that RFC 5321 forbids

    def __post_init__(self) -> None:
        super().__init__(self._serve)
        self._scripts: dict[str, list[_Script]] = {}
        self._refused: dict[str, str] = {}
        self._refused_tags: dict[str, str] = {}
        self.message_limit: int | None = None
        self._clients: set[_Client] = set()

    async def __aenter__(self) -> Self:
        await self.start(ssl=server_context(self.certificate) if self.tls == "implicit" else None, limit=LIMIT)
        return self

    def refuse(self, address: str, reply: str = "550 5.1.1 no such user") -> None:
        """Answer MAIL from this address and RCPT for it with `reply`; hang up where that is empty."""
        self._refused[address] = reply

    def refuse_tags(self, step: str, reply: str) -> None:
        """Answer MAIL, RCPT or DOT with `reply` where the return path has a tag; hang up where that is empty."""
        self._refused_tags[step] = reply

    def reply(self, step: str, reply: str, *, times: int | None = None, close: bool = False) -> None:
        r"""Answer a step with `reply` (more lines: "250-a\r\n250 b"), and `close` after it."""
        self._script(step, _Script(reply=reply, drop=close, times=times))

    def delay(self, step: str, seconds: float, *, times: int | None = None) -> None:
        """Wait before the usual answer."""
        self._script(step, _Script(seconds=seconds, times=times))

    def hold(self, step: str, *, times: int | None = 1) -> asyncio.Event:
        """Wait before the usual answer, until the returned event is set."""
        event = asyncio.Event()
        self._script(step, _Script(until=event, times=times))
        return event

    def drop(self, step: str, *, times: int | None = None) -> None:
        """Close the connection instead of an answer."""
        self._script(step, _Script(drop=True, times=times))

    def hang(self, step: str, *, times: int | None = None) -> None:
        """Never answer; at BODY: never read on."""
        self._script(step, _Script(hang=True, times=times))

    def close_after(self, messages: int) -> None:
        """Close a connection, without a word, after this many messages."""
        self.message_limit = messages

    def dismiss(self, words: str) -> None:
        """Say these words to every client, unasked, and hang up."""
        for client in self._clients:
            client.writer.write(words.encode() + b"\r\n")
            client.writer.close()

    def heal(self) -> None:
        """Forget every script and refusal."""
        self._scripts.clear()
        self._refused.clear()
        self._refused_tags.clear()
        self.message_limit = None

    @property
    def verbs(self) -> list[str]:
        """The verbs of all commands, in order."""
        return [command.verb for command in self.commands]

    def recipients(self) -> list[str]:
        """Every accepted recipient, in order."""
        return [recipient for message in self.messages for recipient in message.recipients]

    def refusal_of(self, address: str) -> str | None:
        """What MAIL from this address and RCPT for it are answered, if it is refused."""
        refusal = self._refused.get(address)
        if refusal == "":
            raise _Drop
        return refusal

    def refusal_of_tag(self, step: str, mail_from: str | None) -> str | None:
        """The reply that refuses this step of a transaction with a tagged return path; None where it is accepted."""
        refusal = self._refused_tags.get(step) if "+" in (mail_from or "") else None
        if refusal == "":
            raise _Drop
        return refusal

    def _script(self, step: str, script: _Script) -> None:
        self._scripts.setdefault(step.upper(), []).append(script)

    def next_script(self, step: str) -> _Script | None:
        """The script that applies to a step now, used once."""
        script = next((script for script in self._scripts.get(step, ()) if script.times != 0), None)
        if script is not None and script.times is not None:
            script.times -= 1
        return script

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = _Client(self, reader, writer, self.connections)
        self._clients.add(client)
        try:
            await client.run()
        except (_Drop, ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            self._clients.discard(client)


class _Client:
    """One connection to the server."""

    def __init__(
        self, server: SmtpServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int
    ) -> None:
        self.server, self.reader, self.writer, self.number = server, reader, writer, number
        self.buffer = b""
        self.is_secure = server.tls == "implicit"
        self.user: str | None = None
        self.accepted = 0
        self.reset()

    def reset(self) -> None:
        self.mail_from: str | None = None
        self.options: list[str] = []
        self.recipients: list[str] = []

    async def run(self) -> None:
        await self.answer("GREETING", "220 mx.example.com ESMTP")
        while (line := await self.read_line()) is not None:
            text = line.decode("utf-8", "surrogateescape")
            command = Command(self.number, text, self.is_secure)
            self.server.commands.append(command)
            handler = getattr(self, f"on_{command.verb.lower()}", None)
            if handler is None:
                await self.say("500 5.5.2 what?")
            else:
                await handler(text.partition(" ")[2])
            if command.verb == "QUIT":
                break

    async def read_line(self) -> bytes | None:
        while b"\r\n" not in self.buffer:
            if not await self.fill():
                return None
        line, _, self.buffer = self.buffer.partition(b"\r\n")
        if self.buffer and not self.server.pipelining:
            self.server.violations.append(f"commands after {line!r} without PIPELINING")
        if self.server.discards:
            self.buffer = b""
        return line

    async def fill(self) -> bool:
        data = await self.reader.read(65536)
        self.buffer += data
        return bool(data)

    async def answer(self, step: str, usual: str) -> bool:
        """Answer as scripted, else with `usual` (nothing where that is empty); whether it was `usual`."""
        script = self.server.next_script(step) or _Script()
        if script.hang:
            self.writer.transport.pause_reading()  # type: ignore[attr-defined]  # typed as write-only
            await asyncio.Event().wait()
        await asyncio.sleep(script.seconds)
        if script.until is not None:
            await script.until.wait()
        if reply := script.reply or ("" if script.drop else usual):
            await self.say(reply)
        if script.drop:
            raise _Drop
        return script.reply is None

    async def say(self, reply: str) -> None:
        self.writer.write(reply.encode("utf-8", "surrogateescape") + b"\r\n")
        await self.writer.drain()

    async def on_ehlo(self, _: str) -> None:
        await self.answer("EHLO", "\r\n".join(_lines(["mx.example.com", *self.extensions()])))

    async def on_helo(self, _: str) -> None:
        await self.say("250 mx.example.com")

    def extensions(self) -> list[str]:
        server = self.server
        offers = {
            "PIPELINING": server.pipelining,
            "SMTPUTF8": server.smtputf8,
            "8BITMIME": True,
            f"SIZE {server.size or 0}": server.size is not None,
            "STARTTLS": server.tls == "starttls" and not self.is_secure,
            f"AUTH {' '.join(server.auth)}": server.users is not None,
        }
        return [name for name, offered in offers.items() if offered]

    async def on_starttls(self, _: str) -> None:
        if self.server.tls != "starttls" or self.is_secure:
            await self.say("502 5.5.1 no STARTTLS here")
            return
        if not await self.answer("STARTTLS", "220 2.0.0 go ahead"):
            return
        await self.writer.start_tls(server_context(self.server.certificate))
        self.buffer = b""
        self.is_secure = True
        self.reset()

    async def on_auth(self, rest: str) -> None:
        mechanism, _, initial = rest.partition(" ")
        if initial and not self.server.initial_responses:
            await self.say("501 5.5.4 no initial response, please")
            return
        if mechanism.upper() == "LOGIN":
            user = _decode(initial) if initial else await self.ask(b"Username:")
            password = await self.ask(b"Password:")
        elif mechanism.upper() == "PLAIN":
            parts = (_decode(initial) if initial else await self.ask(b"")).split("\0")
            user, password = parts[-2], parts[-1]
        elif mechanism.upper() == "XOAUTH2":
            user, _, password = _decode(initial).removeprefix("user=").rstrip("\1").partition("\1auth=Bearer ")
            if self.server.user_of(password) != user:
                assert await self.ask(b'{"status": "401"}') == ""
                await self.answer("AUTH", "535 5.7.3 Authentication unsuccessful")
            elif await self.answer("AUTH", "235 2.7.0 welcome"):
                self.user = user
            return
        elif mechanism.upper() == "CRAM-MD5":
            user, _, digest = (await self.ask(CHALLENGE)).rpartition(" ")
            secret = (self.server.users or {}).get(user, "")
            password = secret if hmac.digest(secret.encode(), CHALLENGE, "md5").hex() == digest else ""
        else:
            await self.say("504 5.5.4 no such mechanism")
            return
        self.server.logins.append((user, password))
        known = (self.server.users or {}).get(user) == password and mechanism.upper() not in self.server.refused_auth
        if await self.answer("AUTH", "235 2.7.0 welcome" if known else "535 5.7.8 wrong user name or password"):
            self.user = user if known else None

    async def ask(self, prompt: bytes) -> str:
        await self.say(f"334 {base64.b64encode(prompt).decode()}")
        return _decode((await self.read_line() or b"").decode())

    async def on_mail(self, rest: str) -> None:
        if self.server.users is not None and self.user is None:
            await self.say("530 5.7.0 sign in first")
            return
        path, options = _path(rest)
        if self.mail_from is not None:
            self.server.violations.append("MAIL inside a transaction")
        refusal = self.server.refusal_of(path) or self.server.refusal_of_tag("MAIL", path)
        if await self.answer("MAIL", refusal or "250 2.1.0 ok") and refusal is None:
            self.mail_from, self.options, self.recipients = path, options, []

    async def on_rcpt(self, rest: str) -> None:
        path, _ = _path(rest)
        if self.mail_from is None:
            await self.say("503 5.5.1 MAIL first")
            return
        refusal = self.server.refusal_of(path) or self.server.refusal_of_tag("RCPT", self.mail_from)
        if refusal is None and len(self.recipients) == self.server.most_recipients:
            refusal = self.server.one_too_many
        if await self.answer("RCPT", refusal or "250 2.1.5 ok") and refusal is None:
            self.recipients.append(path)

    async def on_data(self, _: str) -> None:
        if not self.recipients:
            await self.say("554 5.5.1 no valid recipients")
            return
        if not await self.answer("DATA", "354 go ahead"):
            return
        if not await self.answer("BODY", ""):
            await self.read_message()
            self.reset()
            return
        contents = await self.read_message()
        if refusal := self.server.refusal_of_tag("DOT", self.mail_from):
            await self.say(refusal)
            self.reset()
            return
        for content in contents:
            self.keep(content)
        await self.answer("DOT", f"250 2.0.0 Ok: queued as {len(self.server.messages)}")
        self.reset()
        self.accepted += 1
        if self.accepted == self.server.message_limit:
            raise _Drop

    async def read_message(self) -> list[bytes]:
        """The content, dots undone; several where `lenient_ends` finds ends that are none."""
        self.buffer = b"\r\n" + self.buffer  # an empty message ends with its first line
        while b"\r\n.\r\n" not in self.buffer:
            if not await self.fill():
                raise _Drop
        whole, _, self.buffer = self.buffer.partition(b"\r\n.\r\n")
        if self.server.discards:
            self.buffer = b""
        parts = LENIENT_END.split(whole) if self.server.lenient_ends else [whole]
        return [(part + b"\r\n").replace(b"\r\n..", b"\r\n.").removeprefix(b"\r\n") for part in parts]

    def keep(self, content: bytes) -> None:
        message = Received(
            self.mail_from or "", self.recipients, content, self.options, self.number, self.is_secure, self.user
        )
        self.server.messages.append(message)

    async def on_rset(self, _: str) -> None:
        self.reset()
        await self.answer("RSET", "250 2.0.0 ok")

    async def on_noop(self, _: str) -> None:
        await self.answer("NOOP", "250 2.0.0 ok")

    async def on_quit(self, _: str) -> None:
        with contextlib.suppress(ConnectionError):
            await self.answer("QUIT", "221 2.0.0 bye")


def _lines(texts: Iterable[str]) -> list[str]:
    *first, last = texts
    return [*(f"250-{text}" for text in first), f"250 {last}"]


def _decode(text: str) -> str:
    return base64.b64decode(text).decode()


def _path(rest: str) -> tuple[str, list[str]]:
    """The address and the options of `FROM:<a@b> SIZE=1`."""
    address, _, options = rest.partition(":<")[2].partition(">")
    return address, options.split()
