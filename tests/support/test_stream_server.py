"""The server of the fakes leaves no connection behind, whenever one comes."""

import asyncio
import contextlib
import socket

import pytest

from tests.fakes.stream_server import HOST, StreamServer


async def read_all(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.read()


@pytest.mark.parametrize("turns", range(4))
async def test_whoever_comes_while_it_stops_is_let_go(turns: int) -> None:
    server, loop = StreamServer(read_all), asyncio.get_running_loop()
    port = await server.start()
    with contextlib.ExitStack() as clients:
        coming = [clients.enter_context(socket.socket()) for _ in range(5)]
        for one in coming:
            one.setblocking(False)
            one.connect_ex((HOST, port))
            await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        await server.stop()
        for one in coming:
            with contextlib.suppress(ConnectionError):
                assert await asyncio.wait_for(loop.sock_recv(one, 1), 30) == b""
