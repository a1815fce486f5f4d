"""Reads mailboxes by the Gmail API: its history, and a list where there is none."""

import datetime as dt
from collections.abc import Awaitable
from typing import Any

import pytest

from tests.fakes.gmail_mailboxes import READ_SCOPE
from tests.fakes.google_server import SEND_SCOPE, GoogleServer
from tests.sending.reports.samples import ANN, Right, mail, no_email
from tests.sending.reports.samples.others import NO_REPORTS
from tests.sending.reports.test_parse import REPORTS, UNKNOWN_USER
from webapp.sending.http_client import HttpClient
from webapp.sending.reports.gmail import GmailMailbox
from webapp.sending.reports.mailbox import MESSAGE_BYTES, MailboxTrouble, MailboxUnreadable, Reading
from webapp.sending.reports.parse import parse

ADA, EVE = "ada@gmail.example", "eve@gmail.example"
NOON = dt.datetime(2026, 10, 5, 12, tzinfo=dt.UTC)
LONG_AGO = dt.date(2026, 10, 1)
LETTER = mail(f"From: Ann <{ANN}>\nSubject: Hello\n\nHow are you?\n")


@pytest.fixture
def token(google: GoogleServer) -> str:
    return google.sign_in(ADA, f"{SEND_SCOPE} {READ_SCOPE}")[0]


async def read(
    google: GoogleServer, http: HttpClient, token: str, cursor: str | None = None, within: float = 60, **options: Any
) -> Reading:
    mailbox = GmailMailbox(http, google.settings.api_url, token)
    found = await mailbox.read(cursor, LONG_AGO, within=within, **options)
    assert {one.split()[0] for one in google.mailboxes.requests} == {"GET"}
    return found


async def trouble_of(work: Awaitable[object], words: str | None = None) -> MailboxTrouble:
    with pytest.raises(MailboxUnreadable, match=words) as caught:
        await work
    return caught.value.trouble


def ids(found: Reading) -> list[str]:
    return [one.id for one in found.messages]


async def test_new_reports_are_read_once(google: GoogleServer, http: HttpClient, token: str) -> None:
    mailboxes = google.mailboxes
    old = mailboxes.add(ADA, UNKNOWN_USER, at=NOON - dt.timedelta(days=9))
    mailboxes.add(ADA, LETTER)
    first = mailboxes.add(ADA, UNKNOWN_USER, labels=("SPAM",))
    mailboxes.add(EVE, UNKNOWN_USER)
    found = await read(google, http, token)
    assert (ids(found), found.has_more) == ([first], False)
    assert found.messages[0].content == UNKNOWN_USER
    assert old not in "".join(mailboxes.requests)
    again = await read(google, http, token, found.cursor)
    assert again == Reading([], found.cursor)
    mailboxes.add(EVE, UNKNOWN_USER)
    mailboxes.add(ADA, LETTER)
    second = mailboxes.add(ADA, UNKNOWN_USER, at=NOON - dt.timedelta(days=90))
    assert ids(await read(google, http, token, found.cursor)) == [second]


async def test_each_sample_is_found_and_read_rightly(google: GoogleServer, http: HttpClient, token: str) -> None:
    for sample in REPORTS + NO_REPORTS:
        google.mailboxes.add(ADA, sample.message)
    found = await read(google, http, token)
    verdicts = [[Right.of(verdict) for verdict in parse(message.content)] for message in reversed(found.messages)]
    assert [one for one in verdicts if one] == [sample.verdicts for sample in REPORTS]


async def test_what_the_account_sent_is_not_asked_for(google: GoogleServer, http: HttpClient, token: str) -> None:
    start = (await read(google, http, token)).cursor
    keys = [google.mailboxes.add(ADA, UNKNOWN_USER, labels=(label,)) for label in ("SENT", "DRAFT", "CHAT")]
    for cursor in (start, None):
        assert (await read(google, http, token, cursor)).messages == []
    assert [key for key in keys if key in "".join(google.mailboxes.requests)] == []


