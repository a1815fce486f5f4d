"""The provider that receives a domain's mail, by its mail servers; known are only those that slow senders down."""

from collections import OrderedDict
from collections.abc import Hashable
from enum import StrEnum

from webapp import clock
from webapp.config import settings
from webapp.errors import Busy
from webapp.sending.dns_records import DnsFailed, looking_up

KEPT_SECONDS = 24 * 3600.0
FAILED_SECONDS = 60.0  # then a domain is looked up again about which DNS did not answer
MOST_KEPT = 20_000  # domains


class Provider(StrEnum):
    GOOGLE = "google"
    MICROSOFT = "microsoft"
    YAHOO = "yahoo"
    OTHERS = "others"


SERVERS = {
    Provider.GOOGLE: (".google.com", ".googlemail.com"),
    Provider.MICROSOFT: (".outlook.com", ".mx.microsoft", ".hotmail.com"),
    Provider.YAHOO: (".yahoodns.net",),
}
# Domains in which anyone can get an address. They need no look-up.
MAILBOXES = {
    Provider.GOOGLE: ("gmail.com", "googlemail.com"),
    Provider.MICROSOFT: (
        "outlook.com",
        "hotmail.com",
        "live.com",
        "msn.com",
        "hotmail.co.uk",
        "hotmail.de",
        "hotmail.fr",
        "outlook.de",
    ),
    Provider.YAHOO: ("yahoo.com", "yahoo.co.uk", "yahoo.fr", "yahoo.de", "ymail.com", "aol.com", "rocketmail.com"),
}
LARGEST = {domain: provider for provider, domains in MAILBOXES.items() for domain in domains}


class RecipientProviders:
    """Looks domains up and remembers the latest ones for a day."""

    def __init__(self) -> None:
        self._found: OrderedDict[str, tuple[Provider, float]] = OrderedDict()

    async def of(self, address: str, caller: Hashable) -> Provider:
        """Looks up in the caller's share of name server queries; others if that fails."""
        if (largest := largest_of(address)) is not None:
            return largest
        domain = _domain_of(address)
        provider, until = self._found.get(domain, (None, 0.0))
        if provider is None or until < clock.elapsed():
            try:
                provider, seconds = await _look_up(domain, caller), KEPT_SECONDS
            except DnsFailed:
                provider, seconds = Provider.OTHERS, FAILED_SECONDS
            except Busy:  # the caller's share is used up, which says nothing about the domain
                return Provider.OTHERS
            self._found[domain] = (provider, clock.elapsed() + seconds)
            while len(self._found) > MOST_KEPT:
                self._found.popitem(last=False)
        return provider


def largest_of(address: str) -> Provider | None:
    """The provider of an address at one of the largest domains."""
    return LARGEST.get(_domain_of(address))


def _domain_of(address: str) -> str:
    return address.rpartition("@")[2].lower()


async def _look_up(domain: str, caller: Hashable) -> Provider:
    """Others if the domain has no mail servers. Raises DnsFailed, Busy."""
    async with looking_up(settings().dns_servers, caller) as lookup:
        servers = [f".{server}" for server in await lookup.mail_servers(domain)]
    return next(
        (name for name, ends in SERVERS.items() if any(server.endswith(ends) for server in servers)), Provider.OTHERS
    )
