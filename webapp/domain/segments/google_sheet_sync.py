"""Reads segments' sheets hourly and on request, under leases; rows and position are committed together."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

from webapp import clock, db
from webapp.db.errors import is_outage
from webapp.domain.contacts.columns import fault_in_row, guess_columns, row_to_contact
from webapp.domain.contacts.consent_reader import ConsentReader
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.upsert import RowStatus, upsert_batch
from webapp.domain.plans import limits
from webapp.domain.segments.google_sheet import SheetReader, tab_of
from webapp.errors import KeyMissing, NotFound, PlanLimitExceeded, ValidationError
from webapp.models import Account, Contact, Organization, SegmentSheet
from webapp.models.account import ProviderType
from webapp.queue import Job, enqueue
from webapp.sending.google.sheets import SheetRefused, Tab, Trouble
from webapp.sending.http_client import TooLong

log = logging.getLogger(__name__)

LEASE_SECONDS = 120.0  # longer than a batch takes
ROUND_SECONDS = 30.0  # then no further batch is begun, because a job has a minute
TURN_SECONDS = 5.0  # per sheet and round
SHEETS_AT_ONCE = 200
EVERY = timedelta(hours=1)
MIN_RETRY, MAX_RETRY = timedelta(minutes=5), timedelta(hours=6)  # after temporary trouble
ROWS_PER_REQUEST = 4_000  # Google limits requests and response sizes
ROWS_PER_TRANSACTION = 500
MAX_ROWS = 200_000
SAMPLE_ROWS = (200, 4, 0)  # used to guess columns; fewer if they are too long
MAX_REFUSALS = 20
REASON_LENGTH = 200  # characters
ReadRow = Callable[[list[str]], NewContact]
COUNTED = ("rows", "created", "joined", "changed", "refused")


class _Superseded(Exception):
    """The segment now follows another sheet or none."""


async def read_due(seconds: float = ROUND_SECONDS) -> None:
    """Reads due sheets for `seconds`; the others stay due."""
    until = clock.elapsed() + seconds
    for sheet_id in await SegmentSheet.due(SHEETS_AT_ONCE):
        if clock.elapsed() >= until:
            return
        sheet = await SegmentSheet.claim(sheet_id, LEASE_SECONDS)
        if sheet is not None:
            await _read(sheet, until)


async def _read(sheet: SegmentSheet, until: float) -> None:
    try:
        await _SheetSync(sheet, min(until, clock.elapsed() + TURN_SECONDS)).run()
    except SheetRefused as refusal:
        await _record_trouble(sheet, str(refusal), refusal.trouble)
    except PlanLimitExceeded as refusal:
        await _record_trouble(sheet, str(refusal), Trouble.OPERATOR)
    except KeyMissing:  # this worker lacks a key, which its heartbeat reports
        await sheet.save_if_current(next_sync_at=clock.now() + MIN_RETRY, lease_until=None)
    except _Superseded:
        return
    except NotFound:
        log.info("a segment went while its sheet was read", extra={"sheet": str(sheet.id)})
    except Exception as error:
        if is_outage(error):
            raise  # the others would fail too; the lease expires
        log.exception("a sheet could not be read", extra={"sheet": str(sheet.id)})
        await _record_trouble(sheet, "something went wrong on our side", Trouble.AWAY)


async def _record_trouble(sheet: SegmentSheet, words: str, trouble: Trouble) -> None:
    report = dict(sheet.report or {}) | {"trouble": trouble}
    next_at = None
    if trouble.passes:
        tries = int(report.get("tries", 0))
        report["tries"] = tries + 1
        next_at = clock.now() + min(MIN_RETRY * 2 ** min(tries, 10), MAX_RETRY)
    else:
        report.pop("now", None)
    await sheet.save_if_current(last_error=words, report=report, next_sync_at=next_at, lease_until=None)


class _SheetSync:
    def __init__(self, sheet: SegmentSheet, until: float) -> None:
        self._sheet, self._until = sheet, until
        self._report = dict(sheet.report or {})
        fresh = {**dict.fromkeys(COUNTED, 0), "refusals": [], "next_row": 2, "size": ROWS_PER_REQUEST}
        self._now: dict[str, Any] = self._report.get("now") or fresh

    async def run(self) -> None:
        """Reads the sheet to its end or for TURN_SECONDS. Raises SheetRefused, PlanLimitExceeded, NotFound."""
        org = await Organization.get(id=self._sheet.org_id)
        async with db.write_transaction():
            await limits.require(org, "allow_google_sheet_sync")
        account = await Account.of(org).get_or_none(id=self._sheet.account_id, provider_type=ProviderType.GOOGLE)
        if account is None:
            raise SheetRefused("the Google account was deleted; choose another one", Trouble.DENIED)
        async with SheetReader(account) as reader:
            spreadsheet = await reader.describe(self._sheet.spreadsheet_id)
            tab = tab_of(spreadsheet, self._sheet.tab)
            first = await self._first_rows(reader, tab)
            header = first[0] if first else []
            # Takes a second for hundreds of columns.
            mapping = await asyncio.to_thread(guess_columns, header, first[1:])
            if "email" not in mapping.values():
                raise SheetRefused("the first row has no Email column", Trouble.UNREADABLE)
            consent = await asyncio.to_thread(ConsentReader, header, mapping)
            read_row = partial(row_to_contact, mapping=mapping, consent=consent)
            while self._now["next_row"] <= min(tab.rows, MAX_ROWS):
                has_read = await self._read_some(org, reader, tab, read_row)
                if has_read and clock.elapsed() >= self._until:
                    await self._save(lease_until=None)
                    enqueue(Job.READ_SHEETS, self._sheet.id)
                    return
        now = clock.now()
        last = {name: self._now[name] for name in (*COUNTED, "refusals")}
        await self._sheet.save_if_current(
            title=spreadsheet.title[:255],
            report={"last": last, "most": MAX_ROWS if tab.rows > MAX_ROWS else None},
            synced_at=now,
            next_sync_at=now + EVERY,
            lease_until=None,
            last_error=None,
        )

    async def _first_rows(self, reader: SheetReader, tab: Tab) -> list[list[str]]:
        if not tab.rows:
            return []
        for rows in SAMPLE_ROWS:
            with suppress(TooLong):
                return await reader.read(self._sheet.spreadsheet_id, tab, 1, min(tab.rows, 1 + rows))
        raise SheetRefused("the first row is too long", Trouble.UNREADABLE)

    async def _read_some(self, org: Organization, reader: SheetReader, tab: Tab, read_row: ReadRow) -> bool:
        """False if the batch was too long and its size was halved."""
        first = self._now["next_row"]
        last = min(first + self._now["size"] - 1, tab.rows, MAX_ROWS)
        try:
            rows = await reader.read(self._sheet.spreadsheet_id, tab, first, last)
        except TooLong:
            if last > first:
                self._now["size"] = (last - first + 1) // 2
                return False
            rows = []
            self._refuse(first, "the row is too long")
        for start in range(0, len(rows), ROWS_PER_TRANSACTION):
            await self._sheet.renew(LEASE_SECONDS)
            await self._upsert(org, rows[start : start + ROWS_PER_TRANSACTION], first + start, read_row)
        size = self._now["size"]  # grows again after a long row
        self._now |= {"next_row": last + 1, "size": min(size + size // 4 + 1, ROWS_PER_REQUEST)}
        await self._save()
        return True

    async def _upsert(self, org: Organization, rows: list[list[str]], first: int, read_row: ReadRow) -> None:
        contacts = await asyncio.to_thread(self._parse, rows, first, read_row)
        async with db.write_transaction():
            results = await upsert_batch(org, list(contacts.values()), self._sheet.segment_id)
            # Otherwise undoing an import that made the choice before would revert it.
            await Contact.confirm_choices(
                org, [result.contact.id for result in results if result.contact and result.repeated]
            )
            for line, result in zip(contacts, results, strict=True):
                self._now["joined"] += result.has_joined
                if result.status is RowStatus.REFUSED:
                    self._refuse(line, result.reason or "")
                elif result.status is not RowStatus.UNCHANGED:
                    self._now[result.status] += 1
            self._now["next_row"] = first + len(rows)
            await self._save()

    def _parse(self, rows: list[list[str]], first: int, read_row: ReadRow) -> dict[int, NewContact]:
        """The contacts by line; refuses the others."""
        contacts = {}
        for line, cells in enumerate(rows, first):
            if not any(cell.strip() for cell in cells):
                continue
            self._now["rows"] += 1
            try:
                contacts[line] = read_row(cells)
            except ValidationError as fault:
                self._refuse(line, fault_in_row(fault.details[0]))
        return contacts

    def _refuse(self, line: int, reason: str) -> None:
        self._now["refused"] += 1
        if len(self._now["refusals"]) < MAX_REFUSALS:
            self._now["refusals"].append({"row": line, "reason": reason[:REASON_LENGTH]})

    async def _save(self, **changes: Any) -> None:
        if not await self._sheet.save_if_current(report={**self._report, "now": self._now}, **changes):
            raise _Superseded
