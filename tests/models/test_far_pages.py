"""What a page costs that lies far down a long list: hardly more than the first one."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from tests.factories import copy_row, make_account, make_mail
from tests.models.queries.test_request_search import make_requests
from tests.queries import cost_of, look_ups
from tests.support.searching import EVERYTHING, LIMIT, NOTHING
from webapp import db
from webapp.models import Email, MailLog, Organization
from webapp.models.queries.email_search import EmailQuery, scan_emails
from webapp.models.queries.mail_log_search import MailLogQuery, search_mail_logs
from webapp.models.queries.request_search import RequestQuery, search_requests

ROWS, FAR = 4_000, 100  # rows of a list, and how many stand beyond the page that is far down
MOST = 2  # times what the first page costs


async def make_rows(org: Organization, table: str) -> list[UUID]:
    """Rows of a table, and as many of the same in the order of their making: their ids, the oldest first."""
    if table == "api_requests":
        return [row.id for row in await make_requests(org, ROWS, 1)]
    (first,) = await make_mail(org, await make_account(org))
    ids = [uuid7() for _ in range(ROWS)]
    if table == "mail_logs":
        await MailLog.of(org).update(status="sent")
        await copy_row(await MailLog.of(org).get(), ids)
        return ids
    email = await Email.of(org).get(id=first)
    fields = {name: getattr(email, name) for name in email._meta.db_fields - {"id", "message_id"}}
    await Email.bulk_create([Email(id=row_id, message_id=f"<{row_id}@acme.example>", **fields) for row_id in ids])
    return ids


async def costs_of(look: Callable[[], Awaitable[Any]]) -> int:
    """What is read for all that a look asks."""
    with look_ups() as sent:
        await look()
    return sum([await cost_of(statement, *values) for statement, values in sent])


@pytest.mark.parametrize(
    ("table", "search", "wanted"),
    [
        ("api_requests", search_requests, RequestQuery),
        ("emails", scan_emails, EmailQuery),
        ("mail_logs", search_mail_logs, MailLogQuery),
    ],
)
async def test_a_page_far_down_a_list_costs_no_more_than_its_first(
    acme: Organization, table: str, search: Callable[..., Awaitable[Any]], wanted: type
) -> None:
    ids = await make_rows(acme, table)
    await db.fetch(f"ANALYZE {table}")
    first = wanted(acme.id, NOTHING, EVERYTHING)
    far = wanted(acme.id, NOTHING, ids[FAR])
    cost, far_cost = [await costs_of(lambda w=one: search(w, LIMIT)) for one in (first, far)]
    assert 0 < far_cost <= MOST * cost
