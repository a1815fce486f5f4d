"""People's names: asked for, changed, and shown instead of their addresses."""

import pytest
from quart import Quart

from tests.pages.conftest import PASSWORD, Page, Visitor, make_person, visitor_for
from tests.pages.organization.test_api_keys import issue
from tests.pages.organization.test_invitations import invite, link_on
from webapp.domain.roles import Role
from webapp.models import AuditEntry, Membership, Organization, User
from webapp.models.people import EMAIL_LENGTH
from webapp.pages.shared.filters import name_and_email

FORM = "/security/name"
ADA = ("Ada Lovelace", "ada@acme.example")


async def rename(visitor: Visitor, first: str = "Ada", last: str = "Lovelace") -> Page:
    return await visitor.submit(await visitor.get("/security"), FORM, first_name=first, last_name=last)


async def name_of(email: str) -> tuple[str, str]:
    user = await User.get(email=email)
    return user.first_name, user.last_name


async def test_a_name_takes_the_place_of_the_address(owner: Visitor, rival_owner: Visitor) -> None:
    page = await rename(owner)
    assert (page.path, page.notes) == ("/security", ["Name saved."])
    assert await name_of("ada@acme.example") == ("Ada", "Lovelace")
    for menu in page.soup.select(".who b"):
        assert (menu.get_text(), menu["title"]) == ADA
    assert [tag["value"] for tag in page.form(FORM).select("input.input")] == ["Ada", "Lovelace"]
    assert await name_of("rita@rival.example") == ("", "")
    assert "Lovelace" not in "".join([(await rival_owner.get(path)).text for path in ("/security", "/team", "/audit")])


async def test_names_are_trimmed_and_hide_nothing(owner: Visitor) -> None:
    for typed, saved in (
        ("Ada \u00a0 Augusta ", "Ada Augusta"),
        ("Ad\u202ea\u200b", "Ada"),
        ("\u0645\u06cc\u200c\u0646\u0627", "\u0645\u06cc\u200c\u0646\u0627"),  # what joins letters stays
        ("\u200b", ""),
    ):
        await rename(owner, typed)
        assert await name_of("ada@acme.example") == (saved, "Lovelace")


async def test_what_is_wrong_is_told_and_nothing_typed_is_lost(owner: Visitor) -> None:
    for typed, words in (
        ("x" * 101, "Enter at most 100 characters."),
        ("Ada\nowner", "First name must not contain line breaks or control characters."),
        ("\uff1ceve", "First name must not contain @, < or >."),
        ("\u3164", "First name must contain a letter or a digit."),
    ):
        page = await rename(owner, typed, "Lovelace")
        assert (page.status, page.error_at("first_name")) == (422, words)
        assert page.form(FORM).select("[name=last_name]")[0]["value"] == "Lovelace"
    assert await name_of("ada@acme.example") == ("", "")
    assert await AuditEntry.all().count() == 0


async def test_a_change_is_recorded_in_each_of_ones_organizations(
    app: Quart, acme: Organization, rival: Organization
) -> None:
    other = await Organization.create(name="Other", timezone="UTC", plan="free")
    ben = await make_person(acme, "ben@acme.example", Role.VIEWER)
    await Membership.create(org=other, user=ben, role=Role.OWNER)
    visitor = await visitor_for(app, acme, ben)
    for _ in range(2):  # the second changes nothing
        await rename(visitor, "Ben", "")
    await rename(visitor, "Ben", "Okafor")
    for org in (acme, other):
        first, second = await AuditEntry.of(org).order_by("id")
        assert (first.action, first.target_id, first.target) == ("member.renamed", ben.id, "ben@acme.example")
        assert (first.actor, first.details) == ("ben@acme.example", {"first_name": [None, "Ben"]})
        assert (second.actor, second.details) == ("Ben <ben@acme.example>", {"last_name": [None, "Okafor"]})
    assert await AuditEntry.of(rival).count() == 0


async def test_the_team_and_its_questions_show_names_with_addresses(owner: Visitor, acme: Organization) -> None:
    ben = await make_person(acme, "ben@acme.example", Role.OWNER)
    await User.filter(id=ben.id).update(first_name="Aaron", last_name="Okafor")
    await rename(owner)
    rows = (await owner.get("/team")).rows
    assert [row[0] for row in rows] == ["Aaron Okafor ben@acme.example", "Ada Lovelace You ada@acme.example"]
    place = f"/team/members/{(await Membership.of(acme).get(user_id=ben.id)).id}"
    for question in ("remove", "role"):
        page = await owner.get(f"{place}/{question}")
        assert "Aaron Okafor" in page.title
        assert "ben@acme.example" in page.text
    assert (await owner.submit(page, f"{place}/role", role="viewer")).notes == ["Aaron Okafor is now a viewer."]


async def test_the_audit_log_shows_the_name_of_that_time_and_finds_by_both(
    owner: Visitor, rival_owner: Visitor
) -> None:
    await issue(owner, name="before")
    await rename(owner)
    await issue(owner, name="with")
    await rename(owner, "Augusta", "King")
    page = await owner.get("/audit")
    assert [row[1] for row in page.rows] == ["Ada Lovelace ada@acme.example"] * 2 + ["ada@acme.example"] * 2
    assert "first name Ada → changed to Augusta" in page.rows[0][0]
    assert len((await owner.get("/audit?who=lovelace")).rows) == 2
    assert (await rival_owner.get("/audit?who=lovelace")).rows == []


async def test_who_joins_gives_a_name(owner: Visitor, stranger: Visitor, acme: Organization) -> None:
    await rename(owner)
    link = link_on(await invite(owner))
    home = await stranger.submit(
        await stranger.get(link), link, password=PASSWORD, first_name="Grace", last_name="Hopper"
    )
    assert (home.title, await name_of("new@acme.example")) == ("Dashboard", ("Grace", "Hopper"))
    entry = await AuditEntry.of(acme).filter(action="member.joined").get()
    assert (entry.actor, entry.target) == ("Grace Hopper <new@acme.example>", "new@acme.example")
    assert entry.details["invited_by"] == "Ada Lovelace <ada@acme.example>"


@pytest.mark.parametrize(
    ("first", "last", "email", "stored"),
    [
        ("x" * 100, "y" * 100, "a" * 240, f"{'x' * 11} <{'a' * 240}>"),
        ("Ada", "Lovelace", "a" * EMAIL_LENGTH, "a" * EMAIL_LENGTH),
    ],
)
def test_what_is_stored_fits_and_keeps_the_address(first: str, last: str, email: str, stored: str) -> None:
    kept = User(email=email, first_name=first, last_name=last).name_and_email
    assert kept == stored
    assert len(kept) <= EMAIL_LENGTH
    name, address = name_and_email(kept)
    assert address or name == email
