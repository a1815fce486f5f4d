"""Accounts on their pages: added, tested, changed, paused, deleted."""

from collections.abc import AsyncIterator
from time import monotonic
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.conftest import free_port
from tests.factories import make_account, make_campaign, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.pages.campaigns.test_campaigns import DAILY
from tests.pages.conftest import Page, Visitor
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.accounts.credentials import smtp_login
from webapp.models import Account, MailLog, Organization
from webapp.pages.accounts import smtp_presets
from webapp.pages.accounts.smtp_presets import SmtpPreset
from webapp.sending.smtp.connect import UNIFORM_FAILURE_DELAY


@pytest.fixture
async def relay() -> AsyncIterator[SmtpServer]:
    async with SmtpServer(users={"ada": "secret"}) as server:
        yield server


async def add(visitor: Visitor, relay: SmtpServer, **fields: Any) -> Page:
    typed = {"name": "Relay", "smtp_host": "127.0.0.1", "smtp_port": str(relay.port), "smtp_security": "none"}
    typed |= {"smtp_username": "ada", "smtp_password": "secret", "from_email": "hello@acme.example"}
    return await visitor.submit(await visitor.get("/accounts/new"), "/accounts", **typed | fields)


async def test_an_account_is_added_and_its_login_tested(
    owner: Visitor, acme: Organization, rival: Organization, relay: SmtpServer
) -> None:
    await make_account(rival)
    page = await add(owner, relay)
    assert (page.path, page.notes) == ("/home", ["“Relay” was saved. Login successful."])
    account = await Account.of(acme).get(name="Relay")
    assert (account.status, smtp_login(account).password) == ("active", "secret")
    page = await owner.get("/accounts")
    assert "secret" not in str(page.soup)
    assert [row[:3] for row in page.rows] == [["Relay hello@acme.example", "Active", "0 of 500 today"]]


async def test_an_empty_password_keeps_the_stored_one(owner: Visitor, acme: Organization, relay: SmtpServer) -> None:
    await add(owner, relay)
    account = await Account.of(acme).get(name="Relay")
    page = await owner.get(f"/accounts/{account.id}")
    assert page.soup.find(id="f-smtp_password").get("value") is None
    page = await owner.submit(page, f"/accounts/{account.id}", name="Renamed")
    assert (page.path, page.notes) == (f"/accounts/{account.id}", ["“Renamed” was saved. Login successful."])
    assert smtp_login(await Account.of(acme).get(name="Renamed")).password == "secret"


async def test_a_new_server_asks_for_the_password_at_its_field(
    owner: Visitor, acme: Organization, relay: SmtpServer
) -> None:
    await add(owner, relay)
    path = f"/accounts/{(await Account.of(acme).get(name='Relay')).id}"
    page = await owner.submit(await owner.get(path), path, smtp_host="localhost")
    assert page.notes == ["“Relay” was saved, but it can't send yet: enter the password again for localhost."]
    hint = page.soup.find(id=page.soup.find(id="f-smtp_password")["aria-describedby"])
    assert hint.text.strip().startswith("Enter the password again for localhost")
    assert len(relay.logins) == 1
    page = await owner.submit(page, path, smtp_password="secret")
    assert page.notes == ["“Relay” was saved. Login successful."]


async def test_bad_settings_are_named_at_their_fields(owner: Visitor, acme: Organization, relay: SmtpServer) -> None:
    for fields, at, words in (
        ({"smtp_host": "bad host"}, "smtp_host", "Enter a host name like smtp.example.com."),
        ({"smtp_port": "1_025"}, "smtp_port", "Enter a whole number."),
        ({"smtp_username": ""}, "smtp_username", "Enter the username for this password."),
    ):
        page = await add(owner, relay, **fields)
        assert (page.status, page.error_at(at)) == (422, words)
    assert await Account.of(acme).count() == 0


def filled_in(page: Page) -> list[str]:
    security = page.soup.select_one("#f-smtp_security [selected]")
    names = ("smtp_host", "smtp_port", "daily_mail_limit", "concurrency", "max_per_minute")
    return [page.soup.find(id=f"f-{name}").get("value", "") for name in names] + [security["value"] if security else ""]


async def test_a_provider_fills_in_its_server_and_its_limits(owner: Visitor) -> None:
    page = await owner.get("/accounts/new")
    assert filled_in(page) == ["", "587", "500", "4", "", ""]
    chooser = next(form for form in page.soup.select("form") if form.get("method") == "get")
    assert chooser.select_one("option")["value"] == ""
    page = await owner.get("/accounts/new?provider=Fastmail&smtp_host=mine.example.com&daily_mail_limit=70")
    assert filled_in(page) == ["smtp.fastmail.com", "465", "70", "4", "", "tls"]
    page = await owner.get("/accounts/new?provider=Microsoft+365&daily_mail_limit=70&concurrency=9")
    assert filled_in(page) == ["smtp.office365.com", "587", "10000", "3", "30", "starttls"]
    page = await owner.get(
        "/accounts/new?provider=&smtp_host=smtp.office365.com&daily_mail_limit=10000&concurrency=3&max_per_minute=30"
    )
    assert filled_in(page) == ["", "587", "500", "4", "", ""]


