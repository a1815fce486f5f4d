"""100,000 contacts: what is asked of them comes by an index, and at once."""

import re
from statistics import median
from time import perf_counter

import pytest

from tests.api.conftest import Api
from tests.factories import make_contact, make_segment
from tests.figures import Figures
from tests.queries import look_ups, plan_of
from tests.support.audiences import make_audience
from webapp import db
from webapp.models import Contact, Organization
from webapp.models.contact import ContactStatus
from webapp.models.queries.keyset_search import FEW_COUNTED

MANY = 100_000
SECONDS = 0.1


async def time_of(api: Api, path: str) -> float:
    """Seconds until the answer is there, as they usually are."""
    seconds = []
    for _ in range(11):
        start = perf_counter()
        response = await api.send("GET", path)  # whose body is not held against the document
        await response.get_data()
        seconds.append(perf_counter() - start)
    return median(seconds)


@pytest.mark.soak
@pytest.mark.alone
@pytest.mark.timeout(300)
async def test_pages_of_100_000_contacts_come_within_100_ms(
    api: Api, acme: Organization, rival: Organization, figures: Figures
) -> None:
    segment, ids = await make_audience(acme, MANY)
    await make_audience(rival, MANY // 5)  # newer, and in the way of careless plans
    if db.connection().capabilities.dialect == "postgres":
        await db.fetch("ANALYZE")  # PostgreSQL does so by itself within a minute; SQLite never does
    lists = {"a segment's contacts": f"segment_id={segment.id}", "all contacts": ""}
    for what, query in lists.items():
        for page in (1, MANY // 200, MANY // 100):
            place = f"/v1/contacts?{query}&page_size=100&page={page}"
            _, body = await api.get(place)
            end = MANY - 100 * (page - 1)
            assert [row["id"] for row in body["data"]] == [str(row_id) for row_id in ids[end - 100 : end][::-1]]
            assert body["meta"]["total"] == MANY
            figures(f"seconds for page {page} of {what}", await time_of(api, place), below=SECONDS)
    figures("seconds for one contact", await time_of(api, f"/v1/contacts/{ids[MANY // 2]}"), below=SECONDS)


@pytest.mark.parametrize("status", ["subscribed", "unsubscribed"])
@pytest.mark.parametrize("where", ["/v1/segments/{}/contacts?", "/v1/contacts?segment_id={}&"])
async def test_a_segments_contacts_with_a_status_are_counted_so_far(
    api: Api, acme: Organization, rival: Organization, where: str, status: str
) -> None:
    segment, ids = await make_audience(acme, FEW_COUNTED + 20)
    await make_audience(rival, 10)
    await make_contact(acme, "elsewhere@example.org", status=status)
    other = next(each for each in ContactStatus if each != status)
    await Contact.of(acme).filter(id__in=ids).update(status=status)
    await Contact.of(acme).filter(id__in=ids[::100]).update(status=other)
    members = [str(row_id) for number, row_id in enumerate(ids) if number % 100][::-1]
    path = f"{where.format(segment.id)}status={status}&page_size=10"
    for page, total in ((1, FEW_COUNTED + 10), (2, len(members)), (52, len(members)), (200, len(members))):
        _, body = await api.get(f"{path}&page={page}")
        assert [row["id"] for row in body["data"]] == members[10 * page - 10 : 10 * page], page
        is_more = total < len(members)
        assert body["meta"] == {"page": page, "page_size": 10, "total": total} | (
            {"total_is_at_least": True} if is_more else {}
        )


async def test_lists_and_look_ups_of_contacts_and_segments_use_indexes(api: Api, acme: Organization) -> None:
    contacts = [await make_contact(acme, f"c{number}@example.org") for number in range(5)]
    segment = await make_segment(acme, *contacts)
    within = f"segment_id={segment.id}"
    await api.get("/v1/contacts")  # signs the key in
    for method, path, body in (
        *(("GET", f"/v1/contacts?{query}&page_size=2&page={page}", None)
          for query in ("", "status=subscribed", "q=c", within, f"{within}&status=subscribed", f"{within}&q=c")
          for page in (1, 3)),
        ("GET", f"/v1/contacts/{contacts[0].id}", None),
        ("PATCH", f"/v1/contacts/{contacts[0].id}", {"email": "new@example.org"}),
        ("POST", "/v1/contacts", {"email": "another@example.org"}),
        ("GET", "/v1/segments", None),
        ("GET", f"/v1/segments/{segment.id}", None),
        ("PATCH", f"/v1/segments/{segment.id}", {"name": "x"}),
        ("GET", f"/v1/segments/{segment.id}/contacts", None),
        ("POST", f"/v1/segments/{segment.id}/contacts", {"email": "another@example.org"}),
        ("DELETE", f"/v1/segments/{segment.id}/contacts/{contacts[0].id}", None),
        ("DELETE", f"/v1/contacts/{contacts[1].id}", None),
        ("DELETE", f"/v1/segments/{segment.id}", None),
    ):  # fmt: skip
        with look_ups() as sent:
            status, _ = await api.answer(method, path, json=body)
        assert status in (200, 201)
        assert sent
        for sql, values in sent:
            plan = "\n".join(await plan_of(sql, *values))
            # SQLite scans what a subquery with a limit has found by an index.
            assert not re.search(
                r"^SCAN (?!json_each|CONSTANT|counted|matching|page|[sc]\d)|Seq Scan", plan, re.MULTILINE
            ), (
                sql,
                plan,
            )
            assert re.search("INDEX|FUNCTION SCAN", plan.upper()), (sql, plan)
