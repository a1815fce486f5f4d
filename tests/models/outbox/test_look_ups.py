"""What is done for every mail is done by look-ups, whatever the planner believes of the tables."""

import re

import pytest
from uuid_utils.compat import uuid7

from tests.factories import copy_row, make_account, make_contact, make_mail, make_run
from tests.queries import chosen_plan_of, look_ups, plan_of
from tests.support.audiences import make_audience
from webapp import clock, db
from webapp.db import dialects
from webapp.db.dialects import Postgres
from webapp.models import CampaignRun, MailLog, Organization, Suppression
from webapp.models.mail_log import FAILED, SENDING, SENT
from webapp.models.outbox import claims, run_rows, runs
from webapp.models.outbox.audience import ContactState, read_wishes
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


async def test_of_contacts_those_are_told_that_get_no_mail_or_are_not_tracked(
    acme: Organization, rival: Organization
) -> None:
    fine, left, bounced, private, theirs = [await make_contact(org) for org in (acme, acme, acme, acme, rival)]
    private.do_not_track = True
    await private.save()
    left.status = "unsubscribed"
    await left.save()
    bounced.bounced_at = clock.now()
    await bounced.save()
    gone = await make_contact(acme)
    await gone.delete()
    with look_ups() as sent:
        asked = (fine, left, bounced, private, theirs, gone)
        found = await read_wishes((acme.id, contact.id) for contact in asked)
    assert found.not_tracked == {private.id}
    standings = {contact_id: standing for (_, contact_id), standing in found.unmailable.items()}
    assert standings.keys() == {left.id, bounced.id, theirs.id, gone.id}
    assert standings[left.id] == ContactState("unsubscribed", None)
    assert (standings[theirs.id], standings[gone.id]) == (None, None)
    of_bounced = standings[bounced.id]
    assert of_bounced is not None
    assert dialects.as_instant(of_bounced.bounced_at) == bounced.bounced_at
    for statement, values in sent:
        steps = await plan_of(statement, *values)
        assert not [step for step in steps if re.search(r"Seq Scan|Hash|^SCAN (?!json_each|k\b)", step)], steps
    with look_ups() as sent:
        assert await read_wishes([(acme.id, fine.id)]) == ({}, set())
        assert await read_wishes([]) == ({}, set())
    assert len(sent) == 1


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


async def test_a_batch_of_rows_is_made_of_those_contacts_alone_and_of_nobody_who_has_one(
    acme: Organization, rival: Organization
) -> None:
    await make_audience(rival, 40)
    segment, _ = await make_audience(acme, 40)
    # Entries of the past have made the index by address deeper than that by id, and so dearer.
    await Suppression.insert_new(rival.id, {f"a{number:0200}@example.org": None for number in range(130)}, "manual")
    await Suppression.of(rival).delete()
    run = await CampaignRun.create(
        org=acme, campaign_id=uuid7(), trigger="api", trigger_key="1", content_id=uuid7(), segment_id=segment.id,
        from_email="ada@acme.example", expected=40, started_at=clock.now(),
    )  # fmt: skip
    async with db.write_transaction():
        with look_ups() as sent:
            for _ in range(3):
                made = await run_rows.create_rows(run, 10)
                assert (made.rows, made.is_over) == (10, False)
                run.materialise_cursor = made.cursor
        about = [
            (statement, values) for statement, values in sent if re.search("segment_contacts|mail_logs", statement)
        ]
        assert len(about) == 3 * 4  # the end of the batch, its rows, their number and the ledger
        for statement, values in about:
            steps = await chosen_plan_of(statement, *values)
            read = [step for step in steps if re.search("segment_contacts|mail_logs", step) and "Insert on" not in step]
            assert read, steps
            # By the run, or segment, and contact; where a batch is most of a table, its contacts are as good.
            assert all(re.search("uid_|idx_segment_con_contact|autoindex", step) for step in read), steps
            assert not [step for step in steps if re.search("Sort|Bitmap|Merge Join|Hash", step)], steps
    assert await MailLog.of(rival).count() == 0
