"""Access tokens of accounts: stored encrypted, used until they expire or are rejected, and refreshed one at a time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from copy import copy
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID
from weakref import WeakValueDictionary

from webapp import clock, db
from webapp.config import settings
from webapp.config.oauth import GoogleSettings, MicrosoftSettings
from webapp.domain.accounts.credentials import open_secret, seal_secret
from webapp.errors import NotFound
from webapp.models import Account
from webapp.models.account import RENEW_EVERY, OAuthGrant, OAuthProvider, ProviderType
from webapp.sending import oauth, webhook
from webapp.sending.endpoint import Destination, PostRefused
from webapp.sending.graph import SEND_SCOPE as GRAPH_SCOPE
from webapp.sending.host_policy import HostPolicy
from webapp.sending.http_client import HttpClient
from webapp.sending.oauth import INVALID_GRANT, OAuthClient, TokenRefused, Tokens
from webapp.sending.outcomes import Blame
from webapp.sending.reports.imap import MICROSOFT_APP_SCOPE as IMAP_APP_SCOPE
from webapp.sending.reports.imap import MICROSOFT_SCOPE as IMAP_SCOPE

MARGIN = timedelta(seconds=60)  # refreshed so long before expiry, because sending takes a while
LEASE_SECONDS = 30.0  # longer than an exchange takes; that of a dead process ends by itself
POLL_SECONDS = 0.2

_locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()  # freed with the last waiter


class TokenColumns(NamedTuple):
    """Where an account stores its tokens; `expires_at` is the access token's."""

    access: str
    refresh: str
    expires_at: str


GOOGLE_COLUMNS = TokenColumns("google_access_token", "google_refresh_token", "google_token_expires_at")
OAUTH_COLUMNS = TokenColumns("oauth_access_token", "oauth_refresh_token", "oauth_token_expires_at")


def columns_of(account: Account) -> TokenColumns:
    return GOOGLE_COLUMNS if account.provider_type == ProviderType.GOOGLE else OAUTH_COLUMNS


def provider_of(account: Account) -> OAuthProvider:
    if account.provider_type == ProviderType.GOOGLE:
        return OAuthProvider.GOOGLE
    return OAuthProvider(account.oauth_provider or OAuthProvider.CUSTOM)


def has_client(account: Account) -> bool:
    """False if the account needs the operator's OAuth client and there is none."""
    provider = provider_of(account)
    return provider is OAuthProvider.CUSTOM or client_settings(provider).has_client


def client_settings(provider: OAuthProvider) -> GoogleSettings | MicrosoftSettings:
    return settings().google if provider is OAuthProvider.GOOGLE else settings().microsoft


def registered_client(provider: OAuthProvider) -> OAuthClient:
    """The operator's client of Google or Microsoft. Raises TokenRefused if there is none."""
    is_google = provider is OAuthProvider.GOOGLE
    client = client_settings(provider)
    name, prefix = ("Google", "PENNYPOST_GOOGLE") if is_google else ("Microsoft", "PENNYPOST_MICROSOFT")
    if client.client_id is None or client.client_secret is None:
        words = f"{name} sign-in isn't set up: an administrator must set {prefix}_CLIENT_ID and {prefix}_CLIENT_SECRET"
        raise TokenRefused(words, Blame.MISCONFIGURED)
    where = f"ask an admin to check {prefix}_CLIENT_ID"
    return OAuthClient(name, client.token_url, client.client_id, client.client_secret, where, verifies_email=is_google)


async def _client_of(account: Account) -> OAuthClient:
    """Raises TokenRefused, and ConfigError if a secret cannot be decrypted."""
    provider = provider_of(account)
    if provider is not OAuthProvider.CUSTOM:
        return registered_client(provider)
    secret = open_secret(account, "oauth_client_secret")
    if account.oauth_token_url is None or account.oauth_client_id is None or secret is None:
        raise TokenRefused("the account has no OAuth client: enter it again", Blame.MISCONFIGURED)
    try:
        to = await webhook.destination(account.oauth_token_url, HostPolicy.of(settings(), account.org_id))
    except PostRefused as error:
        raise TokenRefused(str(error), Blame.UNREACHABLE) from None
    where = "check the client ID and secret of this account"
    return OAuthClient(to.server_name, to, account.oauth_client_id, secret, where)


@asynccontextmanager
async def _asking(client: OAuthClient, http: HttpClient) -> AsyncIterator[HttpClient]:
    if not isinstance(client.token_url, Destination):
        yield http
        return
    async with aclosing(HttpClient()) as own:
        yield own


async def access_token(account: Account, http: HttpClient, refused: str | None = None) -> str:
    """A token that is not the `refused` one; refreshes it unless another task already has.

    Raises TokenRefused, and ConfigError if a secret cannot be decrypted.
    """
    token = _good_token(account)
    if token is not None and refused is None:
        return token
    refused = refused or open_secret(account, columns_of(account).access)
    async with _renewing(account) as current:
        token = _good_token(current)
        if token is not None and token != refused:
            return token
        return await _renew(current, http)


