"""The tables. Tortoise finds every model through this module."""

from webapp.models.account import Account, AccountUsage
from webapp.models.api_key import ApiKey
from webapp.models.campaign_run import CampaignRun, CampaignRunAccount
from webapp.models.email import Attachment, Content, Email
from webapp.models.heartbeat import WorkerHeartbeat
from webapp.models.mail_log import MailEvent, MailLog
from webapp.models.organization import Organization
from webapp.models.people import ClaimLink, Membership, Session, User
from webapp.models.sandbox_mail import SandboxMail

__all__ = [
    "Account",
    "AccountUsage",
    "ApiKey",
    "Attachment",
    "CampaignRun",
    "CampaignRunAccount",
    "ClaimLink",
    "Content",
    "Email",
    "MailEvent",
    "MailLog",
    "Membership",
    "Organization",
    "SandboxMail",
    "Session",
    "User",
    "WorkerHeartbeat",
]

# Tortoise copies docstrings into the schema, where each edit of one would need a migration.
for _name in __all__:
    globals()[_name]._meta.table_description = ""  # noqa: SLF001 - Tortoise has no other switch
