"""Choices of contacts, made now."""

from webapp import clock
from webapp.models import Contact, Topic, TopicChoice


async def choose(topic: Topic, *contacts: Contact, subscription: str) -> None:
    for contact in contacts:
        await TopicChoice.update_or_create(
            {"subscription": subscription, "source": "person", "changed_at": clock.now()},
            org_id=topic.org_id, topic=topic, contact=contact,
        )  # fmt: skip
