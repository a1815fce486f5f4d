"""An SMTP server that says yes as fast as Python can, and counts."""

import asyncio
import time

SAY_HELLO = b"250-sink\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 PIPELINING\r\n"


class Sink:
    """Counts the messages that arrived; `last_at` is when the latest did, by the monotonic clock."""

    def __init__(self) -> None:
        self.count = 0
        self.last_at = 0.0

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 sink\r\n")
        try:
            while (line := await reader.readline()) and await self._answer(line[:4].upper(), reader, writer):
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, verb: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        if verb == b"EHLO":
            writer.write(SAY_HELLO)
        elif verb == b"DATA":
            writer.write(b"354 go on\r\n")
            await reader.readuntil(b"\r\n.\r\n")
            self.count += 1
            self.last_at = time.monotonic()
            writer.write(b"250 ok\r\n")
        else:
            writer.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n")
        return verb != b"QUIT"
