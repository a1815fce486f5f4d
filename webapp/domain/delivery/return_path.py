"""The tag of a return path: a mail log's id, signed for its organization, in one case because servers may change it."""

import base64
import logging
import re
from collections.abc import Iterable
from uuid import UUID

from webapp import crypto
from webapp.backoff import report_failure
from webapp.models import Account, instance
from webapp.models.outbox.claims import Claimed
from webapp.sending.outcomes import Blame, Outcome, Phase, Refused, TryLater
from webapp.sending.return_path import tagged
from webapp.sending.smtp.transaction import Envelope

log = logging.getLogger(__name__)

PURPOSE = "return path of a recipient"
ID_BYTES = 16
PERMANENT = 500  # and above (RFC 5321, 4.2.1)
SIGNATURE = 12  # characters, 72 bits; 40 characters of base32 with the id
# Servers blame the sender at different steps: Postfix at RCPT, Exchange Online after the message.
OF_THE_SENDER = re.compile(
    r"\bsender\b|\bsend ?as|\bmail from\b|return.?path|envelope|\b[45]\.1\.[78]\b", re.IGNORECASE
)
OF_THE_ACCOUNT = (Blame.THROTTLED, Blame.QUOTA_EXHAUSTED, Blame.QUOTA_SUSPECTED)


def with_tag(envelope: Envelope, row: Claimed) -> Envelope:
    """Adds the only recipient's tag, unless the sender's address cannot have one."""
    try:
        return envelope._replace(mail_from=tagged(envelope.mail_from, make_tag(row.org_id, row.id)))
    except ValueError:
        return envelope


def make_tag(org_id: UUID, row_id: UUID) -> str:
    signature = instance.sign(PURPOSE, f"{org_id.hex}{row_id.hex}")[:SIGNATURE]
    return base64.b32encode(row_id.bytes + base64.urlsafe_b64decode(signature)).decode().lower()


def ids_in(org_id: UUID, tags: Iterable[str]) -> list[UUID]:
    """The mail log ids in those tags that were made for the organization."""
    ids = {tag: UUID(bytes=base64.b32decode(tag.upper())[:ID_BYTES]) for tag in tags}
    return [row_id for tag, row_id in ids.items() if crypto.same(make_tag(org_id, row_id), tag)]


def refusal_of_tag(outcome: Outcome) -> Refused | TryLater | None:
    """The outcome if it is a refusal that may be due to the tag."""
    if not isinstance(outcome, Refused | TryLater):
        return None
    blame = outcome.blame if isinstance(outcome, TryLater) else None
    if blame in OF_THE_ACCOUNT or (outcome.code is None and blame is not Blame.UNREACHABLE):
        return None  # about the account, or neither a reply nor a hang-up
    names_sender = outcome.code is not None and OF_THE_SENDER.search(outcome.text) is not None
    return outcome if outcome.phase is Phase.MAIL or names_sender else None


async def record_refusal(account: Account, refusal: Refused | TryLater) -> None:
    """Stops tagging for an account whose server accepted the message without a tag.

    If the trouble may be temporary, only until the next reading of its mailbox, which tests the server again.
    """
    log.warning("a server refused a tagged return path: %s", refusal.text, extra={"account": str(account.id)})
    try:
        if refusal.code is not None and refusal.code >= PERMANENT:
            await account.save_verp_test(works=False, error=refusal.text)
        else:
            await account.save_verp_test(works=None)
    except Exception as error:  # noqa: BLE001 - the message was accepted and must not be sent again
        report_failure(log, "the refusal of a return path could not be saved", error, account=str(account.id))
