"""A campaign arrives with its own subject, sender and links, and can be viewed in the browser."""

import re
from datetime import timedelta
from email.message import EmailMessage
from typing import Any
from urllib.parse import urlsplit

import pytest
from quart import Quart
from werkzeug.datastructures import Headers

from tests.api.conftest import Api
from tests.domain.campaigns.test_campaign_delivery import arrived, send_all
from tests.factories import make_campaign, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.support.messages import parsed, part
from webapp import clock
from webapp.config import Settings
from webapp.domain import link_signing
from webapp.domain.mail_logs.raw_message import Files, build_raw_message
from webapp.models import Account, Campaign, Contact, Content, MailLog, Organization, TrackedLink

HTML = (
    '<html><body><p>Dear {{ first_name }}</p><a href="https://x.example/{{ first_name }}?a=1">x</a>'
    '<a href="{{ browser_url }}">View</a><a href="{{ unsubscribe_url }}">Leave</a></body></html>'
)
SAYS: dict[str, Any] = {
    "subject": "Own {{ first_name }}",
    "preview_text": "Soon, {{ first_name }}",
    "from_name": "Acme Böoks",
    "from_email": "news@acme.example",
    "reply_to": "answers@other.example",
    "utm": {"source": "news", "medium": None, "campaign": None},
}


async def make_sent(api: Api, org: Organization, settings: Settings, body: str = HTML, **says: Any) -> Campaign:
    """A campaign to one contact that has arrived."""
    member = await make_contact(org, "ann@example.org", first_name="Ann")
    template = await make_template(org, subject="Hi", body=body)
    campaign = await make_campaign(org, segment=await make_segment(org, member), template=template, **says)
    await send_all(api, campaign, settings, 1)
    return campaign


async def only_row(campaign: Campaign) -> MailLog:
    return await MailLog.across_orgs().get(campaign_id=campaign.id)


def one(server: SmtpServer) -> EmailMessage:
    (message,) = arrived(server).values()
    return message


@pytest.mark.parametrize("slow", ["", "{% if first_name %}yes{% endif %}"], ids=["fast", "in full"])
async def test_it_arrives_as_the_campaign_says(
    api: Api, acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer, slow: str
) -> None:
    campaign = await make_sent(api, acme, settings, HTML.replace("Dear", f"Dear {slow}"), **SAYS)
    message, row = one(smtp_server), await only_row(campaign)
    assert message["Subject"] == "Own Ann"
    assert message["From"] == "Acme Böoks <news@acme.example>"
    assert message["Reply-To"] == "answers@other.example"
    assert smtp_server.messages[0].mail_from == "hello@acme.example"  # bounces come to the account
    assert (row.from_email, row.account_id) == ("news@acme.example", account.id)
    html, text = part(message, "html"), part(message, "plain")
    assert re.match(r'<html><body><div style="display:none;[^>]*>Soon, Ann\s', html)
    assert "Soon" not in text
    assert '<a href="https://x.example/Ann?a=1&amp;utm_source=news">' in html
    assert "<https://x.example/Ann?a=1&utm_source=news>" in text
    leave = message["List-Unsubscribe"][1:-1]
    assert f'<a href="{leave}">' in html
    assert "utm" not in leave
    names = message["Feedback-ID"].split(":")
    assert names == [campaign.id.hex[-12:], acme.id.hex[-12:], "campaign", link_signing.instance_name()]
    assert re.fullmatch("[0-9a-f]{10}", names[3])
    raw = await build_raw_message(acme, row, Files.ALL, shows_links=True)
    again = parsed(raw)
    for name in ("From", "Reply-To", "Feedback-ID", "List-Unsubscribe", "Message-ID", "Subject"):
        assert (again[name], name) == (message[name], name)
    assert part(again, "html") == html


