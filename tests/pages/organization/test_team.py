"""The team: roles, removing people, leaving, and that an owner stays."""

import asyncio

import pytest
from quart import Quart

from tests.pages.conftest import Page, Visitor, make_person, visitor_for
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.roles import Role
from webapp.models import ApiKey, AuditEntry, Membership, Organization, Session, User

ADMINS = (Role.ADMIN, Role.OWNER)


async def place_of(org: Organization, user: User) -> str:
    return f"/team/members/{(await Membership.of(org).get(user_id=user.id)).id}"


async def role_of(org: Organization, user: User) -> str | None:
    member = await Membership.of(org).get_or_none(user_id=user.id)
    return member.role if member else None


async def give_role(visitor: Visitor, org: Organization, user: User, role: str) -> Page:
    place = f"{await place_of(org, user)}/role"
    return await visitor.submit(await visitor.get(place), place, role=role)


async def remove(visitor: Visitor, org: Organization, user: User) -> Page:
    place = f"{await place_of(org, user)}/remove"
    return await visitor.submit(await visitor.get(place), place)


async def leave(visitor: Visitor, org: Organization) -> Page:
    place = f"/organizations/{org.id}/leave"
    return await visitor.submit(await visitor.get(place), place)


async def make_key(org: Organization, maker: User, role: str) -> ApiKey:
    return (await issue_key(org, NewKey.model_validate({"name": f"{role} key", "role": role}), maker)).key


async def living(org: Organization) -> set[str]:
    return {key.name for key in await ApiKey.of(org).filter(revoked_at=None)}


async def test_everybody_sees_who_is_in_the_team(owner: Visitor, viewer: Visitor) -> None:
    rows = (await owner.get("/team")).rows
    assert [row[0] for row in rows] == ["ada@acme.example You", "vera@acme.example"]
    assert [row[1] for row in rows] == ["Owner", "Viewer"]
    assert rows[0][4] == "Only owner"
    seen = await viewer.get("/team")
    assert [row[0] for row in seen.rows] == ["ada@acme.example", "vera@acme.example You"]
    assert not seen.soup.select("main a[href^='/team/members/']")


@pytest.mark.parametrize("actor", Role)
async def test_nobody_reaches_above_their_own_role(app: Quart, acme: Organization, actor: Role) -> None:
    await make_person(acme, "boss@acme.example", Role.OWNER)
    ours = await visitor_for(app, acme, await make_person(acme, "ann@acme.example", actor))
    for target in Role:
        other = await make_person(acme, f"{target}@acme.example", target)
        place, may = await place_of(acme, other), actor in ADMINS and actor.allows(target)
        for role in set(Role) - {target}:
            page = await ours.send_form(f"{place}/role", role=role)
            is_done = may and actor.allows(role)
            assert page.status == (200 if is_done else 422 if may else 403), (target, role)
            assert await role_of(acme, other) == (role if is_done else target)
            await Membership.of(acme).filter(user_id=other.id).update(role=target)
        page = await ours.send_form(f"{place}/remove")
        assert page.status == (200 if may else 403), target
        assert await role_of(acme, other) == (None if may else target)


async def test_a_new_role_counts_from_the_next_request_on(app: Quart, acme: Organization, owner: Visitor) -> None:
    ben = await make_person(acme, "ben@acme.example", Role.EDITOR)
    bens = await visitor_for(app, acme, ben)
    page = await give_role(owner, acme, ben, "admin")
    assert (page.path, page.notes) == ("/team", ["ben@acme.example is now an admin."])
    assert (await bens.get("/api-keys/new")).status == 200
    await give_role(owner, acme, ben, "viewer")
    assert (await bens.get("/api-keys/new")).status == 403


async def test_keys_beyond_the_new_role_are_revoked_and_told_of_before(acme: Organization, owner: Visitor) -> None:
    ben = await make_person(acme, "ben@acme.example", Role.ADMIN)
    for role in ("admin", "editor", "sender"):
        await make_key(acme, ben, role)
    await issue_key(acme, NewKey(name="the operator's", role="admin"))
    asked = await owner.get(f"{await place_of(acme, ben)}/role")
    choices = [option.get_text(" ", strip=True) for option in asked.soup.select("main option")]
    assert ["revoked" in text for text in choices] == [True, True, True, False, False]
    assert choices[0] == "Viewer (3 keys revoked)"
    assert choices[2] == "Editor (1 key revoked)"
    await give_role(owner, acme, ben, "sender")
    assert await living(acme) == {"sender key", "the operator's"}
    removal = await owner.get(f"{await place_of(acme, ben)}/remove")
    assert "sender key" in removal.text
    await remove(owner, acme, ben)
    assert await living(acme) == {"the operator's"}


async def test_who_was_removed_is_out_at_once_and_stays_where_else_they_are(
    app: Quart, acme: Organization, rival: Organization, owner: Visitor
) -> None:
    ben = await make_person(acme, "ben@acme.example", Role.ADMIN)
    await Membership.create(org=rival, user=ben, role=Role.VIEWER)
    await make_key(rival, ben, "viewer")
    here, there = await visitor_for(app, acme, ben), await visitor_for(app, rival, ben)
    page = await remove(owner, acme, ben)
    assert await living(rival) == {"viewer key"}
    assert page.notes == ["ben@acme.example removed from Acme."]
    assert (await here.get("/home")).title == "Sign in"
    assert (await there.get("/home")).title == "Dashboard"
    assert await Session.filter(user_id=ben.id, org_id=acme.id).count() == 0


