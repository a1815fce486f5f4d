"""/v1/forms: sign-up forms."""

import asyncio
from typing import Any

import pytest
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.factories import make_account, make_form, make_segment, make_topic
from webapp.config import Settings
from webapp.domain.roles import Role
from webapp.models import Account, AuditEntry, CustomField, Organization, SignUpForm

PATH = "/v1/forms"
NEW = {"name": "Newsletter"}
CONFIRM = "Please confirm: {{ confirm_url }}"
CITY = {"key": "city", "label": "City", "kind": "choice", "required": True, "options": ["Berlin", "Rome"]}


@pytest.fixture(autouse=True)
async def account(acme: Organization) -> str:
    return str((await make_account(acme)).id)


async def test_a_form_has_defaults(api: Api, settings: Settings) -> None:
    form = await api.create(PATH, NEW)
    assert form.pop("url") == f"{settings.base_url}/f/{form['key']}"
    assert len(form.pop("key")) == 22
    for name in ("id", "created_at", "updated_at"):
        assert form.pop(name)
    assert form == {
        **dict.fromkeys(("consent_text", "account_id", "subject", "body", "language")),
        **dict.fromkeys(("redirect_after_submit", "redirect_after_confirm")),
        **{name: [] for name in ("segment_ids", "topic_ids", "fields", "allowed_origins")},
        "name": "Newsletter",
        "is_open": True,
        "version": 1,
        "double_opt_in": True,
        "confirm_by": "button",
        "counts": {"submitted": 0, "mailed": 0, "opened": 0, "confirmed": 0, "expired": 0},
    }


async def test_every_field_is_saved(api: Api, acme: Organization, account: str) -> None:
    body = {
        "name": "News",
        "is_open": False,
        "segment_ids": [str((await make_segment(acme)).id)],
        "topic_ids": [str((await make_topic(acme)).id)],
        "fields": [{**CITY}, {"key": "phone", "label": "Mobile", "kind": "text", "required": False, "options": []}],
        "consent_text": "I want it.",
        "double_opt_in": True,
        "confirm_by": "click",
        "account_id": account,
        "subject": "{{ form_name }} of {{ organization_name }}",
        "body": CONFIRM,
        "redirect_after_submit": "https://example.com/thanks",
        "redirect_after_confirm": "https://example.com/welcome?by=form",
        "allowed_origins": ["https://example.com", "http://localhost:3000"],
        "language": "pt-BR",
    }
    form = await api.create(PATH, body)
    assert {name: form[name] for name in body} == body
    assert await api.get(f"{PATH}/{form['id']}") == (200, {"data": form})
    emptied = dict.fromkeys(("consent_text", "account_id", "subject", "body", "language"))
    status, answer = await api.patch(f"{PATH}/{form['id']}", emptied)
    assert (status, {name: answer["data"][name] for name in body}) == (200, body | emptied)


@pytest.mark.parametrize(
    ("fields", "stored"),
    [
        ([], []),
        (
            [{"key": "First_Name"}],
            [{"key": "first_name", "label": "First name", "kind": "text", "required": False, "options": []}],
        ),
        (
            [{"key": "BIRTHDAY"}],
            [{"key": "birthday", "label": "Born on", "kind": "date", "required": False, "options": []}],
        ),
        ([{"key": "vip"}], [{"key": "vip", "label": "VIP", "kind": "checkbox", "required": False, "options": []}]),
        (
            [{"key": "email", "label": "Work email"}],
            [{"key": "email", "label": "Work email", "kind": "text", "required": True, "options": []}],
        ),
        (
            [{"key": "Shoe size"}],
            [{"key": "Shoe size", "label": "Shoe size", "kind": "text", "required": False, "options": []}],
        ),
    ],
)
async def test_fields_are_completed(api: Api, acme: Organization, fields: list[Any], stored: list[Any]) -> None:
    await CustomField.named(acme, "birthday", label="Born on", kind="date").save()
    await CustomField.named(acme, "vip", label="VIP", kind="boolean").save()
    assert (await api.create(PATH, NEW | {"fields": fields}))["fields"] == stored


