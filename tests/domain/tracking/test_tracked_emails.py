"""Transactional emails that are tracked: their links, what is read of them, and which of them are refused."""

import re
from datetime import timedelta
from typing import Any

import pytest
from quart.testing import QuartClient

from tests.api.conftest import Api
from tests.api.mails import MAIL, send
from tests.domain.tracking.test_hits import BOTH, PERSON, links_in, path_of, write
from tests.factories import make_contact, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.support.messages import parsed, part
from webapp import clock
from webapp.config import Settings, settings
from webapp.domain.merge_tags.parser import SOURCE_LENGTH
from webapp.domain.tracking.judging import judge_hits
from webapp.models import Contact, Content, Email, Event, MailHit, Organization, TrackedLink

pytestmark = pytest.mark.usefixtures("account")
TARGET = "https://x.example/?a=1&b=2"
HTML = (
    '<html><body><p>Hi</p><a href="https://x.example/?a=1&amp;b=2">x</a> <a href="mailto:a@x.example">m</a> '
    '<a href="https://x.example/" data-no-track>n</a> <a href="{url}/unsubscribe/x">u</a></body></html>'
)
BOT = {"User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1)"}


def html() -> str:
    return HTML.replace("{url}", settings().base_url)


async def delivered(settings: Settings, smtp_server: SmtpServer) -> str:
    """The HTML that arrives, once all is sent."""
    await deliver_all(settings)
    return part(parsed(smtp_server.messages[-1].content), "html")


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("?a=1&amp;region=2&lt=7&#38;x=8&notit;=9", "?a=1&region=2&lt=7&x=8&notit;=9"),
        ("?a=1&#0000000038;b=2&not&notin=3&notin;&amp", "?a=1&b=2%C2%AC&notin=3%E2%88%89&"),
    ],
)
async def test_a_click_leads_to_the_address_that_a_browser_reads(
    api: Api, settings: Settings, smtp_server: SmtpServer, client: QuartClient, written: str, target: str
) -> None:
    await send(api, html=f'<p><a href="https://x.example/{written}">Go</a></p>', tracking=BOTH)
    (link,) = links_in(await delivered(settings, smtp_server))
    answer = await client.get(path_of(link), headers=PERSON)
    assert answer.headers["Location"] == f"https://x.example/{target}"
    text = part(parsed(smtp_server.messages[-1].content), "plain")
    assert f"Go <{link}>" in text


async def age_and_judge() -> None:
    await MailHit.across_orgs().update(created_at=clock.now() - timedelta(minutes=5))
    await judge_hits()


async def test_its_links_and_pixel_are_counted_for_its_recipient(
    api: Api, rival_api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer, client: QuartClient
) -> None:
    email_id = await send(api, html=html(), tracking=BOTH)
    arrived = await delivered(settings, smtp_server)
    first, *others = links_in(arrived)
    assert first.startswith(f"{settings.base_url}/t/")
    assert "x.example/?a=1" not in arrived
    assert others == ["mailto:a@x.example", "https://x.example/", f"{settings.base_url}/unsubscribe/x"]
    (pixel,) = re.findall(r'<img src="([^"]*)"', arrived)
    _, shown = await api.get(f"/v1/emails/{email_id}")
    assert (shown["data"]["html"], shown["data"]["tracking"]) == (html(), BOTH)
    assert shown["data"]["engagement"] == []
    answer = await client.get(path_of(first), headers=PERSON)
    assert (answer.status_code, answer.headers["Location"]) == (302, TARGET)
    assert (await client.get(path_of(pixel), headers=BOT)).status_code == 200
    assert [(str(hit.mail_log_id), hit.org_id, hit.run_id) for hit in await write(api.app)] == [
        (email_id, acme.id, None)
    ] * 2
    assert (await api.get(f"/v1/emails/{email_id}"))[1]["data"]["engagement"] == []  # not before a minute is over
    await age_and_judge()
    _, shown = await api.get(f"/v1/emails/{email_id}")
    found = [(hit["type"], hit["link"], hit["is_machine"]) for hit in shown["data"]["engagement"]]
    assert sorted(found) == [("email.clicked", TARGET, False), ("email.opened", None, True)]
    events = await Event.of(acme).filter(email_id=email_id, type__in=["email.opened", "email.clicked"])
    assert {(event.type, event.data["is_machine"]) for event in events} == {
        ("email.opened", True),
        ("email.clicked", False),
    }
    assert (await rival_api.get(f"/v1/emails/{email_id}"))[0] == 404
    assert (await rival_api.get(f"/v1/events?email_id={email_id}"))[1]["data"] == []


