"""/v1/contacts."""

import asyncio
from typing import Any

import pytest

from tests.api.conftest import NOT_FOUND, Api
from tests.factories import make_contact, make_run, make_segment
from tests.plans import use_plans
from webapp import clock
from webapp.config import Settings
from webapp.domain.auth.owners import set_plan
from webapp.models import Contact, MailLog, Organization, OrgUsage, SegmentContact

ADA = {
    "email": "Ada@Example.ORG",
    "first_name": "Ada",
    "last_name": "Lovelace",
    "phone": "+44 20 7946 0000",
    "language": "EN_gb",
    "custom_fields": {"company": "Analytical Engines", "seats": 3, "share": 0.5, "vip": True, "until": None},
}
FIELDS = [
    "id", "email", "first_name", "last_name", "phone", "custom_fields", "status", "unsubscribed_at", "bounced_at",
    "last_active_at", "do_not_track", "language", "paused_until",
    "created_at", "updated_at",
]  # fmt: skip
ABSENT = (404, NOT_FOUND)
TAKEN = "another contact already uses this email address"


async def make(api: Api, **fields: Any) -> dict[str, Any]:
    return await api.create("/v1/contacts", ADA | fields)


async def emails(api: Api, query: str = "") -> list[str]:
    status, body = await api.get(f"/v1/contacts?{query}")
    assert status == 200, body
    return [contact["email"] for contact in body["data"]]


