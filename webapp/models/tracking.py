"""The links of tracked emails, and the requests for them and for the emails' pixels, called hits."""


from tortoise import fields

from webapp.models.base import IndexWhere, OrgModel
from webapp.models.organization import Organization

AGENT_LENGTH = 300  # characters
NETWORK_LENGTH = 16  # hexadecimal digits
MOST_HITS = 20  # of one link of one email: later ones tell nothing new


class TrackedLink(OrgModel):
    """The target of a link of a content; it outlives both, so that links in old mail go on working."""

    content_id = fields.UUIDField()
    number = fields.SmallIntField()  # from 1, as in the content's placeholders
    url = fields.TextField()

    class Meta:
        table = "tracked_links"
        indexes = (("org_id", "id"), ("content_id", "number"))


class MailHit(OrgModel):
    """A request for a link of an email, or for its pixel where `link_id` is null."""

    # To check the key would lock the organization.
    org: fields.ForeignKeyRelation[Organization] = fields.ForeignKeyField("models.Organization", db_constraint=False)
    mail_log_id = fields.UUIDField()
    run_id = fields.UUIDField(null=True)
    link_id = fields.UUIDField(null=True)
    agent = fields.CharField(max_length=AGENT_LENGTH)
    network = fields.CharField(max_length=NETWORK_LENGTH)  # a hash, by a salt that is forgotten after a day
    is_head = fields.BooleanField(default=False)
    is_prefetch = fields.BooleanField(default=False)
    repeats = fields.IntField(default=0)  # further requests at the same time
    verdict = fields.CharField(max_length=12, null=True)  # who made it, by domain/tracking/rules; null: not judged yet

    class Meta:
        table = "mail_hits"
        indexes = (
            ("mail_log_id", "link_id"),
            IndexWhere(fields=("run_id", "created_at"), name="mail_hits_of_run", where="run_id IS NOT NULL"),
            IndexWhere(fields=("created_at",), name="mail_hits_unjudged", where="verdict IS NULL"),
        )
