"""Claimed rows become messages, a batch at a time: what is asked of the database is asked for all of them together."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from uuid import UUID

from webapp.db.errors import is_outage
from webapp.domain.delivery.campaign_builder import CampaignMaker, reasons_against
from webapp.domain.delivery.campaign_content import Contents
from webapp.domain.delivery.deliver import Maker, Marks, Message, Suspects
from webapp.domain.delivery.email_builder import makers_of
from webapp.models import Account, outbox
from webapp.models.outbox import Claimed

AHEAD_BYTES = 8 * 1024 * 1024  # of emails, in all of a process's lanes


class Unread(Exception):
    """The database went away behind a claim: the rows of `held` are ours, and what they say is not known."""

    def __init__(self, held: Message) -> None:
        super().__init__(f"{len(held.rows)} rows are claimed and could not be read")
        self.held = held


async def claim_messages(
    account_id: UUID,
    contents: Contents,
    *,
    limit: int,
    lease_seconds: float,
    marks: Marks | None = None,
    ahead: int = AHEAD_BYTES,
    suspects: Suspects = Suspects.TAKE,
) -> list[Message]:
    """Take up to `limit` due messages of an account, in the order in which they should go.

    `marks` are the process's own; `ahead` is how many bytes of emails may be read before their turn. Raises Unread,
    with what is to be given back.
    """
    account = await Account.across_orgs().get_or_none(id=account_id)
    if account is None:
        return []
    rows = await outbox.claim(account_id, messages=limit, lease_seconds=lease_seconds, marks=marks, suspects=suspects)
    try:
        return await messages_of(account, rows, contents, ahead)
    except Exception as error:
        if is_outage(error):
            raise Unread(Message(account, tuple(rows))) from error
        raise  # the leases run out, and are counted: what cannot be read time and again fails one day


async def messages_of(
    account: Account, rows: Sequence[Claimed], contents: Contents, ahead: int = AHEAD_BYTES
) -> list[Message]:
    """The messages of these rows; of a campaign's it is known which contacts want no mail any more."""
    of_runs = [row for row in rows if row.campaign_run_id is not None]
    reasons = await reasons_against(of_runs)
    found = await contents.of(account, {(row.org_id, row.content_id) for row in of_runs})
    makers: dict[UUID, Maker] = {content_id: CampaignMaker(content) for content_id, content in found.items()}
    makers |= await makers_of((row for row in rows if row.campaign_run_id is None), ahead)
    together = groupby(rows, key=lambda row: row.email_id or row.id)
    return [_message(account, group, makers, reasons) for _, group in together]


def _message(
    account: Account, group: Iterable[Claimed], makers: dict[UUID, Maker], reasons: dict[UUID, str]
) -> Message:
    rows = tuple(group)
    row = rows[0]
    maker = makers.get(row.content_id if row.email_id is None else row.email_id)
    return Message(account, rows, maker, reasons.get(row.id))
