"""/v1/accounts."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import NOT_FOUND, Api
from tests.api.mails import send
from tests.factories import make_account
from webapp import clock, config, crypto
from webapp.config import Settings
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.accounts.credentials import imap_login, smtp_login
from webapp.models import Account, AccountUsage, AuditEntry, MailboxReading, MailLog, Organization

RELAY = {"name": "Relay", "provider_type": "smtp", "smtp_host": "127.0.0.1", "smtp_port": 2525}
OUTSIDE = RELAY | {"smtp_host": "mail.acme.invalid"}
LOGIN = {"smtp_username": "ada@acme.example", "smtp_password": "correct horse"}
GOOGLE = {
    "name": "Google",
    "provider_type": "google",
    "google_access_token": "access secret",
    "google_refresh_token": "refresh secret",
    "google_email": "Ada@Acme.Example",
}
CLIENT_FIELDS = ["oauth_token_url", "oauth_client_id", "oauth_client_secret"]


async def make(api: Api, **fields: Any) -> dict[str, Any]:
    return await api.create("/v1/accounts", RELAY | fields)


async def test_an_account_is_made_with_its_defaults(api: Api) -> None:
    made = await make(api, **LOGIN)
    unset = (
        "google_email", "microsoft_email", "max_per_minute", "from_name", "last_error", "last_used_at", "bounce_imap_host", "bounce_imap_port",
        "bounce_imap_security", "bounce_imap_username", "bounce_warning", "bounce_verp_works", "bounce_verp_error",
        "oauth_provider", "oauth_scope", "oauth_token_url", "oauth_client_id", "oauth_expires_at", "max_per_hour",
        "min_gap_seconds", "send_window", "ramp", "reserve_for_transactional",
    )  # fmt: skip
    assert made == {
        **RELAY,
        **dict.fromkeys(unset),
        **dict.fromkeys(("bounce_verp", "has_google_token", "has_bounce_imap_password"), False),
        **dict.fromkeys(("has_oauth_token", "has_oauth_client_secret"), False),
        **{name: made[name] for name in ("id", "account_key", "created_at", "updated_at")},
        "daily_mail_limit": 500,
        "concurrency": 4,
        "smtp_username": "ada@acme.example",
        "has_smtp_password": True,
        "smtp_security": "auto",
        "smtp_auth": "password",
        "oauth_grant": "refresh_token",
        "from_email": "ada@acme.example",
        "status": "active",
        "sent_today": 0,
        "remaining_today": 500,
        "remaining_for_campaigns": 500,
        "slowdowns": [],
        "from_check_verdict": "unknown",
        "bounce_reading": "off",
    }
    assert made["account_key"].startswith("acc_")


async def test_secrets_are_sealed_and_never_returned(api: Api) -> None:
    made, google = await make(api, **LOGIN), await api.create("/v1/accounts", GOOGLE)
    assert (google["has_google_token"], google["smtp_security"]) == (True, None)
    texts = [await (await api.send("GET", f"/v1/accounts{path}")).get_data() for path in ("", f"/{made['id']}")]
    stored = json.dumps(await Account.all().values(), default=str)
    for secret in ("correct horse", "access secret", "refresh secret"):
        assert secret not in stored
        assert not any(secret.encode() in text for text in texts)
    row = await Account.get(id=made["id"])
    assert smtp_login(row).password == "correct horse"
    with pytest.raises(config.ConfigError):
        crypto.unseal(row.smtp_password or "", f"{row.org_id}:{uuid4()}:smtp_password")


HOSTS = ("", "a b", "a..b", f"{'a' * 64}.example", "x.example.com:25", "0x7f000001", "[::1", "smtp://mail.example.com")


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("name", ["   ", "a\r\nb", "x" * 201, None]),
        ("provider_type", ["fax"]),
        ("daily_mail_limit", [0, 1.5, 2**62]),
        ("concurrency", [0, 101, True, None]),
        ("max_per_minute", [0, 100_001, "30"]),
        ("smtp_host", [None, *HOSTS]),
        ("smtp_port", [None, 0, 65_536]),
        ("smtp_username", ["a\r\nRCPT TO:<b>"]),
        ("smtp_security", ["ssl"]),
        ("from_email", ["nobody", "a@b.example\r\nBcc: c@d.example"]),
        ("from_name", ["a\nb"]),
    ],
)
async def test_a_bad_field_is_named(api: Api, field: str, values: list[Any]) -> None:
    for value in values:
        status, body = await api.post("/v1/accounts", RELAY | {field: value})
        assert (status, body["error"], body["details"][0]["field"]) == (400, "ValidationError", field), value
        assert body["message"].startswith(field)
    assert await Account.all().count() == 0


async def test_missing_fields_are_all_named(api: Api) -> None:
    smtp, google, microsoft = ({"name": "x", "provider_type": provider} for provider in ("smtp", "google", "microsoft"))
    for body, missing in (
        (microsoft, ["oauth_refresh_token"]),
        (microsoft | {"oauth_provider": "custom", "oauth_refresh_token": "x"}, CLIENT_FIELDS),
        (smtp, ["smtp_host", "smtp_port"]),
        (google, ["google_access_token", "google_refresh_token"]),
        (google | {"google_refresh_token": "x"}, ["google_access_token"]),
        (RELAY | {"smtp_username": "ada"}, ["smtp_password"]),
        (RELAY | {"smtp_password": "secret"}, ["smtp_username"]),
    ):
        status, answer = await api.post("/v1/accounts", body)
        assert (status, [fault["field"] for fault in answer["details"]]) == (400, missing)
        assert answer["message"].startswith(f"{missing[0]} is required")


@pytest.mark.parametrize(
    ("fields", "from_email"),
    [
        (LOGIN, "ada@acme.example"),
        (LOGIN | {"smtp_username": "apikey"}, None),
        (LOGIN | {"from_email": "news@acme.example"}, "news@acme.example"),
        (GOOGLE | {"google_email": None}, None),
        (GOOGLE, "Ada@acme.example"),
    ],
)
async def test_the_from_address_is_the_given_one_or_follows_from_the_login(
    api: Api, fields: dict[str, Any], from_email: str | None
) -> None:
    made = await api.create("/v1/accounts", ({} if "provider_type" in fields else RELAY) | fields)
    assert made["from_email"] == from_email


async def test_every_security_is_kept(api: Api) -> None:
    for name in ("auto", "tls", "starttls", "none"):
        assert (await make(api, smtp_security=name))["smtp_security"] == name


@pytest.mark.parametrize("body", [RELAY, GOOGLE])
async def test_connections_at_once_are_kept_for_both_providers(api: Api, body: dict[str, Any]) -> None:
    made = await api.create("/v1/accounts", body | {"concurrency": 100})
    path = f"/v1/accounts/{made['id']}"
    assert (await api.patch(path, {"name": "Other"}))[1]["data"]["concurrency"] == 100
    assert (await api.patch(path, {"concurrency": 1}))[1]["data"]["concurrency"] == 1


class TestHosts:
    """Where the network inside is not open to accounts."""

    @pytest.fixture(autouse=True)
    def closed(self, settings: Settings) -> None:
        config.configure(replace(settings, allow_private_hosts=False))

    async def test_a_port_that_is_not_for_mail_is_refused(self, api: Api) -> None:
        status, body = await api.post("/v1/accounts", RELAY | {"smtp_host": "192.0.2.1", "smtp_port": 6379})
        assert (status, body["details"][0]["field"]) == (400, "smtp_port")

    async def test_a_host_that_does_not_resolve_yet_may_be_kept(self, api: Api) -> None:
        assert (await api.post("/v1/accounts", RELAY | {"smtp_host": "mail.acme.invalid"}))[0] == 201

    async def test_a_patch_is_judged_too(self, api: Api, acme: Organization) -> None:
        account = await make_account(acme, smtp_host="mail.acme.invalid")
        assert await api.refused("PATCH", f"/v1/accounts/{account.id}", {"smtp_host": "10.0.0.1"}) == "smtp_host"
        assert (await Account.get()).smtp_host == "mail.acme.invalid"

    async def test_an_account_whose_host_is_refused_by_now_is_still_paused_and_limited(
        self, api: Api, acme: Organization
    ) -> None:
        path = f"/v1/accounts/{(await make_account(acme, smtp_host='10.0.0.1', smtp_port=25)).id}"
        change = {"status": "paused", "daily_mail_limit": 7, "smtp_host": "10.0.0.1", "smtp_port": 25}
        assert (await api.patch(path, change))[1]["data"].items() >= change.items()
        assert (await api.patch(path, {"smtp_port": 587}))[1]["details"][0]["field"] == "smtp_host"

    async def test_a_network_that_is_listed_may_be_dialled(self, api: Api, settings: Settings) -> None:
        config.configure(replace(settings, allow_private_hosts=False, private_networks=(ip_network("127.0.0.0/8"),)))
        assert (await api.post("/v1/accounts", RELAY))[0] == 201

    async def test_clear_text_takes_no_password_but_to_an_allowed_private_address(
        self, api: Api, settings: Settings
    ) -> None:
        outside, clear = {"smtp_host": "mail.acme.invalid"}, {"smtp_security": "none"}
        signed_in, open_ = [await make(api, **outside, **fields) for fields in (LOGIN, clear)]
        for status, body in (
            await api.post("/v1/accounts", RELAY | LOGIN | outside | clear),
            await api.patch(f"/v1/accounts/{signed_in['id']}", clear),
            await api.patch(f"/v1/accounts/{open_['id']}", LOGIN),
        ):
            assert (status, body["details"][0]["field"]) == (400, "smtp_security")
        config.configure(settings)
        home = await make(api, **LOGIN, **clear)
        assert (await api.patch(f"/v1/accounts/{home['id']}", {"smtp_password": "another"}))[0] == 200


async def test_the_use_of_the_day_is_shown(api: Api, acme: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=10)
    today = clock.today(acme.timezone)
    await AccountUsage.create(account_id=account.id, day=today, used=3)
    await AccountUsage.create(account_id=account.id, day=today - timedelta(days=1), used=9)
    for body in (
        (await api.get("/v1/accounts"))[1]["data"][0],
        (await api.get(f"/v1/accounts/{account.id}"))[1]["data"],
    ):
        assert (body["sent_today"], body["remaining_today"]) == (3, 7)
    await api.patch(f"/v1/accounts/{account.id}", {"daily_mail_limit": 2})
    assert (await api.get(f"/v1/accounts/{account.id}"))[1]["data"]["remaining_today"] == 0


async def test_a_login_is_removed_by_nulls(api: Api) -> None:
    made = await make(api, **LOGIN)
    path = f"/v1/accounts/{made['id']}"
    assert (await api.patch(path, {"smtp_password": None}))[0] == 400
    _, body = await api.patch(path, {"smtp_password": None, "smtp_username": None})
    assert (body["data"]["has_smtp_password"], body["data"]["from_email"]) == (False, None)


async def test_the_from_address_follows_the_username_until_it_is_given(api: Api) -> None:
    made = await make(api, **LOGIN)
    path = f"/v1/accounts/{made['id']}"
    _, body = await api.patch(path, {"smtp_username": "bob@acme.example"})
    assert body["data"]["from_email"] == "bob@acme.example"
    await api.patch(path, {"from_email": "news@acme.example"})
    _, body = await api.patch(path, {"smtp_username": "eve@acme.example"})
    assert body["data"]["from_email"] == "news@acme.example"
    _, body = await api.patch(path, {"from_email": None})
    assert body["data"]["from_email"] == "eve@acme.example"


async def test_a_patch_heals_an_account_in_error(api: Api, acme: Organization) -> None:
    account = await make_account(
        acme, status="error", last_error="535 no", rests=3, rest_until=clock.now(), failing_since=clock.now()
    )
    path = f"/v1/accounts/{account.id}"
    _, body = await api.get(path)
    assert (body["data"]["status"], body["data"]["last_error"]) == ("error", "535 no")
    _, body = await api.patch(path, {"smtp_port": 2525})
    assert (body["data"]["status"], body["data"]["last_error"]) == ("active", None)
    row = await Account.get()
    assert (row.rests, row.rest_until, row.failing_since) == (0, None, None)


async def test_changes_at_the_same_time_lose_nothing(api: Api, acme: Organization) -> None:
    path = f"/v1/accounts/{(await make_account(acme)).id}"
    changes = ({"status": "paused"}, {"name": "New"}, {"smtp_port": 2525}, {"daily_mail_limit": 7})
    answers = await asyncio.gather(*(api.patch(path, change) for change in changes))
    assert [status for status, _ in answers] == [200, 200, 200, 200]
    row = await Account.get()
    assert (row.status, row.name, row.smtp_port, row.daily_mail_limit) == ("paused", "New", 2525, 7)


async def test_an_account_is_paused_and_resumed(api: Api, acme: Organization) -> None:
    account = await make_account(acme)
    for status in ("paused", "active"):
        _, body = await api.patch(f"/v1/accounts/{account.id}", {"status": status})
        assert body["data"]["status"] == status
    assert (await api.patch(f"/v1/accounts/{account.id}", {"status": "error"}))[0] == 400


async def test_a_provider_is_changed_with_all_that_it_needs(api: Api) -> None:
    made = await make(api, **LOGIN)
    path = f"/v1/accounts/{made['id']}"
    assert (await api.patch(path, {"provider_type": "google"}))[0] == 400
    _, body = await api.patch(path, GOOGLE)
    assert (body["data"]["smtp_host"], body["data"]["has_smtp_password"]) == (None, False)
    _, body = await api.patch(path, {"provider_type": "smtp", "smtp_host": "127.0.0.1", "smtp_port": 25})
    assert (body["data"]["smtp_security"], body["data"]["has_google_token"]) == ("auto", False)


async def test_a_deleted_account_leaves_its_log_and_fails_what_waits(api: Api, acme: Organization) -> None:
    account = await make_account(acme, name="Main")
    await send(api)
    assert await api.delete(f"/v1/accounts/{account.id}") == (200, {"ok": True})
    row = await MailLog.get()
    assert (row.status, row.error, row.account_id) == ("failed", "the account Main was deleted", account.id)
    assert await api.delete(f"/v1/accounts/{account.id}") == (404, NOT_FOUND)


async def test_the_sandbox_account_is_made_once_and_stays(api: Api, acme: Organization, settings: Settings) -> None:
    first, second = await asyncio.gather(sandbox_account(acme), sandbox_account(acme))
    assert first.id == second.id
    config.configure(replace(settings, allow_private_hosts=False, sandbox_port=4242))
    login = smtp_login(await Account.get(id=first.id))
    assert (login.host, login.port, login.username) == ("127.0.0.1", 4242, first.account_key)
    assert login.policy.allow_private
    for answer in (await api.patch(f"/v1/accounts/{first.id}", {}), await api.delete(f"/v1/accounts/{first.id}")):
        assert (answer[0], answer[1]["error"]) == (409, "Conflict")


HOST = {"bounce_imap_host": "imap.acme.invalid"}
MAILBOX = {"bounce_reading": "mailbox", "bounce_imap_username": "bounces", "bounce_imap_password": "battery staple"}


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        (RELAY | {"bounce_reading": "mailbox"}, ["bounce_imap_host", "bounce_imap_username", "bounce_imap_password"]),
        (RELAY | LOGIN | {"bounce_reading": "account"}, ["bounce_imap_host"]),
        (RELAY | HOST | {"bounce_reading": "account"}, ["smtp_username"]),
        (GOOGLE | {"bounce_reading": "account"}, []),
        (RELAY | HOST | MAILBOX | {"bounce_imap_security": "auto"}, ["bounce_imap_security"]),
    ],
)
async def test_what_reading_a_mailbox_requires_is_named(api: Api, fields: dict[str, Any], missing: list[str]) -> None:
    status, answer = await api.post("/v1/accounts", fields)
    assert (status, [fault["field"] for fault in answer.get("details", [])]) == (400 if missing else 201, missing)
    assert await MailboxReading.all().count() == (0 if missing else 1)


async def test_the_password_is_sealed_never_returned_and_audited(api: Api) -> None:
    made = await api.create("/v1/accounts", OUTSIDE | LOGIN | HOST | MAILBOX)
    assert (made["has_bounce_imap_password"], made["bounce_imap_username"]) == (True, "bounces")
    assert "battery" not in str(made)
    account = await Account.get(id=made["id"])
    assert "battery" not in str(account.bounce_imap_password)
    login = imap_login(account)
    assert (login.username, login.password, login.port, login.security) == ("bounces", "battery staple", 993, "tls")
    path = f"/v1/accounts/{account.id}"
    _, answer = await api.patch(path, {"bounce_reading": "account", "bounce_imap_password": "another"})
    assert answer["data"]["bounce_reading"] == "account"
    login = imap_login(await Account.get(id=made["id"]))
    assert (login.username, login.password) == ("ada@acme.example", "correct horse")
    entry = await AuditEntry.all().order_by("-id").first()
    assert entry is not None
    assert "another" not in str(entry.details)
    assert (entry.details or {})["bounce_imap_password"] == "changed"


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"bounce_imap_host": "127.0.0.1"}, "bounce_imap_host"),
        ({"bounce_imap_host": "8.8.8.8", "bounce_imap_port": 25}, "bounce_imap_port"),
    ],
)
async def test_what_may_not_be_connected_to_is_refused(
    api: Api, settings: Settings, fields: dict[str, Any], fault: str
) -> None:
    config.configure(replace(settings, allow_private_hosts=False))
    assert await api.refused("POST", "/v1/accounts", OUTSIDE | MAILBOX | fields) == fault
    made = await api.create("/v1/accounts", OUTSIDE)
    assert await api.refused("PATCH", f"/v1/accounts/{made['id']}", MAILBOX | fields) == fault
