"""Forms come from our own pages, count once, and are refused politely."""

import asyncio
from dataclasses import replace

import pytest
from quart import Quart

from tests.factories import make_contact, make_segment
from tests.fakes.smtp_server import SmtpServer
from tests.pages.conftest import Visitor, visitor_for
from webapp import clock, config
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.api_requests.idempotency import ABANDONED, act_once
from webapp.errors import Conflict
from webapp.models import Account, ApiKey, Contact, IdempotencyKey, Organization, Template, User
from webapp.models.api_request import KeyedRequest


@pytest.fixture
def account(smtp_server: SmtpServer) -> dict[str, str]:
    """What is typed for an account whose server answers: one that does not is waited for."""
    server = {"smtp_host": "127.0.0.1", "smtp_port": str(smtp_server.port), "smtp_security": "none"}
    return {"name": "Relay", "daily_mail_limit": "5", **server}


async def token_of(visitor: Visitor) -> str:
    return (await visitor.get("/accounts")).token


@pytest.mark.parametrize(
    ("name", "opened_at"),
    [
        ("Origin", "http://mail.acme.example"),  # the cookies of https:// are not sent there
        ("Referer", "https://evil.example/sign-in"),
    ],
)
async def test_a_form_that_was_opened_at_another_address_links_to_the_right_one(
    settings: Settings, database: str, name: str, opened_at: str
) -> None:
    site = "https://mail.acme.example"
    found = replace(settings, base_url=site)
    config.configure(found)
    page = await Visitor(create_app(found)).post(
        "/sign-in", form={"csrf_token": "lost", "email": "a@b.example", "password": "x"}, headers={name: opened_at}
    )
    assert page.status == 403
    assert f"This site is at {site}." in page.text
    assert "has expired" not in page.text
    assert [str(link["href"]) for link in page.soup.select(".actions a")] == [site, "/home"]
    assert "evil.example" not in page.data.decode()


async def test_the_token_may_stand_in_the_header(owner: Visitor) -> None:
    page = await owner.post("/sign-out", form={"x": "y"}, headers={"X-CSRF-Token": await token_of(owner)})
    assert page.title == "Sign in"


async def test_a_sign_in_form_from_elsewhere_is_refused(stranger: Visitor) -> None:
    page = await stranger.post("/sign-in", form={"email": "a@b.example", "password": "x", "csrf_token": "made.up"})
    assert page.status == 403


async def test_a_form_of_ever_so_many_fields_is_refused(owner: Visitor) -> None:
    form = {"csrf_token": await token_of(owner)} | {f"field{number}": "x" for number in range(2_000)}
    assert (await owner.post("/accounts", form=form)).status == 413


async def test_a_form_that_is_read_beside_the_loop_says_what_was_typed(owner: Visitor) -> None:
    body = "<p>Grüße & Küsse <b>100 %</b> + mehr</p>\r\n" * 8_000
    form = {"csrf_token": await token_of(owner), "name": "Long", "subject": "", "body": body}
    await owner.post("/templates", form=form)
    assert (await Template.get(name="Long")).body.splitlines() == body.splitlines()


async def of_another_process(settings: Settings, visitor: Visitor) -> Visitor:
    """The same browser, whose next requests another process gets."""
    other = Visitor(create_app(settings))
    other.client.cookie_jar = visitor.client.cookie_jar
    return other


async def test_a_form_sent_to_two_processes_counts_once(
    owner: Visitor, acme: Organization, account: dict[str, str], settings: Settings
) -> None:
    form = await owner.get("/accounts/new")
    visitors = owner, await of_another_process(settings, owner)
    first, second = await asyncio.gather(*(one.submit(form, "/accounts", follow=False, **account) for one in visitors))
    assert first.status == second.status == 303
    assert first.response.headers["Location"] == second.response.headers["Location"]
    assert await Account.of(acme).filter(name="Relay").count() == 1


async def test_a_key_is_shown_whichever_process_is_asked_for_it_again(
    owner: Visitor, acme: Organization, settings: Settings
) -> None:
    form = await owner.get("/api-keys/new")
    other = await of_another_process(settings, owner)
    first, second = [await one.submit(form, follow=False, name="CI") for one in (owner, other)]
    assert first.response.headers["Location"] == second.response.headers["Location"]
    shown = await other.get(second.response.headers["Location"])
    assert "svc_live_" in shown.text
    assert await ApiKey.of(acme).filter(name="CI").count() == 1
    assert b"svc_live_" not in b"".join([bytes(one.body) for one in await IdempotencyKey.of(acme)])


async def test_the_form_of_one_session_is_no_other_ones(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization, account: dict[str, str]
) -> None:
    fields = account | {"form_id": "known to both"}
    for visitor in (owner, rival_owner):
        await visitor.submit(await visitor.get("/accounts/new"), "/accounts", **fields)
    assert [await Account.of(org).filter(name="Relay").count() for org in (acme, rival)] == [1, 1]


