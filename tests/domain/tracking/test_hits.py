"""Tracked emails from the send to the recipients' clicks."""

import re
import secrets
from typing import Any

import pytest
from quart import Quart
from quart.testing import QuartClient

from tests.api.conftest import Api
from tests.domain.campaigns.test_campaign_delivery import arrived, send_all
from tests.factories import make_campaign, make_contact, make_run, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.queries import count_queries
from tests.support.messages import part
from webapp.config import Settings, settings
from webapp.domain import link_signing
from webapp.domain.tracking import hits
from webapp.domain.tracking.hits import HitLog, Visitor
from webapp.domain.tracking.placeholders import CLICK, OPEN
from webapp.models import Campaign, Contact, Instance, MailHit, MailLog, Organization, TrackedLink
from webapp.models.queries.mail_hits import MOST_HITS

pytestmark = pytest.mark.usefixtures("account")
TARGET = "https://x.example/?a=1&b=é"
HTML = (
    '<html><body><p>Dear {{ first_name }}</p><a href="https://x.example/?a=1&amp;b=é">x</a>'
    '<a href="https://y.example/">y</a><a href="{{ browser_url }}">View</a>'
    '<a href="{{ unsubscribe_url }}">Leave</a></body></html>'
)
BOTH = {"opens": True, "clicks": True}
PERSON = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"}
CLICKS, CHANGED_TOKENS = 2_000, 200


async def make_sent(api: Api, org: Organization, settings: Settings, body: str = HTML, **fields: Any) -> Campaign:
    """A campaign that has arrived at two contacts, of whom Bob is not to be tracked."""
    members = [
        await make_contact(org, "ann@example.org", first_name="Ann"),
        await make_contact(org, "bob@example.org", first_name="Bob", do_not_track=True),
    ]
    template = await make_template(org, subject="Hi", body=body)
    campaign = await make_campaign(
        org, segment=await make_segment(org, *members), template=template, **{"tracking": BOTH, **fields}
    )
    await send_all(api, campaign, settings, 2)
    return campaign


async def write(app: Quart) -> list[MailHit]:
    await app.extensions["hits"].write()
    return await MailHit.across_orgs().order_by("created_at")


def links_in(html: str) -> list[str]:
    return re.findall(r'href="([^"]*)"', html)


def path_of(url: str) -> str:
    return url.removeprefix(settings().base_url)


