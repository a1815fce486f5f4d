"""Which topics a contact gets: the contact's own choices, and elsewhere the topic's default."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Annotated, Literal, NamedTuple
from uuid import UUID

from pydantic import Field

from webapp import clock, db
from webapp.domain.contacts import consent
from webapp.domain.contacts.consents import NewConsent, record_consents
from webapp.domain.contacts.contacts import lock_contact
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.upsert import upsert_contact
from webapp.domain.event_log import record_topics
from webapp.domain.inputs import Id, Input, examples
from webapp.domain.topics.topics import NOT_FOUND, all_topics
from webapp.errors import NotFound, ValidationError
from webapp.models import Contact, Organization, Topic, TopicChoice
from webapp.models.contact import ConsentKind
from webapp.models.topic import MOST_TOPICS, Subscription

WORDS = {Subscription.OPT_IN: "Opted in to “{}”.", Subscription.OPT_OUT: "Opted out of “{}”."}


class TopicSubscription(Input):
    """A topic, and whether the contact gets it."""

    id: Id = Field(description="The id of the topic.")
    subscription: Literal["opt_in", "opt_out"] = Field(description="`opt_in` to get it, `opt_out` not to.")


class TopicSubscriptions(Input):
    """The topics to change; the others stay as they are."""

    model_config = examples({"topics": [{"id": "019a9f6e-5c1a-7cc3-9d6e-0f6f5f3b2a10", "subscription": "opt_out"}]})

    topics: Annotated[list[TopicSubscription], Field(max_length=MOST_TOPICS)] = Field(
        description="Each topic once, with its subscription."
    )

    def changes(self) -> dict[UUID, str]:
        """The subscriptions by topic. Raises ValidationError for a topic that is there twice."""
        changes = {topic.id: topic.subscription for topic in self.topics}
        if len(changes) < len(self.topics):
            raise ValidationError.at("topics", "must name each topic once")
        return dict(changes)


class Choice(NamedTuple):
    topic: Topic
    own: TopicChoice | None

    @property
    def subscription(self) -> Subscription:
        return Subscription(self.topic.default_subscription if self.own is None else self.own.subscription)

    @property
    def has_left(self) -> bool:
        """True if the contact opted out by its own choice."""
        return self.own is not None and self.own.subscription == Subscription.OPT_OUT

    @property
    def is_default(self) -> bool:
        """True if the contact has not chosen; a choice may equal the default."""
        return self.own is None

    @property
    def source(self) -> str | None:
        """How the contact chose, as a ConsentKind."""
        return None if self.own is None else self.own.source

    @property
    def changed_at(self) -> datetime | None:
        return None if self.own is None else self.own.changed_at


async def list_choices(org: Organization, contact: Contact) -> list[Choice]:
    """One of each topic, in the order of the topics."""
    own = {choice.topic_id: choice for choice in await TopicChoice.of(org).filter(contact_id=contact.id)}
    return [Choice(topic, own.get(topic.id)) for topic in await all_topics(org)]


async def count_choices(org: Organization, topics: Collection[Topic]) -> dict[UUID, dict[str, int]]:
    """The contacts that chose each subscription of each topic, MOST_COUNTED at most."""
    async with db.searching(org.id):
        return await TopicChoice.count_by_topic([topic.id for topic in topics])


async def choose_topics(org: Organization, contact: Contact, data: TopicSubscriptions) -> list[Choice]:
    """Locks the contact and changes its choices on its behalf. Raises NotFound for it or a topic, ValidationError."""
    changes = data.changes()
    async with db.write_transaction():
        await change_choices(org, await lock_contact(org, contact.id), changes, ConsentKind.API)
    return await list_choices(org, contact)


async def upsert_with_choices(org: Organization, row: NewContact, data: TopicSubscriptions) -> Contact:
    """Creates or changes a contact with its choices in one transaction. Raises like `upsert_contact`, NotFound."""
    changes = data.changes()
    async with db.write_transaction():
        contact, _ = await upsert_contact(org, row)
        if changes:
            await change_choices(org, contact, changes, ConsentKind.API)
    return contact


async def change_choices(
    org: Organization,
    contact: Contact,
    changes: Mapping[UUID, str],
    kind: ConsentKind,
    campaign_id: UUID | None = None,
) -> list[TopicChoice]:
    """Saves a locked contact's choices by topic in the outer transaction; returns those that are new or other ones.

    Records their events, consents and lines of the consent log. `campaign_id` is that of the link that was used.
    Raises NotFound for an unknown topic.
    """
    topics = {topic.id: topic for topic in await Topic.lock_for_choices(org, changes)}
    if topics.keys() != set(changes):
        raise NotFound(f"topics.id: {NOT_FOUND}")
    contact.chosen_at = clock.now()
    await contact.save(update_fields=["chosen_at"])
    own = {choice.topic_id: choice for choice in await TopicChoice.of(org).filter(contact_id=contact.id)}
    changed = [
        TopicChoice(
            org_id=org.id,
            topic_id=topic_id,
            contact_id=contact.id,
            subscription=subscription,
            source=kind,
            changed_at=contact.chosen_at,
            campaign_id=campaign_id,
        )
        for topic_id, subscription in changes.items()
        if topic_id not in own or own[topic_id].subscription != subscription
    ]
    await TopicChoice.delete_among([own[choice.topic_id].id for choice in changed if choice.topic_id in own])
    await TopicChoice.insert_many(changed)
    if changed:
        await record_consents(consent_of(choice, topics[choice.topic_id]) for choice in changed)
        chosen = {choice.topic_id: choice.subscription for choice in changed}
        await consent.record([contact], topics={contact.id: chosen})
        await record_topics(changed)
    return changed


async def leave_topics(org: Organization, topics: Mapping[UUID, Collection[UUID]]) -> int:
    """Opts contacts out of topics, as they once did, in one transaction; returns how many contacts changed.

    Skips contacts and topics that do not exist.
    """
    async with db.write_transaction():
        contacts = await Contact.lock_many(org, topics)
        wanted = {topic_id for topic_ids in topics.values() for topic_id in topic_ids}
        there = {topic.id for topic in await Topic.lock_for_choices(org, wanted)}
        changed = 0
        for contact in contacts:
            changes = dict.fromkeys(there.intersection(topics[contact.id]), Subscription.OPT_OUT.value)
            changed += bool(changes and await change_choices(org, contact, changes, ConsentKind.PERSON))
    return changed


def consent_of(choice: TopicChoice, topic: Topic) -> NewConsent:
    text = WORDS[Subscription(choice.subscription)].format(topic.name)
    return NewConsent(choice.org_id, choice.contact_id, ConsentKind(choice.source), text, choice.topic_id)
