"""The provider that receives a domain's mail, by its mail servers; only those that slow senders down are told apart."""

from collections import OrderedDict
from collections.abc import Hashable
from enum import StrEnum

from webapp import clock
from webapp.config import settings
from webapp.errors import Busy
from webapp.sending.dns_records import DnsFailed, looking_up

KEPT_SECONDS = 24 * 3600.0
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
# The largest domains need no look-up.
DOMAINS = {
    Provider.GOOGLE: ("gmail.com", "googlemail.com"),
    Provider.MICROSOFT: (
        "outlook.com",
        "hotmail.com",
        "live.com",
        "msn.com",
        "hotmail.co.uk",
        "hotmail.fr",
        "outlook.de",
    ),
    Provider.YAHOO: ("yahoo.com", "yahoo.co.uk", "yahoo.fr", "yahoo.de", "ymail.com", "aol.com", "rocketmail.com"),
}
LARGEST = {domain: provider for provider, domains in DOMAINS.items() for domain in domains}


class RecipientProviders:
    """Looks domains up and remembers the latest ones for a day."""

    def __init__(self) -> None:
        self._found: OrderedDict[str, tuple[Provider, float]] = OrderedDict()

    async def of(self, address: str, caller: Hashable) -> Provider:
        """Looks up in the caller's share of name server queries."""
        domain = address.rpartition("@")[2].lower()
        if domain in LARGEST:
            return LARGEST[domain]
        provider, until = self._found.get(domain, (None, 0.0))
        if provider is None or until < clock.elapsed():
            provider = await _look_up(domain, caller)
            self._found[domain] = (provider, clock.elapsed() + KEPT_SECONDS)
            while len(self._found) > MOST_KEPT:
                self._found.popitem(last=False)
        return provider


async def _look_up(domain: str, caller: Hashable) -> Provider:
    """Others if the domain has no mail servers or they cannot be looked up."""
    try:
        async with looking_up(settings().dns_servers, caller) as lookup:
            servers = [f".{server}" for server in await lookup.mail_servers(domain)]
    except (DnsFailed, Busy):
        return Provider.OTHERS
    return next(
        (name for name, ends in SERVERS.items() if any(server.endswith(ends) for server in servers)), Provider.OTHERS
    )
