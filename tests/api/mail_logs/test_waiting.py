"""Why a mail waits and until when: the answer names the rule, and the time is the forecast's."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.api.conftest import NOT_FOUND, Api
from tests.factories import make_account, make_mail, make_run
from webapp import clock
from webapp.models import AccountUsage, Email, MailLog, Organization, ProviderSlowdown
from webapp.models.mail_log import SENT
from webapp.models.outbox.pace import SPREAD
from webapp.models.queries.provider_slowdowns import slow_down

HOUR = timedelta(hours=1)


def shut(**more: Any) -> dict[str, Any]:
    """A window that opens in about an hour."""
    at = clock.now() + HOUR
    day = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[at.weekday()]
    return {"days": [day], "from": f"{at:%H:%M}", "to": f"{at + HOUR:%H:%M}", "timezone": "UTC", **more}


async def waiting(api: Api, row_id: object) -> tuple[str | None, float | None]:
    """The sentence, and the seconds until the next attempt."""
    status, answer = await api.get(f"/v1/mail-logs/{row_id}")
    assert (status, answer["data"]["status"]) == (200, "pending")
    until = answer["data"]["next_attempt_at"]
    seconds = until and (datetime.fromisoformat(until) - clock.now()).total_seconds()
    return answer["data"]["waits_for"], seconds


async def test_a_mail_waits_for_its_accounts_pace_behind_others(acme: Organization, api: Api, rival_api: Api) -> None:
    account = await make_account(acme, max_per_minute=1, min_gap_seconds=30)
    for number in range(4):
        (row_id,) = await make_mail(acme, account, f"a{number}@example.org")
    soon = clock.now() + timedelta(seconds=30)
    zone = "UTC" if clock.now().hour < 23 else "Asia/Tokyo"  # not over midnight, where forecasts round
    await Organization.filter(id=acme.id).update(timezone=zone)
    await AccountUsage.create(account_id=account.id, day=clock.today(zone), used=1, next_message_at=soon)
    words, seconds = await waiting(api, row_id)
    assert words == "Main sends at most 1 email per minute, and leaves at least 30 seconds between two emails."
    assert seconds == pytest.approx(30 + 4 * (60 + SPREAD), abs=5)
    assert await rival_api.get(f"/v1/mail-logs/{row_id}") == (404, NOT_FOUND)


@pytest.mark.parametrize(
    ("fields", "used", "words", "least"),
    [
        ({"send_window": shut()}, 0, "Main sends only in its window, which opens ", 1_800),
        ({"reserve_for_transactional": 90}, 410, "Main leaves the last 90 emails of its day to transactional email", 0),
        ({"ramp": {"start": 50, "step_percent": 20, "until": 90}}, 50, "Main reached 50, which its ramp allows ", 0),
        ({"daily_mail_limit": 20}, 20, "Main reached its daily limit of 20. It sends again ", 0),
    ],
)
async def test_a_campaigns_row_waits_for_what_holds_its_account(
    acme: Organization, api: Api, fields: dict[str, Any], used: int, words: str, least: float
) -> None:
    account = await make_account(acme, **fields)
    _, (row_id, *_) = await make_run(acme, [account], 2)
    await AccountUsage.create(account_id=account.id, day=clock.today("UTC"), used=used)
    sentence, seconds = await waiting(api, row_id)
    assert sentence is not None
    assert sentence.startswith(words)
    assert seconds is not None
    assert least <= seconds <= 25 * 3_600


async def test_transactional_mail_passes_a_window_and_waits_for_one_that_includes_it(
    acme: Organization, api: Api
) -> None:
    open_to_it = await make_account(acme, send_window=shut())
    closed = await make_account(acme, name="Night", send_window=shut(includes_transactional=True))
    (row_id,) = await make_mail(acme, open_to_it)
    assert (await waiting(api, row_id))[0] is None
    (row_id,) = await make_mail(acme, closed)
    sentence, _ = await waiting(api, row_id)
    assert sentence is not None
    assert sentence.startswith("Night sends only in its window, which opens ")


async def test_mail_to_a_provider_that_asked_an_account_to_slow_down_names_it(
    acme: Organization, rival: Organization, api: Api, rival_api: Api
) -> None:
    account, stranger = await make_account(acme, name="Shop", max_per_minute=60), await make_account(rival)
    await slow_down(account, "microsoft", "421 4.7.0 too many messages")
    at = (await ProviderSlowdown.get(account_id=account.id)).asked_at
    asked, later = f"Microsoft asked Shop to slow down at {at:%H:%M}; now 30 a minute.", clock.now() + HOUR

    async def words(to: str, of: Api = api, **changes: Any) -> str | None:
        own = (acme, account) if of is api else (rival, stranger)
        (row_id,) = await make_mail(*own, to)
        await MailLog.filter(id=row_id).update(**changes)
        return (await waiting(of, row_id))[0]

    assert await words("ann@outlook.com") == f"{asked} Shop sends at most 60 emails per minute."
    assert await words("ann@gmail.com") == "Shop sends at most 60 emails per minute."
    assert await words("ann@outlook.com", next_attempt_at=later) == asked
    assert await words("ann@shop.example", next_attempt_at=later) == asked
    assert await words("ann@gmail.com", next_attempt_at=later) == "The time it was scheduled for."
    again = "Another try after this answer: 450 greylisted"
    assert await words("ann@shop.example", next_attempt_at=later, error="450 greylisted") == again
    assert await words("ann@outlook.com", next_attempt_at=later, error="450 greylisted") == f"{asked} {again}"
    assert await words("ann@outlook.com", rival_api) is None


async def test_scheduled_mail_waits_for_its_time_and_no_provider(acme: Organization, api: Api) -> None:
    account, later = await make_account(acme), clock.now() + HOUR
    await slow_down(account, "microsoft", "421 4.7.0 too many messages")
    (row_id,) = await make_mail(acme, account, "ann@outlook.com")
    await Email.filter(id=row_id).update(scheduled_at=later)
    await MailLog.filter(id=row_id).update(next_attempt_at=later)
    assert (await waiting(api, row_id))[0] == "The time it was scheduled for."


async def test_a_paused_account_a_time_and_mail_that_is_sent(acme: Organization, api: Api) -> None:
    paused = await make_account(acme, status="paused")
    (row_id,) = await make_mail(acme, paused)
    assert await waiting(api, row_id) == ("Main is paused and sends nothing until you resume it.", None)
    account, later = await make_account(acme), clock.now() + HOUR
    (row_id,) = await make_mail(acme, account)
    await MailLog.filter(id=row_id).update(next_attempt_at=later)
    words, seconds = await waiting(api, row_id)
    assert words == "The time it was scheduled for."
    assert seconds == pytest.approx(3_600, abs=20)
    await MailLog.filter(id=row_id).update(status=SENT)
    _, answer = await api.get(f"/v1/mail-logs/{row_id}")
    assert (answer["data"]["waits_for"], answer["data"]["next_attempt_at"]) == (None, None)