async def test_a_letter_of_blocks_has_preview_text_link_parameters_and_tracking_together(
    api: Api, acme: Organization, rival: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    blocks = [
        {"type": "text", "text": "Dear {{ first_name }}, [news](https://x.example/?a=1)", "show_when": "first_name"},
        {"type": "button", "text": "Read", "url": "https://x.example/{{ first_name }}"},
        {"type": "footer"},
    ]
    made = await api.create("/v1/templates", {"name": "Letter", "subject": "Hi", "blocks": blocks})
    members = [await make_contact(acme, f"{name}@example.org", first_name=name.title()) for name in ("ann", "bob")]
    await make_contact(rival, "ann@example.org")
    campaign = await make_campaign(
        acme,
        segment=await make_segment(acme, *members),
        template_id=made["id"],
        tracking={"opens": True, "clicks": True},
        **SAYS,
    )
    await send_all(api, campaign, settings, 2)
    (link,) = await TrackedLink.of(acme)
    assert link.url == "https://x.example/?a=1&utm_source=news"
    for name, message in arrived(smtp_server).items():
        html, first_name = part(message, "html"), name.partition("@")[0].title()
        assert f"Soon, {first_name}" in html
        assert f"Dear {first_name}" in html
        assert len(re.findall(rf'href="{settings.base_url}/t/[^"]+"', html)) == 1
        assert f'href="https://x.example/{first_name}?utm_source=news"' in html  # personal, and so not counted
        assert len(re.findall(rf'src="{settings.base_url}/o/[^"]+"', html)) == 1
        assert message["List-Unsubscribe"][1:-1] in html
        assert "{{" not in html
        assert "pennypost_" not in html


async def view(app: Quart, path: str, method: str = "GET") -> tuple[int, str, Headers]:
    response = await app.test_client().open(path, method=method)
    return response.status_code, (await response.get_data()).decode(), response.headers


async def test_the_link_shows_the_email_as_it_was_got(
    api: Api, app: Quart, acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    await make_sent(api, acme, settings, **SAYS)
    await Contact.of(acme).update(first_name="Other", email="other@example.org")
    message = one(smtp_server)
    found = re.search(r'<a href="([^"]+/view/[^"]+)">View', part(message, "html"))
    path = urlsplit(found[1]).path
    assert not re.search("ann|example.org", path)
    status, document, headers = await view(app, path)
    assert (status, document.split()) == (200, part(message, "html").split())
    assert headers["X-Robots-Tag"] == "noindex, nofollow"
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; ")
    pictures = f"img-src data: {settings.base_url}/m/ https:;"
    for part_of_policy in ("frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'", pictures):
        assert part_of_policy in policy
    assert "script-src" not in policy
    assert (headers["Referrer-Policy"], headers["X-Frame-Options"]) == ("no-referrer", "DENY")
    assert headers["Cache-Control"] == "private, no-store"
    assert (await view(app, path, "HEAD"))[0] == 200
    assert (await view(app, path, "POST"))[0] == 405
    for days, status in ((89, 200), (91, 410)):
        await MailLog.of(acme).update(sent_at=clock.now() - timedelta(days=days))
        assert (await view(app, path))[0] == status
    assert "This email is no longer available" in (await view(app, path))[1]
    await MailLog.of(acme).update(sent_at=clock.now())
    for rows in (Content.of(acme), MailLog.of(acme)):
        await rows.delete()
        assert (await view(app, path))[0] == 410


async def test_forged_links_show_nothing(
    api: Api, app: Quart, acme: Organization, rival: Organization, account: Account, settings: Settings
) -> None:
    row = await only_row(await make_sent(api, acme, settings))
    token = urlsplit(link_signing.browser_link(row.id, acme.id)).path.rpartition("/")[2]
    of_rival = urlsplit(link_signing.browser_link(row.id, rival.id)).path
    text, _, signature = token.partition(".")
    left = link_signing.sign_ids("unsubscribe", row.id, acme.id)
    forged = ["x", "%00", "é", text, f"{text}.", f"{text}.{signature[::-1]}", left, f"{token}x", "a" * 5_000]
    for path in (*(f"/view/{one}" for one in forged), f"/view/{token}/x", "/view/"):
        status, page, _ = await view(app, path)
        assert status == 404, path
        assert "Dear" not in page
    assert (await view(app, f"/view/{token}"))[0] == 200
    status, page, _ = await view(app, of_rival)  # which only we could sign
    assert (status, "Dear" in page) == (410, False)
