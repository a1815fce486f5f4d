"""One claimed message: its rows, its account and its SMTP transaction."""

import logging
from dataclasses import dataclass

from webapp.domain.delivery.campaign_builder import ContentBuilder
from webapp.domain.delivery.email_builder import GONE, EmailBuilder
from webapp.domain.delivery.return_path import with_tag
from webapp.models import Account
from webapp.models.outbox.claims import Claimed
from webapp.sending.outcomes import Outcome
from webapp.sending.smtp.transaction import Envelope, Transaction

log = logging.getLogger(__name__)

MessageBuilder = ContentBuilder | EmailBuilder


@dataclass(eq=False, slots=True)
class Message:
    """A claimed message with a row per recipient; `refusal` is why they get no mail any more."""

    account: Account
    rows: tuple[Claimed, ...]
    builder: MessageBuilder | None = None  # None if the content is gone
    refusal: str | None = None
    transaction: Transaction | None = None
    build_failed: bool = False
    untagged: Envelope | None = None  # the original envelope, if the transaction's return path is tagged

    @property
    def is_of_run(self) -> bool:
        return self.rows[0].campaign_run_id is not None

    @property
    def is_suspect(self) -> bool:
        return any(row.is_suspect for row in self.rows)

    @property
    def can_build_inline(self) -> bool:
        is_buildable = self.refusal is None and not self.build_failed
        return is_buildable and self.builder is not None and self.builder.can_build_inline

    @property
    def buffered_bytes(self) -> int:
        return 0 if self.builder is None else self.builder.buffered_bytes

    @property
    def bytes_to_reserve(self) -> int:
        if self.transaction is not None or self.builder is None or self.can_build_inline:
            return 0
        return self.builder.size

    def prebuild(self) -> int:
        """Builds the transaction inline if possible and returns its size; `build` raises the errors."""
        if self.transaction is None and self.builder is not None and self.can_build_inline:
            try:
                built = self.builder.build_inline(self.rows)
            except ValueError:
                built = None
            except Exception:  # raising would end the message in flight with an unknown outcome
                built = None
                log.exception("a mail could not be built ahead", extra={"mail_log": str(self.rows[0].id)})
            self.build_failed = built is None
            self.transaction = None if built is None else self._as_transaction(*built)
        return 0 if self.transaction is None else len(self.transaction.message)

    async def build(self) -> Transaction:
        """Raises ValueError with a sentence if no message can carry it."""
        if self.builder is None:
            raise ValueError(GONE)
        self.prebuild()
        if self.transaction is None:
            self.transaction = self._as_transaction(*await self.builder.build(self.rows))
        return self.transaction

    def _as_transaction(self, envelope: Envelope, data: bytes) -> Transaction:
        if len(self.rows) == 1 and self.account.tags_return_path(envelope.mail_from):
            tagged = with_tag(envelope, self.rows[0])
            self.untagged = None if tagged is envelope else envelope
            envelope = tagged
        return Transaction(envelope, data)

    def remove_tag(self) -> None:
        """Restores the plain return path; nothing may have been sent yet."""
        if self.untagged is not None and self.transaction is not None:
            self.transaction, self.untagged = Transaction(self.untagged, self.transaction.message), None

    def for_all(self, outcome: Outcome) -> dict[str, Outcome]:
        return dict.fromkeys((row.to_email for row in self.rows), outcome)
