"""The check of a From address that fails: no DMARC record, and a probe that passed for the provider's domain alone."""

from datetime import timedelta
from typing import Any

from webapp import clock
from webapp.domain.from_checks.findings import Measured, find_all, verdict_of
from webapp.domain.from_checks.providers import sender_of
from webapp.domain.from_checks.records import Dmarc, FromRecords, Spf
from webapp.models import Account, FromCheck
from webapp.sending.reports.authentication import Authentication, Result

PROVIDERS = "sender.example"
RESULTS = Authentication("mx.readers.example", Result("pass", PROVIDERS), (Result("pass", PROVIDERS),))


async def fill_from_check(account: Account) -> None:
    sender, spf = sender_of(account), Spf(["v=spf1 mx ~all"])
    records = FromRecords(True, spf, Dmarc(sender.domain, ()), ["mx1.northwind.example"], has_address=True)
    measured = Measured(False, RESULTS)
    findings = find_all(sender, records, measured)
    now = clock.now()
    shown: dict[str, Any] = {
        "findings": findings,
        "verdict": verdict_of(sender, records, measured, findings).value,
        "records": {"SPF": [*spf.records], "DMARC": [], "MX": [*records.mail_servers]},
        "checked_at": now - timedelta(hours=3),
        "next_at": now + timedelta(days=1),
        "probe_to": "bounces@northwind.example",
        "probe_sent_at": now - timedelta(hours=4),
        "probe_read_at": now - timedelta(hours=4) + timedelta(minutes=1),
        "probe_results": {
            "server": RESULTS.server,
            "spf": {"result": "pass", "domain": PROVIDERS},
            "dkim": [{"result": "pass", "domain": PROVIDERS}],
            "dmarc": None,
        },
    }
    await FromCheck.begin(account)
    await FromCheck.of_account(account).update(**shown)
