"""Why accounts send nothing right now, and until when, in words."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from webapp import clock
from webapp.domain.accounts.today import AccountToday, use_today
from webapp.models import Account, Organization
from webapp.models.account import AccountStatus
from webapp.models.outbox.allowance import HoldKind


class Hold(NamedTuple):
    """`until` is when it continues automatically; None if a person must act."""

    account: Account
    kind: Literal["paused", "error", "failing"] | HoldKind
    until: datetime | None
    limit: int = 0  # of the day

    @property
    def short_predicate(self) -> str:
        """For lists, about the holds of `hold_by_state`."""
        return {"paused": "is paused", "error": "can't send", "failing": "can't connect"}.get(self.kind, "")

    def predicate(self, timezone: str) -> str:
        """Sentences without the first one's subject, the account."""
        again = "" if self.until is None else f"{self.until.astimezone(ZoneInfo(timezone)):%-d %b %Y, %H:%M}"
        reserve = self.account.reserve_for_transactional or 0
        sentences = {
            "paused": "is paused and sends nothing until you resume it.",
            "provider": f"can't send more today: its provider's limit is reached. It sends again {again}.",
            "limit": f"reached its daily limit of {self.limit:,}. It sends again {again}, or right away if you raise "
            "the limit.",
            "ramp": f"reached {self.limit:,}, which its ramp allows today. It sends again {again}.",
            "reserve": f"leaves the last {reserve:,} emails of its day to transactional email. It sends campaigns "
            f"again {again}, or right away if you lower the reserve.",
            "window": f"sends only in its window, which opens {again}.",
        }
        return sentences.get(self.kind) or self._failure(again)

    def _failure(self, again: str) -> str:
        error = f": {self.account.last_error.removesuffix('.')}" if self.account.last_error else ""
        verb = "connect" if self.kind == "failing" else "send"
        return f"can't {verb}{error}.{f' Next attempt {again}.' if again else ''}"


async def find_holds(org: Organization, accounts: Sequence[Account], *, are_campaigns: bool) -> list[Hold]:
    return list(holds_among(await use_today(org, accounts), are_campaigns=are_campaigns))


def holds_among(items: Iterable[AccountToday], *, are_campaigns: bool) -> Iterator[Hold]:
    """The holds of accounts, for mail of campaigns or for other mail."""
    now = clock.now()
    for item in items:
        account = item.account
        allowed = item.rules.allowance(now, is_campaign=are_campaigns)
        if (hold := hold_by_state(account)) is not None:
            yield hold
        elif not account.is_sandbox and allowed.hold is not None:
            yield Hold(account, allowed.hold, allowed.until, item.rules.limit)


def hold_by_state(account: Account) -> Hold | None:
    """The hold by the account's state, which needs no counts of its day."""
    if account.status == AccountStatus.PAUSED:
        return Hold(account, "paused", None)
    if account.status == AccountStatus.ERROR:
        return Hold(account, "error", None)
    if account.is_failing:
        next_at = account.rest_until
        return Hold(account, "failing", next_at if next_at and next_at > clock.now() else None)
    return None
