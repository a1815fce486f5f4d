"""An IMAP server in the test's own loop, on 127.0.0.1 and a free port, for what no good server does.

    async with ImapServer(users={"ann": "secret"}) as server:
        server.add(b"From: ...")                     # a message; uids count from 1
        ...
    assert server.verbs == ["LOGIN", "EXAMINE", ...]

What goes wrong is said beforehand, for a verb (CONNECT stands for the greeting), for its call number `at`, from 1:

    server.answer("LOGIN", "NO [UNAVAILABLE] try later")        # instead of OK
    server.send("FETCH", b"* what\r\nTAG OK\r\n", at=3)        # whatever bytes, instead; then it closes
    server.close_at("FETCH", at=3)    server.hang("SEARCH")     # until the client closes
"""

import asyncio
import base64
import contextlib
import datetime as dt
import re
from dataclasses import dataclass, field
from typing import Literal, Self

from tests.fakes.smtp_server import Certificate, server_context
from tests.fakes.stream_server import HOST, StreamServer

__all__ = ["HOST", "ImapServer"]

REPORT = re.compile(
    rb"^(From:.*(mailer-daemon|postmaster|microsoftexchange|staff@hotmail\.)|Content-Type: multipart/report|Auto-Submitted: auto-)",
    re.IGNORECASE | re.MULTILINE,
)
SECTION = re.compile(r"BODY\.PEEK\[(HEADER[^\]]*)?\]<0\.(\d+)>", re.IGNORECASE)
RANGE = re.compile(r"(\d+):(\d+|\*)")


@dataclass
class _Script:
    verb: str
    at: int | None  # None: always
    act: Literal["answer", "send", "close", "hang"]
    data: bytes = b""


