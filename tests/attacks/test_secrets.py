"""What is secret, and everywhere that it could be read once it was given (S13, S17, S45)."""

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import redis.asyncio as redis
from quart import Quart, Response
from quart.testing import QuartClient

from tests.api.conftest import Api, make_api, serving
from tests.api.mails import MAIL
from tests.attacks.conftest import make_ada
from tests.fakes.google_server import CLIENT_ID, CLIENT_SECRET, SEND_SCOPE, GoogleServer, google_for
from tests.fakes.graph_api import GRAPH_SCOPE
from tests.fakes.redis_server import RedisServer
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.processes import output_of
from tests.pages.auth.conftest import sign_in
from tests.pages.conftest import PASSWORD, Visitor
from webapp import config, crypto, models
from webapp.config import Settings
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import FAILED, SENT

SENDER = MAIL["from"]
SMTP_PASSWORD, WRONG_PASSWORD = "open sesame of the relay", "close sesame of the relay"
PAGES = (
    "/home", "/accounts", "/api-keys", "/mail-logs", "/sandbox", "/security", "/audit", "/requests", "/usage", "/reference",
    "/nothing-here",
)  # fmt: skip
TEXTS = {".py", ".html", ".css", ".js", ".svg", ".md", ".toml", ".json"}
LISTS = ("accounts", "contacts", "segments", "templates", "campaigns", "emails", "mail-logs")
FILES = ("/contacts/export.csv", "/mail-logs/export.csv", "/emails/export.csv", "/suppressions/export.csv")


def recorder(answers: list[str]) -> type[QuartClient]:
    """Programs and browsers that write down every answer, but for the cookies."""

    class Recorder(QuartClient):
        async def open(self, *args: Any, **kwargs: Any) -> Response:
            response = await super().open(*args, **kwargs)
            headers = [field for field in response.headers if field[0] != "set-cookie"]
            answers.append(f"{headers}{(await response.get_data()).decode(errors='replace')}")
            return response

    return Recorder


@pytest.fixture
async def google(on_redis: Settings) -> AsyncIterator[GoogleServer]:
    async with google_for(on_redis, rotates=True) as google:
        yield google


@contextlib.asynccontextmanager
async def listening(url: str) -> AsyncIterator[list[str]]:
    """All that Redis is told in this block, jobs and counts alike."""
    heard = list[str]()
    async with redis.Redis.from_url(url) as client, client.monitor() as monitor:

        async def hear() -> None:
            async for command in monitor.listen():
                heard.append(command["command"])

        task = asyncio.create_task(hear())
        yield heard
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def everything_stored() -> str:
    """Every row of every table."""
    tables = [getattr(models, name) for name in models.__all__]
    found = [await table.all().values() for table in tables if hasattr(table, "_meta") and not table._meta.abstract]
    return repr(found)


async def make_accounts(api: Api, server: SmtpServer, google: GoogleServer) -> list[dict[str, Any]]:
    """An account whose login works, one whose password is wrong, and those of each way to sign in by OAuth."""
    relay = {"provider_type": "smtp", "smtp_host": "127.0.0.1", "smtp_port": server.port}
    clear, oauth = relay | {"smtp_security": "none"}, relay | {"smtp_auth": "oauth2", "smtp_username": SENDER}
    client = {"oauth_client_id": CLIENT_ID, "oauth_client_secret": CLIENT_SECRET}
    custom = {"oauth_provider": "custom", "oauth_token_url": google.settings.token_url, **client}
    graph = {"provider_type": "microsoft", "microsoft_email": SENDER}
    bodies = [
        clear | {"name": "Good", "smtp_username": "ada", "smtp_password": SMTP_PASSWORD},
        clear | {"name": "Bad", "smtp_username": "bob", "smtp_password": WRONG_PASSWORD},
        {"name": "Google", "provider_type": "google", "google_email": SENDER, **signed_in(google, "google")},
        graph | {"name": "Graph", **signed_in(google, "oauth", GRAPH_SCOPE)},
        oauth | {"name": "Microsoft", "oauth_provider": "microsoft", **signed_in(google, "oauth")},
        oauth | {"name": "Custom", **custom, **signed_in(google, "oauth")},
    ]
    return [await api.create("/v1/accounts", body | {"from_email": SENDER}) for body in bodies]


def signed_in(google: GoogleServer, prefix: str, scope: str = SEND_SCOPE) -> dict[str, str]:
    names = (f"{prefix}_access_token", f"{prefix}_refresh_token")
    return dict(zip(names, google.sign_in(SENDER, scope), strict=True))


