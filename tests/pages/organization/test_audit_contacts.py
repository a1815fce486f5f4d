"""The audit log names who changed all contacts that a search finds, and who stopped that."""

from tests.factories import make_campaign, make_segment
from tests.pages.conftest import Visitor
from tests.pages.contacts.test_bulk_changes import LIST, all_of, fill
from webapp.domain.contacts import bulk
from webapp.domain.contacts.search import ROWS_AT_ONCE
from webapp.models import AuditEntry, BulkChange, Organization

ADA = "ada@acme.example"
BERLIN = {"filter": {"and": [{"field": "custom_fields.city", "op": "is", "value": "Berlin"}]}}


async def test_a_change_of_all_contacts_is_told_with_who_started_and_who_stopped_it(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await fill(acme, 2 * ROWS_AT_ONCE)
    await fill(rival, 1)
    gold = await make_segment(acme, name="Gold")
    await all_of(owner, "segment", f"{LIST}&q=berlin77", join=str(gold.id))
    await all_of(owner, "unsubscribe", confirm="7")  # not their number
    page = await all_of(owner, "unsubscribe", confirm="1000")
    change = await BulkChange.of(acme).get(action="unsubscribe")
    await bulk.process_batch(change.id)
    page = await owner.submit(await owner.get(page.path), f"{page.path}/stop")
    await owner.post(f"{page.path}/stop", form={"csrf_token": page.token})  # it has ended
    await all_of(owner, "delete", f"{LIST}&q=berlin888", confirm="1")
    found = await AuditEntry.of(acme).order_by("id")
    assert [(entry.actor, entry.action, entry.target) for entry in found] == [
        (ADA, "contacts.added_to_segment", "Gold"),
        (ADA, "contacts.unsubscribed", "contacts"),
        (ADA, "contacts.change_stopped", "contacts"),
        (ADA, "contacts.deleted", "contacts"),
    ]
    assert [entry.target_id for entry in found[:3]] == [gold.id, change.id, change.id]
    assert [entry.details for entry in found] == [
        {"contacts": 11, "q": "berlin77", **BERLIN},
        {"contacts": 1000, **BERLIN},
        {"change": "unsubscribe", "reached": ROWS_AT_ONCE, "contacts": 1000},
        {"contacts": 1, "q": "berlin888", **BERLIN},
    ]
    shown = await told(owner, "contacts")
    assert shown == [
        ("Deleted contacts", {"contacts 1", "search berlin888", "conditions city is “Berlin”"}),
        ("Stopped changing contacts", {"change unsubscribe", "reached 500", "contacts 1000"}),
        ("Unsubscribed contacts", {"contacts 1000", "conditions city is “Berlin”"}),
        ("Added contacts to segment Gold", {"contacts 11", "search berlin77", "conditions city is “Berlin”"}),
    ]
    assert (await rival_owner.get("/audit?what=contacts")).rows == []


async def test_conditions_are_told_in_words_and_with_names(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    gold, theirs = await make_segment(acme, name="Gold"), await make_segment(rival, name="Secret")
    spring = await make_campaign(acme, title="Spring")
    typed = f"field-0=campaign&op-0=got&value-0={spring.id}&field-1=created_at&op-1=in_last_days&value-1=1000&match=or"
    words = "conditions received campaign “Spring” or Date added is in the last 1,000 days"
    assert (await owner.get(f"/contacts/export.csv?segment_id={gold.id}&{typed}")).status == 200
    assert (await owner.get(f"/mail-logs/export.csv?campaign_id={spring.id}")).status == 200
    assert (await rival_owner.get(f"/contacts/export.csv?segment_id={theirs.id}")).status == 200
    assert await told(owner, "data") == [
        ("Exported mail logs", {"campaign Spring"}),
        ("Exported contacts", {"segment Gold", words}),
    ]
    assert await told(rival_owner, "data") == [("Exported contacts", {"segment Secret"})]


async def told(visitor: Visitor, what: str) -> list[tuple[str, set[str]]]:
    """What was done, and its details, whose order PostgreSQL does not keep."""
    cells = (await visitor.get(f"/audit?what={what}")).soup.select("tbody .cell-title")
    details = [{" ".join(one.get_text(" ").split()) for one in cell.select("li")} for cell in cells]
    titles = [" ".join(cell.get_text(" ").partition("\n")[0].split()) for cell in cells]
    return list(zip(titles, details, strict=True))
