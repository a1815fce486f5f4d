"""POST /v1/contacts/{id}/erase."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from quart import Quart

from tests.api.conftest import NOT_FOUND, Api, make_api
from tests.factories import make_account, make_import, make_mail, make_org, make_run, make_suppression, make_webhook
from tests.fakes.worker import eventually
from tests.locks import holding, somebody_waits
from tests.plans import use_plans
from tests.support.dump import dumped
from tests.support.loop_stalls import watched_loop
from webapp import clock
from webapp.config import Settings
from webapp.domain.personal_data.erase import process_batch, process_pending
from webapp.domain.plans import limits
from webapp.domain.roles import Role
from webapp.models import (
    ApiRequestDetails,
    CampaignRun,
    Contact,
    Email,
    ImportChunk,
    MailHit,
    MailLog,
    Organization,
    SandboxMail,
    Tombstone,
)
from webapp.models.base.org_model import AT_ONCE
from webapp.models.suppression import address_digest
from webapp.models.usage import Metric

ADA, BOB = "Ada@example.org", "bob@example.org"
NAMING = {
    *("contacts", "events", "suppressions", "mail_logs", "emails", "mail_hits", "sandbox_mails"),
    *("api_request_details", "audit_entries"),
}
LONGEST_STALL = 0.2  # seconds of processor time
NAMED = {"email": ADA, "first_name": "Zebedea", "custom_fields": {"secret": "quokka"}}


@pytest.fixture
async def ada(api: Api) -> str:
    return str((await api.create("/v1/contacts", NAMED))["id"])


async def erase(api: Api, key: str) -> None:
    assert await api.post(f"/v1/contacts/{key}/erase") == (200, {"ok": True})


async def finish(app: Quart) -> None:
    """Does what a worker does some seconds later."""
    await app.extensions["request_log"].write()
    await Tombstone.filter(next_at__isnull=False).update(next_at=AT_ONCE)
    await process_pending()


async def send(api: Api, org: Organization, *to: str, **fields: Any) -> str:
    account = await make_account(org)
    body = {"from": account.from_email, "to": list(to), "subject": "Hi", "html": "<p>Dear quokka</p>", "text": "quokka"}
    status, made = await api.post("/v1/emails", body | fields)
    assert status == 200, made
    return str(made["id"])


async def shown(api: Api, path: str) -> dict[str, Any]:
    status, body = await api.get(path)
    assert status == 200, body
    data: dict[str, Any] = body["data"]
    return data


class TestContact:
    async def test_it_is_gone_and_its_address_is_refused(self, api: Api, ada: str) -> None:
        await erase(api, ada)
        for path in (f"/v1/contacts/{ada}", f"/v1/contacts/{ADA}"):
            assert await api.get(path) == (404, NOT_FOUND)
        assert await api.post(f"/v1/contacts/{ada}/erase") == (404, NOT_FOUND)
        _, refused = await api.post("/v1/contacts", {"email": ADA})
        assert f"erased on {clock.now():%Y-%m-%d}" in refused["details"][0]["message"]

    async def test_strangers_and_editors_erase_no_one(self, api: Api, acme: Organization, ada: str) -> None:
        stranger = await make_api(api.app, await make_org("Others"))
        assert await stranger.post(f"/v1/contacts/{ada}/erase") == (404, NOT_FOUND)
        editor = await make_api(api.app, acme, Role.EDITOR)
        assert (await editor.post(f"/v1/contacts/{ada}/erase"))[0] == 403
        await shown(api, f"/v1/contacts/{ada}")

    async def test_its_suppression_goes_and_others_stay(self, api: Api, acme: Organization, ada: str) -> None:
        await make_suppression(acme, ADA.lower())
        await make_suppression(acme, BOB)
        await erase(api, ada)
        _, left = await api.get("/v1/suppressions")
        assert [entry["email"] for entry in left["data"]] == [BOB]


class TestMail:
    async def test_an_email_to_it_alone_is_empty_and_halted(self, api: Api, acme: Organization, ada: str) -> None:
        email_id = await send(api, acme, ADA)
        await erase(api, ada)
        email = await shown(api, f"/v1/emails/{email_id}")
        assert (email["to"], email["html"], email["text"]) == (["erased"], None, None)
        log = await shown(api, f"/v1/mail-logs/{email_id}")
        assert (log["to_email"], log["status"]) == ("erased", "halted")
        assert log["error"] == f"erased on {clock.now():%Y-%m-%d}"

    async def test_a_shared_email_stays_for_the_others(self, api: Api, acme: Organization, ada: str) -> None:
        email_id = await send(api, acme, ADA, BOB)
        await erase(api, ada)
        email = await shown(api, f"/v1/emails/{email_id}")
        assert (email["to"], email["text"]) == (["erased", BOB], "quokka")
        recipients = [(one["email"], one["status"]) for one in email["recipients"]]
        assert recipients == [("erased", "halted"), (BOB, "pending")]

    async def test_waiting_rows_of_a_run_are_halted_and_counted(self, api: Api, acme: Organization, ada: str) -> None:
        run, (mine, other) = await make_run(acme, [await make_account(acme)], 2)
        await MailLog.filter(id=mine).update(contact_id=ada, to_email="ada.formerly@example.org")
        await erase(api, ada)
        halted, waiting = await MailLog.get(id=mine), await MailLog.get(id=other)
        assert (halted.to_email, halted.status, waiting.status) == ("erased", "halted", "pending")
        assert await MailLog.of_run((await CampaignRun.get(id=run.id)).id).count() == 2

    async def test_a_row_in_flight_is_erased_once_it_is_settled(self, api: Api, acme: Organization, ada: str) -> None:
        row_id = UUID(await send(api, acme, ADA))
        await MailLog.filter(id=row_id).update(status="sending")
        await erase(api, ada)
        await finish(api.app)
        await finish(api.app)
        assert await Tombstone.filter(next_at__isnull=False).count() == 1
        await MailLog.filter(id=row_id).update(status="sent", sent_at=clock.now())
        await finish(api.app)
        assert (await MailLog.get(id=row_id)).to_email == "erased"
        assert await Tombstone.filter(next_at__isnull=False).count() == 0

    async def test_email_that_comes_later_fails(self, api: Api, acme: Organization, ada: str) -> None:
        await erase(api, ada)
        email = await shown(api, f"/v1/emails/{await send(api, acme, ADA, BOB)}")
        assert [(one["status"]) for one in email["recipients"]] == ["failed", "pending"]

    async def test_a_large_source_for_two_is_rewritten_beside_other_work(
        self, api: Api, acme: Organization, ada: str
    ) -> None:
        email_id = await send(api, acme, ADA, BOB)
        await Email.filter(id=email_id).update(source=b"ada@example.orgs\r\n" * 600_000 + b"To: ada@example.org\r\n")
        async with watched_loop() as stalls:
            await erase(api, ada)
        source = bytes((await Email.get(id=email_id)).source or b"")
        assert source.endswith(b"orgs\r\nTo: erased\r\n")
        assert max(stalls) < LONGEST_STALL


class TestEverywhere:
    async def test_an_uploaded_file_that_repeats_the_address_takes_no_time(self, api: Api, acme: Organization) -> None:
        contact, held = await api.create("/v1/contacts", {"email": "a@b.co"}), await make_import(acme)
        await ImportChunk.filter(contact_import_id=held.id).update(data=b"A@b.co\n" * 37_000)
        async with watched_loop() as stalls:
            await erase(api, contact["id"])
        chunk = await ImportChunk.get(contact_import_id=held.id)
        assert bytes(chunk.data) == b"xxxxxx\n" * 37_000
        assert max(stalls) < LONGEST_STALL

    @pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16-le", "utf-16-be"])
    async def test_the_rows_of_an_uploaded_file_are_masked_and_similar_ones_stay(
        self, api: Api, acme: Organization, ada: str, encoding: str
    ) -> None:
        held, others = await make_import(acme, encoding=encoding), "bob@example.org;Jörg\nmada@example.org;Mada\n"
        row = f'"Ada@example.org";Zebedea €\r\n{others}'
        data = f"email;name\n{row}".encode(encoding)
        middle = len(f"email;name\n{row[:8]}".encode(encoding))
        await ImportChunk.filter(contact_import_id=held.id).update(data=data[:middle])
        await ImportChunk.create(contact_import=held, number=1, data=data[middle:])
        await erase(api, ada)
        while await Tombstone.filter(next_at__isnull=False).exists():
            await finish(api.app)
        chunks = await ImportChunk.filter(contact_import_id=held.id).order_by("number")
        euro = "x" * (3 if encoding == "utf-8" else 1)
        masked = f'email;name\n"{"x" * 15}";{"x" * 8}{euro}\r\n{others}'
        assert b"".join(bytes(chunk.data) for chunk in chunks) == masked.encode(encoding)

    async def test_many_erasures_of_an_organization_leave_others_their_turn(
        self, acme: Organization, rival: Organization
    ) -> None:
        a_second_ago = clock.now() - timedelta(seconds=1)
        for number, org in enumerate([*[acme] * 40, rival]):
            fields = {"email": f"p{number}@example.org", "contact_id": uuid4(), "next_at": a_second_ago}
            await Tombstone.create(org=org, digest=str(number), **fields)
        due = await Tombstone.filter(id__in=await Tombstone.due())
        assert len(due) < 40
        assert rival.id in {row.org_id for row in due}

    @pytest.mark.postgres
    async def test_an_erasure_locks_the_plans_counter_before_the_contact(
        self, api: Api, acme: Organization, ada: str, settings: Settings
    ) -> None:
        use_plans(settings, {"enterprise": {"max_contacts": 2}})
        async with holding(lambda: limits.release(acme, Metric.CONTACTS, 0)):
            erasing = asyncio.create_task(erase(api, ada))
            await eventually(somebody_waits)
            await asyncio.wait_for(Contact.filter(id=ada).update(first_name="Ada"), 5)
        await erasing

    async def test_nothing_in_the_database_names_the_person(self, api: Api, acme: Organization, ada: str) -> None:
        await make_webhook(acme, events=["*"])
        await api.patch(f"/v1/contacts/{ADA}", {"last_name": "Quince", "status": "unsubscribed"})
        await api.post("/v1/contacts", NAMED, headers={"Idempotency-Key": "1"})
        await api.post("/v1/suppressions", {"email": ADA})
        row_id = await send(api, acme, ADA, headers={"X-Of": ADA}, reply_to=ADA)
        await MailHit.create(org=acme, mail_log_id=row_id, agent=f"Mail of {ADA}", network="0" * 16)
        await SandboxMail.create(
            org=acme, mail_from="a@acme.example", rcpt_tos=[ADA], subject="Hi", size=1, data=ADA.encode()
        )
        await api.app.extensions["request_log"].write()
        assert {table for table, text in await dumped() if ADA.lower() in text.lower()} >= NAMING
        await erase(api, ADA)  # whose own path is logged
        await finish(api.app)
        texts = await dumped()
        for needle in (ADA.lower(), "zebedea", "quokka", "quince"):
            assert [table for table, text in texts if needle in text.lower()] == []
        assert await ApiRequestDetails.filter(org=acme).count() > 0

    async def test_similar_addresses_stay(self, api: Api, acme: Organization) -> None:
        short = await api.create("/v1/contacts", {"email": "a@example.org"})
        await api.create("/v1/contacts", {"email": "maria@example.org"})
        await api.create("/v1/contacts", {"email": "a@example.org.uk"})
        await erase(api, short["id"])
        await finish(api.app)
        text = "".join(text for table, text in await dumped() if table in ("contacts", "events"))
        assert text.count("maria@example.org") > 1
        assert text.count("a@example.org.uk") > 1


async def test_another_worker_goes_on_after_a_crash(api: Api, acme: Organization) -> None:
    """All that the request committed is the row of the job, as after a kill."""
    account = await make_account(acme)
    for _ in range(3):
        await make_mail(acme, account, *[ADA] * 60)
    digest = address_digest(acme.id, ADA.lower())
    job = await Tombstone.create(org=acme, digest=digest, email=ADA, contact_id=uuid4(), next_at=AT_ONCE)
    await asyncio.gather(*(process_batch(job.id) for _ in range(4)))  # several workers at once
    await finish(api.app)
    await finish(api.app)
    assert {row.to_email for row in await MailLog.of(acme)} == {"erased"}
    await job.refresh_from_db()
    assert (job.email, job.contact_id, job.next_at) == (None, None, None)
