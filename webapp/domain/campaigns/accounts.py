"""The accounts that pull the rows of a run."""

from uuid import UUID

from webapp.domain.accounts.selection import campaign_accounts
from webapp.errors import Conflict, ValidationError
from webapp.models import Account, Campaign, CampaignRun, CampaignRunAccount, Organization


async def accounts_of(org: Organization, campaign: Campaign) -> list[Account]:
    """Raises ValidationError when none can send now."""
    stored = campaign.sender_account_ids
    return await campaign_accounts(org, None if stored is None else [UUID(one) for one in stored])


async def accounts_of_run(org: Organization, campaign: Campaign, run: CampaignRun) -> list[Account]:
    """The run's own accounts that can send, or its campaign's once all of those were deleted. Raises Conflict."""
    ids = await CampaignRunAccount.filter(run_id=run.id).values_list("account_id", flat=True)
    try:
        if await Account.of(org).filter(id__in=ids).exists():
            return await campaign_accounts(org, ids)  # type: ignore[arg-type]  # a flat list holds the column's values
        return await accounts_of(org, campaign)
    except ValidationError:  # a retry has no body to blame
        raise Conflict("no account that this run may use can send now") from None
