"""Reads mailboxes of a real IMAP server, and leaves them as they were."""

import datetime as dt
from collections.abc import Iterator

import pytest

from tests.fakes.dovecot import HOST, PASSWORD, Dovecot
from tests.sending.reports.samples import ANN, Right, mail
from tests.sending.reports.samples.others import NO_REPORTS
from tests.sending.reports.test_parse import REPORTS, UNKNOWN_USER
from webapp.sending.host_policy import HostPolicy
from webapp.sending.reports.imap import check_imap, read_imap
from webapp.sending.reports.mailbox import ImapLogin, ImapSecurity
from webapp.sending.reports.parse import parse
from webapp.sending.smtp.connect import Dialer

NOON = dt.datetime(2026, 10, 5, 12, tzinfo=dt.UTC)
LONG_AGO = dt.date(2026, 10, 1)
LETTER = mail(f"From: Ann <{ANN}>\nSubject: Hello\n\nHow are you?\n")


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
    found = await read_imap(login, dialer, None, LONG_AGO, within=60)
    assert [one.content for one in found.messages] == [UNKNOWN_USER, UNKNOWN_USER]
    assert not found.has_more
    assert dovecot.state("once") == before
    assert before[0] == [r"(UID 1 FLAGS (\Recent))", r"(UID 2 FLAGS (\Recent))", r"(UID 3 FLAGS (\Recent))"]
    again = await read_imap(login, dialer, found.cursor, LONG_AGO, within=60)
    assert (again.messages, again.cursor) == ([], found.cursor)
    dovecot.deliver("once", UNKNOWN_USER, NOON - dt.timedelta(days=90))
    (late,) = (await read_imap(login, dialer, found.cursor, LONG_AGO, within=60)).messages
    assert late.id == found.cursor.replace(":3", ":4")


async def test_each_sample_is_found_and_read_rightly(dovecot: Dovecot, dialer: Dialer) -> None:
    for sample in REPORTS + NO_REPORTS:
        dovecot.deliver("samples", sample.message, NOON)
    found = await read_imap(login_to(dovecot, "samples"), dialer, None, LONG_AGO, within=60)
    verdicts = [[Right.of(verdict) for verdict in parse(message.content)] for message in found.messages]
    assert [one for one in verdicts if one] == [sample.verdicts for sample in REPORTS]


@pytest.mark.parametrize("security", ["tls", "starttls", "none"])
async def test_it_signs_in_by_each_kind_of_security(dovecot: Dovecot, dialer: Dialer, security: ImapSecurity) -> None:
    await check_imap(login_to(dovecot, "secure", security), dialer)
