"""Emails to suppressed addresses: their rows fail at once, the others go."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.mails import MAIL, send
from tests.factories import make_campaign, make_contact, make_segment, make_suppression, make_template
from tests.plans import use_plans
from webapp import clock
from webapp.config import Settings
from webapp.domain.accounts.accounts import sandbox_account
from webapp.models import Account, MailEvent, MailLog, Organization, OrgUsage, Suppression
from webapp.models.outbox.claims import claim

DAY = datetime(2026, 11, 26, 9, tzinfo=UTC)
BOUNCE = "suppressed: bounce on 2026-11-26"
QUOTA = 10


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """With a plan of ten recipients a month."""
    return use_plans(settings, {"free": {"monthly_email_quota": QUOTA}})


async def suppress(org: Organization, *emails: str, **fields: Any) -> None:
    """On a day of its own, as the words have it."""
    ids = [(await make_suppression(org, email, **fields)).id for email in emails]
    await Suppression.of(org).filter(id__in=ids).update(created_at=DAY)


async def rows_of(org: Organization) -> dict[str, tuple[str, str | None]]:
    return {row.to_email: (row.status, row.error) for row in await MailLog.of(org).order_by("id")}


async def test_a_suppressed_recipient_fails_at_once_and_the_others_go(
    api: Api, rival_api: Api, acme: Organization, rival: Organization, account: Account
) -> None:
    await suppress(acme, "bob@example.org")
    await suppress(rival, "ada@example.org")
    email_id = await send(api, to=["ada@example.org", "Bob@example.org"], cc=["eve@example.org"])
    assert await rows_of(acme) == {
        "ada@example.org": ("pending", None),
        "Bob@example.org": ("failed", BOUNCE),
        "eve@example.org": ("pending", None),
    }
    (event,) = await MailEvent.of(acme)
    assert (event.from_status, event.to_status, event.cause) == ("pending", "failed", BOUNCE)
    _, shown = await api.get(f"/v1/emails/{email_id}")
    assert (shown["data"]["status"], shown["data"]["error"]) == ("pending", BOUNCE)
    claimed = await claim(account.id, messages=10, lease_seconds=60)
    assert [row.to_email for row in claimed] == ["ada@example.org", "eve@example.org"]
    assert (await rival_api.get(f"/v1/emails/{email_id}"))[0] == 404


@pytest.mark.usefixtures("account")
async def test_addresses_are_alike_in_any_case_and_else_each_its_own(api: Api, acme: Organization) -> None:
    await suppress(acme, "ada@example.org", "b.ob@example.org", "eve@xn--bcher-kva.example")
    free = ["ada+news@example.org", "a.da@example.org", "bob@example.org", "ada@sub.example.org", "eve@example.org"]
    refused = ["ADA@example.org", "B.Ob@Example.org", "EVE@bücher.example"]
    await send(api, to=[*free, *refused])
    found = await rows_of(acme)
    assert {email for email, (status, _) in found.items() if status == "pending"} == set(free)
    assert {error for _, error in found.values()} == {None, BOUNCE}


@pytest.mark.usefixtures("account")
async def test_a_domain_is_suppressed_and_its_subdomains_are_not(api: Api, acme: Organization) -> None:
    await suppress(acme, "*@example.com", reason="manual")
    await suppress(acme, "ada@example.com", reason="complaint")
    await send(api, to=["ada@example.com", "bob@EXAMPLE.com", "eve@mail.example.com"])
    assert await rows_of(acme) == {
        "ada@example.com": ("failed", "suppressed: complaint on 2026-11-26"),
        "bob@example.com": ("failed", "suppressed: *@example.com, manual on 2026-11-26"),
        "eve@mail.example.com": ("pending", None),
    }


@pytest.mark.usefixtures("account")
async def test_an_email_to_nobody_else_is_failed_and_counts_towards_no_limit(api: Api, acme: Organization) -> None:
    await Organization.filter(id=acme.id).update(plan="free")
    await suppress(acme, "bob@example.org")
    for _ in range(QUOTA + 1):
        email_id = await send(api, to="bob@example.org")
    _, shown = await api.get(f"/v1/emails/{email_id}")
    assert (shown["data"]["status"], shown["data"]["error"]) == ("failed", BOUNCE)
    many = [f"a{number}@example.org" for number in range(QUOTA)]
    await send(api, to=[*many, "bob@example.org"])
    assert (await api.post("/v1/emails", MAIL))[0] == 403
    assert (await OrgUsage.of(acme).get(metric="monthly_email_quota")).used == QUOTA
    await OrgUsage.of(acme).filter(metric="monthly_email_quota").delete()  # it is counted again
    assert (await api.post("/v1/emails", MAIL))[1]["current"] == QUOTA


@pytest.mark.usefixtures("account")
async def test_a_batch_is_accepted_whole(api: Api, acme: Organization) -> None:
    await suppress(acme, "bob@example.org")
    status, body = await api.post("/v1/emails/batch", [MAIL, MAIL | {"to": "bob@example.org"}])
    assert (status, len(body["data"])) == (200, 2)
    assert await rows_of(acme) == {"ada@example.org": ("pending", None), "bob@example.org": ("failed", BOUNCE)}


async def test_the_sandbox_obeys_the_list_as_well(api: Api, acme: Organization) -> None:
    await suppress(acme, "bob@example.org")
    await send(api, to="bob@example.org", account_key=(await sandbox_account(acme)).account_key)
    assert await rows_of(acme) == {"bob@example.org": ("failed", BOUNCE)}


async def test_a_scheduled_email_is_refused_now_or_when_it_is_due(
    api: Api, acme: Organization, account: Account
) -> None:
    await suppress(acme, "bob@example.org")
    later = (clock.now() + timedelta(days=1)).isoformat()
    email_id = await send(api, to=["ada@example.org", "bob@example.org"], scheduled_at=later)
    assert await rows_of(acme) == {"ada@example.org": ("pending", None), "bob@example.org": ("failed", BOUNCE)}
    await suppress(acme, "ada@example.org")
    await MailLog.of(acme).update(next_attempt_at=clock.now() - timedelta(hours=1))
    (row,) = await claim(account.id, messages=10, lease_seconds=60)
    assert (str(row.email_id), row.to_email, row.suppressed) == (email_id, "ada@example.org", BOUNCE)


@pytest.mark.usefixtures("started")
async def test_compose_says_who_is_suppressed(api: Api, acme: Organization) -> None:
    await suppress(acme, "bob@example.org")
    contact = await make_contact(acme, "bob@example.org")
    body = {"account_key": (await sandbox_account(acme)).account_key, "subject": "Hello", "body": "Hello"}
    for recipients in ({"emails": ["bob@example.org"]}, {"type": "contacts", "contact_ids": [str(contact.id)]}):
        failed = [{"email": "bob@example.org", "error": BOUNCE}]
        answer = await api.post("/api/v1/compose", body | {"recipients": recipients})
        assert answer == (200, {"ok": False, "sent": 0, "failed": failed})
    assert await rows_of(acme) == {"bob@example.org": ("failed", BOUNCE)}


@pytest.mark.usefixtures("account")
async def test_a_test_is_refused_in_words(api: Api, acme: Organization) -> None:
    await suppress(acme, "bob@example.org")
    segment, template = await make_segment(acme, await make_contact(acme)), await make_template(acme)
    path = f"/v1/campaigns/{(await make_campaign(acme, segment=segment, template=template)).id}/test"
    status, body = await api.post(path, {"to": "Bob@example.org"})
    assert (status, body["message"]) == (400, f"to gets no email: Bob@example.org is {BOUNCE}")
    assert await MailLog.all().count() == 0
