"""Mailboxes are read when they are due, go on where they were, and one that fails costs no other anything."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from tests.api.conftest import Api
from tests.domain.bounces.conftest import Mailbox, kinds_of, read_from, sent_mail
from tests.domain.bounces.test_effects import UNKNOWN
from tests.factories import make_account
from tests.fakes.gmail_mailboxes import READ_SCOPE
from tests.fakes.google_server import SEND_SCOPE, google_for
from tests.fakes.imap_server import HOST, ImapServer
from tests.sending.reports.samples import OURS, mail
from webapp import clock, config
from webapp.config import Settings
from webapp.domain.bounces.reading import MOST_DUE, read_due
from webapp.domain.instance import suspension
from webapp.models import Account, BounceReport, MailboxReading, MailLog, Organization

LETTER = mail("From: Ann <ann@example.org>\nSubject: Hello\n\nHow are you?\n")
ADA = "ada@gmail.example"
GOOGLE = {"name": "Google", "provider_type": "google"}
OWN = {"bounce_reading": "account", "bounce_imap_host": HOST, "bounce_imap_security": "none"}
DEDICATED = {"bounce_reading": "mailbox", "bounce_imap_username": "ann", "bounce_imap_password": "secret"}


async def test_a_reading_goes_on_where_the_last_one_ended(mailbox: Mailbox, acme: Organization) -> None:
    first, second = [(await sent_mail(acme, mailbox.account))[0] for _ in range(2)]
    mailbox.add(LETTER)
    mailbox.add(UNKNOWN, first.message_id)
    await mailbox.read()
    state = await mailbox.state()
    assert (state.messages, state.last_error) == (1, None)
    assert state.next_at > clock.now() + timedelta(seconds=30)
    await read_due()  # not yet
    mailbox.server.lines.clear()
    mailbox.add(UNKNOWN, second.message_id)
    await mailbox.read()
    assert (await mailbox.state()).messages == 2
    assert not any("FETCH 2 " in line for line in mailbox.server.lines)
    assert await mailbox.reports() == [("bounce", first.id), ("bounce", second.id)]


async def test_of_a_mailbox_for_bounces_everything_is_read(
    api: Api, acme: Organization, imap_server: ImapServer
) -> None:
    account = await make_account(acme)
    given = OWN | DEDICATED | {"bounce_imap_port": imap_server.port}
    assert (await api.patch(f"/v1/accounts/{account.id}", given))[0] == 200
    mailbox = Mailbox(imap_server, account)
    mailbox.add(LETTER)
    await mailbox.read()
    assert ((await mailbox.state()).messages, await mailbox.reports()) == (1, [])


async def test_a_mailbox_that_fails_waits_and_delays_no_other(
    mailbox: Mailbox, imap_server: ImapServer, acme: Organization, rival: Organization
) -> None:
    (theirs,) = await sent_mail(rival, mailbox.account)
    async with ImapServer(users={"ann": "another"}) as refusing, ImapServer() as working_one:
        refused, their_mailbox = await read_from(refusing, acme), await read_from(working_one, rival)
        imap_server.close_at("LOGIN")
        their_mailbox.add(UNKNOWN, theirs.message_id)
        await read_due()
        for failed, least, said in ((mailbox, 0, "closed"), (refused, 30, "wrong name or password")):
            state = await failed.state()
            assert said in state.last_error
            assert state.next_at > clock.now() + timedelta(minutes=least)
            assert [state.lease_token, state.cursor, state.tries] == [None, None, 1]
    assert (await MailLog.get(id=theirs.id)).bounced_at is not None
    assert (await Account.get(id=mailbox.account.id)).status == "active"  # it sends as before


async def test_of_many_due_mailboxes_each_organization_has_its_first_before_others_have_their_second(
    acme: Organization, rival: Organization
) -> None:
    for org in (acme, acme, acme, rival):
        await MailboxReading.begin(await make_account(org))
    first = await MailboxReading.due(2)
    assert {one.org_id for one in await MailboxReading.filter(id__in=first)} == {acme.id, rival.id}
    assert len(await MailboxReading.due(MOST_DUE)) == 4


async def test_two_workers_never_read_a_mailbox_at_once_and_a_changed_one_begins_anew(
    api: Api, mailbox: Mailbox, acme: Organization
) -> None:
    state = await mailbox.state()
    claims = [await MailboxReading.claim(state.id, 60) for _ in range(2)]
    assert [claim is not None for claim in claims] == [True, False]
    await api.patch(f"/v1/accounts/{mailbox.account.id}", {"bounce_imap_port": mailbox.server.port + 1})
    assert not await claims[0].release(cursor="1:9")
    assert (await mailbox.state()).cursor is None


async def test_two_readers_of_one_report_apply_it_once(mailbox: Mailbox, acme: Organization) -> None:
    (row,) = await sent_mail(acme, mailbox.account)
    mailbox.add(UNKNOWN, row.message_id)
    other = await read_from(mailbox.server, acme)
    await asyncio.gather(mailbox.read(), other.read())
    assert await kinds_of(row) == ["bounced"]
    assert len(await mailbox.reports()) + len(await other.reports()) == 1


async def test_switched_off_or_deleted_nothing_is_read(api: Api, rival_api: Api, mailbox: Mailbox) -> None:
    path = f"/v1/accounts/{mailbox.account.id}"
    assert (await rival_api.patch(path, {"bounce_reading": "off"}))[0] == 404
    assert await MailboxReading.all().count() == 1
    await api.patch(path, {"bounce_reading": "off"})
    assert await MailboxReading.all().count() == 0
    await api.patch(path, {"bounce_reading": "account"})
    await api.delete(path)
    assert await MailboxReading.all().count() == 0
    await read_due()
    assert mailbox.server.lines == []


async def test_a_google_account_reads_its_own_mailbox_once_it_may(
    api: Api, acme: Organization, rival: Organization, settings: Settings
) -> None:
    async with google_for(settings) as google:
        tokens = google.sign_in(ADA, SEND_SCOPE)
        given = {"google_email": ADA, "google_access_token": tokens[0], "google_refresh_token": tokens[1]}
        _, answer = await api.post("/v1/accounts", GOOGLE | given | {"bounce_reading": "account"})
        account = await Account.get(id=answer["data"]["id"])
        (row,) = await sent_mail(acme, account)
        report = UNKNOWN.replace(OURS.encode(), row.message_id.encode())
        google.mailboxes.add(ADA, report, at=clock.now())
        await read_due()
        state = await MailboxReading.get(account_id=account.id)
        assert state.last_error == "this account doesn't have permission to read Gmail yet"
        tokens = google.sign_in(ADA, f"{SEND_SCOPE} {READ_SCOPE}")
        given = {"google_access_token": tokens[0], "google_refresh_token": tokens[1]}
        await api.patch(f"/v1/accounts/{account.id}", given)
        google.expire()
        await read_due()
        state = await MailboxReading.get(account_id=account.id)
        assert [state.last_error, state.messages] == [None, 1]
        assert {one.split()[0] for one in google.mailboxes.requests} == {"GET"}
    assert await kinds_of(row) == ["bounced"]
    assert await BounceReport.of(rival).count() == 0


async def test_while_the_instance_is_suspended_no_mailbox_is_read(mailbox: Mailbox, acme: Organization) -> None:
    (row,) = await sent_mail(acme, mailbox.account)
    mailbox.add(UNKNOWN, row.message_id)
    await suspension.suspend_sending("a copy was restored")
    await mailbox.read()
    assert mailbox.server.lines == []
    await suspension.resume_sending()
    await mailbox.read()
    assert await kinds_of(row) == ["bounced"]


async def test_a_mailbox_is_not_blamed_for_a_secret_key_that_the_worker_lacks(
    settings: Settings, mailbox: Mailbox
) -> None:
    config.configure(replace(settings, secret_keys=(b"7" * 32,)))
    await mailbox.read()
    state = await mailbox.state()
    assert (state.last_error, state.tries, state.lease_until, state.read_at) == (None, 0, None, None)
    config.configure(settings)
    await mailbox.read()
    assert (await mailbox.state()).read_at is not None