class TestCreate:
    """POST /v1/contacts."""

    async def test_a_contact_is_made_subscribed_with_every_field_of_the_contract(self, api: Api) -> None:
        made = await make(api)
        assert list(made) == FIELDS
        expected = ADA | {
            "email": "Ada@example.org",
            "language": "en-GB",
            "status": "subscribed",
            "do_not_track": False,
            "paused_until": None,
        }
        assert made.items() >= expected.items()
        assert (made["unsubscribed_at"], made["bounced_at"]) == (None, None)
        assert made["created_at"] <= made["updated_at"]  # the clock is read for each
        assert (await api.get(f"/v1/contacts/{made['id']}"))[1] == {"data": made}

    async def test_a_bad_field_is_named_and_nothing_is_kept(self, api: Api) -> None:
        made = await make(api, email="known@example.org")
        bad: dict[str, list[Any]] = {
            "email": [None, 7, "nobody", "Ada <ada@example.org>", "ada@example.org\r\nBcc: x@example.org"],
            "first_name": ["x" * 201],
            "last_name": ["a\nb"],
            "phone": ["1" * 65],
            "status": ["bounced"],
            "language": [7, "xx-🦊", "german", "de_", "e" * 36],
            "paused_until": ["soon", 7],
            "custom_fields": ["x", {"a": [1]}, {"a": {"b": 1}}, {"a\nb": 1}, {"x" * 101: 1}],
        }
        for field, value in ((field, value) for field, values in bad.items() for value in values):
            for status, body in (
                await api.post("/v1/contacts", ADA | {field: value}),
                await api.patch(f"/v1/contacts/{made['id']}", {"last_name": "King", field: value}),
            ):
                assert (status, body["error"], body["details"][0]["field"]) == (400, "ValidationError", field), value
                assert body["message"].startswith(f"{field} ")
        assert (await api.get("/v1/contacts"))[1]["data"] == [made]

    async def test_custom_fields_hold_16_kib_at_most(self, api: Api) -> None:
        room = 16 * 1024 - len('{"a":""}')
        assert len((await make(api, custom_fields={"a": "x" * room}))["custom_fields"]["a"]) == room
        for text in ("x" * (room + 1), "ä" * (room // 2 + 1)):
            status, body = await api.post("/v1/contacts", {"email": "b@example.org", "custom_fields": {"a": text}})
            assert (status, body["message"]) == (400, "custom_fields must be at most 16 KiB as JSON")

    async def test_custom_fields_come_back_as_they_were_given(self, api: Api) -> None:
        text = 'a "b" \\ \u2028 \U0001f600 ä\n<b>'
        fields = {"text": text, "int": 2**63 - 1, "large": 1e300, "no": False, "$[*]": None}
        made = await make(api, custom_fields=fields)
        _, body = await api.get(f"/v1/contacts/{made['id']}")
        for name, value in fields.items():  # in any order
            assert repr(made["custom_fields"][name]) == repr(body["data"]["custom_fields"][name]) == repr(value)


class TestUnique:
    """An address belongs to one contact of the organization, whatever its case."""

    async def test_a_known_address_is_refused_in_any_case(self, api: Api, rival_api: Api) -> None:
        made = await make(api, email="ada@bücher.example")
        assert made["email"] == "ada@xn--bcher-kva.example"
        for email in ("ADA@BÜCHER.example", " Ada@xn--bcher-kva.EXAMPLE "):
            status, body = await api.post("/v1/contacts", {"email": email})
            assert (status, body["message"], body["details"]) == (400, TAKEN, [{"field": "email", "message": TAKEN}])
            assert body["contact_id"] == made["id"]
        assert (await make(rival_api, email="ada@bücher.example"))["id"] != made["id"]

    async def test_a_contact_keeps_its_own_address(self, api: Api) -> None:
        path = f"/v1/contacts/{(await make(api))['id']}"
        assert (await api.patch(path, {"email": "ADA@example.org"}))[1]["data"]["email"] == "ADA@example.org"
        other = await make(api, email="b@example.org")
        status, body = await api.patch(f"/v1/contacts/{other['id']}", {"email": "ada@EXAMPLE.org"})
        assert (status, body["message"]) == (400, TAKEN)


class TestAddresses:
    """/v1/contacts/{address}."""

    @pytest.mark.parametrize(
        ("email", "path"),
        [
            ("Ada@Example.org", "ADA@example.ORG"),
            ("50%off/a+b@example.org", "50%25off%2Fa%2Bb@example.org"),
            ("a/b@example.org", "a/b@example.org"),
            ("ada@bücher.example", "ada@B%C3%9CCHER.example"),
            ("ada@bücher.example", "ada@xn--bcher-kva.example"),
            ("ada@example.org", "%20ada@example.org%20"),
        ],
    )
    async def test_a_contact_is_read_changed_and_deleted_by_its_address(
        self, api: Api, rival_api: Api, email: str, path: str
    ) -> None:
        made, theirs = await make(api, email=email), await make(rival_api, email=email)
        path = f"/v1/contacts/{path}"
        assert await api.get(path) == (200, {"data": made})
        assert (await api.patch(path, {"first_name": "Augusta"}))[1]["data"]["first_name"] == "Augusta"
        assert await api.delete(path) == (200, {"ok": True})
        for method in ("GET", "PATCH", "DELETE"):
            assert await api.answer(method, path) == ABSENT
        assert await rival_api.get(f"/v1/contacts/{theirs['id']}") == (200, {"data": theirs})

    @pytest.mark.parametrize("path", ["@", "a%20b@example.org", "a@b@example.org", "%00@example.org", "ada@"])
    async def test_a_text_that_is_no_address_is_absent(self, api: Api, path: str) -> None:
        await make(api)
        assert await api.get(f"/v1/contacts/{path}") == ABSENT


class TestChange:
    """PATCH /v1/contacts/{id}."""

    async def test_what_is_left_out_stays(self, api: Api) -> None:
        made = await make(api)
        for change in ({}, {"first_name": "Augusta"}, {"email": "augusta@example.org"}, {"unknown": 1}):
            status, body = await api.patch(f"/v1/contacts/{made['id']}", change)
            made |= {name: value for name, value in change.items() if name in made}
            assert (status, body["data"] | {"updated_at": 0}) == (200, made | {"updated_at": 0})
        assert body["data"]["updated_at"] > body["data"]["created_at"]
        assert (await api.get(f"/v1/contacts/{made['id']}"))[1]["data"] == body["data"]

    async def test_null_removes_a_name_and_custom_fields_are_replaced_whole(self, api: Api) -> None:
        made = await make(api)
        path = f"/v1/contacts/{made['id']}"
        status, body = await api.patch(path, {"first_name": None, "phone": "", "custom_fields": {"seats": 4}})
        assert (status, body["data"]["first_name"], body["data"]["phone"]) == (200, None, None)
        assert (body["data"]["last_name"], body["data"]["custom_fields"]) == ("Lovelace", {"seats": 4})
        assert (await api.patch(path, {"custom_fields": None}))[1]["data"]["custom_fields"] == {}

    async def test_changes_at_once_of_different_fields_all_stay(self, api: Api) -> None:
        path = f"/v1/contacts/{(await make(api))['id']}"
        changes = {"first_name": "A", "last_name": "B", "phone": "1", "status": "unsubscribed", "email": "c@b.example"}
        await asyncio.gather(*(api.patch(path, {name: value}) for name, value in changes.items()))
        assert (await api.get(path))[1]["data"].items() >= changes.items()
        assert await emails(api, "q=a+b") == ["c@b.example"]


class TestStatus:
    """The specification's "Contact status"."""

    async def test_unsubscribing_notes_when_and_subscribing_forgets_it(self, api: Api) -> None:
        path = f"/v1/contacts/{(await make(api))['id']}"
        _, body = await api.patch(path, {"status": "unsubscribed"})
        since = body["data"]["unsubscribed_at"]
        assert (body["data"]["status"], since.endswith("Z")) == ("unsubscribed", True)
        _, body = await api.patch(path, {"status": "unsubscribed", "first_name": "A"})
        assert body["data"]["unsubscribed_at"] == since
        _, body = await api.patch(path, {"status": "subscribed"})
        assert (body["data"]["status"], body["data"]["unsubscribed_at"]) == ("subscribed", None)

    async def test_only_subscribing_forgets_a_bounce(self, api: Api) -> None:
        path = f"/v1/contacts/{(await make(api))['id']}"
        await Contact.all().update(bounced_at=clock.now())
        for status, is_bounced in (("unsubscribed", True), ("subscribed", False)):
            _, body = await api.patch(path, {"status": status})
            assert (body["data"]["bounced_at"] is not None) == is_bounced


class TestDelete:
    """DELETE /v1/contacts/{id}."""

    async def test_a_deleted_contact_leaves_its_segments_and_its_mail_logs_stay(
        self, api: Api, acme: Organization
    ) -> None:
        gone, stays = await make_contact(acme), await make_contact(acme)
        segment, (_, (row_id,)) = await make_segment(acme, gone, stays), await make_run(acme, [], 1)
        await MailLog.filter(id=row_id).update(contact_id=gone.id)
        assert await api.delete(f"/v1/contacts/{gone.id}") == (200, {"ok": True})
        assert (await api.get(f"/v1/segments/{segment.id}"))[1]["data"]["contact_count"] == 1
        assert [row.contact_id for row in await SegmentContact.all()] == [stays.id]
        assert (await MailLog.get(id=row_id)).contact_id == gone.id
        for method in ("GET", "PATCH", "DELETE"):
            assert await api.answer(method, f"/v1/contacts/{gone.id}", json={}) == ABSENT


class TestSearch:
    """GET /v1/contacts with `q`, `status` and `segment_id`."""

    @pytest.fixture
    async def people(self, api: Api) -> None:
        await make(api, email="ada@example.org", first_name="Ada", last_name="Lovelace", phone="+44 20 7946")
        await make(api, email="ann_b@example.org", first_name="Ann", last_name="Weiß", phone=None, custom_fields={})
        await make(
            api, email="zoe@sales.example", first_name="Zoë", last_name="100%", phone="555", status="unsubscribed"
        )

    async def test_a_bad_value_of_the_query_is_named(self, api: Api) -> None:
        for query in ("status=bounced", "q=%00", f"q={'x' * 201}"):
            status, body = await api.get(f"/v1/contacts?{query}")
            field = query.partition("=")[0]
            assert (status, body["error"], body["details"][0]["field"]) == (400, "ValidationError", field), query

    async def test_q_finds_text_in_address_names_and_phone(self, api: Api, people: None) -> None:
        for q, found in (
            ("", ["zoe", "ann_b", "ada"]),
            ("EXAMPLE.ORG", ["ann_b", "ada"]),
            ("ADA+LOVE", ["ada"]),
            ("%2B44", ["ada"]),
            ("zoe%CC%88", ["zoe"]),
            ("WEISS", ["ann_b"]),
            ("_", ["ann_b"]),
            ("0%25", ["zoe"]),
            ("a%25a", []),
            ("%5C", []),
        ):
            assert [email.partition("@")[0] for email in await emails(api, f"q={q}")] == found, q

    async def test_filters_combine(self, api: Api, people: None, acme: Organization) -> None:
        rows = {row.first_name: row for row in await Contact.all()}
        segment = await make_segment(acme, rows["Ada"], rows["Zoë"])
        for query, found in (
            ("status=subscribed", ["ann_b", "ada"]),
            ("status=unsubscribed&q=ann", []),
            (f"segment_id={segment.id}", ["zoe", "ada"]),
            (f"segment_id={segment.id}&status=subscribed&q=example", ["ada"]),
        ):
            status, body = await api.get(f"/v1/contacts?{query}")
            assert [row["email"].partition("@")[0] for row in body["data"]] == found, query
            assert (status, body["meta"]["total"]) == (200, len(found))
            own, _, others = query.partition(f"segment_id={segment.id}")
            if not own:
                assert await api.get(f"/v1/segments/{segment.id}/contacts?{others.removeprefix('&')}") == (status, body)


@pytest.mark.parametrize("where", ["/v1/contacts", "/v1/segments/{segment_id}/contacts"])
async def test_new_addresses_alone_count_towards_the_plan_by_either_route(
    api: Api, acme: Organization, settings: Settings, where: str
) -> None:
    use_plans(settings, {"free": {"max_contacts": 2}})
    await set_plan(acme, "free")
    path = where.format(segment_id=(await make_segment(acme)).id)
    first = await asyncio.gather(*(api.post(path, {"email": "a@b.example"}) for _ in range(8)))
    assert {status for status, _ in first} <= {200, 201, 400}
    assert (await OrgUsage.get(metric="max_contacts")).used == 1
    answers = await asyncio.gather(*(api.post(path, {"email": f"new{number}@b.example"}) for number in range(3)))
    assert sorted(status for status, _ in answers)[1:] == [403, 403]
