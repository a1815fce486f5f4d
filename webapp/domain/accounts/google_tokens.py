"""Google accounts' access tokens, stored encrypted: used until they expire or are refused, refreshed one at a time."""

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

MARGIN = timedelta(seconds=60)  # before its expiry a token is refreshed: a message takes a while to send

_locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()  # a lock is freed with its last waiter


async def access_token(account: Account, http: HttpClient) -> str:
    """Raises TokenRefused, and ConfigError when a secret cannot be decrypted."""
    token = _good_token(account)
    if token is not None:
        return token
    return await refresh_after_rejection(account, http, open_secret(account, "google_access_token"))


async def refresh_after_rejection(account: Account, http: HttpClient, refused: str | None) -> str:
    """Another token than the `refused` one: a concurrent refresh's, or a new one. Raises as `access_token`."""
    async with _locks.setdefault(account.id, asyncio.Lock()):
        found = await _reload(account)
        token = _good_token(found)
        if token is not None and token != refused:
            return token
        return await _renew(found, http)


def _good_token(account: Account) -> str | None:
    ends_at = account.google_token_expires_at
    is_over = ends_at is not None and ends_at <= clock.now() + MARGIN
    return None if is_over else open_secret(account, "google_access_token")


async def _reload(account: Account) -> Account:
    found = copy(account)
    try:
        await found.refresh()
    except NotFound:
        raise TokenRefused("the account was deleted", Blame.UNREACHABLE) from None
    return found


async def _renew(account: Account, http: HttpClient) -> str:
    secret = open_secret(account, "google_refresh_token")
    if secret is None:
        raise TokenRefused("the account is not connected to Google: connect it", Blame.MISCONFIGURED)
    try:
        tokens = await oauth.refresh(http, settings().google, secret)
    except TokenRefused as refusal:
        found = await _reload(account) if refusal.error == INVALID_GRANT else account
        # Another process may have set another sign-in.
        token = None if _has_sign_in_of(found, account) else _good_token(found)
        if token is None:
            raise
        return token
    await save_tokens(account, tokens)
    return tokens.access_token


def _has_sign_in_of(found: Account, account: Account) -> bool:
    """Compares refresh tokens decrypted: encrypted again they differ."""
    return open_secret(found, "google_refresh_token") == open_secret(account, "google_refresh_token")


async def save_tokens(account: Account, tokens: Tokens) -> None:
    """Saves the tokens unless the account has another sign-in by now; locks the row. `updated_at` stays."""
    async with db.write_transaction():
        found = await Account.across_orgs().select_for_update().get_or_none(id=account.id)
        if found is None or not _has_sign_in_of(found, account):
            return
        changed = ["google_access_token", "google_token_expires_at"]
        found.google_access_token = seal_secret(found, "google_access_token", tokens.access_token)
        seconds = tokens.expires_in
        found.google_token_expires_at = None if seconds is None else clock.now() + timedelta(seconds=seconds)
        if tokens.refresh_token is not None:
            changed.append("google_refresh_token")
            found.google_refresh_token = seal_secret(found, "google_refresh_token", tokens.refresh_token)
        await found.save(update_fields=changed)
