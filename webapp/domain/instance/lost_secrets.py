"""Replaces stored secrets whose key is lost, so that an instance without its former keys starts."""

from collections import defaultdict
from typing import NamedTuple
from uuid import UUID

from tortoise import Model

from webapp import crypto, db
from webapp.domain.accounts import credentials
from webapp.domain.auth import two_step
from webapp.domain.instance.secret_rotation import COLUMNS
from webapp.models import Account, Instance, Tombstone, User, Webhook
from webapp.models.queries import account_health
from webapp.sending.webhook import new_secret

SIGN_IN_AGAIN = "sign in again"


class Lost(NamedTuple):
    """The ids of rows with secrets that no key opens, and how many erased addresses only the lost key recognizes."""

    accounts: set[UUID]
    webhooks: set[UUID]
    people: set[UUID]
    instance: set[UUID]
    erased: int


async def find_lost() -> Lost:
    lost: dict[type[Model], set[UUID]] = defaultdict(set)
    for column in COLUMNS:
        lost[column.rows().model].update([row.id async for row in column.lost().only("id")])
    erased = await Tombstone.across_orgs().count() if lost[Instance] else 0
    return Lost(lost[Account], lost[Webhook], lost[User], lost[Instance], erased)


async def forget(lost: Lost) -> None:
    """Commits row by row."""
    for account_id in lost.accounts:
        await _forget_account(account_id)
    for webhook_id in lost.webhooks:
        async with db.write_transaction():
            webhook = await Webhook.across_orgs().select_for_update().get(id=webhook_id)
            changes: dict[str, object] = {"former_secret": None, "former_until": None}
            if not crypto.has_key(webhook.secret):
                changes["secret"] = crypto.seal(new_secret(), webhook.binding("secret"))
            await webhook.update_from_dict(changes).save(update_fields=changes)
    for user in await User.filter(id__in=lost.people):
        async with db.write_transaction():
            await two_step.remove_second_step(user)
    await Instance.filter(id__in=lost.instance).update(signing_key=None)  # the next start makes a new one


async def _forget_account(account_id: UUID) -> None:
    async with db.write_transaction():
        account = await Account.across_orgs().select_for_update().get(id=account_id)
        names = credentials.empty_lost(account)
        await account.save()
        if account.is_sandbox:
            return
        if "smtp_password" in names:
            await account_health.mark_broken(account, credentials.ask_again(account.smtp_host))
        elif set(names) & set(credentials.SIGN_IN_SECRETS):
            await account_health.mark_broken(account, SIGN_IN_AGAIN)
