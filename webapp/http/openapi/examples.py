"""Builds example values for the OpenAPI document from its schemas."""

from typing import Any

Schema = dict[str, Any]

ID = "019a9f6e-5c1a-7cc3-9d6e-0f6f5f3b2a10"
NOW = "2026-11-20T09:30:00.000Z"

BY_TYPE: Schema = {
    "uuid": ID,
    "date-time": NOW,
    "email": "ada@example.org",
    "boolean": True,
    "integer": 1,
    "number": 1.0,
    "string": "...",
    "object": {},
    "array": [],
    "null": None,
}
# Fields that are null or 0 in examples, by shape and name.
NULL = """
    Account.bounce_imap_username Account.bounce_verp_error Account.bounce_warning Account.google_email
    Account.microsoft_email
    Account.last_error Account.max_per_minute Account.oauth_provider Account.oauth_token_url Account.oauth_client_id
    Account.oauth_scope Account.max_per_hour Account.min_gap_seconds Account.send_window Account.ramp
    Account.reserve_for_transactional OneMailLog.campaign_id OneMailLog.campaign_run_id OneMailLog.contact_id
    OneMailLog.error OneMailLog.bounce OneMailLog.bounced_at OneMailLog.complained_at OneMailLog.waits_for
    OneMailLog.next_attempt_at
    Account.oauth_expires_at Campaign.halted_reason Campaign.schedule_note Campaign.last_run_at Campaign.scheduled_at
    Campaign.sender_account_ids CampaignReport.run_id Consent.form_id Consent.form_version
    Consent.topic_id Contact.bounced_at Contact.paused_until Contact.unsubscribed_at
    EventList.cursor Form.account_id Form.subject Form.body Form.redirect_after_submit Form.redirect_after_confirm
    ListedAttachment.content_id Usage.kept_rows
    Email.error Email.scheduled_at Email.template_id EmailOutline.error EmailOutline.scheduled_at
    EmailOutline.template_id MailLog.campaign_id MailLog.campaign_run_id MailLog.contact_id MailLog.error
    Recipient.error MailLog.bounce MailLog.bounced_at MailLog.complained_at Template.blocks Template.mjml
    TemplateVersion.blocks TemplateVersion.mjml WebhookAttempt.error disabled_reason
"""
ZERO = """
    RunCounts.deferred RunCounts.halted RunCounts.pending RunCounts.sending
    CampaignReport.deleted CampaignTotals.deferred CampaignTotals.halted CampaignTotals.pending
    CampaignTotals.sending CampaignSent.already_messaged Run.complained Run.deferred Run.halted Run.pending
    Run.sending attempts
"""
# Examples of fields by name, in one shape or in all.
BY_NAME: Schema = {
    **dict.fromkeys(NULL.split()),
    **dict.fromkeys(ZERO.split(), 0),
    "Account.from_check_verdict": "passing",
    "Account.bounce_imap_host": "imap.example.com",
    "Account.bounce_imap_port": 993,
    "Account.has_bounce_imap_password": False,
    "Account.has_google_token": False,
    "Account.name": "Newsletter",
    "Account.remaining_for_campaigns": 488,
    "Account.remaining_today": 488,
    "Account.sent_today": 12,
    "Account.slowdowns": [],
    "Brand.accent": "#1d4ed8",
    "Brand.address": "Acme\n1 Main Street\nLondon",
    "Brand.background": "#ffffff",
    "Brand.button": "#1d4ed8",
    "Brand.font": "system",
    "Brand.language": "en",
    "Brand.logo_url": "https://example.com/logo.png",
    "Brand.preferences_url": "https://mail.example.com/preferences/5f0e6b1c2d3a4f58b9c7d6e5f4a3b2c1",
    "Brand.text": "#1f2328",
    "Brand.width": 600,
    "Campaign.recurrence_unit": "month",
    "Campaign.schedule_type": "recurring",
    "Campaign.subject": "Spring at Acme",
    "Campaign.preview_text": "New this month: three recipes",
    "Campaign.from_name": "Acme News",
    "Campaign.from_email": "news@example.com",
    "Campaign.reply_to": "hello@example.com",
    "CampaignUtm.source": "newsletter",
    "CampaignUtm.medium": "email",
    "CampaignUtm.campaign": "spring",
    "Consent.kind": "person",
    "Consent.network": "192.0.2.0/24",
    "Consent.page_url": "https://example.com/newsletter",
    "Consent.text": "Status: unsubscribed",
    "Contact.language": "en-GB",
    "ConfirmedContactData.language": "en-GB",
    "ExportedEmail.error": None,
    "ExportedEmail.kind": "transactional",
    "ExportedEmail.status": "sent",
    "ExportedHit.agent": "Mozilla/5.0",
    "ExportedEmail.variables": {"first_name": "Ada"},
    "ExportedEvent.type": "contact.created",
    "PersonalData.events": [{"id": ID, "type": "contact.created", "at": NOW, "data": {}}],
    "ExportedHit.verdict": "person",
    "ExportedSuppression.reason": "bounce",
    "Campaign.status": "scheduled",
    "AccountData.last_error": "535 5.7.8 authentication failed",
    "AccountData.name": "Newsletter",
    "AccountData.status": "error",
    "Bounce.diagnosticCode": ["550 5.1.1 no such user"],
    "Bounce.status": "5.1.1",
    "Bounce.subType": "NoEmail",
    "Bounce.unconfirmed": False,
    "BounceGroup.reasons": ["550 5.1.1 no such user"],
    "BounceGroup.sub_type": "NoEmail",
    "CampaignReport.subject": "Spring at Acme",
    "CampaignTotals.failed": 2,
    "CampaignTotals.runs": 2,
    "CampaignTotals.sent": 118,
    "CampaignTotals.total": 120,
    "CampaignSent.contacts_messaged": 120,
    "HaltedCampaignData.reason": "stopped by ada@example.com",
    "Complaint.type": "abuse",
    "Form.key": "Hq3vN0pZr7sXk2mT9wYb4A",
    "Form.name": "Newsletter",
    "Form.url": "https://mail.example.com/f/Hq3vN0pZr7sXk2mT9wYb4A",
    "Form.allowed_origins": ["https://www.example.com"],
    "Form.consent_text": "I want the newsletter. I can leave at any time.",
    "Form.language": "en",
    "Form.segment_ids": [ID],
    "Form.topic_ids": [],
    "FormCounts.submitted": 120,
    "FormCounts.mailed": 118,
    "FormCounts.opened": 97,
    "FormCounts.confirmed": 93,
    "FormCounts.expired": 14,
    "AskedField.key": "first_name",
    "AskedField.label": "First name",
    "AskedField.kind": "text",
    "AskedField.options": [],
    "AskedField.required": False,
    "Discovery.documentation_url": "https://mail.example.com/reference",
    "Discovery.name": "Pennypost",
    "Discovery.openapi_url": "https://mail.example.com/openapi.json",
    "Discovery.version": "1.0.0",
    "Event.type": "email.bounced",
    "EventList.has_more": False,
    "Email.status": "sent",
    "EmailHit.is_machine": False,
    "EmailHit.link": "https://example.com/spring",
    "EmailHit.type": "email.clicked",
    "EmailOutline.status": "sent",
    "MailLog.status": "sent",
    "Metrics.day": "2026-11-20",
    "Metrics.accepted": 120,
    "Metrics.sent": 118,
    "MetricsList.has_more": False,
    "Media.bytes": 48213,
    "Media.hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "Media.height": 600,
    "Media.name": "spring.png",
    "Media.url": "https://mail.example.com/m/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08/spring.png",
    "Media.width": 1200,
    "MediaList.has_more": False,
    "Meta.page_size": 50,
    "DnsRecord.name": "_dmarc.northwind.example",
    "DnsRecord.value": "v=DMARC1; p=none",
    "Finding.code": "dmarc_missing",
    "Finding.sentence": "Gmail and Yahoo refuse bulk mail from northwind.example: there is no DMARC record.",
    "FromCheck.domain": "northwind.example",
    "FromCheck.verdict": "failing",
    "Probe.server": "mx.google.com",
    "Probe.state": "read",
    "Probe.to": "hello@northwind.example",
    "ProbeResult.domain": "northwind.example",
    "ProbeResult.result": "pass",
    "FailureGroup.reason": "550 5.1.1 … no such user",
    "DelayedEmailData.delayed": {"reason": "451 4.7.1 greylisted"},
    "FailedEmailData.failed": {"reason": "550 5.7.1 relaying denied"},
    "RecoveredAccountData.last_error": None,
    "RecoveredAccountData.name": "Newsletter",
    "RecoveredAccountData.status": "active",
    "SuppressedEmailData.suppressed": {"reason": "suppressed: bounce on 2026-11-26"},
    "Recipient.status": "sent",
    "Resource.methods": ["GET", "POST"],
    "Resource.name": "emails",
    "Resource.path": "/v1/emails",
    "RunCounts.failed": 2,
    "RunCounts.sent": 118,
    "RunCounts.total": 120,
    "Run.failed": 2,
    "Run.sent": 118,
    "Run.status": "completed",
    "Run.total": 120,
    "Header.name": "Subject",
    "Header.value": "Your order",
    "SandboxMessage.from": "hello@example.com",
    "SandboxMessage.to": ["ada@example.org"],
    "SandboxMessageOutline.from": "hello@example.com",
    "SandboxMessageOutline.to": ["ada@example.org"],
    "SandboxSource.raw": "Subject: Your order\r\n\r\nIt is on its way.\r\n",
    "Segment.contact_count": 120,
    "Segment.name": "Readers",
    "SegmentMemberData.segment_name": "Readers",
    "SubmittedFormData.form_name": "Newsletter",
    "SubmittedFormData.page_url": "https://example.com/newsletter",
    "Topic.name": "Product news",
    "Topic.description": "What is new in our products, once a month.",
    "ContactTopic.name": "Product news",
    "ContactTopic.description": "What is new in our products, once a month.",
    "ContactTopic.is_default": False,
    "Span.seconds": 60,
    "Span.sent": 118,
    "Span.start": "2026-11-20T09:30:00",
    "EngagedSpan.start": "2026-11-20T09:00:00",
    "RenderedTemplate.missing": [],
    "RenderedTemplate.subject": "Welcome, Ada",
    "Template.alias": "welcome",
    "TestData.message": "This is a test event from Pennypost.",
    "Tag.name": "order",
    "Tag.value": "4711",
    "IssuedWebhook.signing_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwWbKl6kf3c9o=",
    "WebhookAttempt.answer": "no such order",
    "WebhookAttempt.milliseconds": 12,
    "WebhookAttempt.response_status": 500,
    "WebhookDelivery.attempts": 1,
    "WebhookDelivery.last_answer": "500",
    "WebhookDelivery.status": "failed",
    "PlanLimit.limit": "monthly_email_quota",
    "PlanLimit.max": 50_000,
    "PlanLimit.remaining": 49_880,
    "PlanLimit.used": 120,
    "Usage.burst": 50,
    "Usage.kept_days": 14,
    "Usage.plan": "basic",
    "Usage.remaining_today": 488,
    "Usage.requests_per_second": 25,
    "is_machine": False,
    "link": "https://example.com/spring",
    "account_key": "acc_5QkZ0fJtV2mX8yLr3bNw7cAd",
    "bcc": [],
    "body": "<p>Hello {{ first_name }}</p>",
    "body_html": "<p>It is on its way.</p>",
    "cc": [],
    "concurrency": 4,
    "content_type": "application/pdf",
    "custom_fields": {"city": "London"},
    "daily_mail_limit": 500,
    "description": "The first Friday of the month",
    "email": "ada@example.org",
    "events": ["email.bounced", "email.complained"],
    "filename": "invoice.pdf",
    "first_name": "Ada",
    "from": "Acme <hello@example.com>",
    "from_email": "hello@example.com",
    "from_name": "Acme",
    "html": "<p>It is on its way.</p>",
    "last_name": "Lovelace",
    "name": "Welcome",
    "message_id": "<019a9f6e5c1a7cc39d6e0f6f5f3b2a10@example.com>",
    "phone": "+44 20 7946 0000",
    "reply_to": [],
    "response_code": 250,
    "size": 48213,
    "smtp_host": "smtp.example.com",
    "smtp_message_id": "2.0.0 Ok: queued as 4Zx1",
    "smtp_port": 587,
    "smtp_username": "hello@example.com",
    "subject": "Your order",
    "text": "It is on its way.",
    "title": "Spring news",
    "to": ["Ada <ada@example.org>"],
    "to_email": "ada@example.org",
    "url": "https://example.com/webhooks",
    "variables": ["first_name"],
}


