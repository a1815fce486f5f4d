"""Which contacts want the mail of a run: subscribed ones that are not paused and did not leave its topic."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.db.dialects import Values, as_instant, as_uuid
from webapp.models.campaign_run import CampaignRun
from webapp.models.queries.contacts.topic_state import effective_subscription, opted_out_reason
from webapp.models.topic import IS_THERE, Subscription

WANTS_MAIL = "c.status = 'subscribed' AND c.bounced_at IS NULL"
EVER = datetime(1970, 1, 1, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def wants_run(run: CampaignRun, values: Values) -> str:
    """A condition: the contact `c` gets the run's mail unless it is suppressed or excluded."""
    wants = f"{WANTS_MAIL} AND NOT {is_paused(run, values)}"
    return wants if run.topic_id is None else f"{wants} AND NOT {has_left_topic(run, values)}"


def is_paused(run: CampaignRun, values: Values) -> str:
    return f"(c.paused_until IS NOT NULL AND c.paused_until > {values.name(_time_of(run))})"


def has_left_topic(run: CampaignRun, values: Values) -> str:
    """A condition on the contact `c`, of which only the ID is read; true for all once the topic is deleted.

    IS NULL, because PostgreSQL would expect almost no rows for a comparison with a scalar subquery.
    """
    if run.topic_id is None:
        return "false"
    effective = effective_subscription(values.name(run.topic_id), values.name(run.org_id))
    return f"(NULLIF({effective}, '{Subscription.OPT_OUT}') IS NULL)"


def paused_contacts(run: CampaignRun, values: Values) -> str:
    """A query of the `id` of each paused contact that wants mail otherwise."""
    at, ever = values.name(_time_of(run)), values.name(EVER[1])
    return f"""SELECT c.id FROM contacts c WHERE c.org_id = {values.name(run.org_id)}
               AND c.paused_until BETWEEN {at} AND {ever} AND c.paused_until > {at} AND {WANTS_MAIL}"""


def is_any_paused(run: CampaignRun, values: Values) -> str:
    """A condition on the organization; not EXISTS, because PostgreSQL may read all its contacts for that."""
    own, at, ever = values.name(run.org_id), values.name(_time_of(run)), values.name(EVER[1])
    return f"""(SELECT c.id FROM contacts c WHERE c.org_id = {own} AND c.paused_until BETWEEN {at} AND {ever}
               ORDER BY c.paused_until LIMIT 1) IS NOT NULL"""


def _time_of(run: CampaignRun) -> datetime:
    """When pauses are compared, the same for all batches of a run."""
    return run.started_at or clock.now()


class Wish(NamedTuple):
    """Why a contact may get no campaigns or is not tracked; `opted_out` has the row's error."""

    status: str
    bounced_at: datetime | None
    do_not_track: bool
    paused_until: datetime | None
    opted_out: str | None


class Asked(NamedTuple):
    row_id: UUID
    org_id: UUID
    contact_id: UUID
    topic_id: UUID | None


async def read_wishes(rows: Iterable[Asked]) -> dict[UUID, Wish | None]:
    """By row, those of the contacts that get no mail of the topic or are not tracked, without locking.

    Deleted contacts are None.
    """
    sql, asked = db.dialect(), list(rows)
    if not asked:
        return {}
    pairs = sql.table(dict.fromkeys(Asked._fields, "uuid"))
    values = Values(sql.table_values(asked))
    now, choice = (
        values.name(clock.now()),
        "topic_choices h WHERE h.topic_id = w.topic_id AND h.contact_id = w.contact_id",
    )
    # The topic is joined, because a subquery would look it up for each row.
    known = f"LEFT JOIN topics t ON t.id = k.topic_id AND t.org_id = k.org_id AND t.{IS_THERE}"
    effective = effective_subscription("k.topic_id", "k.org_id", default="t.default_subscription")
    is_in = f"(k.topic_id IS NULL OR {effective} = '{Subscription.OPT_IN}')"
    # Looked up one by one, because a join might read all contacts.
    wants = f"""SELECT c.do_not_track FROM contacts c WHERE c.id = k.contact_id AND c.org_id = k.org_id
        AND {WANTS_MAIL} AND (c.paused_until IS NULL OR c.paused_until <= {now}) AND {is_in}"""
    topic = f"topics t WHERE t.id = w.topic_id AND t.org_id = w.org_id AND t.{IS_THERE}"
    rows_read = await db.records(
        f"""SELECT w.row_id, w.topic_id, c.status, c.bounced_at, c.do_not_track, c.paused_until,
              {effective_subscription("w.topic_id", "w.org_id")} AS effective,
              (SELECT t.name FROM {topic}) AS name, (SELECT h.changed_at FROM {choice}) AS changed_at
            FROM (SELECT k.row_id, k.org_id, k.contact_id, k.topic_id, ({wants}) AS not_tracked FROM {pairs} {known}) w
            {sql.with_each("contacts", "c", "c.id = w.contact_id AND c.org_id = w.org_id")}
            WHERE w.not_tracked IS NOT FALSE""",
        *values,
    )
    return {as_uuid(row["row_id"]): _wish(row) for row in rows_read}


def _wish(row: db.Row) -> Wish | None:
    if row["status"] is None:
        return None
    opted_out = None if row["topic_id"] is None else opted_out_reason(row)
    times = (None if row[name] is None else as_instant(row[name]) for name in ("bounced_at", "paused_until"))
    bounced_at, paused_until = times
    return Wish(row["status"], bounced_at, bool(row["do_not_track"]), paused_until, opted_out)
