"""What is done for every mail is done by look-ups, whatever the planner believes of the tables."""

import re

import pytest
from uuid_utils.compat import uuid7

from tests.factories import copy_row, make_account, make_mail, make_run
from tests.queries import chosen_plan_of, look_ups, plan_of
from webapp import db
from webapp.db.dialects import Postgres
from webapp.models import MailLog, Organization
from webapp.models.mail_log import FAILED, SENDING, SENT
from webapp.models.outbox import claims, runs
from webapp.models.outbox.settlements import Settlement, settle

# What reads more than was asked for. A table of a few runs is read by any of its indexes: to the planner all cost alike.
WHOLE = r"Seq Scan|^SCAN (?!json_each|k\b)|leased|Index Scan using \S*org_id\S* on (?!campaign_runs\b)"


async def test_outcomes_find_their_rows_by_id_and_not_among_all_that_are_being_sent(
    acme: Organization, rival: Organization
) -> None:
    account, other = await make_account(acme), await make_account(rival)
    run, ids = await make_run(acme, [account], 6)
    await make_mail(rival, other)
    held = await claims.claim(account.id, messages=6, lease_seconds=60)
    (theirs,) = await claims.claim(other.id, messages=1, lease_seconds=60)
    await make_run(rival, [other], 2_000)  # of a handful of rows all indexes cost alike
    with look_ups() as sent:
        assert await settle([Settlement(row, SENT, code=250) for row in held[:4]]) == set(ids[:4])
        await settle([Settlement(held[4], SENT), Settlement(held[5], FAILED, error="550 no", code=550)])
        stranger = held[0]._replace(id=theirs.id)  # under our lease
        assert await settle([Settlement(stranger, SENT)]) == set()
    updates = [(statement, values) for statement, values in sent if statement.startswith("UPDATE mail_logs")]
    assert len(updates) == 3
    # Rows of the past may have left the index by id deeper than one that has ids behind other columns.
    await db.fetch("REINDEX TABLE mail_logs" if isinstance(db.dialect(), Postgres) else "REINDEX mail_logs")
    await db.fetch("ANALYZE mail_logs")
    for statement, values in updates:
        steps = await plan_of(statement, *values)
        assert not [step for step in steps if re.search(WHOLE, step)], steps
        assert [step for step in steps if re.search("mail_logs_pkey|autoindex_mail_logs_1", step)], steps
    assert await runs.count_rows([run.id]) == {run.id: {SENT: 5, FAILED: 1}}
    assert (await MailLog.of(rival).get(id=theirs.id)).status == SENDING


@pytest.mark.usefixtures("unanalysed")
async def test_emails_are_claimed_by_look_ups_among_rows_that_were_never_analysed(
    acme: Organization, rival: Organization
) -> None:
    account = await make_account(acme)
    (theirs,) = await make_mail(rival, await make_account(rival))
    await MailLog.of(rival).filter(id=theirs).update(status=SENT, email_id=None)
    await copy_row(await MailLog.of(rival).get(id=theirs), [uuid7() for _ in range(5_000)])
    ids = await make_mail(acme, account, "ann@example.org", "bob@example.org")
    with look_ups() as sent:
        held = await claims.claim(account.id, messages=10, lease_seconds=60)
    assert [row.id for row in held] == ids
    about = [(statement, values) for statement, values in sent if re.search("(FROM|UPDATE) mail_logs", statement)]
    assert len(about) == 4  # the emails, all rows of them, the runs with something due and the claim
    for statement, values in about:
        steps = await chosen_plan_of(statement, *values)
        assert not [step for step in steps if re.search(r"(Seq Scan on|^SCAN) (mail_logs|m\b)|idx_mail_logs", step)], (
            steps
        )
