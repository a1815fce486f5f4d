"""Google in the test's own loop, on 127.0.0.1 and a free port: its consent page, token endpoint and messages.send.

    async with GoogleServer() as google:
        tokens = google.sign_in("ada@gmail.example")              # as if an account had been connected before
        config.configure(replace(settings, google=google.settings))      # `google_for(settings)` does both
        ...
    assert [mail.recipients for mail in google.messages] == [["ann@example.org"]]

Access tokens are good until `expire()`, refresh tokens until `revoke()`. With `rotates` each refresh brings a new
refresh token and ends the old one, unless it `forgives`. What goes wrong is told beforehand, for the place "token" or
"send", `times` times (None: always), in the order in which it was told:

    google.fail("send", 403, "rateLimitExceeded", times=1)    google.fail("token", 503)
    google.hang("send")           # the request is taken, and its message; the answer never comes
    google.drop("send")           # the same, and the connection ends
    google.answer("send", 200, b"<html>")                      # whatever bytes
    google.hold("token")          # requests wait, and are looked at after google.release()

Sheets are in `google.sheets`, see google_sheets.py; the place of their trouble is "sheets". What people have received
is in `google.mailboxes`, see gmail_mailboxes.py; the place is "mail". It is Microsoft as well: Graph is in
`google.graph`, see graph_api.py, and its place is "graph".

A person at the consent page: `google.consent(url, "ada@gmail.example")` checks the address as Google does and returns
where the browser is sent, `google.deny(url)` too. For real browsers the page has a link, "Allow", for `person`.
"""

import asyncio
import base64
import contextlib
import hashlib
import json
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, Self
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from tests.fakes.gmail_mailboxes import READ_SCOPE, FakeMailboxes
from tests.fakes.google_sheets import SHEETS_SCOPE, FakeSheets
from tests.fakes.graph_api import GRAPH_SCOPE, FakeGraph, graph_error
from tests.fakes.sent_message import Sent
from tests.fakes.stream_server import HOST, StreamServer
from webapp import config
from webapp.config import Settings
from webapp.config.oauth import GoogleSettings, MicrosoftSettings

CLIENT_ID, CLIENT_SECRET = "client.apps.example", "GOCSPX-client-secret"
SEND_SCOPE = "https://www.googleapis.com/auth/gmail.send"
LIMIT = 64 * 1024 * 1024
SEND_PATHS = ("/gmail/v1/users/me/messages/send", "/upload/gmail/v1/users/me/messages/send")


@dataclass
class _Grant:
    user: str
    scope: str
    refresh_token: str
    access_tokens: dict[str, str] = field(default_factory=dict)  # and their scopes
    former_tokens: set[str] = field(default_factory=set)  # which a rotation replaced


@dataclass
class _Code:
    user: str
    scope: str
    challenge: str
    redirect_uri: str


@dataclass
class _Script:
    answer: tuple[int, bytes] | None  # None: the request is taken, and its answer never comes
    times: int | None
    hangs: bool = False
    headers: str = ""


