"""The numbers of metrics are counted from the index ranges of their days, also in tables that were never analyzed."""

import re
from datetime import timedelta

import pytest
from uuid_utils.compat import uuid7

from tests.factories import copy_row, make_account, make_mail
from tests.queries import chosen_plan_of, look_ups
from webapp import clock
from webapp.models import MailLog, Organization
from webapp.models.queries import outcomes

IN_RANGE = {
    "mail_logs": r"idx_mail_logs_org_id_\w+ \(org_id=\? AND status=\? AND id>\? AND id<\?\)|Index Cond: .*org_id = .*status.* = .*id >= ",
    "mail_hits": r"mail_hits_of_people \(org_id=\? AND id>\? AND id<\?\)|Index Cond: .*org_id = .*id >= ",
}


@pytest.mark.usefixtures("unanalysed")
@pytest.mark.parametrize("groups", [[], ["day"], ["account_id", "tag"], ["template_id"]])
async def test_only_the_index_ranges_of_the_days_are_read(
    acme: Organization, rival: Organization, groups: list[str]
) -> None:
    await make_mail(acme, await make_account(acme))
    (theirs,) = await make_mail(rival, await make_account(rival))
    await copy_row(await MailLog.of(rival).get(id=theirs), [uuid7() for _ in range(2_000)])
    today = clock.today("UTC")
    asked = acme.id, "UTC", outcomes.spans_of("UTC", [today - timedelta(days=ago) for ago in range(30)]), groups
    with look_ups() as sent:
        assert await outcomes.count_at_most(*asked, 10) == 1
        (row,) = await outcomes.count_outcomes(*asked, 10)
    assert row["accepted"] == 1
    assert len(sent) == 2
    for statement, values in sent:
        steps = await chosen_plan_of(statement, *values)
        assert not [step for step in steps if re.search(r"Seq Scan on mail|^SCAN (m|h|mail_\w+)$", step)], steps
        for table, found in IN_RANGE.items():
            assert [step for step in steps if re.search(found, step)], (table, steps)
