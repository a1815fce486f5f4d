"""What is wrong with a From domain, in sentences, each with the DNS record that mends it; and the verdict."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple

from typing_extensions import TypedDict

from webapp.domain.from_checks.providers import Sender, owner_of
from webapp.domain.from_checks.records import ALL, MOST_SPF_LOOKUPS, FromRecords, strictness_of
from webapp.sending.reports.authentication import Authentication, Judgement, is_aligned, judge

DMARC_TO_ADD = "v=DMARC1; p=none"


class Severity(StrEnum):
    ERROR = "error"  # servers refuse mail, or treat it as spam
    WARNING = "warning"
    INFO = "info"  # why something is not known


class DnsRecord(TypedDict):
    """A DNS record to add, or to put in place of the one that is there."""

    type: Literal["TXT"]
    name: str
    value: str


class Finding(TypedDict):
    """What is wrong with the From domain, or why nothing is known."""

    code: str
    severity: Literal["error", "warning", "info"]
    sentence: str
    record: DnsRecord | None


class Measured(NamedTuple):
    """What came of the last probe: not read back in time, or the results of the server that received it."""

    is_lost: bool
    results: Authentication | None


def finding(code: str, severity: Severity, sentence: str, name: str = "", value: str = "") -> Finding:
    record: DnsRecord | None = {"type": "TXT", "name": name, "value": value} if name else None
    return {"code": code, "severity": severity.value, "sentence": sentence, "record": record}


def in_words(fault: Finding) -> str:
    """The sentence, with the record to add."""
    record = fault["record"]
    if record is None:
        return fault["sentence"]
    add, to = ("Add", "") if fault["code"].endswith("_missing") else ("Change", " to")
    return f"{fault['sentence']} {add} {record['type']} {record['name']}{to}: {record['value']}"


def judge_probe(domain: str, records: FromRecords, measured: Measured | None) -> Judgement | None:
    """What the last probe says; None if none was sent."""
    if measured is None:
        return None
    is_strict_spf, is_strict_dkim = strictness_of(records.dmarc.records)
    return judge(measured.results, domain, is_strict_spf=is_strict_spf, is_strict_dkim=is_strict_dkim)


def find_all(sender: Sender, records: FromRecords, measured: Measured | None) -> list[Finding]:
    """The findings, the most important first."""
    if not records.exists:
        words = f"{sender.domain} does not exist in DNS, so most servers refuse mail from it. Correct the From address."
        return [finding("domain_missing", Severity.ERROR, words)]
    judged = judge_probe(sender.domain, records, measured)
    findings = [*_of_mailbox(sender, records), *_of_probe(sender, judged, measured)]
    if owner_of(sender.domain) is None:
        findings += [*_of_dmarc(sender, records), *_of_spf(sender, records, judged), *_of_mx(sender, records)]
    return sorted(findings, key=lambda item: list(Severity).index(Severity(item["severity"])))


def verdict_of(
    sender: Sender, records: FromRecords, measured: Measured | None, findings: Sequence[Finding]
) -> Judgement:
    """Passing only if a probe passed, or if without one the SPF record includes the server's provider."""
    if any(item["severity"] == "error" for item in findings):
        return Judgement.FAILING
    judged = judge_probe(sender.domain, records, measured)
    if judged is not None:
        return judged
    includes_provider = sender.provider is not None and not records.spf.includes.isdisjoint(sender.provider.includes)
    return Judgement.PASSING if includes_provider or sender.is_own_mailbox else Judgement.UNKNOWN


def _of_mailbox(sender: Sender, records: FromRecords) -> Iterator[Finding]:
    owner = owner_of(sender.domain)
    if owner is None or sender.is_own_mailbox:
        return
    is_refused = records.dmarc.policy == "reject"
    so = f"{owner.name} has other servers refuse it" if is_refused else "Gmail and Yahoo refuse it in bulk"
    words = (
        f"{sender.domain} is {owner.name}'s, and mail from it that {sender.server} sends fails DMARC, so {so}. "
        f"Use an address of a domain of your own, or send through {owner.name}."
    )
    yield finding("mailbox_of_another_provider", Severity.ERROR, words)


def _of_probe(sender: Sender, judged: Judgement | None, measured: Measured | None) -> Iterator[Finding]:
    if measured is None or judged is None:
        return
    results, domain = measured.results, sender.domain
    if measured.is_lost:
        words = (
            "The probe email was not in the mailbox an hour after it was sent, so what servers say of it is unknown."
        )
        yield finding("probe_lost", Severity.INFO, words)
    elif results is None or judged is Judgement.UNKNOWN:
        says = "The server that received the probe email" if results is None else results.server
        why = "did not write if it passed SPF, DKIM and DMARC"
        if results is not None and (results.spf or results.dkim or results.dmarc):
            why = "could not look up SPF or DKIM just then. Send another probe"
        yield finding("probe_unclear", Severity.INFO, f"{says} {why}.")
    elif judged is Judgement.FAILING:
        yield _failed_probe(sender, results)
    elif not any(key.result == "pass" and is_aligned(key.domain, domain, is_strict=False) for key in results.dkim):
        words = (
            f"The probe email had no DKIM signature of {domain}, which Gmail and Yahoo want on bulk mail. Switch on "
            f"DKIM for {domain} at {sender.server}."
        )
        yield finding("dkim_unsigned", Severity.WARNING, words)


