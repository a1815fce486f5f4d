"""Topics that contacts can leave or join on their own, and their choices."""

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Self
from uuid import UUID

from tortoise import fields
from tortoise.queryset import QuerySet

from webapp import db
from webapp.languages.spelling import search_form
from webapp.models.base.indexes import IndexWhere
from webapp.models.base.org_model import OrgModel
from webapp.models.contact import Contact
from webapp.models.organization import Organization

MOST_TOPICS = 50  # per organization
MOST_COUNTED = 10_000  # choices
CHOICES_AT_ONCE = 5_000  # deleted in one transaction, during which nobody else can write to SQLite


class Subscription(StrEnum):
    """Of a topic's default, `opt_in` reaches everyone who did not leave, and `opt_out` only those who joined."""

    OPT_IN = "opt_in"
    OPT_OUT = "opt_out"

    @property
    def other(self) -> "Subscription":
        return Subscription.OPT_OUT if self is Subscription.OPT_IN else Subscription.OPT_IN


class Visibility(StrEnum):
    PUBLIC = "public"
    PRIVATE = "private"  # shown only to those who are in it
    DELETED = "deleted"  # as good as gone, while its choices are being deleted


IS_THERE = "visibility <> 'deleted'"


class Topic(OrgModel):
    name = fields.CharField(max_length=200)
    name_key = fields.CharField(max_length=200)  # in its search form, cut; unique
    description = fields.TextField(null=True)
    default_subscription = fields.CharField(max_length=8)  # never changes, or choices would change their meaning
    visibility = fields.CharField(max_length=8, default=Visibility.PRIVATE, db_default="private")
    position = fields.IntField(default=0, db_default=0)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "topics"
        unique_together = (("org_id", "name_key"),)

    @classmethod
    def of(cls, org: Organization) -> QuerySet[Self]:
        return super().of(org).exclude(visibility=Visibility.DELETED)

    @classmethod
    def in_order(cls, org: Organization) -> QuerySet[Self]:
        return cls.of(org).order_by("position", "name_key")

    @classmethod
    async def lock_for_choices(cls, org: Organization, ids: Iterable[UUID]) -> list[Self]:
        """Locks the topics that exist against deletion until the transaction ends. Lock contacts first."""
        sql = db.dialect()
        query = f"""SELECT * FROM topics WHERE id {sql.among("$1")} AND org_id = $2 AND {IS_THERE}
            ORDER BY id {sql.lock("FOR KEY SHARE")}"""
        return [cls._init_from_db(**dict(row)) for row in await db.records(query, list(ids), org.id)]

    @classmethod
    async def deleted(cls) -> list[UUID]:
        return await db.fetch_ids(f"SELECT id FROM topics WHERE NOT ({IS_THERE})")

    @classmethod
    async def delete_some(cls, topic_id: UUID) -> bool:
        """Deletes some choices of a deleted topic; without any, deletes it and returns False. Commits."""
        some = f"""SELECT id FROM topic_choices WHERE topic_id = $1 LIMIT {CHOICES_AT_ONCE}
            {db.dialect().lock("FOR UPDATE SKIP LOCKED")}"""
        if await db.fetch(f"DELETE FROM topic_choices WHERE id IN ({some}) RETURNING id", topic_id):
            return True
        await cls.filter(id=topic_id, visibility=Visibility.DELETED).delete()
        return False


class TopicChoice(OrgModel):
    """A contact's own choice; without one the topic's default applies."""

    topic: fields.ForeignKeyRelation[Topic] = fields.ForeignKeyField("models.Topic", related_name="choices")
    topic_id: UUID
    contact: fields.ForeignKeyRelation[Contact] = fields.ForeignKeyField("models.Contact", related_name="topic_choices")
    contact_id: UUID
    subscription = fields.CharField(max_length=8)
    source = fields.CharField(max_length=8)  # a ConsentKind
    changed_at = fields.DatetimeField()
    campaign_id = fields.UUIDField(null=True)  # whose link it was made by, like Contact.unsubscribed_campaign_id

    class Meta:
        table = "topic_choices"
        unique_together = (("topic_id", "contact_id"),)
        indexes = (
            ("contact_id",),
            ("topic_id", "subscription", "contact_id"),
            IndexWhere(fields=("campaign_id",), name="topic_choices_campaign", where="campaign_id IS NOT NULL"),
        )

    @classmethod
    async def count_left(cls, org: Organization, campaign_id: UUID, topic_ids: Collection[UUID]) -> int:
        """The contacts who opted out of one of the topics by the link of a campaign's email."""
        query = f"""SELECT COUNT(DISTINCT contact_id) FROM topic_choices WHERE org_id = $1 AND campaign_id = $2
            AND topic_id {db.dialect().among("$3")} AND subscription = $4"""
        return int(await db.fetch_value(query, org.id, campaign_id, list(topic_ids), Subscription.OPT_OUT))

    @classmethod
    async def of_contacts(cls, org: Organization, contact_ids: Collection[UUID]) -> list[Self]:
        query = f"SELECT * FROM topic_choices WHERE contact_id {db.dialect().among('$1')} AND org_id = $2"
        return [cls._init_from_db(**dict(row)) for row in await db.records(query, list(contact_ids), org.id)]

    @classmethod
    async def count_by_topic(cls, topic_ids: Collection[UUID]) -> dict[UUID, dict[str, int]]:
        """The contacts that chose each subscription of each topic, MOST_COUNTED at most."""
        counts: dict[UUID, dict[str, int]] = {}
        some = f"""SELECT 1 FROM topic_choices c WHERE c.topic_id = $1 AND c.subscription = $2
            LIMIT {MOST_COUNTED}"""
        for topic_id in topic_ids:
            counts[topic_id] = {
                subscription: await db.fetch_value(f"SELECT COUNT(*) FROM ({some}) s", topic_id, subscription)
                for subscription in Subscription
            }
        return counts

    @classmethod
    async def made_by(cls, contact_ids: Collection[UUID]) -> set[UUID]:
        """Those of the contacts that have chosen about a topic."""
        query = f"SELECT DISTINCT contact_id AS id FROM topic_choices WHERE contact_id {db.dialect().among('$1')}"
        return set(await db.fetch_ids(query, list(contact_ids)))


def topic_key(name: str) -> str:
    """What names have in common that differ by case alone."""
    return search_form(name)[:200]
