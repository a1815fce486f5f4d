"""Merge tags in a campaign's mail as it arrives: what contacts offer, and what has no value."""

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from zoneinfo import ZoneInfo

import pytest

from tests.api.conftest import Api
from tests.factories import account_on, make_campaign, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.pages.conftest import Visitor
from tests.support.messages import parsed, part
from webapp.config import Settings
from webapp.models import Contact, MailLog, Organization

EVERYTHING = "{{ email }}|{{ first_name }}|{{ last_name }}|{{ phone }}|{{ town }}|{{ seats }}|{{ vip }}"


@pytest.fixture
async def contact(acme: Organization) -> Contact:
    return await make_contact(
        acme,
        "ada@example.org",
        first_name="Ada & Co\r\nBcc: eve@example.org",
        last_name="<i>King</i>",
        phone="+49 1",
        custom_fields={"town": "Köln", "seats": 2, "vip": True},
    )


async def arrived(
    api: Api, org: Organization, contact: Contact, settings: Settings, server: SmtpServer, **template: str
) -> EmailMessage:
    """The only mail of a campaign for `contact` with such a template."""
    await account_on(server, org)
    segment = await make_segment(org, contact)
    campaign = await make_campaign(org, segment=segment, template=await make_template(org, **template))
    assert (await api.post(f"/v1/campaigns/{campaign.id}/send", {}))[0] == 200
    await deliver_all(settings)
    (received,) = server.messages
    assert received.recipients == [contact.email]
    return parsed(received.content)


async def test_every_field_of_a_contact_is_offered_escaped_in_html_and_bare_on_one_line_in_the_subject(
    api: Api, acme: Organization, contact: Contact, settings: Settings, smtp_server: SmtpServer
) -> None:
    links = '<a href="{{ unsubscribe_url }}">x</a><a href="{{ preferences_url }}">y</a>'
    body = f"<p>{EVERYTHING}</p>{links}"
    message = await arrived(api, acme, contact, settings, smtp_server, subject=EVERYTHING, body=body)
    plain = "ada@example.org|Ada & Co{}Bcc: eve@example.org|<i>King</i>|+49 1|Köln|2|true"
    assert (message["Subject"], message["Bcc"]) == (plain.format(""), None)
    escaped = plain.format("\n").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    link = message["List-Unsubscribe"][1:-1]
    own = f'<a href="{link}">x</a><a href="{link}/preferences">y</a>'
    assert part(message, "html").replace("\r\n", "\n") == f"<p>{escaped}</p>{own}"


async def test_values_are_raw_in_a_plain_text(
    api: Api, acme: Organization, contact: Contact, settings: Settings, smtp_server: SmtpServer
) -> None:
    body = "Dear {{ first_name }} {{ last_name }}: {% if vip %}{{ town }}{% endif %}"
    message = await arrived(api, acme, contact, settings, smtp_server, subject="Hi", body=body)
    assert message.get_content_type() == "text/plain"
    assert part(message, "plain").replace("\r\n", "\n") == "Dear Ada & Co\nBcc: eve@example.org <i>King</i>: Köln"


async def test_what_a_contact_has_no_value_for_is_empty_or_its_default(
    api: Api, acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await make_contact(rival, "ada@example.org", first_name="Theirs", custom_fields={"town": "Theirs"})
    bare = await make_contact(acme, "ada@example.org")
    body = "<p>[{{ first_name }}][{{ town }}][{{ first_name | default: 'there' }}]</p>"
    message = await arrived(api, acme, bare, settings, smtp_server, subject="Hi {{ town }}!", body=body)
    assert (message["Subject"], part(message, "html")) == ("Hi !", "<p>[][][there]</p>")


async def test_now_is_the_time_of_sending_where_the_organization_is_and_stays_so_where_it_is_shown(
    api: Api, owner: Visitor, acme: Organization, contact: Contact, settings: Settings, smtp_server: SmtpServer
) -> None:
    acme.timezone = "Pacific/Kiritimati"  # UTC+14
    await acme.save()
    now = "{{ 'now' | date: '%Y-%m-%d %H %z' }}"
    mail = await arrived(api, acme, contact, settings, smtp_server, subject=now, body=f"<p>{now}</p>")
    sent = datetime.now(ZoneInfo("Pacific/Kiritimati"))
    possible = {f"{at:%Y-%m-%d %H} +1400" for at in (sent, sent - timedelta(minutes=5))}
    assert mail["Subject"] in possible
    assert any(one in mail.get_body(("plain",)).get_content() for one in possible)
    await MailLog.of(acme).update(sent_at=datetime(2016, 3, 14, 20, tzinfo=UTC))
    _, listed = await api.get("/v1/mail-logs")
    row_id = listed["data"][0]["id"]
    _, shown = await api.get(f"/v1/mail-logs/{row_id}")
    assert listed["data"][0]["subject"] == shown["data"]["subject"] == "2016-03-15 10 +1400"
    assert "2016-03-15 10 +1400" in shown["data"]["body_html"]
    assert "Subject: 2016-03-15 10 +1400" in (await owner.get(f"/mail-logs/{row_id}?view=raw")).text
