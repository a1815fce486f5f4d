"""Suppressions from files, as people have them."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.factories import make_suppression
from tests.support.table import table
from webapp.domain.imports.csv_reader import Unreadable
from webapp.domain.suppressions.csv_import import FAULTS_KEPT, MAX_BYTES, PART_BYTES, ImportReport, import_suppressions
from webapp.domain.suppressions.export import export_suppressions
from webapp.errors import PayloadTooLarge
from webapp.models import AuditEntry, Organization, Suppression

LINES = 100_000


async def pieces(data: bytes, size: int = 10_000) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def read(org: Organization, data: str | bytes, **how: Any) -> ImportReport:
    return await import_suppressions(org, "list.csv", pieces(data.encode() if isinstance(data, str) else data, **how))


async def emails_of(org: Organization) -> set[str]:
    return {entry.email for entry in await Suppression.of(org)}


FILES = {
    "a table": "name,Email,why\nAda,ada@example.org,spam\nBob,*@example.com,\n",
    "a table in German": "Vorname;E-Mail-Adresse\nAda;ada@example.org\nBob;*@example.com\n",
    "a column without a name": "Ada,ada@example.org\nBob,*@example.com\n",
    "an address a line": "ada@example.org\n*@example.com\n",
    "no end of the last line": "ada@example.org\r\n\r\n*@example.com",
    "a mark": "\ufeffemail\nada@example.org\n*@example.com\n",
    "a stated delimiter": "sep=;\nemail;x\nada@example.org;1\n*@example.com;2\n",
    "quotes and spaces": 'email\n" ada@example.org "\n"*@EXAMPLE.com"\n',
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
async def test_a_file_is_read(acme: Organization, rival: Organization, text: str) -> None:
    assert await read(acme, text) == ImportReport(added=2)
    assert await emails_of(acme) == {"ada@example.org", "*@example.com"}
    assert {entry.reason for entry in await Suppression.of(acme)} == {"import"}
    assert await read(acme, text) == ImportReport(existing=2)
    assert await Suppression.of(rival).count() == 0


async def test_other_encodings_are_read(acme: Organization) -> None:
    await read(acme, "email\njürgen@bücher.example\n".encode("utf-16"))
    await read(acme, "email,stadt\nada@example.org,Köln\nbob@example.org,Düren\n".encode("cp1252"))
    assert await emails_of(acme) == {"jürgen@xn--bcher-kva.example", "ada@example.org", "bob@example.org"}


async def test_a_report_says_which_rows_were_not_read(acme: Organization, rival: Organization) -> None:
    await make_suppression(acme, "known@example.org")
    await make_suppression(rival, "new@example.org")
    rows = ["name,email", "a,Known@example.org", "b,nonsense", "", "c,", "d,new@example.org", "e,NEW@example.org", "f"]
    report = await read(acme, "\n".join([*rows, 'g,"ada@example.org\n"', "h,ada@example.org"]))
    assert (report.added, report.existing, report.invalid) == (2, 3, 3)
    assert [(one.line, one.text) for one in report.faults] == [(3, "nonsense"), (5, ""), (8, "")]
    assert all(one.reason.startswith("is not an email address") for one in report.faults)
    assert await emails_of(acme) == {"known@example.org", "new@example.org", "ada@example.org"}


async def test_faults_are_counted_beyond_those_that_are_named(acme: Organization) -> None:
    report = await read(acme, "email\n" + "nonsense\n" * (FAULTS_KEPT + 5))
    assert (report.added, report.invalid, len(report.faults)) == (0, FAULTS_KEPT + 5, FAULTS_KEPT)


@table(
    ("data", "words"),
    [
        (b"", "the file has no rows"),
        (b"\n\n", "the file has no rows"),
        (b"name,phone\nAda,1\n", "the file has no email column"),
        (b"PK\x03\x04sheet", "this looks like an Excel or ZIP file"),
    ],
)
async def test_what_is_no_list_is_refused(acme: Organization, data: bytes, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        await read(acme, data)
    assert await Suppression.all().count() == 0
    assert await AuditEntry.all().count() == 0


async def test_a_file_that_is_too_large_adds_nothing(acme: Organization) -> None:
    with pytest.raises(PayloadTooLarge, match="larger than 10 MB"):
        await read(acme, b"ada@example.org\n" * (MAX_BYTES // 16 + 1), size=PART_BYTES)
    assert await Suppression.all().count() == 0


async def test_a_hundred_thousand_lines_are_read(acme: Organization, rival: Organization) -> None:
    text = "".join(f"x{number}@example.org\n" for number in range(LINES))
    report = await read(acme, f"email\n{text}nonsense\n", size=PART_BYTES)
    assert (report.added, report.existing, report.invalid) == (LINES, 0, 1)
    assert [one.line for one in report.faults] == [LINES + 2]
    assert await Suppression.of(acme).count() == LINES
    assert await Suppression.of(rival).count() == 0
    (entry,) = await AuditEntry.of(acme)
    assert (entry.target, entry.details) == ("100,000 addresses", {"file": "list.csv", "reason": "import"})


async def test_an_export_is_read_back(acme: Organization, rival: Organization) -> None:
    emails = {"=1+2@example.org", "+49@example.org", "*@example.com", "jürgen@example.org", "-a@example.org"}
    for email in emails:
        await make_suppression(acme, email)
    await make_suppression(rival, "theirs@example.org")
    data = b"".join([part async for part in await export_suppressions(acme, None)])
    assert b'"\'=1+2@example.org","bounce"' in data
    assert b"theirs" not in data
    await Suppression.of(acme).delete()
    assert (await read(acme, data)).added == len(emails)
    assert await emails_of(acme) == emails
