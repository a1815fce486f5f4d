"""Emails on their pages: one line whoever it goes to, opened, cancelled."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.api.conftest import make_api
from tests.api.mails import send
from tests.apps import app_of
from tests.domain.tracking.test_hits import BOTH, PERSON
from tests.domain.tracking.test_tracked_emails import BOT, TARGET, age_and_judge, html
from tests.factories import make_account, make_mail, make_template, tag_email
from tests.pages.conftest import Visitor
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, Content, Email, MailHit, MailLog, Organization, TrackedLink

STATUSES = ("pending", "sending", "deferred", "halted", "sent", "failed")


@pytest.fixture
async def email(acme: Organization) -> list[UUID]:
    """An email to two, none of whom has it."""
    return await make_mail(acme, await make_account(acme), "ann@example.org", "bob@example.org")


async def found(visitor: Visitor, **asked: Any) -> list[str]:
    """The first recipients of the emails that a search finds."""
    page = await visitor.get("/emails", query_string={name: str(value) for name, value in asked.items()})
    assert page.status == 200, page.text
    return [row[1].split(" ")[0] for row in page.rows]


async def test_an_email_has_one_line(owner: Visitor, email: list[UUID]) -> None:
    page = await owner.get("/emails")
    assert [row[:4] for row in page.rows] == [["Hello", "ann@example.org and 1 more", "Main", "Pending"]]
    assert page.soup.find(id="emails")["hx-get"] == "/emails/list"


async def test_its_status_is_that_of_its_rows_and_filters(
    owner: Visitor, acme: Organization, email: list[UUID]
) -> None:
    (other,) = await make_mail(acme, await make_account(acme, name="Second"), "cy@example.com")
    await tag_email(other, kind="welcome")
    for first, second, status in (
        ("sent", "pending", "pending"),
        ("failed", "sending", "sending"),
        ("sent", "deferred", "deferred"),
        ("halted", "failed", "halted"),
        ("failed", "sent", "sent"),
        ("failed", "failed", "failed"),
    ):
        await MailLog.of(acme).filter(id=email[0]).update(status=first)
        await MailLog.of(acme).filter(id=email[1]).update(status=second)
        shown = [name for name in STATUSES if await found(owner, status=name, to="ann")]
        assert shown == [status]
    account = (await Email.of(acme).get(id=other)).account_id
    assert await found(owner, to="BOB@") == ["ann@example.org"]
    assert await found(owner, account_id=account) == await found(owner, tag="kind:welcome") == ["cy@example.com"]
    assert await found(owner, tag="kind", to="ann") == []
    assert await found(owner, until=clock.now().date() - timedelta(days=1)) == []
    assert (await owner.get("/emails?status=lost")).status == 400


async def test_an_email_shows_each_recipient_and_is_found_by_any_of_its_rows(
    owner: Visitor, acme: Organization, email: list[UUID]
) -> None:
    await MailLog.of(acme).filter(id=email[1]).update(status="failed", error="550 gone", recipient_type="bcc")
    for row_id in email:
        page = await owner.get(f"/emails/{row_id}")
        assert page.title == "Hello"
        assert [row[:3] for row in page.rows] == [
            ["ann@example.org", "To", "Pending"],
            ["bob@example.org 550 gone", "Bcc", "Failed"],
        ]
        assert page.soup.select_one("iframe")["src"] == f"/emails/{email[0]}/rendered"
    assert (await owner.get(f"/emails/{email[1]}/raw.eml")).status == 200


async def test_an_email_names_the_template_it_was_made_with(
    owner: Visitor, acme: Organization, rival: Organization, email: list[UUID]
) -> None:
    template, theirs = await make_template(acme, name="Receipt"), await make_template(rival, name="Secret")
    for template_id, words in ((template.id, "Template Receipt Received"), (theirs.id, "Template Deleted Received")):
        await Email.of(acme).filter(id=email[0]).update(template_id=template_id)
        assert words in (await owner.get(f"/emails/{email[0]}")).text


async def test_an_email_without_html_is_text(owner: Visitor, acme: Organization, email: list[UUID]) -> None:
    await Content.of(acme).update(html=None, text="<b>Hello</b>\nyou")
    page = await owner.get(f"/emails/{email[0]}")
    assert page.soup.select_one("#mail-text").text.strip() == "<b>Hello</b>\nyou"
    frame = await owner.get(f"/emails/{email[0]}/rendered")
    assert (frame.soup.select_one("b"), frame.soup.select_one("pre").text) == (None, "<b>Hello</b>\nyou")


async def test_what_waits_is_cancelled_after_a_question(owner: Visitor, acme: Organization, email: list[UUID]) -> None:
    place = f"/emails/{email[0]}"
    assert (await owner.get(place)).soup.select_one(f'a[href="{place}/cancel"]')
    page = await owner.get(f"{place}/cancel")
    assert "won't be sent to its 2 recipients. It stays in the list as Canceled" in page.text
    page = await owner.submit(page, f"{place}/cancel")
    assert page.notes == ["Email canceled. It won't be sent."]
    assert {row.status for row in await MailLog.of(acme)} == {"halted"}
    assert page.facts["Status"] == "Canceled"
    for listed in ("/emails", f"/mail-logs/{email[0]}", "/mail-logs"):
        shown = await owner.get(listed)
        assert "Canceled" in [badge.text for badge in shown.soup.select(".badge")]
        assert "Halted" not in shown.text
    assert not page.soup.select_one(f'a[href="{place}/cancel"]')
    late = await owner.get(f"{place}/cancel")  # from a page that is no longer true
    assert (late.path, late.notes) == (place, ["This email can no longer be canceled: it was already canceled."])
    again = await owner.post(f"{place}/cancel", form={"csrf_token": page.token})
    assert again.notes == ["Couldn't cancel: the email can no longer be canceled: it was already canceled."]


async def test_its_page_says_what_is_counted_and_who_did_it(
    owner: Visitor, account: Account, acme: Organization, settings: Settings
) -> None:
    api = await make_api(app_of(settings), acme)
    email_id = await send(api, html=html(), tracking=BOTH)
    link = await TrackedLink.of(acme).get()
    who = {"org": acme, "mail_log_id": email_id, "network": "x"}
    await MailHit.create(**who, link_id=link.id, agent=PERSON["User-Agent"])
    await MailHit.create(**who, agent="Mozilla/5.0")
    await MailHit.create(**who, agent=BOT["User-Agent"])
    await age_and_judge()
    page = await owner.get(f"/emails/{email_id}")
    assert "Tracking Opens and clicks" in page.text
    for line in (f"had a link clicked {TARGET}", "was opened by a machine", "was opened perhaps by a machine"):
        assert line in page.text
    preview = await owner.get(f"/emails/{email_id}/rendered")
    raw = await owner.get(f"/emails/{email_id}?view=raw")
    for shown in (preview.data.decode(), raw.soup.get_text()):
        assert "https://x.example/?a=1" in shown
        assert "/t/" not in shown
        assert "/o/" not in shown
