"""Scripts in everything that is kept and shown: each page is built as it is with plain words (S40)."""

import json
import re
from html.parser import HTMLParser

from quart import Quart

from tests.factories import (
    make_account,
    make_api_request,
    make_campaign,
    make_contact,
    make_form,
    make_import,
    make_invitation,
    make_mail,
    make_org,
    make_request_details,
    make_segment,
    make_template,
    make_topic,
)
from tests.pages.conftest import Page, Visitor, make_person, visitor_for
from tests.support.payloads import RUN, SCRIPTS
from webapp import clock
from webapp.config import settings
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.roles import Role
from webapp.domain.sandbox.sandbox import store_mail
from webapp.models import ApiKey, Content, CustomField, Email, ImportRefusal, MailLog, Membership, Organization, User

PLAIN = "plain"
TELLS = re.compile(
    "^/(accounts|api-keys|audit|campaigns|contacts|emails|forms|imports|mail-logs|requests|sandbox|segments|team|templates|topics)"
    "(/[0-9a-f-]+)?$"
)  # pages that show the text whatever it is
CHECKS_HAVE = ("ul", "li", "svg", "use", "path", "circle", "div")
LEADING = ("href", "src", "action", "hx-get", "hx-post", "formaction")


async def keep(org: Organization, text: str) -> dict[str, list[str]]:
    """Rows of every kind that a page shows, with a text wherever somebody else may choose it; their pages by kind."""
    line = " ".join(text.split()).replace('"', "'")
    fields = {"name": text[:200], "from_name": text[:200], "smtp_username": text[:200], "last_error": text}
    account = await make_account(org, **fields, status="error")
    (row_id, *_) = await make_mail(org, account)
    row = await MailLog.of(org).get(id=row_id)
    await MailLog.of(org).filter(id=row_id).update(error=text, status="failed", to_email=f"{text}@example.org"[:320])
    await Content.of(org).filter(id=row.content_id).update(subject=line, html=text)
    await Email.of(org).filter(id=row_id).update(sender=f'"{line}" <a@acme.example>')
    key = (await issue_key(org, NewKey(name=text.replace("\n", " ")[:100], role="viewer"))).key
    mail = await store_mail(org.id, f"{text}@x.example", [f"{text}@y.example"], mail_of(text))
    await Organization.filter(id=org.id).update(name=text[:200])
    member = await make_person(org, text[:254], Role.VIEWER)
    await User.filter(id=member.id).update(first_name=text[:100])
    await ApiKey.of(org).filter(id=key.id).update(maker_id=member.id)
    invitation = await make_invitation(org, member, email=text[:254])
    membership = await Membership.of(org).get(user_id=member.id)
    asked = {"method": text[:16], "path": text[:500], "address": text[:64], "request_id": text[:64]}
    request = await make_api_request(org, key_id=key.id, **asked)
    bodies = {"request_body": json.dumps({text: [text]}), "response_body": json.dumps(text)}
    await make_request_details(org, request, query=text, headers=json.dumps([[text, text]]), **bodies)
    body = text.replace("{{", "{")  # a merge tag of its own would be a fault, which the page tells
    subject = " ".join(body.split())
    template = await make_template(org, name=text[:200], subject=subject, body=body, variables=[text])
    words = {
        "first_name": text[:200],
        "last_name": text[:200],
        "phone": text[:64],
        "custom_fields": {f"- {text}"[:60]: text},
    }
    await CustomField.named(org, "note", label=text[:60]).save()
    contact = await make_contact(org, **words)
    segment = await make_segment(org, contact, name=text[:200])
    asked = {"key": "note", "label": text[:200], "kind": "choice", "required": False, "options": [text[:200]]}
    words = {"consent_text": text, "subject": line, "body": body, "allowed_origins": [text]}
    form = await make_form(org, name=text[:200], form_fields=[asked], **words)
    campaign = await make_campaign(org, title=text[:200], description=text, template=template, segment=segment)
    topic = await make_topic(org, name=text[:200], description=text)
    about = {"file_name": text[:255], "header": [text], "made_by_name": text[:254], "failure": text}
    file = await make_import(org, status="failed", refused_count=1, finished_at=clock.now(), **about)
    await ImportRefusal.create(contact_import=file, line=2, reason=text[:500], cells=[text])
    views = ("", *(f"?view={view}" for view in ("text", "headers", "attachments", "raw")))
    member_page, revoke = f"/team/members/{membership.id}", f"/team/invitations/{invitation.id}/revoke"
    return {
        "list": ["/accounts", "/home", "/api-keys", "/mail-logs", "/mail-logs/list", "/emails"],
        "account": [f"/accounts/{account.id}", f"/accounts/{account.id}/delete"],
        "key": [f"/api-keys/{key.id}/revoke"],
        "row": [*(f"/mail-logs/{row_id}{view}" for view in views), f"/emails/{row_id}", f"/emails/{row_id}/cancel"],
        "log": ["/requests", "/requests/list", f"/requests/{request.id}", "/audit"],
        "team": ["/team", f"{member_page}/role", f"{member_page}/remove", revoke, f"/organizations/{org.id}/leave"],
        "template": ["/templates", f"/templates/{template.id}", f"/templates/{template.id}/delete"],
        "contact": ["/contacts", *(f"/contacts/{contact.id}{part}" for part in ("", "/edit", "/delete"))],
        "form": ["/forms", *(f"/forms/{form.id}{part}" for part in ("", "/edit", "/delete"))],
        "segment": ["/segments", *(f"/segments/{segment.id}{part}" for part in ("", "/add?q=c", "/delete"))],
        "topic": ["/topics", *(f"/topics/{topic.id}{part}" for part in ("", "/delete"))],
        "campaign": ["/campaigns", *(f"/campaigns/{campaign.id}{part}" for part in ("", "/audience", "/delete"))],
        "import": ["/imports", f"/imports/{file.id}"],
        "mail": [*(f"/sandbox/{mail.id}{view}" for view in views), "/sandbox", "/sandbox/list"],
    }


