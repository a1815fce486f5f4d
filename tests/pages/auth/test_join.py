"""The page behind an invitation's link: what it offers to whom, and what it never does."""

import asyncio
from datetime import timedelta

import pytest
from quart import Quart

from tests.pages.conftest import PASSWORD, Page, Visitor, make_person, visitor_for
from tests.pages.organization.test_invitations import invite, link_on
from webapp import clock, crypto
from webapp.domain.roles import Role
from webapp.models import AuditEntry, Invitation, Membership, Organization, Session, User

EMAIL = "new@acme.example"


@pytest.fixture
async def link(owner: Visitor) -> str:
    """The path of an invitation to Acme, as a sender."""
    return link_on(await invite(owner))


async def known_person(*orgs: Organization) -> User:
    user = await User.create(email=EMAIL, password_hash=await crypto.hash_password(PASSWORD))
    for org in orgs:
        await Membership.create(org=org, user=user, role=Role.VIEWER)
    return user


async def role_of(org: Organization, email: str = EMAIL) -> str | None:
    member = await Membership.of(org).get_or_none(user__email=email)
    return member.role if member else None


async def join(visitor: Visitor, link: str, **fields: str) -> Page:
    return await visitor.submit(await visitor.get(link), link, **fields)


async def test_a_new_person_sets_a_password_and_is_in(
    stranger: Visitor, app: Quart, acme: Organization, rival: Organization, link: str
) -> None:
    page = await stranger.get(link)
    assert page.title == "Join Acme"
    assert "ada@acme.example invited new@acme.example to join Acme. Role: Sender." in page.text
    home = await stranger.submit(page, link, password=PASSWORD)
    assert (home.title, home.notes) == ("Dashboard", ["Welcome to Acme."])
    assert (await role_of(acme), await role_of(rival)) == ("sender", None)
    entry = await AuditEntry.of(acme).order_by("-id").first()
    assert (entry.actor, entry.action, entry.target) == (EMAIL, "member.joined", EMAIL)
    assert entry.details == {"role": "sender", "invited_by": "ada@acme.example"}
    elsewhere = Visitor(app)
    assert (await elsewhere.submit(await elsewhere.get("/sign-in"), email=EMAIL, password=PASSWORD)).path == "/home"


async def test_the_welcome_to_an_abbreviated_name_ends_in_one_dot(
    stranger: Visitor, acme: Organization, link: str
) -> None:
    await Organization.filter(id=acme.id).update(name="Lindenhof e.V.")
    assert (await join(stranger, link, password=PASSWORD)).notes == ["Welcome to Lindenhof e.V."]


async def test_opening_the_link_changes_nothing_and_tells_nobody(
    stranger: Visitor, acme: Organization, link: str
) -> None:
    for _ in range(3):
        page = await stranger.get(link)
        assert page.status == 200
    assert page.soup.select_one("meta[name=robots]")["content"] == "noindex"  # type: ignore[index]  # every page has it
    assert not [tag for tag in page.soup.select("[src], [href]") if "//" in str(tag.get("src") or tag.get("href"))]
    assert await Invitation.of(acme).count() == 1
    assert await User.filter(email=EMAIL).count() == 0


async def test_links_that_do_not_work_answer_alike(app: Quart, owner: Visitor, acme: Organization, link: str) -> None:
    replaced = link
    expired = link_on(await invite(owner))
    await Invitation.of(acme).update(expires_at=clock.now() - timedelta(seconds=1))
    revoked = link_on(await invite(owner, "other@acme.example"))
    await Invitation.of(acme).filter(email="other@acme.example").delete()
    used = link_on(await invite(owner, "third@acme.example"))
    await join(Visitor(app), used, password=PASSWORD)
    ann = await make_person(acme, "ann@acme.example", Role.ADMIN)
    void = link_on(await invite(await visitor_for(app, acme, ann), "fourth@acme.example"))
    await Membership.of(acme).filter(user_id=ann.id).delete()
    before = await Membership.of(acme).count()
    answers = []
    for path in (replaced, expired, revoked, used, void, "/join/" + "x" * 43, "/join/x", "/join/%00"):
        visitor = Visitor(app)
        opened = await visitor.get(path)
        form = {"csrf_token": visitor.cookie("door"), "password": PASSWORD}
        pages = [opened, await visitor.post(path, form=form)]
        answers += [(page.status, page.title, page.text) for page in pages]
    assert set(answers) == {answers[0]}
    assert answers[0][:2] == (404, "This link doesn't work")
    assert await Membership.of(acme).count() == before


async def test_who_is_signed_in_joins_with_one_button(
    app: Quart, acme: Organization, rival: Organization, link: str
) -> None:
    user = await known_person(rival)
    visitor = await visitor_for(app, rival, user)
    page = await visitor.get(link)
    assert not page.soup.select("input[type=password]")
    home = await visitor.submit(page, link)
    assert (home.title, home.notes) == ("Dashboard", ["Welcome to Acme."])
    assert (await role_of(acme), await role_of(rival)) == ("sender", "viewer")
    assert (await visitor.get(link)).status == 404


