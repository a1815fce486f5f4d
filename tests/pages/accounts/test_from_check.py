"""The check of a From address on the pages of an account, the accounts, the dashboard and a campaign's review."""

import pytest

from tests.factories import account_on, make_account, make_campaign, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.pages.conftest import Visitor
from webapp import clock
from webapp.models import Account, FromCheck, Organization

REFUSED = "Gmail and Yahoo refuse bulk mail from acme.example: there is no DMARC record."
RECORD = {"type": "TXT", "name": "_dmarc.acme.example", "value": "v=DMARC1; p=none"}
IN_WORDS = f"{REFUSED} Add TXT _dmarc.acme.example: v=DMARC1; p=none"


async def fail(account: Account) -> str:
    """An account whose From address fails; returns the path of the check."""
    fault = {"code": "dmarc_missing", "severity": "error", "sentence": REFUSED, "record": RECORD}
    await FromCheck.begin(account)
    await FromCheck.of_account(account).update(verdict="failing", findings=[fault], checked_at=clock.now())
    return f"/accounts/{account.id}/from-check"


async def test_findings_are_shown_to_everyone_and_checking_to_those_who_may(
    owner: Visitor, viewer: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    path = await fail(await make_account(acme))
    for visitor in (owner, viewer):
        page = await visitor.get(path)
        assert all(words in page.text for words in ("Failing", REFUSED, RECORD["name"], RECORD["value"]))
    assert (await viewer.get(path)).soup.select_one("main form[method=post]") is None
    assert "once it may read a mailbox of this account" in (await owner.get(path)).text
    assert (await rival_owner.get(path)).status == 404


async def test_a_failing_address_is_named_wherever_it_matters(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    account = await make_account(acme)
    await fail(account)
    await fail(await make_account(acme, name="Second"))
    await fail(await make_account(rival, name="Theirs"))
    campaign = await make_campaign(acme, segment=await make_segment(acme), template=await make_template(acme))
    assert IN_WORDS in (await owner.get(f"/accounts/{account.id}")).text
    assert (await owner.get("/accounts")).text.count(REFUSED) == 2
    for path in ("/home", f"/campaigns/{campaign.id}/review"):
        assert (await owner.get(path)).text.count(IN_WORDS) == 1  # of the domain, however many accounts send from it
    await Account.all().update(from_email="hello@other.example")
    for path in ("/home", "/accounts", f"/campaigns/{campaign.id}/review"):
        assert "DMARC" not in (await owner.get(path)).text


async def test_a_probe_is_sent_from_the_form(owner: Visitor, acme: Organization, smtp_server: SmtpServer) -> None:
    mailbox = {"bounce_reading": "mailbox", "bounce_imap_host": "127.0.0.1", "bounce_imap_username": "bounces"}
    account = await account_on(smtp_server, acme, **mailbox)
    path = await fail(account)
    page = await owner.submit(await owner.get(path), path, to="bounces@acme.example")
    assert page.notes == ["Probe sent. Its results appear here once it was read."]
    assert "Not yet" in page.text
    page = await owner.submit(page, path, to="ann@elsewhere.example")
    assert page.status == 422
    assert "must be an address whose mailbox is read" in page.text


@pytest.mark.parametrize("fields", [{"is_sandbox": True}, {"from_email": None}])
async def test_without_anything_to_check_there_is_no_button(
    owner: Visitor, acme: Organization, fields: dict[str, object]
) -> None:
    account = await make_account(acme, **fields)
    page = await owner.get(f"/accounts/{account.id}/from-check")
    assert "there is nothing to check" in page.text
    assert page.soup.select_one("main form[method=post]") is None
