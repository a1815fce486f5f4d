"""Lists and files of who opened and clicked a campaign, conditions of segments on it, and follow-ups."""

import csv
import io
from datetime import timedelta
from typing import Any, NamedTuple

import pytest

from tests.factories import make_account, make_campaign, make_contact, make_run, make_segment, make_template
from tests.pages.campaigns.test_report import counted
from tests.pages.conftest import Page, Visitor
from webapp import clock
from webapp.domain.csv_writer import BOM
from webapp.domain.home.daily_chart import refresh_counts
from webapp.domain.tracking.judging import judge_hits
from webapp.models import (
    AuditEntry,
    Campaign,
    CampaignContact,
    CampaignRun,
    Contact,
    MailHit,
    MailLog,
    Organization,
    Segment,
    TrackedLink,
)

NAMES = ("ann", "ben", "cid", "dan", "eve", "fay", "gus")
PERSON = "Mozilla/5.0 (X11; Linux x86_64) Firefox/131.0"
APPLE, SCANNER = "Mozilla/5.0", "Barracuda Sentinel (EE)"
TRACKING = {"opens": True, "clicks": True}


class Sent(NamedTuple):
    campaign: Campaign
    run: CampaignRun
    rows: dict[str, MailLog]
    links: list[TrackedLink]

    async def hit(self, name: str, link: int | None = None, agent: str = PERSON, *, minutes: float = 10) -> None:
        row = self.rows[name]
        await MailHit.create(
            org_id=row.org_id,
            campaign_id=row.campaign_id,
            run_id=row.campaign_run_id,
            contact_id=row.contact_id,
            mail_log_id=row.id,
            link_id=None if link is None else self.links[link].id,
            agent=agent,
            network=name,
            created_at=clock.now() - timedelta(minutes=minutes),
        )

    @property
    def path(self) -> str:
        return f"/campaigns/{self.campaign.id}"


async def make_sent(org: Organization, **campaign: Any) -> Sent:
    """A tracked campaign that was sent to contacts with these names; gus is not to be tracked."""
    run, _ = await make_run(org, [await make_account(org)], len(NAMES))
    await CampaignRun.filter(id=run.id).update(status="completed", tracking=TRACKING, started_at=clock.now())
    made = await make_campaign(
        org, id=run.campaign_id, title="News", status="sent", last_run_at=clock.now(), tracking=TRACKING, **campaign
    )
    rows = await MailLog.of_run(run.id).order_by("id")
    for row, name in zip(rows, NAMES, strict=True):
        contact = await make_contact(org, f"{name}@example.org", first_name=name.title(), do_not_track=name == "gus")
        row.contact_id, row.to_email, row.status, row.sent_at = contact.id, contact.email, "sent", clock.now()
        await row.save()
        await CampaignContact.create(org=org, campaign_id=made.id, contact_id=contact.id)
    links = [
        await TrackedLink.create(org=org, content_id=run.content_id, number=number, url=f"https://x.example/{number}")
        for number in (0, 1)
    ]
    return Sent(made, run, dict(zip(NAMES, rows, strict=True)), links)


@pytest.fixture
async def sent(acme: Organization) -> Sent:
    """Ann opened and clicked, ben clicked; cid's was fetched by Apple, dan's by a scanner, and eve's just now."""
    segment, template = await make_segment(acme), await make_template(acme)
    sent = await make_sent(acme, segment=segment, template=template)
    await sent.hit("ann")
    await sent.hit("ann", 0, minutes=5)
    await sent.hit("ben", 1)
    await sent.hit("cid", agent=APPLE)
    await sent.hit("dan", agent=SCANNER)
    await judge_hits()
    await sent.hit("eve", minutes=0)
    return sent


def listed(page: Page) -> list[str]:
    return [link.get_text() for link in page.soup.select("tbody a.row-link")]


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("opens", ["ann"]),
        ("opens?certainty=maybe", ["cid"]),
        ("opens?certainty=waiting", ["eve"]),
        ("opens?certainty=machine", ["dan"]),
        ("opens?certainty=nonsense", ["ann"]),
        ("clicks", ["ann", "ben"]),
        ("clicks?link=https://x.example/1", ["ben"]),
        ("clicks?link=https://elsewhere.example", []),
    ],
)
async def test_the_lists_have_names_by_how_sure_it_is(viewer: Visitor, sent: Sent, path: str, names: list[str]) -> None:
    page = await viewer.get(f"{sent.path}/report/{path}")
    assert listed(page) == [f"{name}@example.org" for name in names]
    separator = "&" if "?" in path else "?"
    assert listed(await viewer.get(f"{sent.path}/report/{path}{separator}run={sent.run.id}")) == listed(page)


