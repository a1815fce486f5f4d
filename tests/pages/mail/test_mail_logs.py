"""Mail logs on their pages: searched, opened, taken along as a file."""

import csv
import io
import re
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.factories import make_account, make_campaign, make_mail, make_run, tag_email, want_mail
from tests.pages.conftest import Page, Visitor
from webapp import clock
from webapp.domain.csv_writer import BOM, plain_cell
from webapp.models import Account, Attachment, AuditEntry, CampaignRun, Content, Email, MailEvent, MailLog, Organization


@pytest.fixture
async def rows(acme: Organization) -> list[UUID]:
    account = await make_account(acme)
    ids = await make_mail(acme, account, "ann@example.org", "bob@example.org")
    await MailLog.of(acme).filter(id=ids[0]).update(status="failed", error="550 5.1.1 <b>no such user</b>")
    return ids


async def found(visitor: Visitor, **asked: Any) -> list[str]:
    """The recipients that a search finds."""
    page = await visitor.get("/mail-logs", query_string={name: str(value) for name, value in asked.items()})
    assert page.status == 200, page.text
    return [row[0].split(" ")[0] for row in page.rows]


async def test_each_recipient_has_a_line(owner: Visitor, rows: list[UUID]) -> None:
    page = await owner.get("/mail-logs")
    assert [row[:4] for row in page.rows] == [
        ["bob@example.org", "Hello", "Main", "Pending"],
        ["ann@example.org 550 5.1.1 <b>no such user</b>", "Hello", "Main", "Failed"],
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"status": "error", "last_error": "535 wrong password"}, "Waiting: Main can't send"),
        ({"status": "paused"}, "Waiting: Main is paused"),
        ({"failing_since": clock.now()}, "Waiting: Main can't connect"),
        ({}, ""),
    ],
)
@pytest.mark.parametrize("path", ["/mail-logs", "/mail-logs/list", "/home"])
async def test_a_waiting_row_names_its_stopped_account(
    owner: Visitor,
    rival_owner: Visitor,
    acme: Organization,
    rival: Organization,
    rows: list[UUID],
    path: str,
    changes: dict[str, Any],
    words: str,
) -> None:
    await make_mail(rival, await make_account(rival), "rita@example.org")
    await Account.of(acme).update(**changes)
    recipients = [
        cell.get_text(" ", strip=True)
        for cell in (await owner.get(path)).soup.select(":is(#logs, #newest) .cell-title")
    ]
    assert sorted(recipients) == ["ann@example.org 550 5.1.1 <b>no such user</b>", f"bob@example.org {words}".strip()]
    assert "Waiting:" not in (await rival_owner.get(path)).text


SHUT = "could not connect to smtp.acme.example:587. Check the host and port"
LOGIN = "smtp.acme.example rejected the login: 535 5.7.8 bad credentials"
EXPIRED = "the certificate of smtp.acme.example is not valid: certificate has expired"
TLS = "smtp.acme.example ended the TLS handshake"
OFF = "smtp.office365.com rejected the login: 550 5.7.30 Basic: passwords no longer work: connect with Microsoft"


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (SHUT, f"C{SHUT[1:]}. Some hosting providers block email ports until you ask."),
        ("host smtp.acme.exmple not found", "Host smtp.acme.exmple not found. Check the spelling of the host."),
        (LOGIN, f"{LOGIN}. Check the account's username and password, or reconnect it."),
        (OFF, OFF),
        (EXPIRED, f"T{EXPIRED[1:]}. Enter the host name that the certificate is for, or renew the certificate."),
        (TLS, f"{TLS}. Check the port and encryption: 465 is usually for SSL/TLS, 587 for STARTTLS."),
        (
            "smtp.acme.example did not respond in time",
            "smtp.acme.example did not respond in time. If this continues, check the port and encryption.",
        ),
        ("550 5.1.1 <b>no such user</b>.", "550 5.1.1 <b>no such user</b>."),
        ("suppressed: bounce on 2026-11-26", "Suppressed: bounced on 26 Nov 2026"),
        ("suppressed: *@example.org, manual on 2026-11-03", "Suppressed: *@example.org, added manually on 3 Nov 2026"),
    ],
)
async def test_reasons_are_sentences_with_advice(
    owner: Visitor, acme: Organization, rows: list[UUID], reason: str, words: str
) -> None:
    await MailLog.of(acme).filter(id=rows[0]).update(error=reason)
    account = await Account.of(acme).get()
    await Account.of(acme).update(status="error", last_error=reason)
    assert (await owner.get(f"/mail-logs/{rows[0]}")).facts["Reason"] == words
    assert (await owner.get(f"/accounts/{account.id}")).facts["Last error"] == f"{words} Edit the settings"
    assert (await owner.get(f"/emails/{rows[0]}")).rows[0][0] == f"ann@example.org {words}"


