"""Checks and re-encrypts every encrypted column."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tortoise.queryset import QuerySet

from webapp import crypto, db
from webapp.domain.accounts import credentials
from webapp.domain.auth import two_step
from webapp.domain.webhooks import webhooks
from webapp.models import Account, Instance, User, Webhook
from webapp.models.instance import KEY_BOUND_TO


class _Column(NamedTuple):
    name: str
    rows: Callable[[], QuerySet[Any]]
    binding: Callable[[Any, str], str]

    def open(self, row: Any) -> str:
        return crypto.unseal(getattr(row, self.name), self.binding(row, self.name))

    def sealed(self) -> QuerySet[Any]:
        return self.rows().filter(**{f"{self.name}__isnull": False})

    def sealed_by_others(self) -> QuerySet[Any]:
        return self.sealed().exclude(**{f"{self.name}__startswith": f"{crypto.sealing_key_id()}."})

    def lost(self) -> QuerySet[Any]:
        """The rows that no key of this process opens."""
        rows = self.sealed()
        for key_id in crypto.key_ids():
            rows = rows.exclude(**{f"{self.name}__startswith": f"{key_id}."})
        return rows


def _accounts() -> QuerySet[Account]:
    return Account.across_orgs()


COLUMNS = (
    *(_Column(name, _accounts, Account.binding) for name in credentials.SECRETS),
    *(_Column(name, Webhook.across_orgs, Webhook.binding) for name in webhooks.SECRETS),
    _Column("totp_secret", User.all, two_step.binding),
    _Column("signing_key", Instance.all, lambda _row, _name: KEY_BOUND_TO),
)


async def require_keys() -> None:
    """Raises KeyMissing unless this process has the keys of all stored secrets; reads every row but decrypts none."""
    for column in COLUMNS:
        async with db.read_connection():
            row = await column.lost().first()
        if row is not None:
            crypto.require_key(getattr(row, column.name))


async def check_keys() -> None:
    """Decrypts one stored secret per key with few queries. Raises ConfigError."""
    for column in COLUMNS:
        unseen = column.sealed()
        while row := await unseen.first():
            key_id = str(getattr(row, column.name)).partition(".")[0]
            column.open(row)
            unseen = unseen.exclude(**{f"{column.name}__startswith": f"{key_id}."})


async def check_secrets() -> int:
    """Decrypts all secrets and returns their number. Raises ConfigError."""
    opened = 0
    for column in COLUMNS:
        async for row in column.sealed():
            column.open(row)
            opened += 1
    return opened


async def rotate_secrets() -> int:
    """Commits row by row, so that sending continues; returns the number of secrets. Raises ConfigError."""
    sealed = 0
    for column in COLUMNS:
        for row_id in await column.sealed_by_others().values_list("id", flat=True):
            async with db.write_transaction():
                # The query must be built inside the transaction to belong to it.
                row = await column.sealed_by_others().select_for_update().get_or_none(id=row_id)
                if row is None:  # changed or deleted since
                    continue
                setattr(row, column.name, crypto.seal(column.open(row), column.binding(row, column.name)))
                await row.save(update_fields=[column.name])
                sealed += 1
    return sealed
