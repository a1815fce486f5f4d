"""POST /v1/emails/batch."""

import base64
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import Api
from tests.api.mails import MAIL
from tests.factories import make_account, make_template
from tests.queries import count_queries
from webapp.domain.emails.choose_account import NO_ACCOUNT
from webapp.models import Account, Attachment, Content, Email, MailLog, Organization

BAD = {"to": "ada@example.org", "subject": "Hello", "html": "<p>Hello</p>"}  # lacks a sender


async def post(api: Api, body: Any, mode: str | None = None) -> tuple[int, Any]:
    return await api.post("/v1/emails/batch", body, headers={"X-Batch-Validation": mode} if mode else {})


async def nothing_is_kept() -> bool:
    return not any([await model.all().count() for model in (Email, MailLog, Content, Attachment)])


async def test_the_ids_come_in_order(api: Api, account: Account) -> None:
    mails = [MAIL | {"subject": f"No {number}", "to": [f"{number}@example.org"]} for number in range(100)]
    for body in (mails, {"emails": mails}):
        status, answer = await post(api, body)
        assert (status, list(answer)) == (200, ["data"])
        found = [await Email.get(id=item["id"]) for item in answer["data"]]
        assert [email.addresses["to"] for email in found] == [[f"{number}@example.org"] for number in range(100)]
        assert sorted(email.id for email in found) == [email.id for email in found]
    assert await Content.all().count() == await MailLog.filter(status="pending").count() == 200
    (newest, *_) = (await api.get("/v1/emails"))[1]["data"]
    assert newest["subject"] == "No 99"


async def test_each_item_takes_what_a_single_email_takes(api: Api, account: Account, acme: Organization) -> None:
    other = await make_account(acme, from_email="x@other.example")
    template = await make_template(acme, subject="Hi", body="<p>Hi</p>")
    data = bytes(range(256))
    items: list[dict[str, Any]] = [
        MAIL | {"cc": "bob@example.org", "bcc": ["carol@example.org"], "tags": [{"name": "a", "value": "b"}]},
        MAIL | {"attachments": [{"filename": "a.bin", "content": base64.b64encode(data).decode()}]},
        MAIL | {"attachments": [{"filename": "b.bin", "content": list(data)}], "account_key": other.account_key},
        {"from": "hello@acme.example", "to": "ada@example.org", "template": {"id": str(template.id)}},
    ]
    status, answer = await post(api, items)
    assert status == 200
    rows = [await MailLog.filter(email_id=item["id"]).order_by("id") for item in answer["data"]]
    assert [len(one) for one in rows] == [3, 1, 1, 1]
    assert [one[0].account_id for one in rows] == [account.id, account.id, other.id, account.id]
    assert [bytes(file.data) for file in await Attachment.all().order_by("id")] == [data, data]
    assert (await Email.get(id=answer["data"][3]["id"])).template_id == template.id


async def test_one_bad_item_refuses_all_of_a_strict_batch(api: Api, account: Account) -> None:
    for mode in (None, "strict"):
        status, answer = await post(api, [MAIL, BAD, 7, MAIL | {"x_unknown": 1}], mode)
        assert (status, answer["error"], answer["message"]) == (400, "ValidationError", "emails.1.from is required")
        assert [fault["field"] for fault in answer["details"]] == ["emails.1.from", "emails.2", "emails.3.x_unknown"]
        assert answer["errors"] == [
            {"index": 1, "message": "from is required"},
            {"index": 2, "message": "must be an object"},
            {"index": 3, "message": "x_unknown is not a known field"},
        ]
    status, answer = await post(api, [MAIL | {"account_key": "acc_none"}, BAD])
    assert (status, [error["index"] for error in answer["errors"]]) == (400, [0, 1])
    assert await nothing_is_kept()


async def test_a_permissive_batch_sends_the_good_ones(api: Api, account: Account, acme: Organization) -> None:
    template = await make_template(acme, body="<p>{{ name }}</p>")
    chosen = {"from": "hello@acme.example", "to": "ada@example.org", "template": {"id": str(template.id)}}
    items = [
        BAD,
        MAIL,
        MAIL | {"account_key": "acc_none"},
        chosen,
        chosen | {"template": {"id": str(uuid4())}},
        MAIL | {"subject": "Last"},
    ]
    status, answer = await post(api, items, "permissive")
    assert status == 200
    assert answer["errors"] == [
        {"index": 0, "message": "from is required"},
        {"index": 2, "message": NO_ACCOUNT},
        {"index": 3, "message": "template.variables has no value for name"},
        {"index": 4, "message": "template.id: template not found"},
    ]
    subjects = [(await api.get(f"/v1/emails/{item['id']}"))[1]["data"]["subject"] for item in answer["data"]]
    assert subjects == ["Hello", "Last"]
    assert await Email.all().count() == 2