async def test_everything_filters_and_all_together(owner: Visitor, acme: Organization, rival: Organization) -> None:
    first, second = await make_account(acme), await make_account(acme, name="Second")
    await make_mail(acme, first, "Ann@example.org")
    (tagged,) = await make_mail(acme, second, "bob@example.org")
    await tag_email(tagged, kind="welcome")
    campaign = await make_campaign(acme, title="Spring")
    run, _ = await make_run(acme, [first], 2)
    await CampaignRun.of(acme).update(campaign_id=campaign.id)
    await MailLog.of(acme).filter(campaign_run_id=run.id).update(campaign_id=campaign.id)
    await MailLog.of(acme).filter(to_email="reader1@example.org").update(status="failed")
    await make_mail(rival, await make_account(rival), "rita@example.org")
    theirs, _ = await make_run(rival, [], 1)
    assert await found(owner, campaign_run_id=theirs.id) == await found(owner, campaign_id=theirs.campaign_id) == []
    assert await found(owner) == ["reader1@example.org", "reader0@example.org", "bob@example.org", "Ann@example.org"]
    assert await found(owner, to="ANN@") == ["Ann@example.org"]
    assert await found(owner, account_id=second.id) == ["bob@example.org"]
    assert await found(owner, campaign_id=campaign.id, status="failed") == ["reader1@example.org"]
    assert await found(owner, campaign_run_id=run.id, to="reader0") == ["reader0@example.org"]
    assert await found(owner, tag="kind") == await found(owner, tag="kind:welcome") == ["bob@example.org"]
    assert await found(owner, tag="kind:bye") == await found(owner, account_id=uuid4()) == []
    today = clock.now().date()
    assert len(await found(owner, since=today, until=today)) == 4
    assert await found(owner, until=today - timedelta(days=1)) == []


async def test_what_means_nothing_is_told_at_its_field(owner: Visitor, rows: list[UUID]) -> None:
    page = await owner.get("/mail-logs?tag=a+b&since=yesterday&account_id=x")
    assert page.status == 400
    assert page.error_at("tag") == "Enter a name like kind, or a name and value like kind:welcome."
    assert page.error_at("since") == "Enter a date like 2026-11-20."
    assert page.error_at("account_id")
    assert (await owner.get("/mail-logs?status=nonsense")).status == 400


async def test_a_row_tells_what_became_of_it(owner: Visitor, acme: Organization, rows: list[UUID]) -> None:
    await MailEvent.create(org=acme, mail_log_id=rows[0], from_status="sending", to_status="pending", cause="451 later")
    await MailLog.of(acme).filter(id=rows[0]).update(status="sent", sent_at=clock.now(), smtp_message_id="250 queued")
    page = await owner.get(f"/mail-logs/{rows[0]}")
    assert page.title == "Hello"
    steps = [" ".join(step.get_text(" ").split()) for step in page.soup.select("ol.files li")]
    assert [re.sub(r" \w{3} \d+ .* UTC just now$", "", step) for step in steps] == [
        "Pending Added to the queue",
        "Pending 451 later",
        "Sent 250 queued",
    ]
    assert page.soup.select_one("iframe")["sandbox"] == []
    assert page.soup.select_one(f'a[href="/emails/{rows[0]}"]')


