"""Google access tokens: stored encrypted, used until they expire or are rejected, and refreshed one at a time."""

import asyncio
from copy import copy
from datetime import timedelta
from uuid import UUID
from weakref import WeakValueDictionary

from webapp import clock, db
from webapp.config import settings
from webapp.domain.accounts.credentials import open_secret, seal_secret
from webapp.errors import NotFound
from webapp.models import Account
from webapp.sending.google import oauth
from webapp.sending.google.oauth import INVALID_GRANT, TokenRefused, Tokens
from webapp.sending.http_client import HttpClient
from webapp.sending.outcomes import Blame

MARGIN = timedelta(seconds=60)  # refreshed so long before expiry, because sending takes a while

_locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()  # freed with the last waiter


async def access_token(account: Account, http: HttpClient, refused: str | None = None) -> str:
    """A token that is not the `refused` one; refreshes it unless another task already has.

    Raises TokenRefused, and ConfigError if a secret cannot be decrypted.
    """
    token = _good_token(account)
    if token is not None and refused is None:
        return token
    refused = refused or open_secret(account, "google_access_token")
    async with _locks.setdefault(account.id, asyncio.Lock()):
        current = await _reload(account)
        token = _good_token(current)
        if token is not None and token != refused:
            return token
        return await _renew(current, http)


def _good_token(account: Account) -> str | None:
    ends_at = account.google_token_expires_at
    is_over = ends_at is not None and ends_at <= clock.now() + MARGIN
    return None if is_over else open_secret(account, "google_access_token")


async def _reload(account: Account) -> Account:
    current = copy(account)
    try:
        await current.refresh()
    except NotFound:
        raise TokenRefused("the account was deleted", Blame.UNREACHABLE) from None
    return current


async def _renew(account: Account, http: HttpClient) -> str:
    secret = open_secret(account, "google_refresh_token")
    if secret is None:
        raise TokenRefused("the account is not connected to Google: connect it", Blame.MISCONFIGURED)
    try:
        tokens = await oauth.refresh(http, settings().google, secret)
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
    """Compares decrypted refresh tokens, because each encryption differs."""
    return open_secret(current, "google_refresh_token") == open_secret(account, "google_refresh_token")


async def save_tokens(account: Account, tokens: Tokens) -> None:
    """Saves the tokens unless the login has changed; locks the row and keeps `updated_at`."""
    async with db.write_transaction():
        current = await Account.across_orgs().select_for_update().get_or_none(id=account.id)
        if current is None or not _has_sign_in_of(current, account):
            return
        changed = ["google_access_token", "google_token_expires_at"]
        current.google_access_token = seal_secret(current, "google_access_token", tokens.access_token)
        seconds = tokens.expires_in
        current.google_token_expires_at = None if seconds is None else clock.now() + timedelta(seconds=seconds)
        if tokens.refresh_token is not None:
            changed.append("google_refresh_token")
            current.google_refresh_token = seal_secret(current, "google_refresh_token", tokens.refresh_token)
        await current.save(update_fields=changed)
