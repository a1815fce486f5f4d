"""What contacts chose of a topic, in SQL, and the words for those who left it."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.addresses import email_key
from webapp.db.dialects import Values, as_instant, as_uuid
from webapp.models.topic import IS_THERE, Subscription

OPTED_OUT = 'opted out of "'  # the prefix of a row's error
GONE = "the topic was deleted before the email was sent"


def effective_subscription(topic_id: str, org_id: str, contact_id: str = "c.id", default: str = "") -> str:
    """The contact's own choice, or the topic's `default`; `opt_out` once the topic is deleted."""
    default = default or default_subscription(topic_id, org_id)
    own = f"SELECT h.subscription FROM topic_choices h WHERE h.topic_id = {topic_id} AND h.contact_id = {contact_id}"
    return f"CASE WHEN {default} IS NULL THEN '{Subscription.OPT_OUT}' ELSE COALESCE(({own}), {default}) END"


def default_subscription(topic_id: str, org_id: str) -> str:
    """A scalar subquery, read once if both are parameters; null once the topic is deleted."""
    topic = f"topics t WHERE t.id = {topic_id} AND t.org_id = {org_id} AND t.{IS_THERE}"
    return f"(SELECT t.default_subscription FROM {topic})"


async def find_default(org_id: UUID, topic_id: UUID) -> str | None:
    default: str | None = await db.fetch_value(f"SELECT {default_subscription('$1', '$2')}", topic_id, org_id)
    return default


def opted_out_words(name: str, changed_at: datetime | None) -> str:
    """The error of a row; without a time, the topic's default says it."""
    return f'{OPTED_OUT}{name}"' + (f" on {changed_at:%Y-%m-%d}" if changed_at else "")


class TopicState(NamedTuple):
    """The contact of an address, if any, and the error of a row to it about a topic."""

    contact_id: UUID | None
    refusal: str | None


async def topic_states(org_id: UUID, asked: Collection[tuple[str, UUID]]) -> dict[tuple[str, UUID], TopicState]:
    """By address and topic, by one statement; the topic's default is for those who are no contacts, too."""
    if not asked:
        return {}
    sql, keys = db.dialect(), {(email_key(email), topic_id) for email, topic_id in asked}
    values = Values(sql.table_values(list(keys)))
    org = values.name(org_id)
    contact = f"(SELECT c.id FROM contacts c WHERE c.org_id = {org} AND c.email_key = k.email_key)"
    topic = f"topics t WHERE t.id = w.topic_id AND t.org_id = {org} AND t.{IS_THERE}"
    choice = "topic_choices h WHERE h.topic_id = w.topic_id AND h.contact_id = w.contact_id"
    rows = await db.records(
        f"""SELECT w.email_key, w.topic_id, w.contact_id,
              {effective_subscription("w.topic_id", org, "w.contact_id")} AS effective,
              (SELECT t.name FROM {topic}) AS name, (SELECT h.changed_at FROM {choice}) AS changed_at
            FROM (SELECT k.email_key, k.topic_id, {contact} AS contact_id
                  FROM {sql.table({"email_key": "text", "topic_id": "uuid"})}) w""",
        *values,
    )
    states = {(row["email_key"], as_uuid(row["topic_id"])): _state(row) for row in rows}
    return {(email, topic_id): states[email_key(email), topic_id] for email, topic_id in asked}


def _state(row: db.Row) -> TopicState:
    contact_id = None if row["contact_id"] is None else as_uuid(row["contact_id"])
    return TopicState(contact_id, opted_out_reason(row))


def opted_out_reason(row: db.Row) -> str | None:
    """The error of a row, by the topic's name, the effective subscription and the time of the contact's own choice."""
    if row["effective"] == Subscription.OPT_IN:
        return None
    changed_at = None if row["changed_at"] is None else as_instant(row["changed_at"])
    return GONE if row["name"] is None else opted_out_words(row["name"], changed_at)
