"""POST /v1/emails with `template: { id, variables }`."""

from typing import Any

from tests.api.conftest import Api
from tests.factories import make_template
from webapp.models import Account, Email, MailLog, Organization, Template

MAIL = {"from": "hello@acme.example", "to": ["ada@example.org"]}


async def send(api: Api, template: Template, variables: Any = None, **fields: Any) -> dict[str, Any]:
    """Send the template and return the email as it is shown."""
    chosen = {"id": str(template.id)} | ({"variables": variables} if variables is not None else {})
    status, body = await api.post("/v1/emails", MAIL | {"template": chosen} | fields)
    assert status == 200, body
    _, shown = await api.get(f"/v1/emails/{body['id']}")
    found: dict[str, Any] = shown["data"]
    return found


async def refuse(api: Api, template: Template, variables: Any = None, **fields: Any) -> dict[str, Any]:
    """Send the template, which is refused; nothing of it is kept."""
    chosen = {"id": str(template.id), "variables": variables}
    status, body = await api.post("/v1/emails", MAIL | {"template": chosen} | fields)
    assert (status, body["error"]) == (400, "ValidationError"), body
    assert await Email.all().count() == await MailLog.all().count() == 0
    found: dict[str, Any] = body
    return found


async def test_a_template_is_filled_in_when_the_email_is_taken_in(
    api: Api, account: Account, acme: Organization
) -> None:
    template = await make_template(
        acme, subject="Order {{ order.number }}", body="<p>Dear {{ name }}: {{ order.number }}</p>"
    )
    email = await send(api, template, {"name": "A & B", "order": {"number": 7}})
    assert (email["subject"], email["html"], email["text"]) == ("Order 7", "<p>Dear A &amp; B: 7</p>", None)
    assert email["template_id"] == str(template.id)
    await template.delete()
    assert (await api.get(f"/v1/emails/{email['id']}"))[1]["data"] == email
    _, log = await api.get(f"/v1/mail-logs/{email['id']}")
    assert (log["data"]["subject"], log["data"]["body_html"]) == ("Order 7", "<p>Dear A &amp; B: 7</p>")


async def test_a_body_without_html_is_sent_as_text(api: Api, account: Account, acme: Organization) -> None:
    template = await make_template(acme, body="Dear {{ name }},\n1 < 2")
    email = await send(api, template, {"name": "A & B"})
    assert (email["html"], email["text"]) == (None, "Dear A & B,\n1 < 2")


async def test_a_payloads_subject_wins_and_takes_the_same_variables(
    api: Api, account: Account, acme: Organization
) -> None:
    template = await make_template(acme, subject="Not {{ this }}", body="<p>Hi</p>")
    email = await send(api, template, {"name": "Ada\r\nBcc: eve@example.org"}, subject="Hi {{ name }}")
    assert email["subject"] == "Hi AdaBcc: eve@example.org"


async def test_a_subject_is_required_where_the_template_has_none(
    api: Api, account: Account, acme: Organization
) -> None:
    template = await make_template(acme, subject="")
    body = await refuse(api, template)
    assert body["details"] == [{"field": "subject", "message": "subject is required: the template has none"}]
    assert (await send(api, template, subject="Here"))["subject"] == "Here"


async def test_missing_variables_are_named(api: Api, account: Account, acme: Organization) -> None:
    template = await make_template(acme, subject="{{ a }}", body="<p>{{ b }} {{ c }} {{ a }} {{ d | default: 1 }}</p>")
    assert await refuse(api, template, {"c": "x"}) == {
        "error": "ValidationError",
        "message": "template.variables has no value for a, b",
        "details": [{"field": "template.variables", "message": "template.variables has no value for a, b"}],
        "missing_variables": ["a", "b"],
    }


async def test_a_template_that_gives_no_body_is_refused(api: Api, account: Account, acme: Organization) -> None:
    silent = await make_template(acme, body="{% if loud %}Hello{% endif %}\n")
    assert (await refuse(api, silent))["message"] == "template.id: the template's body is empty"
    assert (await send(api, silent, {"loud": True}))["text"].strip() == "Hello"


async def test_a_rendered_subject_is_bounded(api: Api, account: Account, acme: Organization) -> None:
    template = await make_template(acme, subject="{{ name }}")
    for name in ("x" * 999, " "):
        assert (await refuse(api, template, {"name": name}))["details"][0]["field"] == "template.id"
        assert (await refuse(api, template, {"name": name}, subject="{{ name }}"))["details"][0]["field"] == "subject"
    assert (await send(api, template, {"name": "x" * 998}))["subject"] == "x" * 998


async def test_what_passes_a_bound_of_merge_tags_is_refused(api: Api, account: Account, acme: Organization) -> None:
    loop = "{% for a in (1..1000) %}{% for b in (1..1000) %}x{% endfor %}{% endfor %}"
    template = await make_template(acme, body=f"<p>{loop}</p>")
    assert (await refuse(api, template))["message"].startswith("template.id: the template's body ")
