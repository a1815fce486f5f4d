"""The topics of an organization."""

from functools import partial
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints
from tortoise.functions import Max

from webapp import clock, db
from webapp.domain import inputs
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.inputs import Input, Name, examples
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.errors import Conflict, NotFound, ValidationError
from webapp.models import Organization, SignUpForm, Topic
from webapp.models.campaign import forget_topic
from webapp.models.topic import MOST_TOPICS, Visibility, topic_key

DESCRIPTION_LENGTH = 1_000
LAST_POSITION = 1_000_000
DELETE_SECONDS = 8.0
NOT_FOUND = "topic not found"

Sentence = Annotated[
    Annotated[str, StringConstraints(max_length=DESCRIPTION_LENGTH)] | None,
    AfterValidator(lambda text: (text or "").strip() or None),
]
Position = Annotated[inputs.Integer, Field(ge=0, le=LAST_POSITION)]


class NewTopic(Input):
    """A topic. Contacts can leave or join each on its own, and stay subscribed."""

    model_config = examples(
        {"name": "Product news", "default_subscription": "opt_in", "visibility": "public"},
        {"name": "Beta program", "description": "What we try out, once a month.", "default_subscription": "opt_out"},
    )

    name: Name = Field(description="The name that readers see, unique in the organization without case.")
    description: Sentence = Field(default=None, description="A sentence that readers see beside the name.")
    default_subscription: Literal["opt_in", "opt_out"] = Field(
        description="`opt_in`: everybody gets it who did not leave. `opt_out`: only those who chose it. It can't be "
        "changed later."
    )
    visibility: Literal["public", "private"] = Field(
        default="private", description="The preference page shows private topics only to those who are in them."
    )
    position: Position = Field(
        default=0,
        description="Its place in lists, which are in this order and then by name; the last place by default.",
    )


@inputs.partial(NewTopic)
class TopicChanges(Input):
    """Changes of a topic. Its default stays, because other choices would change their meaning."""

    model_config = examples({"name": "News of our products", "position": 1})


async def list_topics(org: Organization, page: Page) -> Listed[Topic]:
    return await fetch_page(Topic.in_order(org), page)


async def all_topics(org: Organization) -> list[Topic]:
    """In order."""
    return await Topic.in_order(org)


find_topic = Topic.one_of


async def topic_named(org: Organization, topic_id: UUID) -> Topic:
    """The topic of a body's `topic_id`. Raises NotFound naming the field."""
    topic = await Topic.of(org).get_or_none(id=topic_id)
    if topic is None:
        raise NotFound(f"topic_id: {NOT_FOUND}")
    return topic


async def add_topic(org: Organization, data: NewTopic) -> Topic:
    """Locks the organization. Raises ValidationError for a name in use, Conflict if there are too many."""
    values = {name: getattr(data, name) for name in NewTopic.model_fields}
    async with db.write_transaction():
        await org.lock_settings()
        if await Topic.of(org).count() >= MOST_TOPICS:
            raise Conflict(f"an organization can have {MOST_TOPICS} topics at most")
        if "position" not in data.model_fields_set:
            last = await Topic.of(org).annotate(last=Max("position")).first().values_list("last", flat=True)
            values["position"] = 0 if last is None else min(int(str(last)) + 1, LAST_POSITION)
        topic = Topic(org_id=org.id, name_key=topic_key(data.name), **values)
        await _refuse_known(org, topic)
        await topic.save(force_create=True)
        await record(org, AuditAction.TOPIC_ADDED, topic.id, topic.name)
    return topic


async def change_topic(org: Organization, topic: Topic, data: TopicChanges) -> Topic:
    """Raises ValidationError for another default or a name in use, NotFound if it was deleted since."""
    values = data.given()
    if values.pop("default_subscription", topic.default_subscription) != topic.default_subscription:
        words = "can't be changed: people have chosen by it. Create another topic instead"
        raise ValidationError.at("default_subscription", words)
    async with db.write_transaction():
        await org.lock_settings()
        locked = await _lock(org, topic.id)
        details: dict[str, Any] = {
            name: [old, new] for name, new in values.items() if (old := getattr(locked, name)) != new
        }
        locked.update_from_dict(values)
        locked.name_key = topic_key(locked.name)
        await _refuse_known(org, locked)
        await locked.save()
        if details:
            await record(org, AuditAction.TOPIC_CHANGED, locked.id, locked.name, **details)
    return locked


async def delete_topic(org: Organization, topic: Topic) -> None:
    """Deletes the topic, then its choices in batches, and halts scheduled campaigns about it. Raises NotFound."""
    async with db.write_transaction():
        locked = await _lock(org, topic.id)
        await forget_topic(locked)
        locked.visibility, locked.name_key = Visibility.DELETED, str(locked.id)
        await locked.save(update_fields=["visibility", "name_key"])
        await record(org, AuditAction.TOPIC_DELETED, locked.id, locked.name)
    await SignUpForm.forget("topic_ids", topic)
    await db.in_batches(lambda: Topic.delete_some(topic.id), DELETE_SECONDS)


async def finish_deleting(seconds: float) -> None:
    """Deletes what requests did not finish."""
    until = clock.elapsed() + seconds
    for topic_id in await Topic.deleted():
        await db.in_batches(partial(Topic.delete_some, topic_id), until - clock.elapsed())


async def _refuse_known(org: Organization, topic: Topic) -> None:
    if await Topic.of(org).filter(name_key=topic.name_key).exclude(id=topic.id).exists():
        raise ValidationError.at("name", "is the name of another topic")


async def _lock(org: Organization, topic_id: UUID) -> Topic:
    """Raises NotFound."""
    topic = await Topic.of(org).select_for_update().get_or_none(id=topic_id)
    if topic is None:
        raise NotFound
    return topic
