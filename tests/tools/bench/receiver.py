"""A receiving SMTP server in a process of its own, which says yes and counts: `python -m tests.tools.bench.receiver`.

With a delay each group of commands is answered that much later, as over a long line; what came together is answered
together. It prints `mesg=<count>` as postfix's `smtp-sink -c` does, and writes to a file, where it is given one, when
which recipient's message was accepted, in seconds by the machine's clock.
"""

import argparse
import asyncio
import sys
import time
from pathlib import Path

TELL_EVERY = 0.02  # seconds
END = b"\r\n.\r\n"


class Receiver(asyncio.Protocol):
    """One connection."""

    count = 0  # of the whole process
    arrivals: Path | None = None

    def __init__(self, delay: float, extensions: tuple[str, ...]) -> None:
        self._delay, self._extensions = delay, extensions
        self._buffer = b""
        self._recipient = b""
        self._is_in_data = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b"220 receiver\r\n")

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        answers = []
        while (answer := self._take()) is not None:
            answers.append(answer)
        if answers:
            asyncio.get_running_loop().call_later(self._delay, self._say, b"".join(answers))

    def _say(self, answers: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(answers)

    def _take(self) -> bytes | None:
        """The answer to the next command or message, None where it has not come in whole."""
        end = END if self._is_in_data else b"\r\n"
        found, is_whole, rest = self._buffer.partition(end)
        if not is_whole:
            return None
        self._buffer = rest
        if self._is_in_data:
            self._is_in_data = False
            Receiver.count += 1
            self._note()
            return b"250 ok\r\n"
        if found[:4].upper() == b"RCPT":
            self._recipient = found.partition(b"<")[2].partition(b">")[0]
        return self._answer(found[:4].upper())

    def _note(self) -> None:
        if Receiver.arrivals is not None:
            with Receiver.arrivals.open("a") as file:
                file.write(f"{self._recipient.decode()} {time.time()}\n")

    def _answer(self, verb: bytes) -> bytes:
        if verb == b"EHLO":
            lines = ("receiver", *self._extensions)
            return b"".join(f"250{'-' if line != lines[-1] else ' '}{line}\r\n".encode() for line in lines)
        if verb == b"DATA":
            self._is_in_data = True
            return b"354 go on\r\n"
        return b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n"


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.receiver", description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--delay", type=float, default=0, help="seconds before each answer")
    parser.add_argument("--plain", action="store_true", help="do not offer PIPELINING")
    parser.add_argument("--arrivals", type=Path, help="where to write when which recipient's message was accepted")
    chosen = parser.parse_args()
    Receiver.arrivals = chosen.arrivals
    extensions = ("8BITMIME", "SMTPUTF8", *(() if chosen.plain else ("PIPELINING",)))
    loop = asyncio.get_running_loop()
    await loop.create_server(lambda: Receiver(chosen.delay, extensions), "127.0.0.1", chosen.port, backlog=512)
    while True:
        sys.stdout.write(f"mesg={Receiver.count}\r")
        sys.stdout.flush()
        await asyncio.sleep(TELL_EVERY)


if __name__ == "__main__":
    asyncio.run(main())
