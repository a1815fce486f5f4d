"""A campaign's mail to one contact as an SMTP message, and what becomes of contacts whom it cannot reach."""

import asyncio
import re
from collections.abc import Sequence

from webapp import clock
from webapp.addresses import Address
from webapp.domain.campaign_audience import reason_against
from webapp.domain.rendering import filled_in
from webapp.domain.unsubscribe import link, variables_of
from webapp.models import Account, Contact, Content
from webapp.models.outbox import Claimed
from webapp.sending import message as mime
from webapp.sending.outcomes import Outcome, Phase, Refused
from webapp.sending.smtp import Envelope

BIG_BYTES = 64 * 1024  # what is larger is filled in and built in a thread
# RFC 3463, 3.2, and RFC 7505: there is no such mailbox or domain, or it has moved. Further back in the words the same
# digits may be anything, an address of ours as well.
NOBODY = re.compile(r"\d{3} 5\.1\.(?:1|2|3|6|10)(?!\.?\d)")


class Unwanted(Exception):
    """The contact gets no mail any more; `str()` of it says why."""


class CampaignMaker:
    """Makes the mail for one contact. `size` is that of the content before it is filled in."""

    def __init__(self, account: Account, content: Content) -> None:
        """`content` by way of `account`."""
        self._account, self._content = account, content
        self.size = len(content.html or "") + len(content.text or "")

    async def make(self, rows: Sequence[Claimed]) -> tuple[Envelope, bytes]:
        """The envelope and the bytes. Raises ValueError, with a sentence, for what no message can carry."""
        (row,) = rows  # a campaign's message has one recipient
        if self.size < BIG_BYTES:
            return self._make(row)
        return await asyncio.to_thread(self._make, row)

    def _make(self, row: Claimed) -> tuple[Envelope, bytes]:
        sender = Address(self._account.from_name or "", self._account.from_email or "")
        recipient = Address("", row.to_email)
        frame = mime.Frame(mime.Content(sender, *filled_in(self._content, variables_of(row)), headers=_headers(row)))
        slots = mime.Slots(to=(recipient,), message_id=row.message_id, date=clock.now())
        utf8 = mime.needs_smtputf8(sender, recipient)
        return Envelope(sender.email, (recipient.email,), utf8=utf8), frame.fill(slots)


def _headers(row: Claimed) -> dict[str, str]:
    """The button of mail programs (RFC 2369, 3.2; RFC 8058)."""
    if row.contact_id is None or row.campaign_id is None:
        return {}
    return {
        "List-Unsubscribe": f"<{link(row.contact_id, row.campaign_id)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


async def campaign_maker(account: Account, row: Claimed) -> CampaignMaker | None:
    """What makes the mail of a row; None where its content is gone. Raises Unwanted."""
    contact = await Contact.across_orgs().get_or_none(id=row.contact_id, org_id=row.org_id)
    reason = reason_against(contact)
    if reason is not None:
        raise Unwanted(reason)
    content = await Content.across_orgs().get_or_none(id=row.content_id, org_id=row.org_id)
    return None if content is None else CampaignMaker(account, content)


async def note_bounce(row: Claimed, outcome: Outcome) -> None:
    """Leave a contact out of later campaigns whose server does not know its address; one that it had before is past."""
    if row.campaign_run_id is None or not isinstance(outcome, Refused) or outcome.phase is Phase.MAIL:
        return  # who refuses MAIL has not heard of the contact
    if outcome.code is not None and NOBODY.match(outcome.text):
        contact = Contact.across_orgs().filter(id=row.contact_id, org_id=row.org_id)
        await contact.filter(email_key=row.to_email.lower()).update(bounced_at=clock.now())
