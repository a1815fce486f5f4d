"""The runs of campaigns: what became of their mail, and the events that tell it as it happens."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from quart import Quart
from quart.typing import TestHTTPConnectionProtocol as Connection
from uuid_utils.compat import uuid7

from tests.factories import copy_row, make_campaign, make_contact, make_segment
from tests.fakes.worker import eventually
from tests.pages.campaigns.test_campaigns import add_run, make_sent
from tests.pages.conftest import Visitor, make_person, visitor_for
from webapp import clock
from webapp.domain.campaigns.run_progress import REFRESH_EVERY, large_runs
from webapp.domain.campaigns.run_report import RETRIES_COUNTED
from webapp.domain.campaigns.runs import FEW, RunView, finish_runs, keep_counts, with_counts
from webapp.models import Account, Campaign, CampaignRun, Contact, MailLog, Membership, Organization, Session

WAIT_SECONDS = 20
EVENT = re.compile(r"^event: (?P<name>.*)\n(?P<data>(?:data:.*\n)*)\n", re.MULTILINE)


class Stream:
    """The events of an answer that goes on."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._text = connection, ""

    async def next(self) -> tuple[str, str]:
        """The name and the data of the next event; at the end "end"."""
        async with asyncio.timeout(WAIT_SECONDS):
            while (event := EVENT.search(self._text)) is None:
                received = await self._connection.receive()
                if not received:
                    return "end", ""
                self._text += received.decode()
        self._text = self._text[event.end() :]
        return event["name"], event["data"].replace("data: ", "").strip()

    async def names_left(self) -> set[str]:
        """The names of the events until the end."""
        names = set()
        while (event := await self.next())[0] != "end":
            names.add(event[0])
        return names


@asynccontextmanager
async def listen(visitor: Visitor, path: str) -> AsyncIterator[Stream]:
    connection = visitor.client.request(path, headers=visitor.headers)
    async with connection as opened:
        await opened.send_complete()
        yield Stream(opened)
        await opened.disconnect()


async def place_of(campaign: Campaign) -> str:
    run = await CampaignRun.filter(campaign_id=campaign.id).order_by("-id").first()
    return f"/campaigns/{campaign.id}/runs/{run.id}"


async def finish_all(account: Account) -> None:
    """Send what waits."""
    await MailLog.filter(status="pending").update(status="sent", account_id=account.id)
    await finish_runs()


async def test_events_tell_a_run_until_it_is_over(owner: Visitor, acme: Organization, account: Account) -> None:
    campaign = await make_sent(acme, account, sent=1, pending=3)
    async with listen(owner, f"{await place_of(campaign)}/events") as stream:
        name, data = await stream.next()
        assert (name, "25%" in data, "1 of 4" in data) == ("progress", True, True)
        assert await stream.next() == ("said", "20% done")
        await finish_all(account)
        name, data = await stream.next()
        assert (name, "100%" in data, "4 of 4" in data) == ("progress", True, True)
        assert await stream.next() == ("over", "")
        assert await stream.next() == ("end", "")


async def test_events_end_with_the_session_and_with_who_leaves(
    owner: Visitor, viewer: Visitor, app: Quart, acme: Organization, account: Account
) -> None:
    place = f"{await place_of(await make_sent(acme, account, pending=1))}/events"
    stays = await visitor_for(app, acme, await make_person(acme, "sam@acme.example"))
    async with listen(owner, place) as ended, listen(viewer, place) as left, listen(stays, place) as still:
        for stream in (ended, left, still):
            assert (await stream.next())[0] == "progress"
        await Session.filter(user__email="ada@acme.example").delete()
        await Membership.filter(user__email="vera@acme.example").delete()
        assert await ended.names_left() <= {"progress"}
        assert await left.names_left() <= {"progress"}
        await finish_all(account)
        assert "over" in await still.names_left()


async def test_events_end_at_once_with_the_service(
    owner: Visitor, app: Quart, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, pending=1)
    await app.startup()
    async with listen(owner, f"{await place_of(campaign)}/events") as stream:
        assert (await stream.next())[0] == "progress"
        began = asyncio.get_running_loop().time()
        app.shutdown_event.set()
        assert await stream.next() == ("end", "")
        assert asyncio.get_running_loop().time() - began < 1


async def test_where_no_events_come_the_progress_is_asked_for(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, sent=1, pending=1)
    place, htmx = await place_of(campaign), {"HX-Request": "true"}
    page = await owner.get(f"{place}/progress", headers=htmx)
    assert "50%" in page.text
    assert "HX-Retarget" not in page.response.headers
    await finish_all(account)
    async with asyncio.timeout(30):
        while "HX-Retarget" not in page.response.headers:
            await asyncio.sleep(0.2)
            page = await owner.get(f"{place}/progress", headers=htmx)
    assert page.response.headers["HX-Retarget"] == page.response.headers["HX-Reselect"] == "#campaign"
    assert "2 of 2" in page.soup.select("#campaign")[0].get_text()


async def test_failures_are_grouped_by_their_reason(owner: Visitor, acme: Organization, account: Account) -> None:
    campaign = await make_sent(acme, account, sent=1, failed=4)
    failed = await MailLog.filter(campaign_id=campaign.id, status="failed").order_by("id")
    for row in failed[:3]:
        await MailLog.filter(id=row.id).update(error=f"550 5.1.1 <{row.to_email}>: no such user ({row.id.hex[:12]})")
    place = await place_of(campaign)
    for path in (place, f"/campaigns/{campaign.id}"):
        page = await owner.get(path)
        groups = [group.get_text(" ", strip=True) for group in page.soup.select(".reasons summary")]
        assert groups == ["3 550 5.1.1 …: no such user (…)", "1 550 5.1.1 no such user"], path
        assert f"/mail-logs/{failed[0].id}" in str(page.soup)
        query = f"campaign_id={campaign.id}&campaign_run_id={place.rpartition('/')[2]}&status=failed"
        assert page.soup.select(f"a[href='/mail-logs?{query}']")


