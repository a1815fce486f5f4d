"""Every response body of the API, in the specification's order; other fields are never sent."""

from webapp.api.responses.accounts import Account, account
from webapp.api.responses.campaigns import Campaign, CampaignSent, campaign, campaign_sent
from webapp.api.responses.common import (
    Created,
    Discovery,
    Done,
    Many,
    Meta,
    One,
    Resource,
    Time,
    created,
    done,
    many,
    maybe_time,
    one,
    time,
)
from webapp.api.responses.compose import Composed, composed
from webapp.api.responses.contacts import Contact, contact
from webapp.api.responses.emails import (
    Email,
    EmailBatch,
    EmailList,
    EmailOutline,
    email,
    email_batch,
    email_list,
    email_outline,
)
from webapp.api.responses.mail_logs import MailLog, mail_log, mail_log_parts
from webapp.api.responses.runs import Run, run
from webapp.api.responses.segments import Segment, segment
from webapp.api.responses.templates import Template, template

__all__ = [
    "Account",
    "Campaign",
    "CampaignSent",
    "Composed",
    "Contact",
    "Created",
    "Discovery",
    "Done",
    "Email",
    "EmailBatch",
    "EmailList",
    "EmailOutline",
    "MailLog",
    "Many",
    "Meta",
    "One",
    "Resource",
    "Run",
    "Segment",
    "Template",
    "Time",
    "account",
    "campaign",
    "campaign_sent",
    "composed",
    "contact",
    "created",
    "done",
    "email",
    "email_batch",
    "email_list",
    "email_outline",
    "mail_log",
    "mail_log_parts",
    "many",
    "maybe_time",
    "one",
    "run",
    "segment",
    "template",
    "time",
]
