"""Keys on their page: issued, shown once, revoked."""

import json
import re
import shlex

from quart import Quart

from tests.factories import make_account
from tests.pages.conftest import Page, Visitor, make_person, visitor_for
from webapp.domain.accounts.accounts import delete_account, sandbox_account
from webapp.domain.api_keys import NewKey, find_key_of, issue_key
from webapp.domain.roles import Role
from webapp.models import ApiKey, Organization

SECRET = re.compile(r"svc_live_[0-9A-Za-z]{40}")


async def issue(visitor: Visitor, **fields: str) -> Page:
    return await visitor.submit(await visitor.get("/api-keys/new"), **{"name": "Web shop", "role": "sender", **fields})


async def test_the_secret_is_shown_once_with_a_sample(owner: Visitor, acme: Organization) -> None:
    page = await issue(owner)
    assert page.title == "Your new API key"
    (secret,) = set(SECRET.findall(str(page.soup)))
    key = await find_key_of(secret)
    assert (key.name, key.role, key.org.id) == ("Web shop", "sender", acme.id)
    again = await owner.get(page.path)
    assert again.path == "/api-keys"
    assert again.notes[0].startswith("API keys are shown only once")
    assert not SECRET.search(str(again.soup))
    assert secret not in str((await owner.get("/home")).soup)
    assert secret not in str(await ApiKey.all().values())


async def test_the_sample_names_the_sandbox_until_there_is_another_account(owner: Visitor, acme: Organization) -> None:
    sandbox = await sandbox_account(acme)
    page = await issue(owner)
    assert sandbox.account_key in page.soup.find(id="curl-sample").get_text()
    own = await make_account(acme, from_email="o'brien@acme.example")
    page = await issue(owner)
    secret = page.soup.find(id="secret").get_text()
    for language in ("curl", "python", "node"):
        sample = page.soup.find(id=f"{language}-sample").get_text()
        assert (own.account_key in sample, f"Bearer {secret}" in sample) == (True, True)
    compile(page.soup.find(id="python-sample").get_text(), "sample", "exec")
    *_, body = shlex.split(page.soup.find(id="curl-sample").get_text().replace("\\\n", ""))
    assert json.loads(body)["from"] == "o'brien@acme.example"


async def test_the_sample_never_names_an_account_that_cannot_send(owner: Visitor, acme: Organization) -> None:
    sandbox = await sandbox_account(acme)
    broken = await make_account(acme, name="Broken", status="error")
    page = await issue(owner)
    assert "This sends through the sandbox" in page.text
    assert sandbox.account_key in page.soup.find(id="curl-sample").get_text()
    assert broken.account_key not in page.text
    able = await make_account(acme, name="Able")
    assert able.account_key in (await issue(owner)).soup.find(id="curl-sample").get_text()


async def test_the_list_shows_all_but_the_secret(owner: Visitor, acme: Organization) -> None:
    await issue(owner, lifetime="30")
    page = await owner.get("/api-keys")
    (row,) = page.rows
    key = await ApiKey.of(acme).get()
    assert row[:5] == [f"Web shop {key.prefix}…", "Sender", "Never", "in 30 days", "ada@acme.example"]


async def test_a_name_is_required_and_a_lifetime_that_is_offered(owner: Visitor, acme: Organization) -> None:
    assert (await issue(owner, name="")).error_at("name") == "This field is required."
    assert (await issue(owner, lifetime="14")).error_at("lifetime") == "Select an option from the list."
    assert await ApiKey.of(acme).count() == 0


async def test_a_key_is_revoked_after_asking(owner: Visitor, acme: Organization) -> None:
    issued = await issue_key(acme, NewKey(name="Old", role="viewer"))
    ask = await owner.get(f"/api-keys/{issued.key.id}/revoke")
    assert "Revoke “Old”?" in ask.text
    assert (await ApiKey.of(acme).get()).revoked_at is None
    page = await owner.submit(ask, f"/api-keys/{issued.key.id}/revoke")
    assert page.notes == ["“Old” revoked. Apps that use it can no longer connect."]
    assert (await ApiKey.of(acme).get()).revoked_at is not None


async def test_an_admin_offers_no_role_above_their_own(app: Quart, acme: Organization) -> None:
    admin = await visitor_for(app, acme, await make_person(acme, "adam@acme.example", Role.ADMIN))
    page = await admin.get("/api-keys/new")
    assert [option["value"] for option in page.soup.select("#f-role option")] == ["viewer", "sender", "editor", "admin"]
    assert page.soup.find(id="f-role-hint").text.endswith("Every key can also read your contacts and emails.")
    refused = await admin.submit(page, name="x", role="owner")
    assert refused.status == 422


async def test_another_browser_cannot_open_a_fresh_secret(owner: Visitor, app: Quart, acme: Organization) -> None:
    form = await owner.get("/api-keys/new")
    made = await owner.submit(form, name="x", role="sender", follow=False)
    place, cookie = made.response.headers["Location"], owner.cookie("fresh_key")
    other = await visitor_for(app, acme, await make_person(acme, "adam@acme.example", Role.ADMIN))
    other.client.set_cookie("localhost", "fresh_key", cookie, path=place)
    assert (await other.get(place)).status == 404


async def test_a_key_is_limited_to_what_the_form_names(owner: Visitor, acme: Organization, rival: Organization) -> None:
    shop = await make_account(acme, name="Shop", from_email="orders@shop.example")
    await make_account(rival, name="Theirs")
    page = await owner.get("/api-keys/new")
    assert "Shop" in page.text
    assert "Theirs" not in page.text
    limits = {"allowed_from": "@Shop.Example\r\nhi@acme.example", "allowed_networks": "203.0.113.0/24, 2001:db8::1"}
    shown = await issue(owner, **limits, allowed_account_ids=str(shop.id))
    sentences = ["Sends as @shop.example, hi@acme.example", "Uses Shop", "Works from 203.0.113.0/24, 2001:db8::1/128"]
    for where in (shown, await owner.get("/api-keys")):
        assert [sentence for sentence in sentences if sentence not in where.text] == []
    noted = ("sends as @shop.example, hi@acme.example", "uses Shop", "works from 203.0.113.0/24, 2001:db8::1/128")
    issued = (await owner.get("/audit")).rows[0][0]
    assert [words for words in noted if words not in issued] == []
    await delete_account(acme, shop)
    assert "Uses a deleted account" in (await owner.get("/api-keys")).text


async def test_a_limit_that_means_nothing_is_refused_at_its_field(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    theirs = await make_account(rival)
    limits = {"allowed_from": "@shop.example\n*@acme.example", "allowed_networks": "10.0.0.1/8"}
    page = await issue(owner, **limits, allowed_account_ids="x")
    like = "an address or @ and a domain, like orders@example.com or @example.com"
    assert page.error_at("allowed_from") == f"Each line must be {like}, not *@acme.example."
    assert page.error_at("allowed_networks") == "Enter a network or address like 203.0.113.0/24."
    assert page.soup.find(id="f-allowed_from").get_text().split() == ["@shop.example", "*@acme.example"]
    refused = await issue(owner, allowed_account_ids=str(theirs.id))
    assert refused.error_at("allowed_account_ids") == "Must be accounts of this organization."
    assert await ApiKey.all().count() == 0