@pytest.mark.parametrize("preset", smtp_presets.PROVIDERS, ids=lambda preset: preset.provider)
async def test_a_provider_says_how_to_sign_in_what_it_allows_and_where_that_is_written(
    owner: Visitor, preset: SmtpPreset
) -> None:
    assert (preset.smtp_port, preset.smtp_security) in ((465, "tls"), (587, "starttls"))
    page = await owner.get(f"/accounts/new?{urlencode({'provider': preset.provider})}")
    note = page.soup.find(id="provider-note")
    connects = [f"/accounts/{preset.connects}"] if preset.connects else []
    assert [link["href"] for link in note.select("a")] == [*connects, preset.source]
    assert preset.source.startswith("https://")
    assert note.text.startswith(preset.password)
    assert preset.limit in note.text
    assert note.text.endswith(f"Source, read on {preset.checked:%-d %B %Y}.")


def test_twenty_providers_are_known_once_each() -> None:
    names = [preset.provider for preset in smtp_presets.PROVIDERS]
    assert len(names) == len(set(names)) >= 20
    assert names == sorted(names, key=str.lower)


async def test_a_closed_port_is_told_no_sooner_than_a_silent_one(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme, smtp_port=free_port(), smtp_security="none")
    page, began = await owner.get("/accounts"), monotonic()
    told = await owner.submit(page, f"/accounts/{account.id}/test-login")
    assert any(note.endswith("Check the host and port.") for note in told.notes)
    assert monotonic() - began >= UNIFORM_FAILURE_DELAY


@pytest.mark.parametrize("password", [None, "secret"])
async def test_only_a_stored_password_is_kept(owner: Visitor, acme: Organization, password: str | None) -> None:
    account = await make_account(acme, password=password)
    page = await owner.get(f"/accounts/{account.id}")
    assert ("Leave blank to keep the current password." in page.text) == (password is not None)


async def test_the_sandbox_account_cannot_be_changed(owner: Visitor, acme: Organization) -> None:
    account = await sandbox_account(acme)
    page = await owner.get(f"/accounts/{account.id}")
    assert not page.soup.select("form.form")
    assert (await owner.send_form(f"/accounts/{account.id}/delete")).status == 409
    assert (await owner.send_form(f"/accounts/{account.id}", name="x")).status == 422
    assert await Account.of(acme).filter(is_sandbox=True).exists()


async def test_deleting_an_account_names_and_pauses_what_no_other_account_can_send(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    account, other = await make_account(acme, name="Main"), await make_account(acme)
    await sandbox_account(acme)
    parts = {"segment": await make_segment(acme), "template": await make_template(acme), **DAILY}
    named = await make_campaign(acme, title="Autumn news", **parts, sender_account_ids=[str(account.id)])
    await make_campaign(acme, title="Draft", sender_account_ids=[str(account.id)])
    by_any = await make_campaign(acme, title="Letter", **parts | {"schedule_type": "scheduled_once"})
    theirs = await make_campaign(rival, title="Of a stranger", **DAILY)
    place = f"/accounts/{account.id}/delete"
    asked = await owner.get(place)
    assert "1 scheduled campaign has no other account and will be paused. Autumn news (scheduled)" in asked.text
    await other.delete()
    asked = await owner.get(place)
    assert "2 scheduled campaigns have no other account and will be paused." in asked.text
    assert [item.get_text() for item in asked.soup.select(".bullets li")] == [
        "Letter (scheduled)", "Autumn news (scheduled)"
    ]  # fmt: skip
    assert (await rival_owner.get(place)).status == (await rival_owner.send_form(place)).status == 404
    gone = await owner.submit(asked, place)
    assert (gone.path, gone.notes) == ("/accounts", ["“Main” deleted. Its deliveries are kept."])
    for campaign in (named, by_any):
        page = await owner.get(f"/campaigns/{campaign.id}")
        assert "Paused: its account was deleted." in page.text
        assert page.facts["Accounts"] == "Deleted"
        page = await owner.send_form(f"/campaigns/{campaign.id}/resume")
        assert page.notes[0].endswith("this campaign's account was deleted; choose another one first.")
    await theirs.refresh()
    assert theirs.status == "scheduled"
    chosen = await owner.send_form(f"/campaigns/{named.id}/senders", which="all")
    assert "Paused: the deleted account was replaced; resume to continue." in chosen.text
    assert "scheduled campaign" not in (await owner.get(f"/accounts/{(await make_account(acme)).id}/delete")).text


async def test_a_test_mail_is_sent_to_oneself_or_whom_one_names(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme, name="Main")
    place = f"/accounts/{account.id}/test"
    asked = await owner.get(place)
    assert asked.soup.select_one("#f-to")["value"] == "ada@acme.example"
    refused = await owner.submit(asked, place, to="ada@")
    assert (refused.status, refused.soup.select_one("#f-to")["value"]) == (422, "ada@")
    sent = await owner.submit(asked, place)
    row = await MailLog.of(acme).get()
    assert (sent.path, row.to_email, row.account_id) == (f"/mail-logs/{row.id}", "ada@acme.example", account.id)
    assert sent.notes == ["Test sent to ada@acme.example. Its delivery status is shown below."]
    await owner.submit(asked, place)  # the same form once more
    assert await MailLog.of(acme).count() == 1
