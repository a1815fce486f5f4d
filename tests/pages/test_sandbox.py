"""The sandbox's pages: what arrived, opened without harm."""

from email.message import EmailMessage

import pytest

from tests.pages.conftest import Visitor
from webapp.config import Settings
from webapp.domain.sandbox.sandbox import store_mail
from webapp.models import Organization, SandboxMail

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
PDF = b"%PDF-1.4" + bytes(range(256))


@pytest.fixture
async def mail(acme: Organization) -> SandboxMail:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "Grüße, Ann", "Acme <hello@acme.example>", "ann@example.org"
    message.set_content("Hello Ann\n")
    message.add_alternative('<h1>Hello</h1><img src="cid:logo"><img src="https://t.example/x.png">', subtype="html")
    message.get_payload()[1].add_related(PNG, "image", "png", cid="<logo>")
    message.add_attachment(PDF, maintype="application", subtype="pdf", filename="../Rechnung März.pdf")
    recipients = ["ann@example.org", "bob@example.org", "boss@example.org"]
    return await store_mail(acme.id, "hello@acme.example", recipients, message.as_bytes())


async def test_an_empty_inbox_says_what_it_is(owner: Visitor) -> None:
    page = await owner.get("/sandbox")
    assert "No emails yet" in page.text
    for address in ("bounce+x@example.com", "tempfail+x@example.com", "slow+x@example.com"):
        assert page.soup.select_one(f".copyable button[data-copy='{address}']")


async def test_received_mail_is_listed(owner: Visitor, mail: SandboxMail) -> None:
    (row,) = (await owner.get("/sandbox")).rows
    assert row[:2] == ["Grüße, Ann from Acme <hello@acme.example>", "ann@example.org and 2 more"]


async def test_a_recipients_domain_is_readable(owner: Visitor, acme: Organization) -> None:
    received = await store_mail(acme.id, "hello@acme.example", ["jörg@xn--mller-kva.example"], b"Subject: Hi\r\n\r\nHi")
    assert (await owner.get("/sandbox")).rows[0][1] == "jörg@müller.example"
    assert "jörg@müller.example" in (await owner.get(f"/sandbox/{received.id}")).text


@pytest.mark.parametrize(
    ("q", "rows"), [("grüße", 1), ("BOSS@", 1), ("hello@", 1), ("acme <", 1), ("unknown", 0), ("%", 0)]
)
async def test_the_test_inbox_is_searched_by_subject_and_address(
    owner: Visitor, rival_owner: Visitor, mail: SandboxMail, q: str, rows: int
) -> None:
    for path in ("/sandbox", "/sandbox/list"):
        assert len((await owner.get(path, query_string={"q": q})).rows) == rows
        assert (await rival_owner.get(path, query_string={"q": q})).rows == []
    await SandboxMail.filter(id=mail.id).update(from_header=None)  # received before it was saved
    assert len((await owner.get("/sandbox", query_string={"q": q})).rows) == (rows if q != "acme <" else 0)


async def test_a_mail_shows_its_envelope_and_views(owner: Visitor, mail: SandboxMail) -> None:
    place = f"/sandbox/{mail.id}"
    page = await owner.get(place)
    assert page.title == "Grüße, Ann"
    assert (page.facts["From"], page.facts["To"]) == ("Acme <hello@acme.example>", "ann@example.org")
    frame = page.soup.select_one("iframe")
    assert (frame["sandbox"], frame["src"]) == ([], f"{place}/rendered")
    assert "Hello Ann" in (await owner.get(f"{place}?view=text")).text
    headers = (await owner.get(f"{place}?view=headers")).text
    assert (
        "From (envelope) hello@acme.example To (envelope) ann@example.org, bob@example.org, boss@example.org" in headers
    )
    assert "Acme <hello@acme.example>" in headers
    assert "MIME-Version: 1.0" in (await owner.get(f"{place}?view=raw")).text
    assert "application/pdf, 264 bytes" in (await owner.get(f"{place}?view=attachments")).text
    assert (await owner.get(f"{place}/raw.eml")).data == bytes(mail.data)


