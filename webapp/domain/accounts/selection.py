"""The accounts that can send: any mail, or a campaign's (the contract's "Account choice")."""

from collections.abc import Sequence
from uuid import UUID

from webapp.errors import NotFound, ValidationError
from webapp.models import Account, Organization
from webapp.models.account import AccountStatus, ProviderType


def has_credentials(account: Account) -> bool:
    return account.provider_type == ProviderType.SMTP or account.google_refresh_token is not None


def can_send_campaigns(account: Account) -> bool:
    return has_credentials(account) and account.from_email is not None


async def check_exist(org: Organization, ids: Sequence[UUID]) -> None:
    """Raises NotFound unless all of these are accounts of the organization."""
    if await Account.of(org).filter(id__in=list(set(ids))).count() < len(set(ids)):
        raise NotFound("sender_account_ids: account not found")


async def campaign_accounts(org: Organization, ids: Sequence[UUID] | None) -> list[Account]:
    """The named accounts that can send campaigns, else the active ones. Raises ValidationError where none can now."""
    if ids is None:
        found = await Account.of(org).filter(is_sandbox=False, status=AccountStatus.ACTIVE).order_by("id")
    else:  # one that is paused or broken joins in once it is well; the sandbox is used only where it is named
        found = await Account.of(org).filter(id__in=list(set(ids))).order_by("id")
    able = [account for account in found if can_send_campaigns(account)]
    if not any(account.status == AccountStatus.ACTIVE for account in able):
        raise ValidationError.of(
            "sender_account_ids",
            "sender_account_ids must include an active account that can send"
            if ids
            else "there is no active account with a From address to send from",
        )
    return able
