"""Microsoft Graph's sendMail: what it takes, refuses, and drops although its answer is a success.

`google.graph.messages` has what was sent; `aliases` are the addresses that each person may also send as.
"""

import base64
import binascii
import json
import secrets
from collections import defaultdict
from dataclasses import dataclass, field
from urllib.parse import quote

from tests.fakes.sent_message import Sent

GRAPH_SCOPE = "https://graph.microsoft.com/Mail.Send"
REQUEST_BYTES = 4 * 1024 * 1024
DROPPED_FROM = 2_240 * 1024  # bytes of a message: answered with 200
APP_SCOPE = "https://graph.microsoft.com/.default"


@dataclass
class FakeGraph:
    messages: list[Sent] = field(default_factory=list)
    aliases: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def answer(self, path: str, headers: dict[str, str], body: bytes, user: str, scope: str) -> tuple[int, bytes]:
        me = f"users/{quote(user, safe='@')}" if APP_SCOPE in scope else "me"  # an app has no mailbox of its own
        if path != f"/v1.0/{me}/sendMail":
            return graph_error(404, "ResourceNotFound", "Resource could not be discovered.")
        if not {GRAPH_SCOPE, APP_SCOPE} & set(scope.split()):
            return graph_error(403, "ErrorAccessDenied", "Access is denied. Check credentials and try again.")
        if len(body) > REQUEST_BYTES:
            return graph_error(413, "RequestEntityTooLarge", "Request Entity Too Large")
        try:
            raw = base64.b64decode(body, validate=True) if headers["content-type"] == "text/plain" else b""
        except binascii.Error:
            return graph_error(400, "ErrorMimeContentInvalidBase64String", "Invalid base64 string for MIME content.")
        return (200, b"") if len(raw) > DROPPED_FROM else self._take(Sent(secrets.token_hex(8), user, raw, path))

    def _take(self, sent: Sent) -> tuple[int, bytes]:
        if not sent.recipients:
            return graph_error(400, "ErrorInvalidRecipients", "At least one recipient is not valid.")
        senders = {address.addr_spec.lower() for address in sent.message["From"].addresses}
        if senders - {sent.user.lower()} - self.aliases[sent.user]:
            words = "The user account which was used to submit this request does not have the right to send mail."
            return graph_error(403, "ErrorSendAsDenied", words)
        self.messages.append(sent)
        return 202, b""


def graph_error(status: int, code: str, message: str) -> tuple[int, bytes]:
    return status, json.dumps({"error": {"code": code, "message": message}}).encode()
