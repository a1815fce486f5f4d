"""Checks of From addresses: one fails at its probe, one passes, and one knows only DNS, whose record lacks the server."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from webapp import clock
from webapp.domain.from_checks.findings import Measured, find_all, verdict_of
from webapp.domain.from_checks.providers import sender_of
from webapp.domain.from_checks.records import Dmarc, FromRecords, Spf
from webapp.models import Account, FromCheck
from webapp.sending.reports.authentication import Authentication, Result

DOMAIN, PROVIDERS, READER = "northwind.example", "sender.example", "mx.readers.example"
SPF, DMARC = "v=spf1 mx ~all", "v=DMARC1; p=none; rua=mailto:dmarc-reports@northwind.example"
OF_THE_PROVIDER = Authentication(READER, Result("pass", PROVIDERS), (Result("pass", PROVIDERS),))
OF_THE_DOMAIN = Authentication(
    READER, Result("pass", PROVIDERS), (Result("pass", DOMAIN), Result("pass", PROVIDERS)), Result("pass", DOMAIN)
)


async def fill_from_checks(failing: Account, passing: Account, without_probe: Account) -> None:
    await _fill(failing, (), OF_THE_PROVIDER)
    await _fill(passing, (DMARC,), OF_THE_DOMAIN)
    await _fill(without_probe, (DMARC,))


async def _fill(account: Account, dmarc: Sequence[str], results: Authentication | None = None) -> None:
    sender, now = sender_of(account), clock.now()
    found = Dmarc(sender.domain, dmarc, "none" if dmarc else "")
    records = FromRecords(True, Spf([SPF]), found, ["mx1.northwind.example"], has_address=True)
    measured = Measured(False, results) if results else None
    findings = find_all(sender, records, measured)
    shown: dict[str, Any] = {
        "findings": findings,
        "verdict": verdict_of(sender, records, measured, findings).value,
        "records": {"SPF": [SPF], "DMARC": [*dmarc], "MX": [*records.mail_servers]},
        "checked_at": now - timedelta(hours=3),
        "next_at": now + timedelta(days=1),
    }
    if results:
        read = {name: part and part._asdict() for name, part in (("spf", results.spf), ("dmarc", results.dmarc))}
        shown |= {
            "probe_to": "bounces@northwind.example",
            "probe_sent_at": now - timedelta(hours=4),
            "probe_read_at": now - timedelta(hours=4) + timedelta(minutes=1),
            "probe_results": {"server": READER, "dkim": [part._asdict() for part in results.dkim], **read},
        }
    await FromCheck.begin(account)
    await FromCheck.of_account(account).update(**shown)
