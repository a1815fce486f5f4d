"""Reads a mailbox by the Gmail API with a scope that allows no changes.

New messages come from its history (developers.google.com/workspace/gmail/api/guides/sync), or from a list while there
is no history or it has expired.
"""

import asyncio
import base64
import datetime as dt
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from webapp.sending.google.gmail import RATE_EXCEEDED, read_error
from webapp.sending.http_client import HttpClient, HttpResponse, NoAnswer, object_of, objects_of
from webapp.sending.outcomes import PERMANENT, SUCCESS, clean
from webapp.sending.reports.mailbox import (
    MAX_MESSAGES,
    MESSAGE_BYTES,
    MailboxMessage,
    MailboxTrouble,
    MailboxUnreadable,
    Reading,
)
from webapp.sending.reports.mime_parts import Fields
from webapp.sending.reports.parse import may_be_read

READ_SCOPE = "https://www.googleapis.com/auth/gmail.readonly"
SECONDS = 15.0  # per answer
USER = "/gmail/v1/users/me"
HEADERS = ("From", "Content-Type", "Auto-Submitted", "X-Failed-Recipients", "Subject")
NOT_RECEIVED = frozenset({"SENT", "DRAFT", "CHAT"})  # unless they are in the inbox, as what one sends to oneself is
RAW = re.compile(rb'"raw"\s*:\s*"([A-Za-z0-9_-]*)')  # the answer may be cut
SIGNED_OUT, GONE, INVALID, SLOW_DOWN, TIMED_OUT = 401, 404, 400, 429, 408
# A page of the history after an ID, or of the list that the history after the ID continues: `source:id:page`.
CURSOR = re.compile(r"(history|list):(\d{1,20})(?::([\w.~=-]{1,500}))?", re.ASCII)
NO_SCOPE = frozenset({"insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"})
NOT_ENABLED = frozenset({"accessNotConfigured", "SERVICE_DISABLED"})


class GmailMailbox:
    def __init__(self, http: HttpClient, api_url: str, token: str) -> None:
        self._http, self._api_url, self._token = http, api_url, token
        self._subjects: Sequence[str] = ()

    async def history_id(self) -> str:
        """Where its history ends. Raises MailboxUnreadable."""
        return _digits((await self._get("/profile")).json().get("historyId"))

    async def read(
        self,
        cursor: str | None,
        since: dt.date,
        subjects: Sequence[str] = (),
        *,
        limit: int = MAX_MESSAGES,
        within: float,
    ) -> Reading:
        """Reads about `limit` reports after `cursor`, or those since `since` if it is invalid.

        Messages whose subject contains one of `subjects` are read too. Raises MailboxUnreadable; trouble of LOGIN may
        mean that the token has expired.
        """
        reading, self._subjects = None, subjects
        try:
            async with asyncio.timeout(within):
                if match := CURSOR.fullmatch(cursor or ""):
                    reading = await self._page(match[1], match[2], match[3], since, limit)
                reading = reading or await self._page("list", await self.history_id(), None, since, limit)
        except TimeoutError:
            raise MailboxUnreadable("Gmail did not respond in time", MailboxTrouble.UNREACHABLE) from None
        if reading is None:
            raise MailboxUnreadable("Gmail refused to list messages", MailboxTrouble.PROTOCOL)
        return reading

    async def _page(self, source: str, id_: str, page_token: str | None, since: dt.date, limit: int) -> Reading | None:
        """None if the history or the page is no longer available."""
        query = {"maxResults": str(limit)} | ({"pageToken": page_token} if page_token else {})
        if source == "history":
            query |= {"startHistoryId": id_, "historyTypes": "messageAdded"}
        else:
            start = dt.datetime.combine(since, dt.time.min, dt.UTC)
            query |= {"includeSpamTrash": "true", "q": f"after:{start.timestamp():.0f} -in:sent -in:drafts -in:chats"}
        answer = await self._get("/history" if source == "history" else "/messages", query)
        if answer.status in (GONE, INVALID):
            return None
        page = answer.json()
        messages = [
            MailboxMessage(key, content)
            for key in dict.fromkeys(_received(page))
            if (content := await self._content(key)) is not None
        ]
        following = page.get("nextPageToken")
        if isinstance(following, str) and CURSOR.fullmatch(f"list:1:{following}"):
            return Reading(messages, f"{source}:{id_}:{following}", has_more=True)
        end = _digits(page.get("historyId")) if source == "history" else id_
        return Reading(messages, f"history:{end}")

    async def _content(self, key: str) -> bytes | None:
        """None if the message is gone, was sent, or is not a report."""
        path = f"/messages/{quote(key, safe='')}"
        query = [("format", "metadata"), ("fields", "labelIds,payload/headers")]
        message = (await self._get(path, [*query, *(("metadataHeaders", name) for name in HEADERS)])).json()
        if _is_sent(message) or not may_be_read(_fields(message), self._subjects):
            return None
        raw = RAW.search((await self._get(path, {"format": "raw", "fields": "raw"}, may_cut=True)).body)
        if raw is None:
            return None
        characters = raw[1][: len(raw[1]) - (len(raw[1]) % 4 == 1)]
        return base64.urlsafe_b64decode(characters + b"=" * (-len(characters) % 4))[:MESSAGE_BYTES]

    async def _get(
        self, path: str, query: Mapping[str, str] | list[tuple[str, str]] | None = None, *, may_cut: bool = False
    ) -> HttpResponse:
        """Returns the answer, also a 404 or 400. Raises MailboxUnreadable."""
        url = f"{self._api_url}{USER}{path}" + (f"?{urlencode(query)}" if query else "")
        headers = {b"Authorization": b"Bearer " + self._token.encode(), b"Accept": b"application/json"}
        try:
            answer = await self._http.ask(url, headers, within=SECONDS, may_cut=may_cut)
        except NoAnswer as error:
            raise MailboxUnreadable(str(error), MailboxTrouble.UNREACHABLE) from None
        if answer.status in SUCCESS or (answer.status in (GONE, INVALID) and query):
            return answer
        raise refusal_of(answer)


