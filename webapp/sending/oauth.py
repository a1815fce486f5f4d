"""OAuth token endpoints: exchanges codes and refresh tokens (RFC 6749, 4.1.3, 4.4, 5 and 6; RFC 7636).

developers.google.com/identity/protocols/oauth2/web-server,
learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
"""

import json
import re
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from webapp.sending.endpoint import Destination
from webapp.sending.http_client import HttpClient, NoAnswer
from webapp.sending.outcomes import PERMANENT, SUCCESS, Blame, clean

SECONDS = 15.0  # for a whole exchange
LONGEST_WORDS = 200  # characters of the provider's description
LONGEST_LIFE = 366 * 24 * 3600  # seconds
SLOW_DOWN = 429
INVALID_GRANT = "invalid_grant"
TOKEN = re.compile(r"[ -~]{1,16384}")  # RFC 6749, A.12 and A.17, which set no limit
AADSTS = re.compile(r"AADSTS(\d{4,8})")
# learn.microsoft.com/entra/identity-platform/reference-error-codes
AADSTS_WORDS = {
    "50057": "the user is disabled: ask your Microsoft 365 administrator to enable it",
    "50076": "Microsoft now asks for a second factor: reconnect the account",
    "50079": "Microsoft now asks for a second factor: reconnect the account",
    "50173": "the password was changed, which ended the sign-in: reconnect the account",
    "53003": "a Conditional Access policy blocks the sign-in: ask your Microsoft 365 administrator to allow it",
    "65001": "consent is missing: reconnect the account, or ask your Microsoft 365 administrator to consent",
    "70000": "the sign-in is no longer valid: reconnect the account",
    "70008": "the sign-in has expired: reconnect the account",
    "700016": "Microsoft doesn't know this app in your tenant: ask the administrator of this server to check "
    "PENNYPOST_MICROSOFT_CLIENT_ID and PENNYPOST_MICROSOFT_TENANT",
    "700082": "the sign-in was unused for 90 days and has expired: reconnect the account",
    "7000215": "the client secret is wrong: ask the administrator of this server to set "
    "PENNYPOST_MICROSOFT_CLIENT_SECRET to the secret's value, not its ID",
    "7000222": "the client secret has expired: ask the administrator of this server to make a new one in Entra and set "
    "PENNYPOST_MICROSOFT_CLIENT_SECRET",
    "90094": "your Microsoft 365 administrator must grant consent first",
}


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """A client that is registered with a provider; `where` is what to check if the provider rejects it."""

    provider: str
    token_url: str | Destination
    client_id: str
    client_secret: str = field(repr=False)
    where: str
    verifies_email: bool = True


@dataclass(frozen=True, slots=True)
class Tokens:
    """Lives are in seconds, None if unknown; without a new `refresh_token` the old one stays valid."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(default=None, repr=False)
    expires_in: int | None = None
    refresh_expires_in: int | None = None
    scopes: frozenset[str] = frozenset()
    email: str | None = None


class TokenRefused(Exception):
    """`error` is the code of RFC 6749, 5.2; if `blame` is MISCONFIGURED, a person must act."""

    def __init__(self, words: str, blame: Blame, error: str = "") -> None:
        super().__init__(words)
        self.blame, self.error = blame, error


async def refresh(http: HttpClient, client: OAuthClient, refresh_token: str, scope: str | None = None) -> Tokens:
    """With a `scope` that covers a part of what was granted, for that part alone. Raises TokenRefused."""
    fields = {"refresh_token": refresh_token, **_of_scope(scope)}
    return await _ask(http, client, {"grant_type": "refresh_token", **fields})


async def sign_in(http: HttpClient, client: OAuthClient, scope: str | None) -> Tokens:
    """Signs the client in by itself, which brings no refresh token (RFC 6749, 4.4). Raises TokenRefused."""
    return await _ask(http, client, {"grant_type": "client_credentials", **_of_scope(scope)})


async def exchange(
    http: HttpClient, client: OAuthClient, code: str, verifier: str, redirect_uri: str, scope: str | None = None
) -> Tokens:
    """Exchanges the code from the provider's consent page. Raises TokenRefused."""
    fields = {"code": code, "code_verifier": verifier, "redirect_uri": redirect_uri, **_of_scope(scope)}
    return await _ask(http, client, {"grant_type": "authorization_code", **fields})