@pytest.mark.parametrize("method", ["POST", "PATCH"])
async def test_new_custom_fields_of_a_form_are_declared(
    api: Api, acme: Organization, rival: Organization, method: str
) -> None:
    await CustomField.named(acme, "vip", label="VIP", kind="boolean").save()
    asked = [
        {"key": "Shoe size"},
        {"key": "city", "label": "Where do you live?", "kind": "choice", "options": ["Rome"]},
        {"key": "news", "label": "News " * 40, "kind": "checkbox"},
        {"key": "born", "kind": "date"},
        {"key": "VIP", "label": "Very important?"},
        {"key": "phone"},
    ]
    form = await api.create(PATH, NEW | {"fields": asked if method == "POST" else []})
    if method == "PATCH":
        assert (await api.patch(f"{PATH}/{form['id']}", {"fields": asked}))[0] == 200
    assert [
        (field.name, field.label, field.kind) for field in await CustomField.of(acme).order_by("position", "id")
    ] == [
        ("vip", "VIP", "boolean"),
        ("Shoe size", "Shoe size", "text"),
        ("city", "Where do you live?", "text"),
        ("news", ("News " * 40)[:100].strip(), "boolean"),
        ("born", "born", "date"),
    ]
    assert await CustomField.of(rival) == []
    entries = await AuditEntry.of(acme).filter(action="contacts.field_added")
    assert len(entries) == 4
    refusal = await api.refused("PATCH", f"{PATH}/{form['id']}", {"fields": [{"key": "born", "kind": "text"}]})
    assert refusal == "fields.0.kind"


async def test_a_form_that_would_declare_too_many_fields_is_not_saved(api: Api, acme: Organization) -> None:
    await CustomField.bulk_create([CustomField.named(acme, f"f{number}") for number in range(199)])
    two = {"fields": [{"key": "one"}, {"key": "two"}]}
    form = await api.create(PATH, NEW)
    assert (await api.post(PATH, NEW | two))[0] == 409
    assert (await api.patch(f"{PATH}/{form['id']}", two))[0] == 409
    assert (await SignUpForm.of(acme).get()).form_fields == []
    assert await CustomField.of(acme).count() == 199


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": " "}, "name"),
        ({"fields": [{"key": "status"}]}, "fields.0.key"),
        ({"fields": [{"key": "do_not_track"}]}, "fields.0.key"),
        ({"fields": [{"key": "topics"}]}, "fields.0.key"),
        ({"fields": [{"key": "_stamp"}]}, "fields.0.key"),
        ({"fields": [CITY, {"key": "CITY"}]}, "fields.1.key"),
        ({"fields": [CITY | {"options": []}]}, "fields.0.options"),
        ({"fields": [CITY | {"kind": "text"}]}, "fields.0.options"),
        ({"fields": [CITY | {"kind": "number"}]}, "fields.0.kind"),
        ({"fields": [CITY | {"key": "phone"}]}, "fields.0.kind"),
        ({"fields": [{"key": "born", "kind": "text"}]}, "fields.0.kind"),
        ({"fields": [CITY | {"key": f"f{number}"} for number in range(21)]}, "fields"),
        ({"body": "Please confirm."}, "body"),
        ({"body": "{% if confirm_url == 1 %}{{ confirm_url }}{% endif %}"}, "body"),
        ({"body": "{{ confirm_url | size }}"}, "body"),
        ({"body": f"{CONFIRM} {{{{ first_name }}}}"}, "body"),
        ({"body": f"{CONFIRM} {{{{ "}, "body"),
        ({"subject": "Hello {{ first_name }}"}, "subject"),
        ({"subject": "Two\nlines"}, "subject"),
        ({"redirect_after_submit": "http://example.com"}, "redirect_after_submit"),
        ({"redirect_after_submit": "/thanks"}, "redirect_after_submit"),
        ({"redirect_after_confirm": "https://ada@example.com/"}, "redirect_after_confirm"),
        ({"redirect_after_confirm": "javascript:alert(1)"}, "redirect_after_confirm"),
        ({"redirect_after_confirm": "https://example.com\\@evil.example"}, "redirect_after_confirm"),
        ({"allowed_origins": ["https://example.com/"]}, "allowed_origins"),
        ({"allowed_origins": ["https://*.example.com"]}, "allowed_origins"),
        ({"allowed_origins": ["null"]}, "allowed_origins"),
        ({"allowed_origins": ["*"]}, "allowed_origins"),
        ({"language": "english please"}, "language"),
        ({"confirm_by": "magic"}, "confirm_by"),
    ],
)
async def test_a_bad_form_is_refused(api: Api, acme: Organization, body: dict[str, Any], field: str) -> None:
    await CustomField.named(acme, "born", label="Born on", kind="date").save()
    form = await api.create(PATH, NEW)
    assert await api.refused("POST", PATH, NEW | body if body else body) == field
    if body:
        assert await api.refused("PATCH", f"{PATH}/{form['id']}", body) == field


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("HTTPS://Example.com", "https://example.com"),
        ("https://example.com:443", "https://example.com"),
        ("http://example.com:8080", "http://example.com:8080"),
        ("https://münchen.example", "https://xn--mnchen-3ya.example"),
    ],
)
async def test_an_origin_is_as_browsers_send_it(api: Api, written: str, origin: str) -> None:
    form = await api.create(PATH, NEW | {"allowed_origins": [written, origin]})
    assert form["allowed_origins"] == [origin]


