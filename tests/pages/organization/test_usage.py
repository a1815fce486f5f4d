"""The plan on its page: what is used of each limit, when it starts again, and what happens at its end."""

import re
from datetime import UTC, datetime

import pytest
from bs4 import Tag

from tests.factories import make_account, make_contact, make_mail, make_media, make_template, make_webhook
from tests.pages.conftest import Page, Visitor
from tests.plans import use_plans
from webapp.config import Settings
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.auth.owners import set_plan
from webapp.domain.plans.limits import Use
from webapp.domain.plans.plans import PLANS
from webapp.models import Organization, OrgUsage
from webapp.models.usage import Metric, month_of


def line_of(page: Page, metric: Metric) -> Tag:
    """What the page tells about a limit."""
    return page.soup.find(id=f"use-{metric}").parent


def amount_of(page: Page, metric: Metric) -> str:
    return " ".join(line_of(page, metric).select_one(".amount").get_text(" ").split())


async def fill(org: Organization) -> None:
    """Two of each that counts by its rows, and the sandbox, which counts towards nothing."""
    sandbox, account = await sandbox_account(org), await make_account(org)
    await make_account(org, name="Other")
    for _ in range(2):
        await make_contact(org)
        await make_template(org)
        await make_webhook(org)
        await make_media(org)
    await make_mail(org, account, "ann@example.org", "bob@example.org")
    await make_mail(org, sandbox)


async def test_an_unlimited_plan_shows_numbers_without_a_bar(
    viewer: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    await fill(acme)
    page = await viewer.get("/usage")
    amounts = {metric: amount_of(page, metric) for metric in Metric}
    unused = dict.fromkeys((Metric.CAMPAIGNS, Metric.API_REQUESTS, Metric.SUPPRESSIONS), "0 (unlimited)")
    assert amounts == dict.fromkeys(Metric, "2 (unlimited)") | unused | {Metric.MEDIA: "2 bytes (unlimited)"}
    assert page.soup.select("main progress") == []
    assert "is on the Enterprise plan." in page.text
    assert "not counting the sandbox" in line_of(page, Metric.EMAILS).get_text()
    theirs = await rival_owner.get("/usage")
    assert {amount_of(theirs, metric) for metric in Metric} == {"0 (unlimited)", "0 bytes (unlimited)"}


async def test_a_single_organization_without_limits_sees_no_plan(
    owner: Visitor, acme: Organization, settings: Settings
) -> None:
    assert "plan" not in (await owner.get("/usage")).soup.select_one("main").get_text().lower()
    use_plans(settings, {"free": {"max_contacts": 3}})
    await set_plan(acme, "free")
    assert "is on the Free plan." in (await owner.get("/usage")).text


async def test_a_limit_is_a_bar_with_its_share_in_words(owner: Visitor, acme: Organization, settings: Settings) -> None:
    use_plans(
        settings, {"free": {"max_contacts": 3, "max_templates": 2, "max_accounts": 201, "monthly_email_quota": 0}}
    )
    await fill(acme)
    await set_plan(acme, "free")
    page = await owner.get("/usage")
    assert amount_of(page, Metric.CONTACTS) == "2 of 3 66%"
    assert amount_of(page, Metric.TEMPLATES) == "2 of 2 100%"
    assert amount_of(page, Metric.ACCOUNTS) == "2 of 201 <1%"
    assert amount_of(page, Metric.EMAILS) == "2 of 0 100%"
    contacts, templates = line_of(page, Metric.CONTACTS), line_of(page, Metric.TEMPLATES)
    bar = contacts.select_one("progress")
    assert (bar["value"], bar["max"], bar["aria-labelledby"]) == ("2", "3", contacts.select_one("h3")["id"])
    assert "At the limit, you can't add contacts until you delete some." in contacts.get_text(" ", strip=True)
    assert "Limit reached." not in contacts.get_text()
    assert "Limit reached. You can't create another" in templates.get_text(" ", strip=True)


async def test_the_month_of_utc_starts_again_in_the_time_of_the_organization(
    owner: Visitor, acme: Organization
) -> None:
    await Organization.filter(id=acme.id).update(timezone="Pacific/Auckland")
    page = await owner.get("/usage")
    assert re.search(r"Resets on \w+, 1 \w+ \d{4}, 1[23]:00 NZ[SD]T", page.text)
    last = datetime(2025, 1, 1, tzinfo=UTC)
    await OrgUsage.create(org=acme, metric=Metric.API_REQUESTS, period=month_of(last), used=999)
    assert amount_of(await owner.get("/usage"), Metric.API_REQUESTS) == "0 (unlimited)"


@pytest.mark.parametrize(
    ("used", "maximum", "percent", "level"),
    [(799, 1000, 79, ""), (800, 1000, 80, "near"), (10, 10, 100, "near full"), (0, 0, 100, "near full")],
)
def test_all_is_used_where_nothing_is_left(used: int, maximum: int, percent: int, level: str) -> None:
    use, unlimited = Use(Metric.CONTACTS, used, maximum), Use(Metric.CONTACTS, used, None)
    assert (use.percent, use.is_near, use.is_full) == (percent, "near" in level, "full" in level)
    assert (unlimited.is_near, unlimited.is_full) == (False, False)


def test_every_limit_of_a_plan_is_on_the_page() -> None:
    limits = {name for name in vars(PLANS["free"]) if re.search("^max_|quota$|per_month$|_bytes$", name)}
    assert limits == {metric.value for metric in Metric}
