"""The kinds of emails that people want, per organization."""

from collections.abc import Collection, Mapping
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.domain.roles import Role
from webapp.models import Membership, Organization, User
from webapp.models.notification import NotificationKind

# The default of owners and admins.
URGENT = (NotificationKind.HALTED, NotificationKind.ACCOUNT, NotificationKind.WEBHOOK)


class Preferences(NamedTuple):
    org: Organization
    kinds: Collection[str]


def kinds_for(member: Membership) -> Collection[str]:
    if member.notify_about is not None:
        return member.notify_about
    return URGENT if Role(member.role).allows(Role.ADMIN) else ()


async def list_preferences(user: User) -> list[Preferences]:
    members = await Membership.across_orgs().filter(user_id=user.id).select_related("org").order_by("org__name", "id")
    return [Preferences(member.org, kinds_for(member)) for member in members]


async def change_preferences(
    user: User, shown: Collection[UUID], chosen: Mapping[NotificationKind, Collection[UUID]]
) -> None:
    """Sets the `shown` organizations' preferences; `chosen` has the organizations by kind."""
    async with db.write_transaction():
        for member in await Membership.across_orgs().filter(user_id=user.id, org_id__in=list(shown)):
            member.notify_about = [kind for kind in NotificationKind if member.org_id in chosen[kind]]
            await member.save(update_fields=["notify_about"])
