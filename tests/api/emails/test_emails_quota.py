"""`monthly_email_quota`: recipients a month, counted in the transaction that takes the mail in."""

from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.mails import MAIL
from tests.factories import make_account
from tests.plans import use_plans
from webapp.config import Settings
from webapp.models import Account, Content, Email, IdempotencyKey, MailLog, Organization

QUOTA = 10


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """With a plan of ten recipients a month."""
    return use_plans(settings, {"free": {"monthly_email_quota": QUOTA}})


@pytest.fixture
async def account(acme: Organization) -> Account:
    await Organization.filter(id=acme.id).update(plan="free")
    return await make_account(acme)


def exceeded(used: int) -> tuple[int, Any]:
    words = f"the free plan allows 10 recipients per month (monthly_email_quota), and {used} are used"
    numbers = {"limit": "monthly_email_quota", "max": QUOTA, "current": used}
    return 403, {"error": "PlanLimitExceeded", "message": words, **numbers}


async def test_recipients_count_each_address_once(api: Api, account: Account) -> None:
    recipients = {"to": ["a@example.org", "b@example.org"], "cc": "A@example.org", "bcc": ["c@example.org"]}
    for _ in range(3):
        assert (await api.post("/v1/emails", MAIL | recipients))[0] == 200
    assert await api.post("/v1/emails", MAIL | recipients) == exceeded(9)
    assert (await api.post("/v1/emails", MAIL))[0] == 200
    assert await api.post("/v1/emails", MAIL) == exceeded(10)
    assert await MailLog.all().count() == QUOTA
    assert await Email.all().count() == await Content.all().count() == 4


@pytest.mark.parametrize("mode", ["strict", "permissive"])
async def test_a_batch_over_the_quota_is_refused_whole(api: Api, account: Account, mode: str) -> None:
    headers = {"X-Batch-Validation": mode, "Idempotency-Key": "batch-1"}
    assert await api.post("/v1/emails/batch", [MAIL] * 11, headers=headers) == exceeded(0)
    assert await MailLog.all().count() == await IdempotencyKey.all().count() == 0
    bad = [{}] * 5 if mode == "permissive" else []  # which count nothing
    status, body = await api.post("/v1/emails/batch", [MAIL] * 10 + bad, headers=headers)
    assert (status, len(body["data"]), len(body.get("errors", []))) == (200, 10, len(bad))
    assert (await api.post(f"/v1/emails/{body['data'][0]['id']}/cancel"))[0] == 200
    assert await api.post("/v1/emails", MAIL) == exceeded(10)  # what is canceled stays counted