async def test_a_failed_row_of_a_campaign_leads_to_its_retry_where_one_can_be_made(
    owner: Visitor, viewer: Visitor, acme: Organization
) -> None:
    campaign, account = await make_campaign(acme, title="Spring"), await make_account(acme)
    run, (row_id,) = await make_run(acme, [account], 1)
    await MailLog.of(acme).filter(id=row_id).update(campaign_id=campaign.id, status="failed")
    await CampaignRun.of(acme).update(campaign_id=campaign.id)
    retry, place = f'a.button[href="/campaigns/{campaign.id}/runs/{run.id}/retry"]', f"/mail-logs/{row_id}"
    page = await owner.get(place)
    assert not page.soup.select(retry)  # the contact is gone
    await want_mail(acme, run)
    page = await owner.get(place)
    assert page.soup.select(retry)
    assert not (await viewer.get(place)).soup.select(retry)
    await CampaignRun.create(
        org=acme, campaign_id=campaign.id, content_id=run.content_id, trigger="retry", trigger_key=run.retry_key
    )
    assert not (await owner.get(place)).soup.select(retry)
    assert page.soup.select_one(f'a[href="/campaigns/{campaign.id}"]').text == "Spring"
    raw = await owner.get(f"/mail-logs/{row_id}?view=raw")
    assert "The message is built when it is sent." in raw.text
    await MailLog.of(acme).filter(id=row_id).update(from_email="hello@acme.example", account_id=account.id)
    headers = await owner.get(f"/mail-logs/{row_id}?view=headers")
    for words in ("From hello@acme.example", "Subject News", "List-Unsubscribe-Post List-Unsubscribe=One-Click"):
        assert words in headers.text


async def test_the_file_holds_what_is_searched_and_no_formula(
    owner: Visitor, acme: Organization, rows: list[UUID], rival: Organization
) -> None:
    await make_mail(rival, await make_account(rival), "rita@example.org")
    await Content.of(acme).update(subject="=HYPERLINK(1)", html="<p>x</p>")
    await MailLog.of(acme).filter(id=rows[0]).update(error='+550\n"no"')
    response = (await owner.get("/mail-logs/export.csv?status=failed")).response
    data = await response.get_data()
    assert response.headers["Content-Disposition"] == "attachment; filename*=UTF-8''mail-logs.csv"
    assert data.startswith(BOM)
    (line,) = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert (line["subject"], line["error"]) == ("'=HYPERLINK(1)", '\'+550\n"no"')
    assert plain_cell(line["subject"]) == "=HYPERLINK(1)"
    assert (line["id"], line["account"], line["sent_at"]) == (str(rows[0]), "Main", "")
    entry = await AuditEntry.of(acme).get(action="data.exported")
    assert (entry.target, entry.actor, entry.details) == ("mail logs", "ada@acme.example", {"status": "failed"})
    assert (await owner.get("/mail-logs/export.csv?status=x")).status == 400


async def test_what_a_mail_holds_is_opened_in_every_way(owner: Visitor, acme: Organization, rows: list[UUID]) -> None:
    await Content.of(acme).update(html='<p>Hello <img src="cid:logo"></p>', subject="Grüße")
    file = {"org": acme, "email_id": rows[0], "size": 3, "data": b"abc"}
    await Attachment.create(**file, position=0, filename="../ré sumé.pdf", content_type="application/pdf")
    await Attachment.create(**file, position=1, filename="logo.png", content_type="image/png", content_id="logo")
    place = f"/mail-logs/{rows[0]}"
    assert "data:image/png;base64,YWJj" in str((await owner.get(f"{place}/rendered")).soup)
    assert "Hello" in (await owner.get(f"{place}?view=text")).soup.select_one("#mail-text").text
    assert "To ann@example.org, bob@example.org" in (await owner.get(f"{place}?view=headers")).text
    listed = await owner.get(f"{place}?view=attachments")
    assert "../ré sumé.pdf application/pdf, 3 bytes" in listed.text
    saved = await owner.get(listed.soup.select_one(".files a.button")["href"])
    assert await saved.response.get_data() == b"abc"
    assert saved.response.headers["Content-Disposition"] == (
        "attachment; filename*=UTF-8''..%2Fr%C3%A9%20sum%C3%A9.pdf"
    )
    assert "YWJj" in (await owner.get(f"{place}?view=raw")).soup.select_one("#mail-raw").text
    whole = (await owner.get(f"{place}/raw.eml")).response
    assert whole.headers["Content-Type"] == "application/octet-stream"
    assert b"YWJj" in await whole.get_data()
    assert (await owner.get(f"{place}/attachments/7")).status == 404


async def test_what_retention_took_is_said(owner: Visitor, acme: Organization, rows: list[UUID]) -> None:
    await Email.of(acme).delete()
    await Content.of(acme).delete()
    page: Page = await owner.get(f"/mail-logs/{rows[0]}")
    assert "Content removed by the retention policy." in page.text
    assert (await owner.get(f"/mail-logs/{rows[0]}/raw.eml")).status == 404
    assert (await owner.get(f"/mail-logs/{rows[0]}/rendered")).status == 200
