"""/resend/topics, and which of them a contact gets."""

from typing import Any

from quart import Blueprint, g

from webapp import models
from webapp.domain.contacts import contacts
from webapp.domain.inputs import read_input
from webapp.domain.pagination import newest_page
from webapp.domain.roles import Action
from webapp.domain.topics import choices, topics
from webapp.domain.topics.choices import TopicSubscriptions
from webapp.domain.topics.topics import NewTopic, TopicChanges
from webapp.http.auth.permissions import guarded
from webapp.http.paging import query
from webapp.resend.shapes import Body, ListQuery, body, created, deleted, listed, named, page_of, time

blueprint = Blueprint("topics", __name__)


def read_subscriptions(value: Any) -> Any:
    """An object or, as the clients send it, the array alone. Raises ValidationError."""
    whole = {"topics": value} if isinstance(value, list) else value
    return read_input(TopicSubscriptions, whole, strict=True, is_lenient=True)


@blueprint.get("/topics")
@guarded(Action.READ)
@query(ListQuery)
async def index(query_args: ListQuery) -> Body:
    return page_of(await newest_page(models.Topic, g.caller.org, query_args.cursor, "a topic"), _outline)


@blueprint.post("/topics")
@guarded(Action.TOPICS)
@body(NewTopic)
async def create(data: NewTopic) -> tuple[Body, int]:
    return created("topic", (await topics.add_topic(g.caller.org, data)).id)


@blueprint.get("/topics/<topic_id>")
@guarded(Action.READ, topics.find_topic)
async def show(topic: models.Topic) -> Body:
    return {"object": "topic", **_outline(topic)}


@blueprint.patch("/topics/<topic_id>")
@guarded(Action.TOPICS, topics.find_topic)
@body(TopicChanges)
async def change(topic: models.Topic, data: TopicChanges) -> Body:
    await topics.change_topic(g.caller.org, topic, data)
    return named("topic", topic.id)


@blueprint.delete("/topics/<topic_id>")
@guarded(Action.TOPICS, topics.find_topic)
async def remove(topic: models.Topic) -> Body:
    await topics.delete_topic(g.caller.org, topic)
    return deleted("topic", topic.id)


@blueprint.get("/contacts/<contact_id>/topics")
@guarded(Action.READ, contacts.find_contact)
async def contact_index(contact: models.Contact) -> Body:
    rows = await choices.list_choices(g.caller.org, contact)
    return listed(
        {
            "id": choice.topic.id,
            "name": choice.topic.name,
            "description": choice.topic.description or "",
            "subscription": choice.subscription,
        }
        for choice in rows
    )


@blueprint.patch("/contacts/<contact_id>/topics")
@guarded(Action.CONTACTS, contacts.find_contact)
@body(TopicSubscriptions, read=read_subscriptions)
async def contact_change(contact: models.Contact, data: TopicSubscriptions) -> Body:
    await choices.choose_topics(g.caller.org, contact, data)
    changed = [{"id": topic_id, "subscription": subscription} for topic_id, subscription in data.changes().items()]
    # The documentation has `contact_id`, and the clients have `id`.
    return named("contact_topics", contact.id, contact_id=contact.id, topics=changed)


def _outline(topic: models.Topic) -> Body:
    return {
        "id": topic.id,
        "name": topic.name,
        "description": topic.description or "",
        "default_subscription": topic.default_subscription,
        "visibility": topic.visibility,
        "created_at": time(topic.created_at),
    }