async def test_missing_variables_of_all_items_are_named(api: Api, account: Account, acme: Organization) -> None:
    template = await make_template(acme, subject="{{ a }}", body="<p>{{ b }}</p>")
    mail = {"from": "hello@acme.example", "to": "ada@example.org"}
    items = [mail | {"template": {"id": str(template.id), "variables": {name: 1}}} for name in ("a", "b")]
    status, answer = await post(api, items)
    assert (status, answer["missing_variables"]) == (400, ["b", "a"])
    assert answer["details"][1]["field"] == "emails.1.template.variables"


LOOP = "{% for i in (1..1000) %}"
TOO_MUCH = "template.id: the template takes too much work or over 25 MiB, counting the emails before it"


@pytest.mark.parametrize(
    ("body", "taken"),
    [(f"<p>{'y' * 400_000}{{{{ name }}}}", 65), (f"<p>{LOOP}{{% for j in (1..60) %}}{{% endfor %}}{{% endfor %}}", 7)],
)
async def test_the_templates_of_a_batch_share_one_budget(
    api: Api, account: Account, acme: Organization, body: str, taken: int
) -> None:
    template = await make_template(acme, subject="Hi", body=body)
    chosen = {"id": str(template.id), "variables": {"name": "Ada"}}
    items = [{"from": "hello@acme.example", "to": "ada@example.org", "template": chosen}] * 80
    status, answer = await post(api, [*items, MAIL], "permissive")
    assert (status, len(answer["data"])) == (200, taken + 1)  # the last one has no template
    assert answer["errors"] == [{"index": index, "message": TOO_MUCH} for index in range(taken, 80)]
    status, answer = await post(api, items)
    assert (status, answer["message"]) == (400, f"emails.{taken}.{TOO_MUCH}")


async def test_what_is_no_batch_or_no_mode_is_refused(api: Api, account: Account) -> None:
    bad: list[tuple[Any, str]] = [
        ([], "emails"),
        ([MAIL] * 101, "emails"),
        ({"emails": MAIL}, "emails"),
        (MAIL, "emails"),
        ({"emails": [MAIL], "mode": "permissive"}, "mode"),
        ("emails", "body"),
    ]
    for body, field in bad:
        for mode in ("strict", "permissive"):
            status, answer = await post(api, body, mode)
            assert (status, answer["details"][0]["field"]) == (400, field), body
            assert "errors" not in answer
    status, answer = await post(api, [MAIL], "lax")
    assert (status, answer["details"][0]["field"]) == (400, "X-Batch-Validation")
    assert await nothing_is_kept()


async def test_a_batch_sent_again_with_its_key_is_answered_again(api: Api, account: Account) -> None:
    headers = {"Idempotency-Key": "batch-1", "X-Batch-Validation": "permissive"}
    first, second = [await api.send("POST", "/v1/emails/batch", json=[MAIL, BAD], headers=headers) for _ in range(2)]
    assert await first.get_data() == await second.get_data()
    assert second.headers["Idempotency-Replayed"] == "true"
    assert await Email.all().count() == 1
    for items, mode in (([MAIL], "permissive"), ([MAIL, BAD], "strict")):
        other = headers | {"X-Batch-Validation": mode}
        assert (await api.post("/v1/emails/batch", items, headers=other))[1]["error"] == "IdempotencyConflict"


async def test_a_refused_batch_is_not_stored(api: Api, account: Account) -> None:
    for body, status in (([MAIL, BAD], 400), ([MAIL], 200)):
        assert (await api.post("/v1/emails/batch", body, headers={"Idempotency-Key": "batch-1"}))[0] == status


async def test_a_batch_costs_the_same_queries_for_one_email_and_for_many(api: Api, account: Account) -> None:
    file = {"filename": "a", "content": "aGVsbG8="}
    await post(api, [MAIL])  # signs the key in
    counts = []
    for size in (1, 50):
        with count_queries() as queries:
            await post(api, [MAIL | {"attachments": [file], "cc": "bob@example.org"}] * size)
        counts.append(len(queries))
    assert counts[0] == counts[1] < 15
