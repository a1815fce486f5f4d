"""Reads a mailbox by IMAP without changing it.

The session runs in a thread, which ends when its socket is shut down: after a time limit or if cancelled.
"""

import asyncio
import datetime as dt
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from webapp.fair_slots import FairSlot, FairSlots, slot_of
from webapp.sending.outcomes import Blame
from webapp.sending.reports.mailbox import MAX_MESSAGES, ImapLogin, MailboxTrouble, MailboxUnreadable, Reading
from webapp.sending.smtp.connect import Dialer, Unreachable, open_socket

if TYPE_CHECKING:
    from webapp.sending.reports.imap_session import ImapSession  # its library is loaded with the first reading

T = TypeVar("T")

# learn.microsoft.com/exchange/client-developer/legacy-protocols/
# how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
MICROSOFT_SCOPE = "https://outlook.office.com/IMAP.AccessAsUser.All"
MICROSOFT_APP_SCOPE = "https://outlook.office365.com/.default"
PORTS = (143, 993)  # on public hosts
THREADS = 8
THREADS_EACH = 4  # per organization
CHECK_SECONDS = 30.0
WAIT_SECONDS = 10.0  # for a thread, before the conversation's time begins


async def read_imap(
    login: ImapLogin,
    dialer: Dialer,
    cursor: str | None,
    since: dt.date,
    subjects: Sequence[str] = (),
    *,
    within: float,
    everything: bool = False,
    limit: int = MAX_MESSAGES,
) -> Reading:
    """Reads at most `limit` messages after `cursor`, or since `since` if it is invalid. Raises MailboxUnreadable, Busy.

    Without `everything`, only messages that may be reports, or whose subject contains one of `subjects`.
    """

    def talk(session: "ImapSession") -> Reading:
        return session.read(cursor, since, limit, subjects, everything=everything)

    return await _converse(login, dialer, within, talk)


async def check_imap(login: ImapLogin, dialer: Dialer, *, within: float = CHECK_SECONDS) -> None:
    """Signs in and opens the mailbox. Raises MailboxUnreadable, Busy."""
    await _converse(login, dialer, within, lambda session: session.open())


async def _converse(login: ImapLogin, dialer: Dialer, within: float, talk: Callable[["ImapSession"], T]) -> T:
    try:
        slot = slot_of(_slots(asyncio.get_running_loop()), login.policy.caller, WAIT_SECONDS)
        async with slot, asyncio.timeout(within):
            sock, is_private_peer = await open_socket(login.host, login.port, login.policy, dialer, PORTS)

            def run() -> T:
                from webapp.sending.reports.imap_session import ImapSession

                session = ImapSession(login, sock, dialer.tls(), within, is_private_peer=is_private_peer)
                return session.run(talk)

            return await _in_thread(run, sock)
    except Unreachable as error:
        is_of_host = error.outcome.blame is Blame.MISCONFIGURED
        trouble = MailboxTrouble.HOST if is_of_host else MailboxTrouble.UNREACHABLE
        raise MailboxUnreadable(str(error), trouble) from None
    except TimeoutError:
        raise MailboxUnreadable(f"{login.host} did not respond in time", MailboxTrouble.UNREACHABLE) from None


async def _in_thread(run: Callable[[], T], sock: socket.socket) -> T:
    """Runs in a thread; when this ends earlier, the socket is shut down."""
    sock.setblocking(True)
    switch = sock.dup()  # TLS takes over the socket's own descriptor
    job = _threads().submit(run)
    try:
        return await asyncio.wrap_future(job)
    finally:
        if job.cancel():  # it had not started
            sock.close()
        with suppress(OSError):
            switch.shutdown(socket.SHUT_RDWR)
        switch.close()


@cache
def _slots(loop: asyncio.AbstractEventLoop) -> FairSlots[FairSlot]:  # noqa: ARG001 - one per event loop
    return FairSlots(THREADS, limit_each=THREADS_EACH)


@cache
def _threads() -> ThreadPoolExecutor:
    """A pool of its own, because servers may be slow."""
    return ThreadPoolExecutor(THREADS, "imap")
