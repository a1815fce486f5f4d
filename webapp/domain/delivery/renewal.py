"""Renews the sign-ins of idle accounts every week, before they lapse.

An account that sends renews its own. A restored copy renews none, because some providers then end the original's.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import aclosing
from uuid import UUID

from webapp import clock
from webapp.db.errors import is_outage
from webapp.domain.accounts import oauth_tokens
from webapp.domain.accounts.credentials import open_secret
from webapp.errors import KeyMissing
from webapp.models import Account
from webapp.models.account import RENEW_EVERY
from webapp.models.queries import account_health
from webapp.sending.http_client import HttpClient
from webapp.sending.oauth import TokenRefused
from webapp.sending.outcomes import Blame, clean

log = logging.getLogger(__name__)

ROUND_SECONDS = 30.0  # then no further account is begun, because a job has a minute
RETRY_SECONDS = 3600.0
AT_ONCE = 4
MOST_DUE = 500


async def renew_due(seconds: float = ROUND_SECONDS) -> None:
    """Renews due sign-ins for `seconds`; the others stay due."""
    until, due = clock.elapsed() + seconds, iter(await Account.due_for_renewal(MOST_DUE))
    async with aclosing(HttpClient()) as http, asyncio.TaskGroup() as tasks:
        for _ in range(AT_ONCE):
            tasks.create_task(_renew_each(due, http, until))


async def _renew_each(due: Iterator[UUID], http: HttpClient, until: float) -> None:
    for account_id in due:
        if clock.elapsed() >= until:
            return
        account = await Account.claim_renewal(account_id, RETRY_SECONDS)
        if account is not None:
            await _renew(account, http)


async def _renew(account: Account, http: HttpClient) -> None:
    try:
        token = open_secret(account, oauth_tokens.columns_of(account).access)
        await oauth_tokens.access_token(account, http, token)
    except TokenRefused as refusal:
        if refusal.blame is Blame.MISCONFIGURED:
            await account_health.mark_broken(account, clean(str(refusal)))
            account.oauth_renew_at = clock.now() + RENEW_EVERY
            await account.save(update_fields=["oauth_renew_at"])
    except KeyMissing:  # this worker lacks a key, which its heartbeat reports
        return
    except Exception as error:
        if is_outage(error):
            raise  # the others would fail too; they are due again later
        log.exception("a sign-in could not be renewed", extra={"account": str(account.id)})
