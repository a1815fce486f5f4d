"""Looks up TXT, MX and address records within bounds of time, number, size and each organization's share."""

import asyncio
from collections.abc import AsyncIterator, Hashable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING

from webapp.fair_slots import FairSlot, FairSlots, slot_of

if TYPE_CHECKING:
    from dns.asyncresolver import Resolver
    from dns.resolver import Answer

SECONDS = 5.0  # for all questions about a domain
WAIT_SECONDS = 10.0  # for a slot, before that time begins
SLOTS, SLOTS_EACH = 16, 2  # domains at once, in total and of one organization
MOST_QUESTIONS = 40  # about a domain
MOST_RECORDS, MAX_CHARACTERS = 50, 4_000  # of an answer, and of a record
PAYLOAD = 1232  # bytes of an answer by UDP (dnsflagday.net/2020); longer ones are asked for again by TCP


class DnsFailed(Exception):
    """Nothing is known, because DNS did not answer; the text is the end of a sentence."""


class DnsLookup:
    """The questions about one domain; names that do not exist have no records and are listed in `missing`."""

    def __init__(self, resolver: "Resolver") -> None:
        self._resolver, self._asked = resolver, 0
        self.missing = set[str]()

    async def texts(self, name: str) -> list[str]:
        """Sorted, because servers answer in any order; without NUL, which PostgreSQL cannot store."""
        answer = await self._ask(name, "TXT")
        texts = [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
        return sorted(text.replace("\0", "\N{REPLACEMENT CHARACTER}")[:MAX_CHARACTERS] for text in texts)

    async def mail_servers(self, name: str) -> list[str]:
        """The hosts of MX records, sorted; a null MX (RFC 7505) is an empty name."""
        return sorted(str(record.exchange).rstrip(".").lower() for record in await self._ask(name, "MX"))

    async def has_address(self, name: str) -> bool:
        return bool(await self._ask(name, "A") or await self._ask(name, "AAAA"))

    async def _ask(self, name: str, kind: str) -> list["Answer"]:
        """Raises DnsFailed."""
        from dns.exception import DNSException
        from dns.name import from_text
        from dns.resolver import NXDOMAIN

        self._asked += 1
        if self._asked > MOST_QUESTIONS:
            raise DnsFailed("it takes too many questions")
        try:
            asked = from_text(f"{name}.")
        except (DNSException, ValueError):  # written in a record, such as an SPF include; no server can have it
            self.missing.add(name)
            return []
        try:
            answer = await self._resolver.resolve(asked, kind, raise_on_no_answer=False, lifetime=SECONDS)
        except NXDOMAIN:
            self.missing.add(name)
            return []
        except (DNSException, OSError, ValueError) as error:
            raise DnsFailed(f"the name server gave no answer about {name}") from error
        return list(answer)[:MOST_RECORDS] if answer.rrset is not None else []


@asynccontextmanager
async def looking_up(servers: Sequence[tuple[str, int]], caller: Hashable) -> AsyncIterator[DnsLookup]:
    """Asks these name servers, or the system's. Raises DnsFailed, Busy."""
    async with slot_of(_slots(asyncio.get_running_loop()), caller, WAIT_SECONDS):
        resolver = await asyncio.to_thread(_resolver, servers)
        try:
            async with asyncio.timeout(SECONDS):
                yield DnsLookup(resolver)
        except TimeoutError:
            raise DnsFailed(f"the name server did not answer within {SECONDS:.0f} seconds") from None


def _resolver(servers: Sequence[tuple[str, int]]) -> "Resolver":
    """Loads the library with the first look-up, and reads resolv.conf."""
    from dns.asyncresolver import Resolver
    from dns.nameserver import Do53Nameserver
    from dns.resolver import NoResolverConfiguration

    try:
        resolver = Resolver(configure=not servers)
    except NoResolverConfiguration:
        raise DnsFailed("this machine has no name server") from None
    if servers:
        resolver.nameservers = [Do53Nameserver(address, port) for address, port in servers]
    resolver.use_edns(0, 0, PAYLOAD)
    return resolver


@cache
def _slots(loop: asyncio.AbstractEventLoop) -> FairSlots[FairSlot]:  # noqa: ARG001 - one per event loop
    return FairSlots(SLOTS, limit_each=SLOTS_EACH)