def refusal_of(answer: HttpResponse) -> MailboxUnreadable:
    reasons, message = read_error(answer)
    words, trouble = f"Gmail couldn't be read: {answer.status} {message}", MailboxTrouble.MAILBOX
    if answer.status == SIGNED_OUT:
        words, trouble = f"Google rejected the login: {answer.status} {message}", MailboxTrouble.LOGIN
    elif answer.status == SLOW_DOWN or reasons & RATE_EXCEEDED:
        words, trouble = "too many requests to Gmail", MailboxTrouble.BUSY
    elif reasons & NO_SCOPE or "authentication scopes" in message:
        words, trouble = "this account doesn't have permission to read Gmail yet", MailboxTrouble.SCOPE
    elif reasons & NOT_ENABLED:
        words, trouble = "the Gmail API isn't enabled for this server's Google client", MailboxTrouble.OPERATOR
    elif answer.status in PERMANENT or answer.status == TIMED_OUT:
        words, trouble = f"Gmail returned {answer.status}", MailboxTrouble.UNREACHABLE
    return MailboxUnreadable(clean(words), trouble)


def _received(page: Mapping[str, Any]) -> list[str]:
    """The ids of a page's messages; sent ones are skipped."""
    messages = objects_of(page.get("messages"))
    for record in objects_of(page.get("history")):
        messages += [object_of(added.get("message")) for added in objects_of(record.get("messagesAdded"))]
    return [message["id"] for message in messages if isinstance(message.get("id"), str) and not _is_sent(message)]


def _is_sent(message: Mapping[str, Any]) -> bool:
    labels = message.get("labelIds")
    labels = [label for label in labels if isinstance(label, str)] if isinstance(labels, list) else []
    return "INBOX" not in labels and any(label in NOT_RECEIVED for label in labels)


def _fields(message: Mapping[str, Any]) -> Fields:
    headers = objects_of(object_of(message.get("payload")).get("headers"))
    return {str(header.get("name")).lower(): [str(header.get("value"))] for header in headers}


def _digits(value: object) -> str:
    """A history id. Raises MailboxUnreadable if it is invalid."""
    if not isinstance(value, str) or not value.isdecimal():
        raise MailboxUnreadable("Gmail's response has no history id", MailboxTrouble.PROTOCOL)
    return value
