"""The home page: today in figures, and the first steps."""

from datetime import timedelta

from tests.factories import make_account, make_mail
from tests.pages.conftest import Page, Visitor
from webapp import clock
from webapp.domain.accounts import sandbox_account
from webapp.domain.api_keys import NewKey, issue_key
from webapp.models import MailLog, Organization


def figures(page: Page) -> dict[str, str]:
    return {tile.span.get_text(strip=True): tile.b.get_text(strip=True) for tile in page.soup.select(".strip a")}


def steps(page: Page) -> dict[str, bool]:
    return {step.b.get_text(strip=True): "done" in step.get("class", []) for step in page.soup.select(".steps li")}


async def test_a_new_organization_sees_what_to_do(owner: Visitor, acme: Organization) -> None:
    await sandbox_account(acme)
    page = await owner.get("/home")
    assert figures(page) == {"Sent today": "0", "Failed today": "0", "Waiting": "0", "Deferred": "0"}
    assert steps(page) == {"Make an API key": False, "Send a mail": False, "Connect an account": False}
    assert "No mail yet" in page.text


async def test_the_steps_tick_themselves(owner: Visitor, acme: Organization) -> None:
    await issue_key(acme, NewKey(name="x", role="sender"))
    account = await sandbox_account(acme)
    assert steps(await owner.get("/home"))["Make an API key"]
    await make_mail(acme, account)
    assert steps(await owner.get("/home"))["Send a mail"]
    await make_account(acme)
    assert steps(await owner.get("/home")) == {}


async def test_todays_mail_is_counted_by_what_became_of_it(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    account = await make_account(acme)
    ids = await make_mail(acme, account, *[f"r{number}@example.org" for number in range(6)])
    now = clock.now()
    await MailLog.of(acme).filter(id__in=ids[:2]).update(status="sent", sent_at=now)
    await MailLog.of(acme).filter(id=ids[2]).update(status="sent", sent_at=now - timedelta(days=2))
    await MailLog.of(acme).filter(id=ids[3]).update(status="failed", error="550 no")
    await MailLog.of(acme).filter(id=ids[4]).update(status="deferred")
    await make_mail(rival, await make_account(rival))
    page = await owner.get("/home")
    assert figures(page) == {"Sent today": "2", "Failed today": "1", "Waiting": "1", "Deferred": "1"}
    assert len(page.rows) == 6


async def test_the_open_page_asks_for_its_moving_part(owner: Visitor) -> None:
    page = await owner.get("/home")
    part = page.soup.find(id="now")
    assert (part["hx-get"], part["hx-trigger"]) == ("/home/now", "every 5s")
    fragment = await owner.get("/home/now")
    assert fragment.soup.find("html") is None
    assert fragment.soup.find(id="now") is not None


async def test_the_navigation_marks_where_one_is_and_leads_only_to_pages(owner: Visitor) -> None:
    page = await owner.get("/home")
    links = page.soup.select(".side .nav a")
    assert [link.get_text(strip=True) for link in links if link.get("aria-current") == "page"] == ["Home"]
    for link in links:
        assert (await owner.get(link["href"])).status == 200