async def test_a_form_whose_process_died_is_refused_for_a_while(acme: Organization) -> None:
    asked = KeyedRequest(acme, "/accounts", "a form", "its content")

    async def act() -> str:
        return "/done"

    async def die() -> str:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await act_once(asked, die)
    with pytest.raises(Conflict, match="was submitted before"):
        await act_once(asked, act, wait_seconds=0)
    await IdempotencyKey.of(acme).update(created_at=clock.now() - ABANDONED)
    assert await act_once(asked, act) == "/done"
    assert await act_once(asked, die) == "/done"


async def test_a_form_sent_again_with_other_content_counts_too(
    owner: Visitor, acme: Organization, account: dict[str, str]
) -> None:
    form = await owner.get("/accounts/new")
    for name in ("First", "Second", "First"):
        await owner.submit(form, "/accounts", **account | {"name": name})
    assert sorted(await Account.of(acme).values_list("name", flat=True)) == ["First", "Second"]


async def test_a_refused_form_can_be_mended_and_sent_again(
    owner: Visitor, acme: Organization, account: dict[str, str]
) -> None:
    refused = await owner.submit(await owner.get("/accounts/new"), "/accounts", **account | {"smtp_port": "none"})
    assert (refused.status, refused.error_at("smtp_port")) == (422, "Enter a whole number.")
    await owner.submit(refused, "/accounts", smtp_port=account["smtp_port"])
    assert await Account.of(acme).filter(name="Relay").count() == 1


async def test_htmx_gets_the_form_alone(owner: Visitor) -> None:
    form = await owner.get("/accounts/new")
    page = await owner.post(
        "/accounts", form={"csrf_token": form.form("/accounts")["hx-post"]}, headers={"HX-Request": "true"}
    )
    assert page.status == 403
    token = form.token
    page = await owner.post("/accounts", form={"csrf_token": token, "name": ""}, headers={"HX-Request": "true"})
    assert page.status == 422
    assert page.soup.find("html") is None
    assert page.error_at("name") == "This field is required."


@pytest.mark.parametrize(
    "path", ["/segments?q=x", "/suppressions?q=x", "/segments/{id}/add?q=x", "/segments/new/dynamic"]
)
async def test_htmx_gets_whole_pages_to_go_back_to(owner: Visitor, acme: Organization, path: str) -> None:
    segment = await make_segment(acme, await make_contact(acme))
    address = path.format(id=segment.id)
    part = await owner.get(address, headers={"HX-Request": "true"})
    assert part.soup.find("nav") is None
    page = await owner.get(address, headers={"HX-Request": "true", "HX-History-Restore-Request": "true"})
    assert page.title
    assert page.soup.find("nav", {"aria-label": "Main"})


async def test_htmx_is_sent_to_sign_in_when_the_session_has_ended(stranger: Visitor) -> None:
    page = await stranger.get("/home/now", headers={"HX-Request": "true"})
    assert (page.status, page.response.headers["HX-Redirect"]) == (401, "/sign-in")


async def test_a_form_that_is_sent_after_the_session_has_ended_is_said_to_be_lost(
    stranger: Visitor, acme: Organization
) -> None:
    form, referer = {"email": "ada@example.org"}, {"Referer": "http://localhost/contacts/new"}
    page = await stranger.post("/contacts", form=form, headers=referer, follow=False)
    path = page.response.headers["Location"]
    assert path == "/sign-in?next=%2Fcontacts%2Fnew"
    assert (await stranger.get(path)).notes == ["You're signed out, so what you sent wasn't saved."]
    assert (await stranger.get(path)).notes == []
    assert await Contact.of(acme).count() == 0


async def test_htmx_stays_with_a_form_that_is_sent_after_the_session_has_ended(
    stranger: Visitor, acme: Organization
) -> None:
    page = await stranger.post("/contacts", form={"email": "ada@example.org"}, headers={"HX-Request": "true"})
    assert (page.status, page.data, "HX-Redirect" in page.response.headers) == (401, b"", False)
    assert (await stranger.get("/sign-in")).notes == []
    assert await Contact.of(acme).count() == 0


async def test_the_token_of_an_ended_session_opens_no_new_one(app: Quart, owner: Visitor, acme: Organization) -> None:
    token = (await owner.get("/contacts/new")).token
    again = await visitor_for(app, acme, await User.get(email="ada@acme.example"))
    form = {"email": "ada@example.org", "csrf_token": token}
    page = await again.post("/contacts", form=form, headers={"HX-Request": "true", "X-CSRF-Token": token})
    assert (page.status, await Contact.of(acme).count()) == (403, 0)
    renewed = {"X-CSRF-Token": (await again.get("/search")).token}
    page = await again.post("/contacts", form=form, headers={"HX-Request": "true", **renewed})
    assert (page.status, await Contact.of(acme).count()) == (204, 1)