def _failed_probe(sender: Sender, results: Authentication) -> Finding:
    passed = [("SPF", results.spf)] if results.spf and results.spf.result == "pass" else []
    passed += [("DKIM", result) for result in results.dkim if result.result == "pass"]
    mend = f"Switch on DKIM for {sender.domain} at {sender.server}."
    if passed:
        proven = " and ".join(f"{method} for {result.domain or 'no domain'}" for method, result in passed[:3])
        words = f"At {results.server}, the probe email passed {proven}, but not for {sender.domain}. {mend}"
        return finding("probe_not_aligned", Severity.ERROR, words)
    spf = results.spf.result if results.spf else "none"
    dkim = results.dkim[0].result if results.dkim else "none"
    words = f"At {results.server}, the probe email failed: SPF {spf}, DKIM {dkim}. {mend}"
    return finding("probe_failed", Severity.ERROR, words)


def _of_dmarc(sender: Sender, records: FromRecords) -> Iterator[Finding]:
    domain, dmarc = sender.domain, records.dmarc
    name = f"_dmarc.{dmarc.domain}"
    if not dmarc.records:
        words = f"Gmail and Yahoo refuse bulk mail from {domain}: there is no DMARC record."
        yield finding("dmarc_missing", Severity.ERROR, words, f"_dmarc.{domain}", DMARC_TO_ADD)
    elif len(dmarc.records) > 1:
        words = f"{name} has {len(dmarc.records)} DMARC records, which count as none. Keep one of them."
        yield finding("dmarc_several", Severity.ERROR, words)
    elif not dmarc.policy:
        words = f"The DMARC record of {dmarc.domain} has no valid policy (p=), so it counts as none."
        yield finding("dmarc_invalid", Severity.ERROR, words, name, DMARC_TO_ADD)


def _of_spf(sender: Sender, records: FromRecords, judged: Judgement | None) -> Iterator[Finding]:
    """A probe that passed shows that servers accept mail without it."""
    domain, server, spf = sender.domain, sender.server, records.spf
    if sender.provider is not None and sender.provider.has_own_return_path:
        return
    grave = Severity.WARNING if judged is Judgement.PASSING else Severity.ERROR
    includes = sender.provider.includes if sender.provider is not None else ()
    if not spf.records:
        words = f"{domain} has no SPF record, so other servers can't tell that {server} may send for it."
        if includes:
            yield finding("spf_missing", grave, words, domain, f"v=spf1 include:{includes[0]} ~all")
        else:
            yield finding("spf_missing", grave, f"{words} Ask the provider of {server} for the record to add.")
    elif len(spf.records) > 1:
        words = f"{domain} has {len(spf.records)} SPF records, so none of them counts. Make one of them."
        yield finding("spf_several", grave, words, domain, _joined(spf.records))
    elif spf.lookups > MOST_SPF_LOOKUPS:
        words = f"The SPF record of {domain} takes more than {MOST_SPF_LOOKUPS} DNS look-ups, so it doesn't count."
        yield finding("spf_too_long", grave, f"{words} Remove includes of services that don't send for you.")
    elif spf.broken:
        words = f"The SPF record of {domain} includes {spf.broken}, which has no SPF record, so it doesn't count."
        yield finding("spf_broken", grave, f"{words} Remove that include, or correct it.")
    elif spf.allows_all:
        words = f"The SPF record of {domain} allows every server in the world to send for it (+all)."
        yield finding("spf_allows_all", Severity.WARNING, words, domain, _with_all(spf.records[0], "~all"))
    elif includes and spf.includes.isdisjoint(includes):
        words = f"The SPF record of {domain} leaves out {server}, which sends for it."
        value = _with_all(spf.records[0], f"include:{includes[0]} {_all_of(spf.records[0])}")
        yield finding("spf_lacks_provider", grave, words, domain, value)


def _of_mx(sender: Sender, records: FromRecords) -> Iterator[Finding]:
    if list(records.mail_servers) == [""]:
        words = f"{sender.domain} says that it accepts no mail (null MX), so some servers refuse mail from it."
        yield finding("mx_null", Severity.ERROR, f"{words} Remove that MX record, or use another From address.")
    elif not records.has_address:
        words = f"No server accepts mail for {sender.domain}, so replies and bounces to it are lost. Add an MX record."
        yield finding("mx_missing", Severity.WARNING, words)


def _joined(records: Sequence[str]) -> str:
    terms = dict.fromkeys(term for record in records for term in record.split()[1:] if not ALL.fullmatch(term))
    return " ".join(["v=spf1", *terms, "~all"])


def _all_of(record: str) -> str:
    return next((term for term in record.split() if ALL.fullmatch(term)), "")


def _with_all(record: str, instead: str) -> str:
    """The record with its `all`, or its end, replaced."""
    terms = [term for term in record.split() if not ALL.fullmatch(term)]
    return re.sub(r"\s+", " ", " ".join([*terms, instead])).strip()
