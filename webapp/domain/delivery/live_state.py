"""The state of a worker's accounts and runs, refreshed twice a second and read for each message."""

from collections.abc import Collection, Iterable
from uuid import UUID

from webapp import clock
from webapp.domain.instance.suspension import find_suspension
from webapp.models import Account
from webapp.models.account import AccountStatus
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.runs import run_epochs

STALE_SECONDS = 2.5  # without a refresh; after three seconds a stop reports success even if a worker is silent


class LiveState:
    def __init__(self, stale_seconds: float = STALE_SECONDS) -> None:
        self._stale_seconds = stale_seconds
        self._accounts: dict[UUID, Account] = {}
        self._epochs: dict[UUID, int] = {}
        self._added: set[UUID] = set()  # since the current refresh began, which may miss them
        self._refreshed_at = clock.elapsed()
        self._is_suspended = False  # the whole instance

    def add(self, account: Account, rows: Iterable[Claimed]) -> None:
        self._accounts[account.id] = self._known(account)
        self._added.add(account.id)
        for run_id, epoch in {(row.campaign_run_id, row.run_epoch) for row in rows}:
            if run_id is not None and epoch is not None:
                self._epochs[run_id] = max(self._epochs.get(run_id, 0), epoch)
                self._added.add(run_id)

    async def refresh(self, leased: Collection[Claimed]) -> None:
        began = clock.elapsed()
        self._added.clear()
        runs = {row.campaign_run_id for row in leased if row.campaign_run_id is not None}
        epochs = await run_epochs(runs) if runs else {}
        accounts = await Account.across_orgs().filter(id__in={row.account_id for row in leased}) if leased else []
        for run_id in self._added & self._epochs.keys():
            epochs[run_id] = max(self._epochs[run_id], epochs.get(run_id, 0))
        added = {account_id: self._accounts[account_id] for account_id in self._added & self._accounts.keys()}
        self._epochs, self._accounts = epochs, added | {account.id: self._known(account) for account in accounts}
        self._is_suspended = bool(leased) and await find_suspension() is not None
        self._refreshed_at = began

    def _known(self, account: Account) -> Account:
        known = self._accounts.get(account.id)
        return known if known is not None and known.is_like(account) else account

    def current_account(self, claimed: Account) -> Account | None:
        """The account of a claim as it is now; None if it must not send any more."""
        account = self._accounts.get(claimed.id)
        if self._is_suspended or account is None or account.status == AccountStatus.PAUSED:
            return None
        if account.rest_until is not None and account.rest_until != claimed.rest_until:
            return None  # it failed after the claim
        return account

    def may_still_send(self, rows: Iterable[Claimed]) -> bool:
        """True if a recent refresh shows that neither the runs of these rows nor the instance were stopped."""
        if self._is_suspended:
            return False
        for row in rows:  # called three times per message
            if row.campaign_run_id is not None and self._epochs.get(row.campaign_run_id) != row.run_epoch:
                return False
            if row.campaign_run_id is not None and clock.elapsed() - self._refreshed_at > self._stale_seconds:
                return False
        return True

    def limit_was_lowered(self, claimed: Account) -> bool:
        account = self._accounts.get(claimed.id)
        return account is not None and account.daily_mail_limit < claimed.daily_mail_limit