class GoogleServer(StreamServer):
    """Speaks HTTP/1.1 over clear text; every connection is closed with it."""

    def __init__(self, *, rotates: bool = False, person: str = "ada@gmail.example") -> None:
        super().__init__(self._serve)
        self.rotates, self.person = rotates, person
        self.forgives = False  # as Microsoft: a refresh token that was replaced is good as before
        self.app_mailbox: str | None = None  # for which the client may sign in by itself
        self.is_testing = False  # an OAuth client in testing, whose sign-ins last seven days
        self.messages: list[Sent] = []
        self.requests: Counter[str] = Counter()
        self._grants: list[_Grant] = []
        self._codes: dict[str, _Code] = {}
        places = ("token", "introspect", "send", "sheets", "mail", "graph")
        self._scripts: dict[str, list[_Script]] = {place: [] for place in places}
        self.sheets, self.mailboxes, self.graph = FakeSheets(), FakeMailboxes(), FakeGraph()
        self._held = ""
        self._released = asyncio.Event()

    async def __aenter__(self) -> Self:
        await self.start(limit=LIMIT)
        return self

    @property
    def settings(self) -> GoogleSettings:
        """The settings of a service that takes this for Google."""
        base = f"http://{HOST}:{self.port}"
        return GoogleSettings(CLIENT_ID, CLIENT_SECRET, f"{base}/auth", f"{base}/token", base, base)

    @property
    def introspection_url(self) -> str:
        """Where a mail server asks whose token it got (RFC 7662)."""
        return f"http://{HOST}:{self.port}/introspect"

    @property
    def microsoft(self) -> MicrosoftSettings:
        """The settings of a service that takes this for Microsoft."""
        google = self.settings
        return MicrosoftSettings(CLIENT_ID, CLIENT_SECRET, google.auth_url, google.token_url, google.api_url)

    @property
    def secrets(self) -> set[str]:
        """Everything that nobody may see."""
        return {CLIENT_SECRET}.union(
            *({*grant.access_tokens, *grant.former_tokens, grant.refresh_token} for grant in self._grants)
        )

    def has_rotated(self, refresh_token: str | None) -> bool:
        """Whether another refresh token has replaced this one."""
        return any(refresh_token in grant.former_tokens for grant in self._grants)

    # What a test arranges.

    def sign_in(self, user: str, scope: str = SEND_SCOPE) -> tuple[str, str]:
        """An access token and a refresh token of `user`."""
        grant = _Grant(user, scope, f"1//{secrets.token_urlsafe(24)}")
        self._grants.append(grant)
        return self._new_access(grant), grant.refresh_token

    def user_of(self, token: str) -> str | None:
        """Whose access token that is at a mail server, which takes none of Graph's."""
        grants = (grant for grant in self._grants if GRAPH_SCOPE not in grant.access_tokens.get(token, GRAPH_SCOPE))
        return next((grant.user for grant in grants), None)

    def scope_of(self, token: str) -> str:
        """What that access token is for."""
        return next(grant.access_tokens[token] for grant in self._grants if token in grant.access_tokens)

    def expire(self) -> None:
        """End every access token."""
        for grant in self._grants:
            grant.access_tokens.clear()

    def revoke(self) -> None:
        """End every sign-in."""
        self._grants.clear()

    def fail(
        self,
        place: str,
        status: int,
        reason: str = "",
        message: str = "",
        times: int | None = None,
        retry_after: int | None = None,
    ) -> None:
        if place == "token":
            body: Any = {"error": reason, "error_description": message}
        elif place == "sheets":
            body = {"error": {"code": status, "message": message or reason, "status": reason}}
        elif place == "graph":
            body = {"error": {"code": reason, "message": message}}
        else:
            body = {"error": {"code": status, "message": message or reason, "errors": [{"reason": reason}]}}
        headers = "" if retry_after is None else f"Retry-After: {retry_after}\r\n"
        self.answer(place, status, json.dumps(body).encode(), times, headers)

    def answer(self, place: str, status: int, body: bytes, times: int | None = None, headers: str = "") -> None:
        self._scripts[place].append(_Script((status, body), times, headers=headers))

    def hang(self, place: str, times: int | None = None) -> None:
        self._scripts[place].append(_Script(None, times, hangs=True))

    def drop(self, place: str, times: int | None = None) -> None:
        self._scripts[place].append(_Script(None, times))

    def hold(self, place: str) -> None:
        self._held, self._released = place, asyncio.Event()

    def release(self) -> None:
        self._released.set()

    def consent(self, url: str, user: str, scope: str | None = None) -> str:
        """A person allows it: where the browser goes with the code."""
        query = self._asked(url)
        code = f"4/{secrets.token_urlsafe(16)}"
        self._codes[code] = _Code(user, scope or query["scope"], query["code_challenge"], query["redirect_uri"])
        return f"{query['redirect_uri']}?{urlencode({'state': query['state'], 'code': code})}"

    def deny(self, url: str, error: str = "access_denied") -> str:
        """A person does not allow it."""
        query = self._asked(url)
        return f"{query['redirect_uri']}?{urlencode({'error': error, 'state': query['state']})}"

    def _asked(self, url: str) -> dict[str, str]:
        """The query of the consent page, as Google insists on it for lasting access."""
        assert url.startswith(f"{self.settings.auth_url}?")
        query = dict(parse_qsl(urlsplit(url).query, strict_parsing=True))
        assert query["client_id"] == CLIENT_ID
        assert (query["response_type"], query["code_challenge_method"]) == ("code", "S256")
        is_microsoft = "offline_access" in query["scope"]
        lasts = {"prompt": "select_account"} if is_microsoft else {"access_type": "offline", "prompt": "consent"}
        assert lasts.items() <= query.items()
        assert len(query["state"]) >= 22
        return query

    # HTTP.

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while await self._answer_one(reader, writer):
                pass

    async def _answer_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request; whether there may be another."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = head.split("\r\n")
        path = lines[0].split(" ")[1]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        status, answer, more = await self._route(path, headers, body, lines[0].split(" ")[0])
        if status == 0:
            return False
        kind = "text/html" if answer.startswith(b"<a") else "application/json"
        words = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(answer)}\r\n{more}\r\n"
        writer.write(words.encode() + answer)
        await writer.drain()
        return True

    async def _route(self, target: str, headers: dict[str, str], body: bytes, method: str) -> tuple[int, bytes, str]:
        path, query = urlsplit(target).path, urlsplit(target).query
        if path == "/auth":
            back = self.consent(f"{self.settings.auth_url}?{query}", self.person)
            return 200, f'<a href="{escape(back)}">Allow</a>'.encode(), ""
        if path == "/favicon.ico":
            return 200, b"", ""
        place = _place_of(path)
        if place is None:
            return 404, b"{}", ""
        self.requests[place] += 1
        if place == self._held:
            await self._released.wait()
        script = next((one for one in self._scripts[place] if one.times != 0), None)
        if script is not None and script.times is not None:
            script.times -= 1
        if script is not None and script.answer is not None:
            return *script.answer, script.headers
        answers = {
            "token": lambda: self._token(body),
            "introspect": lambda: self._introspect(body),
            "send": lambda: self._send(path, headers, body),
            "sheets": lambda: self._sheets(path, headers),
            "mail": lambda: self._mail(method, path, query, headers),
            "graph": lambda: self._graph(path, headers, body),
        }
        answer = answers[place]()
        if script is None:
            return *answer, ""
        if script.hangs:
            await asyncio.Event().wait()
        return 0, b"", ""

    def _token(self, body: bytes) -> tuple[int, bytes]:
        fields = {name: values[0] for name, values in parse_qs(body.decode(), strict_parsing=True).items()}
        if (fields.get("client_id"), fields.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return 401, b'{"error": "invalid_client", "error_description": "The OAuth client was not found."}'
        if fields["grant_type"] == "client_credentials":
            return self._sign_in_app(fields["scope"])
        if fields["grant_type"] == "refresh_token":
            return self._refresh(fields["refresh_token"], fields.get("scope"))
        return self._exchange(fields)

    def _sign_in_app(self, scope: str) -> tuple[int, bytes]:
        if self.app_mailbox is None:
            words = "AADSTS700016: Application was not found in the directory."
            return 400, json.dumps({"error": "unauthorized_client", "error_description": words}).encode()
        access, _ = self.sign_in(self.app_mailbox, scope)
        return 200, json.dumps({"access_token": access, "expires_in": 3599, "token_type": "Bearer"}).encode()

    def _introspect(self, body: bytes) -> tuple[int, bytes]:
        user = self.user_of(parse_qs(body.decode()).get("token", [""])[0])
        return 200, json.dumps({"active": user is not None, "username": user}).encode()

    def _refresh(self, refresh_token: str, scope: str | None) -> tuple[int, bytes]:
        grant = next((one for one in self._grants if refresh_token in self._good_for(one)), None)
        if grant is None:
            return 400, b'{"error": "invalid_grant", "error_description": "Token has been expired or revoked."}'
        if set((scope or "").split()) - set(grant.scope.split()):
            words = "AADSTS65001: The user or administrator has not consented to use the application."
            return 400, json.dumps({"error": "invalid_grant", "error_description": words}).encode()
        access = self._new_access(grant, scope)
        found: dict[str, Any] = {"access_token": access, "expires_in": 3599, "token_type": "Bearer"}
        if self.rotates:
            grant.former_tokens.add(grant.refresh_token)
            grant.refresh_token = found["refresh_token"] = f"1//{secrets.token_urlsafe(24)}"
        return 200, json.dumps(found | {"scope": scope or grant.scope}).encode()

    def _good_for(self, grant: _Grant) -> set[str]:
        return {grant.refresh_token, *(grant.former_tokens if self.forgives else ())}

    def _exchange(self, fields: dict[str, str]) -> tuple[int, bytes]:
        code = self._codes.pop(fields["code"], None)
        proof = hashlib.sha256(fields["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).decode().rstrip("=")
        if code is None or (code.challenge, code.redirect_uri) != (challenge, fields["redirect_uri"]):
            return 400, b'{"error": "invalid_grant", "error_description": "Bad Request"}'
        access, refresh = self.sign_in(code.user, code.scope)
        self._grants[-1].access_tokens[access] = fields.get("scope", code.scope)
        is_microsoft = "offline_access" in code.scope
        person = {"preferred_username": code.user} if is_microsoft else {"email": code.user, "email_verified": True}
        claims = {**person, "aud": CLIENT_ID}
        found: dict[str, Any] = {
            "access_token": access,
            "refresh_token": refresh,
            "expires_in": 3599,
            "scope": code.scope,
        }
        if self.is_testing:
            found["refresh_token_expires_in"] = 604799
        return 200, json.dumps(found | {"id_token": _jwt(claims), "token_type": "Bearer"}).encode()

    def _send(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        grant = self._grant_of(headers)
        if grant is None:
            return _error(401, "authError", "Invalid Credentials")
        if SEND_SCOPE not in grant.scope:
            return _error(403, "insufficientPermissions", "Request had insufficient authentication scopes.")
        if path.startswith("/upload"):
            raw = body if headers["content-type"] == "message/rfc822" else b""
        else:
            raw = base64.urlsafe_b64decode(json.loads(body)["raw"])
        sent = Sent(secrets.token_hex(8), grant.user, raw, path)
        if not sent.recipients:
            return _error(400, "invalidArgument", "Recipient address required")
        self.messages.append(sent)
        return 200, json.dumps({"id": sent.id, "threadId": sent.id, "labelIds": ["SENT"]}).encode()

    def _sheets(self, path: str, headers: dict[str, str]) -> tuple[int, bytes]:
        grant = self._grant_of(headers)
        if grant is None:
            return _error(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
        return self.sheets.answer(path, grant.user, may_read=SHEETS_SCOPE in grant.scope)

    def _mail(self, method: str, path: str, query: str, headers: dict[str, str]) -> tuple[int, bytes]:
        grant = self._grant_of(headers)
        if grant is None:
            return _error(401, "authError", "Invalid Credentials")
        if READ_SCOPE not in grant.scope:
            return _error(403, "insufficientPermissions", "Request had insufficient authentication scopes.")
        return self.mailboxes.answer(method, path.removeprefix("/gmail/v1/users/me"), query, grant.user)

    def _graph(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        grant = self._grant_of(headers)
        if grant is None:
            return graph_error(401, "InvalidAuthenticationToken", "Lifetime validation failed, the token is expired.")
        scope = grant.access_tokens[headers["authorization"].removeprefix("Bearer ")]
        return self.graph.answer(path, headers, body, grant.user, scope)

    def _grant_of(self, headers: dict[str, str]) -> _Grant | None:
        token = headers.get("authorization", "").removeprefix("Bearer ")
        return next((one for one in self._grants if token in one.access_tokens), None)

    def _new_access(self, grant: _Grant, scope: str | None = None) -> str:
        token = f"ya29.{secrets.token_urlsafe(32)}"
        grant.access_tokens[token] = scope or grant.scope
        return token


@asynccontextmanager
async def google_for(settings: Settings, *, rotates: bool = False) -> AsyncIterator[GoogleServer]:
    """A server that this process takes for Google and for Microsoft."""
    async with GoogleServer(rotates=rotates) as google:
        config.configure(replace(settings, google=google.settings, microsoft=google.microsoft))
        yield google


def _place_of(path: str) -> str | None:
    if path in ("/token", "/introspect"):
        return path[1:]
    if path in SEND_PATHS:
        return "send"
    starts = {"/v4/spreadsheets/": "sheets", "/gmail/v1/users/me/": "mail", "/v1.0/": "graph"}
    return next((place for start, place in starts.items() if path.startswith(start)), None)


def _error(status: int, reason: str, message: str) -> tuple[int, bytes]:
    error = {"code": status, "message": message, "errors": [{"reason": reason, "message": message}]}
    return status, json.dumps({"error": error}).encode()


def _jwt(claims: dict[str, Any]) -> str:
    return f"e30.{base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip('=')}.c2ln"
