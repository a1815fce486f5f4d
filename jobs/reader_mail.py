"""The queues of emails to readers."""

from collections.abc import Sequence

from webapp.domain.forms import sign_up
from webapp.domain.personal_data import by_person
from webapp.domain.preferences import link_mail
from webapp.domain.reader_mail import queue
from webapp.domain.reader_mail.queue import ReaderMailQueue

QUEUES: Sequence[ReaderMailQueue] = (link_mail.queue, sign_up.queue, by_person.data_queue, by_person.erase_queue)


async def mail_readers() -> None:
    for kind in QUEUES:
        await kind.send()
    await queue.send_written()
