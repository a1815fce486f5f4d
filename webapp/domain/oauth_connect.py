"""Connects accounts at Google or Microsoft (RFC 6749, 4.1; PKCE: RFC 7636; RFC 9700, 2.1); a state works once."""

import json
from base64 import urlsafe_b64encode
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from webapp import addresses, clock, crypto, db
from webapp.domain.accounts.accounts import add_account, change_account
from webapp.domain.accounts.credentials import MICROSOFT_HOST
from webapp.domain.accounts.inputs import AccountChanges, NewAccount
from webapp.domain.accounts.oauth_tokens import registered_client, save_tokens
from webapp.domain.inputs import read_input
from webapp.domain.oauth_providers import GOOGLE, GRAPH, PROVIDERS, ConnectProvider
from webapp.domain.segments.google_sheet import read_again
from webapp.domain.segments.segments import find_if_there
from webapp.errors import ConfigError, IdempotencyInProgress, NotFound, ValidationError
from webapp.models import Account, Organization, Segment, Session
from webapp.models.account import BounceReading, OAuthGrant, OAuthProvider, ProviderType, SmtpAuth
from webapp.models.api_request import KeyedRequest, claim_key
from webapp.sending import oauth
from webapp.sending.google.sheets import READ_SCOPE
from webapp.sending.http_client import HttpClient
from webapp.sending.oauth import INVALID_GRANT, TokenRefused, Tokens
from webapp.sending.outcomes import clean

ATTEMPT = timedelta(minutes=10)
ENDPOINT = "google sign-in"  # the namespace of claimed states, also Microsoft's
WAIT_SECONDS = 5.0
MAX_REASON = 100  # characters
SMTP_PORT = 587
GRAPH_PER_MINUTE = 30  # Exchange Online's message rate limit of a mailbox
# Personal mailboxes have a server of their own.
PERSONAL_HOST, PERSONAL = "smtp-mail.outlook.com", ("outlook.com", "hotmail.com", "live.com", "msn.com")

STALE = "This sign-in attempt has expired. Start again."
DENIED = "You declined access, so nothing was connected."


class _OAuthState(NamedTuple):
    provider: str
    state: str
    verifier: str
    account_id: str | None
    ends_at: float
    segment_id: str | None  # to link to a sheet


def begin(
    provider: ConnectProvider,
    session: Session,
    account: Account | None = None,
    at: datetime | None = None,
    segment_id: UUID | None = None,
) -> tuple[str, str]:
    """The URL of the provider's consent page and the sealed state, for a new account or again for `account`.

    With a segment, access to sheets is added to earlier grants.
    """
    ends_at = (at or clock.now()) + ATTEMPT
    account_id = None if account is None else str(account.id)
    back = None if segment_id is None else str(segment_id)
    secrets = crypto.new_token(), crypto.new_token()
    state = _OAuthState(provider.name, *secrets, account_id, ends_at.timestamp(), back)
    challenge = urlsafe_b64encode(sha256(state.verifier.encode()).digest()).decode().rstrip("=")
    scopes = [*provider.scopes, *([] if segment_id is None else [READ_SCOPE])]
    if account is not None and account.bounce_reading == BounceReading.ACCOUNT:
        scopes.append(provider.reads)
    query = {
        "client_id": provider.client.client_id,
        "redirect_uri": provider.redirect_uri,
        "response_type": "code",
        "scope": " ".join(scopes),
        "state": state.state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        **provider.query,
    }
    if account is not None and (hint := _address_of(account)):
        query["login_hint"] = hint
    url = f"{provider.client.auth_url}?{urlencode(query)}"
    return url, crypto.seal(json.dumps(state), _bound_to(session))


def _bound_to(session: Session) -> str:
    return f"google sign-in:{session.org_id}:{session.id}"


async def finish(
    asked: OAuthProvider,
    org: Organization,
    session: Session,
    sealed_state: str,
    *,
    state: str,
    code: str,
    error: str,
) -> tuple[Account, UUID | None]:
    """Finishes the attempt that began at `asked`, and reads sheets again; also returns the segment to go back to.

    Raises ValidationError, PlanLimitExceeded.
    """
    attempt = _open(session, sealed_state)
    provider = PROVIDERS[attempt.provider]
    if provider.provider is not asked or not crypto.same(attempt.state, state) or not await _is_first(org, attempt):
        raise ValidationError(STALE)
    if error:
        refused = f"{provider.label} couldn't connect the account: {clean(error)[:MAX_REASON]}"
        raise ValidationError(DENIED if error == "access_denied" else refused)
    account = None
    if attempt.account_id is not None:
        account = await Account.of(org).get_or_none(id=attempt.account_id)
        if account is None or not provider.fits(account):
            raise ValidationError(f"This is no longer a {provider.label} account.")
    tokens = await _exchange(provider, code, attempt.verifier)
    if attempt.segment_id is not None and READ_SCOPE not in tokens.scopes:
        raise ValidationError("Google didn't grant permission to read sheets. Try again and leave that box checked.")
    account = await _save(provider, org, account, tokens)
    if provider is GOOGLE:
        await read_again(account)
    return account, None if attempt.segment_id is None else UUID(attempt.segment_id)