async def test_a_retry_names_the_count_and_is_made_once(owner: Visitor, acme: Organization, account: Account) -> None:
    segment = await make_segment(acme, await make_contact(acme))
    campaign = await make_campaign(acme, title="Sale", segment=segment)
    await add_run(acme, campaign, account, sent=1, failed=3)
    left = await MailLog.filter(campaign_id=campaign.id, status="failed").first()
    await Contact.filter(id=left.contact_id).update(status="unsubscribed")
    place = await place_of(campaign)
    asked = await owner.get(f"{place}/retry")
    assert "Retry “Sale” for 2 contacts?" in asked.text
    page = await owner.submit(asked, f"{place}/retry")
    assert page.notes[0] == "Retrying “Sale” for 2 contacts."
    await owner.submit(asked, f"{place}/retry")  # the other half of a double click
    assert await CampaignRun.filter(trigger="retry", retried_run_id=place.rpartition("/")[2]).count() == 1
    await CampaignRun.filter(campaign_id=campaign.id).update(status="completed")
    await Campaign.filter(id=campaign.id).update(status="sent")
    shown = await owner.get(place)
    assert "Retry 2 failed" not in shown.text
    retry = await CampaignRun.get(trigger="retry")
    assert shown.soup.select(f"a[href='/campaigns/{campaign.id}/runs/{retry.id}']")


async def test_a_retry_of_very_many_is_asked_for_without_a_count(
    owner: Visitor, rival_owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_campaign(acme, title="Sale", segment=await make_segment(acme, await make_contact(acme)))
    await add_run(acme, campaign, account, failed=2)
    row = await MailLog.filter(campaign_id=campaign.id).first()
    await copy_row(row, [uuid7() for _ in range(RETRIES_COUNTED)])
    place = await place_of(campaign)
    asked = await owner.get(f"{place}/retry")
    assert "Retry “Sale” for those who can still receive it?" in asked.text
    assert asked.soup.select_one("button[data-busy]").get_text() == "Retry failed emails"
    assert (await rival_owner.get(f"{place}/retry")).status == 404
    page = await owner.submit(asked, f"{place}/retry")
    assert page.notes[0] == "Retrying “Sale” for 2 contacts."  # copies have none


async def test_a_run_of_another_campaign_is_absent(owner: Visitor, acme: Organization, account: Account) -> None:
    first, second = await make_sent(acme, account, sent=1), await make_sent(acme, account, sent=1)
    run = (await place_of(first)).rpartition("/")[2]
    for part in ("", "/progress", "/events", "/retry", "/give-up"):
        assert (await owner.get(f"/campaigns/{second.id}/runs/{run}{part}")).status == 404


async def shows(visitor: Visitor, path: str, words: str) -> bool:
    return words in (await visitor.get(path)).text


async def test_a_run_of_very_many_rows_is_counted_behind_its_pages(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, sent=1, pending=1)
    run = await CampaignRun.of(acme).get(campaign_id=campaign.id)
    await copy_row(await MailLog.of(acme).get(status="sent"), [uuid7() for _ in range(FEW)])
    may_end = asyncio.Event()

    async def count() -> list[RunView]:
        await may_end.wait()
        return await with_counts([run])

    asked, place = asyncio.create_task(large_runs.get((run.id,), count)), f"/campaigns/{campaign.id}"
    await asyncio.sleep(0)
    pages = ("/campaigns", place, f"{place}/runs/{run.id}", f"{place}/runs/{run.id}/progress", "/home")
    for path in pages:
        page = await owner.get(path)
        assert (page.status, "of 10,00" in page.text) == (200, False), path
        assert "Counting" in page.text or path == "/home", path
    may_end.set()
    assert await asked is None
    for path in pages[:3]:
        page = await owner.get(path)
        assert ("Counting" in page.text, "of 10,002" in page.text) == (False, True), path
    await eventually(lambda: shows(owner, pages[3], "10,001 of 10,002"))
    await finish_all(account)
    await keep_counts()
    assert "10,002 of 10,002" in (await owner.get(pages[2])).text


async def test_a_run_whose_last_email_is_retried_counts_as_sent(
    owner: Visitor, rival_owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, "News", sent=2, pending=1)
    place = f"/campaigns/{campaign.id}"
    paths = ("/home", "/campaigns", place, f"{place}/report")
    for path in paths:
        assert "being retried" not in (await owner.get(path)).text
    now = clock.now()
    noon = now.replace(hour=12, minute=31)
    next_at = noon if noon > now else now + timedelta(days=1)
    rows = MailLog.of(acme).filter(status="pending")
    await rows.update(attempts=1, next_attempt_at=next_at, error="451 4.7.1 try later")
    await asyncio.sleep(REFRESH_EVERY)  # the dashboard asks no more often
    words = f"at {next_at:%H:%M}" if next_at.date() == now.date() else f"on {next_at:%-d %b} at {next_at:%H:%M}"
    for path in paths:
        page = await owner.get(path)
        assert re.search(f"Sent,? 1 being retried, next {words}", page.text), path
        assert "finishes" not in page.text
        assert "Sending" not in [badge.text for badge in page.soup.select(".badge")]
    assert "being retried" not in (await rival_owner.get("/campaigns")).text
    await rows.update(next_attempt_at=now - timedelta(seconds=1))  # it is its turn
    await asyncio.sleep(REFRESH_EVERY)
    for path in paths:
        assert "being retried" not in (await owner.get(path)).text
