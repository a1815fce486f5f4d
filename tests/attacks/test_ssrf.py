"""Requests that somebody else would like us to make: hosts behind names, redirects, answers without end (S41, S44)."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.api.conftest import Api
from tests.conftest import free_port
from tests.fakes.stream_server import StreamServer
from webapp import config
from webapp.config import Settings
from webapp.sending import oauth
from webapp.sending.http_client import HttpClient, NoAnswer
from webapp.sending.oauth import OAuthClient, TokenRefused

INSIDE = [
    "127.0.0.1", "127.1", "127.0.0.1.", "0", "0.0.0.0", "0x7f.1", "0x7f000001", "017700000001", "2130706433", "localhost",
    "LOCALHOST", "localhost.", "::1", "::", "0:0:0:0:0:0:0:1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "10.0.0.1", "172.31.0.1",
    "192.168.1.1", "169.254.169.254", "100.64.0.1", "fd00::1", "fe80::1", "fec0::1", "64:ff9b::a00:1", "64:ff9b:1::1",
    "2002:7f00:1::", "2001:db8::1", "ff02::1", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "203.0.113.1",
    "168.63.129.16", "192.0.0.8", "192.88.99.1", "240.0.0.1", "::8.8.8.8", "::ffff:8.8.8.8", "64:ff9b::808:808", "2001:0:1::1",
    "100::1", "3fff::1", "fd00:ec2::254", "\uff11\uff12\uff17.0.0.1", "\u2460\u2461\u2466.0.0.1",
]  # fmt: skip


async def test_no_spelling_of_an_inner_host_is_saved(api: Api, settings: Settings) -> None:
    config.configure(replace(settings, allow_private_hosts=False))
    for host in INSIDE:
        body = {"name": "Main", "provider_type": "smtp", "smtp_host": host, "smtp_port": 587}
        status, answer = await api.post("/v1/accounts", body)
        if status == 201:  # a machine may have no such name, or no IPv6: then there is nothing to reach either
            assert host in ("localhost.", "LOCALHOST", "::1", "::", "0:0:0:0:0:0:0:1"), answer
        else:
            assert (status, answer["details"][0]["field"]) == (400, "smtp_host"), host


@contextlib.asynccontextmanager
async def answering(head: str, body: bytes = b"") -> AsyncIterator[tuple[str, list[bytes]]]:
    """A web server that says this to whatever it is asked, and what it was asked."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            asked.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(f"HTTP/1.1 {head}\r\nConnection: close\r\n\r\n".encode() + body)
            await writer.drain()
            writer.close()
            await writer.wait_closed()

    async with StreamServer(serve) as server:
        yield f"http://127.0.0.1:{server.port}", asked


@pytest.fixture
async def http() -> AsyncIterator[HttpClient]:
    http = HttpClient()
    yield http
    await http.aclose()


def client_of(token_url: str) -> OAuthClient:
    return OAuthClient("Google", token_url, "id", "secret", "ask an admin")


@pytest.mark.parametrize("status", ["302 Found", "307 Temporary Redirect"])
async def test_no_redirect_is_followed(http: HttpClient, status: str) -> None:
    async with (
        answering("200 OK\r\nContent-Length: 2", b"{}") as (inner, asked_inside),
        answering(f"{status}\r\nLocation: {inner}/latest/meta-data\r\nContent-Length: 0") as (outer, asked),
    ):
        with pytest.raises(TokenRefused):
            await oauth.refresh(http, client_of(f"{outer}/token"), "refresh token")
        assert len(asked) == 1
        assert asked_inside == []


async def test_no_proxy_of_the_environment_is_taken(http: HttpClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        answering("200 OK\r\nContent-Length: 2", b"{}") as (server, asked),
        answering("200 OK\r\nContent-Length: 2", b"{}") as (proxy, asked_by_proxy),
    ):
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy)
        assert (await http.ask(f"{server}/token", {}, b"")).status == 200
        assert (len(asked), asked_by_proxy) == (1, [])


async def test_no_answer_is_read_beyond_a_mebibyte(http: HttpClient) -> None:
    for head in ("200 OK", f"200 OK\r\nContent-Length: {2**40}"):
        async with answering(head, b"x" * 1_500_000) as (server, _):
            with pytest.raises(NoAnswer, match="sent a response larger than 1,048,576 bytes"):
                await http.ask(f"{server}/token", {}, b"", within=20)


async def test_what_is_no_web_server_says_nothing_about_itself(http: HttpClient) -> None:
    with pytest.raises(TokenRefused) as closed:
        await oauth.refresh(http, client_of(f"http://127.0.0.1:{free_port()}/token"), "refresh token")
    assert str(closed.value) == "could not connect to 127.0.0.1"
    async with answering("SSH-2.0-OpenSSH_9.6 internal") as (server, _):
        with pytest.raises(TokenRefused) as other:
            await oauth.refresh(http, client_of(f"{server}/token"), "refresh token")
    assert "SSH" not in str(other.value)
    assert "internal" not in str(other.value)
