"""Connects Google accounts by OAuth (RFC 6749, 4.1; PKCE: RFC 7636; RFC 9700, 2.1); a state works once."""

import json
from base64 import urlsafe_b64encode
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from webapp import addresses, clock, crypto, db
from webapp.config import settings
from webapp.domain.accounts.accounts import add_account, change_account
from webapp.domain.accounts.inputs import AccountChanges, NewAccount
from webapp.domain.accounts.oauth_tokens import registered_client, save_tokens
from webapp.domain.inputs import read_input
from webapp.domain.segments.google_sheet import read_again
from webapp.domain.segments.segments import find_if_there
from webapp.errors import ConfigError, IdempotencyInProgress, NotFound, ValidationError
from webapp.models import Account, Organization, Segment, Session
from webapp.models.account import BounceReading, OAuthProvider, ProviderType
from webapp.models.idempotency_key import KeyedRequest, claim_key
from webapp.sending import oauth
from webapp.sending.google.sheets import READ_SCOPE
from webapp.sending.http_client import HttpClient
from webapp.sending.oauth import INVALID_GRANT, TokenRefused, Tokens
from webapp.sending.outcomes import clean
from webapp.sending.reports.gmail import READ_SCOPE as READ_MAIL_SCOPE

ATTEMPT = timedelta(minutes=10)
CALLBACK = "/accounts/google/callback"
SEND_SCOPE = "https://www.googleapis.com/auth/gmail.send"
SCOPES = ("openid", "email", SEND_SCOPE)
ENDPOINT = "google sign-in"  # the namespace of claimed states
WAIT_SECONDS = 5.0
MAX_REASON = 100  # characters

STALE = "This sign-in attempt has expired. Start again."
DENIED = "You declined access, so nothing was connected."
NOT_TO_SEND = "Google didn't grant permission to send email. Try again and leave that box checked."


class _OAuthState(NamedTuple):
    state: str
    verifier: str
    account_id: str | None
    ends_at: float
    segment_id: str | None  # to link to a sheet


def redirect_uri() -> str:
    return settings().base_url + CALLBACK


def begin(
    session: Session, account: Account | None = None, at: datetime | None = None, segment_id: UUID | None = None
) -> tuple[str, str]:
    """The URL of Google's consent page and the sealed state, for a new account or again for `account`.

    With a segment, access to sheets is added to earlier grants.
    """
    ends_at = (at or clock.now()) + ATTEMPT
    account_id = None if account is None else str(account.id)
    back = None if segment_id is None else str(segment_id)
    state = _OAuthState(crypto.new_token(), crypto.new_token(), account_id, ends_at.timestamp(), back)
    challenge = urlsafe_b64encode(sha256(state.verifier.encode()).digest()).decode().rstrip("=")
    scopes = [*SCOPES, *([] if segment_id is None else [READ_SCOPE])]
    if account is not None and account.bounce_reading == BounceReading.ACCOUNT:
        scopes.append(READ_MAIL_SCOPE)
    query = {
        "client_id": settings().google.client_id,
        "redirect_uri": redirect_uri(),
        "response_type": "code",
        "scope": " ".join(scopes),
        "include_granted_scopes": "true",
        "state": state.state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "access_type": "offline",  # with a refresh token,
        "prompt": "consent",  # which is only certain if the person is asked
    }
    if account is not None and account.google_email:
        query["login_hint"] = account.google_email
    url = f"{settings().google.auth_url}?{urlencode(query)}"
    return url, crypto.seal(json.dumps(state), _bound_to(session))


def _bound_to(session: Session) -> str:
    return f"google sign-in:{session.org_id}:{session.id}"


