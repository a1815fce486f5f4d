"""Deliveries: claimed rows become messages, messages become outcomes, outcomes are kept.

The sender loop (dispatcher.py) decides when; what happens to a mail is here and in what this file calls.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol
from uuid import UUID

from webapp.config import settings
from webapp.db.errors import is_outage
from webapp.domain.campaigns import runs
from webapp.domain.delivery import account_breaker, campaign_builder, retry_policy, run_breaker
from webapp.domain.delivery.account_breaker import Suspicions
from webapp.domain.delivery.campaign_builder import CampaignMaker
from webapp.domain.delivery.campaign_content import ContentError
from webapp.domain.delivery.email_builder import GONE, EmailMaker
from webapp.domain.delivery.live_state import Served
from webapp.domain.delivery.providers import carry
from webapp.errors import ConfigError
from webapp.loop_monitor import name_work
from webapp.models import Account, outbox
from webapp.models.outbox import Claimed, DueAccount, Extended, Marks, Settlement, Suspects
from webapp.sending.http_client import HttpClient
from webapp.sending.limits import ByteBudget
from webapp.sending.outcomes import Blame, Delivered, Halted, Outcome, Phase, Refused, TryLater, clean
from webapp.sending.smtp.pool import CLOSE_SECONDS, SmtpPool
from webapp.sending.smtp.session import Envelope, Proceed, Relay

log = logging.getLogger(__name__)

__all__ = ["Claimed", "Courier", "Delivery", "DueAccount", "Maker", "Marks", "Message", "Settlement", "Suspects"]

MEMORY_BYTES = 32 * 1024 * 1024  # of mails under way at once; each takes about seven times its size while it is built


class Maker(Protocol):
    """What makes messages. `size` in bytes is what the memory that one takes goes by."""

    @property
    def size(self) -> int: ...

    async def make(self, rows: Sequence[Claimed]) -> tuple[Envelope, bytes]:
        """The envelope for these rows, and the bytes. Raises ValueError for what no message can carry."""
        ...


@dataclass(eq=False, slots=True)
class Message:
    """One message that this process holds: its rows (one per recipient) and the account that sends it.

    It is not frozen because that takes five times as long to make; only what was made of it ahead changes: `made`,
    or that it `must_wait` for its turn because it could not be.

    `maker` makes it; without one what it was made of is gone. `refusal` says why its contact wants none any more.
    """

    account: Account
    rows: tuple[Claimed, ...]
    maker: Maker | None = None
    refusal: str | None = None
    made: tuple[Envelope, bytes] | None = None
    must_wait: bool = False

    @property
    def is_quick(self) -> bool:
        """Whether it can be made at once."""
        if self.refusal is not None or self.must_wait:
            return False
        return isinstance(self.maker, CampaignMaker | EmailMaker) and self.maker.is_quick

    @property
    def is_suspect(self) -> bool:
        """Whether workers seem to die of it."""
        return any(row.is_suspect for row in self.rows)

    @property
    def held(self) -> int:
        """The bytes that it keeps in memory while it waits; what messages share is not counted."""
        return self.maker.held if isinstance(self.maker, EmailMaker) else 0

    def make_ahead(self) -> int:
        """Make a quick message before its turn has come; returns its bytes, 0 where no message can carry it."""
        if self.made is None and self.is_quick:
            self.made = self._made_now()
        return 0 if self.made is None else len(self.made[1])

    def take_made(self) -> tuple[Envelope, bytes] | None:
        """Envelope and bytes of a quick message, made now where they were not before, and not kept any more."""
        made, self.made = self.made or self._made_now(), None
        return made

    def _made_now(self) -> tuple[Envelope, bytes] | None:
        """None where it cannot be made: its recipients' rows tell why on its own turn, and not those of another."""
        if not self.is_quick or not isinstance(self.maker, CampaignMaker | EmailMaker):
            return None
        try:
            made = self.maker.make_now(self.rows)
        except ValueError:
            made = None  # it says why on its own turn
        except Exception:  # raised here it would cut off the message under way, whose outcome nobody knew then
            made = None
            log.exception("a mail could not be made at once", extra={"mail_log": str(self.rows[0].id)})
        self.must_wait = made is None
        return made


