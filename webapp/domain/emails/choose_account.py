"""Chooses the account that sends an email (the contract's `from`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webapp.crypto import ACCOUNT_KEY_PREFIX
from webapp.domain.accounts.selection import check_allowed, has_address, has_credentials, has_domain
from webapp.domain.emails.inputs import NewEmail
from webapp.domain.emails.resolve_content import ResolvedEmail
from webapp.domain.key_scope import KeyScope
from webapp.errors import NotFound, ValidationError
from webapp.models import Account, Organization
from webapp.models.account import AccountStatus

KEY_LENGTH = 32  # of the column
NO_ACCOUNT = "account_key: no account has this key; GET /v1/accounts lists the keys"
CONNECT = "connect it on its page in the dashboard, or name another account"
RESUME = "resume it on its page in the dashboard, or name another account"


@dataclass(frozen=True)
class AccountChooser:
    """The accounts that some emails may use: those named by key, and if needed all others but the sandbox."""

    org: Organization
    named: Mapping[str, Account]
    accounts: Sequence[Account]
    sandbox: Account | None

    def choose(self, data: NewEmail, scope: KeyScope) -> Account:
        """By key, address or domain, or the oldest active one, within the scope of the API key.

        Raises NotFound for the key, ValidationError, Forbidden.
        """
        scope.require_sender(data.from_.email)
        if data.account_key is not None:
            named = _require_usable(self.named.get(data.account_key))
            scope.require_accounts([named], self._with_sandbox)
            if not named.is_sandbox:
                self._check_strict(data)
            return named
        if self.sandbox is not None and scope.account_ids == {self.sandbox.id}:
            return self.sandbox
        self._check_strict(data)
        sender = data.from_.email
        # Accounts in `error` are used if named or fitting; their mail waits until they recover.
        usable = [
            account
            for account in self.accounts
            if account.status == AccountStatus.ACTIVE
            or (account.status != AccountStatus.PAUSED and has_domain(account, sender))
        ]

        def unfitness(account: Account) -> tuple[bool, bool, bool]:
            is_active = account.status == AccountStatus.ACTIVE
            return not has_address(account, sender), not has_domain(account, sender), not is_active

        able = list(filter(has_credentials, usable))
        fitting = min(filter(scope.allows_account, able), key=unfitness, default=None)
        if fitting is None or not has_domain(fitting, sender):  # the From address may pick one outside the scope
            picked = [account for account in able if fitting is None or has_domain(account, sender)]
            scope.require_accounts(picked, self._with_sandbox)
        if fitting is not None:
            return fitting
        text = "is required: there is no active account to send from. Add one, or make one active"
        if self.sandbox is not None:
            text += f"; to test without one, send account_key {self.sandbox.account_key} (the sandbox)"
        raise ValidationError.at("account_key", text)

    @property
    def _with_sandbox(self) -> Sequence[Account]:
        return [*self.accounts, *([self.sandbox] if self.sandbox else ())]

    def _check_strict(self, data: NewEmail) -> None:
        if self.org.strict_from and not any(has_domain(account, data.from_.email) for account in self.accounts):
            raise ValidationError.at("from", "must match the address or domain of one of the accounts")


async def load_accounts_for(org: Organization, emails: Sequence[ResolvedEmail]) -> AccountChooser:
    keys = {email.data.account_key for email in emails}
    accounts: Sequence[Account] = ()
    if None in keys or org.strict_from or any(email.scope.account_ids for email in emails):
        accounts = await Account.of(org).order_by("id")
    others = [account for account in accounts if not account.is_sandbox]
    sandbox = next((account for account in accounts if account.is_sandbox), None)
    return AccountChooser(org, await _with_keys(org, [key for key in keys if key is not None]), others, sandbox)


async def account_named(org: Organization, account_key: str) -> Account:
    """Raises NotFound, ValidationError if the account cannot be used, OutsideScope."""
    named = _require_usable((await _with_keys(org, [account_key])).get(account_key))
    await check_allowed(org, [named.id])
    return named


async def _with_keys(org: Organization, keys: Sequence[str]) -> dict[str, Account]:
    wanted = [key for key in keys if key.startswith(ACCOUNT_KEY_PREFIX) and len(key) <= KEY_LENGTH]
    return {account.account_key: account for account in await Account.with_keys(org, wanted)}


def _require_usable(named: Account | None) -> Account:
    if named is None:
        raise NotFound(NO_ACCOUNT)
    if not has_credentials(named):
        provider = named.provider_type.title()
        raise ValidationError.about("account_key", f"{named.name} is not connected to {provider} yet: {CONNECT}")
    if named.status == AccountStatus.PAUSED:
        raise ValidationError.about("account_key", f"{named.name} is paused: {RESUME}")
    return named
