"""Keeps campaigns that API keys save, arm and resume within the scopes of the keys, as their runs start without one."""

from collections.abc import Collection

from webapp.domain.accounts.selection import campaign_accounts, check_allowed, check_scope
from webapp.domain.key_scope import current_scope
from webapp.models import Campaign, Organization


async def bind_campaign(
    org: Organization, campaign: Campaign, named: Collection[str] = (), *, is_arming: bool = False
) -> None:
    """Checks the fields that the request names and, if the schedule is active, the whole campaign.

    A campaign for all accounts gets those that the key may use, if the request arms it or names all. Raises Forbidden.
    """
    scope = current_scope()
    if "from_email" in named and campaign.from_email is not None:
        scope.require_sender(campaign.from_email)
    if "sender_account_ids" in named and campaign.named_accounts is not None:
        await check_allowed(org, campaign.named_accounts)
    if campaign.next_run_at is None:
        return
    is_open = campaign.sender_account_ids is None and (is_arming or "sender_account_ids" in named)
    if is_open and (scope.account_ids or (scope.senders and campaign.from_email is None)):
        accounts = await campaign_accounts(org, None, campaign.from_email)
        campaign.sender_account_ids = [str(account.id) for account in accounts]
    await check_scope(org, campaign.named_accounts, campaign.from_email)