async def finish(
    org: Organization, session: Session, sealed_state: str, *, state: str, code: str, error: str
) -> tuple[Account, UUID | None]:
    """Reads sheets again; also returns the segment to go back to. Raises ValidationError, PlanLimitExceeded."""
    attempt = _open(session, sealed_state)
    if not crypto.same(attempt.state, state) or not await _is_first(org, attempt):
        raise ValidationError(STALE)
    if error:
        refused = f"Google couldn't connect the account: {clean(error)[:MAX_REASON]}"
        raise ValidationError(DENIED if error == "access_denied" else refused)
    account = None
    if attempt.account_id is not None:
        account = await Account.of(org).get_or_none(id=attempt.account_id)
        if account is None or account.provider_type != ProviderType.GOOGLE:
            raise ValidationError("This is no longer a Google account.")
    tokens = await _exchange(code, attempt.verifier)
    if attempt.segment_id is not None and READ_SCOPE not in tokens.scopes:
        raise ValidationError("Google didn't grant permission to read sheets. Try again and leave that box checked.")
    account = await _save(org, account, tokens)
    await read_again(account)
    return account, None if attempt.segment_id is None else UUID(attempt.segment_id)


async def target_of(org: Organization, session: Session, sealed_state: str) -> tuple[Account | None, Segment | None]:
    """The attempt's account and segment if they still exist; none if the state is invalid or expired."""
    try:
        attempt = _open(session, sealed_state)
    except ValidationError:
        return None, None
    account = await Account.of(org).get_or_none(id=attempt.account_id) if attempt.account_id else None
    segment = await find_if_there(org, UUID(attempt.segment_id)) if attempt.segment_id else None
    return account, segment


def _open(session: Session, sealed_state: str) -> _OAuthState:
    try:
        attempt = _OAuthState(*json.loads(crypto.unseal(sealed_state, _bound_to(session))))
    except (ConfigError, ValueError, TypeError):  # also for states of another version
        raise ValidationError(STALE) from None
    if datetime.fromtimestamp(attempt.ends_at, UTC) <= clock.now():
        raise ValidationError(STALE)
    return attempt


async def _is_first(org: Organization, attempt: _OAuthState) -> bool:
    """Claims the state, so that it works once across all processes; commits."""
    now = clock.now()
    request = KeyedRequest(org, ENDPOINT, crypto.digest(attempt.state), body_hash="")
    try:
        async with db.write_transaction():
            return await claim_key(request, now, now - ATTEMPT, WAIT_SECONDS)
    except IdempotencyInProgress:
        return False


async def _exchange(code: str, verifier: str) -> Tokens:
    if not code:
        raise ValidationError(STALE)
    try:
        client = registered_client(OAuthProvider.GOOGLE)
        async with aclosing(HttpClient()) as http:
            tokens = await oauth.exchange(http, client, code, verifier, redirect_uri())
    except TokenRefused as refusal:
        if refusal.error == INVALID_GRANT:
            raise ValidationError("Google rejected the sign-in code. Start again.") from None
        raise ValidationError(f"Couldn't connect: {refusal}.") from None
    if SEND_SCOPE not in tokens.scopes:
        raise ValidationError(NOT_TO_SEND)
    if tokens.refresh_token is None:
        words = "Google didn't grant ongoing access. Remove this app in your Google account and try again."
        raise ValidationError(words)
    return tokens


async def _save(org: Organization, account: Account | None, tokens: Tokens) -> Account:
    try:
        email = addresses.normalize(tokens.email or "")
    except ValueError:
        raise ValidationError("Google didn't share the email address of the account. Try again.") from None
    if account is None:
        known = Account.of(org).filter(provider_type=ProviderType.GOOGLE, google_email__iexact=email)
        account = await known.order_by("id").first()
    elif account.google_email and account.google_email.lower() != email.lower():
        raise ValidationError(f"You chose {email}. Choose {account.google_email}, or add {email} as a new account.")
    values = {
        "google_email": email,
        "google_access_token": tokens.access_token,
        "google_refresh_token": tokens.refresh_token,
    }
    if account is None:
        fields = {"name": email, "provider_type": ProviderType.GOOGLE.value, **values}
        account = await add_account(org, read_input(NewAccount, fields, strict=True))
    else:
        try:
            account = await change_account(account, read_input(AccountChanges, values, strict=True))
        except NotFound:
            raise ValidationError("The account has been deleted.") from None
    await save_tokens(account, tokens)  # with their expiry
    return account
