"""Emails that programs submitted by SMTP, on their pages."""

from email.message import EmailMessage
from email.policy import SMTP
from uuid import UUID

import pytest

from tests.factories import make_account
from tests.pages.conftest import Visitor
from webapp.addresses import Address
from webapp.domain.emails.submit import Submission, submit_email
from webapp.models import Organization

PIXEL = bytes.fromhex("89504e470d0a1a0a")


@pytest.fixture
async def email_id(acme: Organization) -> UUID:
    await make_account(acme)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "hello@acme.example", "ann@x.example", "Grüße"
    message.set_content("Plain words")
    message.add_alternative('<p>Rich words <img src="cid:pixel"></p>', subtype="html")
    message.get_payload()[1].add_related(PIXEL, "image", "png", cid="<pixel>")  # type: ignore[index, union-attr]
    message.add_attachment(b"a,b\r\n", maintype="text", subtype="csv", filename="../Übersicht.csv")
    recipients = [Address("", "ann@x.example"), Address("", "hidden@x.example")]
    return await submit_email(acme, Submission(recipients, message.as_bytes(policy=SMTP), "from test"))


async def test_a_submitted_email_is_shown_like_any_other(owner: Visitor, email_id: UUID) -> None:
    page = await owner.get(f"/emails/{email_id}")
    assert (page.status, page.title) == (200, "Grüße")
    assert [row[:2] for row in page.rows] == [["ann@x.example", "To"], ["hidden@x.example", "Bcc"]]
    rendered = await owner.get(f"/emails/{email_id}/rendered")
    assert b"Rich words" in rendered.data
    assert b"data:image/png;base64," in rendered.data
    assert "Plain words" in (await owner.get(f"/emails/{email_id}?view=text")).text
    headers = (await owner.get(f"/emails/{email_id}?view=headers")).text
    assert "Received from test id" in headers
    assert "Content-Type: multipart/mixed" in (await owner.get(f"/emails/{email_id}?view=raw")).text


async def test_its_files_are_listed_and_downloaded(owner: Visitor, rival_owner: Visitor, email_id: UUID) -> None:
    page = await owner.get(f"/emails/{email_id}?view=attachments")
    assert "Übersicht.csv text/csv" in page.text
    for path in (f"/emails/{email_id}/attachments/1", f"/mail-logs/{email_id}/attachments/1"):
        assert (await owner.get(path)).data == b"a,b\r\n"
        assert (await rival_owner.get(path)).status == 404
    assert (await owner.get(f"/emails/{email_id}/attachments/7")).status == 404
    raw = (await owner.get(f"/emails/{email_id}/raw.eml")).data
    assert raw.startswith(b"Received: from test id ")
