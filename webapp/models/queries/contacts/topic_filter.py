"""Conditions on the topics that contacts get, in SQL for filters of contacts."""

from webapp.models.queries.contacts.topic_state import default_subscription
from webapp.models.topic import Subscription

OTHER = f"CASE {{}} WHEN '{Subscription.OPT_IN}' THEN '{Subscription.OPT_OUT}' ELSE '{Subscription.OPT_IN}' END"


class TopicQuery:
    """Conditions of one topic, by those who chose against its default, whom an index lists.

    PostgreSQL hashes the list, unlike each contact's own choice, for which it would search a million times.
    """

    def __init__(self, topic: str, org: str) -> None:
        """Both are parameters."""
        self._org, self._default = org, default_subscription(topic, org)
        self._others = f"topic_choices h WHERE h.topic_id = {topic} AND h.subscription = {OTHER.format(self._default)}"

    @property
    def is_opted_in(self) -> str:
        """A condition on the contact `c`."""
        has_chosen = f"EXISTS (SELECT 1 FROM {self._others} AND h.contact_id = c.id)"
        return f"((COALESCE({self._default}, '') = '{Subscription.OPT_IN}') <> {has_chosen})"

    def count(self, op: str) -> str:
        """The number of contacts that match; 0 once the topic is deleted."""
        others = f"(SELECT COUNT(*) FROM {self._others})"
        rest = f"(SELECT COUNT(*) FROM contacts WHERE org_id = {self._org}) - {others}"
        are_others = Subscription.OPT_IN if op == "opted_out" else Subscription.OPT_OUT  # of a topic with this default
        return (
            f"CASE {self._default} WHEN '{are_others}' THEN {others} WHEN '{are_others.other}' THEN {rest} ELSE 0 END"
        )
