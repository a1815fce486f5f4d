"""Changes an organization's settings."""

from typing import Annotated

from pydantic import AfterValidator

from webapp import db
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.auth.owners import check_name
from webapp.domain.campaigns.scheduling import keep_next_runs
from webapp.domain.inputs import Input, Timezone
from webapp.domain.roles import Action, require_in
from webapp.models import Organization, User
from webapp.models.outbox import daily_quota


class OrganizationSettings(Input):
    name: Annotated[str, AfterValidator(check_name)]
    timezone: Timezone
    strict_from: bool = False
    track_opens: bool = False  # the default of campaigns
    track_clicks: bool = False
    delivered_on_acceptance: bool = False  # `email.delivered` follows `email.sent`


async def is_only_one() -> bool:
    """True if the instance has a single organization, whose owner runs the instance."""
    return await Organization.all().limit(2).count() == 1


async def change_settings(org: Organization, actor: User, data: OrganizationSettings) -> Organization:
    """Locks the organization. Raises Forbidden if the person is no longer owner."""
    async with db.write_transaction():
        await org.lock_settings()
        await require_in(org, actor, Action.ORGANIZATION)
        before = {name: getattr(org, name) for name in OrganizationSettings.model_fields}
        changed = {name: [old, new] for name, old in before.items() if (new := getattr(data, name)) != old}
        if not changed:
            return org
        org.update_from_dict({name: new for name, (_, new) in changed.items()})
        await org.save(update_fields=[*changed, "updated_at"])
        if "timezone" in changed:
            await keep_next_runs(org, before["timezone"])  # campaigns before days, like a stop locks them
            await daily_quota.rebase_days(org.id, before["timezone"], org.timezone)
        await record(org, AuditAction.ORGANIZATION_CHANGED, org.id, org.name, **changed)
    return org
