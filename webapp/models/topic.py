"""Topics that contacts can leave or join on their own, and their choices."""

from enum import StrEnum
from uuid import UUID

from tortoise import fields

from webapp.models.base.org_model import OrgModel
from webapp.models.contact import Contact, search_form

MOST_TOPICS = 50  # per organization


class Subscription(StrEnum):
    """Of a topic's default, `opt_in` reaches everyone who did not leave, and `opt_out` only those who joined."""

    OPT_IN = "opt_in"
    OPT_OUT = "opt_out"


class Visibility(StrEnum):
    PUBLIC = "public"
    PRIVATE = "private"  # shown only to those who are in it


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


class TopicChoice(OrgModel):
    """A contact's own choice; without one the topic's default applies."""

    topic: fields.ForeignKeyRelation[Topic] = fields.ForeignKeyField("models.Topic", related_name="choices")
    topic_id: UUID
    contact: fields.ForeignKeyRelation[Contact] = fields.ForeignKeyField("models.Contact", related_name="topic_choices")
    contact_id: UUID
    subscription = fields.CharField(max_length=8)
    source = fields.CharField(max_length=8)  # a ConsentKind
    changed_at = fields.DatetimeField()

    class Meta:
        table = "topic_choices"
        unique_together = (("topic_id", "contact_id"),)
        indexes = (("contact_id",), ("topic_id", "subscription", "contact_id"))


def topic_key(name: str) -> str:
    """What names have in common that differ by case alone."""
    return search_form(name)[:200]