async def mailbox_token(account: Account, http: HttpClient, refused: str | None = None) -> str:
    """A token to read the account's own mailbox; raises like `access_token`.

    For a Graph account it is a new one for IMAP, which is not saved: Entra issues tokens for one API each.
    """
    if account.provider_type != ProviderType.MICROSOFT:
        return await access_token(account, http, refused)
    is_app = account.oauth_grant == OAuthGrant.CLIENT_CREDENTIALS
    async with _renewing(account) as current:
        tokens = await _refresh(current, http, IMAP_APP_SCOPE if is_app else IMAP_SCOPE)
        await save_tokens(current, tokens, keeps_access=True)
        return tokens.access_token


@asynccontextmanager
async def _renewing(account: Account) -> AsyncIterator[Account]:
    """Waits until no task of any process renews the account's tokens, because a refresh token may work only once.

    Yields the account as it is then.
    """
    async with _locks.setdefault(account.id, asyncio.Lock()):
        while (leased_until := await account.lease(LEASE_SECONDS)) is None:
            await _reload(account)  # raises if the account is gone
            await asyncio.sleep(POLL_SECONDS)
        try:
            yield await _reload(account)
        finally:
            await account.release(leased_until)


def _good_token(account: Account) -> str | None:
    columns = columns_of(account)
    ends_at = getattr(account, columns.expires_at)
    is_over = ends_at is not None and ends_at <= clock.now() + MARGIN
    return None if is_over else open_secret(account, columns.access)


async def _reload(account: Account) -> Account:
    current = copy(account)
    try:
        await current.refresh()
    except NotFound:
        raise TokenRefused("the account was deleted", Blame.UNREACHABLE) from None
    return current


async def _refresh(account: Account, http: HttpClient, scope: str | None) -> Tokens:
    is_app = account.oauth_grant == OAuthGrant.CLIENT_CREDENTIALS
    secret = open_secret(account, columns_of(account).refresh)
    if secret is None and not is_app:
        name = provider_of(account).title()
        raise TokenRefused(f"the account is not connected to {name}: connect it", Blame.MISCONFIGURED)
    client = await _client_of(account)
    async with _asking(client, http) as asking:
        if secret is None:
            return await oauth.sign_in(asking, client, scope or account.oauth_scope)
        return await oauth.refresh(asking, client, secret, scope or account.oauth_scope)


async def _renew(account: Account, http: HttpClient) -> str:
    is_person = account.oauth_grant == OAuthGrant.REFRESH_TOKEN
    scope = GRAPH_SCOPE if account.provider_type == ProviderType.MICROSOFT and is_person else None
    try:
        tokens = await _refresh(account, http, scope)
    except TokenRefused as refusal:
        current = await _reload(account) if refusal.error == INVALID_GRANT else account
        # Another process may have saved another login.
        token = None if _has_sign_in_of(current, account) else _good_token(current)
        if token is None:
            raise
        return token
    await save_tokens(account, tokens)
    return tokens.access_token


def _has_sign_in_of(current: Account, account: Account) -> bool:
    """Compares decrypted secrets, because each encryption differs."""
    return _sign_in_of(current) == _sign_in_of(account)


def _sign_in_of(account: Account) -> tuple[str, str | None]:
    column = columns_of(account).refresh
    return column, open_secret(account, column) or open_secret(account, "oauth_client_secret")


async def save_tokens(account: Account, tokens: Tokens, *, keeps_access: bool = False) -> None:
    """Saves the tokens unless the login has changed; locks the row and keeps `updated_at`.

    With `keeps_access` the access token is for another API than the one that sends.
    """
    columns, now = columns_of(account), clock.now()
    async with db.write_transaction():
        current = await Account.across_orgs().select_for_update().get_or_none(id=account.id)
        if current is None or not _has_sign_in_of(current, account):
            return
        changed: dict[str, Any] = {}
        if getattr(current, columns.refresh) is not None:
            changed["oauth_renew_at"] = now + RENEW_EVERY
        if not keeps_access:
            ends_at = None if tokens.expires_in is None else now + timedelta(seconds=tokens.expires_in)
            sealed = seal_secret(current, columns.access, tokens.access_token)
            changed |= {columns.access: sealed, columns.expires_at: ends_at}
        if tokens.refresh_token is not None:
            changed[columns.refresh] = seal_secret(current, columns.refresh, tokens.refresh_token)
        if tokens.refresh_expires_in is not None:
            changed["oauth_expires_at"] = now + timedelta(seconds=tokens.refresh_expires_in)
        await current.update_from_dict(changed).save(update_fields=list(changed))
