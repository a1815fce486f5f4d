"""What contacts chose of a topic, in SQL, and the words for those who left it."""

from datetime import datetime
from uuid import UUID

from webapp import db
from webapp.models.topic import IS_THERE, Subscription

OPTED_OUT = 'opted out of "'  # the prefix of a row's error
GONE = "the topic was deleted before the email was sent"


def effective_subscription(topic_id: str, org_id: str, contact_id: str = "c.id") -> str:
    """The contact's own choice, or the topic's default; `opt_out` once the topic is deleted."""
    default = default_subscription(topic_id, org_id)
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
