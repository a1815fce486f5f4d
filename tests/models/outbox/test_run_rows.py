"""The rows of runs: made in one statement for each batch, as if by hand."""

from datetime import timedelta
from typing import Any

import pytest

from tests.factories import make_account, make_campaign, make_contact, make_run, make_segment, make_template
from tests.support.audiences import make_audience
from webapp import clock, db
from webapp.domain.campaigns.runs import count_scheduled
from webapp.domain.campaigns.send import start_scheduled
from webapp.domain.contacts.contacts import merge_values
from webapp.models import CampaignContact, CampaignRun, Contact, MailLog, Organization
from webapp.models.outbox.audience_counts import count_audience, count_retryable
from webapp.models.outbox.run_rows import is_starved

CONTACTS: list[dict[str, Any]] = [
    {},
    {"first_name": "Ann", "last_name": 'O\'Hara "the" \\ <b>&amp;', "phone": "+39 06"},
    {"first_name": "Zoë 李 🦊", "custom_fields": {"città": "Torino 🏔", "naïve\u2028key": "a\u2028b\tc\nd"}},
    {"first_name": "\u0001\u007f\u0085", "custom_fields": {'a"b\\c/d': '\\u0041 "quoted" \\ /', " ": " "}},
    {"custom_fields": {"email": "other@example.org", "first_name": "Custom", "phone": 7, "last_name": None}},
    {"first_name": "Real", "custom_fields": {"first_name": "Custom", "Email": "kept", "FIRST_NAME": None}},
    {"custom_fields": {"none": None, "empty": "", "yes": True, "no": False, "zero": 0, "minus": -0.5}},
    {"custom_fields": {"big": 2**53 + 1, "huge": 2**63 - 1, "small": 1.5e-7, "third": 1 / 3, "e": 1e22}},
    {"custom_fields": {"__proto__": "x", "$.a": "path", "a.b[0]": "path", "#-1": "index", "0": "digit"}},
    {"custom_fields": {f"field {number}": "x" * 100 for number in range(120)}},
]


async def start(org: Organization, *contacts: Contact) -> list[MailLog]:
    """The rows of a new run for these contacts."""
    segment, template = await make_segment(org, *contacts), await make_template(org)
    campaign = await make_campaign(org, segment=segment, template=template)
    audience = await count_scheduled(org, campaign)
    async with db.write_transaction():
        await campaign.lock()
        await start_scheduled(org, campaign, audience, campaign.created_at)
    return await MailLog.of(org).order_by("id")


@pytest.fixture
async def contacts(acme: Organization) -> list[Contact]:
    await make_account(acme, from_email="Hello@Mail.Acme.example")
    made = [await make_contact(acme, **fields) for fields in CONTACTS]
    return [await Contact.of(acme).get(id=contact.id) for contact in made]


async def test_the_variables_of_a_row_are_what_merge_tags_see_of_the_contact(
    acme: Organization, contacts: list[Contact]
) -> None:
    rows = await start(acme, *contacts)
    assert len(rows) == len(CONTACTS)
    for row, contact in zip(rows, contacts, strict=True):
        assert row.variables == merge_values(contact)
        assert {name: type(value) for name, value in row.variables.items()} == {
            name: type(value) for name, value in merge_values(contact).items()
        }


async def test_a_row_has_all_that_a_mail_needs(acme: Organization, contacts: list[Contact]) -> None:
    rows = await start(acme, *contacts)
    run = await CampaignRun.of(acme).get()
    assert [row.contact_id for row in rows] == [contact.id for contact in contacts]
    for row, contact in zip(rows, contacts, strict=True):
        assert row.message_id == f"<{row.id.hex}@Mail.Acme.example>"
        assert (row.org_id, row.campaign_id, row.campaign_run_id) == (acme.id, run.campaign_id, run.id)
        assert (row.kind, row.to_email, row.recipient_type, row.status) == ("campaign", contact.email, "to", "pending")
        assert (row.content_id, row.account_id, row.email_id, row.from_email) == (run.content_id, None, None, None)
        assert (row.attempts, row.crashes, row.unknowns, row.error) == (0, 0, 0, None)
        assert (row.id.version, row.created_at) == (7, row.next_attempt_at)
    ledger = {(entry.campaign_id, entry.contact_id) for entry in await CampaignContact.of(acme)}
    assert ledger == {(run.campaign_id, contact.id) for contact in contacts}


async def test_a_strangers_contact_in_a_segment_gets_no_row(acme: Organization, rival: Organization) -> None:
    await make_account(acme)
    ours, theirs = await make_contact(acme), await make_contact(rival)
    rows = await start(acme, ours, theirs)
    assert [row.contact_id for row in rows] == [ours.id]
    assert await MailLog.of(rival).count() == 0


@pytest.mark.parametrize("others", [0, 10])
async def test_who_wants_no_mail_is_not_counted(acme: Organization, rival: Organization, others: int) -> None:
    await make_account(acme)
    wanting = [await make_contact(acme), await make_contact(acme)]
    away, gone = {"status": "unsubscribed"}, {"bounced_at": clock.now()}
    members = [await make_contact(acme, **fields) for fields in (away, gone, away | gone)]
    for fields in others * (away, gone):  # who are in no segment
        await make_contact(acme, **fields)
    await make_segment(rival, await make_contact(rival, **away))
    rows = await start(acme, *wanting, *members)
    assert [row.contact_id for row in rows] == [contact.id for contact in wanting]
    run = await CampaignRun.of(acme).get()
    assert await count_audience(run) == 2


async def test_a_run_is_short_of_rows_while_none_has_waited_long(acme: Organization) -> None:
    await make_account(acme)
    await start(acme, await make_contact(acme))
    run, rows = await CampaignRun.of(acme).get(), MailLog.of(acme)
    assert await is_starved(run.id, 60)
    await rows.update(next_attempt_at=clock.now() - timedelta(seconds=70))
    assert not await is_starved(run.id, 60)
    await rows.update(status="sent")
    assert await is_starved(run.id, 60)
    await CampaignRun.of(acme).update(status="halted")
    assert not await is_starved(run.id, 60)


async def test_whom_a_newer_run_reached_is_not_retried(acme: Organization) -> None:
    account, (_, ids) = await make_account(acme), await make_audience(acme, 40)
    campaign = await make_campaign(acme)
    runs = [(await make_run(acme, [account], len(ids)))[0] for _ in range(2)]
    await CampaignRun.of(acme).update(campaign_id=campaign.id, status="completed")
    for run in runs:
        for row, contact_id in zip(await MailLog.of_run(run.id), ids, strict=True):
            await MailLog.filter(id=row.id).update(campaign_id=campaign.id, contact_id=contact_id, status="failed")
    await MailLog.of_run(runs[1].id).filter(contact_id__in=ids[:10]).update(status="sent")
    retry = CampaignRun(org_id=acme.id, retried_run_id=runs[0].id)
    assert await count_audience(retry) == len(ids) - 10
    assert await count_retryable(retry, len(ids)) == len(ids) - 10
    assert await count_retryable(retry, len(ids) - 1) is None
