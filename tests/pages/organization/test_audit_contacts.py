"""The audit log names who changed all contacts that a search finds, and who stopped that."""

from tests.factories import make_segment
from tests.pages.conftest import Visitor
from tests.pages.contacts.test_bulk_changes import LIST, all_of, fill
from webapp.domain.contacts import bulk
from webapp.domain.contacts.search import ROWS_AT_ONCE
from webapp.models import AuditEntry, BulkChange, Organization

ADA = "ada@acme.example"


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
    assert [{name: value for name, value in entry.details.items() if name != "filter"} for entry in found] == [
        {"contacts": 11, "q": "berlin77"},
        {"contacts": 1000},
        {"change": "unsubscribe", "reached": ROWS_AT_ONCE, "contacts": 1000},
        {"contacts": 1, "q": "berlin888"},
    ]
    shown = [
        (title, {one for one in details if "Berlin" not in one}) for title, details in await told(owner, "contacts")
    ]
    assert shown == [
        ("Deleted contacts", {"contacts 1", "search berlin888"}),
        ("Stopped changing contacts", {"change unsubscribe", "reached 500", "contacts 1000"}),
        ("Unsubscribed contacts", {"contacts 1000"}),
        ("Added contacts to segment Gold", {"contacts 11", "search berlin77"}),
    ]
    assert (await rival_owner.get("/audit?what=contacts")).rows == []


async def told(visitor: Visitor, what: str) -> list[tuple[str, set[str]]]:
    """What was done, and its details, whose order PostgreSQL does not keep."""
    cells = (await visitor.get(f"/audit?what={what}")).soup.select("tbody .cell-title")
    details = [{" ".join(one.get_text(" ").split()) for one in cell.select("li")} for cell in cells]
    titles = [" ".join(cell.get_text(" ").partition("\n")[0].split()) for cell in cells]
    return list(zip(titles, details, strict=True))
