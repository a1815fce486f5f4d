"""What is known of accounts' From addresses, for their pages, and the warnings that follow from it."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

from webapp.domain.from_checks.findings import Finding, Severity, finding, in_words
from webapp.domain.from_checks.probes import results_of
from webapp.domain.from_checks.records import strictness_of
from webapp.models import Account, FromCheck
from webapp.sending.reports.authentication import Judgement, Result, is_aligned, judge


class AlignedResult(NamedTuple):
    result: str
    domain: str
    aligned: bool  # it passed for the From domain


class ProbeView(NamedTuple):
    """The last probe email; `aligned` is None while that is unknown."""

    state: Literal["pending", "read", "lost"]
    email_id: UUID | None
    to: str | None
    sent_at: datetime
    read_at: datetime | None
    server: str | None = None
    spf: AlignedResult | None = None
    dkim: tuple[AlignedResult, ...] = ()
    dmarc: AlignedResult | None = None
    aligned: bool | None = None


class FromCheckView(NamedTuple):
    domain: str | None
    verdict: Literal["passing", "failing", "unknown"]
    checked_at: datetime | None
    findings: list[Finding]
    probe: ProbeView | None
    records: Mapping[str, list[str]] = {}


async def from_check_of(account: Account) -> FromCheckView:
    check = await FromCheck.of_account(account).get_or_none()
    domain = account.from_domain or None
    if account.is_sandbox or domain is None:
        why = "The account has no From address, so there is nothing to check. Add one in its settings."
        if account.is_sandbox:
            why = "The sandbox delivers nothing to other servers, so there is nothing to check."
        return FromCheckView(domain, "unknown", None, [finding("nothing_to_check", Severity.INFO, why)], None)
    if check is None or check.domain != domain:
        return FromCheckView(domain, "unknown", None, [], None)
    verdict: Literal["passing", "failing", "unknown"] = check.verdict  # type: ignore[assignment]  # a CharField
    findings: list[Finding] = check.findings  # type: ignore[assignment]  # as they were saved
    return FromCheckView(domain, verdict, check.checked_at, findings, _probe_of(check), check.records)


def warnings_about(accounts: Iterable[Account]) -> dict[UUID, Finding]:
    """The gravest finding about each account, fetched with its `from_check`, whose From address fails."""
    return {account.id: fault for account in accounts if (fault := _warning_about(account, account.from_check))}


def _warning_about(account: Account, check: FromCheck | None) -> Finding | None:
    if check is None or check.verdict != Judgement.FAILING or check.domain != account.from_domain:
        return None
    return check.findings[0]  # type: ignore[return-value]  # as it was saved


async def failing_accounts() -> list[tuple[str, str]]:
    """The names of all organizations' accounts whose From address fails, each with the gravest finding in words."""
    failing = FromCheck.across_orgs().filter(verdict=Judgement.FAILING).order_by("id").prefetch_related("account")
    faults = [(check.account.name, _warning_about(check.account, check)) async for check in failing]
    return [(name, in_words(fault)) for name, fault in faults if fault is not None]


def _probe_of(check: FromCheck) -> ProbeView | None:
    if check.probe_sent_at is None:
        return None
    sent = check.probe_email_id, check.probe_to, check.probe_sent_at, check.probe_read_at
    results = results_of(check)
    if check.probe_read_at is None:
        return ProbeView("pending" if check.awaits_probe else "lost", *sent)
    if results is None:
        return ProbeView("read", *sent)
    domain = check.domain
    is_strict_spf, is_strict_dkim = strictness_of(check.records.get("DMARC", []))
    judged = judge(results, domain, is_strict_spf=is_strict_spf, is_strict_dkim=is_strict_dkim)

    def aligned(result: Result | None, *, is_strict: bool) -> AlignedResult | None:
        if result is None:
            return None
        passes = result.result == "pass" and is_aligned(result.domain or domain, domain, is_strict=is_strict)
        return AlignedResult(result.result, result.domain, passes)

    dkim = [signature for result in results.dkim if (signature := aligned(result, is_strict=is_strict_dkim))]
    return ProbeView(
        "read",
        *sent,
        results.server,
        aligned(results.spf, is_strict=is_strict_spf),
        tuple(dkim),
        aligned(results.dmarc, is_strict=True),
        None if judged is Judgement.UNKNOWN else judged is Judgement.PASSING,
    )