class Stream(Relay, Protocol):
    """One message after another over a connection; `account` is whom it belongs to, as it was when it began."""

    message: Message  # the one under way
    account: Account


@dataclass
class Courier:
    """What carries messages: connections, and the memory they may take. `is_cut`: we hang up, no server is to blame.

    `served` is what is known of accounts and runs; without it the database is asked about each message. `suspicions`
    are about accounts whose server refused single messages (`breaker.corroborated`).
    """

    pool: SmtpPool
    memory: ByteBudget = field(default_factory=lambda: ByteBudget(MEMORY_BYTES))
    http: HttpClient = field(default_factory=HttpClient)
    served: Served | None = None
    suspicions: Suspicions = field(default_factory=Suspicions)
    is_cut: bool = False

    async def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Hang up: what is under way has `seconds` to end."""
        await asyncio.gather(self.pool.close(seconds), self.http.close(seconds))


class Delivery(NamedTuple):
    """What becomes of a message's rows, and whether its account can go on."""

    settlements: list[Settlement]
    is_account_well: bool


async def due_accounts(marks: Marks | None = None) -> list[DueAccount]:
    """The accounts with a due message that may send now; `marks` are those of this process's claims."""
    return await outbox.due_accounts(marks)


def give_back(message: Message) -> list[Settlement]:
    """The rows of a message that was claimed and not sent wait as they did before."""
    return [retry_policy.give_back(row) for row in message.rows]


async def deliver(stream: Stream, courier: Courier, proceed: Proceed) -> Delivery:
    """Send the message under way, and what follows it; say what becomes of each row of the last one.

    `proceed` is asked right before DATA.
    """
    outcomes = await attempt(stream.message, courier, proceed, stream)
    return await conclude(stream.message, courier, outcomes)


async def attempt(
    message: Message, courier: Courier, proceed: Proceed, stream: Stream | None = None
) -> Mapping[str, Outcome] | None:
    """Send one message: the outcome for each recipient, None where it is to wait as before. Nothing is kept of it.

    With a stream others follow; what is returned is the last one's then.
    """
    faulty: ContentError | None = None
    try:
        account = await _usable(message, courier.served)
        return None if account is None else await _send(message, account, courier, proceed, stream)
    except ContentError as fault:
        outcome: Outcome = Refused(None, clean(str(fault)), Phase.MAIL)
        faulty = fault
    except ValueError as error:  # the message builder refuses what no mail can carry
        outcome = Refused(None, clean(str(error)), Phase.MAIL)
    except ConfigError as error:  # the account's password does not open
        outcome = TryLater(None, str(error), Phase.LOGIN, Blame.MISCONFIGURED)
    except Exception as error:
        if is_outage(error):  # our database's trouble is no attempt of the mail's
            return None
        log.exception("a mail could not be sent for a reason of ours", extra={"mail_log": str(message.rows[0].id)})
        outcome = TryLater(None, "an internal error; see the log", Phase.MAIL, Blame.MESSAGE)
    if faulty is not None and await run_breaker.halt_for_content(message.rows[0], str(faulty)):
        outcome = Halted()
    return _for_all(message if stream is None else stream.message, outcome)


async def _usable(message: Message, served: Served | None) -> Account | None:
    """The message's account as it is now: changed since the claim perhaps; None when it must not send any more."""
    if served is None:
        served = Served()
        await served.look(message.rows)
    return served.account_for(message.account)


async def _send(
    message: Message, account: Account, courier: Courier, proceed: Proceed, stream: Stream | None
) -> dict[str, Outcome]:
    if message.refusal is not None:
        return _for_all(message, Halted(message.refusal))
    if courier.served is not None and not courier.served.goes_on(message.rows):
        return _for_all(message, Halted())
    maker = message.maker
    if maker is None:
        return _for_all(message, Refused(None, GONE, Phase.MAIL))
    if stream is not None:
        stream.account = account
    name_work(f"mail {message.rows[0].id}")
    async with courier.memory.taking(maker.size):  # what follows over the connection is small
        envelope, data = message.take_made() or await maker.make(message.rows)
        carrying = carry(courier.pool, courier.http, account, envelope, data, proceed, stream)
        del data  # others may follow over the connection for long
        return await carrying


