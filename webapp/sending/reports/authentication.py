"""Reads what the receiving server found out about a message's sender (Authentication-Results, RFC 8601).

Anyone who hands a message on can write such a header. Only those of the receiving server count: they carry its domain,
and stand above the trace of every other server and above the message as it was sent.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from webapp.hosts import LONGEST_NAME, is_name, registrable_domain
from webapp.sending.reports.mime_parts import header_of, ordered_fields

RESULTS = "authentication-results"
SENT_FIELDS = frozenset({"from", "to", "subject", "date", "message-id", "mime-version"})  # below them, all is as sent
INTERNAL = (".internal", ".local", ".lan", ".localdomain", ".intranet", ".corp", ".home.arpa")
WITHOUT_ID = "outlook.com"  # the domain of Microsoft's servers, which leave out their name
MAX_HEADERS, MAX_RESULTS = 20, 100

BY = re.compile(r"(?:^|\s)by\s+([^\s;()]+)", re.IGNORECASE)
METHOD = re.compile(r"\s*([a-z][\w-]*)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)", re.IGNORECASE | re.ASCII)
PROPERTY = re.compile(
    r'"[^"]*"|(?<![\w.-])([a-z]+)\s?\.\s?([a-z-]+)\s?=\s?("[^"]*"|[^\s;"]+)', re.IGNORECASE | re.ASCII
)  # or a quoted text, in which nothing is a property
SPECIAL = re.compile(r'\\.|[;"()]', re.DOTALL)


class Result(NamedTuple):
    """The result of a method, in lower case, and the domain it is about; empty if the server names none."""

    result: str
    domain: str


class Authentication(NamedTuple):
    """The results of the receiving server; without `spf`, `dkim` and `dmarc` it checked nothing."""

    server: str
    spf: Result | None = None
    dkim: tuple[Result, ...] = ()
    dmarc: Result | None = None


class Judgement(StrEnum):
    PASSING = "passing"
    FAILING = "failing"
    UNKNOWN = "unknown"


def read_authentication(message: bytes) -> Authentication | None:
    """Returns the results of the server that received the message, or None if it wrote none. Never raises."""
    receiver, headers = "", list[str]()
    for name, value in ordered_fields(header_of(message)):
        if name in SENT_FIELDS:
            break
        if name == "received":
            domain = _domain_of_hop(value)
            if domain and receiver and domain != receiver:
                break
            receiver = receiver or domain
        elif name == RESULTS:
            headers.append(value)
    own = [(id_, results) for id_, results in map(_split, headers[:MAX_HEADERS]) if receiver and _is_of(receiver, id_)]
    return _merge(own[0][0] or receiver, [results for _, results in own]) if own else None


def judge(
    results: Authentication | None, from_domain: str, *, is_strict_spf: bool = False, is_strict_dkim: bool = False
) -> Judgement:
    """Whether DMARC passes for the From domain: by the server's own result, or else by what it says of SPF and DKIM."""
    if results is None or not (results.spf or results.dkim or results.dmarc):
        return Judgement.UNKNOWN
    if results.dmarc is not None and results.dmarc.domain in ("", from_domain):
        if results.dmarc.result == "pass":
            return Judgement.PASSING
        if results.dmarc.result == "fail":
            return _failure(results)
    passes = [result for result in results.dkim if result.result == "pass"]
    if any(is_aligned(result.domain, from_domain, is_strict=is_strict_dkim) for result in passes):
        return Judgement.PASSING
    spf = results.spf
    if spf and spf.result == "pass" and is_aligned(spf.domain, from_domain, is_strict=is_strict_spf):
        return Judgement.PASSING
    return _failure(results)


def is_aligned(domain: str, from_domain: str, *, is_strict: bool) -> bool:
    """True if the domains are the same, or with relaxed alignment of the same organization (RFC 7489, 3.1)."""
    if not domain or is_strict or domain == from_domain:
        return bool(domain) and domain == from_domain
    return registrable_domain(domain) == registrable_domain(from_domain)


def _failure(results: Authentication) -> Judgement:
    known = [result.result for result in (results.spf, results.dmarc, *results.dkim) if result is not None]
    return Judgement.UNKNOWN if "temperror" in known else Judgement.FAILING


def _domain_of_hop(received: str) -> str:
    """The registrable domain of the host that received, or nothing if it has only an address or an internal name."""
    match = BY.search(" ".join(_segments(received)))
    host = match[1].lower().rstrip(".,") if match else ""
    if "." not in host or not is_name(host) or host.endswith(INTERNAL):
        return ""
    return registrable_domain(host)


def _is_of(receiver: str, id_: str) -> bool:
    return receiver == WITHOUT_ID if not id_ else registrable_domain(id_) == receiver


def _split(value: str) -> tuple[str, list[str]]:
    """The server's name in a header, empty if it has none, and the results, of one method each."""
    segments = _segments(value)
    first = segments[0].split()
    if METHOD.match(segments[0]) or not first:
        return "", segments[:MAX_RESULTS]
    return _name(first[0].strip('"')), segments[1 : MAX_RESULTS + 1]


def _merge(server: str, headers: Iterable[list[str]]) -> Authentication:
    """Of a method in several headers, the topmost one counts; a header may have several results of DKIM."""
    spf = dmarc = None
    dkim: tuple[Result, ...] = ()
    for segments in headers:
        results = list(_results(segments))
        spf = spf or next((result for method, result in results if method == "spf"), None)
        dmarc = dmarc or next((result for method, result in results if method == "dmarc"), None)
        dkim = dkim or tuple(result for method, result in results if method == "dkim")
    return Authentication(server, spf, dkim, dmarc)


def _results(segments: Iterable[str]) -> Iterator[tuple[str, Result]]:
    for segment in segments:
        match = METHOD.match(segment)
        if match is None:
            continue
        method, result = match[1].lower(), match[2].lower()
        properties: dict[str, str] = {}
        for kind, name, text in PROPERTY.findall(segment, match.end()):
            properties.setdefault(f"{kind}.{name}".lower(), text.strip('"').lower())
        names = {"spf": ("smtp.mailfrom", "smtp.mail"), "dkim": ("header.d", "header.i"), "dmarc": ("header.from",)}
        written = next((properties[name] for name in names.get(method, ()) if name in properties), "")
        yield method, Result(result, _name(written.rpartition("@")[2].strip("<>")))


def _name(text: str) -> str:
    return "".join(filter(str.isprintable, text)).lower().rstrip(".")[:LONGEST_NAME]


def _segments(text: str) -> list[str]:
    """Splits at semicolons outside of quotes, without comments, which nest and may hold anything (RFC 5322, 3.2.2)."""
    segments, segment, depth, start, is_quoted = list[str](), "", 0, 0, False
    for match in SPECIAL.finditer(text):
        mark = match[0]
        if mark == '"' and not depth:
            is_quoted = not is_quoted
        if is_quoted or mark not in "();" or (depth and mark == ";"):
            continue
        if not depth:
            segment += text[start : match.start()] + " "
        start = match.end()
        if mark == ";":
            segments.append(segment)
            segment = ""
        else:
            depth = max(0, depth + (1 if mark == "(" else -1))
    return [*segments, segment + ("" if depth else text[start:])]
