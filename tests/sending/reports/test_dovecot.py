"""Reads mailboxes of a real IMAP server, and leaves them as they were."""

import datetime as dt
from collections.abc import Iterator

import pytest

from tests.fakes.dovecot import HOST, PASSWORD, Dovecot
from tests.sending.reports.samples import ANN, OURS, Right, mail, no_email
from tests.sending.reports.samples.others import NO_REPORTS
from tests.sending.reports.samples.servers import postfix, postfix_group
from tests.sending.reports.test_parse import REPORTS, UNKNOWN_USER
from webapp.sending.host_policy import HostPolicy
from webapp.sending.reports.imap import check_imap, read_imap
from webapp.sending.reports.mailbox import MESSAGE_BYTES, ImapLogin, ImapSecurity, MailboxTrouble, MailboxUnreadable
from webapp.sending.reports.parse import parse
from webapp.sending.smtp.connect import Dialer

NOON = dt.datetime(2026, 10, 5, 12, tzinfo=dt.UTC)
LONG_AGO = dt.date(2026, 10, 1)
LETTER = mail(f"From: Ann <{ANN}>\nSubject: Hello\n\nHow are you?\n")
MANY = 20_001  # three searches; more are in test_imap.py


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    with Dovecot() as server:
        yield server


def login_to(dovecot: Dovecot, user: str, security: ImapSecurity = "none", **changes: str) -> ImapLogin:
    port = dovecot.tls_port if security == "tls" else dovecot.port
    return ImapLogin(
        HOST, port, user, changes.pop("password", PASSWORD), security, policy=HostPolicy(allow_private=True), **changes
    )


async def test_new_reports_are_read_once_and_nothing_is_changed(dovecot: Dovecot, dialer: Dialer) -> None:
    for message in (UNKNOWN_USER, LETTER, UNKNOWN_USER):
        dovecot.deliver("once", message, NOON)
    login, before = login_to(dovecot, "once"), dovecot.state("once")
    found = await read_imap(login, dialer, None, LONG_AGO)
    assert [one.content for one in found.messages] == [UNKNOWN_USER, UNKNOWN_USER]
    assert not found.has_more
    assert dovecot.state("once") == before
    assert before[0] == [r"(UID 1 FLAGS (\Recent))", r"(UID 2 FLAGS (\Recent))", r"(UID 3 FLAGS (\Recent))"]
    again = await read_imap(login, dialer, found.cursor, LONG_AGO)
    assert (again.messages, again.cursor) == ([], found.cursor)
    dovecot.deliver("once", UNKNOWN_USER, NOON - dt.timedelta(days=90))
    (late,) = (await read_imap(login, dialer, found.cursor, LONG_AGO)).messages
    assert late.id == found.cursor.replace(":3", ":4")


async def test_each_sample_is_found_and_read_rightly(dovecot: Dovecot, dialer: Dialer) -> None:
    for sample in REPORTS + NO_REPORTS:
        dovecot.deliver("samples", sample.message, NOON)
    found = await read_imap(login_to(dovecot, "samples"), dialer, None, LONG_AGO)
    verdicts = [[Right.of(verdict) for verdict in parse(message.content)] for message in found.messages]
    assert [one for one in verdicts if one] == [sample.verdicts for sample in REPORTS]


async def test_of_a_report_of_30_mb_its_beginning_is_read(dovecot: Dovecot, dialer: Dialer) -> None:
    dovecot.deliver("big", UNKNOWN_USER.replace(b"Dear Ann, ...", b"x" * 60 + b"\r\n" * 15_000_000), NOON)
    (found,) = (await read_imap(login_to(dovecot, "big"), dialer, None, LONG_AGO)).messages
    assert len(found.content) == MESSAGE_BYTES
    assert [Right.of(one) for one in parse(found.content)] == [no_email(ANN, original=ANN)]


@pytest.mark.parametrize("security", ["tls", "starttls", "none"])
async def test_it_signs_in_by_each_kind_of_security(dovecot: Dovecot, dialer: Dialer, security: ImapSecurity) -> None:
    await check_imap(login_to(dovecot, "secure", security), dialer)


async def test_a_mailbox_that_does_not_exist_is_named(dovecot: Dovecot, dialer: Dialer) -> None:
    with pytest.raises(MailboxUnreadable, match=r"did not open Rücksendungen: .*doesn't exist") as caught:
        await check_imap(login_to(dovecot, "missing", mailbox="Rücksendungen"), dialer)
    assert caught.value.trouble is MailboxTrouble.MAILBOX


async def test_a_mailbox_beyond_ascii_is_opened(dovecot: Dovecot, dialer: Dialer) -> None:
    folder = dovecot.home("named") / "Maildir" / ".R&APw-cksendungen"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    dovecot.give(dovecot.home("named"))
    await check_imap(login_to(dovecot, "named", mailbox="Rücksendungen"), dialer)


async def test_reports_are_found_among_thousands_of_messages(dialer: Dialer) -> None:
    old = b"From MAILER-DAEMON Mon Jan  6 12:00:00 2025\nFrom: mailer-daemon@example.net\n\nx\n\n"
    new = b"From MAILER-DAEMON Mon Oct  5 12:00:00 2026\n"
    report = postfix(postfix_group(ANN, "5.1.1", "smtp; 550 5.1.1 unknown")).replace(b"\r\n", b"\n")
    with Dovecot("mbox:~/mail:INBOX=~/inbox") as dovecot:
        (dovecot.home("many") / "inbox").write_bytes(old * (MANY - 2) + new + report + b"\n" + new + LETTER + b"\n")
        dovecot.give(dovecot.home("many"))
        found = await read_imap(login_to(dovecot, "many"), dialer, None, LONG_AGO)
        assert [parse(one.content)[0].message_ids for one in found.messages] == [(OURS,)]
        assert found.cursor.endswith(f":{MANY}")
        (first, *_) = (await read_imap(login_to(dovecot, "many"), dialer, None, dt.date(2020, 1, 1), limit=1)).messages
        assert first.id.endswith(":1")