def mail_of(text: str) -> bytes:
    line = text.replace("\n", " ").replace('"', "'")
    return (
        f"From: {line} <a@x.example>\r\nTo: {line} <b@y.example>\r\nSubject: {line}\r\nX-{PLAIN}: {line}\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
        f"--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{text}\r\n"
        f"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
        f'--b\r\nContent-Type: image/svg+xml\r\nContent-Disposition: attachment; filename="{line}"\r\n\r\n{text}\r\n'
        "--b--\r\n"
    ).encode()


class Reader(HTMLParser):
    """Reads a page as it comes: its tags with the names of their attributes, where they lead, and its words."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.shape: list[tuple[str, tuple[str, ...]]] = []
        self.leads: list[str] = []
        self.words: list[str] = []
        self._is_in_checks = False
        self.feed(page.data.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._is_in_checks |= given.get("aria-label") == "Checks"
        if self._is_in_checks:  # a template's, which are of its HTML
            assert tag in CHECKS_HAVE, tag
        elif tag != "wbr" or given:  # a bare one stands before the @ of an address, and some of the texts hold one
            self.shape.append((tag, tuple(sorted(given))))
        self.leads += [lead for name in LEADING if (lead := given.get(name))]

    def handle_endtag(self, tag: str) -> None:
        self._is_in_checks = self._is_in_checks and tag != "ul"

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is None:  # what stands in a script or a style is not shown
            self.words.append(data)


async def keep_in_new(app: Quart, text: str) -> tuple[Visitor, dict[str, list[str]]]:
    """The owner and the pages of an organization whose every field that others can set holds the text."""
    org = await make_org()
    person = await make_person(org, f"{org.id}@acme.example")
    return await visitor_for(app, org, person), await keep(org, text)


async def test_no_page_is_built_otherwise_by_what_it_shows(app: Quart) -> None:
    assert len(SCRIPTS) >= 60
    owner, pages = await keep_in_new(app, PLAIN)
    plain = {kind: [Reader(await owner.get(path)).shape for path in paths] for kind, paths in pages.items()}
    for number, text in enumerate(SCRIPTS[::3]):
        owner, pages = await keep_in_new(app, text)
        for kind in list(pages)[number % 3 :: 3]:
            paths = pages[kind]
            for at in {0, number // 3 % len(paths)}:  # all of a kind's pages, over a few texts
                page = await owner.get(paths[at])
                assert page.status == 200, (paths[at], text)
                read = Reader(page)
                assert read.shape == plain[kind][at], (paths[at], text)
                assert not [lead for lead in read.leads if not lead.startswith(("/", "#", "data:image/"))], text
                assert RUN in " ".join(read.words) or not TELLS.search(paths[at]), (paths[at], text)


async def test_what_a_mail_holds_is_shown_in_a_sandbox_or_saved(app: Quart) -> None:
    for text in SCRIPTS[::12]:
        owner, pages = await keep_in_new(app, text)
        (row, *_), mail, template = pages["row"], pages["mail"][0], pages["template"][1]
        for path in (f"{row}/rendered", f"{mail}/rendered", f"{template}/rendered"):
            headers = (await owner.get(path)).response.headers
            policy = headers["Content-Security-Policy"]
            pictures = f"img-src data: {settings().base_url}/m/;"
            assert policy.startswith(f"sandbox; default-src 'none'; {pictures} style-src 'unsafe-inline';"), path
            assert "script" not in policy
            assert "allow-" not in policy
        attachments = await owner.get(f"{mail}?view=attachments")
        for link in attachments.soup.select(".files a"):
            headers = (await owner.get(str(link["href"]))).response.headers
            assert headers["Content-Disposition"].startswith("attachment;")
            assert headers["Content-Type"] in ("application/octet-stream", "message/rfc822")
            assert headers["X-Content-Type-Options"] == "nosniff"
        raw = (await owner.get(f"{mail}/raw.eml")).response.headers
        assert raw["Content-Disposition"].startswith("attachment")
