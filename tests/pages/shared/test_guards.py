"""Strangers see nothing, and who may only look changes nothing."""

import re
from uuid import uuid4

import pytest
from quart import Quart

from tests.factories import (
    make_account,
    make_api_request,
    make_bulk_change,
    make_campaign,
    make_contact,
    make_import,
    make_invitation,
    make_mail,
    make_media,
    make_run,
    make_segment,
    make_suppression,
    make_template,
    make_version,
    make_webhook,
    make_webhook_attempt,
)
from tests.pages.conftest import Page, Visitor
from tests.routes import GUARDED, PUBLIC, Route, lines_of, routes_of
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.roles import Action, Role
from webapp.domain.sandbox.sandbox import store_mail
from webapp.models import ApiKey, CampaignRun, Event, Membership, Organization, User
from webapp.models.row import TableModel
from webapp.pages import PAGES

NAMES = {page.blueprint.name for page in PAGES}


def page_rules(app: Quart) -> list[tuple[str, str]]:
    """Method and path of every page that is for those who are signed in."""
    return [
        (route.method, route.path)
        for route in routes_of(app)
        if route.endpoint.partition(".")[0] in NAMES and str(route) not in lines_of(PUBLIC)
    ]


def test_no_page_changes_anything_by_get(app: Quart) -> None:
    assert {
        (rule.methods or set()) - {"GET", "HEAD", "OPTIONS", "POST"} == set()
        for rule in app.url_map.iter_rules()
        if rule.endpoint.partition(".")[0] in NAMES
    } == {True}


async def test_a_stranger_is_sent_to_sign_in_from_everywhere(stranger: Visitor, app: Quart) -> None:
    for method, rule in page_rules(app):
        path = re.sub(r"<int[^>]*>", "1", re.sub(r"<uuid:\w+>", str(uuid4()), rule))
        page = await stranger.send(method, path, follow=False, form={"x": "y"} if method == "POST" else None)
        assert page.status == 303, (method, rule)
        assert page.response.headers["Location"].startswith("/sign-in?next="), (method, rule)


@pytest.fixture
async def ours(acme: Organization) -> dict[str, str]:
    """A row of each kind in our organization, by the name that the paths give its id."""
    account = await make_account(acme)
    (row, *_) = await make_mail(acme, account)
    issued = await issue_key(acme, NewKey(name="shop", role="sender"))
    mail = await store_mail(acme.id, "a@acme.example", ["b@acme.example"], b"Subject: x\r\n\r\nhi\r\n")
    member = await Membership.create(
        org=acme, user=await User.create(email="mo@acme.example", password_hash="!"), role=Role.VIEWER
    )
    rows: dict[str, TableModel] = {"account": account, "key": issued.key, "mail": mail, "member": member, "org": acme}
    rows["invitation"] = await make_invitation(acme)
    rows["contact"], rows["import"] = contact, _ = await make_contact(acme), await make_import(acme)
    rows["request"], rows["change"] = await make_api_request(acme), await make_bulk_change(acme)
    rows["event"] = event = await Event.create(org=acme, type="webhook.test", data={})
    rows["webhook"] = webhook = await make_webhook(acme)
    rows["attempt"] = await make_webhook_attempt(webhook, event.id)
    rows["segment"] = await make_segment(acme, contact)
    rows["media"] = await make_media(acme)
    rows["suppression"] = await make_suppression(acme, "gone@example.org")
    rows["template"] = template = await make_template(acme)
    rows["version"] = await make_version(template)
    rows["campaign"] = campaign = await make_campaign(acme, segment=rows["segment"], template=template)
    rows["run"], _ = await make_run(acme, [account], 1)
    await CampaignRun.filter(id=rows["run"].id).update(campaign_id=campaign.id)
    return {f"{name}_id": str(one.id) for name, one in rows.items()} | {"row_id": str(row), "email_id": str(row)}


def filled(rule: str, ids: dict[str, str]) -> str:
    """The path with these ids in it."""
    return re.sub(r"<uuid:(\w+)>", lambda named: ids[named[1]], re.sub(r"<int[^>]*>", "1", rule))


async def test_another_organizations_rows_are_absent(rival_owner: Visitor, app: Quart, ours: dict[str, str]) -> None:
    token = (await rival_owner.get("/accounts")).token
    checked = 0
    for method, rule in page_rules(app):
        named = re.search(r"<uuid:(\w+)>", rule)
        if named is None:
            continue
        answers = []
        for row_id in (ours[named[1]], str(uuid4()), "not-an-id"):
            path = filled(rule, ours | {named[1]: row_id})
            form = {"csrf_token": token, "name": "mine"} if method == "POST" else None
            page = await rival_owner.send(method, path, follow=False, form=form)
            answers.append((page.status, re.sub(rb"[0-9a-f]{32}|[\w-]{43}\S*", b"", page.data)))
        assert answers == [answers[0]] * 3, (method, rule)
        assert answers[0][0] == 404, (method, rule)
        checked += 1
    assert checked >= 15
    assert (await ApiKey.across_orgs().get(id=ours["key_id"])).revoked_at is None


async def test_the_lists_of_another_organization_show_nothing_of_ours(
    rival_owner: Visitor, ours: dict[str, str]
) -> None:
    for path in (
        "/home",
        "/accounts",
        "/contacts",
        "/imports",
        "/api-keys",
        "/campaigns",
        "/mail-logs",
        "/emails",
        "/sandbox",
        "/templates",
        "/media",
        "/security",
        "/team",
        "/segments",
        "/requests",
        "/events",
        "/webhooks",
        "/audit",
        "/usage",
        "/suppressions",
        "/contacts/export.csv",
        "/emails/export.csv",
        "/mail-logs/export.csv",
        "/suppressions/export.csv",
    ):
        page = await rival_owner.get(path)
        assert page.status == 200
        shown = page.data.decode()
        assert not any(row_id in shown for row_id in ours.values()), path


async def test_a_viewer_looks_and_changes_nothing_but_their_own(
    viewer: Visitor, app: Quart, ours: dict[str, str]
) -> None:
    token = (await viewer.get("/accounts")).token
    for method, rule in page_rules(app):
        if method == "POST" and str(Route(method, rule, "")) not in lines_of(GUARDED[Action.ONESELF]):
            page = await viewer.send(method, filled(rule, ours), follow=False, form={"csrf_token": token})
            assert page.status == 403, rule
            assert re.search(r"ou need the (sender|editor|admin|owner) role \(yours is viewer\)", page.data.decode()), (
                rule
            )


def places(page: Page) -> list[str]:
    return [link["href"] for link in page.soup.select("nav.nav a")]


async def test_what_is_absent_is_said_inside_the_frame(
    owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    template = await make_template(acme, name="Spring")
    usual = places(await owner.get("/templates"))
    for path in ("/nothing", f"/templates/{uuid4()}", "/templates/nothing/here"):
        page = await owner.get(path)
        assert (page.status, page.title, places(page)) == (404, "Page not found", usual), path
        assert "ada@acme.example" in page.text
    theirs = await rival_owner.get(f"/templates/{template.id}")
    assert (theirs.status, bool(places(theirs))) == (404, True)
    assert "rita@rival.example" in theirs.text
    assert "Acme" not in theirs.text
    assert "Spring" not in theirs.text


async def test_what_a_role_may_not_is_said_inside_the_frame(viewer: Visitor) -> None:
    page = await viewer.get("/audit")
    assert (page.status, page.title) == (403, "No access")
    assert places(page) == places(await viewer.get("/home"))
    assert "/audit" not in places(page)
    assert "Ask an owner to change your role in Team." in page.text