async def test_the_version_rises_with_the_fields_and_the_consent_alone(api: Api) -> None:
    form = await api.create(PATH, NEW | {"fields": [CITY], "consent_text": "I want it."})
    changes: list[tuple[dict[str, Any], int]] = [
        ({"name": "Other"}, 1),
        ({"fields": [CITY]}, 1),
        ({"consent_text": "I want it all."}, 2),
        ({"fields": []}, 3),
        ({"consent_text": "I want it.", "fields": [CITY]}, 4),
    ]
    for change, version in changes:
        assert (await api.patch(f"{PATH}/{form['id']}", change))[1]["data"]["version"] == version


async def test_a_dynamic_segment_is_refused(api: Api, acme: Organization) -> None:
    berlin = {"field": "custom_fields.city", "op": "is", "value": "Berlin"}
    segment = await api.create("/v1/segments", {"name": "Berlin", "kind": "dynamic", "filter": berlin})
    assert (await api.post(PATH, NEW | {"segment_ids": [segment["id"]]}))[0] == 409


async def test_deleted_segments_and_topics_are_taken_from_forms(
    api: Api, acme: Organization, rival: Organization
) -> None:
    segments, topics = [await make_segment(acme) for _ in range(2)], [await make_topic(acme) for _ in range(2)]
    names = {"segment_ids": [str(row.id) for row in segments], "topic_ids": [str(row.id) for row in topics]}
    form, theirs = await api.create(PATH, NEW | names), await make_form(rival, **names)
    assert (await api.delete(f"/v1/segments/{segments[0].id}"))[0] == 200
    assert (await api.delete(f"/v1/topics/{topics[0].id}"))[0] == 200
    _, shown = await api.get(f"{PATH}/{form['id']}")
    assert {name: shown["data"][name] for name in names} == {name: ids[1:] for name, ids in names.items()}
    assert (shown["data"]["version"], (await SignUpForm.get(id=theirs.id)).topic_ids) == (1, names["topic_ids"])


