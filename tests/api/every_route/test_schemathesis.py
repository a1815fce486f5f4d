"""The served document against the service that it describes: schemathesis, with all of its checks."""

import asyncio
import itertools
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.factories import make_account, make_one_of_each
from tests.fakes.served import served
from webapp.app import create_app
from webapp.config import Settings
from webapp.models import Organization

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
WORLDS = 4
CONFIG = Path(__file__).with_name("schemathesis.toml")


class FromEverywhere:
    """The app as many callers reach it: of one address, 60 a minute may come without a key, and checks do so."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._callers = itertools.count()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            number = next(self._callers)
            scope = scope | {"client": (f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}", 50_000)}
        await self._app(scope, receive, send)


@pytest.fixture
async def url(settings: Settings, database: str) -> AsyncIterator[str]:
    """Where an app is served."""
    app = create_app(settings)
    app.asgi_app = FromEverywhere(app.asgi_app)  # type: ignore[method-assign]  # how Quart's manual wraps an app
    async with served(app, stop_seconds=30) as address:
        yield address


async def make_worlds(org: Organization) -> list[dict[str, str]]:
    """A few of everything: some are deleted on the way."""
    return [await make_one_of_each(org, await make_account(org)) for _ in range(WORLDS)]


def known_ids(worlds: list[dict[str, str]]) -> str:
    """The part of the configuration that lets most paths hold the id of a row that is there."""
    names = [name for name in worlds[0] if name.endswith("_id")]
    values = [f"[dictionaries.{name}]\nvalues = {json.dumps([ids[name] for ids in worlds])}" for name in names]
    places = [f'"path.{name}" = {{ dictionary = "{name}", probability = 0.7 }}' for name in names]
    return "\n".join(["", *values, "[parameters]", *places])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("phases", "examples", "seconds"),
    [
        pytest.param("examples,fuzzing,stateful", 4, 600, marks=pytest.mark.timeout(630)),
        pytest.param("examples,coverage", 500, 1500, marks=[pytest.mark.soak, pytest.mark.timeout(1530)]),
        pytest.param("fuzzing,stateful", 500, 1500, marks=[pytest.mark.soak, pytest.mark.timeout(1530)]),
    ],
)
async def test_the_service_does_what_its_document_says(
    api: Api, acme: Organization, url: str, tmp_path: Path, phases: str, examples: int, seconds: int
) -> None:
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG.read_text() + known_ids(await make_worlds(acme)))
    process = await asyncio.create_subprocess_exec(
        *(SCHEMATHESIS, "--no-color", "--config-file", config, "run", f"{url}/openapi.json", "--url", url),
        *("--max-examples", str(examples), "--phases", phases),
        cwd=tmp_path,
        env={**os.environ, "PENNYPOST_API_KEY": str(api.key)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(seconds):
            said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    report = "\n".join(line[:500] for line in said.decode(errors="replace").splitlines())
    assert process.returncode == 0, report
