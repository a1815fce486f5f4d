"""Which recipients of emails get nothing: suppressed and erased addresses, and those who opted out of the topic."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from webapp.models import Organization, Topic
from webapp.models.queries.contacts.suppressed import reasons_against
from webapp.models.queries.contacts.topic_state import TopicState, topic_states


class Recipients(NamedTuple):
    """The addresses of an email, and its topic."""

    emails: Sequence[str]
    topic_id: UUID | None


class RecipientCheck(NamedTuple):
    """The errors of an email's recipients by address, and what its unsubscribe links are made of while it is built."""

    refused: Mapping[str, str]
    links: Mapping[str, Any]


async def topics_named(org: Organization, ids: Collection[UUID | None]) -> set[UUID]:
    """Those of these topics that exist."""
    named = [topic_id for topic_id in set(ids) if topic_id is not None]
    return {topic.id for topic in await Topic.of(org).filter(id__in=named).only("id")} if named else set()


async def check_recipients(
    org: Organization, groups: Sequence[Recipients], *, may_be_suppressed: bool
) -> list[RecipientCheck]:
    suppressed: Mapping[str, str] = {}
    if may_be_suppressed:
        suppressed = await reasons_against(org.id, {email for recipients in groups for email in recipients.emails})
    asked = [(email, topic_id) for emails, topic_id in groups if topic_id is not None for email in emails]
    states = await topic_states(org.id, asked)
    return [_checked(org, recipients, suppressed, states) for recipients in groups]


def _checked(
    org: Organization,
    recipients: Recipients,
    suppressed: Mapping[str, str],
    states: Mapping[tuple[str, UUID], TopicState],
) -> RecipientCheck:
    emails, topic_id = recipients
    if topic_id is None:
        return RecipientCheck(suppressed, {})
    left = {email: reason for email in emails if (reason := states[email, topic_id].refusal) is not None}
    contact_id = states[emails[0], topic_id].contact_id if len(emails) == 1 else None
    if contact_id is None:  # the others have the page that mails them their link
        return RecipientCheck({**left, **suppressed}, {"preferences_key": org.public_key})
    return RecipientCheck({**left, **suppressed}, {"unsubscribe": [str(contact_id), str(topic_id)]})
