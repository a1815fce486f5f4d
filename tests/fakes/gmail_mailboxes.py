"""Mailboxes that answer as the Gmail API does: profile, history, lists and messages.

key = google.mailboxes.add("ada@gmail.example", b"From: ...")         # a message, now the end of the history
google.mailboxes.forget("ada@gmail.example")                         # no history before now
"""

import base64
import datetime as dt
import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from email.parser import BytesHeaderParser
from typing import Any
from urllib.parse import parse_qs

READ_SCOPE = "https://www.googleapis.com/auth/gmail.readonly"
GAP = 17  # between the ids of a history


@dataclass
class _Received:
    id: str
    history_id: int
    raw: bytes
    labels: tuple[str, ...]
    at: dt.datetime


@dataclass
class FakeMailboxes:
    """The messages of each person, oldest first; `requests` are the targets that were asked for."""

    by_user: dict[str, list[_Received]] = field(default_factory=lambda: defaultdict(list))
    oldest: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    requests: list[str] = field(default_factory=list)
    _history_id: int = 1_000

    def add(
        self,
        user: str,
        raw: bytes,
        labels: tuple[str, ...] = ("INBOX", "UNREAD"),
        at: dt.datetime = dt.datetime(2026, 10, 5, tzinfo=dt.UTC),
    ) -> str:
        self._history_id += GAP
        message = _Received(f"{self._history_id:016x}", self._history_id, raw, labels, at)
        self.by_user[user].append(message)
        return message.id

    def forget(self, user: str) -> None:
        self._history_id += GAP
        self.oldest[user] = self._history_id

    def answer(self, method: str, path: str, query: str, user: str) -> tuple[int, bytes]:
        self.requests.append(f"{method} {path}?{query}".rstrip("?"))
        asked = parse_qs(query)
        if method != "GET":
            return _error(403, "insufficientPermissions")
        if path == "/profile":
            return _json({"emailAddress": user, "historyId": str(self._history_id)})
        if path == "/history":
            return self._history(asked, user)
        if path == "/messages":
            return self._list(asked, user)
        message = next((one for one in self.by_user[user] if path == f"/messages/{one.id}"), None)
        return _message(message, asked) if message else _error(404, "notFound")

    def _history(self, asked: dict[str, list[str]], user: str) -> tuple[int, bytes]:
        start = int(asked["startHistoryId"][0])
        if start < self.oldest[user]:
            return _error(404, "notFound")
        assert asked["historyTypes"] == ["messageAdded"]
        found = [one for one in self.by_user[user] if one.history_id > start]
        records = [
            {"id": str(one.history_id), "messagesAdded": [{"message": {"id": one.id, "labelIds": one.labels}}]}
            for one in found
        ]
        return _page("history", records, asked, historyId=str(self._history_id))

    def _list(self, asked: dict[str, list[str]], user: str) -> tuple[int, bytes]:
        words = asked["q"][0]
        after = re.search(r"after:(\d+)", words)
        assert after is not None
        hidden = {label for label in ("SENT", "DRAFT", "CHAT") if f"-in:{label.lower()}" in words}
        found = [
            {"id": one.id, "threadId": one.id}
            for one in reversed(self.by_user[user])
            if one.at.timestamp() >= int(after[1])
            and not hidden & set(one.labels)
            and (asked.get("includeSpamTrash") == ["true"] or not {"SPAM", "TRASH"} & set(one.labels))
        ]
        return _page("messages", found, asked)


def _page(name: str, items: list[Any], asked: dict[str, list[str]], **more: str) -> tuple[int, bytes]:
    token, size = asked.get("pageToken", ["page0"])[0], int(asked["maxResults"][0])
    if not re.fullmatch(r"page\d+", token):
        return _error(400, "invalidArgument")
    start = int(token.removeprefix("page"))
    if start + size < len(items):
        more["nextPageToken"] = f"page{start + size}"
    return _json(({name: items[start : start + size]} if items else {}) | more)


def _message(message: _Received, asked: dict[str, list[str]]) -> tuple[int, bytes]:
    if asked["format"] == ["raw"]:
        return _json({"raw": base64.urlsafe_b64encode(message.raw).decode()})
    assert asked["format"] == ["metadata"]
    wanted = {name.lower() for name in asked["metadataHeaders"]}
    header = BytesHeaderParser().parsebytes(message.raw)
    headers = [{"name": name, "value": str(value)} for name, value in header.items() if name.lower() in wanted]
    return _json({"labelIds": message.labels, "payload": {"headers": headers}})


def _json(body: dict[str, Any]) -> tuple[int, bytes]:
    return 200, json.dumps(body, indent=2).replace("=", "\\u003d").encode()  # as Google writes it


def _error(status: int, reason: str) -> tuple[int, bytes]:
    error = {"code": status, "message": "Requested entity was not found.", "errors": [{"reason": reason}]}
    return status, json.dumps({"error": error}).encode()
