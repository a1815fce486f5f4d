"""Requests for a host that is none: refused in words, before anything reads it (S58)."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quart import Quart

from tests.fakes.served import served
from webapp.hosts import host_of, is_host_header

BAD = [
    b"..", b"a..b", b".", b"a" * 64, b"x." * 127 + b"xx", b"", b"a b", b"a,b", b"a/b", b"a@b", b"\xff", b"\xc3\xbc.example", b"a%00",
    b":80", b"x:0", b"x:65536", b"x:y", b"x:1:2", b"256.256.256.256", b"127.1", b"[::1", b"::1", b"[x]", b"[fe80::1%eth0]", b"-a",
    b"a-", b"<b>",
]  # fmt: skip
HEADS = [*(b"Host: %b\r\n" % host for host in BAD), b"", b"Host: a.example\r\nHost: a.example\r\n"]
GOOD = [
    b"localhost", b"mail.acme.example", b"mail.acme.example.", b"LOCALHOST:8000", b"pennypost_web_1:8000", b"10.0.0.1", b"10.0.0.1:80",
    b"[::1]:8000", b"[2001:db8::1]", b"xn--bcher-kva.example", b"x:",
]  # fmt: skip


@pytest.fixture
async def address(app: Quart) -> AsyncIterator[str]:
    """Where the whole service answers."""
    async with served(app) as found:
        yield found


async def ask(address: str, head: bytes) -> tuple[int, dict[bytes, bytes], bytes]:
    """Status, headers and body of what is answered to a request as it stands."""
    where = urlsplit(address)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    writer.write(head + b"Connection: close\r\n\r\n")
    answered, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    line, *fields = answered.split(b"\r\n")
    headers = {name.lower(): value for name, _, value in (field.partition(b": ") for field in fields)}
    return int(line.split()[1]), headers, body


async def test_what_is_no_host_is_refused_in_words(address: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    for head in HEADS:
        for path in (b"/v1/contacts", b"/api/v1", b"/healthz"):
            status, headers, body = await ask(address, b"GET %b HTTP/1.1\r\n%b" % (path, head))
            assert (status, json.loads(body)["error"]) == (400, "ValidationError"), head
            assert "Host" in json.loads(body)["message"]
            assert headers[b"x-request-id"]
        status, headers, body = await ask(address, b"GET /sign-in HTTP/1.1\r\n%b" % head)
        assert (status, headers[b"content-type"]) == (400, b"text/html; charset=utf-8"), head
        assert b"must have exactly one Host header" in body
        assert headers[b"x-request-id"] in body
    assert caplog.records == []


async def test_names_and_addresses_are_hosts(address: str) -> None:
    for host in GOOD:
        assert (await ask(address, b"GET /v1 HTTP/1.1\r\nHost: %b\r\n" % host))[0] == 200, host


@given(st.text(max_size=300) | st.from_regex(r"[a-z0-9.:\[\]%_-]{0,80}", fullmatch=True))
def test_any_text_is_a_host_or_refused(text: str) -> None:
    try:
        host = host_of(text)
    except ValueError:
        return
    assert host.isascii()
    assert host_of(host) == host
    assert is_host_header(f"[{host}]" if ":" in host else host)
