"""The totals of lists: what triggers keep is what COUNT(*) finds, whatever was written and in whatever order."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta

import pytest

from tests.api.conftest import Api
from tests.domain.instance.test_retention import make_rows
from tests.factories import make_account, make_contact, make_mail, make_org, make_run
from tests.locks import held
from webapp import db
from webapp.domain.contacts import bulk
from webapp.domain.contacts.contacts import unsubscribe_contacts
from webapp.domain.contacts.deletion import delete_contacts
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.search import ContactFilters, list_contacts
from webapp.domain.contacts.upsert import upsert_batch
from webapp.domain.instance import retention, totals
from webapp.domain.mail_logs.mail_logs import list_mail_logs
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.domain.pagination import Page
from webapp.models import Account, Contact, MailLog, Organization
from webapp.models.contact import BulkAction, ContactStatus
from webapp.models.mail_log import FAILED, HALTED, PENDING, SENT, MailStatus
from webapp.models.outbox import claims, leases, runs
from webapp.models.outbox.emails import halt_email
from webapp.models.outbox.settlements import ENDS, Settlement, settle

ONE = Page(size=1)
LONG_AGO = timedelta(days=10)  # the plan keeps 3
ADDRESSES, STEPS = 60, 20

Counts = dict[str | None, int]


async def listed(org: Organization) -> tuple[Counts, Counts]:
    """The totals of the lists of contacts and of mail logs, by status and of all."""
    contacts, mails = Counts(), Counts()
    for status in (None, *ContactStatus):
        contacts[status] = (await list_contacts(org, ContactFilters(status=status), ONE)).total
    for state in (None, *MailStatus):
        mails[state] = (await list_mail_logs(org, MailLogSearch(status=state), ONE, shows_links=False)).total
    return contacts, mails


async def counted(org: Organization) -> tuple[Counts, Counts]:
    contacts: Counts = {status: await Contact.of(org).filter(status=status).count() for status in ContactStatus}
    mails: Counts = {status: await MailLog.of(org).filter(status=status).count() for status in MailStatus}
    return contacts | {None: await Contact.of(org).count()}, mails | {None: await MailLog.of(org).count()}


async def total(api: Api, path: str) -> int:
    _, body = await api.get(path)
    found: int = body["meta"]["total"]
    return found


class Writer:
    """One organization that does anything, by chance."""

    def __init__(self, org: Organization, account: Account, seed: int) -> None:
        self._org, self._account, self._chance = org, account, random.Random(seed)

    async def begin(self) -> None:
        await self._import()
        await self._mail()

    async def step(self) -> None:
        work: list[Callable[[], Awaitable[object]]] = [
            *(self._import, self._roll_back, self._unsubscribe, self._delete, self._change_all, self._mail, self._run),
            *(self._deliver, self._deliver, self._cancel, self._stop, self._prune, self._reclaim, totals.fold_deltas),
        ]
        await self._chance.choice(work)()

    async def _import(self) -> None:
        rows = [
            NewContact(
                email=f"{self._chance.randrange(ADDRESSES)}@example.org",
                first_name=self._chance.choice(("Ann", "Bea")),
                status=self._chance.choice(list(ContactStatus)),
            )
            for _ in range(self._chance.randrange(1, 20))
        ]
        await upsert_batch(self._org, rows)

    async def _roll_back(self) -> None:
        with suppress(ZeroDivisionError):
            async with db.write_transaction():
                await self.begin()
                raise ZeroDivisionError

    async def _unsubscribe(self) -> None:
        ids = [row.id for row in await Contact.of(self._org)]
        await unsubscribe_contacts(self._org, self._chance.sample(ids, len(ids) // 4))

    async def _delete(self) -> None:
        ids = [row.id for row in await Contact.of(self._org)]
        await delete_contacts(self._org, self._chance.sample(ids, len(ids) // 4))

    async def _change_all(self) -> None:
        action = self._chance.choice((BulkAction.UNSUBSCRIBE, BulkAction.DELETE))
        await bulk.change_all(self._org, ContactFilters(q=str(self._chance.randrange(10))), action)

    async def _mail(self) -> None:
        people = [f"{number}@example.org" for number in range(self._chance.randrange(1, 5))]
        await make_mail(self._org, self._account, *people)

    async def _run(self) -> None:
        run, _ = await make_run(self._org, [self._account], self._chance.randrange(9))
        await runs.halt_runs("no", id=run.id) if self._chance.random() < 1 / 4 else None

    async def _deliver(self) -> None:
        claimed = await claims.claim(self._account.id, messages=self._chance.randrange(1, 9), lease_seconds=60)
        ends = [SENT] if self._chance.random() < 1 / 2 else sorted(ENDS)
        if claimed:
            await settle([Settlement(row, self._chance.choice(ends)) for row in claimed])

    async def _cancel(self) -> None:
        if (row := await MailLog.of(self._org).filter(email_id__isnull=False, status=PENDING).first()) and row.email_id:
            await halt_email(row.email_id, "no")

    async def _stop(self) -> None:
        if (row := await MailLog.of(self._org).filter(campaign_run_id__isnull=False).first()) and row.campaign_run_id:
            await runs.halt_runs("no", id=row.campaign_run_id)
            await runs.halt_rows(row.campaign_run_id)

    async def _prune(self) -> None:
        await make_rows(self._org, LONG_AGO, (SENT, FAILED, HALTED))
        await retention.prune()

    async def _reclaim(self) -> None:
        await claims.claim(self._account.id, messages=2, lease_seconds=0)
        await leases.reclaim(0)


async def test_every_total_is_what_a_count_finds_after_writes_of_all_kinds_at_once(database: str) -> None:
    orgs = [await make_org(name, plan="free") for name in ("Acme", "Rival")]
    writers = [Writer(org, await make_account(org), number) for number, org in enumerate(orgs)]
    await asyncio.gather(*(writer.begin() for writer in writers))
    assert all(numbers[None] for found in [await counted(org) for org in orgs] for numbers in found)
    for _ in range(STEPS):
        await asyncio.gather(*(writer.step() for writer in writers))
        for org in orgs:
            assert await listed(org) == await counted(org)


async def test_a_caller_reads_the_total_of_what_it_has_just_written(
    api: Api, rival_api: Api, acme: Organization, rival: Organization
) -> None:
    await make_contact(rival)
    for number in range(1, 4):
        _, made = await api.post("/v1/contacts", {"email": f"{number}@example.org"})
        assert await total(api, "/v1/contacts?page_size=1") == number
    path = f"/v1/contacts/{made['data']['id']}"
    await api.patch(path, {"status": "unsubscribed"})
    assert [await total(api, f"/v1/contacts?status={status}") for status in ContactStatus] == [2, 1]
    await api.delete(path)
    assert await total(api, "/v1/contacts") == 2
    await make_mail(acme, await make_account(acme), "a@example.org", "b@example.org")
    assert await total(api, "/v1/mail-logs?status=pending") == 2
    assert [await total(rival_api, f"/v1/{noun}") for noun in ("contacts", "mail-logs")] == [1, 0]


@pytest.mark.postgres
async def test_a_wrong_total_is_mended_and_logged_while_rows_come_and_go(
    acme: Organization, rival: Organization, caplog: pytest.LogCaptureFixture
) -> None:
    writer = Writer(acme, await make_account(acme), 1)
    for org in (acme, rival):
        await make_contact(org)
        await make_mail(org, await make_account(org))
    await totals.fold_deltas()
    await db.fetch("UPDATE row_totals SET number = number + 5 WHERE table_name = 'contacts'")
    await db.fetch("DELETE FROM row_totals WHERE org_id = $1 AND table_name = 'mail_logs'", acme.id)
    assert [(await listed(org))[0][None] for org in (acme, rival)] == [6, 6]
    with caplog.at_level(logging.WARNING):
        await asyncio.gather(*(writer.step() for _ in range(20)), totals.recount(), totals.recount())
    assert [await listed(org) for org in (acme, rival)] == [await counted(org) for org in (acme, rival)]
    logged = {(line.getMessage(), vars(line)["org"]) for line in caplog.records if line.name == totals.__name__}
    assert logged == {
        ("1 is added to the total of pending rows of mail_logs, which was wrong", str(acme.id)),
        ("-5 is added to the total of subscribed rows of contacts, which was wrong", str(acme.id)),
        ("-5 is added to the total of subscribed rows of contacts, which was wrong", str(rival.id)),
    }
    caplog.clear()
    assert await totals.recount()
    assert [line for line in caplog.records if line.name == totals.__name__] == []


@pytest.mark.postgres
async def test_a_delivery_waits_neither_for_a_total_nor_for_its_organization(acme: Organization) -> None:
    account = await make_account(acme)
    await make_mail(acme, account)
    await totals.fold_deltas()
    async with (
        asyncio.timeout(5),
        held("SELECT id FROM row_totals FOR UPDATE"),
        held("SELECT id FROM organizations WHERE id = $1 FOR UPDATE", acme.id),
    ):
        (claimed,) = await claims.claim(account.id, messages=1, lease_seconds=60)
        await settle([Settlement(claimed, SENT)])
        assert await listed(acme) == await counted(acme)
