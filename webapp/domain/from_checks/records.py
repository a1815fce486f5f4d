"""Looks up and reads the DNS records that decide about a From domain: SPF, DMARC and MX."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from webapp.hosts import registrable_domain
from webapp.sending.dns_records import DnsLookup, looking_up

MOST_SPF_LOOKUPS = 10  # RFC 7208, 4.6.4
SPF = re.compile(r"v=spf1(?:\s|$)", re.IGNORECASE)
DMARC = re.compile(r"\s*v\s*=\s*DMARC1\s*(?:;|$)")
TAG = re.compile(r"\s*(\w+)\s*=\s*([^;]*)")
ASKING = re.compile(r"[+?~-]?(?:a|mx|ptr|exists)(?:[:/]|$)", re.IGNORECASE)  # mechanisms that cost a look-up
INCLUDE = re.compile(r"[+?~-]?include:(.+)", re.IGNORECASE)
REDIRECT = re.compile(r"redirect=(.+)", re.IGNORECASE)
ALL = re.compile(r"([+?~-]?)all", re.IGNORECASE)
POLICIES = ("none", "quarantine", "reject")


@dataclass
class Spf:
    """The SPF records of a domain; if it has exactly one, what that includes at any depth."""

    records: Sequence[str]
    includes: set[str] = field(default_factory=set)
    lookups: int = 0
    broken: str = ""  # an included name without exactly one SPF record, which makes all of it invalid

    @property
    def allows_all(self) -> bool:
        matches = [match for term in self.records[0].split() if (match := ALL.fullmatch(term))] if self.records else []
        return len(self.records) == 1 and bool(matches) and matches[0][1] in ("", "+")


class Dmarc(NamedTuple):
    """The DMARC records at `domain`: the From domain, or the one that was registered."""

    domain: str
    records: Sequence[str]
    policy: str = ""  # for the From domain; empty if it has no valid one


class FromRecords(NamedTuple):
    exists: bool
    spf: Spf
    dmarc: Dmarc
    mail_servers: Sequence[str]  # an empty name is a null MX
    has_address: bool


async def look_up(domain: str, servers: Sequence[tuple[str, int]], caller: object) -> FromRecords:
    """Raises DnsFailed, Busy."""
    async with looking_up(servers, caller) as lookup:
        mail_servers = await lookup.mail_servers(domain)
        spf, dmarc = await _read_spf(domain, lookup), await _read_dmarc(domain, lookup)
        has_address = bool(mail_servers) or await lookup.has_address(domain)
        return FromRecords(domain not in lookup.missing, spf, dmarc, mail_servers, has_address)


async def _read_spf(domain: str, lookup: DnsLookup) -> Spf:
    spf = Spf(await _spf_records(domain, lookup))
    if len(spf.records) == 1:
        await _follow(spf, spf.records[0], lookup)
    return spf


async def _spf_records(name: str, lookup: DnsLookup) -> list[str]:
    return [text for text in await lookup.texts(name) if SPF.match(text)]


async def _follow(spf: Spf, record: str, lookup: DnsLookup) -> None:
    """Follows includes, each of which counts, so that a circle ends."""
    terms = record.split()[1:]
    has_all = any(ALL.fullmatch(term) for term in terms)  # then a redirection is ignored
    for term in terms:
        match = INCLUDE.fullmatch(term) or (None if has_all else REDIRECT.fullmatch(term))
        spf.lookups += 1 if match or ASKING.match(term) else 0
        if spf.lookups > MOST_SPF_LOOKUPS:
            return
        if match is None or "%" in match[1]:  # a macro, whose value depends on each message
            continue
        name = match[1].lower().rstrip(".") or "."
        spf.includes.add(name)
        records = await _spf_records(name, lookup)
        if len(records) == 1:
            await _follow(spf, records[0], lookup)
        else:
            spf.broken = spf.broken or name


async def _read_dmarc(domain: str, lookup: DnsLookup) -> Dmarc:
    """The records of the domain or else of the one that was registered (RFC 7489, 6.6.3)."""
    names = list(dict.fromkeys((domain, registrable_domain(domain))))
    for name in names:
        records = [text for text in await lookup.texts(f"_dmarc.{name}") if DMARC.match(text)]
        if len(records) == 1:
            tags = _tags(records[0])
            policy = (tags.get("sp") if name != domain else None) or tags.get("p", "")
            return Dmarc(name, records, policy if policy in POLICIES else "")
        if records:
            return Dmarc(name, records)
    return Dmarc(domain, ())


def strictness_of(dmarc: Sequence[str]) -> tuple[bool, bool]:
    """True for SPF and for DKIM if the DMARC records demand exactly the From domain (RFC 7489, 3.1)."""
    tags = _tags(dmarc[0]) if len(dmarc) == 1 else {}
    return tags.get("aspf") == "s", tags.get("adkim") == "s"


def _tags(record: str) -> dict[str, str]:
    return {tag.lower(): value.strip().lower() for tag, value in TAG.findall(record)}
