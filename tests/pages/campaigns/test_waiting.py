"""Mail that waits says for what: a daily limit, or an account that can't connect, is broken or paused."""

import re
from datetime import timedelta
from typing import Any

import pytest

from tests.factories import make_account, make_campaign, make_contact, make_mail, make_run, make_segment, make_template
from tests.pages.campaigns.test_campaigns import make_sent
from tests.pages.conftest import Page, Visitor
from webapp import clock
from webapp.models import Account, AccountUsage, CampaignRun, MailLog, Organization

ERROR = "127.0.0.1 didn't answer"
FAILING = {"failing_since": clock.now(), "rests": 1, "last_error": ERROR}


def text_of(page: Page, selector: str) -> str:
    return " ".join(" ".join(part.get_text(" ", strip=True) for part in page.soup.select(selector)).split())


async def use_up(account: Account, used: int, **fields: Any) -> None:
    await AccountUsage.create(account_id=account.id, day=clock.today("UTC"), used=used, **fields)


async def test_a_reached_limit_is_explained_wherever_its_mail_waits(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme, name="Newsletter", daily_mail_limit=3)
    campaign = await make_sent(acme, account, sent=3, pending=2, deferred=1)
    place = f"/campaigns/{campaign.id}"
    run = await CampaignRun.of(acme).get()
    assert "daily limit" not in (await owner.get(place)).text
    await use_up(account, 3)
    said = f"Newsletter reached its daily limit of 3. It sends again {clock.next_day('UTC'):%-d %b %Y, 00:00}"
    for path in (place, f"{place}/runs/{run.id}", f"{place}/runs/{run.id}/progress", "/home"):
        assert said in text_of(await owner.get(path), ".findings"), path
    row = await MailLog.of(acme).get(status="deferred")
    assert f"Waiting for {said}" in text_of(await owner.get(f"/mail-logs/{row.id}"), ".facts")
    assert text_of(await owner.get("/mail-logs?status=deferred"), ".cell-title .quiet") == "Daily limit reached"
    await Account.of(acme).update(daily_mail_limit=9)
    assert "daily limit of" not in (await owner.get(place)).text
    await AccountUsage.filter(account_id=account.id).update(is_full=True)
    assert "Newsletter can't send more today: its provider's limit is reached." in text_of(
        await owner.get(place), ".findings"
    )


@pytest.mark.parametrize(
    ("sent", "heading", "words"), [(0, "Waiting to send", "Waiting to send"), (1, "Sending now", "Sending")]
)
async def test_the_dashboard_names_a_run_that_waits_to_start_as_its_campaign_does(
    owner: Visitor, rival_owner: Visitor, acme: Organization, sent: int, heading: str, words: str
) -> None:
    account = await make_account(acme, daily_mail_limit=1)
    campaign = await make_sent(acme, account, pending=2, **({"sent": sent} if sent else {}))
    await use_up(account, 1)
    assert text_of(await owner.get(f"/campaigns/{campaign.id}"), "#newest") == heading
    assert re.split(r",|$", text_of(await owner.get("/home"), ".gauges li:has(.bar) .quiet"))[0] == words
    assert "In progress" not in (await rival_owner.get("/home")).text


async def test_a_mail_waits_for_no_account_while_another_of_its_run_sends(owner: Visitor, acme: Organization) -> None:
    full, free = await make_account(acme, name="Full", daily_mail_limit=3), await make_account(acme, name="Free")
    _, (row_id,) = await make_run(acme, [full, free], 1)
    await use_up(full, 3)
    assert "Waiting for" not in (await owner.get(f"/mail-logs/{row_id}")).text
    await use_up(free, free.daily_mail_limit)
    facts = text_of(await owner.get(f"/mail-logs/{row_id}"), ".facts")
    assert "Waiting for Full reached its daily limit" in facts
    assert "Free reached its daily limit" in facts


async def test_the_review_leaves_out_who_cannot_connect(owner: Visitor, acme: Organization) -> None:
    await make_account(acme, name="Harbour", daily_mail_limit=5_000, **FAILING)
    segment = await make_segment(acme, *[await make_contact(acme) for _ in range(4)])
    campaign = await make_campaign(acme, segment=segment, template=await make_template(acme))
    review = await owner.get(f"/campaigns/{campaign.id}/review")
    assert "No account can connect right now. Sending starts once one can" in text_of(review, ".findings .bad")
    assert "Send to 4 contacts" in review.text
    assert "Estimated finish" not in review.text
    await make_account(acme, name="Town", daily_mail_limit=3)
    review = await owner.get(f"/campaigns/{campaign.id}/review")
    said = f"“Harbour” can't connect, so the forecast leaves it out: {ERROR}."
    assert said in text_of(review, ".findings .warn")
    assert "Your daily limit is 3, so 1 will go out the next day" in text_of(review, ".findings")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (FAILING, f"Main can't connect: {ERROR}."),
        ({"status": "error", "last_error": "535 wrong password."}, "Main can't send: 535 wrong password."),
        ({"status": "paused"}, "Main is paused and sends nothing until you resume it."),
    ],
)
async def test_a_waiting_mail_names_what_its_account_lacks(
    owner: Visitor, acme: Organization, fields: dict[str, Any], said: str
) -> None:
    account = await make_account(acme, **fields)
    (row_id,) = await make_mail(acme, account)
    assert f"Waiting for {said}" in text_of(await owner.get(f"/mail-logs/{row_id}"), ".facts")
    assert said in text_of(await owner.get("/home"), ".concerns")
    await MailLog.of(acme).update(status="sent")
    assert "Waiting for" not in (await owner.get(f"/mail-logs/{row_id}")).text
    assert ("paused" in text_of(await owner.get("/home"), ".concerns")) is False


async def test_emails_that_are_retried_later_are_counted_with_the_answer_they_got(
    owner: Visitor, acme: Organization
) -> None:
    campaign = await make_sent(acme, await make_account(acme), sent=3, pending=3)
    later, place = clock.now() + timedelta(minutes=12, seconds=20), f"/campaigns/{campaign.id}"
    assert "to be retried" not in (await owner.get(place)).text
    row, *others = await MailLog.of(acme).filter(status="pending").order_by("id")
    await MailLog.filter(id=row.id).update(next_attempt_at=later, attempts=1, error="451 4.7.1 Try again later")
    assert "1 email waits to be retried, the next one in 12 minutes ." in text_of(await owner.get(place), "#details")
    ids = [one.id for one in others]
    await MailLog.filter(id__in=ids).update(next_attempt_at=later, attempts=1, error=f"450 <{row.to_email}> Greylisted")
    for path in (place, f"{place}/runs/{row.campaign_run_id}"):
        said = text_of(await owner.get(path), "#details")
        assert "3 emails wait to be retried, the next one in 12 minutes . Last answer: 450 … Greylisted" in said
