"""GET /v1/mail-logs whose mails are megabytes: answered in parts, in bounded memory."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from quart import Quart

from tests.api.conftest import Api
from tests.factories import make_mail
from tests.fakes.served import served
from tests.queries import count_queries
from tests.support.memory import watched_memory
from webapp import db
from webapp.domain.mail_logs.mail_logs import PART_BYTES
from webapp.models import Account, Content, MailLog, Organization

MIB = 1024 * 1024


@pytest.fixture
async def url(app: Quart) -> AsyncIterator[str]:
    """The address of the app behind our own server."""
    async with served(app) as address:
        yield f"{address}/v1/mail-logs?page_size=100"


@asynccontextmanager
async def asking(api: Api, url: str) -> AsyncIterator[httpx2.Response]:
    headers = {"Authorization": f"Bearer {api.key}"}
    async with httpx2.AsyncClient(timeout=30) as client, client.stream("GET", url, headers=headers) as response:
        yield response


async def keep(org: Organization, account: Account, rows: int = 1, **content: Any) -> None:
    """Some rows with one content of their own."""
    (row_id, *_) = await make_mail(org, account, *(f"{number}@example.org" for number in range(rows)))
    kept = Content.filter(id=(await MailLog.of(org).get(id=row_id)).content_id)
    await kept.update(**{"html": None, **content})


async def test_thirty_mails_of_2_mib_are_answered_in_a_fraction_of_their_memory(
    api: Api, url: str, acme: Organization, account: Account, tmp_path: Path
) -> None:
    for number in range(30):
        await keep(acme, account, html=f"<p>{number}</p>" + chr(97 + number % 26) * 2 * MIB)
    answer = tmp_path / "answer.json"
    with watched_memory() as resident, answer.open("wb") as file:
        async with asking(api, url) as response:
            assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
            assert "x-request-id" in response.headers
            async for piece in response.aiter_bytes():
                file.write(piece)
    grown = max(resident) - resident[0]
    assert grown < 6 * PART_BYTES < 60 * MIB < answer.stat().st_size, f"{grown / MIB:.0f} MiB"
    body = json.loads(answer.read_bytes())
    assert body["meta"] == {"page": 1, "page_size": 100, "total": 30}
    for number, row in zip(range(29, -1, -1), body["data"], strict=True):
        assert row["body_html"] == f"<p>{number}</p>" + chr(97 + number % 26) * 2 * MIB


async def test_an_answer_in_parts_is_like_one_in_one(api: Api, acme: Organization, account: Account) -> None:
    await keep(acme, account, 5, text="1 < 2 ")
    _, small = await api.get("/v1/mail-logs")
    await Content.all().update(text="1 < 2 " * MIB)
    with count_queries() as queries:
        status, large = await api.get("/v1/mail-logs")
    assert status == 200
    for row in small["data"]:
        assert row["body_html"] == "1 &lt; 2 "
        row["body_html"] *= MIB
    assert large == small
    assert len(queries) == 4  # the five groups share their content, which is loaded once


async def test_a_failure_after_it_breaks_the_connection(
    api: Api, url: str, acme: Organization, account: Account
) -> None:
    for _ in range(4):
        await keep(acme, account, html="x" * 9 * MIB)
    async with asking(api, url) as response:
        assert response.status_code == 200
        async with without_contents():
            with pytest.raises(httpx2.RemoteProtocolError):
                await response.aread()


@asynccontextmanager
async def without_contents() -> AsyncIterator[None]:
    """For the life of this block their table is away."""
    await db.fetch("ALTER TABLE contents RENAME TO away")
    try:
        yield
    finally:
        await db.fetch("ALTER TABLE away RENAME TO contents")
