"""Erases a person from mail: the rows of their address, and the contents that nobody else got."""

from collections.abc import Sequence
from datetime import timedelta
from enum import Enum, auto
from typing import Any
from uuid import UUID

from webapp.addresses import bare
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.personal_data.person import Person
from webapp.models import Attachment, Content, Email, MailEvent, MailHit, MailLog
from webapp.models.base.row import id_lower_bound
from webapp.models.mail_log import DEFERRED, PENDING, SENDING, MailStatus
from webapp.models.outbox.runs import CONTACT_DELETED
from webapp.models.outbox.transitions import change_rows
from webapp.models.queries.rows_naming import is_sending_to, mails_to_erase
from webapp.models.suppression import ERASED_VALUE

AT_ONCE = 100  # rows
NEIGHBORS = timedelta(minutes=1)  # the rows of one compose are made together


class Outcome(Enum):
    MORE = auto()
    DONE = auto()
    BUSY = auto()  # a worker is sending or changing the rest


async def erase_mails(person: Person, words: str) -> Outcome:
    """Erases the next rows; `words` say why waiting ones are halted. Call it in a transaction."""
    ids = await mails_to_erase(person.org.id, person.key, person.contact_id, person.until, AT_ONCE)
    if not ids:
        return Outcome.BUSY if await is_sending_to(person.org.id, person.key, person.until) else Outcome.DONE
    rows = await MailLog.of(person.org).filter(id__in=ids).exclude(status=SENDING).select_for_update(skip_locked=True)
    if not rows:
        return Outcome.BUSY
    await _halt_waiting(rows, words)
    for row in rows:
        row.to_email, row.variables = ERASED_VALUE, {}
        row.error, row.bounce = person.hide_in(row.error), person.hide_in(row.bounce)
        await row.save(update_fields=["to_email", "variables", "error", "bounce"])
    here = [row.id for row in rows]
    for step in await MailEvent.of(person.org).filter(mail_log_id__in=here):
        if (cause := person.hide(step.cause)) != step.cause:
            await MailEvent.of(person.org).filter(id=step.id).update(cause=cause)
    await MailHit.of(person.org).filter(mail_log_id__in=here).update(agent="", network="")
    for email_id in {row.email_id for row in rows if row.email_id is not None}:
        await _erase_email(person, email_id)
    for row in rows:
        if row.email_id is None and row.campaign_run_id is None:
            await _erase_single(person, row)
    return Outcome.MORE


async def _halt_waiting(rows: Sequence[MailLog], words: str) -> None:
    for row in rows:
        if row.status in (PENDING, DEFERRED):
            row.error = CONTACT_DELETED if row.campaign_run_id is not None else words
            await change_rows([row.id], row.status, "halted", row.error, "error = $2", row.error)


async def _erase_email(person: Person, email_id: UUID) -> None:
    email = await Email.of(person.org).select_for_update().get_or_none(id=email_id)
    if email is None:
        return
    if await MailLog.of(person.org).filter(email_id=email_id).exclude(to_email=ERASED_VALUE).exists():
        email.addresses = _without(person, email.addresses)
        email.headers = person.hide_in(email.headers)
        email.source = await run_in_render_pool(person.org.id, person.hide_in, email.source)
    else:
        email.addresses = {kind: [ERASED_VALUE] * len(listed) for kind, listed in email.addresses.items()}
        email.headers, email.source, email.subject_key = {}, None, None
        await Attachment.of(person.org).filter(email_id=email_id).delete()
        await _clear(person, email.content_id)
    email.variables = {}
    await email.save(update_fields=["addresses", "headers", "source", "subject_key", "variables"])


def _without(person: Person, addresses: dict[str, list[str]]) -> dict[str, Any]:
    return {
        kind: [ERASED_VALUE if bare(address).lower() == person.key else address for address in listed]
        for kind, listed in addresses.items()
    }


async def _erase_single(person: Person, row: MailLog) -> None:
    """Erases the content of a compose or test unless others got it too."""
    near = MailLog.of(person.org).filter(
        status__in=list(MailStatus),
        id__gte=id_lower_bound(row.created_at - NEIGHBORS),
        id__lt=id_lower_bound(row.created_at + NEIGHBORS),
    )
    if not await near.filter(content_id=row.content_id).exclude(to_email=ERASED_VALUE).exists():
        await _clear(person, row.content_id)


async def _clear(person: Person, content_id: UUID) -> None:
    await (
        Content.of(person.org)
        .filter(id=content_id)
        .update(subject=ERASED_VALUE, html=None, text=None, is_template=False)
    )
