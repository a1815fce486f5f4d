"""A campaign is made step by step, and sent from its review."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from tests.pages.conftest import Page, Visitor
from tests.plans import use_plans
from webapp import clock, config
from webapp.config import Settings
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.campaigns.overview import SEGMENTS
from webapp.models import Account, Campaign, CampaignRun, CampaignRunAccount, MailLog, Organization, Segment, Template

HTML = '<p>Hello {{ first_name }} of {{ town }}, <a href="{{ unsubscribe_url }}">leave</a></p>'


@pytest.fixture
async def segment(acme: Organization) -> Segment:
    """Three readers, of whom two have a town, and one who has left."""
    towns = ({"town": "Rome"}, {"town": "Oslo"}, {"town": ""})
    members = [await make_contact(acme, first_name="Ann", custom_fields=fields) for fields in towns]
    return await make_segment(acme, *members, await make_contact(acme, status="unsubscribed"))


@pytest.fixture
async def template(acme: Organization) -> Template:
    return await make_template(acme, subject="News for {{ first_name }}", body=HTML)


@pytest.fixture
async def campaign(acme: Organization, account: Account, segment: Segment, template: Template) -> Campaign:
    """A draft with all it needs."""
    return await make_campaign(acme, segment=segment, template=template)


def findings(page: Page) -> str:
    return " ".join(item.get_text(" ", strip=True) for item in page.soup.select(".findings li"))


async def test_any_of_many_segments_is_found_by_its_name(
    owner: Visitor, rival: Organization, acme: Organization, segment: Segment, campaign: Campaign
) -> None:
    rows = [{"name": f"Group {number}", "name_key": f"group {number}"} for number in range(SEGMENTS)]
    await make_segment(rival, name="Zebras of others")
    wanted = await make_segment(acme, name="ZEBRAS & Co.")
    assert not (await owner.get("/campaigns/new")).soup.select("main [role=search]")
    await Segment.bulk_create([Segment(org=acme, **row) for row in rows])
    place = f"/campaigns/{campaign.id}/audience"
    page = await owner.get(place)
    assert str(wanted.id) not in str(page.soup.select("#f-segment_id"))
    assert page.soup.select(f"[role=search] [name=q][hx-get='{place}']")
    page = await owner.get(f"{place}?q=zebras")
    names = [option.get_text().partition(" (")[0] for option in page.soup.select("#f-segment_id option[value]")]
    assert names[-2:] == [segment.name, "ZEBRAS & Co."]  # what is chosen stays


async def test_the_chosen_template_is_the_first_one_offered(
    owner: Visitor, acme: Organization, campaign: Campaign, template: Template
) -> None:
    newer = [await make_template(acme, name=name) for name in ("Summer", "Autumn")]
    page = await owner.get(f"/campaigns/{campaign.id}/content")
    offered = [option["value"] for option in page.soup.select("[name=template_id]")]
    assert offered == [str(row.id) for row in (template, *reversed(newer))]


async def test_the_only_template_is_preselected(
    owner: Visitor, acme: Organization, rival: Organization, campaign: Campaign, template: Template
) -> None:
    await make_template(rival)
    await Campaign.of(acme).update(template_id=None)
    place = f"/campaigns/{campaign.id}/content"
    for path, checked in ((place, [str(template.id)]), (f"{place}?q={template.name}", [])):
        page = await owner.get(path)
        assert [option["value"] for option in page.soup.select("[name=template_id][checked]")] == checked
        assert len(page.soup.select("#look iframe")) == len(checked)
    await make_template(acme)
    assert not (await owner.get(place)).soup.select("[name=template_id][checked]")
    await campaign.refresh_from_db()
    assert campaign.template_id is None


async def test_content_without_a_template_leads_to_the_templates(
    owner: Visitor, acme: Organization, campaign: Campaign
) -> None:
    await Campaign.of(acme).update(template_id=None)
    place = f"/campaigns/{campaign.id}/content"
    page = await owner.send_form(place, subject="News")
    assert page.error_at("template_id") == "Select a template."
    first = page.soup.select("[name=template_id]")[0]
    assert (first["aria-describedby"], "autofocus" in first.attrs) == ("f-template_id-error", True)


async def test_a_campaign_is_made_step_by_step(
    owner: Visitor, account: Account, segment: Segment, template: Template
) -> None:
    page = await owner.get(f"/campaigns/new?segment={segment.id}")
    page = await owner.submit(page, "/campaigns", title="Spring news", description="For all")
    made = await Campaign.get()
    place = f"/campaigns/{made.id}"
    assert (page.path, made.segment_id, made.status) == (f"{place}/content", segment.id, "draft")
    looked_at = await owner.get(f"{place}/content?template_id={template.id}")
    assert "News for Ann" in looked_at.text
    assert looked_at.soup.select_one("#f-subject")["placeholder"] == template.subject
    assert not looked_at.soup.select_one("#f-subject")["value"]
    frame = await owner.get(looked_at.soup.select("iframe")[0]["src"])
    assert "Hello Ann of Rome" in frame.text
    page = await owner.submit(page, f"{place}/content", template_id=str(template.id))
    assert page.path == f"{place}/review"
    assert page.soup.select(f'a[href="{place}/senders"]')
    page = await owner.get(f"{place}/senders")
    page = await owner.submit(page, f"{place}/senders", which="named", account_id=str(account.id))
    assert page.path == f"{place}/review"
    page = await owner.submit(await owner.get(f"{place}/schedule"), f"{place}/schedule", schedule_type="manual")
    assert page.path == f"{place}/review"
    assert "1 contact has no value for “town”, so {{ town }} will be blank" in findings(page)
    assert "Estimated finish : " in findings(page)
    page = await owner.submit(await owner.get(f"{place}/send"), f"{place}/send")
    assert page.path == place
    assert page.notes[0] == "Sending “Spring news” to 3 contacts."
    run = await CampaignRun.get()
    assert (run.trigger, await MailLog.filter(campaign_run_id=run.id).count()) == ("dashboard", 3)
    assert (await CampaignRunAccount.get()).account_id == account.id


def steps_of(page: Page) -> dict[str, str]:
    """The values of the buttons that lead to other steps, with what they show."""
    buttons = page.soup.select(f".stepper li button[form={page.form()['id']}]")
    return {str(button["value"]): button.get_text(" ", strip=True) for button in buttons}


async def test_going_to_another_step_saves_the_form(
    owner: Visitor, rival_owner: Visitor, acme: Organization, campaign: Campaign, template: Template
) -> None:
    await Campaign.of(acme).update(template_id=None)
    place = f"/campaigns/{campaign.id}"
    page = await owner.get(f"{place}/content")
    content, chosen = f"form[action='{place}/content']", {"template_id": str(template.id)}
    assert page.soup.select_one(content)["id"] == page.soup.select_one(".stepper li button")["form"] == "step"
    assert not page.soup.select(".stepper a")
    assert page.soup.select_one(".stepper [aria-current]").get_text(" ", strip=True) == "2. Content"  # none is saved
    back = await owner.submit(page, f"{place}/content", template_id="", subject="Draft", then="audience")
    assert back.path == f"{place}/audience"  # without a template yet
    page = await owner.get(f"{place}/content")
    assert page.soup.select_one("#f-subject")["value"] == "Draft"
    assert (await owner.submit(page, f"{place}/content", template_id="", then="review")).status == 422
    wrong = await owner.submit(page, f"{place}/content", **chosen, subject="Hi", reply_to="nobody", then="review")
    assert (wrong.status, wrong.error_at("reply_to") is not None) == (422, True)
    assert wrong.soup.select_one("#f-subject")["value"] == "Hi"
    page = await owner.submit(page, f"{place}/content", **chosen, subject="Hi", then="audience")
    assert page.path == f"{place}/audience"
    assert steps_of(page) == {"content": f"2. Content {template.name}", "review": "3. Review"}
    page = await owner.submit(page, f"{place}/audience", title="Hello", then="review")
    assert page.path == f"{place}/review"
    await campaign.refresh_from_db()
    assert (campaign.title, campaign.subject, campaign.template_id) == ("Hello", "Hi", template.id)
    at = clock.now() + timedelta(days=3)
    armed = {"schedule_type": "scheduled_once", "scheduled_at": at, "anchor_at": at, "next_run_at": at}
    await Campaign.filter(id=campaign.id).update(status="scheduled", **armed)
    page = await owner.submit(await owner.get(f"{place}/content"), f"{place}/content", subject="Hey", then="audience")
    assert (page.path, page.notes) == (f"{place}/audience", ["Content saved."])
    assert (await rival_owner.send_form(f"{place}/content", **chosen, then="review")).status == 404


async def test_a_new_campaign_has_no_other_step_yet(owner: Visitor, segment: Segment) -> None:
    page = await owner.get("/campaigns/new")
    assert [step.name for step in page.soup.select(".stepper li > *")] == ["span"] * 3


async def test_the_sandbox_sends_while_there_is_no_other_account(
    owner: Visitor, rival: Organization, acme: Organization, segment: Segment, template: Template
) -> None:
    await make_account(rival)
    sandbox = await sandbox_account(acme)
    campaign = await make_campaign(acme, segment=segment, template=template)
    place, warning = f"/campaigns/{campaign.id}", "This goes to the sandbox only; nobody receives it."
    for part in ("", "/senders", "/review", "/send"):
        page = await owner.get(f"{place}{part}")
        assert "Sandbox (nobody receives it)" in page.soup.select_one("#content").get_text()
        assert "All active accounts" not in page.text
    page = await owner.get(f"{place}/review")
    assert warning in findings(page)
    page = await owner.submit(page, f"{place}/test", to="ada@acme.example")
    assert page.notes == ["Test sent to the sandbox only; nobody receives it. Open the test inbox"]
    asked = await owner.get(f"{place}/send")
    assert warning in asked.text
    page = await owner.submit(asked, f"{place}/send")
    assert page.notes == [f"Sending “{campaign.title}” to 3 contacts."]
    assert (await CampaignRunAccount.get()).account_id == sandbox.id
    await Campaign.filter(id=campaign.id).update(schedule_type="recurring_new_contacts")
    for part in ("review", "send"):
        text = (await owner.get(f"{place}/{part}")).text
        assert f"{warning} If you add an account before it goes out, your contacts receive it." in text
    own = await make_account(acme, status="paused")
    other = await make_campaign(acme, segment=segment, template=template)
    assert "No account can send this campaign." in findings(await owner.get(f"/campaigns/{other.id}/review"))
    for part in ("", "/senders"):
        page = await owner.get(f"/campaigns/{other.id}{part}")
        assert "All active accounts" in page.text
        assert "(nobody receives it)" not in page.text
    await Account.filter(id=own.id).update(status="active")
    assert warning not in findings(await owner.get(f"/campaigns/{other.id}/review"))


async def test_everyone_is_an_audience(
    owner: Visitor, rival: Organization, acme: Organization, account: Account, template: Template
) -> None:
    for org in (acme, acme, rival):
        await make_contact(org)
    await make_contact(acme, status="unsubscribed", unsubscribed_at=clock.now())
    for title, offered in (("First", "All contacts"), ("Second", "All contacts (3)")):
        page = await owner.get("/campaigns/new?segment=all")
        assert [one.get_text() for one in page.soup.select("#f-segment_id option[selected]")] == [offered]
        await owner.submit(page, "/campaigns", title=title)
    segment = await Segment.of(acme).get(name="All contacts")  # one for both
    first, second = await Campaign.of(acme).order_by("id")
    assert first.segment_id == second.segment_id == segment.id
    await Campaign.of(acme).update(template_id=template.id)
    assert "Send to 2 contacts" in (await owner.get(f"/campaigns/{second.id}/review")).text


async def test_a_template_written_for_a_campaign_is_used_in_it(
    owner: Visitor, rival_owner: Visitor, acme: Organization, campaign: Campaign
) -> None:
    await Campaign.of(acme).update(template_id=None)
    place = f"/campaigns/{campaign.id}"
    written = f"/templates/new?kind=blocks&campaign={campaign.id}"
    gallery = f"/templates/starters?campaign={campaign.id}"
    assert (await owner.get(f"{place}/content")).soup.select(f'a[href="{gallery}"]')
    assert (await owner.get(gallery)).soup.select(f'a[href="{written}"]')
    page = await owner.get(written)
    page = await owner.submit(page, "/templates", name="For them", subject="Hello", body="Hello")
    assert (page.path, page.notes) == (f"{place}/review", ["“For them” saved."])
    await campaign.refresh_from_db()
    assert campaign.template_id == (await Template.of(acme).get(name="For them")).id
    page = await rival_owner.submit(await rival_owner.get(written), "/templates", name="Theirs", body="Hello")
    assert page.path.startswith("/templates/")
    await campaign.refresh_from_db()
    assert campaign.template_id == (await Template.of(acme).get(name="For them")).id


async def test_the_button_names_the_count_and_sends_once(owner: Visitor, campaign: Campaign) -> None:
    place = f"/campaigns/{campaign.id}"
    page = await owner.get(f"{place}/review")
    assert "Send to 3 contacts" in page.text
    page = await owner.get(page.soup.select_one(f'a[href^="{place}/send?"]')["href"])
    assert page.title == "Send “News” to 3 contacts?"
    for _ in range(2):
        await owner.submit(page, f"{place}/send")
    assert await CampaignRun.all().count() == 1
    assert (await owner.get(f"{place}/send")).path == f"{place}/review"
    again = await owner.send_form(f"{place}/send", audience="all")
    assert again.status == 422
    assert "This campaign is already sending." in again.text


@pytest.mark.parametrize(
    ("kind", "interval", "expected", "words"),
    [
        ("recurring", "2", (2, "week"), "every 2 weeks"),
        ("recurring_new_contacts", "", (None, None), "to new members, within 5 minutes"),
        ("recurring_new_contacts", "3", (3, "week"), "to new members, every 3 weeks"),
    ],
)
async def test_a_schedule_is_armed_by_the_confirmation_and_not_before(
    owner: Visitor, campaign: Campaign, kind: str, interval: str, expected: Any, words: str
) -> None:
    place = f"/campaigns/{campaign.id}"
    prefix = "members" if kind == "recurring_new_contacts" else "recurrence"
    typed = {"schedule_type": kind, f"{prefix}_interval": interval, f"{prefix}_unit": "week"}
    page = await owner.submit(await owner.get(f"{place}/schedule"), f"{place}/schedule", **typed)
    assert page.path == f"{place}/review"
    await campaign.refresh_from_db()
    assert (campaign.recurrence_interval, campaign.recurrence_unit) == expected
    assert (campaign.status, campaign.next_run_at, campaign.anchor_at) == ("draft", None, None)
    page = await owner.submit(await owner.get(f"{place}/send"), f"{place}/send")
    await campaign.refresh_from_db()
    assert campaign.status == "scheduled"
    assert campaign.next_run_at is not None
    begun = "started" if kind == "recurring_new_contacts" else "scheduled"
    assert page.notes[0].startswith(f"“News” {begun}: {words}")
    assert not await CampaignRun.exists()
    has_date = "within 5 minutes" not in words
    assert ("First send: " in page.text) == ("Next: " in page.text) == has_date
    assert ("Next: " in (await owner.get("/campaigns")).text) == has_date


@pytest.mark.parametrize(
    ("interval", "rhythm", "units"),
    [("1", "Every week on Wednesday", ["day", "week", "month"]), ("2", "Every 2 weeks", ["days", "weeks", "months"])],
)
async def test_the_confirmation_of_a_repeated_send_names_its_first_day(
    owner: Visitor, rival_owner: Visitor, campaign: Campaign, interval: str, rhythm: str, units: list[str]
) -> None:
    place = f"/campaigns/{campaign.id}"
    typed = {"scheduled_at": "2099-07-01T09:00", "recurrence_interval": interval, "recurrence_unit": "week"}
    await owner.submit(await owner.get(f"{place}/schedule"), f"{place}/schedule", schedule_type="recurring", **typed)
    options = (await owner.get(f"{place}/schedule")).soup.select("#f-recurrence_unit option")
    assert [option.text for option in options] == units
    assert "First send: 1 Jul 2099, 09:00" in (await owner.get(f"{place}/review")).facts["Send"]
    facts = (await owner.get(f"{place}/send")).facts
    assert facts["Send"].startswith(rhythm)
    assert facts["First send"] == "Wednesday, 1 July 2099, 09:00 UTC"
    assert (await rival_owner.get(f"{place}/send")).status == 404


async def test_a_first_send_that_is_not_set_comes_after_an_interval(owner: Visitor, campaign: Campaign) -> None:
    place = f"/campaigns/{campaign.id}"
    typed = {"schedule_type": "recurring", "recurrence_interval": "1", "recurrence_unit": "day"}
    await owner.submit(await owner.get(f"{place}/schedule"), f"{place}/schedule", **typed)
    asked = await owner.get(f"{place}/send")
    await owner.submit(asked, f"{place}/send")
    await campaign.refresh_from_db()
    assert campaign.next_run_at is not None
    day = f"{campaign.next_run_at:%A, %-d %B %Y}, "
    assert asked.facts["First send"].startswith(day)
    assert asked.facts["Tracking"] == "Off"


async def test_times_are_those_of_the_organizations_clock(
    owner: Visitor, acme: Organization, campaign: Campaign
) -> None:
    await Organization.filter(id=acme.id).update(timezone="Europe/Berlin")
    place = f"/campaigns/{campaign.id}"
    typed = {"schedule_type": "scheduled_once", "scheduled_at": "2099-07-01T09:00"}
    page = await owner.submit(await owner.get(f"{place}/schedule"), f"{place}/schedule", **typed)
    assert "Once on Wed 1 Jul 2099 at 09:00 (Europe/Berlin)" in page.text
    await campaign.refresh_from_db()
    assert campaign.scheduled_at == datetime(2099, 7, 1, 7, tzinfo=UTC)
    shown = (await owner.get(f"{place}/schedule")).soup.select_one("#f-scheduled_at")
    assert shown["value"] == "2099-07-01T09:00"


async def test_a_schedule_that_means_nothing_is_told_at_its_field(owner: Visitor, campaign: Campaign) -> None:
    place = f"/campaigns/{campaign.id}/schedule"
    for kind, at, interval, field, message in (
        ("scheduled_once", "2001-01-01T09:00", "", "scheduled_at", "must be in the future"),
        ("scheduled_once", "soon", "", "scheduled_at", "Enter a date and time"),
        ("recurring", "", "0", "recurrence_interval", "at least 1"),
        ("recurring_new_contacts", "", "0", "members_interval", "at least 1"),
        ("never", "", "", "schedule_type", "Must be"),
    ):
        typed = {"schedule_type": kind, "scheduled_at": at, "recurrence_interval": interval, "recurrence_unit": "day"}
        typed |= {"members_interval": interval, "members_unit": "day"}
        page = await owner.submit(await owner.get(place), place, **typed)
        assert page.status == 422
        assert message in (page.error_at(field) or "")
    await campaign.refresh_from_db()
    assert campaign.schedule_type == "manual"


async def test_an_armed_schedule_that_changes_is_armed_anew_at_once(owner: Visitor, campaign: Campaign) -> None:
    at = clock.now() + timedelta(days=3)
    armed = {"schedule_type": "scheduled_once", "scheduled_at": at, "anchor_at": at, "next_run_at": at}
    await Campaign.filter(id=campaign.id).update(status="scheduled", **armed)
    place = f"/campaigns/{campaign.id}"
    typed = {"schedule_type": "scheduled_once", "scheduled_at": "2099-07-01T09:00"}
    page = await owner.submit(await owner.get(f"{place}/schedule"), f"{place}/schedule", **typed)
    assert (page.path, page.notes[0]) == (place, "Schedule saved.")
    await campaign.refresh_from_db()
    assert campaign.next_run_at == datetime(2099, 7, 1, 9, tzinfo=UTC)


async def test_a_plan_that_is_used_up_keeps_all_that_was_typed(
    settings: Settings, owner: Visitor, segment: Segment, campaign: Campaign
) -> None:
    use_plans(settings, {"enterprise": {"max_campaigns_per_month": 0, "monthly_email_quota": 2}})
    page = await owner.submit(await owner.get("/campaigns/new"), "/campaigns", title="More", segment_id=str(segment.id))
    assert page.status == 422
    assert "allows 0 campaigns per month" in page.text
    assert page.soup.select_one("#f-title")["value"] == "More"  # type: ignore[index]  # it is there
    review = await owner.get(f"/campaigns/{campaign.id}/review")
    assert "you need 3, and the Enterprise plan has 2 left" in findings(review)
    assert "Send to 3 contacts" not in review.text


async def test_strangers_rows_cannot_be_chosen(owner: Visitor, rival: Organization, campaign: Campaign) -> None:
    segment, template, account = await make_segment(rival), await make_template(rival), await make_account(rival)
    before = dict(campaign)
    for step, fields in (
        ("audience", {"title": "News", "segment_id": segment.id}),
        ("audience", {"title": "News", "segment_id": campaign.segment_id, "exclude_segment_ids": segment.id}),
        ("content", {"template_id": template.id}),
        ("senders", {"which": "named", "account_id": account.id}),
    ):
        page = await owner.send_form(f"/campaigns/{campaign.id}/{step}", **fields)
        assert (page.status, "Your selection was deleted" in page.text) == (422, True), (step, fields)
    await campaign.refresh_from_db()
    assert dict(campaign) == before
    frame = await owner.get(f"/campaigns/{campaign.id}/content/{template.id}")
    assert frame.status == 404


async def test_what_is_wrong_keeps_it_from_being_sent(
    settings: Settings, owner: Visitor, acme: Organization, campaign: Campaign, template: Template
) -> None:
    place = f"/campaigns/{campaign.id}"
    config.configure(replace(settings, base_url="http://localhost:8000"))
    await Account.filter(org_id=acme.id).update(smtp_host="smtp.acme.example")
    await Template.filter(id=template.id).update(subject=" ")
    await make_account(acme, name="Old", status="error")
    page = await owner.get(f"{place}/review")
    assert "which recipients can't open" in findings(page)
    assert "The template's subject is empty." in findings(page)
    kinds = [kind for item in page.soup.select(".findings li") for kind in item["class"]]
    assert (kinds, set(kinds)) == (sorted(kinds), {"bad", "warn"})
    assert not page.soup.select(f"form[action='{place}/send'] button")
    assert (await owner.send_form(f"{place}/send")).status == 422
    assert not await CampaignRun.exists()


async def test_the_last_question_repeats_what_is_wrong_with_the_email(
    owner: Visitor, rival_owner: Visitor, acme: Organization, campaign: Campaign
) -> None:
    place = f"/campaigns/{campaign.id}"
    await make_account(acme, name="Old", status="error", last_error="535 no")
    asked = await owner.get(f"{place}/send")
    assert "1 contact has no value for “town”" in findings(asked)
    assert "“Old” has an error: 535 no." in findings(asked)
    await Account.of(acme).exclude(name="Old").update(status="paused")
    await sandbox_account(acme)
    await Campaign.of(acme).update(sender_account_ids=[str(account.id) for account in await Account.of(acme)])
    asked = await owner.get(f"{place}/send")
    assert asked.text.count("This goes to the sandbox only") == 1
    assert (await rival_owner.get(f"{place}/send")).status == 404


async def test_a_test_goes_to_ones_own_address(owner: Visitor, campaign: Campaign) -> None:
    place = f"/campaigns/{campaign.id}"
    page = await owner.get(f"{place}/review")
    assert page.form(f"{place}/test").find_next("a", href=f"{place}/send?audience=all")  # the last step
    sent = await owner.submit(page, f"{place}/test")
    assert sent.notes[0] == "Test sent to ada@acme.example."
    assert (await MailLog.get()).to_email == "ada@acme.example"