async def test_a_reading_examines_so_many_messages(google: GoogleServer, http: HttpClient, token: str) -> None:
    cursor: str | None = None
    for _ in range(2):  # from a list, then from the history
        keys = [google.mailboxes.add(ADA, message) for message in (UNKNOWN_USER, LETTER, UNKNOWN_USER)]
        seen: list[str] = []
        for more in (True, False):
            found = await read(google, http, token, cursor, limit=2)
            cursor, seen = found.cursor, seen + ids(found)
            assert found.has_more is more
        assert sorted(seen) == [keys[0], keys[2]]
        google.mailboxes.by_user[ADA].clear()


NO_CURSORS = ["x", "history:1:not a token", "list:5:page1&q=", f"history:{'9' * 99}"]


@pytest.mark.parametrize("cursor", [*NO_CURSORS, "history:1", "history:1:page1", "list:1000:expired"])
async def test_a_cursor_that_is_none_or_has_expired_begins_anew(
    google: GoogleServer, http: HttpClient, token: str, cursor: str
) -> None:
    google.mailboxes.forget(ADA)
    key = google.mailboxes.add(ADA, UNKNOWN_USER)
    found = await read(google, http, token, cursor)
    assert ids(found) == [key]
    assert (await read(google, http, token, found.cursor)).messages == []


async def test_of_a_big_report_its_beginning_is_read(google: GoogleServer, http: HttpClient, token: str) -> None:
    google.mailboxes.add(ADA, UNKNOWN_USER.replace(b"Dear Ann, ...", b"x" * 3_000_000))
    (found,) = (await read(google, http, token)).messages
    assert len(found.content) == MESSAGE_BYTES
    assert [Right.of(one) for one in parse(found.content)] == [no_email(ANN, original=ANN)]


async def test_a_token_for_sending_alone_may_not_read(google: GoogleServer, http: HttpClient) -> None:
    access, _ = google.sign_in(ADA)
    checking = GmailMailbox(http, google.settings.api_url, access).history_id()
    assert (
        await trouble_of(checking, "^this account doesn't have permission to read Gmail yet$") is MailboxTrouble.SCOPE
    )


@pytest.mark.parametrize(
    ("status", "reason", "message", "trouble"),
    [
        (403, "userRateLimitExceeded", "User Rate Limit Exceeded", MailboxTrouble.BUSY),
        (403, "accessNotConfigured", "Gmail API has not been used in project 1 before", MailboxTrouble.OPERATOR),
        (403, "domainPolicy", "The domain administrators have disabled Gmail apps.", MailboxTrouble.MAILBOX),
        (400, "failedPrecondition", "Mail service not enabled", MailboxTrouble.MAILBOX),
        (500, "backendError", "Backend Error", MailboxTrouble.UNREACHABLE),
    ],
)
async def test_what_each_refusal_means(
    google: GoogleServer, http: HttpClient, token: str, status: int, reason: str, message: str, trouble: MailboxTrouble
) -> None:
    google.fail("mail", status, reason, message, times=1)
    assert await trouble_of(read(google, http, token), "Gmail") is trouble


@pytest.mark.parametrize("body", [b"", b'{"historyId": "x"}', b"{" * 100_000, b'{"historyId": "' + b"1" * 2_000_000])
async def test_no_bytes_break_the_reading(google: GoogleServer, http: HttpClient, token: str, body: bytes) -> None:
    google.answer("mail", 200, body, times=1)
    trouble = await trouble_of(read(google, http, token))
    assert trouble in (MailboxTrouble.PROTOCOL, MailboxTrouble.UNREACHABLE)


@pytest.mark.parametrize(
    ("act", "seconds", "words"),
    [("hang", 1, "Gmail did not respond in time"), ("drop", 60, r"127\.0\.0\.1 closed the connection")],
)
async def test_no_answer_is_told_apart(
    google: GoogleServer, http: HttpClient, token: str, act: str, seconds: float, words: str
) -> None:
    getattr(google, act)("mail", times=1)
    assert await trouble_of(read(google, http, token, within=seconds), words) is MailboxTrouble.UNREACHABLE
