"""The unsubscribe links in mail that is shown: whoever may not change contacts is shown a sample."""

import json
import quopri
import re
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import EmailMessage
from uuid import UUID, uuid4

import pytest
from quart import Quart

from tests.api.conftest import make_api
from tests.factories import make_account, make_contact, make_run
from tests.pages.conftest import Visitor, make_person, visitor_for
from webapp import clock
from webapp.config import Settings
from webapp.domain import link_signing
from webapp.domain.contacts.unsubscribe import hide_links, token_for
from webapp.domain.mail_logs.raw_message import Files, build_raw_message
from webapp.domain.roles import Role
from webapp.domain.sandbox import sandbox
from webapp.domain.sandbox.message_view import without_links
from webapp.models import CampaignRun, Contact, Content, MailLog, Organization

HTML = '<p>Hi {{ email }}</p><img src="cid:x"><a href="{{ unsubscribe_url }}">Leave</a>'
TEXT = "Hi {{ email }}, leave at {{ unsubscribe_url }} or {{ preferences_url }} " + "ü" * 80

PAGES = ("", "?view=text", "?view=headers", "?view=raw", "/rendered", "/raw.eml")
SAMPLE = re.compile(r"/unsubscribe/test\b")


@pytest.fixture
async def contact(acme: Organization) -> Contact:
    return await make_contact(acme, "ann@example.org")


@pytest.fixture
async def row(acme: Organization, contact: Contact) -> MailLog:
    """A mail of a campaign that was sent to the contact, the link in its subject too."""
    account = await make_account(acme)
    run, (row_id,) = await make_run(acme, [account], 1)
    content = {"subject": "News {{ unsubscribe_url }}", "html": HTML, "text": TEXT, "is_template": True}
    await Content.of(acme).filter(id=run.content_id).update(**content)
    await CampaignRun.of(acme).filter(id=run.id).update(status="completed")
    values = {"email": contact.email}
    sent = {"status": "sent", "sent_at": clock.now(), "from_email": "a@acme.example", "account_id": account.id}
    await MailLog.of(acme).filter(id=row_id).update(contact_id=contact.id, variables=values, **sent)
    return await MailLog.of(acme).get(id=row_id)


@pytest.fixture
async def received(acme: Organization, row: MailLog) -> UUID:
    """The same mail in the built-in inbox."""
    data = await build_raw_message(acme, row, Files.ALL, shows_links=True)
    return (await sandbox.store_mail(acme.id, "a@acme.example", ["ann@example.org"], data)).id


def token_of(row: MailLog) -> str:
    return token_for(row.contact_id, row.campaign_run_id)


def plain(data: bytes) -> str:
    """What is shown, without the line breaks of quoted-printable and of folded headers."""
    return (data + quopri.decodestring(data)).decode("utf-8", "replace").replace("\r\n ", "")


async def visit(app: Quart, org: Organization, role: Role) -> Visitor:
    return await visitor_for(app, org, await make_person(org, f"{role}@acme.example", role))


async def test_less_than_an_editor_is_shown_the_sample_on_every_page(
    app: Quart, acme: Organization, row: MailLog, received: UUID
) -> None:
    visitor = await visit(app, acme, Role.SENDER)
    for place in (f"/mail-logs/{row.id}", f"/sandbox/{received}"):
        for page in PAGES:
            shown = await visitor.get(place + page)
            assert shown.status == 200
            assert token_of(row).partition(".")[2] not in plain(shown.data), (place, page)
            if page:
                assert SAMPLE.search(plain(shown.data)), (place, page)
    for page in ("/mail-logs", "/mail-logs/export.csv", "/", "/sandbox", f"/contacts/{row.contact_id}"):
        assert token_of(row).partition(".")[2] not in plain((await visitor.get(page)).data), page


