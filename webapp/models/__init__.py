"""The tables; Tortoise finds every model through this module."""
# ruff: noqa: F401 - others import these names from here

from webapp.models.account import Account, AccountUsage, BounceReport, MailboxReading, ProviderSlowdown
from webapp.models.api_key import ApiKey
from webapp.models.api_request import ApiRequest, ApiRequestDetails, IdempotencyKey
from webapp.models.audit import AuditEntry
from webapp.models.base.row_total import RowDelta, RowTotal
from webapp.models.campaign import Campaign
from webapp.models.campaign_run import CampaignContact, CampaignRun, CampaignRunAccount
from webapp.models.contact import BulkChange, Consent, ConsentLine, Contact, CustomField
from webapp.models.contact_import import ContactImport, ImportChange, ImportChunk, ImportRefusal
from webapp.models.email import Attachment, Content, ContentFile, Email, EmailTag, SandboxMail
from webapp.models.event import Event, Webhook, WebhookAttempt, WebhookDelivery
from webapp.models.from_check import FromCheck
from webapp.models.instance import Instance, WorkerHeartbeat
from webapp.models.mail_log import MailDay, MailEvent, MailHit, MailLog, OutcomeDay, OutcomeGroup, TrackedLink
from webapp.models.media import Media, MediaFile
from webapp.models.notification import Notification
from webapp.models.organization import Organization
from webapp.models.people import ClaimLink, Invitation, Membership, OneTimeLink, RecoveryCode, Session, User
from webapp.models.reader_mail import ReaderMail
from webapp.models.segment import Segment, SegmentContact, SegmentSheet, SegmentWatch, WatchedMember
from webapp.models.sign_up_form import BarredAddress, PendingSignUp, SignUpForm
from webapp.models.suppression import Suppression, Tombstone
from webapp.models.template import Brand, Template, TemplateVersion
from webapp.models.topic import Topic, TopicChoice
from webapp.models.usage import OrgUsage

__all__ = [name for name, value in list(globals().items()) if hasattr(value, "_meta")]

# Tortoise copies docstrings into the schema, so each edit of one would need a migration.
for _name in __all__:
    globals()[_name]._meta.table_description = ""  # noqa: SLF001 - Tortoise has no other switch
