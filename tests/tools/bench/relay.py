"""Signs in for a program that cannot, like smtp-source: `python -m tests.tools.bench.relay PORT UPSTREAM [KEY]`.

Without a key it only passes on, so that what it costs is in both figures of a comparison.
"""

import asyncio
import sys
from base64 import b64encode

import uvloop

HOST = "127.0.0.1"


class Side(asyncio.Protocol):
    """One of two connections; what it hears goes to the other."""

    transport: asyncio.Transport
    other: "Side"
    is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]  # of a stream

    def data_received(self, data: bytes) -> None:
        self.other.transport.write(data)

    def connection_lost(self, error: Exception | None) -> None:
        if hasattr(self.other, "transport"):
            self.other.transport.close()


class Upstream(Side):
    """Says EHLO and AUTH first, and hides the replies to them; NOOP's is the program's greeting."""

    def __init__(self, program: Side, key: str | None) -> None:
        self.other, program.other = program, self
        login = b64encode(f"\0bench\0{key}".encode()).decode()
        self._steps = (
            [] if key is None else [b"EHLO bench.example\r\n", f"AUTH PLAIN {login}\r\n".encode(), b"NOOP\r\n"]
        )

    def data_received(self, data: bytes) -> None:
        if not self._steps:
            self.other.transport.write(data)
        elif data.splitlines()[-1][3:4] == b" ":
            self.transport.write(self._steps.pop(0))


class Program(Side):
    def __init__(self, port: int, key: str | None) -> None:
        self._port, self._key = port, key

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        loop = asyncio.get_running_loop()
        self._dialing = loop.create_task(loop.create_connection(lambda: Upstream(self, self._key), HOST, self._port))


async def main(port: int, upstream: int, key: str | None = None) -> None:
    server = await asyncio.get_running_loop().create_server(lambda: Program(upstream, key), HOST, port)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]))