def example_of(schema: Schema, components: Schema, shape: str = "", name: str = "", *, is_whole: bool = False) -> Any:
    """With `is_whole`, also of the fields that may be left out."""
    for known in (f"{shape}.{name}", name):
        if name and known in BY_NAME:
            return BY_NAME[known]
    shape_name = schema.get("$ref", "").rpartition("/")[2]
    if shape_name:
        return example_of(components[shape_name], components, shape_name, is_whole=is_whole)
    values = [schema[key] for key in ("const", "default") if schema.get(key) is not None]
    values += [*schema.get("examples", ()), *schema.get("enum", ())]
    if values and isinstance(values[0], dict):
        own = schema.get("properties", values[0])
        return {key: values[0][key] for key in own if key in values[0]}  # in the schema's order
    return values[0] if values else _example_of_type(schema, components, shape, is_whole=is_whole)


def _example_of_type(schema: Schema, components: Schema, shape: str, *, is_whole: bool) -> Any:
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return example_of(schema[choice][0], components, is_whole=is_whole)
    if "properties" in schema:
        fields: Schema = schema["properties"]
        needed = fields if is_whole else schema.get("required") or fields
        return {field: example_of(fields[field], components, shape, field, is_whole=is_whole) for field in needed}
    if schema.get("type") == "array" and schema.get("items"):
        return [example_of(schema["items"], components, is_whole=is_whole)]
    return BY_TYPE[schema.get("format", "")] if schema.get("format") in BY_TYPE else BY_TYPE[schema["type"]]
