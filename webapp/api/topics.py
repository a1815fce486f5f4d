"""/v1/topics, and which of them a contact gets."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Done, Many, One, Time, answers, makes, shaped
from webapp.clock import timestamp
from webapp.domain.contacts import contacts
from webapp.domain.roles import Action
from webapp.domain.topics import choices, topics
from webapp.domain.topics.choices import Choice, TopicSubscriptions
from webapp.domain.topics.topics import NewTopic, TopicChanges
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import Paging, query

blueprint = Blueprint("topics", __name__)


class Topic(TypedDict):
    """What contacts can leave or join without leaving the others."""

    id: UUID
    name: str
    description: str | None
    default_subscription: Literal["opt_in", "opt_out"]
    visibility: Literal["public", "private"]
    position: int
    created_at: Time
    updated_at: Time


class ContactTopic(TypedDict):
    """A topic, and whether the contact gets it."""

    id: UUID
    name: str
    description: str | None
    visibility: Literal["public", "private"]
    subscription: Literal["opt_in", "opt_out"]
    is_default: Annotated[bool, Field(description="Whether the contact has not chosen, so that the default applies.")]
    changed_at: Annotated[Time | None, Field(description="When the contact chose; null if it has not.")]


class ContactTopics(TypedDict):
    """All topics of the organization in their order, each with the contact's subscription."""

    data: list[ContactTopic]


@makes(ContactTopic)
def _contact_topic(choice: Choice) -> ContactTopic:
    changed_at = choice.changed_at and timestamp(choice.changed_at)
    chosen = {"subscription": choice.subscription, "is_default": choice.is_default, "changed_at": changed_at}
    return shaped(ContactTopic, choice.topic, **chosen)


@blueprint.get("/topics")
@guarded(Action.READ)
@query(Paging)
@answers(Many[Topic])
async def index(query_args: Paging) -> object:
    """List topics, ordered by position and then by name."""
    return await topics.list_topics(g.caller.org, query_args.wanted)


@blueprint.post("/topics")
@guarded(Action.TOPICS)
@json_body(NewTopic)
@answers(One[Topic], 201)
async def create(data: NewTopic) -> object:
    """Create a topic.

    Its default says who gets it before they choose: everyone (`opt_in`) or no one (`opt_out`).
    """
    return await topics.add_topic(g.caller.org, data)


@blueprint.get("/topics/<topic_id>")
@guarded(Action.READ, topics.find_topic)
@answers(One[Topic])
async def show(topic: models.Topic) -> object:
    """Get a topic."""
    return topic


@blueprint.patch("/topics/<topic_id>")
@guarded(Action.TOPICS, topics.find_topic)
@json_body(TopicChanges)
@answers(One[Topic])
async def change(topic: models.Topic, data: TopicChanges) -> object:
    """Change a topic.

    Omitted fields keep their values, and `default_subscription` can't be changed.
    """
    return await topics.change_topic(g.caller.org, topic, data)


@blueprint.delete("/topics/<topic_id>")
@guarded(Action.TOPICS, topics.find_topic)
@answers(Done)
async def remove(topic: models.Topic) -> None:
    """Delete a topic and what contacts have chosen about it.

    Campaigns about it have none afterwards; those that are scheduled are halted.
    """
    await topics.delete_topic(g.caller.org, topic)


@blueprint.get("/contacts/<address(upsert, batch):contact_id>/topics")
@guarded(Action.READ, contacts.find_contact)
@answers(ContactTopics)
async def contact_index(contact: models.Contact) -> object:
    """List which topics a contact gets, named by its id or address."""
    return {"data": await choices.list_choices(g.caller.org, contact)}


@blueprint.patch("/contacts/<address(upsert, batch):contact_id>/topics")
@guarded(Action.CONTACTS, contacts.find_contact)
@json_body(TopicSubscriptions)
@answers(ContactTopics)
async def contact_change(contact: models.Contact, data: TopicSubscriptions) -> object:
    """Opt a contact in to topics or out of them.

    Topics that are not named stay as they are. If one does not exist, nothing changes.
    """
    return {"data": await choices.choose_topics(g.caller.org, contact, data)}
