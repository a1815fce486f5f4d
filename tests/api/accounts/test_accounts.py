"""/v1/accounts."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import Api
from tests.factories import make_account
from tests.support.table import table
from webapp import clock, config, crypto
from webapp.config import Settings
from webapp.domain.accounts.accounts import change_account, sandbox_account
from webapp.domain.accounts.credentials import smtp_login
from webapp.domain.accounts.inputs import AccountChanges
from webapp.errors import NotFound
from webapp.models import Account, AccountUsage, MailLog, Organization

RELAY = {"name": "Relay", "provider_type": "smtp", "smtp_host": "127.0.0.1", "smtp_port": 2525}
LOGIN = {"smtp_username": "ada@acme.example", "smtp_password": "correct horse"}
GOOGLE = {
    "name": "Google",
    "provider_type": "google",
    "google_access_token": "access secret",
    "google_refresh_token": "refresh secret",
    "google_email": "Ada@Acme.Example",
}
FIELDS = [
    "id", "name", "provider_type", "account_key", "daily_mail_limit", "concurrency", "smtp_host", "smtp_port",
    "smtp_username", "smtp_security", "google_email", "from_email", "from_name", "status", "sent_today",
    "remaining_today", "last_error", "bounce_reading", "bounce_imap_host", "bounce_imap_port", "bounce_imap_security",
    "bounce_imap_username", "bounce_warning", "bounce_verp", "bounce_verp_works",
    "bounce_verp_error", "last_used_at", "created_at", "updated_at", "has_smtp_password",
    "has_google_token", "has_bounce_imap_password",
]  # fmt: skip


async def make(api: Api, **fields: Any) -> dict[str, Any]:
    status, body = await api.post("/v1/accounts", RELAY | fields)
    assert status == 201, body
    found: dict[str, Any] = body["data"]
    return found


async def test_an_account_is_made_with_its_defaults(api: Api) -> None:
    made = await make(api, **LOGIN)
    assert list(made) == FIELDS
    assert made | {"id": 0, "account_key": 0, "created_at": 0, "updated_at": 0} == {
        "id": 0,
        "name": "Relay",
        "provider_type": "smtp",
        "account_key": 0,
        "daily_mail_limit": 500,
        "concurrency": 4,
        "smtp_host": "127.0.0.1",
        "smtp_port": 2525,
        "smtp_username": "ada@acme.example",
        "smtp_security": "auto",
        "google_email": None,
        "from_email": "ada@acme.example",
        "from_name": None,
        "status": "active",
        "sent_today": 0,
        "remaining_today": 500,
        "last_error": None,
        "bounce_reading": "off",
        "bounce_imap_host": None,
        "bounce_imap_port": None,
        "bounce_imap_security": None,
        "bounce_imap_username": None,
        "bounce_warning": None,
        "bounce_verp": False,
        "bounce_verp_works": None,
        "bounce_verp_error": None,
        "last_used_at": None,
        "created_at": 0,
        "updated_at": 0,
        "has_smtp_password": True,
        "has_google_token": False,
        "has_bounce_imap_password": False,
    }
    assert made["account_key"].startswith("acc_")
    assert made["created_at"].endswith("Z")
    assert len(made["created_at"]) == len("2026-11-20T09:30:00.000Z")


async def test_a_google_account_needs_both_tokens(api: Api) -> None:
    status, body = await api.post("/v1/accounts", GOOGLE)
    assert status == 201
    assert (body["data"]["has_google_token"], body["data"]["from_email"]) == (True, "Ada@acme.example")
    assert body["data"]["smtp_security"] is None
    status, body = await api.post("/v1/accounts", {"name": "x", "provider_type": "google"})
    assert status == 400
    assert [fault["field"] for fault in body["details"]] == ["google_access_token", "google_refresh_token"]


async def test_secrets_are_sealed_and_never_returned(api: Api) -> None:
    made = await make(api, **LOGIN)
    await api.post("/v1/accounts", GOOGLE)
    texts = [await (await api.send("GET", f"/v1/accounts{path}")).get_data() for path in ("", f"/{made['id']}")]
    stored = json.dumps(await Account.all().values(), default=str)
    for secret in ("correct horse", "access secret", "refresh secret"):
        assert secret not in stored
        assert not any(secret.encode() in text for text in texts)
    row = await Account.get(id=made["id"])
    assert smtp_login(row).password == "correct horse"
    with pytest.raises(config.ConfigError):
        crypto.unseal(row.smtp_password or "", f"{row.org_id}:{uuid4()}:smtp_password")


@table(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": "a\r\nb"}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": None}, "name"),
        ({"provider_type": "fax"}, "provider_type"),
        ({"daily_mail_limit": 0}, "daily_mail_limit"),
        ({"daily_mail_limit": -1}, "daily_mail_limit"),
        ({"daily_mail_limit": 1.5}, "daily_mail_limit"),
        ({"daily_mail_limit": "500"}, "daily_mail_limit"),
        ({"daily_mail_limit": 2**62}, "daily_mail_limit"),
        *[({"concurrency": value}, "concurrency") for value in (0, -1, 101, 1.5, "8", True, None, 2**62)],
        ({"smtp_host": None}, "smtp_host"),
        ({"smtp_host": ""}, "smtp_host"),
        ({"smtp_host": "a b"}, "smtp_host"),
        ({"smtp_host": "mail.example.com/x"}, "smtp_host"),
        *[
            ({"smtp_host": host}, "smtp_host")
            for host in (
                ".",
                "..",
                "-",
                "a..b",
                ".a.example",
                "-a.example",
                "a-.example",
                f"{'a' * 64}.example",
                f"a.{'b' * 64}",
                f"{'ä' * 60}.example",
                ".".join(["a" * 63] * 4),
                "x.example.com:25",
                "127.0.0.1%00",
                "256.256.256.256",
                "127.1",
                "0x7f000001",
                "smtp.example.25",
                "my_relay.example",
                "fe80::1%eth0",
                "[::1",
                "smtp://mail.example.com",
            )
        ],
        ({"smtp_port": None}, "smtp_port"),
        ({"smtp_port": 0}, "smtp_port"),
        ({"smtp_port": 65536}, "smtp_port"),
        ({"smtp_username": "ada"}, "smtp_password"),
        ({"smtp_password": "secret"}, "smtp_username"),
        ({"smtp_username": "a\r\nRCPT TO:<b>", "smtp_password": "x"}, "smtp_username"),
        ({"smtp_security": "ssl"}, "smtp_security"),
        ({"from_email": "nobody"}, "from_email"),
        ({"from_email": "a@b.example\r\nBcc: c@d.example"}, "from_email"),
        ({"from_name": "a\nb"}, "from_name"),
    ],
)
async def test_a_bad_field_is_named(api: Api, change: dict[str, Any], field: str) -> None:
    status, body = await api.post("/v1/accounts", RELAY | change)
    assert (status, body["error"], body["details"][0]["field"]) == (400, "ValidationError", field)
    assert body["message"].startswith(field)
    assert await Account.all().count() == 0


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("mail.acme.invalid.", "mail.acme.invalid"),
        (f"{'a' * 63}.invalid", f"{'a' * 63}.invalid"),
        ("Mail-2.Acme.invalid", "Mail-2.Acme.invalid"),
        ("bücher.invalid", "xn--bcher-kva.invalid"),
        ("::1", "::1"),
        ("[::1]", "::1"),
    ],
)
async def test_a_host_is_a_name_without_a_last_dot_or_an_address(api: Api, given: str, kept: str) -> None:
    assert (await make(api, smtp_host=given))["smtp_host"] == kept


async def test_a_field_of_another_organization_or_of_ours_cannot_be_set(
    api: Api, acme: Organization, rival: Organization
) -> None:
    given = {"org_id": str(rival.id), "id": str(uuid4()), "status": "error", "sent_today": 9, "is_sandbox": True}
    made = await make(api, **given, account_key="acc_mine")
    row = await Account.get()
    assert (row.org_id, row.is_sandbox, row.status) == (acme.id, False, "active")
    assert made["id"] != given["id"]
    assert made["account_key"] != "acc_mine"


class TestHosts:
    """Where the network inside is not open to accounts."""

    @pytest.fixture(autouse=True)
    def closed(self, settings: Settings) -> None:
        config.configure(replace(settings, allow_private_hosts=False))

    @table(
        "host",
        ["127.0.0.1", "localhost", "::1", "0", "0x7f.1", "2130706433", "169.254.169.254", "10.1.2.3", "::ffff:10.0.0.1",
         "100.64.0.1", "64:ff9b::7f00:1", "fd00::1"],
    )  # fmt: skip
    async def test_a_private_host_is_refused(self, api: Api, host: str) -> None:
        status, body = await api.post("/v1/accounts", RELAY | {"smtp_host": host, "smtp_port": 587})
        assert (status, body["details"][0]["field"]) == (400, "smtp_host")

    async def test_a_port_that_is_not_for_mail_is_refused(self, api: Api) -> None:
        status, body = await api.post("/v1/accounts", RELAY | {"smtp_host": "192.0.2.1", "smtp_port": 6379})
        assert (status, body["details"][0]["field"]) == (400, "smtp_port")

    async def test_a_host_that_does_not_resolve_yet_may_be_kept(self, api: Api) -> None:
        assert (await api.post("/v1/accounts", RELAY | {"smtp_host": "mail.acme.invalid"}))[0] == 201

    async def test_a_patch_is_judged_too(self, api: Api, acme: Organization) -> None:
        account = await make_account(acme, smtp_host="mail.acme.invalid")
        status, body = await api.patch(f"/v1/accounts/{account.id}", {"smtp_host": "10.0.0.1"})
        assert (status, body["details"][0]["field"]) == (400, "smtp_host")
        assert (await Account.get()).smtp_host == "mail.acme.invalid"

    async def test_an_account_whose_host_is_refused_by_now_is_still_paused_and_limited(
        self, api: Api, acme: Organization
    ) -> None:
        path = f"/v1/accounts/{(await make_account(acme, smtp_host='10.0.0.1', smtp_port=25)).id}"
        for change in ({"status": "paused"}, {"daily_mail_limit": 7}, {"smtp_host": "10.0.0.1", "smtp_port": 25}):
            assert (await api.patch(path, change))[0] == 200
        for field, value in {"smtp_port": 587, "smtp_security": "tls", "smtp_host": "10.0.0.2"}.items():
            status, body = await api.patch(path, {field: value})
            assert (status, body["details"][0]["field"]) == (400, "smtp_host")
        row = await Account.get()
        assert (row.status, row.daily_mail_limit, row.smtp_port) == ("paused", 7, 25)

    async def test_a_network_that_is_listed_may_be_dialled(self, api: Api, settings: Settings) -> None:
        config.configure(replace(settings, allow_private_hosts=False, private_networks=(ip_network("127.0.0.0/8"),)))
        assert (await api.post("/v1/accounts", RELAY))[0] == 201

    async def test_clear_text_takes_no_password_to_the_outside(self, api: Api, settings: Settings) -> None:
        clear = {"smtp_security": "none", "smtp_host": "mail.acme.invalid"}
        status, body = await api.post("/v1/accounts", RELAY | LOGIN | clear)
        assert (status, body["details"][0]["field"]) == (400, "smtp_security")
        assert (await api.post("/v1/accounts", RELAY | clear))[0] == 201
        config.configure(settings)
        assert (await api.post("/v1/accounts", RELAY | LOGIN | {"smtp_security": "none"}))[0] == 201


async def test_lists_are_newest_first_and_in_pages(api: Api) -> None:
    made = [await make(api, name=f"No {number}") for number in range(3)]
    status, body = await api.get("/v1/accounts?page_size=2")
    assert status == 200
    assert [one["id"] for one in body["data"]] == [made[2]["id"], made[1]["id"]]
    assert body["meta"] == {"page": 1, "page_size": 2, "total": 3}
    _, body = await api.get("/v1/accounts?page_size=2&page=2")
    assert [one["id"] for one in body["data"]] == [made[0]["id"]]


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


async def test_a_patch_changes_what_it_names_and_keeps_the_password(api: Api) -> None:
    made = await make(api, **LOGIN)
    status, body = await api.patch(f"/v1/accounts/{made['id']}", {"name": "New", "daily_mail_limit": 7})
    assert status == 200
    assert body["data"] == made | {
        "name": "New", "daily_mail_limit": 7, "remaining_today": 7, "updated_at": body["data"]["updated_at"],
    }  # fmt: skip
    assert smtp_login(await Account.get()).password == "correct horse"


async def test_an_empty_patch_changes_nothing(api: Api) -> None:
    made = await make(api, **LOGIN)
    _, body = await api.patch(f"/v1/accounts/{made['id']}", {})
    assert body["data"] == made | {"updated_at": body["data"]["updated_at"]}


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
    _, body = await api.patch(f"/v1/accounts/{account.id}", {"smtp_port": 2525})
    assert (body["data"]["status"], body["data"]["last_error"]) == ("active", None)
    row = await Account.get()
    assert (row.rests, row.rest_until, row.failing_since) == (0, None, None)


async def test_changes_at_the_same_time_lose_nothing(api: Api, acme: Organization) -> None:
    for _ in range(5):
        account = await make_account(acme)
        path = f"/v1/accounts/{account.id}"
        changes = ({"status": "paused"}, {"name": "New"}, {"smtp_port": 2525}, {"daily_mail_limit": 7})
        answers = await asyncio.gather(*(api.patch(path, change) for change in changes))
        assert [status for status, _ in answers] == [200, 200, 200, 200]
        row = await Account.get(id=account.id)
        assert (row.status, row.name, row.smtp_port, row.daily_mail_limit) == ("paused", "New", 2525, 7)


async def test_a_change_goes_by_the_account_as_it_is_when_it_is_kept(acme: Organization) -> None:
    made = await make_account(acme, smtp_username="ada", smtp_password="sealed")
    first, second, third = [await Account.get() for _ in range(3)]
    await change_account(first, AccountChanges(status="paused", smtp_username=None, smtp_password=None))
    changed = await change_account(second, AccountChanges(name="New"))
    assert (changed.name, changed.status, changed.smtp_username) == ("New", "paused", None)
    assert made.updated_at < first.updated_at < changed.updated_at  # trouble of the account as it was counts no more
    await Account.all().delete()
    with pytest.raises(NotFound):
        await change_account(third, AccountChanges(name="Newer"))


async def test_trouble_that_came_meanwhile_is_healed_and_a_paused_account_stays_paused(acme: Organization) -> None:
    await make_account(acme)
    stale = await Account.get()
    await Account.all().update(status="error", last_error="535 no", rests=3, rest_until=clock.now())
    await change_account(stale, AccountChanges(status="paused"))
    row = await Account.get()
    assert (row.status, row.last_error, row.rests, row.rest_until) == ("paused", None, 0, None)


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


async def test_a_raised_limit_lets_deferred_mail_go(api: Api, acme: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=1)
    await api.post("/v1/emails", {"from": "hello@acme.example", "to": "a@b.example", "subject": "x", "text": "x"})
    await MailLog.all().update(status="deferred", next_attempt_at=clock.now() + timedelta(hours=9))
    await api.patch(f"/v1/accounts/{account.id}", {"daily_mail_limit": 1})
    assert (await MailLog.get()).status == "deferred"
    await api.patch(f"/v1/accounts/{account.id}", {"daily_mail_limit": 2})
    assert (await MailLog.get()).status == "pending"


async def test_a_deleted_account_leaves_its_log_and_fails_what_waits(api: Api, acme: Organization) -> None:
    account = await make_account(acme, name="Main")
    await api.post("/v1/emails", {"from": "hello@acme.example", "to": "a@b.example", "subject": "x", "text": "x"})
    assert await api.delete(f"/v1/accounts/{account.id}") == (200, {"ok": True})
    row = await MailLog.get()
    assert (row.status, row.error, row.account_id) == ("failed", "the account Main was deleted", account.id)
    assert await api.delete(f"/v1/accounts/{account.id}") == (404, {"error": "Not found"})


async def test_the_sandbox_account_is_made_once_and_stays(api: Api, acme: Organization, settings: Settings) -> None:
    first, second = await asyncio.gather(sandbox_account(acme), sandbox_account(acme))
    assert first.id == second.id
    config.configure(replace(settings, allow_private_hosts=False, sandbox_port=4242))
    login = smtp_login(await Account.get(id=first.id))
    assert (login.host, login.port, login.username, login.policy.exempt) == ("127.0.0.1", 4242, first.account_key, True)
    for answer in (await api.patch(f"/v1/accounts/{first.id}", {}), await api.delete(f"/v1/accounts/{first.id}")):
        assert (answer[0], answer[1]["error"]) == (409, "Conflict")


async def test_a_stranger_finds_nothing(api: Api, rival_api: Api) -> None:
    made = await make(api, **LOGIN)
    before = await Account.get()
    for row_id in (made["id"], str(uuid4()), "nonsense", made["account_key"]):
        for answer in (
            await rival_api.send("GET", f"/v1/accounts/{row_id}"),
            await rival_api.send("PATCH", f"/v1/accounts/{row_id}", json={"name": "Mine"}),
            await rival_api.send("DELETE", f"/v1/accounts/{row_id}"),
        ):
            assert (answer.status_code, await answer.get_data()) == (404, b'{"error":"Not found"}')
    assert (await rival_api.get("/v1/accounts"))[1]["data"] == []
    assert vars(await Account.get()) == vars(before)


async def test_a_viewer_reads_and_does_not_write(viewer_api: Api, acme: Organization) -> None:
    account = await make_account(acme)
    path = f"/v1/accounts/{account.id}"
    assert [(await viewer_api.get(one))[0] for one in ("/v1/accounts", path)] == [200, 200]
    refused = [
        await viewer_api.post("/v1/accounts", RELAY),
        await viewer_api.patch(path, {}),
        await viewer_api.delete(path),
    ]
    assert [status for status, _ in refused] == [403, 403, 403]


@pytest.mark.parametrize(
    ("query", "meta"),
    [
        ("", (1, 50)),
        ("page=3&page_size=10", (3, 10)),
        ("page_size=101", (1, 100)),
        ("page_size=" + "9" * 30, (1, 100)),
        ("page=1000000000", (1_000_000_000, 50)),
        ("page=" + "9" * 23, (int("9" * 23), 50)),
    ],
)
async def test_pages_are_counted_from_one_without_an_end(api: Api, query: str, meta: tuple[int, int]) -> None:
    status, body = await api.get(f"/v1/accounts?{query}")
    assert status == 200
    assert (body["meta"]["page"], body["meta"]["page_size"]) == meta


@table("name", ["page", "page_size"])
@table("value", ["0", "-1", "1e3", "1.0", "abc", "", "%D9%A1%D9%A2", "0x10", "1%00", "%FF", "1" * 5000])
async def test_a_page_that_is_no_number_from_one_is_refused(api: Api, name: str, value: str) -> None:
    status, body = await api.get(f"/v1/accounts?{name}={value}")
    assert (status, body["details"][0]["field"]) == (400, name)