class Target(NamedTuple):
    provider: ConnectProvider
    account: Account | None
    segment: Segment | None


async def target_of(org: Organization, session: Session, sealed_state: str) -> Target | None:
    """Where the attempt began, with its account and segment if they still exist; None if it is invalid or expired."""
    try:
        attempt = _open(session, sealed_state)
    except ValidationError:
        return None
    account = await Account.of(org).get_or_none(id=attempt.account_id) if attempt.account_id else None
    segment = await find_if_there(org, UUID(attempt.segment_id)) if attempt.segment_id else None
    return Target(PROVIDERS[attempt.provider], account, segment)


def _open(session: Session, sealed_state: str) -> _OAuthState:
    try:
        attempt = _OAuthState(*json.loads(crypto.unseal(sealed_state, _bound_to(session))))
    except (ConfigError, ValueError, TypeError):  # also for states of another version
        raise ValidationError(STALE) from None
    if attempt.provider not in PROVIDERS or datetime.fromtimestamp(attempt.ends_at, UTC) <= clock.now():
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


async def _exchange(provider: ConnectProvider, code: str, verifier: str) -> Tokens:
    if not code:
        raise ValidationError(STALE)
    try:
        client = registered_client(provider.provider)
        async with aclosing(HttpClient()) as http:
            redirect_uri, scope = provider.redirect_uri, provider.token_scope
            tokens = await oauth.exchange(http, client, code, verifier, redirect_uri, scope)
    except TokenRefused as refusal:
        if refusal.error == INVALID_GRANT:
            raise ValidationError(f"{provider.label} rejected the sign-in code. Start again.") from None
        raise ValidationError(f"Couldn't connect: {refusal}.") from None
    if not provider.may_send(tokens):
        raise ValidationError(provider.not_to_send)
    if tokens.refresh_token is None:
        label = provider.label
        words = f"{label} didn't grant ongoing access. Remove this app in your {label} account and try again."
        raise ValidationError(words)
    return tokens


async def _save(provider: ConnectProvider, org: Organization, account: Account | None, tokens: Tokens) -> Account:
    try:
        email = addresses.normalize(tokens.email or "")
    except ValueError:
        words = f"{provider.label} didn't share the email address of the account. Try again."
        raise ValidationError(words) from None
    if account is None:
        account = await _connected(provider, org, email)
    elif (own := _address_of(account)) and own.lower() != email.lower():
        raise ValidationError(f"You chose {email}. Choose {own}, or add {email} as a new account.")
    values = _values_of(provider, account, email, tokens)
    if account is None:
        fields = {"name": email, **values}
        account = await add_account(org, read_input(NewAccount, fields, strict=True))
    else:
        try:
            account = await change_account(account, read_input(AccountChanges, values, strict=True))
        except NotFound:
            raise ValidationError("The account has been deleted.") from None
    await save_tokens(account, tokens)  # with their expiry
    return account


async def _connected(provider: ConnectProvider, org: Organization, email: str) -> Account | None:
    """The oldest account that is connected with the address already."""
    if provider is GOOGLE:
        known = Account.of(org).filter(provider_type=ProviderType.GOOGLE, google_email__iexact=email)
    elif provider is GRAPH:
        known = Account.of(org).filter(provider_type=ProviderType.MICROSOFT, microsoft_email__iexact=email)
    else:
        known = Account.of(org).filter(oauth_provider=OAuthProvider.MICROSOFT, smtp_username__iexact=email)
    return await known.order_by("id").first()


def _address_of(account: Account) -> str | None:
    """The address that the account signs in with, if it is one."""
    if account.provider_type != ProviderType.SMTP:
        return account.google_email or account.microsoft_email
    return account.smtp_username if "@" in (account.smtp_username or "") else None


def _values_of(provider: ConnectProvider, account: Account | None, email: str, tokens: Tokens) -> dict[str, Any]:
    if provider is GOOGLE:
        return {
            "provider_type": ProviderType.GOOGLE.value,
            "google_email": email,
            "google_access_token": tokens.access_token,
            "google_refresh_token": tokens.refresh_token,
        }
    sign_in = {
        "oauth_provider": OAuthProvider.MICROSOFT.value,
        "oauth_grant": OAuthGrant.REFRESH_TOKEN.value,
        "oauth_access_token": tokens.access_token,
        "oauth_refresh_token": tokens.refresh_token,
    }
    if provider is GRAPH:
        pace = {"max_per_minute": GRAPH_PER_MINUTE} if account is None else {}
        return {"provider_type": ProviderType.MICROSOFT.value, "microsoft_email": email, **sign_in, **pace}
    host = PERSONAL_HOST if email.rpartition("@")[2].lower() in PERSONAL else MICROSOFT_HOST
    return {
        "provider_type": ProviderType.SMTP.value,
        "smtp_host": host if account is None or account.smtp_host is None else account.smtp_host,
        "smtp_port": SMTP_PORT,
        "smtp_security": "starttls",
        "smtp_auth": SmtpAuth.OAUTH2.value,
        "smtp_username": email,
        **sign_in,
    }
