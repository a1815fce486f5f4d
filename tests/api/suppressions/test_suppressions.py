"""/v1/suppressions: the addresses and domains that an organization sends nothing to, and how many a plan allows."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import quote
from uuid import uuid4

import pytest

from tests.api.conftest import NOT_FOUND, Api
from tests.factories import make_contact, make_suppression
from tests.plans import use_plans
from webapp.config import Settings
from webapp.domain.auth.owners import set_plan
from webapp.domain.imports.suppression_file import import_suppressions
from webapp.domain.plans.plans import plan_named
from webapp.domain.suppressions import suppressions
from webapp.models import AuditEntry, Contact, Organization, Suppression

PATH = "/v1/suppressions"
MAXIMUM = 5


async def emails_of(api: Api, query: str = "") -> list[str]:
    status, body = await api.get(f"{PATH}{query}")
    assert status == 200, body
    return [entry["email"] for entry in body["data"]]


async def test_an_address_is_suppressed_once(api: Api, rival_api: Api) -> None:
    status, made = await api.post(PATH, {"email": "Ada@Example.org"})
    assert status == 201
    assert made["data"].items() >= {"email": "Ada@example.org", "reason": "manual", "mail_log_id": None}.items()
    assert await api.post(PATH, {"email": "ada@example.org", "reason": "complaint"}) == (200, made)
    assert await api.get(f"{PATH}/{made['data']['id']}") == (200, made)
    assert await emails_of(rival_api) == []
    assert (await rival_api.post(PATH, {"email": "ada@example.org"}))[0] == 201
    assert await emails_of(api) == ["Ada@example.org"]


WRITTEN = [
    ("*@bücher.example", "*@xn--bcher-kva.example"),
    ("**@one.example", "*@one.example"),
    (" \u200b*@three.example ", "*@three.example"),
    ("ada@BÜCHER.example", "ada@xn--bcher-kva.example"),
    ("a.d.a+news@example.org", "a.d.a+news@example.org"),
]


async def test_an_address_is_normalized(api: Api) -> None:
    for given, stored in WRITTEN:
        for spelling, status in ((given, 201), (given.upper(), 200)):
            found, body = await api.post(PATH, {"email": spelling})
            assert (found, body["data"]["email"]) == (status, stored), spelling
        await Suppression.all().delete()


async def test_what_is_no_entry_is_refused(api: Api) -> None:
    patterns = ("*", "*@example", "*.example.org", "a*@example.org", "*@*.example.org")
    for email in (None, "ada", *patterns, "*@example.org\n", "Ada <ada@example.org>"):
        assert await api.refused("POST", PATH, {"email": email}) == "email", email
    assert await api.refused("POST", PATH, {"email": "ada@example.org", "reason": "spam"}) == "reason"
    assert await Suppression.all().count() == 0


async def test_an_entry_is_found_and_removed_by_its_address(api: Api, rival_api: Api) -> None:
    for email in ("a/b//c@example.org", "what?#&=%25@example.org", "*@example.com", "jürgen@bücher.example"):
        _, made = await api.post(PATH, {"email": email})
        place = f"{PATH}/{quote(email.upper(), safe='')}"
        assert (await rival_api.get(place))[0] == (await rival_api.delete(place))[0] == 404
        assert await api.get(place) == (200, made)
        assert await api.delete(place) == (200, {"ok": True})
        assert (await api.get(place))[0] == (await api.delete(place))[0] == 404


async def test_what_names_no_entry_is_not_found(api: Api, acme: Organization, rival: Organization) -> None:
    theirs = await make_suppression(rival, "ada@example.org")
    await make_suppression(acme, "*@example.com")
    for key in (theirs.id, theirs.email, "ada@example.com", "ada", "a%00@example.org"):
        for method in ("GET", "DELETE"):
            assert await api.answer(method, f"{PATH}/{key}") == (404, NOT_FOUND), key
    assert (await api.answer("GET", f"{PATH}/batch"))[0] == 405
    assert await Suppression.all().count() == 2


async def test_the_list_is_searched_by_address(api: Api, acme: Organization, rival: Organization) -> None:
    for email in ("Ada@example.org", "*@xn--bcher-kva.example", "ada+news@example.org"):
        await make_suppression(acme, email)
    await make_suppression(rival, "bob@example.org")
    for query, found in (
        ("ADA", ["ada+news@example.org", "Ada@example.org"]),
        ("*@BÜCHER.example", ["*@xn--bcher-kva.example"]),
        ("%", []),
        ("bob", []),
    ):
        assert await emails_of(api, f"?email={quote(query)}") == found, query


async def test_a_batch_adds_and_removes_at_once(api: Api, acme: Organization, rival: Organization) -> None:
    _, _, other = [await make_suppression(acme, f"{name}@example.org") for name in ("gone", "known", "other")]
    theirs = await make_suppression(rival, "theirs@example.org")
    removed = ["GONE@example.org", str(other.id), str(theirs.id), theirs.email, "nobody@example.org", str(uuid4())]
    status, body = await api.post(
        f"{PATH}/batch",
        {"add": ["a@example.org", "A@example.org", "Known@example.org"], "remove": removed, "reason": "complaint"},
    )
    assert status == 200, body
    found = {kind: [(entry["email"], entry["reason"]) for entry in rows] for kind, rows in body["data"].items()}
    assert found == {
        "added": [("a@example.org", "complaint")],
        "existing": [("known@example.org", "bounce")],
        "removed": [("gone@example.org", "bounce"), ("other@example.org", "bounce")],
    }
    assert sorted(await emails_of(api)) == ["a@example.org", "known@example.org"]
    assert await Suppression.of(rival).count() == 1


async def test_a_batch_of_101_is_refused_whole(api: Api, acme: Organization) -> None:
    kept = await make_suppression(acme, "kept@example.org")
    many = [f"a{number}@example.org" for number in range(101)]
    for body, field in (
        ({"add": many}, "add"),
        ({"add": many[:60], "remove": [*many[60:], kept.email]}, "body"),
        ({"add": ["a@example.org"], "remove": ["A@example.org"]}, "remove.0"),
        ({"add": ["a@example.org", "b"], "remove": [kept.email]}, "add.1"),
        ({"remove": ["a*@example.org"]}, "remove.0"),
    ):
        assert await api.refused("POST", f"{PATH}/batch", body) == field
    assert await emails_of(api) == [kept.email]
    assert (await api.post(f"{PATH}/batch", {"add": many[:99], "remove": [kept.email]}))[0] == 200
    assert await Suppression.of(acme).count() == 99


async def test_the_audit_log_has_what_was_added_and_removed(api: Api, acme: Organization) -> None:
    await api.post(PATH, {"email": "ada@example.org"})
    await api.post(f"{PATH}/batch", {"add": ["b@example.org", "c@example.org"], "remove": ["ada@example.org"]})
    await api.delete(f"{PATH}/b@example.org")
    entries = await AuditEntry.of(acme).order_by("id")
    assert [(entry.action.partition(".")[2], entry.target) for entry in entries[-4:]] == [
        ("added", "ada@example.org"), ("added", "2 addresses"), ("removed", "ada@example.org"), ("removed", "b@example.org"),
    ]  # fmt: skip


@pytest.fixture
async def nearly_full(acme: Organization, settings: Settings) -> Organization:
    """An organization that may add three more."""
    use_plans(settings, {"free": {"max_suppressions": MAXIMUM}})
    await set_plan(acme, "free")
    await suppressions.add(acme, ["gone0@example.org", "gone1@example.org"], "import")
    return acme


@pytest.mark.parametrize(("max_contacts", "maximum"), [(1_000, 10_000), (25_000, 100_000), (None, None)])
def test_a_plan_has_room_for_four_entries_a_contact(
    settings: Settings, max_contacts: int | None, maximum: int | None
) -> None:
    use_plans(settings, {"free": {"max_contacts": max_contacts}})
    assert plan_named("free").max_suppressions == maximum


async def test_people_add_as_many_as_the_plan_has_left(api: Api, rival_api: Api, nearly_full: Organization) -> None:
    adding = [api.post(PATH, {"email": f"new{number}@example.org"}) for number in range(8)]
    assert sorted(status for status, _ in await asyncio.gather(*adding)) == [201] * 3 + [403] * 5
    status, answer = await api.post(PATH, {"email": "one@example.org"})
    assert (status, answer["error"], answer["limit"]) == (403, "PlanLimitExceeded", "max_suppressions")
    assert (answer["max"], answer["current"]) == (MAXIMUM, MAXIMUM)
    assert (await api.post(f"{PATH}/batch", {"add": ["one@example.org"]}))[0] == 403
    assert (await api.post(PATH, {"email": "gone1@example.org"}))[0] == 200
    assert (await rival_api.post(PATH, {"email": "one@example.org"}))[0] == 201
    assert (await api.delete(f"{PATH}/gone1@example.org"))[0] == 200
    assert (await api.post(PATH, {"email": "one@example.org"}))[0] == 201
    assert await Suppression.of(nearly_full).count() == MAXIMUM


async def test_bounces_and_complaints_are_added_beyond_the_plan(api: Api, nearly_full: Organization) -> None:
    bounced = [f"bounced{number}@example.org" for number in range(5)]
    assert len((await suppressions.add(nearly_full, bounced, "bounce")).added) == 5
    assert (await api.post(PATH, {"email": "one@example.org"}))[1]["current"] == MAXIMUM + 2


async def test_an_address_that_is_tried_again_counts_no_more(api: Api, nearly_full: Organization) -> None:
    contact = await make_contact(nearly_full, "back@example.org")
    await Contact.filter(id=contact.id).update(bounced_at=contact.created_at)
    await suppressions.add(nearly_full, [contact.email], "bounce")
    assert (await api.patch(f"/v1/contacts/{contact.id}", {"status": "subscribed"}))[0] == 200
    statuses = [(await api.post(PATH, {"email": f"new{number}@example.org"}))[0] for number in range(4)]
    assert statuses == [201, 201, 201, 403]


async def test_a_file_is_imported_as_far_as_the_plan_allows(nearly_full: Organization) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"gone1@example.org\n" + b"".join(b"new%d@example.org\n" % number for number in range(7))

    report = await import_suppressions(nearly_full, "list.csv", pieces())
    assert (report.added, report.existing, report.refused) == (3, 1, 4)
    assert "allows 5 suppressions" in report.refusal
