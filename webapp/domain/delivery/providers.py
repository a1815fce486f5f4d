"""Which way a message leaves: by its account's provider."""

from webapp.config import settings
from webapp.domain.accounts import google_tokens
from webapp.domain.accounts.credentials import open_secret, smtp_login
from webapp.models import Account
from webapp.models.account import Provider
from webapp.sending.google.gmail import SIGNED_OUT, Gmail
from webapp.sending.google.oauth import TokenRefused
from webapp.sending.http_client import HttpClient
from webapp.sending.outcomes import Outcome, Phase, TryLater, clean
from webapp.sending.smtp.connect import TOLD_AFTER_SECONDS, Dialer
from webapp.sending.smtp.pool import SmtpPool, try_login
from webapp.sending.smtp.session import Envelope, Proceed, Relay


async def carry(
    pool: SmtpPool,
    http: HttpClient,
    account: Account,
    envelope: Envelope,
    data: bytes,
    proceed: Proceed,
    relay: Relay | None = None,
) -> dict[str, Outcome]:
    """The outcome for each recipient; `proceed` is asked right before the message is handed over.

    Over SMTP other messages of the `relay` follow; what is returned is the last one's then.
    """
    if account.provider_type == Provider.GOOGLE:
        outcome = await _by_gmail(http, account, envelope, data, proceed)
        return dict.fromkeys(envelope.recipients, outcome)
    delivering = pool.deliver(smtp_login(account), envelope, data, proceed, relay)
    del data  # the pool forgets it once it has gone
    return await delivering


async def _by_gmail(http: HttpClient, account: Account, envelope: Envelope, data: bytes, proceed: Proceed) -> Outcome:
    """Send with the token there is; one that Google does not take is renewed once."""
    gmail = Gmail(http, settings().google.api_url)
    try:
        token = await google_tokens.access_token(account, http)
        outcome = await gmail.send(token, envelope, data, proceed)
        if isinstance(outcome, TryLater) and outcome.code == SIGNED_OUT:
            token = await google_tokens.refresh_after_rejection(account, http, token)
            outcome = await gmail.send(token, envelope, data, proceed)
    except TokenRefused as refusal:
        return _without_token(refusal)
    return outcome


async def try_account(account: Account) -> TryLater | None:
    """Sign in as the account: None when all went well, else what is wrong in words a person can act on."""
    if account.provider_type != Provider.GOOGLE:
        return await try_login(smtp_login(account), Dialer.of(settings(), told_after=TOLD_AFTER_SECONDS))
    http = HttpClient()
    try:
        await google_tokens.refresh_after_rejection(account, http, open_secret(account, "google_access_token"))
    except TokenRefused as refusal:
        return _without_token(refusal)
    finally:
        await http.close()
    return None


def _without_token(refusal: TokenRefused) -> TryLater:
    return TryLater(None, clean(str(refusal)), Phase.LOGIN, refusal.blame)