@pytest.mark.parametrize("slow", ["", "{% if first_name %}yes{% endif %}"], ids=["fast", "in full"])
async def test_links_lead_to_their_targets_and_the_pixel_is_counted(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer, client: QuartClient, slow: str
) -> None:
    campaign = await make_sent(api, acme, settings, HTML.replace("Dear", f"Dear {slow}"))
    mails = arrived(smtp_server)
    html = part(mails["ann@example.org"], "html")
    first, second, view, leave = links_in(html)
    assert all(link.startswith(f"{settings.base_url}/t/") and "x.example" not in link for link in (first, second))
    assert first in part(mails["ann@example.org"], "plain")
    assert view.startswith(f"{settings.base_url}/view/")
    assert leave.startswith(f"{settings.base_url}/unsubscribe/")
    answer = await client.get(path_of(first), headers=PERSON | {"X-Forwarded-For": "203.0.113.9"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "https://x.example/?a=1&b=%C3%A9")
    assert answer.headers["Cache-Control"] == "no-store, private"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    (pixel,) = re.findall(r'<img src="([^"]*)"', html)
    picture = await client.get(path_of(pixel), headers=PERSON)
    data = await picture.get_data()
    assert (picture.status_code, picture.mimetype, len(data), data[:6]) == (200, "image/gif", 43, b"GIF89a")
    assert "Set-Cookie" not in answer.headers
    assert "Set-Cookie" not in picture.headers
    await client.head(path_of(second), headers=PERSON | {"Sec-Purpose": "prefetch;prerender"})
    row = await MailLog.across_orgs().get(campaign_id=campaign.id, to_email="ann@example.org")
    found = await write(api.app)
    urls = {link.id: link.url for link in await TrackedLink.across_orgs()}
    assert [urls.get(hit.link_id) for hit in found] == [TARGET, None, "https://y.example/"]
    assert {(hit.org_id, hit.mail_log_id, hit.run_id, hit.verdict) for hit in found} == {
        (acme.id, row.id, row.campaign_run_id, None)
    }
    assert [(hit.is_head, hit.is_prefetch) for hit in found] == [(False, False), (False, False), (True, True)]
    assert {(len(hit.network), hit.agent) for hit in found} == {(16, PERSON["User-Agent"])}
    assert found[0].network == found[1].network


async def test_who_does_not_want_it_is_never_tracked(
    app: Quart, api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer, client: QuartClient
) -> None:
    await make_sent(api, acme, settings)
    mails = arrived(smtp_server)
    html = part(mails["bob@example.org"], "html")
    assert links_in(html)[:2] == ["https://x.example/?a=1&amp;b=é", "https://y.example/"]
    assert "<img" not in html
    ann = await Contact.of(acme).get(email="ann@example.org")
    link = links_in(part(mails["ann@example.org"], "html"))[0]
    await api.patch(f"/v1/contacts/{ann.id}", {"do_not_track": True})  # since it was sent
    assert (await client.get(path_of(link), headers=PERSON)).status_code == 302
    assert await write(app) == []


async def test_what_people_see_in_the_dashboard_and_the_browser_is_not_tracked(
    api: Api, acme: Organization, settings: Settings, client: QuartClient, smtp_server: SmtpServer
) -> None:
    campaign = await make_sent(api, acme, settings)
    row = await MailLog.across_orgs().get(campaign_id=campaign.id, to_email="ann@example.org")
    _, shown = await api.get(f"/v1/mail-logs/{row.id}")
    assert "https://x.example/?a=1&amp;b=é" in shown["data"]["body_html"]
    assert "/t/" not in shown["data"]["body_html"]
    _, listed = await api.get("/v1/mail-logs")
    assert all("/t/" not in one["body_html"] and "/o/" not in one["body_html"] for one in listed["data"])
    view = links_in(part(arrived(smtp_server)["ann@example.org"], "html"))[2]
    page = await (await client.get(path_of(view))).get_data(as_text=True)
    assert "https://x.example/?a=1&amp;b=é" in page
    assert "/t/" not in page


@pytest.mark.parametrize("opens", [False, True])
async def test_a_campaign_that_says_nothing_does_as_its_organization(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer, *, opens: bool
) -> None:
    await Organization.filter(id=acme.id).update(track_opens=opens)
    await make_sent(api, acme, settings, tracking=None)
    html = part(arrived(smtp_server)["ann@example.org"], "html")
    assert links_in(html)[:2] == ["https://x.example/?a=1&amp;b=é", "https://y.example/"]
    assert html.count("<img") == opens


async def make_tracked(org: Organization, url: str = "https://x.example/") -> tuple[MailLog, TrackedLink]:
    run, (row_id,) = await make_run(org, [], 1)
    link = await TrackedLink.create(org=org, content_id=run.content_id, number=1, url=url)
    return await MailLog.get(id=row_id), link


def changed(token: str) -> str:
    """The token with one to three characters changed, cut off or added."""
    at, letters = secrets.randbelow(len(token)), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789-_.~%é"
    kind = secrets.randbelow(3)
    if kind == 0:
        return token[:at] + token[at + 1 :]
    if kind == 1:
        return token[:at] + secrets.choice(letters) + token[at:]
    return token[:at] + secrets.choice(letters.replace(token[at], "")) + token[at + 1 :]


async def test_no_changed_token_leads_anywhere(app: Quart, acme: Organization, client: QuartClient) -> None:
    row, link = await make_tracked(acme)
    token = link_signing.sign_ids(CLICK, row.id, link.id)
    async with app.app_context():
        for _ in range(CHANGED_TOKENS):
            for path in (f"/t/{changed(token)}", f"/o/{changed(token)}"):
                answer = await client.get(path)
                assert answer.status_code == 404, path
                assert "Location" not in answer.headers
    assert await write(app) == []
    assert (await client.get(f"/t/{token}")).status_code == 302


async def test_tokens_of_other_purposes_and_deleted_links_lead_nowhere(
    app: Quart, acme: Organization, client: QuartClient
) -> None:
    row, link = await make_tracked(acme)
    for purpose in (OPEN, "view", "unsubscribe"):
        answer = await client.get(f"/t/{link_signing.sign_ids(purpose, row.id, link.id)}")
        assert (answer.status_code, answer.mimetype) == (404, "text/plain")
    assert (await client.get(f"/o/{link_signing.sign_ids(CLICK, row.id, acme.id)}")).status_code == 404
    await link.delete()
    assert (await client.get(f"/t/{link_signing.sign_ids(CLICK, row.id, link.id)}")).status_code == 404


async def test_a_hit_is_never_for_another_organizations_email(
    app: Quart, acme: Organization, rival: Organization, client: QuartClient
) -> None:
    row, link = await make_tracked(acme)
    theirs, _ = await make_tracked(rival)
    # Signed by us, though no email has them.
    await client.get(f"/t/{link_signing.sign_ids(CLICK, theirs.id, link.id)}", headers=PERSON)
    await client.get(f"/o/{link_signing.sign_ids(OPEN, theirs.id, acme.id)}", headers=PERSON)
    assert await write(app) == []
    await client.get(f"/o/{link_signing.sign_ids(OPEN, row.id, acme.id)}", headers=PERSON)
    (hit,) = await write(app)
    assert (hit.org_id, hit.mail_log_id) == (acme.id, row.id)
    await row.delete()
    await client.get(f"/o/{link_signing.sign_ids(OPEN, row.id, acme.id)}", headers=PERSON)
    assert len(await write(app)) == 1  # a deleted email's are not saved


async def test_very_many_clicks_on_a_link_take_neither_memory_nor_transactions(acme: Organization) -> None:
    row, link = await make_tracked(acme)
    token, log = link_signing.sign_ids(CLICK, row.id, link.id), HitLog()
    with count_queries() as queries:
        for number in range(CLICKS):
            assert await log.follow(token, Visitor(f"203.0.113.{number % 250}", f"Agent {number}")) == link.url
        assert len(queries) == 1
        await log.write()
        assert len(queries) < 12  # a batch
    found = await MailHit.across_orgs()
    assert len(found) == MOST_HITS
    assert sum(hit.repeats for hit in found) == CLICKS - MOST_HITS
    await log.follow(token, Visitor("203.0.113.1", "Another"))
    await log.write()
    found = await MailHit.across_orgs()
    assert len(found) == MOST_HITS  # and the latest is counted with another
    assert sum(hit.repeats for hit in found) == CLICKS + 1 - MOST_HITS


async def test_networks_are_hashed_by_a_salt_that_is_forgotten(acme: Organization) -> None:
    row, link = await make_tracked(acme)
    token = link_signing.sign_ids(CLICK, row.id, link.id)
    for log in (HitLog(), HitLog()):  # of two processes
        for address in ("2001:db8::1", "2001:db8::2", "203.0.113.1"):
            await log.follow(token, Visitor(address, address))
        await log.write()
    networks = {hit.agent: hit.network for hit in await MailHit.across_orgs()}
    assert networks["2001:db8::1"] == networks["2001:db8::2"] != networks["203.0.113.1"]
    assert len({hit.network for hit in await MailHit.across_orgs()}) == 2
    salt = (await Instance.get()).network_salt
    await Instance.all().update(network_salt_day="2020-01-01")
    assert await hits.network_salt((await MailHit.across_orgs().first()).created_at.date()) != salt
