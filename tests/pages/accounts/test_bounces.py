"""The mailbox of an account's bounces on its pages: set up, tried before it is saved, and what was read."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.factories import account_on, make_account, make_mail
from tests.fakes.gmail_mailboxes import READ_SCOPE
from tests.fakes.google_server import SEND_SCOPE, GoogleServer
from tests.fakes.imap_server import HOST, ImapServer
from tests.fakes.smtp_server import SmtpServer
from tests.pages.accounts.test_google import USER, connect, link_of, path_of
from tests.pages.conftest import Visitor
from webapp import clock
from webapp.domain.accounts.credentials import imap_login
from webapp.models import Account, BounceReport, MailboxReading, Organization


def typed(server: ImapServer) -> dict[str, str]:
    mailbox = {"host": HOST, "port": str(server.port), "security": "none", "username": "ann", "password": "secret"}
    return {"bounce_reading": "mailbox", **{f"bounce_imap_{name}": value for name, value in mailbox.items()}}


async def test_a_mailbox_is_set_up_changed_and_switched_off(
    owner: Visitor, acme: Organization, imap_server: ImapServer
) -> None:
    account = await make_account(acme)
    place = f"/accounts/{account.id}/bounces"
    page = await owner.submit(await owner.get(place), place, **typed(imap_server))
    assert (page.path, page.notes) == (place, ["Saved. The mailbox is read now."])
    assert "secret" not in str(page.soup)
    assert imap_login(await Account.get(id=account.id)).password == "secret"
    await owner.submit(page, place, bounce_imap_password="")
    assert imap_login(await Account.get(id=account.id)).password == "secret"
    assert "Read from a separate mailbox." in (await owner.get(f"/accounts/{account.id}")).text
    page = await owner.submit(await owner.get(place), place, bounce_reading="off")
    assert page.notes == ["Bounces are not read any more."]
    assert await MailboxReading.all().count() == 0


@pytest.mark.parametrize(
    ("fields", "at", "words"),
    [
        ({"bounce_imap_password": "wrong"}, "bounce_imap_password", f"{HOST} rejected the login"),
        ({"bounce_imap_host": ""}, "bounce_imap_host", "Host is required to read bounces from this mailbox."),
        ({"bounce_imap_port": "70000"}, "bounce_imap_port", "Enter a port from 1 to 65535."),
        ({"bounce_reading": "account"}, "", "The account's username is required to read bounces from this mailbox."),
    ],
)
async def test_what_does_not_work_is_said_at_its_field_and_not_saved(
    owner: Visitor, acme: Organization, imap_server: ImapServer, fields: dict[str, str], at: str, words: str
) -> None:
    account = await make_account(acme)
    place = f"/accounts/{account.id}/bounces"
    page = await owner.submit(await owner.get(place), place, **typed(imap_server) | fields)
    assert page.status == 422
    assert words in str(page.error_at(at) if at else page.text)
    assert (await Account.get(id=account.id)).bounce_reading == "off"
    assert await MailboxReading.all().count() == 0


async def test_a_google_account_is_asked_to_let_its_mailbox_be_read(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    await connect(owner, google)
    account = await Account.of(acme).get()
    place = f"/accounts/{account.id}/bounces"
    page = await owner.submit(await owner.get(place), place, bounce_reading="account")
    assert page.notes == ["Saved. Now let Pennypost read this account's mailbox."]
    assert page.path == f"/accounts/{account.id}/google"
    asked = parse_qs(urlsplit(link_of(page)).query)["scope"][0]
    assert set(asked.split()) >= {SEND_SCOPE, READ_SCOPE}
    await owner.get(path_of(google.consent(link_of(page), USER)))
    page = await owner.submit(await owner.get(place), place, bounce_reading="account")
    assert (page.path, page.notes) == (place, ["Saved. The mailbox is read now."])
    assert (await MailboxReading.of(acme).get()).account_id == account.id


async def test_what_was_read_is_listed(owner: Visitor, viewer: Visitor, acme: Organization) -> None:
    account = await make_account(
        acme, bounce_reading="account", bounce_warning="rejected", bounce_warned_at=clock.now()
    )
    await MailboxReading.begin(account)
    await MailboxReading.all().update(last_error="imap.example.com rejected the login", messages=12)
    (row_id,) = await make_mail(acme, account)
    common: dict[str, Any] = {"org": acme, "account_id": account.id, "kind": "bounce"}
    common["verdict"] = "bounced: 550 5.1.1 no such user"
    await BounceReport.create(**common, recipient="ann@example.org", mail_log_id=row_id, is_certain=True)
    await BounceReport.create(**common)
    page = await viewer.get(f"/accounts/{account.id}/bounces")
    assert page.soup.select_one("form.form") is None
    assert [row[:3] for row in page.rows] == [
        ["Withheld", "Bounced: 550 5.1.1 no such user", "Ignored"],
        ["ann@example.org", "Bounced: 550 5.1.1 no such user", "View delivery"],
    ]
    for said in ("imap.example.com rejected the login", "12", "1 report"):
        assert said in page.text
    assert "Rejected" in (await owner.get(f"/accounts/{account.id}")).text


async def test_tagged_return_paths_are_tried_as_they_are_switched_on(
    owner: Visitor, acme: Organization, imap_server: ImapServer, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    place, detail = f"/accounts/{account.id}/bounces", f"/accounts/{account.id}"
    smtp_server.refuse_tags("RCPT", "553 5.7.1 <hello+x@acme.example>: not yours")
    page = await owner.submit(await owner.get(place), place, **typed(imap_server), bounce_verp="1")
    assert page.notes == [
        "Saved. The mailbox is read now. Tagged return paths don't work, so emails keep the plain one."
    ]
    assert "Not tagged: 553 5.7.1 <hello+x@acme.example>: not yours" in page.text
    smtp_server.heal()
    page = await owner.submit(await owner.get(detail), f"{detail}/test-login")
    assert page.notes == ["“Main”: login successful; the server accepts tagged return paths."]
    assert "The return path of each email is tagged." in (await owner.get(detail)).text
    await owner.submit(await owner.get(place), place)  # without what is not ticked
    assert (await Account.get(id=account.id)).bounce_verp is False
