"""Google's token endpoint: exchanges codes and refresh tokens (RFC 6749, 4.1.3, 5 and 6; RFC 7636).

developers.google.com/identity/protocols/oauth2/web-server
"""

import json
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from webapp.config.google import GoogleSettings
from webapp.sending.http_client import HttpClient, NoAnswer
from webapp.sending.outcomes import PERMANENT, SUCCESS, Blame, clean

SECONDS = 15.0  # for a whole exchange
LONGEST_WORDS = 200  # characters of Google's description
LONGEST_LIFE = 366 * 24 * 3600  # seconds
SLOW_DOWN = 429
INVALID_GRANT = "invalid_grant"


@dataclass(frozen=True, slots=True)
class Tokens:
    """`expires_in` is in seconds; without a new `refresh_token` the old one stays valid."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(default=None, repr=False)
    expires_in: int | None = None
    scopes: frozenset[str] = frozenset()
    email: str | None = None


class TokenRefused(Exception):
    """`error` is the code of RFC 6749, 5.2; if `blame` is MISCONFIGURED, a person must act."""

    def __init__(self, words: str, blame: Blame, error: str = "") -> None:
        super().__init__(words)
        self.blame, self.error = blame, error


async def refresh(http: HttpClient, google: GoogleSettings, refresh_token: str) -> Tokens:
    """Raises TokenRefused."""
    return await _ask(http, google, {"grant_type": "refresh_token", "refresh_token": refresh_token})


async def exchange(http: HttpClient, google: GoogleSettings, code: str, verifier: str, redirect_uri: str) -> Tokens:
    """Exchanges the code from Google's consent page. Raises TokenRefused."""
    fields = {"code": code, "code_verifier": verifier, "redirect_uri": redirect_uri}
    return await _ask(http, google, {"grant_type": "authorization_code", **fields})


async def _ask(http: HttpClient, google: GoogleSettings, fields: Mapping[str, str]) -> Tokens:
    if google.client_id is None or google.client_secret is None:
        raise TokenRefused(
            "Google sign-in isn't set up: an administrator must set PENNYPOST_GOOGLE_CLIENT_ID and "
            "PENNYPOST_GOOGLE_CLIENT_SECRET",
            Blame.MISCONFIGURED,
        )
    client = {"client_id": google.client_id, "client_secret": google.client_secret}
    headers = {b"Content-Type": b"application/x-www-form-urlencoded", b"Accept": b"application/json"}
    try:
        answer = await http.ask(google.token_url, headers, urlencode({**client, **fields}).encode(), within=SECONDS)
    except NoAnswer as error:
        raise TokenRefused(str(error), Blame.UNREACHABLE) from None
    body = answer.json()
    if answer.status not in SUCCESS:
        raise _refusal(answer.status, body)
    return _tokens(body, google.client_id)


def _refusal(status: int, fields: Mapping[str, Any]) -> TokenRefused:
    if status == SLOW_DOWN:
        return TokenRefused("too many Google sign-ins per minute", Blame.THROTTLED)
    error, description = fields.get("error"), fields.get("error_description")
    if status in PERMANENT or not isinstance(error, str) or not error:
        return TokenRefused(f"Google sign-in returned {status}", Blame.UNREACHABLE)
    error = clean(error)[:LONGEST_WORDS]
    words = f"{error}: {clean(description)[:LONGEST_WORDS]}" if isinstance(description, str) else error
    if error == INVALID_GRANT:
        sentence = f"Google access for this account has ended ({words}): reconnect it"
    else:
        sentence = f"Google rejected this server's client ({words}): ask an admin to check PENNYPOST_GOOGLE_CLIENT_ID"
    return TokenRefused(sentence, Blame.MISCONFIGURED, error)


def _tokens(fields: Mapping[str, Any], client_id: str) -> Tokens:
    access, renewed, seconds = fields.get("access_token"), fields.get("refresh_token"), fields.get("expires_in")
    if not isinstance(access, str) or not access:
        raise TokenRefused("Google sign-in returned no token", Blame.UNREACHABLE)
    is_time = isinstance(seconds, int) and 0 < seconds < LONGEST_LIFE
    return Tokens(
        access_token=access,
        refresh_token=renewed if isinstance(renewed, str) and renewed else None,
        expires_in=seconds if is_time else None,
        scopes=frozenset(str(fields.get("scope", "")).split()),
        email=_email(fields.get("id_token"), client_id),
    )


def _email(id_token: object, client_id: str) -> str | None:
    """The verified address in an ID token, which needs no signature check over TLS (OpenID Connect Core, 3.1.3.7)."""
    payload = id_token.partition(".")[2].partition(".")[0] if isinstance(id_token, str) else ""
    try:
        claims = json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (ValueError, RecursionError):  # binascii's error is a ValueError
        return None
    if not isinstance(claims, dict) or claims.get("aud") != client_id or claims.get("email_verified") is not True:
        return None
    email = claims.get("email")
    return email if isinstance(email, str) else None
