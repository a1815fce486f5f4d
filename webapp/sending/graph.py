"""Microsoft Graph's sendMail with a MIME message, which Exchange also saves to Sent Items.

learn.microsoft.com/graph/api/user-sendmail, learn.microsoft.com/graph/throttling-limits#outlook-service-limits
"""

from base64 import b64encode
from urllib.parse import quote

from webapp.sending.api_session import SIGNED_OUT, MailApi, MailRequest
from webapp.sending.http_client import HttpResponse, object_of
from webapp.sending.outcomes import Blame, Delivered, Outcome, Phase, Refused, TryLater, clean, lost

SEND_SCOPE = "https://graph.microsoft.com/Mail.Send"
APP_SCOPE = "https://graph.microsoft.com/.default"  # of an app that signs in by itself
SEND = "/v1.0/{}/sendMail"
# Above 2.2 MB Graph answers 200 and drops the message (github.com/microsoftgraph/microsoft-graph-docs/issues/13979).
LARGEST = 2 * 1024 * 1024
ACCEPTED, TIMED_OUT, SLOW_DOWN, FAILED, BUSY = 202, 408, 429, 500, 503
CLIENT_ERRORS = 400
ABOUT_THE_MESSAGE = (400, 413, 422)

DAY_USED_UP = ("ErrorExceededMessageLimit", "ErrorSubmissionQuotaExceeded")
SEND_AS_DENIED = "ErrorSendAsDenied"
ADVICE = {  # by error code
    "ErrorAccessDenied": "the right to send is missing: reconnect the account, or ask your Microsoft 365 administrator",
    "ErrorInvalidUser": "the sign-in has no mailbox: connect the account as a user with one",
    "ErrorMessageSubmissionBlocked": "Microsoft has blocked this mailbox from sending: open its inbox in Outlook and "
    "follow the instructions there",
    "ErrorQuotaExceeded": "the mailbox is full, as each email is saved to Sent Items: make room in it",
    SEND_AS_DENIED: "the From address must be the mailbox's own: change it, or connect the account as that mailbox",
    "MailboxNotEnabledForRESTAPI": "the mailbox is not in Exchange Online, or has no licence: ask your Microsoft 365 "
    "administrator",
}


def graph_for(mailbox: str | None = None) -> MailApi:
    """Sends from the mailbox that signed in, or as an app from any that it may."""
    path = SEND.format("me" if mailbox is None else f"users/{quote(mailbox, safe='@')}")

    def request(message: bytes) -> MailRequest:
        return MailRequest(path, b"text/plain", b64encode(message))

    return MailApi("Microsoft Graph", LARGEST, request, classify)


def classify(answer: HttpResponse) -> Outcome:
    """Only 202 is an acceptance; an answer after which the message may have been sent is Unknown."""
    status = answer.status
    if status == ACCEPTED:
        return Delivered(status, "accepted by Microsoft Graph")
    code, message = _read_error(answer)
    advice = f" ({ADVICE[code]})" if code in ADVICE else ""
    words = clean(f"{status} {code}{code and ': '}{message}{advice}")
    if status < CLIENT_ERRORS or (status >= FAILED and status != BUSY):  # 504 also for a message that is sent later
        return lost(f"Microsoft Graph answered {words}, and only {ACCEPTED} is an acceptance", Phase.DOT)
    blame = _blame(status, code, answer.retry_after)
    if blame is Blame.MESSAGE:
        return Refused(status, words, Phase.MAIL if code == SEND_AS_DENIED else Phase.DATA)
    if status == SIGNED_OUT:
        return TryLater(status, clean(f"Microsoft rejected the login: {words}"), Phase.LOGIN, blame)
    return TryLater(status, words, Phase.MAIL, blame, answer.retry_after)


def _blame(status: int, code: str, retry_after: float) -> Blame:
    if code in DAY_USED_UP:
        return Blame.QUOTA_EXHAUSTED
    if code == SEND_AS_DENIED or (status in ABOUT_THE_MESSAGE and code not in ADVICE):
        return Blame.MESSAGE
    if status == SLOW_DOWN or (status == BUSY and retry_after):
        return Blame.THROTTLED
    return Blame.UNREACHABLE if status in (BUSY, TIMED_OUT) else Blame.MISCONFIGURED


def _read_error(answer: HttpResponse) -> tuple[str, str]:
    """The code and the message of {"error": {"code", "message"}}."""
    error = object_of(answer.json().get("error"))
    code, message = error.get("code"), error.get("message")
    return code if isinstance(code, str) else "", message if isinstance(message, str) else ""
