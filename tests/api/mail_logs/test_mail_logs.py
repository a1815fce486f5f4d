"""GET /v1/mail-logs and /v1/mail-logs/{id}."""

from uuid import uuid4

from tests.api.conftest import Api
from tests.api.mails import send
from tests.factories import make_account
from webapp import clock
from webapp.models import Account, Content, MailLog, Organization


async def test_a_row_is_shown_with_what_was_rendered(api: Api, account: Account) -> None:
    row_id = await send(api)
    await MailLog.all().update(
        status="sent", sent_at=clock.now(), smtp_message_id="2.0.0 queued as 1", attempts=2, response_code=250
    )
    status, body = await api.get(f"/v1/mail-logs/{row_id}")
    unset = ("campaign_id", "campaign_run_id", "contact_id", "error", "bounced_at", "complained_at", "bounce")
    assert (status, body["data"]) == (
        200,
        {
            **dict.fromkeys(unset),
            **{name: body["data"][name] for name in ("sent_at", "created_at")},
            "id": row_id,
            "email_id": row_id,
            "account_id": str(account.id),
            "from_email": "hello@acme.example",
            "to_email": "ada@example.org",
            "subject": "Hello",
            "body_html": "<p>Hello</p>",
            "status": "sent",
            "smtp_message_id": "2.0.0 queued as 1",
            "response_code": 250,
            "attempts": 2,
            "waits_for": None,
            "next_attempt_at": None,
        },
    )
    listed = {name: value for name, value in body["data"].items() if name not in ("waits_for", "next_attempt_at")}
    assert (await api.get("/v1/mail-logs"))[1] == {
        "data": [listed],
        "meta": {"page": 1, "page_size": 50, "total": 1},
    }


async def test_retries_stay_in_the_row_of_their_send(api: Api, account: Account) -> None:
    """An attempt, in "one row per recipient per send attempt", is a send; what is tried again within it is counted."""
    row_id = await send(api)
    await MailLog.all().update(attempts=3, error="451 4.7.1 greylisted", response_code=451)
    _, body = await api.get("/v1/mail-logs")
    (row,) = body["data"]
    assert (row["id"], row["status"], row["attempts"]) == (row_id, "pending", 3)
    assert (row["error"], row["response_code"]) == ("451 4.7.1 greylisted", 451)
    again = await send(api)
    _, body = await api.get("/v1/mail-logs")
    assert [(one["id"], one["attempts"]) for one in body["data"]] == [(again, 0), (row_id, 3)]


async def test_a_row_outlives_its_content(api: Api, account: Account) -> None:
    row_id = await send(api)
    await Content.all().delete()
    for row in ((await api.get(f"/v1/mail-logs/{row_id}"))[1]["data"], (await api.get("/v1/mail-logs"))[1]["data"][0]):
        assert (row["subject"], row["body_html"], row["to_email"]) == (None, None, "ada@example.org")


async def test_rows_are_filtered_by_what_they_belong_to(api: Api, account: Account, acme: Organization) -> None:
    other = await make_account(acme)
    first, second = await send(api), await send(api, account_key=other.account_key)
    run, campaign = uuid4(), uuid4()
    await MailLog.filter(id=second).update(status="failed", campaign_run_id=run, campaign_id=campaign)
    for query, expected in (
        ("", [second, first]),
        (f"account_id={account.id}", [first]),
        ("status=failed", [second]),
        (f"campaign_run_id={run}", [second]),
        (f"campaign_id={campaign}", [second]),
        (f"campaign_id={campaign}&status=pending", []),
    ):
        status, body = await api.get(f"/v1/mail-logs?{query}")
        assert (status, [row["id"] for row in body["data"]], body["meta"]["total"]) == (200, expected, len(expected))