@pytest.mark.parametrize(("agent", "minutes"), [(PERSON, 10), (APPLE, 10), (SCANNER, 10), (PERSON, 0)])
async def test_the_report_leads_to_those_who_are_listed(
    viewer: Visitor, acme: Organization, agent: str, minutes: int
) -> None:
    sent = await make_sent(acme, segment=await make_segment(acme), template=await make_template(acme))
    await sent.hit("eve", agent=agent, minutes=minutes)
    await judge_hits()
    for report in (f"{sent.path}/report", f"{sent.path}/report?run={sent.run.id}"):
        page = await counted(viewer, report, "See who")
        (link,) = page.soup.find_all("a", string="See who")
        assert listed(await viewer.get(link["href"])) == ["eve@example.org"]


@pytest.mark.parametrize(("minutes", "words"), [(0, "2 minutes"), (0.5, "1 minute"), (30, "1 minute")])
async def test_the_minutes_until_all_is_checked_are_named(
    viewer: Visitor, rival: Organization, sent: Sent, minutes: float, words: str
) -> None:
    await MailHit.filter(mail_log_id=sent.rows["eve"].id).update(created_at=clock.now() - timedelta(minutes=minutes))
    await (await make_sent(rival)).hit("fay", minutes=0)
    for path in ("report", "report/opens?certainty=waiting"):
        await counted(viewer, f"{sent.path}/{path}", f", ready in {words}")


async def test_a_number_is_a_bound_until_it_is_checked(
    viewer: Visitor, acme: Organization, rival: Organization
) -> None:
    sent = await make_sent(acme)
    await (await make_sent(rival)).hit("fay")
    await judge_hits()
    await sent.hit("eve", minutes=0)
    page = await counted(viewer, f"{sent.path}/report", "Opened by at most 1 so far")
    assert "Of 1, these may be software: Checking, ready in 2 minutes 1 (100%)" in page.text
    assert "The first number counts people only" not in page.text  # there is one
    for kind, places in (("opens", "People, Maybe people or Software"), ("clicks", "People or Software")):
        waiting = await viewer.get(f"{sent.path}/report/{kind}?certainty=waiting")
        assert f"Then they move to {places}." in waiting.text


async def test_a_stranger_sees_nobody(owner: Visitor, acme: Organization, rival: Organization, sent: Sent) -> None:
    theirs = await make_sent(rival)
    await theirs.hit("fay")
    await judge_hits()
    for end in ("opens", "clicks.csv"):
        assert (await owner.get(f"{theirs.path}/report/{end}")).status == 404
        assert (await owner.get(f"{sent.path}/report/{end}?run={theirs.run.id}")).status == 404
    assert (await owner.send_form(f"{theirs.path}/follow-up")).status == 404
    await MailHit.of(acme).update(org_id=rival.id)  # cannot be, and shows no name
    for end in ("opens", "clicks"):
        assert listed(await owner.get(f"{sent.path}/report/{end}")) == []


async def test_the_file_has_everyone_with_hits_and_is_audited(viewer: Visitor, acme: Organization, sent: Sent) -> None:
    await Contact.filter(email="ben@example.org").delete()
    lines = {}
    for end in ("opens", "clicks"):
        answer = await viewer.get(f"{sent.path}/report/{end}.csv")
        assert answer.data.startswith(BOM)
        lines[end] = list(csv.DictReader(io.StringIO(answer.data.removeprefix(BOM).decode(), newline="")))
    assert {line["email"][:3]: line["certainty"] for line in lines["opens"]} == {
        "ann": "sure",
        "cid": "maybe",
        "dan": "machine",
        "eve": "waiting",
    }
    assert {(line["email"], line["name"]) for line in lines["clicks"]} == {
        ("ann@example.org", "Ann"),
        ("ben@example.org", ""),
    }
    assert await AuditEntry.of(acme).filter(target__in=["campaign opens", "campaign clicks"]).count() == 2


async def test_pages_of_a_contact_and_an_email_say_what_happened(viewer: Visitor, sent: Sent) -> None:
    signs = {"ann": "Clicked", "cid": "Maybe opened", "dan": "By software only", "eve": "Being checked"}
    for name, words in signs.items():
        page = await viewer.get(f"/contacts/{sent.rows[name].contact_id}")
        assert words in page.soup.select_one("section:has(#mail) tbody").get_text()
        assert ("Last active" in page.text) == (name == "ann")
        assert "News" in page.soup.select_one("section:has(#mail) tbody").get_text()
    page = await viewer.get(f"/mail-logs/{sent.rows['ann'].id}")
    hits = [" ".join(line.span.get_text(" ").split()) for line in page.soup.select("section:has(#hits) li")]
    assert hits == ["Clicked https://x.example/0 by a person", "Opened by a person"]