async def test_only_an_admin_switches_the_confirmation_off(app: Quart, acme: Organization) -> None:
    editor, admin = await make_api(app, acme, Role.EDITOR), await make_api(app, acme, Role.ADMIN)
    form = await editor.create(PATH, NEW)
    place = f"{PATH}/{form['id']}"
    for answer in (
        await editor.post(PATH, NEW | {"double_opt_in": False}),
        await editor.patch(place, {"double_opt_in": False}),
    ):
        assert answer[0] == 403
        assert "admin" in answer[1]["message"]
    assert (await admin.patch(place, {"double_opt_in": False}))[1]["data"]["double_opt_in"] is False
    assert (await editor.patch(place, {"name": "Other", "double_opt_in": False}))[0] == 200
    assert (await editor.patch(place, {"double_opt_in": True}))[0] == 200
    assert (await editor.patch(place, {"double_opt_in": False}))[0] == 403


@pytest.mark.parametrize("account_status", ["active", "error", "paused", "none"])
async def test_a_form_is_open_only_if_an_account_can_send(
    api: Api, acme: Organization, rival: Organization, account: str, account_status: str
) -> None:
    await make_account(rival)
    if account_status == "none":
        assert (await api.delete(f"/v1/accounts/{account}"))[0] == 200
    else:
        await Account.of(acme).update(status=account_status)
    is_able = account_status in ("active", "error")
    form = await api.create(PATH, NEW)
    assert form["is_open"] == is_able
    place = f"{PATH}/{form['id']}"
    if is_able:
        assert (await api.patch(place, {"is_open": True}))[0] == 200
    else:
        assert await api.refused("PATCH", place, {"is_open": True}) == "is_open"
        assert await api.refused("POST", PATH, NEW | {"is_open": True}) == "is_open"
    assert (await api.patch(place, {"is_open": False}))[1]["data"]["is_open"] is False


async def test_a_limited_key_names_no_other_account(app: Quart, acme: Organization, account: str) -> None:
    other = await make_account(acme, from_email="other@acme.example")
    limited = await make_api(app, acme, Role.EDITOR, allowed_account_ids=[account])
    assert (await limited.post(PATH, NEW | {"account_id": account}))[0] == 201
    for body in ({"account_id": str(other.id)}, {}):
        assert (await limited.post(PATH, NEW | body))[0] == 403


async def test_an_organization_has_100_forms_at_most(api: Api, acme: Organization, rival: Organization) -> None:
    for number in range(99):
        await make_form(acme, name=str(number))
    await make_form(rival)
    statuses = [status for status, _ in await asyncio.gather(*(api.post(PATH, NEW) for _ in range(3)))]
    assert sorted(statuses) == [201, 409, 409]


async def test_changes_are_in_the_audit_log(api: Api, acme: Organization, account: str) -> None:
    form = await api.create(PATH, NEW)
    segment = await make_segment(acme, name="Readers")
    changes = {"name": "Other", "confirm_by": "button", "segment_ids": [str(segment.id)], "fields": [CITY]}
    assert (await api.patch(f"{PATH}/{form['id']}", changes | {"account_id": account}))[0] == 200
    await api.delete(f"{PATH}/{form['id']}")
    entries = await AuditEntry.of(acme).filter(target_id=form["id"]).order_by("id")
    assert [(entry.action, entry.target, entry.details) for entry in entries] == [
        ("form.added", "Newsletter", {"double_opt_in": True}),
        (
            "form.changed",
            "Other",
            {
                "name": ["Newsletter", "Other"],
                "segments": [[], ["Readers"]],
                "fields": [[], ["city"]],
                "account": [None, ["Main"]],
            },
        ),
        ("form.deleted", "Other", {}),
    ]


async def test_a_stranger_reaches_no_form(app: Quart, api: Api, rival: Organization) -> None:
    form = await api.create(PATH, NEW)
    stranger = await make_api(app, rival)
    for method, body in (("GET", None), ("PATCH", {"name": "Mine"}), ("DELETE", None)):
        assert (await stranger.answer(method, f"{PATH}/{form['id']}", json=body))[0] == 404
    assert (await stranger.get(PATH))[1]["meta"]["total"] == 0
    assert (await SignUpForm.get(id=form["id"])).name == "Newsletter"
