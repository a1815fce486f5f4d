"""Chooses accounts that can send (the contract's "Account choice")."""

from collections.abc import Sequence
from uuid import UUID

from webapp.domain.key_scope import current_scope
from webapp.errors import NotFound, ValidationError
from webapp.models import Account, Organization
from webapp.models.account import AccountStatus, ProviderType
from webapp.sending import graph
from webapp.sending.google.gmail import GMAIL

# Bytes of a message.
LARGEST: dict[str, int] = {ProviderType.GOOGLE: GMAIL.largest, ProviderType.MICROSOFT: graph.LARGEST}
ENCODED = 78 / 57  # bytes in an email for each byte of a file (RFC 2045, 6.8)
ROOM_FOR_BODIES = 256 * 1024
DOMAINS_NAMED = 5  # in an error


def has_credentials(account: Account) -> bool:
    sign_ins = account.google_refresh_token, account.oauth_refresh_token, account.oauth_client_secret
    return account.provider_type == ProviderType.SMTP or any(token is not None for token in sign_ins)


def can_send_campaigns(account: Account) -> bool:
    return has_credentials(account) and account.from_email is not None


def has_address(account: Account, email: str) -> bool:
    return (account.from_email or "").lower() == email.lower()


def has_domain(account: Account, email: str) -> bool:
    """True if the account's From address has the same domain, so that its server accepts the address."""
    return account.from_domain == email.lower().rpartition("@")[2]


def can_carry(account: Account, attached: int) -> bool:
    """True if the account's provider takes a message with attachments of so many bytes."""
    largest = LARGEST.get(account.provider_type)
    return largest is None or attached == 0 or attached * ENCODED + ROOM_FOR_BODIES <= largest


async def check_sender(org: Organization, email: str) -> None:
    """Raises ValidationError unless an account that is not paused may send campaigns as the address."""
    accounts = await Account.of(org).exclude(status=AccountStatus.PAUSED).order_by("is_sandbox", "id")
    able = [account for account in accounts if can_send_campaigns(account)]
    if not any(has_domain(account, email) for account in able):
        scope = current_scope()  # names only the accounts that the key may use
        domains = dict.fromkeys(f"@{account.from_domain}" for account in able if scope.allows_account(account))
        more = f" and {len(domains) - DOMAINS_NAMED} more" if len(domains) > DOMAINS_NAMED else ""
        words = f": {', '.join([*domains][:DOMAINS_NAMED])}{more}" if domains else ""
        raise ValidationError.at("from_email", f"must match the domain of an account that can send{words}")


async def check_exist(org: Organization, ids: Sequence[UUID]) -> None:
    """Raises NotFound unless all of these are accounts of the organization."""
    if await Account.of(org).filter(id__in=list(set(ids))).count() < len(set(ids)):
        raise NotFound("sender_account_ids: account not found")


async def check_allowed(org: Organization, ids: Sequence[UUID]) -> None:
    """Raises Forbidden unless these accounts are within the scope of the request's API key."""
    scope = current_scope()
    if scope.account_ids:
        accounts = await Account.of(org).order_by("id")
        scope.require_accounts([account for account in accounts if account.id in set(ids)], accounts)


async def check_scope(org: Organization, ids: Sequence[UUID] | None, from_email: str | None) -> None:
    """Raises Forbidden unless the request's API key may use these accounts, None for all, as this From address.

    Without an address they send as their own.
    """
    scope = current_scope()
    if from_email is not None:
        scope.require_sender(from_email)
    if not scope.account_ids and (from_email is not None or not scope.senders):
        return
    accounts = await (default_accounts(org) if ids is None else Account.of(org).filter(id__in=list(ids)))
    await check_allowed(org, [account.id for account in accounts])
    if from_email is None:
        scope.require_sender(*(account.from_email for account in accounts if account.from_email))


async def default_accounts(org: Organization) -> list[Account]:
    """All accounts but the sandbox; the sandbox alone while there is no other, so it never replaces a broken one."""
    return without_sandbox(await Account.of(org).order_by("id"))


def without_sandbox(accounts: list[Account]) -> list[Account]:
    return [account for account in accounts if not account.is_sandbox] or accounts


async def campaign_accounts(
    org: Organization, ids: Sequence[UUID] | None, from_email: str | None = None, attached: int = 0
) -> list[Account]:
    """The named accounts that can send campaigns, by default the active ones, if they may send as `from_email`.

    Leaves out those whose provider does not take messages with `attached` bytes of files, and those outside the scope
    of the request's API key. Raises ValidationError if there are none, Forbidden if all are outside the scope.
    """
    if ids is None:
        accounts = [account for account in await default_accounts(org) if account.status == AccountStatus.ACTIVE]
    else:  # paused or broken ones join when they recover
        accounts = await Account.of(org).filter(id__in=list(set(ids))).order_by("id")
    able = [account for account in await _within_scope(org, accounts, from_email) if can_send_campaigns(account)]
    if not any(account.status == AccountStatus.ACTIVE for account in able):
        raise ValidationError.of(
            "sender_account_ids",
            "sender_account_ids must include an active account that can send"
            if ids
            else "there is no active account with a From address. The sandbox only sends while you have no other",
        )
    able = [account for account in able if can_carry(account, attached)]
    if not any(account.status == AccountStatus.ACTIVE for account in able):
        raise ValidationError.of("media_ids", "the attachments are too large for the active accounts that can send")
    if from_email is None:
        return able
    fitting = [account for account in able if has_domain(account, from_email)]
    if not any(account.status == AccountStatus.ACTIVE for account in fitting):
        raise ValidationError.of("from_email", f"no active account can send as {from_email}")
    return fitting


async def _within_scope(org: Organization, accounts: Sequence[Account], from_email: str | None) -> Sequence[Account]:
    scope = current_scope()
    if from_email is not None:
        scope.require_sender(from_email)
    within = [
        account
        for account in accounts
        if scope.allows_account(account) and scope.allows_sender(from_email or account.from_email or "")
    ]
    if not within:
        await check_scope(org, [account.id for account in accounts], from_email)
    return within