async def test_no_secret_is_answered_logged_queued_or_stored(
    acme: Organization,
    rival: Organization,
    google: GoogleServer,
    redis_server: RedisServer,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    caplog.set_level(logging.INFO)
    answers = list[str]()
    async with (
        SmtpServer(users={"ada": SMTP_PASSWORD}, auth=("PLAIN", "XOAUTH2"), user_of=google.user_of) as server,
        listening(redis_server.url) as told,
        serving(config.settings()) as app,
        working(config.settings()),
    ):
        app.test_client_class = recorder(answers)
        api = await make_api(app, acme)
        accounts = await make_accounts(api, server, google)
        first_tokens = google.secrets
        google.expire()  # so that a new token is asked for, and kept
        for account in accounts:
            assert (await api.post("/v1/emails", MAIL | {"account_key": account["account_key"]}))[0] == 200
        await eventually(lambda: is_over(acme))
        await api.patch(f"/v1/accounts/{accounts[0]['id']}", {"name": "Better"})
        await api.patch(f"/v1/accounts/{accounts[0]['id']}", {"smtp_password": 7})
        await api.patch(f"/v1/accounts/{accounts[-1]['id']}", {"oauth_token_url": "https://x.invalid/"})
        await api.post("/v1/accounts", {"name": "x", "smtp_password": WRONG_PASSWORD, "provider_type": "fax"})
        for one in LISTS:
            await api.get(f"/v1/{one}")
        session, fresh = await visit(app, acme, accounts, google)
    secrets = {SMTP_PASSWORD, WRONG_PASSWORD, PASSWORD, str(api.key), session, fresh, *first_tokens, *google.secrets}
    places = {"answers": "".join(answers), "log": caplog.text, "redis": "".join(told)}
    places["database"] = await everything_stored()
    places["backup"] = await backup(config.settings(), tmp_path / "backup.db")
    assert "Better" in places["answers"]
    assert "Better" in places["database"]
    assert "pennypost" in places["redis"]
    assert len(google.secrets) >= 2 * len(accounts)
    for place, text in places.items():
        for secret in secrets - ({fresh} if place == "answers" else set()):
            assert secret not in text, (place, secret)
    assert sum(fresh in answer for answer in answers) == 1  # it is shown once


async def is_over(org: Organization) -> bool:
    statuses = [row.status for row in await MailLog.of(org)]
    is_broken = await Account.of(org).filter(name="Bad", status="error").exists()
    return is_broken and statuses.count(SENT) == 5 and FAILED not in statuses


async def backup(settings: Settings, file: Path) -> str:
    """What a backup of the database holds; PostgreSQL's own tools copy the same rows."""
    if not settings.is_sqlite:
        return ""
    await output_of(settings, "backup", str(file))
    return (await asyncio.to_thread(file.read_bytes)).decode("latin-1")


async def visit(app: Quart, org: Organization, accounts: list[dict[str, Any]], google: GoogleServer) -> tuple[str, str]:
    """Sign in, look at every page, connect an account and issue a key; the session's token and the new key."""
    await make_ada(org)
    browser = Visitor(app)
    await sign_in(browser, "not " + PASSWORD[::-1])
    await sign_in(browser)
    shown = await browser.submit(await browser.get("/api-keys/new"), name="Shop", role="sender")
    for path in (*PAGES, *(f"/accounts/{account['id']}" for account in accounts), shown.path):
        await browser.get(path)
    for provider in ("google", "microsoft"):
        link = (await browser.get(f"/accounts/{provider}")).soup.find("a", string=f"Continue to {provider.title()}")
        back = google.consent(str(link["href"]), f"{provider}@acme.example")
        connected = await browser.get(back.removeprefix(config.settings().base_url))
        assert connected.notes == [f"“{provider}@acme.example” connected."]
    for path in FILES:
        assert (await browser.get(path)).status == 200
    for row in await MailLog.of(org).all():
        await browser.get(f"/mail-logs/{row.id}")
    (fresh,) = shown.soup.select("#secret")
    return browser.cookie("session") or "", fresh.text


def test_the_documented_pattern_finds_keys_and_no_file_of_ours_has_one() -> None:
    root = Path(__file__).resolve().parents[2]
    (pattern,) = re.findall(r"by the pattern\n`(\S+)`", (root / "docs/api.md").read_text())
    keys = [crypto.new_api_key() for _ in range(50)]
    assert re.findall(pattern, " ".join(f'{{"key": "{key}"}} {key}.' for key in keys)) == [
        key for key in keys for _ in "12"
    ]
    folders = ("webapp", "jobs", "templates", "static", "tests")
    files = [file for folder in folders for file in (root / folder).rglob("*") if file.suffix in TEXTS]
    assert len(files) > 400
    for file in [*files, *root.glob("*.*")]:
        found = re.findall(pattern, file.read_text(errors="replace")) if file.is_file() else []
        assert not [text for text in found if crypto.is_api_key(text)], file