@dataclass
class ImapServer(StreamServer):
    tls: Literal["none", "starttls", "implicit"] = "none"
    certificate: Certificate = "good"
    users: dict[str, str] = field(default_factory=lambda: {"ann": "secret"})
    searches: bool = True  # by header; False: such a SEARCH is refused
    validity: int = 1

    messages: dict[int, tuple[bytes, dt.date]] = field(default_factory=dict)  # by uid
    lines: list[str] = field(default_factory=list)  # without their tags
    logins: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(self._serve)
        self._scripts: list[_Script] = []

    async def __aenter__(self) -> Self:
        await self.start(ssl=server_context(self.certificate) if self.tls == "implicit" else None)
        return self

    def add(self, message: bytes, day: dt.date = dt.date(2026, 10, 5)) -> int:
        uid = max(self.messages, default=0) + 1
        self.messages[uid] = message, day
        return uid

    def answer(self, verb: str, words: str, at: int | None = None) -> None:
        self._scripts.append(_Script(verb, at, "answer", words.encode()))

    def send(self, verb: str, data: bytes, at: int | None = None) -> None:
        self._scripts.append(_Script(verb, at, "send", data))

    def close_at(self, verb: str, at: int | None = None) -> None:
        self._scripts.append(_Script(verb, at, "close"))

    def hang(self, verb: str, at: int | None = None) -> None:
        self._scripts.append(_Script(verb, at, "hang"))

    @property
    def verbs(self) -> list[str]:
        """The commands, without CAPABILITY; `UID` is not counted as one."""
        found = [verb_of(line) for line in self.lines]
        return [verb for verb in found if verb != "CAPABILITY"]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            if await self._act("CONNECT", "", reader, writer):
                writer.write(b"* OK ready\r\n")
                while await self._answer_one(reader, writer):
                    await writer.drain()

    async def _act(self, verb: str, tag: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """True where the server does what is usual."""
        count = [verb_of(line) for line in self.lines].count(verb)
        script = next((one for one in self._scripts if one.verb == verb and one.at in (None, count)), None)
        if script is None:
            return True
        if script.act == "hang":
            await reader.read()
        if script.act == "answer":
            writer.write(f"{tag} ".encode() + script.data + b"\r\n")
            return False
        writer.write(script.data.replace(b"TAG", tag.encode()))
        await writer.drain()
        raise ConnectionError

    async def _answer_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        tag, _, line = (await reader.readuntil(b"\r\n")).decode()[:-2].partition(" ")
        self.lines.append(line)
        verb = verb_of(line)
        if not await self._act(verb, tag, reader, writer):
            return True
        words = "OK done"
        if verb == "CAPABILITY":
            offered = " STARTTLS" if self.tls == "starttls" and "STARTTLS" not in self.verbs else ""
            writer.write(f"* CAPABILITY IMAP4rev1 AUTH=PLAIN{offered}\r\n".encode())
        elif verb == "STARTTLS":
            writer.write(f"{tag} OK begin\r\n".encode())
            await writer.drain()
            await writer.start_tls(server_context(self.certificate))
            return True
        elif verb == "LOGIN":
            name, _, password = line.partition(" ")[2].partition(" ")
            words = self._sign_in(name, re.sub(r"\\(.)", r"\1", password[1:-1]))
        elif verb == "AUTHENTICATE":
            writer.write(b"+ \r\n")
            response = base64.b64decode(await reader.readuntil(b"\r\n")).decode()
            words = self._sign_in(*response.split("\0")[1:])
        elif verb == "EXAMINE":
            words = self._examine(line.partition(" ")[2].strip('"'), writer)
        elif verb == "SEARCH":
            words = self._search(line, writer)
        elif verb == "FETCH":
            self._fetch(line, writer)
        elif verb == "LOGOUT":
            writer.write(b"* BYE\r\n")
        else:
            words = "BAD this server changes nothing"
        writer.write(f"{tag} {words}\r\n".encode())
        return verb != "LOGOUT"

    def _sign_in(self, name: str, password: str) -> str:
        self.logins.append((name, password))
        return "OK welcome" if self.users.get(name) == password else "NO [AUTHENTICATIONFAILED] wrong name or password"

    def _examine(self, name: str, writer: asyncio.StreamWriter) -> str:
        if name != "INBOX":
            return "NO [NONEXISTENT] no such mailbox"
        writer.write(f"* {len(self.messages)} EXISTS\r\n* 0 RECENT\r\n* FLAGS (\\Seen)\r\n".encode())
        writer.write(f"* OK [UIDVALIDITY {self.validity}] ok\r\n".encode())
        writer.write(f"* OK [UIDNEXT {max(self.messages, default=0) + 1}] ok\r\n".encode())
        return "OK [READ-ONLY] done"

    def _search(self, line: str, writer: asyncio.StreamWriter) -> str:
        if "HEADER" in line and not self.searches:
            return "BAD cannot search for that"
        keys = line.partition("SEARCH ")[2]
        uids = list(self.messages)
        if not keys.startswith("UID"):
            uids = self._within(RANGE.search(keys), uids, list(range(1, len(uids) + 1)))
            keys = keys.partition(" ")[2]
        uids = self._within(RANGE.search(keys), uids, uids)
        if since := re.search(r"SINCE (\S+)", keys):
            day = dt.datetime.strptime(since[1] + "+0000", "%d-%b-%Y%z").date()
            uids = [uid for uid in uids if self.messages[uid][1] >= day]
        if "HEADER" in keys:
            subjects = re.findall(r"SUBJECT \"?(\w+)", keys)
            words = re.compile(rf"{REPORT.pattern.decode()}|^Subject:.*({'|'.join(subjects)})".encode(), REPORT.flags)
            wanted = words if subjects else REPORT
            uids = [uid for uid in uids if wanted.search(self.messages[uid][0].partition(b"\r\n\r\n")[0])]
        writer.write(f"* SEARCH {' '.join(map(str, uids))}\r\n".encode())
        return "OK done"

    def _within(self, found: re.Match[str] | None, uids: list[int], numbers: list[int]) -> list[int]:
        assert found is not None
        last = max(numbers, default=0) if found[2] == "*" else int(found[2])
        first, last = sorted((int(found[1]), last))  # RFC 3501, 9: in any order
        return [uid for uid, number in zip(uids, numbers, strict=True) if first <= number <= last]

    def _fetch(self, line: str, writer: asyncio.StreamWriter) -> None:
        uid, section = int(line.split()[2]), SECTION.search(line)
        assert section is not None
        if uid in self.messages:
            content = self.messages[uid][0]
            part = (content.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if section[1] else content)[: int(section[2])]
            head = f"* {list(self.messages).index(uid) + 1} FETCH (UID {uid} BODY[{section[1] or ''}]<0> {{{len(part)}}}\r\n"
            writer.write(head.encode() + part + b")\r\n")


def verb_of(line: str) -> str:
    return line.removeprefix("UID ").partition(" ")[0].upper()
