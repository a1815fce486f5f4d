"""Sends by a provider's HTTP API: one request per message, and one outcome for all its recipients.

The APIs take the recipients from To, Cc and Bcc, and remove Bcc from what they deliver.
"""

import re
from collections.abc import Callable, Iterable
from email.utils import getaddresses
from typing import NamedTuple

from webapp.addresses import Address
from webapp.sending.http_client import HttpClient, HttpResponse, NoAnswer
from webapp.sending.mime.headers import address_field
from webapp.sending.outcomes import Halted, Outcome, Phase, Refused, TryLater, lost
from webapp.sending.smtp.session import Stale
from webapp.sending.smtp.transaction import Transaction

SIGNED_OUT = 401

NAMED = re.compile(rb"^(?:To|Cc):(.*(?:\r\n[ \t].*)*)\r\n", re.MULTILINE | re.IGNORECASE)
OPENING, NESTED = re.compile(r"[(:]"), 100  # comments and groups in a field: the parser recurses into each
BETWEEN_ADDRESSES = re.compile(r'[\s<>,;:"()\[\]]+')


class MailRequest(NamedTuple):
    path: str
    content_type: bytes
    content: bytes


class MailApi(NamedTuple):
    name: str
    largest: int  # bytes of a message
    request: Callable[[bytes], MailRequest]
    classify: Callable[[HttpResponse], Outcome]


class ApiSession:
    """Sends with one access token and has the interface of an SMTP session without pipelining."""

    def __init__(self, api: MailApi, http: HttpClient, url: str, token: str, *, is_renewed: bool = False) -> None:
        """`is_renewed`: the token is fresh, so a rejection means that the account must be reconnected."""
        self.token = token
        self._api, self._http, self._url, self._is_renewed = api, http, url, is_renewed

    async def begin(self, transaction: Transaction) -> bool:
        transaction.start({})
        return True

    async def abandon(self, transaction: Transaction) -> None:
        transaction.end_for_accepted(Halted())

    async def finish(self, transaction: Transaction, following: Transaction | None = None) -> None:  # noqa: ARG002
        """Raises Stale if the token may have expired; a renewed one may send the message."""
        message = addressed(transaction.message, transaction.envelope.recipients)
        if len(message) > self._api.largest:
            words = (
                f"the message has {len(message):,} bytes, but {self._api.name} accepts at most {self._api.largest:,}"
            )
            transaction.end_for_accepted(Refused(None, words, Phase.MAIL))
            return
        request = self._api.request(message)
        headers = {b"Authorization": b"Bearer " + self.token.encode(), b"Content-Type": request.content_type}
        try:
            outcome = self._api.classify(await self._http.ask(self._url + request.path, headers, request.content))
        except NoAnswer as error:
            outcome = lost(str(error), error.phase)
        if not self._is_renewed and isinstance(outcome, TryLater) and outcome.code == SIGNED_OUT:
            raise Stale
        transaction.end_for_accepted(outcome)


def addressed(message: bytes, recipients: Iterable[str]) -> bytes:
    """Makes the headers name exactly these recipients; those not in To or Cc are added as Bcc."""
    wanted = list(recipients)
    head, gap, body = message.partition(b"\r\n\r\n")
    head += b"\r\n"
    values = [match[1].decode("utf-8", "replace").replace("\r\n", "") for match in NAMED.finditer(head)]
    readable = [value for value in values if len(OPENING.findall(value)) <= NESTED]
    named = {address.lower() for _, address in getaddresses(readable) if "@" in address}
    hidden = [address for address in wanted if address.lower() not in named]
    # A submitted message may name others in forms that the API reads and we do not.
    words = {word for value in values for word in BETWEEN_ADDRESSES.split(value.lower()) if "@" in word}
    if (named | words) - {address.lower() for address in wanted}:
        head = NAMED.sub(b"", head) + _field("To", [address for address in wanted if address not in hidden])
    return head + _field("Bcc", hidden) + gap[2:] + body


def _field(name: str, addresses: list[str]) -> bytes:
    return address_field(name, [Address("", address) for address in addresses]) if addresses else b""