async def test_a_template_and_each_email_of_a_batch_have_links_of_their_own(api: Api, acme: Organization) -> None:
    template = await make_template(acme, subject="Hi", body='<a href="https://x.example/">{{ name }}</a>')
    of_template = {"template": {"id": str(template.id), "variables": {"name": "Ann"}}, "to": "ann@example.org"}
    plain = {name: value for name, value in MAIL.items() if name not in ("html", "subject")}
    clicks = {"opens": False, "clicks": True}
    mails = [
        plain | of_template | {"tracking": clicks},
        MAIL | {"html": html(), "tracking": BOTH},
        MAIL | {"html": html()},
        MAIL | {"html": html(), "tracking": {"opens": False, "clicks": False}},
    ]
    status, made = await api.post("/v1/emails/batch", mails)
    assert status == 200, made
    shown = [(await api.get(f"/v1/emails/{one['id']}"))[1]["data"] for one in made["data"]]
    assert [one["tracking"] for one in shown] == [clicks, BOTH, *[{"opens": False, "clicks": False}] * 2]
    assert [one["html"] for one in shown] == ['<a href="https://x.example/">Ann</a>', html(), html(), html()]
    stored = [(await Content.get(id=(await Email.get(id=one["id"])).content_id)).html for one in made["data"]]
    assert [source is not None and "/t/" in source for source in stored] == [True, True, False, False]
    assert await TrackedLink.of(acme).count() == 2


async def test_who_does_not_want_it_is_not_tracked_even_if_it_was_said_later(
    api: Api, acme: Organization, rival: Organization, client: QuartClient, settings: Settings, smtp_server: SmtpServer
) -> None:
    await make_contact(acme, "Ann@example.org", do_not_track=True)
    await make_contact(rival, "bob@example.org", do_not_track=True)  # another organization's contact says nothing here
    ann = await send(api, to="ann@Example.org", html=html(), tracking=BOTH)
    assert (await Content.get()).html == html()
    _, shown = await api.get(f"/v1/emails/{ann}")
    assert shown["data"]["tracking"] == {"opens": False, "clicks": False}
    mails = [MAIL | {"to": to, "html": html(), "tracking": BOTH} for to in ("ANN@example.org", "ann@example.org")]
    _, answer = await api.post("/v1/emails/batch", {"emails": mails})
    for email in answer["data"]:
        _, shown = await api.get(f"/v1/emails/{email['id']}")
        assert shown["data"]["tracking"] == {"opens": False, "clicks": False}
    bob = await send(api, to="Bob@example.org", html=html(), tracking=BOTH)
    link = links_in(await delivered(settings, smtp_server))[0]
    await make_contact(acme, "bob@example.org", do_not_track=True)
    assert (await client.get(path_of(link), headers=PERSON)).status_code == 302
    assert await write(api.app) == []
    await Contact.of(acme).delete()
    await client.get(path_of(link), headers=PERSON)
    assert [str(hit.mail_log_id) for hit in await write(api.app)] == [bob]


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"to": ["ann@example.org", "bob@example.org"]}, "tracking", "is possible for one recipient only"),
        ({"cc": "bob@example.org"}, "tracking", "is possible for one recipient only"),
        ({"tracking": {"opens": True}}, "tracking.clicks", "is required"),
        ({"tracking": BOTH | {"pixel": True}}, "tracking.pixel", "is not a known field"),
    ],
)
async def test_others_are_refused(api: Api, acme: Organization, fields: dict[str, Any], field: str, words: str) -> None:
    status, answer = await api.post("/v1/emails", MAIL | {"tracking": BOTH} | fields)
    assert (status, answer["details"][0]["field"]) == (400, field), answer
    assert words in answer["message"]
    assert not await Email.of(acme).exists()


async def test_nothing_is_tracked_where_it_cannot_be(api: Api) -> None:
    too_long = '<a href="https://x.example/">x</a>'.ljust(SOURCE_LENGTH + 1)
    for fields in ({"html": too_long}, {"html": None, "text": "See https://x.example/"}):
        shown = (await api.get(f"/v1/emails/{await send(api, **fields, tracking=BOTH)}"))[1]["data"]
        assert shown["tracking"] == {"opens": False, "clicks": False}
        assert (shown["html"], shown["text"]) == (fields["html"], fields.get("text"))
