"""Suppressions from files, as people have them."""

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.factories import make_suppression
from webapp.domain.imports.suppression_file import PART_BYTES, ImportReport, import_suppressions
from webapp.domain.suppressions.suppressions import export_suppressions
from webapp.models import AuditEntry, Organization, Suppression


async def pieces(data: bytes, size: int = 10_000) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def read(org: Organization, data: str | bytes, name: str = "list.csv", **how: Any) -> ImportReport:
    return await import_suppressions(org, name, pieces(data.encode() if isinstance(data, str) else data, **how))


FILES = {
    "a table": "name,Email,why\nAda,ada@example.org,spam\nBob,*@example.com,\n",
    "a column without a name": "Ada,ada@example.org\nBob,*@example.com\n",
    "a stated delimiter": "sep=;\nemail;x\nada@example.org;1\n*@example.com;2\n",
    "a heading in another language": "アドレス,理由\n*@example.com,\nada@example.org,\n",
    "several in a cell": 'email\n"mailto:ada@example.org, *@example.com"\n',
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
async def test_a_file_is_read(acme: Organization, rival: Organization, text: str) -> None:
    assert await read(acme, text) == ImportReport(added=2)
    found = {entry.email: entry.reason for entry in await Suppression.of(acme)}
    assert found == dict.fromkeys(("ada@example.org", "*@example.com"), "import")
    assert await read(acme, text) == ImportReport(existing=2)
    assert await Suppression.of(rival).count() == 0


# The files of other services; "hard", "spam" and "by-hand" are addresses of that reason, "soft" is left out.
SERVICES = {
    ("Mailgun", "bounces.csv"): """address,code,error,created_at
        hard@e.example,550,5.1.1 no such user,2024
        hard2@e.example,605,Not delivering to previously bounced address,2024
        soft@e.example,421,try again later,2024
        soft2@e.example,552,5.2.2 mailbox full,2024""",
    ("SendGrid", "suppression_bounces.csv"): """status,reason,email,created
        5.1.1,550 5.1.1 The email account does not exist,hard@e.example,1700000000
        5.0.0,550 unsolicited mail is spam here,hard2@e.example,1700000000
        4.2.2,450 4.2.2 over quota,soft@e.example,1700000000""",
    ("Postmark, bounces", "activity.csv"): """Email,Type,Details
        hard@e.example,HardBounce,smtp;550 5.1.1
        soft@e.example,SoftBounce,smtp;550 5.2.2
        soft2@e.example,Transient,delayed
        spam@e.example,SpamComplaint,""",
    ("Brevo", "blocklist.csv"): """email,reason
        hard@e.example,hardBounce
        spam@e.example,contactFlaggedAsSpam
        by-hand@e.example,adminBlocked
        soft@e.example,soft bounce
        other@e.example,unsubscribedViaEmail""",
    ("Mailchimp", "cleaned_members_export.csv"): """Email Address,First Name,CLEAN_TIME
        hard@e.example,A,2024-01-01 09:00:00""",
}
REASONS = {"hard": "bounce", "spam": "complaint", "by-hand": "manual", "other": "import"}


@pytest.mark.parametrize(("service", "name"), SERVICES)
async def test_a_file_of_another_service_keeps_its_reasons(
    acme: Organization, rival: Organization, service: str, name: str
) -> None:
    text = "\n".join(line.strip() for line in SERVICES[service, name].splitlines())
    names = re.findall(r"([\w-]+)@e\.example", text)
    report = await read(acme, text, name)
    soft = sum(one.startswith("soft") for one in names)
    assert report == ImportReport(added=len(names) - soft, soft=soft)
    assert {entry.email.partition("@")[0]: str(entry.reason) for entry in await Suppression.of(acme)} == {
        one: REASONS[one.rstrip("2")] for one in names if not one.startswith("soft")
    }
    assert await Suppression.of(rival).count() == 0


async def test_the_strongest_of_several_reasons_stays(acme: Organization) -> None:
    await make_suppression(acme, "known@example.org", reason="manual")
    rows = ["email,reason", *(f"ada@example.org,{why}" for why in ("manual", "soft bounce", "complaint", "bounce", ""))]
    report = await read(acme, "\n".join([*rows, "known@example.org,complaint"]))
    assert (report.added, report.existing, report.soft) == (1, 4, 1)
    assert {entry.email: entry.reason for entry in await Suppression.of(acme)} == {
        "ada@example.org": "complaint",
        "known@example.org": "manual",
    }
    (entry,) = await AuditEntry.of(acme)
    assert entry.details == {"file": "list.csv", "reason": "complaint"}


async def test_a_file_of_several_parts_is_read_whole(acme: Organization) -> None:
    count = 5_000
    text = "".join(f"x{number}@{'sub.' * 12}example.org\n" for number in range(count))
    assert len(text) > PART_BYTES
    report = await read(acme, f"email\n{text}nonsense\n", size=PART_BYTES)
    assert (report.added, report.existing, [one.line for one in report.faults]) == (count, 0, [count + 2])
    assert await Suppression.of(acme).count() == count
    (entry,) = await AuditEntry.of(acme)
    assert (entry.target, entry.details) == (f"{count:,} addresses", {"file": "list.csv", "reason": "import"})


async def test_an_export_is_read_back(acme: Organization, rival: Organization) -> None:
    emails = {"=1+2@example.org", "+49@example.org", "*@example.com", "jürgen@example.org", "-a@example.org"}
    for email in emails:
        await make_suppression(acme, email)
    await make_suppression(rival, "theirs@example.org")
    data = b"".join([part async for part in await export_suppressions(acme, None)])
    assert b'"\'=1+2@example.org","bounce"' in data
    assert b"theirs" not in data
    reasons = {entry.email: entry.reason for entry in await Suppression.of(acme)}
    await Suppression.of(acme).delete()
    assert (await read(acme, data)).added == len(emails)
    assert {entry.email: entry.reason for entry in await Suppression.of(acme)} == reasons
