"""Peculiarities of servers, remembered for an hour: finding one out costs a time-out, or a refused password."""

from dataclasses import dataclass
from time import monotonic

LEARNED_SECONDS = 3_600.0

Key = tuple[str, str, int, str]


@dataclass
class KnownServer:
    """The server of an account; it `discards` input that comes with a command, and `mechanism` signed in."""

    until: float
    discards: bool = False
    mechanism: str | None = None


class KnownServers:
    def __init__(self) -> None:
        self._known: dict[Key, KnownServer] = {}

    def of(self, key: Key) -> KnownServer:
        """The server with this key; changes to it are remembered."""
        now = monotonic()
        found = self._known.get(key)
        if found is None or found.until < now:
            self._known = {one: server for one, server in self._known.items() if server.until >= now}
            found = self._known[key] = KnownServer(now + LEARNED_SECONDS)
        return found

    def record_discards(self, key: Key) -> None:
        server = self.of(key)
        server.discards, server.until = True, monotonic() + LEARNED_SECONDS