@pytest.mark.parametrize(
    ("tracking", "status", "words"),
    [
        ({"opens": True, "clicks": True}, "sent", "Not opened"),
        ({"opens": False, "clicks": True}, "sent", "Not clicked"),
        ({"opens": False, "clicks": False}, "sent", "Not tracked"),
        (None, "sent", "Not tracked"),
        ({"opens": True, "clicks": True}, "failed", "\N{EN DASH}"),
        (None, "pending", "\N{EN DASH}"),
    ],
)
async def test_a_contact_without_a_sign_is_said_not_to_have_opened_only_if_that_was_counted(
    viewer: Visitor, rival_owner: Visitor, sent: Sent, tracking: dict[str, bool] | None, status: str, words: str
) -> None:
    row = sent.rows["fay"]
    await CampaignRun.filter(id=sent.run.id).update(tracking=tracking)
    await MailLog.filter(id=row.id).update(status=status)
    page = await viewer.get(f"/contacts/{row.contact_id}")
    assert page.soup.select("section:has(#mail) tbody td")[2].get_text(strip=True) == words
    assert (await rival_owner.get(f"/contacts/{row.contact_id}")).status == 404


async def test_the_list_of_campaigns_and_the_dashboard_have_the_figures(
    viewer: Visitor, acme: Organization, sent: Sent
) -> None:
    page = await viewer.get("/campaigns")
    lines = [line.get_text() for line in page.soup.select("[data-label=Results] div.small")]
    assert lines == ["14% to 57% opened, 29% clicked"]
    report = f"/campaigns/{sent.campaign.id}/report"
    page = await viewer.get(f"/campaigns/{sent.campaign.id}")
    assert [link.get_text() for link in page.soup.select(f'p > a[href="{report}"]')] == lines
    await refresh_counts()
    page = await viewer.get("/home")
    assert "1 opened" in page.text
    assert "2 clicked" in page.text


async def test_opens_that_are_all_being_checked_are_an_upper_bound(viewer: Visitor, acme: Organization) -> None:
    fresh = await make_sent(acme)
    await fresh.hit("eve", minutes=0)
    page = await viewer.get("/campaigns")
    assert page.soup.select_one("[data-label=Results] div.small").get_text() == "at most 14% opened, 0% clicked"
    page = await counted(viewer, f"{fresh.path}/report")
    assert "Opened by at most 1 so far 14% of 7 sent" in page.text
    assert [part["aria-labelledby"] for part in page.soup.select(".stack > section")][:2] == ["engagement", "results"]


@pytest.mark.parametrize(
    ("op", "names"),
    [
        ("opened", {"ann"}),
        ("clicked", {"ann", "ben"}),
        ("not_opened", {"dan", "fay"}),  # cid and eve may have, ben clicked, and gus is not tracked
        ("not_clicked", {"cid", "dan", "eve", "fay"}),
    ],
)
async def test_segments_can_ask_who_opened(
    viewer: Visitor, rival: Organization, sent: Sent, op: str, names: set[str]
) -> None:
    stranger = await make_sent(rival)
    await stranger.hit("fay")
    await judge_hits()
    query = {"field-0": "campaign", "op-0": op, "value-0": str(sent.campaign.id)}
    page = await viewer.get("/contacts", query_string=query)
    assert {link.get_text()[:3].lower() for link in page.soup.select("tbody a.row-link")} == names


async def test_nothing_is_known_of_a_campaign_that_was_not_tracked(viewer: Visitor, sent: Sent) -> None:
    await CampaignRun.filter(id=sent.run.id).update(tracking={"opens": False, "clicks": True})
    for op, count in (("not_opened", 0), ("not_clicked", 4)):
        query = {"field-0": "campaign", "op-0": op, "value-0": str(sent.campaign.id)}
        assert len(listed(await viewer.get("/contacts", query_string=query))) == count


async def test_a_follow_up_is_a_draft_for_those_who_did_not_open(
    owner: Visitor, acme: Organization, sent: Sent
) -> None:
    for number in (1, 2):
        page = await owner.get(sent.path)
        page = await owner.submit(page, f"{sent.path}/follow-up")
        drafts = await Campaign.of(acme).filter(status="draft", schedule_type="manual").order_by("id")
        assert [draft.title for draft in drafts] == ["News (follow-up)", "News (follow-up 2)"][:number]
        (link,) = page.soup.select("#notes a")
        assert (link.text, link["href"]) == ("Change its subject", f"{page.path}#f-subject")
        assert not page.soup.select("[autofocus]")  # a phone would scroll to it, past the note
    (segment,) = await Segment.of(acme).filter(name="Did not open News")
    assert {draft.segment_id for draft in drafts} == {segment.id}
    members = await owner.get(f"/segments/{segment.id}")
    assert {name for name in NAMES if f"{name}@example.org" in members.text} == {"dan", "fay"}