async def test_somebody_else_is_told_and_may_sign_out(acme: Organization, rival_owner: Visitor, link: str) -> None:
    page = await rival_owner.get(link)
    assert page.title == "This invitation is for someone else"
    sent = await rival_owner.post(link, form={"csrf_token": page.token, "password": PASSWORD})
    assert sent.title == "This invitation is for someone else"
    assert await role_of(acme, "rita@rival.example") is None
    out = await rival_owner.submit(page, "/sign-out")
    assert (out.path, out.title) == (link, "Join Acme")
    assert (await rival_owner.get("/home")).title == "Sign in"


async def test_an_address_with_an_account_signs_in_first_and_keeps_its_password(
    stranger: Visitor, acme: Organization, rival: Organization, link: str
) -> None:
    user = await known_person(rival)
    page = await stranger.get(link)
    assert not page.soup.select("input[type=password]")
    form = {"csrf_token": stranger.cookie("door"), "password": "another horse battery"}
    sent = await stranger.post(link, form=form)
    assert (sent.status, sent.path, await role_of(acme)) == (200, link, None)
    assert (await User.get(id=user.id)).password_hash == user.password_hash
    sign_in = await stranger.get(str(page.soup.select_one("main a.main-action")["href"]))  # type: ignore[index]  # it is there
    back = await stranger.submit(sign_in, email=EMAIL, password=PASSWORD)
    assert back.path == link
    assert (await stranger.submit(back, link)).title == "Dashboard"
    assert await role_of(acme) == "sender"


async def test_an_account_without_an_organization_comes_back_by_its_password(
    stranger: Visitor, acme: Organization, link: str
) -> None:
    user = await known_person()
    wrong = await join(stranger, link, current_password="not the password")
    assert (wrong.status, wrong.error_at("current_password")) == (422, "That's not your current password.")
    assert await role_of(acme) is None
    home = await join(stranger, link, current_password=PASSWORD)
    assert (home.title, home.notes) == ("Dashboard", ["Welcome to Acme."])
    assert await role_of(acme) == "sender"
    assert (await User.get(id=user.id)).password_hash == user.password_hash


async def test_guesses_of_that_password_are_counted_with_those_at_sign_in(stranger: Visitor, link: str) -> None:
    await known_person()
    for number in range(5):
        assert (await join(stranger, link, current_password=f"guess {number}")).status == 422
    page = await join(stranger, link, current_password=PASSWORD)
    assert page.status == 429
    assert "Too many attempts." in page.text


async def test_their_second_step_is_asked_for(
    stranger: Visitor, acme: Organization, rival: Organization, link: str
) -> None:
    user = await known_person(rival)
    await User.filter(id=user.id).update(totp_secret="sealed")
    await Membership.of(rival).delete()
    page = await join(stranger, link, current_password=PASSWORD)
    assert page.path.startswith("/sign-in/code")
    assert (await stranger.get("/home")).title == "Sign in"
    assert await Session.filter(user_id=user.id, org_id=acme.id).count() == 0


async def test_a_member_is_told_and_nothing_changes(app: Quart, acme: Organization, link: str) -> None:
    user = await known_person(acme)
    visitor = await visitor_for(app, acme, user)
    page = await visitor.get(link)
    assert page.title == "You're already in Acme"
    assert (await visitor.send_form(link)).title == "You're already in Acme"
    assert await role_of(acme) == "viewer"


async def test_of_two_who_join_at_once_one_does(app: Quart, acme: Organization, link: str) -> None:
    visitors = [Visitor(app), Visitor(app)]
    forms = [await visitor.get(link) for visitor in visitors]
    pages = await asyncio.gather(
        *(visitor.submit(form, link, password=PASSWORD) for visitor, form in zip(visitors, forms, strict=True))
    )
    assert sorted(page.title for page in pages) == ["Dashboard", "This link doesn't work"]
    assert await User.filter(email=EMAIL).count() == 1
    assert await Membership.of(acme).filter(user__email=EMAIL).count() == 1


async def test_an_inviter_who_is_demoted_meanwhile_gives_nothing(
    app: Quart, stranger: Visitor, owner: Visitor, acme: Organization
) -> None:
    ann = await make_person(acme, "ann@acme.example", Role.ADMIN)
    path = link_on(await invite(await visitor_for(app, acme, ann), role="admin"))
    form = await stranger.get(path)
    place = f"/team/members/{(await Membership.of(acme).get(user_id=ann.id)).id}/role"
    await owner.submit(await owner.get(place), place, role="viewer")
    assert (await owner.get("/team")).rows[-1][3] == "Invalid The inviter can't grant this role anymore"
    page = await stranger.submit(form, path, password=PASSWORD)
    assert (page.status, page.title) == (404, "This link doesn't work")
    assert await role_of(acme) is None
    assert await User.filter(email=EMAIL).count() == 0
