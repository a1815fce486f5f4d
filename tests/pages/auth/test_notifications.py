"""Each person chooses which emails they get, in each of their organizations."""

import pytest
from quart import Quart

from tests.pages.conftest import Page, Visitor, make_person, visitor_for
from webapp.domain.roles import Role
from webapp.models import Membership, Organization, User
from webapp.models.notification import NotificationKind

FORM = "/security/notifications"
ALL = [kind.value for kind in NotificationKind]


def checked(page: Page, org: Organization) -> list[str]:
    """The kinds that are ticked for an organization."""
    boxes = page.form(FORM).select(f"input[type=checkbox][value='{org.id}']")
    assert [box["name"] for box in boxes] == ALL
    return [str(box["name"]) for box in boxes if box.has_attr("checked")]


async def stored(org: Organization) -> list[str] | None:
    return (await Membership.of(org).get()).notify_about


@pytest.mark.parametrize("role", [Role.ADMIN, Role.EDITOR])
async def test_owners_and_admins_get_what_is_urgent_until_they_choose(
    app: Quart, acme: Organization, role: Role
) -> None:
    visitor = await visitor_for(app, acme, await make_person(acme, "ada@acme.example", role))
    urgent = ["halted", "account", "webhook", "form", "erased"] if role in (Role.OWNER, Role.ADMIN) else []
    assert checked(await visitor.get("/security"), acme) == urgent
    page = await visitor.submit(await visitor.get("/security"), FORM, finished=str(acme.id))
    assert (page.path, page.notes) == ("/security", ["Notifications saved."])
    assert checked(page, acme) == await stored(acme) == ["finished"]
    page = await visitor.submit(page, FORM)
    assert checked(page, acme) == await stored(acme) == []


@pytest.mark.parametrize("role", [Role.OWNER, Role.ADMIN])
@pytest.mark.parametrize("is_alone", [True, False])
async def test_the_owner_of_the_instance_reads_how_to_set_up_email(
    app: Quart, acme: Organization, role: Role, *, is_alone: bool
) -> None:
    if not is_alone:
        await Organization.create(name="Other", timezone="UTC", plan="free")
    page = await (await visitor_for(app, acme, await make_person(acme, "ada@acme.example", role))).get("/security")
    assert ("Set PENNYPOST_SMTP_URL and restart." in page.text) is (is_alone and role == Role.OWNER)
    assert ("Ask your administrator to set it up." in page.text) is not (is_alone and role == Role.OWNER)


async def test_the_choice_is_of_one_person_in_one_organization(
    owner: Visitor, acme: Organization, rival: Organization, rival_owner: Visitor
) -> None:
    other = await Organization.create(name="Other", timezone="UTC", plan="free")
    ada = await User.get(email="ada@acme.example")
    await Membership.create(org=other, user=ada, role=Role.VIEWER)
    page = await owner.get("/security")
    assert [legend.get_text() for legend in page.form(FORM).select("legend")] == ["Acme", "Other"]
    chosen = {kind: [other.id, rival.id] for kind in ALL}
    page = await owner.send_form(FORM, org=[acme.id, other.id, rival.id], **chosen)
    assert (checked(page, acme), checked(page, other)) == ([], ALL)
    assert await stored(rival) is None  # a stranger's
    assert checked(await rival_owner.get("/security"), rival) == ["halted", "account", "webhook", "form", "erased"]
    page = await owner.send_form(FORM, org=acme.id, halted=acme.id)
    assert (checked(page, acme), checked(page, other)) == (["halted"], ALL)
