"""Inviting people: the link, who may give which role, ten a day, and the mail."""

import asyncio
import re
from datetime import timedelta

import pytest
from quart import Quart

from tests.fakes.smtp_server import SmtpServer
from tests.pages.conftest import Page, Visitor, make_person, visitor_for
from tests.support.instance_mail import body_of, mailing_by, read
from webapp import clock, crypto
from webapp.config import Settings
from webapp.domain.roles import Role
from webapp.domain.team.invitations import forget_old_invitations
from webapp.models import AuditEntry, Invitation, Organization

NEW = "/team/invitations/new"
LINK = re.compile(r"https?://\S+/join/[\w-]{43}")


async def invite(visitor: Visitor, email: str = "new@acme.example", role: str = "sender") -> Page:
    return await visitor.submit(await visitor.get(NEW), "/team/invitations", email=email, role=role)


def link_on(page: Page) -> str:
    """The path that the page's link leads to."""
    (link,) = set(LINK.findall(str(page.soup)))
    return str(link[link.index("/join/") :])


async def test_the_link_is_shown_once_and_kept_as_a_hash(
    owner: Visitor, acme: Organization, settings: Settings
) -> None:
    page = await invite(owner, "\u200bNew@Acme.Example\ufeff")
    assert page.title == "Invitation link"
    (link,) = set(LINK.findall(str(page.soup)))
    assert link.startswith(f"{settings.base_url}/join/")
    kept = await Invitation.of(acme).get()
    assert (kept.email, kept.role) == ("new@acme.example", "sender")
    assert kept.token_hash == crypto.digest(link.rpartition("/")[2])
    assert timedelta(days=6, hours=23) < kept.expires_at - clock.now() <= timedelta(days=7)
    again = await owner.get(page.path)
    assert again.path == "/team"
    assert again.notes[0].startswith("Invitation links are shown only once")
    assert not LINK.search(str(again.soup))


async def test_the_team_sees_who_is_invited_and_may_take_it_back(
    owner: Visitor, viewer: Visitor, stranger: Visitor, acme: Organization
) -> None:
    link = link_on(await invite(owner))
    page = await owner.get("/team")
    invited = page.rows[-1]
    assert invited[:3] == ["new@acme.example", "Sender", "ada@acme.example"]
    assert invited[3].startswith("in 7 days")
    assert "new@acme.example" not in (await viewer.get("/team")).text
    place = f"/team/invitations/{(await Invitation.of(acme).get()).id}/revoke"
    asked = await owner.get(place)
    page = await owner.submit(asked, place)
    assert page.notes == ["Invitation for new@acme.example revoked. The link no longer works."]
    assert (await stranger.get(link)).status == 404
    deeds = await AuditEntry.of(acme).order_by("id").values_list("action", "target")
    assert deeds == [(f"member.{deed}", "new@acme.example") for deed in ("invited", "invitation_revoked")]


async def test_only_an_admin_is_reminded_of_their_own_role(app: Quart, owner: Visitor, acme: Organization) -> None:
    admin = await visitor_for(app, acme, await make_person(acme, "ann@acme.example", Role.ADMIN))
    for visitor, is_reminded in ((owner, False), (admin, True)):
        assert ("At most your own role." in (await visitor.get("/team/invitations/new")).text) == is_reminded


@pytest.mark.parametrize("giver", Role)
async def test_nobody_invites_above_their_own_role(app: Quart, acme: Organization, giver: Role) -> None:
    visitor = await visitor_for(app, acme, await make_person(acme, "ann@acme.example", giver))
    for role in Role:
        page = await visitor.send_form("/team/invitations", email=f"{role}@acme.example", role=role)
        may = giver in (Role.ADMIN, Role.OWNER) and giver.allows(role)
        assert await Invitation.of(acme).filter(email=f"{role}@acme.example").count() == int(may)
        assert page.status == (200 if may else 422 if giver is Role.ADMIN else 403), role


