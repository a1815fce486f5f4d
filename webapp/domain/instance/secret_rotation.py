"""Every sealed column of the database: whether the keys at hand open what is in it, and sealing it with another key."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tortoise.queryset import QuerySet

from webapp import crypto, db
from webapp.domain import link_signing
from webapp.domain.accounts import credentials
from webapp.domain.auth import two_step
from webapp.models import Account, Instance, User


class _Column(NamedTuple):
    name: str
    rows: Callable[[], QuerySet[Any]]
    open: Callable[[Any, str], str | None]
    seal: Callable[[Any, str, str], str]

    def sealed(self) -> QuerySet[Any]:
        return self.rows().filter(**{f"{self.name}__isnull": False})

    def sealed_by_others(self) -> QuerySet[Any]:
        """What another key than the first has sealed."""
        return self.sealed().exclude(**{f"{self.name}__startswith": f"{crypto.sealing_key_id()}."})


def _accounts() -> QuerySet[Account]:
    return Account.across_orgs()


def _seal_login(account: Account, name: str, plain: str) -> str:
    return credentials.seal_secret(account.org_id, account.id, name, plain)


COLUMNS = (
    *(_Column(name, _accounts, credentials.open_secret, _seal_login) for name in credentials.SECRETS),
    _Column(
        "totp_secret",
        User.all,
        lambda user, _: two_step.open_secret(user),
        lambda user, _, plain: two_step.seal_secret(user, plain),
    ),
    _Column(
        "signing_key",
        Instance.all,
        lambda row, _: link_signing.open_key(row),
        lambda _row, _, plain: link_signing.seal_key(plain),
    ),
)


async def check_keys() -> None:
    """Open one stored secret for each key that sealed any: a few look-ups, before anything is served.

    Raises ConfigError where a key is missing or a secret does not open.
    """
    for column in COLUMNS:
        unseen = column.sealed()
        while row := await unseen.first():
            key_id = str(getattr(row, column.name)).partition(".")[0]
            column.open(row, column.name)
            unseen = unseen.exclude(**{f"{column.name}__startswith": f"{key_id}."})


async def check_secrets() -> int:
    """Open all that is sealed and return how many secrets there were; for `pennypost doctor`.

    Raises ConfigError at the first that does not open.
    """
    opened = 0
    for column in COLUMNS:
        async for row in column.sealed():
            column.open(row, column.name)
            opened += 1
    return opened


async def rotate_secrets() -> int:
    """Seal with the first key what another one sealed, and return how many secrets there were.

    Each row is locked for itself alone, so that mail goes out and people change theirs meanwhile. Raises ConfigError
    where a secret does not open; what was done before stays done.
    """
    sealed = 0
    for column in COLUMNS:
        for row_id in await column.sealed_by_others().values_list("id", flat=True):
            async with db.write_transaction():
                # A query that was made outside would not be of this transaction.
                row = await column.sealed_by_others().select_for_update().get_or_none(id=row_id)
                if row is None:  # somebody has just changed it, or deleted it
                    continue
                plain = column.open(row, column.name) or ""
                setattr(row, column.name, column.seal(row, column.name, plain))
                await row.save(update_fields=[column.name])
                sealed += 1
    return sealed
