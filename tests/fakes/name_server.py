"""A name server in the test's own loop, on 127.0.0.1 and a free port, by UDP and TCP.

async with NameServer() as names:
    names.add("northwind.example", "TXT", '"v=spf1 -all"')
    names.fail("broken.example")    names.hang("slow.example")    names.fail("odd.example", b"no packet")
"""

import asyncio
import struct
from typing import Self

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

HOST = "127.0.0.1"


class NameServer(asyncio.DatagramProtocol):
    def __init__(self) -> None:
        self.records: dict[tuple[str, str], list[str]] = {}
        self.asked: list[tuple[str, str]] = []  # names and types
        self.bytes_by_tcp = 0
        self._failures: dict[str, bytes | None] = {}  # what is sent instead; None: nothing

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._tcp = await asyncio.start_server(self._serve, HOST, 0)
        self.port: int = self._tcp.sockets[0].getsockname()[1]
        self._udp, _ = await loop.create_datagram_endpoint(lambda: self, (HOST, self.port))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._udp.close()
        self._tcp.close()
        await self._tcp.wait_closed()

    @property
    def address(self) -> tuple[str, int]:
        return HOST, self.port

    def add(self, name: str, kind: str, *values: str) -> None:
        """Adds records; texts are written in quotes."""
        self.records.setdefault((name, kind), []).extend(values)

    def text(self, name: str, *values: str) -> None:
        """The only TXT records of a name from now on, in strings of at most 255 bytes."""
        pieces = [[value[start : start + 255] for start in range(0, max(len(value), 1), 255)] for value in values]
        self.records[name, "TXT"] = [" ".join(f'"{piece}"' for piece in strings) for strings in pieces]

    def fail(self, name: str, answer: bytes = b"SERVFAIL") -> None:
        """Sends these bytes in place of an answer about the name."""
        self._failures[name] = answer

    def hang(self, name: str) -> None:
        self._failures[name] = None

    def heal(self) -> None:
        self._failures.clear()

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        answer = self._answer(data, by_udp=True)
        if answer is not None:
            self._udp.sendto(answer, addr)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        (length,) = struct.unpack("!H", await reader.readexactly(2))
        answer = self._answer(await reader.readexactly(length), by_udp=False)
        if answer is not None:
            self.bytes_by_tcp += len(answer)
            writer.write(struct.pack("!H", len(answer)) + answer)
            await writer.drain()
        writer.close()

    def _answer(self, data: bytes, *, by_udp: bool) -> bytes | None:
        query = dns.message.from_wire(data)
        question = query.question[0]
        name, kind = str(question.name).rstrip(".").lower(), dns.rdatatype.to_text(question.rdtype)
        self.asked.append((name, kind))
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        if name in self._failures:
            instead = self._failures[name]
            response.set_rcode(dns.rcode.SERVFAIL)
            return response.to_wire() if instead == b"SERVFAIL" else instead
        if values := self.records.get((name, kind)):
            response.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *values))
        elif not any(existing == name or existing.endswith(f".{name}") for existing, _ in self.records):
            response.set_rcode(dns.rcode.NXDOMAIN)
        wire = response.to_wire(max_size=65_535)
        if by_udp and len(wire) > 1232:
            response.answer.clear()
            response.flags |= dns.flags.TC
            wire = response.to_wire()
        return wire
