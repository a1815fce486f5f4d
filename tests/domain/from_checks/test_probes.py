"""A probe goes out like any email, and what the server that received it wrote is read back from a mailbox."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.domain.from_checks.conftest import DOMAIN
from tests.factories import account_on, make_suppression
from tests.fakes.gmail_mailboxes import READ_SCOPE
from tests.fakes.google_server import SEND_SCOPE, google_for
from tests.fakes.imap_server import HOST, ImapServer
from tests.fakes.name_server import NameServer
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.sending.reports.test_authentication import ALIGNED, EIGHT_KINDS, OTHERS, received, results
from webapp import clock
from webapp.config import Settings
from webapp.domain.bounces.reading import read_due
from webapp.domain.from_checks.checking import check_due
from webapp.models import Account, FromCheck, MailboxReading, Organization
from webapp.models.base.org_model import AT_ONCE
from webapp.sending.reports.authentication import Judgement

HELLO = f"hello@{DOMAIN}"
TO = f"bounces@{DOMAIN}"


class Probed:
    """An account whose emails arrive in a mailbox that it reads."""

    def __init__(self, api: Api, account: Account, settings: Settings, smtp: SmtpServer, imap: ImapServer) -> None:
        self.api, self.account, self.settings, self.smtp, self.imap = api, account, settings, smtp, imap
        self.path = f"/v1/accounts/{account.id}/from-check"

    async def send(self, **fields: Any) -> dict[str, Any]:
        status, answer = await self.api.post(self.path, fields)
        assert status == 200, answer
        await deliver_all(self.settings)
        found: dict[str, Any] = answer["data"]
        return found

    @property
    def sent(self) -> str:
        return self.smtp.messages[-1].content.decode()

    def arrive(self, fields: str, forged: str = "") -> None:
        """The last email, with the fields of the server that received it and what the sender forged."""
        message = received(fields, sent=forged + self.sent.replace("\r\n", "\n"))
        self.imap.add(message.replace(b"\n", b"\r\n"), clock.now().date())

    async def read(self) -> dict[str, Any]:
        await MailboxReading.all().update(next_at=AT_ONCE)
        await read_due()
        await check_due()
        found: dict[str, Any] = (await self.api.get(self.path))[1]["data"]
        return found


@pytest.fixture(params=["mailbox", "account"])
async def probed(
    request: pytest.FixtureRequest, api: Api, acme: Organization, configured: Settings, imap_server: ImapServer
) -> AsyncIterator[Probed]:
    async with SmtpServer(users={HELLO: "secret"}) as smtp:
        imap_server.users[HELLO] = imap_server.users[TO] = "secret"
        account = await account_on(smtp, acme, from_email=HELLO, smtp_username=HELLO, password="secret")
        changes = {"bounce_reading": request.param, "bounce_imap_host": HOST, "bounce_imap_port": imap_server.port}
        changes |= {"bounce_imap_security": "none"}
        if request.param == "mailbox":
            changes |= {"bounce_imap_username": TO, "bounce_imap_password": "secret"}
        assert (await api.patch(f"/v1/accounts/{account.id}", changes))[0] == 200
        yield Probed(api, account, configured, smtp, imap_server)


@pytest.mark.parametrize(("fields", "forged", "expected"), EIGHT_KINDS.values(), ids=EIGHT_KINDS)
async def test_each_of_eight_kinds_gives_the_right_verdict(
    probed: Probed, fields: str, forged: str, expected: Judgement
) -> None:
    pending = await probed.send()
    assert pending["probe"]["state"] == "pending"
    probed.arrive(fields, forged)
    found = await probed.read()
    assert (found["verdict"], found["probe"]["state"]) == (expected.value, "read")
    aligned = {Judgement.PASSING: True, Judgement.FAILING: False, Judgement.UNKNOWN: None}
    assert found["probe"]["aligned"] == aligned[expected]
    assert bool(found["findings"]) == (expected is not Judgement.PASSING)


async def test_a_probe_is_an_ordinary_email_and_its_results_are_told(probed: Probed) -> None:
    found = await probed.send()
    email_id, to = found["probe"]["email_id"], found["probe"]["to"]
    assert to == (TO if probed.account.bounce_reading == "mailbox" or to == TO else HELLO)
    _, answer = await probed.api.get(f"/v1/emails/{email_id}")
    assert (answer["data"]["status"], answer["data"]["to"]) == ("sent", [to])
    probed.arrive(results(f"spf=pass smtp.mailfrom=a@{DOMAIN}; dkim=none"))
    found = await probed.read()
    probe = found["probe"]
    assert probe["server"] == "mx.receiver.example"
    assert probe["spf"] == {"result": "pass", "domain": DOMAIN, "aligned": True}
    assert probe["dkim"] == [{"result": "none", "domain": "", "aligned": False}]
    assert [one["code"] for one in found["findings"]] == ["dkim_unsigned"]


async def test_results_that_do_not_align_are_named_with_their_domain(probed: Probed, names: NameServer) -> None:
    await probed.send()
    probed.arrive(results(OTHERS))
    (fault,) = (await probed.read())["findings"]
    assert fault["code"] == "probe_not_aligned"
    assert (
        "passed SPF for sender.example and DKIM for sender.example, but not for northwind.example" in fault["sentence"]
    )
    names.text(f"_dmarc.{DOMAIN}", "v=DMARC1; p=none; adkim=s; aspf=s")
    await probed.send()
    probed.arrive(results(f"dkim=pass header.d=mail.{DOMAIN}; spf=pass smtp.mailfrom=a@mail.{DOMAIN}"))
    assert (await probed.read())["verdict"] == "failing"


async def test_a_probe_that_does_not_come_back_is_unknown(probed: Probed) -> None:
    await probed.send()
    assert (await probed.read())["probe"]["state"] == "pending"
    row = await FromCheck.get()
    assert row.next_at <= row.probe_sent_at + timedelta(hours=1)
    await FromCheck.all().update(probe_sent_at=clock.now() - timedelta(minutes=61), next_at=AT_ONCE)
    probed.arrive(results(ALIGNED))  # too late
    found = await probed.read()
    assert (found["verdict"], found["probe"]["state"]) == ("unknown", "lost")
    assert [one["code"] for one in found["findings"]] == ["probe_lost"]


async def test_a_second_copy_and_a_strangers_mail_change_nothing(
    probed: Probed, rival: Organization, imap_server: ImapServer
) -> None:
    await probed.send()
    stranger = await account_on(probed.smtp, rival, from_email=HELLO)
    await FromCheck.begin(stranger)
    probed.imap.add(b"Subject: Does mail pass? (0123456789abcdef01234567)\r\n\r\nno\r\n", clock.now().date())
    probed.arrive(results(ALIGNED))
    probed.arrive(results("spf=fail; dkim=fail"))
    assert (await probed.read())["verdict"] == "passing"
    assert (await FromCheck.get(account_id=stranger.id)).probe_read_at is None


async def test_only_addresses_that_are_read_get_a_probe_and_only_three_an_hour(probed: Probed) -> None:
    assert await probed.api.refused("POST", probed.path, {"to": "ann@elsewhere.example"}) == "to"
    assert await probed.api.refused("POST", probed.path, {"to": "no address"}) == "to"
    await make_suppression(await probed.account.org, HELLO)
    assert await probed.api.refused("POST", probed.path, {"to": HELLO}) == "to"
    await probed.api.delete(f"/v1/suppressions/{HELLO}")
    for _ in range(3):
        await probed.send(to=HELLO.upper())
    status, answer = await probed.api.post(probed.path, {})
    assert (status, answer["message"]) == (429, "Limit of 3 probes per hour and account reached.")
    assert len(probed.smtp.messages) == 3


async def test_without_a_mailbox_that_is_read_nothing_is_sent(
    api: Api, acme: Organization, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme, from_email=HELLO)
    status, answer = await api.post(f"/v1/accounts/{account.id}/from-check", {})
    assert status == 409
    assert "switch on reading bounces for this account first" in answer["message"]


async def test_a_probe_sent_while_the_mailbox_is_read_is_read_next_time(probed: Probed) -> None:
    await probed.read()
    cursor = (await MailboxReading.get()).cursor
    await probed.send()
    probed.arrive(results(ALIGNED))
    await FromCheck.all().update(probe_sent_at=None)  # so that this reading knows of none
    await probed.read()
    await MailboxReading.all().update(cursor=cursor)
    await FromCheck.all().update(probe_sent_at=clock.now())
    assert (await probed.read())["verdict"] == "passing"


async def test_a_google_account_reads_its_probe_by_the_gmail_api(
    api: Api, acme: Organization, configured: Settings
) -> None:
    async with google_for(configured) as google:
        tokens = google.sign_in(HELLO, f"{SEND_SCOPE} {READ_SCOPE}")
        given = {"google_email": HELLO, "google_access_token": tokens[0], "google_refresh_token": tokens[1]}
        account = await api.create("/v1/accounts", {"name": "Google", "provider_type": "google"} | given)
        path = f"/v1/accounts/{account['id']}"
        assert (await api.patch(path, {"bounce_reading": "account"}))[0] == 200
        await read_due()
        await MailboxReading.all().update(next_at=AT_ONCE)
        await api.post(f"{path}/from-check", {})
        token = (await FromCheck.get()).probe_token
        google.mailboxes.add(HELLO, b"Subject: Lunch?\r\n\r\nyes\r\n", at=clock.now())
        message = received(results(ALIGNED), sent=f"From: {HELLO}\nSubject: Does mail pass? ({token})\n\nhi\n")
        google.mailboxes.add(HELLO, message.replace(b"\n", b"\r\n"), ("SENT", "INBOX"), at=clock.now())
        await read_due()
        await check_due()
        found = (await api.get(f"{path}/from-check"))[1]["data"]
        assert (found["verdict"], found["probe"]["server"]) == ("passing", "mx.receiver.example")
        assert (await MailboxReading.get()).messages == 1