def _for_all(message: Message, outcome: Outcome) -> dict[str, Outcome]:
    return dict.fromkeys((row.to_email for row in message.rows), outcome)


async def conclude(message: Message, courier: Courier, outcomes: Mapping[str, Outcome] | None) -> Delivery:
    """What becomes of each row after an attempt; the account and the contacts take note of it."""
    if outcomes is None:
        return Delivery(give_back(message), is_account_well=False)
    if all(map(_is_delivered, outcomes.values())) and not account_breaker.has_trouble(
        message.account
    ):  # as nearly always
        courier.suspicions.clear(message.account.id)
        return Delivery(settled(message, outcomes), is_account_well=True)
    is_any_accepted = any(map(_is_delivered, outcomes.values()))
    if courier.is_cut and not is_any_accepted and account_breaker.trouble_in(outcomes.values()) is not None:
        return Delivery(give_back(message), is_account_well=False)
    first_try = all(row.attempts == 0 and row.seconds_waiting is None for row in message.rows)
    outcomes = account_breaker.corroborated(outcomes, message.account, courier.suspicions, is_first_try=first_try)
    await _note(message, outcomes)
    is_well = account_breaker.trouble_in(outcomes.values()) is None
    return Delivery(settled(message, outcomes), is_account_well=is_well)


def _is_delivered(outcome: Outcome) -> bool:
    return isinstance(outcome, Delivered)


def settled(message: Message, outcomes: Mapping[str, Outcome]) -> list[Settlement]:
    """What becomes of each row of a message whose outcomes these are."""
    return retry_policy.settlements(message.rows, outcomes, settings().retry_hours)


async def _note(message: Message, outcomes: Mapping[str, Outcome]) -> None:
    """Tell the breaker, and the contacts; a failure must not make a mail that was accepted wait to be sent again."""
    try:
        await account_breaker.note_outcomes(message.account, outcomes.values())
        for row in message.rows:
            await campaign_builder.note_bounce(row, outcomes[row.to_email])
    except Exception:
        log.exception("an account's trouble could not be kept", extra={"account": str(message.account.id)})


async def extend_leases(held: Sequence[tuple[UUID, UUID]], lease_seconds: float) -> Extended:
    """Lengthen the leases of (row id, token) pairs; a row that is being settled is neither kept nor lost."""
    return await outbox.extend_leases(held, lease_seconds)


async def keep_outcomes(settlements: Sequence[Settlement]) -> None:
    """Keep the outcomes of many rows at once; one that comes after its lease was lost changes nothing.

    `follow_up` comes after it, sooner or later.
    """
    kept = await outbox.settle(settlements)
    if len(kept) < len(settlements):
        for one in settlements:
            if one.row.id not in kept:
                log.warning("an outcome came after its lease was lost", extra={"mail_log": str(one.row.id)})
    await run_breaker.watch(settlements, kept)


async def follow_up(rows: Iterable[Claimed], unfinished: Collection[UUID | None] = ()) -> None:
    """Note that the accounts of settled rows were used, and complete the runs whose last rows these were.

    Those of `unfinished` are known to have others: asking the database for one takes the longer the more are done.
    """
    settled = list(rows)
    await _note_use({row.account_id for row in settled})
    runs_settled = {row.campaign_run_id for row in settled if row.campaign_run_id not in unfinished}
    await _finish_runs({run_id for run_id in runs_settled if run_id is not None})


async def _finish_runs(run_ids: set[UUID]) -> None:
    """Complete the runs whose last rows these were; what fails here is made up for by the periodic look."""
    try:
        if run_ids:
            await runs.finish_runs(run_ids)
    except Exception:
        log.exception("the end of a run could not be kept")


async def _note_use(account_ids: set[UUID]) -> None:
    try:
        await outbox.record_use(account_ids)
    except Exception:
        log.exception("when accounts were last used could not be kept")
