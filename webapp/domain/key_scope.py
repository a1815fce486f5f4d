"""The scope of an API key: the From addresses, accounts and networks that it may use, for every door alike."""

import ipaddress
import json
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from uuid import UUID

from webapp import addresses
from webapp.addresses import email_key
from webapp.config.networks import Network
from webapp.errors import InvalidValue, OutsideScope
from webapp.models import Account, ApiKey

LONGEST_SHOWN = 80  # characters of what is no sender
LISTED = 5  # of what is allowed, in an error
MAPPED_BITS = 96  # of the prefix before the IPv4 address in an IPv4-mapped one (RFC 4291, 2.5.5.2)


@dataclass(frozen=True)
class KeyScope:
    """Empty parts allow everything. `senders` are addresses and `@domain`s."""

    senders: frozenset[str] = field(default_factory=frozenset)
    account_ids: frozenset[UUID] = field(default_factory=frozenset)
    is_limited: bool = False  # in any part, or to networks

    @property
    def fingerprint(self) -> str:
        """Differs between scopes; empty without limits."""
        parts = sorted(self.senders), sorted(map(str, self.account_ids))
        return json.dumps(parts) if any(parts) else ""

    def allows_sender(self, email: str) -> bool:
        key = email_key(email)
        return not self.senders or key in self.senders or f"@{key.rpartition('@')[2]}" in self.senders

    def require_sender(self, *emails: str) -> None:
        """Raises OutsideScope."""
        for email in emails:
            if not self.allows_sender(email):
                raise OutsideScope(f"this API key may not send as {email}, only as {_listed(sorted(self.senders))}")

    def require_unlimited(self, action: str) -> None:
        """Raises OutsideScope."""
        if self.is_limited:
            raise OutsideScope(
                f"an API key that is limited to some From addresses, accounts or networks can't {action}"
            )

    def require_all_accounts(self, action: str) -> None:
        """Raises OutsideScope."""
        if self.account_ids:
            raise OutsideScope(f"an API key that is limited to some accounts can't {action}")

    def allows_account(self, account: Account) -> bool:
        return not self.account_ids or account.id in self.account_ids

    def require_accounts(self, wanted: Iterable[Account], accounts: Iterable[Account]) -> None:
        """Raises OutsideScope, which names those of `accounts` that the key may use."""
        outside = [account for account in wanted if not self.allows_account(account)]
        if outside:
            allowed = [
                f"{account.name} ({account.account_key})" for account in accounts if self.allows_account(account)
            ]
            only = f"only {_listed(allowed)}" if allowed else "and the accounts that it may use were deleted"
            raise OutsideScope(f"this API key may not use the account {outside[0].name}, {only}")


UNLIMITED = KeyScope()
_current: ContextVar[KeyScope] = ContextVar("key_scope", default=UNLIMITED)


def apply_scope(key: ApiKey | None, address: str) -> None:
    """Limits the current task to the scope of a key, None for people. Raises OutsideScope for its networks."""
    if key is not None and not _is_within(address, tuple(key.allowed_networks)):
        raise OutsideScope(f"this API key may not be used from {address}, only from {_listed(key.allowed_networks)}")
    _current.set(UNLIMITED if key is None else _scope_of(key))


def current_scope() -> KeyScope:
    """The scope of the key that this task acts for; jobs and people have none."""
    return _current.get()


def read_sender(text: str) -> str:
    """An address or `@domain` in the form in which they are compared. Raises ValueError."""
    local, at, domain = text.strip().rpartition("@")
    if not at or "*" in text:  # which would only match a mailbox of that name
        like = "an address or @ and a domain, like orders@example.com or @example.com"
        raise InvalidValue(f"must be {like}, not {text[:LONGEST_SHOWN]}", "sender")
    return email_key(addresses.normalize(f"{local or 'any'}@{domain}")).removeprefix("" if local else "any")


def read_network(text: str) -> str:
    """Raises ValueError."""
    try:
        network = ipaddress.ip_network(text.strip().partition("%")[0])  # a scope id is the sender's own
    except ValueError:
        raise InvalidValue.example("network or address", "203.0.113.0/24") from None
    mapped = network.network_address.ipv4_mapped if isinstance(network, ipaddress.IPv6Network) else None
    if mapped is not None and network.prefixlen >= MAPPED_BITS:  # clients' addresses are compared as IPv4
        return str(ipaddress.ip_network((mapped, network.prefixlen - MAPPED_BITS)))
    return str(network)


def _scope_of(key: ApiKey) -> KeyScope:
    senders, ids, networks = key.allowed_from, key.allowed_account_ids, key.allowed_networks
    return KeyScope(frozenset(senders), frozenset(map(UUID, ids)), bool(senders or ids or networks))


@lru_cache(1_024)
def _is_within(address: str, networks: tuple[str, ...]) -> bool:
    if not networks:
        return True
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:  # a socket file has none
        return False
    allowed: Iterable[Network] = map(ipaddress.ip_network, networks)
    return any(parsed in network for network in allowed)


def _listed(allowed: list[str]) -> str:
    more = len(allowed) - LISTED
    return ", ".join(allowed[:LISTED]) + (f" and {more} more" if more > 0 else "")
