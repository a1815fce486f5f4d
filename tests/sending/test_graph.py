"""Microsoft Graph against a server: what goes over the wire, and what each answer means."""

import asyncio

import pytest

from tests.fakes.google_server import GoogleServer
from tests.fakes.graph_api import GRAPH_SCOPE
from tests.faults.support.world import until
from tests.sending.conftest import MESSAGE
from tests.sending.conftest import send as send_message
from webapp.sending.api_session import ApiSession
from webapp.sending.graph import LARGEST, graph_for
from webapp.sending.http_client import HttpClient
from webapp.sending.outcomes import Blame, Delivered, Outcome, Phase, Refused, TryLater, Unknown
from webapp.sending.smtp.session import Stale
from webapp.sending.smtp.transaction import Envelope

USER = "me@acme.example"
ENVELOPE = Envelope(USER, ("ada@example.org", "eve@example.org"))
MAIL = b"From: Me <me@acme.example>\r\nTo: ada@example.org\r\nIn-Reply-To: <1@example.org>\r\n" + MESSAGE


@pytest.fixture
def graph(google: GoogleServer, http: HttpClient) -> ApiSession:
    return session(google, http)


def session(google: GoogleServer, http: HttpClient, scope: str = GRAPH_SCOPE, *, is_renewed: bool = True) -> ApiSession:
    access, _ = google.sign_in(USER, scope)
    return ApiSession(graph_for(), http, google.microsoft.api_url, access, is_renewed=is_renewed)


async def send(graph: ApiSession, message: bytes = MAIL) -> Outcome:
    (outcome,) = set((await send_message(graph, ENVELOPE, message)).values())
    return outcome


async def test_a_message_arrives_with_its_headers_and_bcc_names_hidden_recipients(
    google: GoogleServer, graph: ApiSession
) -> None:
    assert await send(graph) == Delivered(202, "accepted by Microsoft Graph")
    (sent,) = google.graph.messages
    head, _, body = MAIL.partition(b"\r\n\r\n")
    assert sent.raw == head + b"\r\nBcc: eve@example.org\r\n\r\n" + body
    assert (sent.user, sent.recipients) == (USER, list(ENVELOPE.recipients))
    assert "eve@example.org" not in sent.delivered.as_string()


@pytest.mark.parametrize(("size", "requests"), [(LARGEST, 1), (LARGEST + 1, 0)])
async def test_messages_above_the_limit_are_refused_before_graph_drops_them(
    google: GoogleServer, graph: ApiSession, size: int, requests: int
) -> None:
    hidden = len(b"Bcc: eve@example.org\r\n")
    outcome = await send(graph, MAIL + b"x" * (size - len(MAIL) - hidden))
    assert google.requests["graph"] == len(google.graph.messages) == requests
    if not requests:
        words = "the message has 2,097,153 bytes, but Microsoft Graph accepts at most 2,097,152"
        assert outcome == Refused(None, words, Phase.MAIL)


@pytest.mark.parametrize(
    ("status", "code", "retry_after", "blame", "wait"),
    [
        (429, "ApplicationThrottled", 120, Blame.THROTTLED, 120),
        (429, "ApplicationThrottled", None, Blame.THROTTLED, 0),
        (503, "ErrorServerBusy", 30, Blame.THROTTLED, 30),
        (503, "ErrorMailboxStoreUnavailable", None, Blame.UNREACHABLE, 0),
        (408, "", None, Blame.UNREACHABLE, 0),
        (429, "ErrorExceededMessageLimit", None, Blame.QUOTA_EXHAUSTED, 0),
        (400, "ErrorSubmissionQuotaExceeded", None, Blame.QUOTA_EXHAUSTED, 0),
        (401, "InvalidAuthenticationToken", None, Blame.MISCONFIGURED, 0),
        (403, "ErrorAccessDenied", None, Blame.MISCONFIGURED, 0),
        (403, "ErrorMessageSubmissionBlocked", None, Blame.MISCONFIGURED, 0),
        (404, "MailboxNotEnabledForRESTAPI", None, Blame.MISCONFIGURED, 0),
        (413, "ErrorQuotaExceeded", None, Blame.MISCONFIGURED, 0),
        (404, "UnknownToUs", None, Blame.MISCONFIGURED, 0),
    ],
)
async def test_refusals_for_the_accounts_sake_let_the_message_wait(
    google: GoogleServer, graph: ApiSession, status: int, code: str, retry_after: int | None, blame: Blame, wait: float
) -> None:
    google.fail("graph", status, code, "Microsoft's words.", retry_after=retry_after)
    outcome = await send(graph)
    assert isinstance(outcome, TryLater)
    assert (outcome.code, outcome.blame, outcome.wait) == (status, blame, wait)
    assert outcome.phase in (Phase.MAIL, Phase.LOGIN)
    assert f"{status} {code}" in outcome.text
    assert "Microsoft's words." in outcome.text


