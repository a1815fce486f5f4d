"""The first run: one link, one owner."""

import asyncio

import pytest
from quart import Quart

from tests.pages.conftest import COMMON, PASSWORD, Visitor
from webapp.domain.auth.owners import create_claim_link
from webapp.models import Account, ClaimLink, Membership, Organization, User

ANSWERS = {"organization": "Acme", "timezone": "Europe/Berlin", "email": "Ada@Acme.example", "password": PASSWORD}


async def test_the_claim_makes_the_owner_and_signs_in(stranger: Visitor, app: Quart) -> None:
    hint = "To become its owner, open the link that it printed when it started."
    assert hint in (await stranger.get("/sign-in")).text
    link = f"/claim/{await create_claim_link()}"
    home = await stranger.submit(await stranger.get(link), **ANSWERS)
    assert (home.status, home.path, home.title) == (200, "/home", "Dashboard")
    assert home.notes == ["Welcome to Pennypost. Acme is ready."]
    org = await Organization.get(name="Acme")
    assert (org.timezone, org.plan) == ("Europe/Berlin", "enterprise")
    member = await Membership.of(org).get().select_related("user")
    assert (member.user.email, member.role) == ("ada@acme.example", "owner")
    assert (await Account.of(org).get()).is_sandbox
    assert hint not in (await Visitor(app).get("/sign-in")).text


async def test_the_link_works_once(stranger: Visitor, app: Quart) -> None:
    link = f"/claim/{await create_claim_link()}"
    await stranger.submit(await stranger.get(link), **ANSWERS)
    second = await Visitor(app).get(link)
    assert (second.status, second.title) == (404, "This link doesn't work")
    assert "pennypost create-org" in second.text
    assert await create_claim_link() is None


async def test_a_newer_link_replaces_the_older(stranger: Visitor) -> None:
    older, newer = await create_claim_link(), await create_claim_link()
    assert (await stranger.get(f"/claim/{older}")).status == 404
    assert (await stranger.get(f"/claim/{newer}")).status == 200


async def test_the_links_of_several_webs_are_all_valid_until_one_is_used(stranger: Visitor) -> None:
    links = [f"/claim/{await create_claim_link(keeps_others=True)}" for _ in range(2)]
    assert [(await stranger.get(link)).status for link in links] == [200, 200]
    assert (await stranger.submit(await stranger.get(links[0]), **ANSWERS)).title == "Dashboard"
    assert (await stranger.get(links[1])).status == 404
    assert await ClaimLink.all().count() == 0


@pytest.mark.parametrize("links", [1, 2])
async def test_of_two_claims_at_once_one_wins_and_the_other_is_told(app: Quart, links: int) -> None:
    ada, bob = Visitor(app), Visitor(app)
    tokens = [await create_claim_link(keeps_others=True) for _ in range(links)]
    pages = [await ada.get(f"/claim/{tokens[0]}"), await bob.get(f"/claim/{tokens[-1]}")]
    results = await asyncio.gather(
        ada.submit(pages[0], **ANSWERS), bob.submit(pages[1], **ANSWERS | {"email": "bob@acme.example"})
    )
    assert sorted(result.title for result in results) == ["Dashboard", "This link doesn't work"]
    assert await User.all().count() == await Organization.all().count() == 1


async def test_what_was_typed_stays_and_the_password_does_not(stranger: Visitor) -> None:
    link = f"/claim/{await create_claim_link()}"
    page = await stranger.submit(await stranger.get(link), **ANSWERS | {"password": "short", "timezone": "Mars/Base"})
    assert page.status == 422
    assert page.error_at("password") == "Enter at least 10 characters."
    assert page.error_at("timezone") == "Enter a time zone like Europe/Paris or UTC."
    typed = {tag["name"]: tag.get("value") for tag in page.form().select("input")}
    assert (typed["organization"], typed["email"], typed["password"]) == ("Acme", "Ada@Acme.example", None)
    assert page.soup.select_one("[autofocus]")["id"] == "f-timezone"
    page = await stranger.submit(page, **ANSWERS | {"password": "password123"})
    assert (page.status, page.error_at("password")) == (422, COMMON)
    assert await User.all().count() == 0