async def test_a_key_that_is_made_with_a_role_of_a_moment_ago_is_refused(
    app: Quart, acme: Organization, owner: Visitor
) -> None:
    """Of a demotion and a key at the same time, either the key is refused or it is revoked."""
    ben = await make_person(acme, "ben@acme.example", Role.ADMIN)
    bens = await visitor_for(app, acme, ben)
    form, place = await bens.get("/api-keys/new"), f"{await place_of(acme, ben)}/role"
    asked = await owner.get(place)
    await asyncio.gather(
        bens.submit(form, name="late", role="admin", follow=False), owner.submit(asked, place, role="editor")
    )
    assert await role_of(acme, ben) == "editor"
    assert await living(acme) == set()


@pytest.mark.parametrize("way", ["role", "remove"])
async def test_of_two_owners_who_depose_each_other_one_stays(app: Quart, acme: Organization, way: str) -> None:
    for _ in range(5):
        await Membership.of(acme).delete()
        await User.all().delete()
        ada, eve = [await make_person(acme, f"{name}@acme.example") for name in ("ada", "eve")]
        adas, eves = await visitor_for(app, acme, ada), await visitor_for(app, acme, eve)
        to_eve, to_ada = [f"{await place_of(acme, one)}/{way}" for one in (eve, ada)]
        forms = [await adas.get(to_eve), await eves.get(to_ada)]
        results = await asyncio.gather(
            adas.submit(forms[0], to_eve, role="viewer", follow=False),
            eves.submit(forms[1], to_ada, role="viewer", follow=False),
        )
        assert await Membership.of(acme).filter(role="owner").count() == 1
        done = [page for page in results if page.response.headers.get("Location") == "/team"]
        refused = [page for page in results if page not in done]
        assert len(done) == 1
        assert refused[0].status in (403, 422) or "/sign-in" in refused[0].response.headers["Location"]


async def test_two_owners_who_leave_together_do_not_leave_nobody(app: Quart, acme: Organization) -> None:
    owners = [await make_person(acme, f"{name}@acme.example") for name in ("ada", "eve")]
    browsers = [await visitor_for(app, acme, one) for one in owners]
    place = f"/organizations/{acme.id}/leave"
    forms = [await browser.get(place) for browser in browsers]
    results = await asyncio.gather(
        *(browser.submit(form, place, follow=False) for browser, form in zip(browsers, forms, strict=True))
    )
    assert sorted(page.status for page in results) == [303, 409]
    assert await Membership.of(acme).filter(role="owner").count() == 1


async def test_the_last_owner_stays(acme: Organization, owner: Visitor, viewer: Visitor) -> None:
    ada = await User.get(email="ada@acme.example")
    words = "Acme needs an owner. Make someone else an owner first."
    demoted = await owner.send_form(f"{await place_of(acme, ada)}/role", role="admin")
    assert demoted.status == 422
    assert words in demoted.text
    for path in (f"{await place_of(acme, ada)}/remove", f"/organizations/{acme.id}/leave"):
        page = await owner.send_form(path)
        assert page.status == 409, path
        assert words in page.text
    assert await role_of(acme, ada) == "owner"
    await give_role(owner, acme, await User.get(email="vera@acme.example"), "owner")
    assert (await leave(owner, acme)).title == "Sign in"
    assert await role_of(acme, ada) is None


async def test_who_leaves_goes_on_in_another_organization_of_theirs_or_is_signed_out(
    app: Quart, acme: Organization, rival: Organization
) -> None:
    ben = await make_person(acme, "ben@acme.example", Role.ADMIN)
    await make_key(acme, ben, "editor")
    await Membership.create(org=rival, user=ben, role=Role.VIEWER)
    bens, phone = await visitor_for(app, acme, ben), await visitor_for(app, acme, ben)
    asked = await bens.get(f"/organizations/{acme.id}/leave")
    assert "editor key" in asked.text
    page = await leave(bens, acme)
    assert (page.title, page.notes) == ("Dashboard", ["You left Acme."])
    assert await living(acme) == set()
    assert (await phone.get("/home")).title == "Sign in"
    page = await leave(bens, rival)
    assert (page.title, page.notes) == ("Sign in", ["You left Rival."])
    assert await Session.filter(user_id=ben.id).count() == 0


async def test_changes_of_the_team_are_in_the_audit_log(acme: Organization, owner: Visitor) -> None:
    ben = await make_person(acme, "ben@acme.example", Role.ADMIN)
    await make_key(acme, ben, "admin")
    await give_role(owner, acme, ben, "editor")
    await give_role(owner, acme, ben, "editor")  # changes nothing
    await owner.send_form(f"{await place_of(acme, await User.get(email='ada@acme.example'))}/remove")  # is refused
    await remove(owner, acme, ben)
    entries = await AuditEntry.of(acme).filter(action__startswith="member.").order_by("id")
    assert [(one.action, one.target) for one in entries] == [
        (f"member.{deed}", "ben@acme.example") for deed in ("changed", "removed")
    ]
    assert entries[0].details == {"role": ["admin", "editor"], "keys_revoked": 1}


async def test_a_person_of_several_organizations_looks_at_one_at_a_time(
    acme: Organization, rival: Organization, owner: Visitor
) -> None:
    assert not (await owner.get("/home")).soup.select(".orgs")
    ada = await User.get(email="ada@acme.example")
    await Membership.create(org=rival, user=ada, role=Role.VIEWER)
    before, stale = await owner.get("/home"), await owner.get("/api-keys/new")
    place = f"/organizations/{rival.id}/switch"
    page = await owner.submit(before, place)
    assert (page.path, page.title, page.notes) == ("/home", "Dashboard", ["Switched to Rival."])
    assert (await owner.get("/api-keys/new")).status == 403
    assert (await owner.submit(stale, name="x", role="sender")).status == 403  # made for the other organization
    assert (await owner.submit(page, f"/organizations/{acme.id}/switch")).title == "Dashboard"