def _of_scope(scope: str | None) -> dict[str, str]:
    return {} if scope is None else {"scope": scope}


async def _ask(http: HttpClient, client: OAuthClient, fields: Mapping[str, str]) -> Tokens:
    body = urlencode({"client_id": client.client_id, "client_secret": client.client_secret, **fields}).encode()
    headers = {b"Content-Type": b"application/x-www-form-urlencoded", b"Accept": b"application/json"}
    try:
        answer = await http.ask(client.token_url, headers, body, within=SECONDS)
    except NoAnswer as error:
        raise TokenRefused(str(error), Blame.UNREACHABLE) from None
    if answer.status not in SUCCESS:
        raise _refusal(client, answer.status, answer.json())
    return _tokens(client, answer.json())


def _refusal(client: OAuthClient, status: int, fields: Mapping[str, Any]) -> TokenRefused:
    if status == SLOW_DOWN:
        return TokenRefused(f"too many {client.provider} sign-ins per minute", Blame.THROTTLED)
    error, description = fields.get("error"), fields.get("error_description")
    if status in PERMANENT or not isinstance(error, str) or not error:
        return TokenRefused(f"{client.provider} sign-in returned {status}", Blame.UNREACHABLE)
    error = clean(error)[:LONGEST_WORDS]
    words = f"{error}: {clean(description)[:LONGEST_WORDS]}" if isinstance(description, str) else error
    code = AADSTS.search(words)
    if code is not None and code[1] in AADSTS_WORDS:
        sentence = f"{AADSTS_WORDS[code[1]]} ({code[0]})"
    elif error == INVALID_GRANT:
        sentence = f"{client.provider} access for this account has ended ({words}): reconnect it"
    else:
        sentence = f"{client.provider} rejected the OAuth client ({words}): {client.where}"
    return TokenRefused(sentence, Blame.MISCONFIGURED, error)


def _tokens(client: OAuthClient, fields: Mapping[str, Any]) -> Tokens:
    access, renewed = fields.get("access_token"), fields.get("refresh_token")
    if not isinstance(access, str) or not access:
        raise TokenRefused(f"{client.provider} sign-in returned no token", Blame.UNREACHABLE)
    if not all(TOKEN.fullmatch(token) for token in (access, renewed) if isinstance(token, str) and token):
        raise TokenRefused(f"{client.provider} sign-in returned an invalid token", Blame.UNREACHABLE)
    return Tokens(
        access_token=access,
        refresh_token=renewed if isinstance(renewed, str) and renewed else None,
        expires_in=_life(fields.get("expires_in")),
        refresh_expires_in=_life(fields.get("refresh_token_expires_in")),
        scopes=frozenset(str(fields.get("scope", "")).split()),
        email=_email(client, fields.get("id_token")),
    )


def _life(seconds: object) -> int | None:
    return seconds if isinstance(seconds, int) and 0 < seconds < LONGEST_LIFE else None


def _email(client: OAuthClient, id_token: object) -> str | None:
    """The address in an ID token, which needs no signature check over TLS (OpenID Connect Core, 3.1.3.7)."""
    payload = id_token.partition(".")[2].partition(".")[0] if isinstance(id_token, str) else ""
    try:
        claims = json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (ValueError, RecursionError):  # binascii's error is a ValueError
        return None
    if not isinstance(claims, dict) or claims.get("aud") != client.client_id:
        return None
    if client.verifies_email and claims.get("email_verified") is not True:
        return None
    email = claims.get("email") or (None if client.verifies_email else claims.get("preferred_username"))
    return email if isinstance(email, str) else None
