"""POST /v1/emails of many callers at once: committed together, and each answered for its own."""

import asyncio
from collections import Counter

from quart import Quart

from tests.api.conftest import Api, make_api
from tests.api.mails import MAIL
from tests.factories import make_account
from tests.plans import use_plans
from tests.queries import count_queries
from webapp import clock, db
from webapp.config import Settings
from webapp.models import Account, Content, Email, MailLog, Organization, usage
from webapp.models.usage import Metric, month_of

MANY = 40


async def test_each_has_its_own_answer_and_its_own_rows(
    app: Quart, api: Api, account: Account, acme: Organization, rival: Organization
) -> None:
    others = await make_account(rival)
    stranger = await make_api(app, rival)
    asked = [
        (api, MAIL | {"subject": f"Mail {number}"} | ({"account_key": others.account_key} if number % 4 == 0 else {}))
        for number in range(MANY)
    ]
    asked += [(stranger, MAIL | {"subject": "A stranger's"}) for _ in range(5)]
    answers = await asyncio.gather(*(client.post("/v1/emails", mail) for client, mail in asked))
    for number, (status, _) in enumerate(answers[:MANY]):
        assert status == (404 if number % 4 == 0 else 200), number
    assert {status for status, _ in answers[MANY:]} == {200}
    contents = {content.id: content.subject for content in await Content.of(acme)}
    subjects = {str(email.id): contents[email.content_id] for email in await Email.of(acme)}
    assert subjects == {
        body["id"]: f"Mail {number}" for number, (status, body) in enumerate(answers[:MANY]) if status == 200
    }
    assert await MailLog.of(acme).count() == len(subjects)
    assert await MailLog.of(rival).count() == 5


async def test_they_share_transactions(api: Api, account: Account) -> None:
    with count_queries() as sent:
        answers = await asyncio.gather(*(api.post("/v1/emails", MAIL) for _ in range(MANY)))
    assert Counter(status for status, _ in answers) == {200: MANY}
    inserts = [statement for statement in sent if statement.startswith("INSERT INTO emails ")]
    assert 1 <= len(inserts) <= MANY // 2


async def test_one_that_passes_the_quota_takes_no_other_with_it(
    settings: Settings, api: Api, account: Account, acme: Organization
) -> None:
    use_plans(settings, {"free": {"monthly_email_quota": MANY}})
    await Organization.filter(id=acme.id).update(plan="free")
    too_many = [f"ada{number}@example.org" for number in range(MANY + 1)]
    mails = [MAIL | ({"to": too_many} if number == 3 else {}) for number in range(MANY)]
    answers = await asyncio.gather(*(api.post("/v1/emails", mail) for mail in mails))
    assert [status for status, _ in answers] == [403 if number == 3 else 200 for number in range(MANY)]
    assert await MailLog.of(acme).count() == MANY - 1
    assert await usage.used_of(acme.id, Metric.EMAILS, month_of(clock.now())) == MANY - 1


# No email that is valid is refused so; a fault of ours would be.
REFUSE = {
    "sqlite": """CREATE TRIGGER refuse BEFORE INSERT ON contents WHEN NEW.subject = 'Mail 3'
                 BEGIN SELECT RAISE(ABORT, 'refused'); END""",
    "postgres": "ALTER TABLE contents ADD CONSTRAINT refuse CHECK (subject <> 'Mail 3')",
}
ALLOW = {"sqlite": "DROP TRIGGER refuse", "postgres": "ALTER TABLE contents DROP CONSTRAINT refuse"}


async def test_one_that_the_database_refuses_takes_no_other_with_it(
    settings: Settings, api: Api, account: Account, acme: Organization
) -> None:
    await db.connection().execute_script(REFUSE[settings.dialect])
    try:
        mails = [MAIL | {"subject": f"Mail {number}"} for number in range(MANY)]
        answers = await asyncio.gather(*(api.send("POST", "/v1/emails", json=mail) for mail in mails))
    finally:
        await db.connection().execute_script(ALLOW[settings.dialect])
    assert [answer.status_code for answer in answers] == [500 if number == 3 else 200 for number in range(MANY)]
    subjects = [content.subject for content in await Content.of(acme)]
    assert sorted(subjects) == sorted(f"Mail {number}" for number in range(MANY) if number != 3)
    assert await MailLog.of(acme).count() == await Email.of(acme).count() == MANY - 1
