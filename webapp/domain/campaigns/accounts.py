"""Which accounts pull the rows of a run (the contract's "Account choice")."""

from collections.abc import Sequence
from uuid import UUID

from webapp.domain.emails.choose_account import can_send
from webapp.errors import Conflict, NotFound, ValidationError
from webapp.models import Account, Campaign, CampaignRun, CampaignRunAccount, Organization
from webapp.models.account import AccountStatus


async def check_named(org: Organization, ids: Sequence[UUID]) -> None:
    """Raise NotFound unless all of these are accounts of the organization."""
    if await Account.of(org).filter(id__in=list(set(ids))).count() < len(set(ids)):
        raise NotFound("sender_account_ids names no account of this organization")


async def accounts_named(org: Organization, ids: Sequence[UUID] | None) -> list[Account]:
    """The accounts to send a campaign with: of those that a send names all that can, else every active one.

    A named one that is paused or broken joins in once it is well. The sandbox is used only where it is named. Raises
    ValidationError where none can send now.
    """
    if ids is None:
        found = await Account.of(org).filter(is_sandbox=False, status=AccountStatus.ACTIVE).order_by("id")
    else:
        found = await Account.of(org).filter(id__in=list(set(ids))).order_by("id")
    able = [account for account in found if can_send_campaigns(account)]
    if not any(account.status == AccountStatus.ACTIVE for account in able):
        raise ValidationError.of(
            "sender_account_ids",
            "sender_account_ids must name an active account that can send"
            if ids
            else "there is no active account with a from address to send with",
        )
    return able


async def accounts_of(org: Organization, campaign: Campaign) -> list[Account]:
    """The accounts that the campaign was last told to use. Raises ValidationError as `accounts_named` does."""
    stored = campaign.sender_account_ids
    return await accounts_named(org, None if stored is None else [UUID(one) for one in stored])


async def accounts_of_run(org: Organization, campaign: Campaign, run: CampaignRun) -> list[Account]:
    """The accounts to send a run's mail with again: its own that can, and where all were deleted its campaign's.

    Raises Conflict where none can send now.
    """
    ids = await CampaignRunAccount.filter(run_id=run.id).values_list("account_id", flat=True)
    try:
        if await Account.of(org).filter(id__in=ids).exists():
            return await accounts_named(org, ids)  # type: ignore[arg-type]  # a flat list holds the column's values
        return await accounts_of(org, campaign)
    except ValidationError:  # there is no body that could be wrong
        raise Conflict("no account that this run may use can send now") from None


def can_send_campaigns(account: Account) -> bool:
    """Whether the account has what a campaign's mail needs: a way to leave, and an address to come from."""
    return can_send(account) and account.from_email is not None
