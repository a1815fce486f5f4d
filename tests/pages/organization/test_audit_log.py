"""The audit log on its page."""

import re
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from tests.factories import make_account
from tests.pages.conftest import Page, Visitor
from tests.pages.organization.test_api_keys import issue
from webapp.domain.accounts.accounts import change_account
from webapp.domain.accounts.inputs import AccountChanges
from webapp.domain.audit.audit import AuditAction
from webapp.domain.auth.owners import set_plan
from webapp.models import AuditEntry, Organization
from webapp.models.base.row import id_lower_bound
from webapp.pages.organization.audit_log import KINDS


async def make_entry(org: Organization, at: datetime | None = None, **fields: Any) -> AuditEntry:
    """An entry of an instant (default: now)."""
    row_id = uuid7() if at is None else UUID(int=id_lower_bound(at).int | uuid7().int & (1 << 64) - 1)
    defaults = {"actor": "ada@acme.example", "action": AuditAction.KEY_ISSUED, "target": "shop", "address": "192.0.2.1"}
    entry = await AuditEntry.create(**{"id": row_id, "org": org, **defaults, **fields})
    if at is not None:
        await AuditEntry.of(org).filter(id=row_id).update(created_at=at)
    return entry


def targets_on(page: Page) -> list[str]:
    """What was done something to, from above."""
    return [cell.get_text() for cell in page.soup.select("tbody .cell-title > b")]


async def test_an_entry_says_who_did_what_from_where_and_when(owner: Visitor, acme: Organization) -> None:
    await issue(owner, name="Web shop")
    account = await make_account(acme, smtp_host="mail.acme.invalid")
    await change_account(account, AccountChanges(smtp_host="mail.evil.invalid", smtp_security="tls", status="paused"))
    for _ in range(2):  # the second changes nothing
        await set_plan(acme, "scale")
    page = await owner.get("/audit")
    assert "ran campaigns, imported or exported data, or changed many contacts." in page.text
    operator, person = ["the operator", "Command line"], ["ada@acme.example", "<local>"]
    assert [row[1:3] for row in page.rows] == [operator, operator, person]
    assert all(re.fullmatch(r"just now|\d+ (second|minute)s? ago", row[3]) for row in page.rows)
    plan, changed, issued = (row[0] for row in page.rows)
    assert plan == "Changed plan of Acme plan Enterprise → changed to Scale"
    assert changed.startswith("Changed account Main")
    assert "host mail.acme.invalid → changed to mail.evil.invalid" in changed
    assert "status Active → changed to Paused" in changed
    assert "encryption Automatic → changed to SSL/TLS" in changed
    assert issued.startswith("Created API key Web shop")
    assert "role Sender" in issued


async def test_another_organizations_entries_are_not_there(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    ours = await make_entry(acme)
    theirs = await make_entry(rival, target="theirs")
    for query in ("", "?who=ada", "?what=key", f"?after={uuid7()}", f"?before={ours.id}"):
        page = await rival_owner.get(f"/audit{query}")
        assert targets_on(page) == ([theirs.target] if "before" not in query or theirs.id > ours.id else []), query
        assert str(ours.id) not in str(page.soup).replace(f"before={ours.id}", ""), query
    assert targets_on(await owner.get("/audit")) == ["shop"]


async def test_filters_stand_in_the_address(owner: Visitor, acme: Organization) -> None:
    await Organization.filter(id=acme.id).update(timezone="America/New_York")  # 5 hours behind in November
    for target, day, fields in (
        ("ada-1", datetime(2026, 11, 19, 4, 59, 59, tzinfo=UTC), {}),
        ("ada-2", datetime(2026, 11, 20, 4, 59, 59, tzinfo=UTC), {"action": AuditAction.ACCOUNT_DELETED}),
        ("web_shop", datetime(2026, 11, 20, 5, tzinfo=UTC), {"actor": "web_shop (key svc_live_abc…)"}),
        ("plan", datetime(2026, 11, 21, 5, tzinfo=UTC), {"actor": "operator", "action": AuditAction.PLAN_CHANGED}),
    ):
        await make_entry(acme, day, target=target, **fields)
    for query, expected in (
        ("who=ADA@acme", ["ada-1", "ada-2"]),
        ("who=web_shop", ["web_shop"]),
        ("who=operator&what=plan", ["plan"]),
        ("what=account.deleted", ["ada-2"]),
        ("what=key&who=ada", ["ada-1"]),
        ("since=2026-11-20", ["plan", "web_shop"]),
        ("until=2026-11-19", ["ada-1", "ada-2"]),
        ("since=2026-11-19&until=2026-11-20&who=%20", ["ada-2", "web_shop"]),
    ):
        page = await owner.get(f"/audit?{query}")
        assert (page.status, sorted(targets_on(page))) == (200, expected), query
        assert ("No results" in page.text) != bool(expected)


async def test_an_entry_of_another_version_is_shown_all_the_same(owner: Visitor, acme: Organization) -> None:
    await make_entry(acme, action="cheese.eaten", details={"kinds": ["brie", "edam", None], "none": None})
    assert (await owner.get("/audit")).rows[0][0] == "cheese.eaten shop kinds brie, edam, none"


@pytest.mark.parametrize(
    ("action", "details", "words"),
    [
        (AuditAction.MEMBER_CHANGED, {"role": ["admin", "editor"]}, "role Admin → changed to Editor"),
        (AuditAction.MEMBER_INVITED, {"role": "viewer"}, "role Viewer"),
        (
            AuditAction.WEBHOOK_CHANGED,
            {"events": [["*"], ["email.sent", "email.failed"]]},
            "events All events → changed to email.sent, email.failed",
        ),
        (AuditAction.KEY_ISSUED, {"note": "*"}, "note *"),
        (
            AuditAction.ACCOUNT_ADDED,
            {"oauth_grant": "client_credentials"},
            "OAuth sign-in As an app (client credentials)",
        ),
        (
            AuditAction.ACCOUNT_CHANGED,
            {"bounce_reading": ["off", "account"]},
            "bounces read from Off → changed to This account's mailbox",
        ),
        (AuditAction.ACCOUNT_CHANGED, {"bounce_verp": [False, True]}, "tagged return paths no → changed to yes"),
    ],
)
async def test_values_have_the_words_of_their_pages(
    owner: Visitor, acme: Organization, action: AuditAction, details: dict[str, Any], words: str
) -> None:
    await make_entry(acme, action=action, details=details)
    assert (await owner.get("/audit")).rows[0][0] == f"{action.words} shop {words}"


async def test_two_values_of_something_new_are_no_change(owner: Visitor, acme: Organization) -> None:
    events = ["email.sent", "email.failed"]
    await make_entry(acme, action=AuditAction.WEBHOOK_ADDED, target="hooks", details={"events": events})
    assert (await owner.get("/audit")).rows[0][0] == "Created webhook hooks events email.sent, email.failed"


def test_every_action_has_a_kind() -> None:
    assert {action.partition(".")[0] for action in AuditAction} == set(KINDS)