@pytest.mark.parametrize(("query", "is_loaded"), [("", False), ("?images=on", True)])
async def test_images_of_other_servers_are_loaded_only_when_asked(
    owner: Visitor, rival_owner: Visitor, mail: SandboxMail, settings: Settings, query: str, *, is_loaded: bool
) -> None:
    page = await owner.get(f"/sandbox/{mail.id}{query}")
    frame = page.soup.select_one("iframe")["src"]
    assert frame == f"/sandbox/{mail.id}/rendered{query}"
    assert ("counts as an open" in page.text) == is_loaded
    rendered = await owner.get(frame)
    assert ("https://t.example/x.png" in rendered.data.decode()) == is_loaded
    policy = rendered.response.headers["Content-Security-Policy"]
    assert (f"https: {settings.base_url}/o/;" in policy) == is_loaded
    assert (await rival_owner.get(frame)).status == 404


async def test_an_attachment_is_saved_never_shown(owner: Visitor, mail: SandboxMail) -> None:
    page = await owner.get(f"/sandbox/{mail.id}?view=attachments")
    links = [link["href"] for link in page.soup.select(".files a")]
    response = (await owner.get(links[-1])).response
    assert await response.get_data() == PDF
    assert response.headers["Content-Disposition"].endswith("filename*=UTF-8''_Rechnung%20M%C3%A4rz.pdf")
    assert (await owner.get(f"/sandbox/{mail.id}/attachments/99")).status == 404


async def test_the_sandbox_is_emptied_after_asking(
    owner: Visitor, acme: Organization, rival: Organization, mail: SandboxMail
) -> None:
    for org in (acme, rival):
        await store_mail(org.id, "", ["x@example.org"], b"Subject: x\r\n\r\nhi\r\n")
    link = (await owner.get("/sandbox")).soup.select_one("a[href='/sandbox/empty']")
    ask = await owner.get(link["href"])
    assert "All 2 emails in the test inbox will be deleted permanently" in ask.text
    page = await owner.submit(ask, "/sandbox/empty")
    assert (page.path, page.notes) == ("/sandbox", ["2 emails deleted."])
    assert "No emails yet" in page.text
    assert page.soup.select_one("a[href='/sandbox/empty']") is None
    assert await SandboxMail.of(rival).count() == 1


HOSTILE = (
    "javascript:alert(1)",
    " java\tscript:alert(1)",
    "&#106;avascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "//other.example/x",
    "/sandbox/empty",
    "#top",
    "https://a.example/&#8238;gpj.exe",
    "https://a.example/ x",
    "https://a.example/" + "x" * 2_000,
)


async def test_links_of_a_mail_open_outside_of_its_frame(
    owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    message = EmailMessage()
    message["Subject"] = "Links"
    good = (
        '<a href="https://a.example/?b=1&amp;c=2">The <b>news</b> &lt;script&gt;</a><a href="https://a.example/2">'
        '<img src="x" alt="A picture"></a><A HREF=mailto:me@a.example>Me</a><a href="https://a.example/2">again</a>'
    )
    bad = "".join(f'<a href="{href}">bad</a>' for href in HOSTILE)
    message.set_content(
        f"{good}{bad}<!-- <a href='https://a.example/3'>no</a> --><a href='https://a.exa", subtype="html"
    )
    mail = await store_mail(acme.id, "a@acme.example", ["b@acme.example"], message.as_bytes())
    page = await owner.get(f"/sandbox/{mail.id}")
    links = page.soup.select("[aria-labelledby=mail-links] a")
    assert [link["href"] for link in links] == [
        "https://a.example/?b=1&c=2",
        "https://a.example/2",
        "mailto:me@a.example",
    ]
    assert [link.get_text() for link in links] == [
        "Open The news <script> in a new tab",
        "Open A picture in a new tab",
        "Open Me in a new tab",
    ]
    assert {(link["target"], " ".join(link["rel"])) for link in links} == {("_blank", "noopener noreferrer")}
    assert page.soup.select_one("iframe.mail-frame")["sandbox"] == []
    assert (await rival_owner.get(f"/sandbox/{mail.id}")).status == 404