@pytest.mark.parametrize(
    ("status", "code", "phase"),
    [
        (400, "ErrorInvalidRecipients", Phase.DATA),
        (400, "ErrorMimeContentInvalid", Phase.DATA),
        (413, "RequestEntityTooLarge", Phase.DATA),
        (403, "ErrorSendAsDenied", Phase.MAIL),
    ],
)
async def test_refusals_of_the_message_are_final(
    google: GoogleServer, graph: ApiSession, status: int, code: str, phase: Phase
) -> None:
    google.fail("graph", status, code, "No.")
    outcome = await send(graph)
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.phase) == (status, phase)
    assert outcome.text.startswith(f"{status} {code}: No.")


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (200, "", "200"),
        (201, "", "201"),
        (307, "", "307"),
        (500, "ErrorInternalServerError", "500 ErrorInternalServerError: Sorry."),
        (502, "BadGateway", "502 BadGateway: Sorry."),
        (504, "UnknownError", "504 UnknownError: Sorry."),
    ],
)
async def test_only_202_is_an_acceptance_and_what_may_have_been_sent_is_unknown(
    google: GoogleServer, graph: ApiSession, status: int, code: str, words: str
) -> None:
    google.fail("graph", status, code, "Sorry." if code else "")
    expected = f"Microsoft Graph answered {words}, and only 202 is an acceptance"
    assert await send(graph) == Unknown(expected, Phase.DOT)


async def test_a_retry_after_an_acceptance_changes_nothing(google: GoogleServer, graph: ApiSession) -> None:
    google.answer("graph", 202, b"", headers="Retry-After: 60\r\n")
    assert isinstance(await send(graph), Delivered)


@pytest.mark.parametrize("body", [b"<html>", b'{"error": 1}', b'{"error": {"code": 1, "message": []}}'])
async def test_a_refusal_without_a_reason_is_still_one(google: GoogleServer, graph: ApiSession, body: bytes) -> None:
    google.answer("graph", 403, body)
    assert await send(graph) == TryLater(403, "403", Phase.MAIL, Blame.MISCONFIGURED)


async def test_another_sender_is_refused_in_words_unless_it_is_an_alias(
    google: GoogleServer, graph: ApiSession
) -> None:
    foreign = MAIL.replace(b"me@acme", b"shop@acme")
    outcome = await send(graph, foreign)
    assert isinstance(outcome, Refused)
    assert "(the From address must be the mailbox's own: " in outcome.text
    google.graph.aliases[USER].add("shop@acme.example")
    assert isinstance(await send(graph, foreign), Delivered)


async def test_a_sign_in_without_the_right_to_send_is_named(google: GoogleServer, http: HttpClient) -> None:
    outcome = await send(session(google, http, "https://outlook.office.com/SMTP.Send"))
    assert isinstance(outcome, TryLater)
    assert "(the right to send is missing: reconnect the account" in outcome.text


async def test_an_old_token_is_stale_and_a_new_one_that_is_rejected_breaks_the_account(
    google: GoogleServer, http: HttpClient
) -> None:
    old, new = session(google, http, is_renewed=False), session(google, http)
    google.expire()
    with pytest.raises(Stale):
        await send(old)
    outcome = await send(new)
    assert isinstance(outcome, TryLater)
    assert outcome.text.startswith("Microsoft rejected the login: 401 InvalidAuthenticationToken: ")


async def test_a_drop_or_a_cut_after_the_request_is_unknown_and_not_repeated(
    google: GoogleServer, graph: ApiSession, http: HttpClient
) -> None:
    google.drop("graph", times=1)
    assert await send(graph) == Unknown("127.0.0.1 closed the connection", Phase.DOT)
    google.hang("graph")
    sending = asyncio.create_task(send(graph))
    await until(lambda: google.requests["graph"] == 2)
    await http.aclose()
    assert await sending == Unknown("the worker is shutting down", Phase.DOT)
