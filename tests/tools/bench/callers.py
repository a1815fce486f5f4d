"""A client of ours where wrk is missing: `python -m tests.tools.bench.callers PORT CONNECTIONS SECONDS FILE`.

It sends the file's requests, which zero bytes divide, one after the other and again from the first, and prints what
became of them as JSON.
"""

import asyncio
import itertools
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httptools
import uvloop

FIRST_REFUSAL = 300  # of HTTP's status codes


class Caller(asyncio.Protocol):
    """A connection that asks again as soon as it is answered."""

    def __init__(self, requests: Iterator[bytes], milliseconds: list[float], refused: list[int]) -> None:
        self._requests, self._milliseconds, self._refused = requests, milliseconds, refused
        self._parser = httptools.HttpResponseParser(self)
        self._began = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # narrower, as uvicorn's own
        self._transport = transport
        self._ask()

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_complete(self) -> None:
        self._milliseconds.append(1000 * (time.perf_counter() - self._began))
        if (status := self._parser.get_status_code()) >= FIRST_REFUSAL:
            self._refused.append(status)
        self._ask()

    def connection_lost(self, error: Exception | None) -> None:
        self._refused.append(0)

    def _ask(self) -> None:
        self._began = time.perf_counter()
        self._transport.write(next(self._requests))


async def main(port: int, connections: int, seconds: float, messages: list[bytes]) -> None:
    requests = itertools.cycle(messages)
    milliseconds, refused = list[float](), list[int]()
    loop, began = asyncio.get_running_loop(), time.perf_counter()
    for _ in range(connections):
        await loop.create_connection(lambda: Caller(requests, milliseconds, refused), "127.0.0.1", port)
    await asyncio.sleep(seconds)
    passed = time.perf_counter() - began
    milliseconds.sort()
    p50, p99 = (milliseconds[int(len(milliseconds) * share)] if milliseconds else 0.0 for share in (0.5, 0.99))
    print(
        json.dumps({"answered": len(milliseconds), "failed": len(refused), "seconds": passed, "p50": p50, "p99": p99})
    )


if __name__ == "__main__":
    uvloop.run(
        main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4]).read_bytes().split(b"\0"))
    )
