"""One claimed message: its rows, its account, and the transaction that it becomes."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from webapp.models import Account
from webapp.models.outbox import Claimed
from webapp.sending.outcomes import Outcome
from webapp.sending.smtp.transaction import Envelope, Transaction

log = logging.getLogger(__name__)

GONE = "the mail's content is gone"


class MessageBuilder(Protocol):
    """Builds messages. `size` in bytes is what the memory for one is reserved by, `buffered_bytes` what it keeps."""

    @property
    def size(self) -> int: ...

    @property
    def buffered_bytes(self) -> int: ...

    @property
    def can_build_inline(self) -> bool: ...

    async def build(self, rows: Sequence[Claimed]) -> tuple[Envelope, bytes]:
        """The envelope for these rows, and the bytes. Raises ValueError for what no message can carry."""
        ...

    def build_inline(self, rows: Sequence[Claimed]) -> tuple[Envelope, bytes] | None:
        """As `build`, at once; None where that would take long."""
        ...


@dataclass(eq=False, slots=True)
class Message:
    """A message that this process has claimed: its rows (one per recipient) and the account that sends it.

    Without a `builder` what it was made of is gone. `refusal` says why its contact gets no mail any more. It is not
    frozen because that takes five times as long to make; only `transaction` and `build_failed` change.
    """

    account: Account
    rows: tuple[Claimed, ...]
    builder: MessageBuilder | None = None
    refusal: str | None = None
    transaction: Transaction | None = None
    build_failed: bool = False

    @property
    def is_of_run(self) -> bool:
        """True for a campaign's."""
        return self.rows[0].campaign_run_id is not None

    @property
    def is_suspect(self) -> bool:
        """True when workers seem to die of it."""
        return any(row.is_suspect for row in self.rows)

    @property
    def can_build_inline(self) -> bool:
        """True when it takes too little time to be built ahead, or in another thread."""
        if self.refusal is not None or self.build_failed:
            return False
        return self.builder is not None and self.builder.can_build_inline

    @property
    def buffered_bytes(self) -> int:
        """The bytes that it keeps in memory while it waits; what messages share is not counted."""
        return 0 if self.builder is None else self.builder.buffered_bytes

    @property
    def bytes_to_reserve(self) -> int:
        """The size in bytes for which memory is reserved while it is built and sent: 0 for what is built inline."""
        return 0 if self.builder is None or self.can_build_inline else self.builder.size

    def prebuild(self) -> int:
        """Builds the transaction ahead, where that takes little; returns its bytes.

        What cannot be built leaves it to `build` to say why, on the message's own account.
        """
        if self.transaction is None and self.builder is not None and self.can_build_inline:
            try:
                built = self.builder.build_inline(self.rows)
            except ValueError:
                built = None
            except Exception:  # raised here it would end the message in flight, whose outcome nobody knew then
                built = None
                log.exception("a mail could not be built ahead", extra={"mail_log": str(self.rows[0].id)})
            self.build_failed = built is None
            self.transaction = None if built is None else Transaction(*built)
        return 0 if self.transaction is None else len(self.transaction.message)

    async def build(self) -> Transaction:
        """The transaction. Raises ValueError, with a sentence, for what no message can carry."""
        if self.builder is None:
            raise ValueError(GONE)
        self.prebuild()
        if self.transaction is None:
            self.transaction = Transaction(*await self.builder.build(self.rows))
        return self.transaction

    def for_all(self, outcome: Outcome) -> dict[str, Outcome]:
        """The same outcome for each recipient."""
        return dict.fromkeys((row.to_email for row in self.rows), outcome)
