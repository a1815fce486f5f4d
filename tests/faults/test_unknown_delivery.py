"""F13: the answer to a message is lost, and nobody knows whether it was accepted."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import pytest

from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.fleet import Fleet, impatient
from tests.faults.support.invariants import accepted_by, check_invariants
from tests.figures import Figures
from webapp import clock
from webapp.config import Settings
from webapp.models import MailLog, Organization
from webapp.models.mail_log import FAILED, PENDING, SENT

PATIENCE = 40.0  # seconds
SHORTEST = 25.0  # minutes


async def are_in_doubt(org: Organization, times: int) -> bool:
    return not await MailLog.of(org).filter(unknowns__lt=times).exists()


async def is_settled(row_ids: Sequence[UUID]) -> bool:
    return not await MailLog.filter(id__in=row_ids).exclude(status__in=[SENT, FAILED]).exists()


@pytest.mark.parametrize("loss", ["drop", pytest.param("hang", marks=pytest.mark.soak)])
async def test_f13_a_mail_in_doubt_is_tried_once_more_after_half_an_hour_and_then_never_again(
    acme: Organization, settings: Settings, figures: Figures, loss: str
) -> None:
    async with SmtpServer() as accepting, SmtpServer() as losing, SmtpServer() as silent:
        servers, ids = (accepting, losing, silent), list[UUID]()
        for server in servers:
            getattr(server, loss)("DOT")
            ids += await make_mail(acme, await account_on(server, acme))
        # A busy machine may need longer than the short time-outs, and then the accounts rest.
        async with Fleet(impatient(settings) if loss == "hang" else settings) as fleet:
            await eventually(lambda: are_in_doubt(acme, 1), PATIENCE)
            mails = await MailLog.of(acme)
            assert {(mail.status, mail.attempts) for mail in mails} == {(PENDING, 0)}
            wait = min(mail.next_attempt_at for mail in mails) - clock.now()
            figures("minutes until the next try", wait / timedelta(minutes=1), at_least=SHORTEST)
            losing.messages.clear()  # for the client it is the same
            accepting.heal()
            losing.heal()
            await MailLog.of(acme).update(next_attempt_at=clock.now() - timedelta(seconds=1))
            await eventually(lambda: is_settled(ids), PATIENCE)
            await fleet.end()
        assert [len(server.messages) for server in servers] == [2, 1, 2]
        figures("times that one was accepted", max(accepted_by(servers).values()), at_most=2)
        rows = [await MailLog.get(id=row_id) for row_id in ids]
        assert [row.status for row in rows] == [SENT, SENT, FAILED]
        assert (rows[2].error or "").startswith("may have been delivered: ")
        assert await check_invariants(acme, *servers, rows=3) == {SENT: 2, FAILED: 1}
