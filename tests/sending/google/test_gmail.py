"""The Gmail API against a server: what goes over the wire, what each answer means, and how far a request had come."""

import asyncio

import pytest

from tests.fakes.google_server import GoogleServer
from tests.fakes.stream_server import StreamServer
from tests.faults.support.world import until
from tests.sending.conftest import MESSAGE
from tests.sending.conftest import send as send_message
from webapp.sending.api_session import ApiSession
from webapp.sending.google.gmail import GMAIL, LARGEST, UPLOAD_FROM
from webapp.sending.http_client import HttpClient
from webapp.sending.outcomes import Blame, Delivered, Outcome, Phase, Refused, TryLater, Unknown
from webapp.sending.smtp.transaction import Envelope

ADA = Envelope("me@gmail.example", ("ada@example.org",))
MAIL = b"To: ada@example.org\r\n" + MESSAGE


@pytest.fixture
def gmail(google: GoogleServer, http: HttpClient) -> ApiSession:
    access, _ = google.sign_in("me@gmail.example")
    return ApiSession(GMAIL, http, google.settings.api_url, access, is_renewed=True)


async def send(gmail: ApiSession, message: bytes = MAIL) -> Outcome:
    (outcome,) = (await send_message(gmail, ADA, message)).values()
    return outcome


async def test_a_message_arrives_as_it_is_and_the_outcome_has_its_id(google: GoogleServer, gmail: ApiSession) -> None:
    outcome = await send(gmail)
    (sent,) = google.messages
    assert outcome == Delivered(200, sent.id)
    assert (sent.raw, sent.path, sent.user) == (MAIL, "/gmail/v1/users/me/messages/send", "me@gmail.example")


async def test_a_big_message_is_uploaded(google: GoogleServer, gmail: ApiSession) -> None:
    big = MAIL + b"x" * UPLOAD_FROM
    assert isinstance(await send(gmail, big), Delivered)
    assert (google.messages[0].raw, google.messages[0].path[:8]) == (big, "/upload/")


async def test_what_gmail_never_takes_is_not_sent_there(google: GoogleServer, gmail: ApiSession) -> None:
    outcome = await send(gmail, MAIL + b"x" * LARGEST)
    assert isinstance(outcome, Refused)
    assert outcome.text.startswith("the message has 36,700,")
    assert google.requests["send"] == 0


@pytest.mark.parametrize(
    ("status", "reason", "message", "blame"),
    [
        (403, "rateLimitExceeded", "Rate Limit Exceeded", Blame.THROTTLED),
        (429, "rateLimitExceeded", "Too many concurrent requests for user", Blame.THROTTLED),
        (403, "dailyLimitExceeded", "Daily Limit Exceeded", Blame.QUOTA_EXHAUSTED),
        (429, "rateLimitExceeded", "Daily user sending limit exceeded", Blame.QUOTA_EXHAUSTED),
        (403, "domainPolicy", "The domain administrators have disabled Gmail apps.", Blame.MISCONFIGURED),
        (400, "failedPrecondition", "Mail service not enabled", Blame.NOT_READY),
        (307, "", "", Blame.MISCONFIGURED),
        (401, "authError", "Invalid Credentials", Blame.MISCONFIGURED),
        (500, "backendError", "Backend Error", Blame.UNREACHABLE),
    ],
)
async def test_what_each_refusal_means(
    google: GoogleServer, gmail: ApiSession, status: int, reason: str, message: str, blame: Blame
) -> None:
    google.fail("send", status, reason, message)
    outcome = await send(gmail)
    assert isinstance(outcome, TryLater)
    assert (outcome.code, outcome.blame) == (status, blame)
    assert message in outcome.text


async def test_gmail_says_how_long_to_wait(google: GoogleServer, gmail: ApiSession) -> None:
    google.fail("send", 429, "rateLimitExceeded", "Too many concurrent requests for user", retry_after=90)
    outcome = await send(gmail)
    assert isinstance(outcome, TryLater)
    assert (outcome.blame, outcome.wait) == (Blame.THROTTLED, 90)


async def test_a_bad_recipient_is_refused_in_gmails_words(google: GoogleServer, gmail: ApiSession) -> None:
    google.fail("send", 400, "invalidArgument", "Invalid To header\x1b[1m")
    assert await send(gmail) == Refused(400, "400 Invalid To header [1m", Phase.DATA)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (403, b"<html>", TryLater),
        (403, b'{"error": {"errors": [1]}}', TryLater),
        (200, b"", Unknown),
        (200, b'{"id": 1}', Unknown),
        (200, b"x" * 1_100_000, Unknown),
    ],
)
async def test_an_answer_that_says_too_little_is_no_acceptance(
    google: GoogleServer, gmail: ApiSession, status: int, body: bytes, kind: type[Outcome]
) -> None:
    google.answer("send", status, body)
    assert isinstance(await send(gmail), kind)


async def test_a_server_that_is_not_there_is_no_messages_fault(google: GoogleServer, http: HttpClient) -> None:
    async with GoogleServer() as gone:
        url = gone.settings.api_url
    outcome = await send(ApiSession(GMAIL, http, url, "token"))
    assert outcome == TryLater(None, "could not connect to 127.0.0.1", Phase.CONNECT, Blame.UNREACHABLE)


async def test_a_drop_after_the_request_is_unknown_and_not_repeated(google: GoogleServer, gmail: ApiSession) -> None:
    google.drop("send")
    assert await send(gmail) == Unknown("127.0.0.1 closed the connection", Phase.DOT)
    assert google.requests["send"] == 1


async def test_what_is_cut_after_the_request_is_unknown(
    google: GoogleServer, gmail: ApiSession, http: HttpClient
) -> None:
    google.hang("send")
    sending = asyncio.create_task(send(gmail))
    await until(lambda: google.requests["send"] == 1)
    await http.aclose()
    assert await sending == Unknown("the worker is shutting down", Phase.DOT)
    assert await send(gmail) == TryLater(None, "the worker is shutting down", Phase.CONNECT, Blame.UNREACHABLE)


async def test_a_drop_while_the_message_travels_counts_as_its_attempt(http: HttpClient) -> None:
    async def hang_up(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")

    async with StreamServer(hang_up) as server:
        outcome = await send(
            ApiSession(GMAIL, http, f"http://127.0.0.1:{server.port}", "token"), MAIL + b"x" * 30_000_000
        )
    assert outcome == TryLater(None, "127.0.0.1 closed the connection", Phase.DATA, Blame.MESSAGE)
