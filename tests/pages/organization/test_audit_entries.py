"""What the audit log takes down: who, from where, what they did to what; and nothing of what was refused."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from quart import Quart

from tests.api.conftest import make_api
from tests.factories import make_account, make_campaign, make_contact, make_import, make_segment, make_template
from tests.pages.conftest import Page, Visitor, make_person, visitor_for
from tests.pages.contacts.test_bulk_changes import LIST, all_of, fill
from tests.pages.organization.test_api_keys import issue
from tests.plans import use_plans
from webapp import clock, db
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.audit.audit import ALIKE_WITHIN, LONGEST_DETAIL, LONGEST_NAME, MOST_ALIKE, AuditAction, record
from webapp.domain.auth.owners import set_plan
from webapp.domain.campaigns.runs import finish_runs
from webapp.domain.contacts import bulk
from webapp.domain.contacts.search import ROWS_AT_ONCE
from webapp.domain.roles import Role
from webapp.models import (
    Account,
    ApiKey,
    AuditEntry,
    BulkChange,
    Campaign,
    CampaignRun,
    ContactImport,
    MailLog,
    Membership,
    Organization,
)

RELAY = {"name": "Relay", "provider_type": "smtp", "smtp_host": "mail.acme.invalid", "smtp_port": 587}
LOGIN = {"smtp_username": "ada@acme.example", "smtp_password": "correct horse"}
PERSON = ("ada@acme.example", "<local>")


async def entries(org: Organization) -> list[AuditEntry]:
    """The log of an organization, the oldest first."""
    return await AuditEntry.of(org).order_by("id")


async def last(org: Organization) -> tuple[str, str, dict[str, Any]]:
    """What the newest entry says was done to what, and more of it."""
    entry = (await entries(org))[-1]
    return entry.action, entry.target, entry.details


async def test_keys_are_noted_with_who_issued_and_revoked_them(owner: Visitor, acme: Organization) -> None:
    await issue(owner, name="Web shop", lifetime="30")
    key = await ApiKey.of(acme).get()
    await owner.submit(await owner.get(f"/api-keys/{key.id}/revoke"), f"/api-keys/{key.id}/revoke")
    issued, revoked = await entries(acme)
    assert [entry.action for entry in (issued, revoked)] == ["key.issued", "key.revoked"]
    assert {(entry.target, entry.target_id) for entry in (issued, revoked)} == {("Web shop", key.id)}
    assert {(entry.actor, entry.address) for entry in (issued, revoked)} == {PERSON}
    assert issued.actor_id == key.maker_id
    ends = f"{key.expires_at:%Y-%m-%d %H:%M} UTC"
    assert issued.details == {"begins_with": key.prefix, "role": "sender", "expires_at": ends}


async def test_a_program_is_named_by_its_key_and_address(app: Quart, acme: Organization) -> None:
    api = await make_api(app, acme)
    key = await ApiKey.of(acme).get()
    assert (await api.post("/v1/accounts", RELAY, scope_base={"client": ("203.0.113.7", 1)}))[0] == 201
    entry = (await entries(acme))[-1]
    assert (entry.actor_id, entry.actor) == (key.id, f"admin key (key {key.prefix}…)")
    assert (entry.action, entry.target, entry.address) == ("account.added", "Relay", "203.0.113.7")
    assert api.key not in str(await AuditEntry.all().values())


@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({}, {"smtp_security": "auto"}),
        ({"smtp_username": "ada", "password": "x"}, {"smtp_auth": "password", "smtp_username": "ada"}),
        ({"provider_type": "google", "google_email": "ada@gmail.com"}, {"google_email": "ada@gmail.com"}),
        (
            {"smtp_username": "ada", "smtp_auth": "oauth2", "oauth_provider": "google", "bounce_verp": True},
            {"smtp_auth": "oauth2", "oauth_grant": "refresh_token", "oauth_provider": "google", "bounce_verp": True},
        ),
    ],
)
async def test_an_accounts_entry_has_what_its_sign_in_uses(
    owner: Visitor, acme: Organization, fields: dict[str, Any], details: dict[str, Any]
) -> None:
    account = await make_account(acme, status="error", **fields)
    path = f"/accounts/{account.id}/delete"
    await owner.submit(await owner.get(path), path)
    recorded = (await last(acme))[2]
    assert recorded.items() >= details.items()
    sometimes = {"smtp_auth", "oauth_grant", "bounce_verp", "bounce_reading", "status"}
    assert recorded.keys() & sometimes == details.keys() & sometimes


async def test_a_change_of_host_and_limit_is_told_with_the_old_values(app: Quart, acme: Organization) -> None:
    api = await make_api(app, acme)
    _, made = await api.post("/v1/accounts", {**RELAY, **LOGIN, "daily_mail_limit": 500})
    path = f"/v1/accounts/{made['data']['id']}"
    changes = {"smtp_host": "mail.evil.invalid", "daily_mail_limit": 900, "name": "Relay"}
    assert (await api.patch(path, changes))[0] == 200
    hosts = ["mail.acme.invalid", "mail.evil.invalid"]
    assert await last(acme) == ("account.changed", "Relay", {"smtp_host": hosts, "daily_mail_limit": [500, 900]})
    assert (await api.patch(path, changes))[0] == 200  # nothing is new
    assert (await api.patch(path, {"smtp_host": "bad host"}))[0] == 400
    assert len(await entries(acme)) == 3
    assert (await api.patch(path, {"smtp_username": None, "smtp_password": None}))[0] == 200
    _, _, details = await last(acme)
    assert details["smtp_username"] == ["ada@acme.example", None]
    assert details["smtp_password"] == "removed"


async def test_of_a_password_only_that_it_changed_is_told(app: Quart, acme: Organization) -> None:
    api = await make_api(app, acme)
    _, made = await api.post("/v1/accounts", {**RELAY, **LOGIN})
    account = await Account.of(acme).get(id=made["data"]["id"])
    secrets = ["correct horse", "battery staple", account.smtp_password]
    await api.patch(f"/v1/accounts/{account.id}", {"smtp_password": "battery staple"})
    secrets.append((await Account.of(acme).get(id=account.id)).smtp_password)
    assert await last(acme) == ("account.changed", "Relay", {"smtp_password": "changed"})
    told = str(await AuditEntry.all().values())
    assert [secret for secret in secrets if secret in told] == []


async def test_an_account_is_paused_resumed_and_deleted(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme)
    for act in ("pause", "resume"):
        await owner.submit(await owner.get("/accounts"), f"/accounts/{account.id}/{act}")
    changes = [(entry.action, entry.details["status"]) for entry in await entries(acme)]
    assert changes == [("account.changed", ["active", "paused"]), ("account.changed", ["paused", "active"])]
    path = f"/accounts/{account.id}/delete"
    await owner.submit(await owner.get(path), path)
    action, target, details = await last(acme)
    assert (action, target, details["smtp_host"]) == ("account.deleted", "Main", "127.0.0.1")


async def test_what_is_refused_or_rolled_back_leaves_no_entry(
    app: Quart, settings: Settings, acme: Organization, rival: Organization
) -> None:
    use_plans(settings, {"free": {"max_accounts": 0}})
    await set_plan(acme, "free")
    api, stranger = await make_api(app, acme), await make_api(app, rival)
    account = await make_account(acme)
    before = len(await entries(acme))
    assert (await api.post("/v1/accounts", RELAY))[0] == 403
    assert (await api.patch(f"/v1/accounts/{account.id}", {"smtp_port": 22, "provider_type": "google"}))[0] == 400
    assert (await stranger.patch(f"/v1/accounts/{account.id}", {"name": "Mine"}))[0] == 404
    assert (await stranger.delete(f"/v1/accounts/{account.id}"))[0] == 404
    with pytest.raises(LookupError):
        await issue_in_vain(acme)
    assert len(await entries(acme)) == before
    assert [entry.action for entry in await entries(rival)] == ["key.issued"]


async def issue_in_vain(org: Organization) -> None:
    async with db.write_transaction():
        await issue_key(org, NewKey(name="never", role="viewer"))
        raise LookupError


async def test_each_of_many_at_once_is_noted_as_itself(app: Quart, acme: Organization, rival: Organization) -> None:
    """Nobody acts on behalf of whoever asked before, or asks just now."""
    people = [await make_person(acme, f"p{number}@acme.example") for number in range(4)]
    people.append(await make_person(rival, "rita@rival.example"))
    browsers = [await visitor_for(app, rival if one is people[-1] else acme, one) for one in people]
    programs = [await make_api(app, org) for org in (acme, rival)]
    await asyncio.gather(
        *(issue(browser, name=person.email) for browser, person in zip(browsers, people, strict=True)),
        *(api.post("/v1/accounts", RELAY) for api in programs),
    )
    for org, expected in ((acme, people[:4]), (rival, people[4:])):
        noted = [entry for entry in await entries(org) if entry.actor_id is not None]
        keys = {entry.target: entry.actor for entry in noted if entry.action == AuditAction.KEY_ISSUED}
        assert keys == {person.email: person.email for person in expected}
        (added,) = [entry for entry in noted if entry.action == AuditAction.ACCOUNT_ADDED]
        assert added.actor_id == (await ApiKey.of(org).get(name="admin key")).id


HOSTILE = [
    ("shop\r\n2026-11-20 Ada revoked everything", "shop 2026-11-20 Ada revoked everything"),
    ("\x1b[2Jshop\x00\x9b", "[2Jshop"),
    ("shop\u202egnp.exe\u2066 \u200bx\u2028y", "shop gnp.exe x y"),
    ("caf\u00e9 \U0001f984 <b>&amp;", "caf\u00e9 \U0001f984 <b>&amp;"),
    ("\udc80lone", "lone"),
    ("x" * 5000, "x" * LONGEST_NAME),
]


async def test_hostile_text_is_kept_on_one_visible_line(acme: Organization) -> None:
    for given, kept in HOSTILE:
        async with db.write_transaction():
            await record(acme, AuditAction.EXPORTED, None, given, rows=[given, {given}], at=UUID(int=1), many=10**6)
        entry = (await entries(acme))[-1]
        assert entry.target == kept
        assert entry.details["rows"][0].startswith(kept)
        assert all(len(text) <= LONGEST_DETAIL and text.isprintable() for text in entry.details["rows"])
        assert (entry.details["at"], entry.details["many"]) == (str(UUID(int=1)), 10**6)


async def export(visitor: Visitor, path: str = "/contacts/export.csv", **asked: str) -> None:
    assert (await visitor.get(path, query_string=asked)).status == 200


async def test_the_same_export_again_within_an_hour_is_counted_in_one_entry(
    viewer: Visitor, owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    for _ in range(2):
        await asyncio.gather(*(export(viewer) for _ in range(3)))
    await export(owner)
    await export(viewer, "/mail-logs/export.csv")
    await export(viewer, status="subscribed")
    await export(rival_owner)
    noted = [(entry.actor, entry.target, entry.details, entry.times) for entry in await entries(acme)]
    assert noted == [
        ("vera@acme.example", "contacts", {}, 6),
        ("ada@acme.example", "contacts", {}, 1),
        ("vera@acme.example", "mail logs", {}, 1),
        ("vera@acme.example", "contacts", {"status": "subscribed", "is_bounced": False}, 1),
    ]
    assert [entry.times for entry in await entries(rival)] == [1]
    assert "status subscribed bounced no" in (await owner.get("/audit")).text
    (counted,) = [row for row in (await owner.get("/audit")).rows if "6 times" in row[-1]]
    assert counted[0] == "Exported contacts"
    assert counted[-1] == "just now 6 times, last just now"


async def test_a_persons_same_export_from_two_organizations_is_counted_in_each(
    app: Quart, acme: Organization, rival: Organization
) -> None:
    ada = await make_person(acme, "ada@acme.example")
    await Membership.create(org=rival, user=ada, role=Role.OWNER)
    for org in (acme, rival):
        await export(await visitor_for(app, org, ada))
    assert [[entry.times for entry in await entries(org)] for org in (acme, rival)] == [[1], [1]]


async def test_what_is_exported_after_an_hour_has_an_entry_of_its_own(viewer: Visitor, acme: Organization) -> None:
    await export(viewer)
    await AuditEntry.of(acme).update(created_at=clock.now() - ALIKE_WITHIN - timedelta(seconds=1))
    await export(viewer)
    await export(viewer)
    assert [entry.times for entry in await entries(acme)] == [1, 2]


async def test_exports_for_ever_other_filters_are_counted_together_in_the_end(
    viewer: Visitor, acme: Organization
) -> None:
    for number in range(MOST_ALIKE + 30):
        await export(viewer, q=f"name {number}")
    found = await entries(acme)
    assert [entry.times for entry in found] == [1] * MOST_ALIKE + [30]
    assert found[-1].details == {"filters": "many others"}


ADA = "ada@acme.example"


async def test_a_change_of_all_contacts_is_told_with_who_started_and_who_stopped_it(
    owner: Visitor, acme: Organization
) -> None:
    await fill(acme, 2 * ROWS_AT_ONCE)
    gold = await make_segment(acme, name="Gold")
    await all_of(owner, "segment", f"{LIST}&q=berlin77", join=str(gold.id))
    await all_of(owner, "unsubscribe", confirm="7")  # not their number
    page = await all_of(owner, "unsubscribe", confirm="1000")
    change = await BulkChange.of(acme).get(action="unsubscribe")
    await bulk.process_batch(change.id)
    page = await owner.submit(await owner.get(page.path), f"{page.path}/stop")
    await owner.post(f"{page.path}/stop", form={"csrf_token": page.token})  # it has ended
    await all_of(owner, "delete", f"{LIST}&q=berlin888", confirm="1")
    assert await actions(acme) == [
        (ADA, "contacts.added_to_segment", "Gold"),
        (ADA, "contacts.unsubscribed", "contacts"),
        (ADA, "contacts.change_stopped", "contacts"),
        (ADA, "contacts.deleted", "contacts"),
    ]
    assert await told(owner, "contacts") == [
        ("Deleted contacts", {"contacts 1", "search berlin888", "conditions city is “Berlin”"}),
        ("Stopped changing contacts", {"change unsubscribe", "reached 500", "contacts 1000"}),
        ("Unsubscribed contacts", {"contacts 1000", "conditions city is “Berlin”"}),
        ("Added contacts to segment Gold", {"contacts 11", "search berlin77", "conditions city is “Berlin”"}),
    ]


async def test_conditions_are_told_in_words_and_with_names(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    gold, theirs = await make_segment(acme, name="Gold"), await make_segment(rival, name="Secret")
    spring = await make_campaign(acme, title="Spring")
    typed = f"field-0=campaign&op-0=got&value-0={spring.id}&field-1=created_at&op-1=in_last_days&value-1=1000&match=or"
    words = "conditions received campaign “Spring” or Date added is in the last 1,000 days"
    assert (await owner.get(f"/contacts/export.csv?segment_id={gold.id}&{typed}")).status == 200
    assert (await owner.get(f"/mail-logs/export.csv?campaign_id={spring.id}")).status == 200
    assert (await rival_owner.get(f"/contacts/export.csv?segment_id={theirs.id}")).status == 200
    assert await told(owner, "data") == [
        ("Exported mail logs", {"campaign Spring"}),
        ("Exported contacts", {"segment Gold", words}),
    ]
    assert await told(rival_owner, "data") == [("Exported contacts", {"segment Secret"})]


async def told(visitor: Visitor, what: str) -> list[tuple[str, set[str]]]:
    """What was done, and its details, whose order PostgreSQL does not keep."""
    cells = (await visitor.get(f"/audit?what={what}")).soup.select("tbody .cell-title")
    details = [{" ".join(one.get_text(" ").split()) for one in cell.select("li")} for cell in cells]
    titles = [" ".join(cell.get_text(" ").partition("\n")[0].split()) for cell in cells]
    return list(zip(titles, details, strict=True))


async def press(visitor: Visitor, campaign: Campaign, what: str, start: str = "") -> Page:
    place = f"/campaigns/{campaign.id}"
    return await visitor.submit(await visitor.get(f"{place}{start}"), f"{place}/{what}")


async def actions(org: Organization) -> list[tuple[str, str, str]]:
    return [(entry.actor, entry.action, entry.target) for entry in await AuditEntry.of(org).order_by("id")]


async def test_a_campaigns_life_is_told_with_who_did_what(owner: Visitor, acme: Organization) -> None:
    await make_account(acme)
    segment = await make_segment(acme, *[await make_contact(acme) for _ in range(2)])
    campaign = await make_campaign(acme, title="November", segment=segment, template=await make_template(acme))
    await press(owner, campaign, "send", "/send")
    run = await CampaignRun.of(acme).get()
    page = await owner.get(f"/campaigns/{campaign.id}/runs/{run.id}")
    assert f"Dashboard, by {ADA}" in page.text
    await press(owner, campaign, "stop")
    await press(owner, campaign, "resume", "/resume")
    await MailLog.of(acme).update(status="failed")
    await finish_runs()
    await press(owner, campaign, f"runs/{run.id}/retry", f"/runs/{run.id}/retry")
    retried = await CampaignRun.of(acme).get(trigger="retry")
    assert f"Retry, by {ADA}" in (await owner.get(f"/campaigns/{campaign.id}/runs/{retried.id}")).text
    await press(owner, campaign, "delete", "/delete")
    told = ("sent", "stopped", "resumed", "retried", "deleted")
    assert await actions(acme) == [(ADA, f"campaign.{what}", "November") for what in told]


async def test_a_schedule_is_told_when_it_is_made_changed_and_removed(owner: Visitor, acme: Organization) -> None:
    segment = await make_segment(acme, await make_contact(acme))
    campaign = await make_campaign(acme, title="Weekly", segment=segment, template=await make_template(acme))
    await make_account(acme)
    place, typed = f"/campaigns/{campaign.id}", {"recurrence_interval": "1", "recurrence_unit": "week"}
    await owner.submit(await owner.get(f"{place}/schedule"), f"{place}/schedule", schedule_type="recurring", **typed)
    assert await actions(acme) == []  # nothing is armed yet
    await press(owner, campaign, "send", "/send")
    await owner.submit(await owner.get(f"{place}/schedule"), f"{place}/schedule", schedule_type="manual")
    told = ("scheduled", "unscheduled")
    assert await actions(acme) == [(ADA, f"campaign.{what}", "Weekly") for what in told]


async def test_an_import_and_its_undoing_are_told(owner: Visitor, acme: Organization) -> None:
    row = await make_import(acme, status="checked", created_count=3)
    await owner.submit(await owner.get(f"/imports/{row.id}"), f"/imports/{row.id}/run")
    await ContactImport.of(acme).update(status="done", finished_at=row.created_at)
    await owner.submit(await owner.get(f"/imports/{row.id}/undo"), f"/imports/{row.id}/undo")
    told = ("imported", "import_undone")
    assert await actions(acme) == [(ADA, f"contacts.{what}", "people.csv") for what in told]
    assert (await AuditEntry.of(acme).order_by("id").first()).details == {"created": 3, "changed": 0}
