"""Which account sends an email (the contract's `from`)."""

from collections.abc import Callable, Sequence

from webapp.crypto import ACCOUNT_KEY_PREFIX
from webapp.domain.new_email import NewEmail
from webapp.errors import NotFound, ValidationError
from webapp.models import Account, Organization
from webapp.models.account import AccountStatus, Provider

LONGEST_KEY = 32  # the column's; Tortoise refuses to look for more
Fits = Callable[[Account], bool]


async def choose_account(org: Organization, data: NewEmail) -> Account:
    """The account that is named, else the one that fits `from` best: its address, its domain, the oldest active one.

    Raises NotFound for a name that is not the organization's, ValidationError where no account can be used. One in
    `error` is used where it is named or fits: its mail waits until it is healed.
    """
    if data.account_key is not None:
        return await _named(org, data, data.account_key)
    accounts = await Account.of(org).filter(is_sandbox=False).order_by("id")
    _check_strict(org, accounts, data)
    account = _best([one for one in accounts if _can_send(one) and one.status != AccountStatus.PAUSED], data)
    if account is None:
        raise ValidationError.of("account_key", "account_key is required: there is no active account to send with")
    return account


async def _named(org: Organization, data: NewEmail, account_key: str) -> Account:
    is_key = account_key.startswith(ACCOUNT_KEY_PREFIX) and len(account_key) <= LONGEST_KEY
    account = await Account.of(org).get_or_none(account_key=account_key) if is_key else None
    if account is None:
        raise NotFound("account_key names no account of this organization")
    if not _can_send(account):
        raise ValidationError.of("account_key", f"account_key names {account.name}: google accounts cannot send yet")
    if account.status == AccountStatus.PAUSED:
        raise ValidationError.of("account_key", f"account_key names an account that is paused: {account.name}")
    if org.strict_from and not account.is_sandbox:
        _check_strict(org, await Account.of(org).filter(is_sandbox=False), data)
    return account


def _check_strict(org: Organization, accounts: Sequence[Account], data: NewEmail) -> None:
    if org.strict_from and not any(_has_address(data)(one) or _has_domain(data)(one) for one in accounts):
        raise ValidationError.of("from", "from must be an address or a domain that one of the accounts sends from")


def _best(usable: Sequence[Account], data: NewEmail) -> Account | None:
    """The oldest account of the best fit, an active one before one in error."""
    steps: tuple[Fits, ...] = (_has_address(data), _has_domain(data), _is_active)
    for fits in steps:
        fitting = sorted(filter(fits, usable), key=lambda one: not _is_active(one))
        if fitting:
            return fitting[0]
    return None


def _can_send(account: Account) -> bool:
    return account.provider_type == Provider.SMTP


def _has_address(data: NewEmail) -> Fits:
    return lambda account: (account.from_email or "").lower() == data.from_.email.lower()


def _has_domain(data: NewEmail) -> Fits:
    return lambda account: (account.from_email or "").lower().rpartition("@")[2] == data.from_.domain.lower()


def _is_active(account: Account) -> bool:
    return account.status == AccountStatus.ACTIVE
