"""Opens sessions by the account's provider: SMTP, the Gmail API or Microsoft Graph."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import TypeGuard, TypeVar

from webapp.config import settings
from webapp.domain.accounts import oauth_tokens
from webapp.domain.accounts.credentials import open_secret, smtp_login
from webapp.models import Account
from webapp.models.account import OAuthGrant, ProviderType, SmtpAuth
from webapp.sending.api_session import ApiSession
from webapp.sending.google.gmail import GMAIL
from webapp.sending.graph import graph_for
from webapp.sending.http_client import HttpClient
from webapp.sending.oauth import TokenRefused
from webapp.sending.outcomes import Outcome, Phase, TryLater, clean
from webapp.sending.smtp.connect import UNIFORM_FAILURE_DELAY, Dialer, SmtpLogin, Unreachable
from webapp.sending.smtp.pool import CLOSE_SECONDS, SmtpPool, try_login, try_sender
from webapp.sending.smtp.session import SmtpSession, Stale
from webapp.sending.smtp.sign_in import is_token_rejected

T = TypeVar("T")

MailSession = SmtpSession | ApiSession  # both have begin, abandon and finish


class Providers:
    def __init__(self, pool: SmtpPool, http: HttpClient) -> None:
        self._pool, self._http = pool, http

    async def connect(self, account: Account, stale: MailSession | None = None) -> MailSession:
        """A session that may send, replacing a `stale` one. Raises Unreachable, and ConfigError without our key."""
        if account.smtp_auth == SmtpAuth.OAUTH2:
            return await _by_oauth(account, self._http, self._pool.connect)
        if account.provider_type == ProviderType.SMTP:
            return await self._pool.connect(smtp_login(account))
        refused = stale.token if isinstance(stale, ApiSession) else None
        try:
            token = await oauth_tokens.access_token(account, self._http, refused)
        except TokenRefused as refusal:
            raise Unreachable(_token_failure(refusal)) from None
        api, url = GMAIL, settings().google.api_url
        if account.provider_type == ProviderType.MICROSOFT:
            is_app = account.oauth_grant == OAuthGrant.CLIENT_CREDENTIALS
            api, url = graph_for(account.microsoft_email if is_app else None), settings().microsoft.api_url
        return ApiSession(api, self._http, url, token, is_renewed=stale is not None)

    def may_pipeline(self, session: MailSession) -> TypeGuard[SmtpSession]:
        return isinstance(session, SmtpSession) and self._pool.may_continue(session, 1)

    def release(self, session: MailSession) -> None:
        if isinstance(session, SmtpSession):
            self._pool.release(session)

    def discard(self, session: MailSession, error: Stale) -> None:
        if isinstance(session, SmtpSession):
            self._pool.discard(session, error)

    async def close(self, seconds: float = CLOSE_SECONDS) -> None:
        await asyncio.gather(self._pool.close(seconds), self._http.aclose())


async def check_credentials(account: Account) -> TryLater | None:
    if account.provider_type == ProviderType.SMTP:
        try:
            return await _with_login(account, _try_login)
        except Unreachable as error:
            return error.outcome
    try:
        async with aclosing(HttpClient()) as http:
            old = open_secret(account, oauth_tokens.columns_of(account).access)
            await oauth_tokens.access_token(account, http, old)
    except TokenRefused as refusal:
        return _token_failure(refusal)
    return None


async def check_sender(account: Account, address: str) -> Outcome | None:
    """Signs in to an SMTP account and offers an email from and to the address without sending it."""
    try:
        return await _with_login(account, lambda login: try_sender(login, address, _test_dialer()))
    except Unreachable as error:
        return error.outcome


async def _try_login(login: SmtpLogin) -> None:
    if failure := await try_login(login, _test_dialer()):
        raise Unreachable(failure)


async def _with_login(account: Account, work: Callable[[SmtpLogin], Awaitable[T]]) -> T:
    if account.smtp_auth != SmtpAuth.OAUTH2:
        return await work(smtp_login(account))
    async with aclosing(HttpClient()) as http:
        return await _by_oauth(account, http, work)


async def _by_oauth(account: Account, http: HttpClient, work: Callable[[SmtpLogin], Awaitable[T]]) -> T:
    """Works with an access token, and once more with a new one if the server rejects it.

    Raises Unreachable, and ConfigError without our key.
    """
    try:
        token = await oauth_tokens.access_token(account, http)
        try:
            return await work(smtp_login(account, token))
        except Unreachable as error:
            if not is_token_rejected(error.outcome.code, error.outcome.text):
                raise
        return await work(smtp_login(account, await oauth_tokens.access_token(account, http, token)))
    except TokenRefused as refusal:
        raise Unreachable(_token_failure(refusal)) from None


def _test_dialer() -> Dialer:
    return Dialer.of(settings(), uniform_failure_delay=UNIFORM_FAILURE_DELAY)


def _token_failure(refusal: TokenRefused) -> TryLater:
    return TryLater(None, clean(str(refusal)), Phase.LOGIN, refusal.blame)
