"""The place of somebody who sends one message after another over one connection."""

from collections.abc import Callable

from webapp.sending.dial import SmtpLogin
from webapp.sending.smtp import Envelope, Session

MayFollow = Callable[[Envelope, bytes], bool]


class Berth:
    """The connection on which the next message is offered already.

    `following` gives the next message, which its argument must allow; who takes it sends it next, or leaves.
    """

    def __init__(self, following: Callable[[MayFollow], tuple[Envelope, bytes] | None]) -> None:
        """Nothing is offered yet."""
        self.following = following
        self.session: Session | None = None
        self.login: SmtpLogin | None = None
        self.envelope: Envelope | None = None
        self._busy: set[Session] = set()

    def keep(self, session: Session, login: SmtpLogin, busy: set[Session]) -> None:
        """Stay on a connection, which counts as one of the busy ones."""
        self.session, self.login, self._busy = session, login, busy
        busy.add(session)

    def leave(self) -> None:
        """Give up what was offered: its connection is closed in the middle of DATA, so that nothing is sent."""
        if self.session is not None:
            self._busy.discard(self.session)
            self.session.close()
            self.session = None