async def test_an_admin_does_not_touch_what_an_owner_gives(app: Quart, owner: Visitor, acme: Organization) -> None:
    await invite(owner, role="owner")
    admin = await visitor_for(app, acme, await make_person(acme, "ann@acme.example", Role.ADMIN))
    assert (await invite(admin, role="viewer")).status == 422
    kept = await Invitation.of(acme).get()
    assert kept.role == "owner"
    assert (await admin.get(f"/team/invitations/{kept.id}/revoke")).status == 403
    assert "new@acme.example" in (await admin.get("/team")).text
    assert not (await admin.get("/team")).soup.select("form[action='/team/invitations']")


async def test_what_is_wrong_stands_beside_its_field(owner: Visitor, acme: Organization) -> None:
    page = await invite(owner, "ADA@acme.example", "king")
    assert page.status == 422
    assert "Must be" in str(page.error_at("role"))
    page = await invite(owner, "ADA@acme.example")
    assert page.error_at("email") == "This person is already on the team."
    assert await Invitation.of(acme).count() == 0


async def test_the_eleventh_invitation_of_a_day_is_one_too_many(owner: Visitor, rival_owner: Visitor) -> None:
    """Also where the others were replaced or revoked: each may have been a mail."""
    for _ in range(10):
        assert (await invite(owner)).status == 200
    page = await invite(owner, "eleventh@acme.example")
    assert page.status == 429
    assert "You can send up to 10 invitations per day. Try again in 24 hours." in page.text
    assert 0 < int(page.response.headers["Retry-After"]) <= 24 * 3600
    assert (await invite(rival_owner)).status == 200


async def test_of_many_invitations_at_once_no_more_than_ten_are_made(owner: Visitor, acme: Organization) -> None:
    place, forms = "/team/invitations", [await owner.get(NEW) for _ in range(13)]
    tries = [owner.submit(form, place, email=f"n{n}@acme.example", follow=False) for n, form in enumerate(forms)]
    pages = await asyncio.gather(*tries)
    assert sorted(page.status for page in pages) == [303] * 10 + [429] * 3
    assert await Invitation.of(acme).count() == 10


async def test_the_link_is_mailed_without_anybodys_own_text(
    owner: Visitor, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings)
    await Organization.filter(id=acme.id).update(name="<b>Win</b> at http://evil.example/?a=1 \u202e now, " + "x" * 100)
    page = await invite(owner)
    assert page.notes == ["Invitation sent to new@acme.example."]
    (mail,) = smtp_server.messages
    assert mail.recipients == ["new@acme.example"]
    message = read(mail)
    text = body_of(message)
    assert text.splitlines()[0].startswith("b Win b at http evil example a 1 now xxx")
    assert "evil.example" not in body_of(message, "html")
    assert "<b>" not in body_of(message, "html")
    assert "xxxxxxx" not in text
    assert link_on(page) in text
    assert message["Subject"] == "You're invited to Pennypost"


async def test_the_mail_is_in_the_language_of_the_organization_and_in_our_words(
    owner: Visitor, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings)
    page = await owner.get("/organization/brand")
    await owner.submit(page, "/organization/brand", language="de")
    page = await invite(owner)
    message = read(smtp_server.messages[0])
    assert message["Subject"] == "Einladung zu Pennypost"
    assert body_of(message).startswith(f"Acme lädt Sie auf {settings.base_url} in das Team ein.")
    assert link_on(page) in body_of(message)
    assert '<div lang="de" dir="ltr">' in body_of(message, "html")


async def test_a_link_that_cannot_be_mailed_is_handed_over(
    owner: Visitor, settings: Settings, smtp_server: SmtpServer, stranger: Visitor
) -> None:
    mailing_by(smtp_server, settings)
    smtp_server.refuse("new@acme.example", "550 no such user")
    page = await invite(owner)
    assert page.title == "Invitation link"
    assert page.notes[0].startswith("Couldn't email the invitation to new@acme.example: ")
    assert "no such user" in page.notes[0]
    assert (await stranger.get(link_on(page))).status == 200


async def test_old_invitations_are_pruned(owner: Visitor, acme: Organization) -> None:
    await invite(owner)
    await invite(owner, "late@acme.example")
    await Invitation.of(acme).filter(email="late@acme.example").update(expires_at=clock.now() - timedelta(seconds=1))
    assert "late@acme.example" not in (await owner.get("/team")).text
    assert await forget_old_invitations() == 1
    assert [one.email for one in await Invitation.of(acme)] == ["new@acme.example"]