async def test_an_editor_sees_the_link_that_works(app: Quart, acme: Organization, row: MailLog, received: UUID) -> None:
    visitor = await visit(app, acme, Role.EDITOR)
    for place in (f"/mail-logs/{row.id}", f"/sandbox/{received}"):
        for page in PAGES[1:]:
            assert token_of(row) in plain((await visitor.get(place + page)).data), (place, page)


@pytest.mark.parametrize("role", [Role.SENDER, Role.EDITOR])
async def test_keys_are_shown_what_their_role_may_see(app: Quart, acme: Organization, row: MailLog, role: Role) -> None:
    api = await make_api(app, acme, role)
    for path in (f"/v1/mail-logs/{row.id}", "/v1/mail-logs", f"/v1/mail-logs?campaign_id={row.campaign_id}"):
        status, body = await api.get(path)
        assert status == 200
        (found,) = body["data"] if isinstance(body["data"], list) else [body["data"]]
        is_shown = token_of(row) in json.dumps(found)
        assert is_shown == (role is Role.EDITOR)
        assert bool(SAMPLE.search(found["body_html"])) != is_shown
        assert "Hi ann@example.org" in found["body_html"]


class TestReceivedMessages:
    """Whatever puts a link into a message, however it is written."""

    @pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64"])
    def test_bodies_files_and_messages_in_it(self, settings: Settings, encoding: str) -> None:
        token = token_for(uuid4(), uuid4())
        text = f"Leave at {settings.base_url}/unsubscribe/{token}\n"
        inner, outer = EmailMessage(), EmailMessage()
        inner.set_content(text, cte=encoding)
        outer["List-Unsubscribe"] = f"<{settings.base_url}/unsubscribe/{token}>"
        outer["X-Again"] = outer["X-again"] = f"one {token}"
        outer.set_content(text, cte=encoding)
        outer.add_alternative(f"<a href='x/{token}'>ü</a>", subtype="html", cte="base64")
        outer.add_attachment(text, filename="a.html", cte=encoding)
        outer.add_attachment(inner)
        hidden = without_links(outer.as_bytes())
        assert token not in read_all(hidden)
        assert read_all(hidden).count("test") == 7

    def test_a_message_without_a_link_stays_as_it_is(self, settings: Settings) -> None:
        token = token_for(uuid4(), uuid4())
        for data in (b"", b"junk\0\xff", b"Subject: a\r\n\r\nb", f"X: {token[:-1]}x\r\n\r\nb".encode()):
            assert without_links(data) == data


def read_all(data: bytes) -> str:
    """All that a reader finds in a message."""
    message = message_from_bytes(data)
    parts = [part.get_payload(decode=True) or b"" for part in message.walk()]
    heads = [str(make_header(decode_header(value))) for part in message.walk() for value in part.values()]
    return b"\n".join(part for part in parts if isinstance(part, bytes)).decode("utf-8", "replace") + "\n".join(heads)


async def test_links_to_the_email_in_the_browser_are_hidden_as_well(
    app: Quart, acme: Organization, row: MailLog
) -> None:
    await Content.of(acme).update(html='<a href="{{ browser_url }}">View</a>', text="View it: {{ browser_url }}")
    link = link_signing.browser_link(row.id, acme.id)
    assert hide_links(f"at {link}.") == f"at {link_signing.sample_browser_link()}."
    data = await build_raw_message(acme, row, Files.ALL, shows_links=True)
    received = (await sandbox.store_mail(acme.id, "a@acme.example", ["ann@example.org"], data)).id
    signature = link.rpartition(".")[2]
    for role, is_shown in ((Role.VIEWER, False), (Role.EDITOR, True)):
        visitor = await visit(app, acme, role)
        for place in (f"/mail-logs/{row.id}", f"/sandbox/{received}"):
            for page in ("?view=text", "?view=raw", "/rendered", "/raw.eml"):
                shown = plain((await visitor.get(place + page)).data)
                assert (signature in shown) == is_shown, (place, page)
                assert ("/view/test" in shown) != is_shown, (place, page)
