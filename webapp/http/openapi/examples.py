"""Example values for the OpenAPI document, made from its schemas."""

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
# Examples of fields by name, in one shape or in all.
BY_NAME: Schema = {
    "Account.bounce_imap_host": "imap.example.com",
    "Account.bounce_imap_port": 993,
    "Account.bounce_imap_username": None,
    "Account.bounce_warning": None,
    "Account.google_email": None,
    "Account.has_bounce_imap_password": False,
    "Account.has_google_token": False,
    "Account.last_error": None,
    "Account.name": "Newsletter",
    "Account.remaining_today": 488,
    "Account.sent_today": 12,
    "Bounce.diagnosticCode": ["550 5.1.1 no such user"],
    "Bounce.status": "5.1.1",
    "Bounce.subType": "NoEmail",
    "Campaign.halted_reason": None,
    "Campaign.schedule_note": None,
    "Campaign.last_run_at": None,
    "Campaign.recurrence_unit": "month",
    "Campaign.schedule_type": "recurring",
    "Campaign.scheduled_at": None,
    "Campaign.sender_account_ids": None,
    "Campaign.status": "scheduled",
    "CampaignTotals.deferred": 0,
    "CampaignTotals.failed": 2,
    "CampaignTotals.halted": 0,
    "CampaignTotals.pending": 0,
    "CampaignTotals.runs": 2,
    "CampaignTotals.sending": 0,
    "CampaignTotals.sent": 118,
    "CampaignTotals.total": 120,
    "CampaignSent.contacts_messaged": 120,
    "CampaignSent.already_messaged": 0,
    "Contact.bounced_at": None,
    "Contact.unsubscribed_at": None,
    "Discovery.documentation_url": "https://mail.example.com/reference",
    "Discovery.name": "Pennypost",
    "Discovery.openapi_url": "https://mail.example.com/openapi.json",
    "Discovery.version": "1.0.0",
    "Event.type": "email.bounced",
    "EventList.cursor": None,
    "EventList.has_more": False,
    "Email.error": None,
    "Email.scheduled_at": None,
    "Email.status": "sent",
    "Email.template_id": None,
    "EmailOutline.error": None,
    "EmailOutline.scheduled_at": None,
    "EmailOutline.status": "sent",
    "EmailOutline.template_id": None,
    "MailLog.campaign_id": None,
    "MailLog.campaign_run_id": None,
    "MailLog.contact_id": None,
    "MailLog.error": None,
    "MailLog.status": "sent",
    "Media.bytes": 48213,
    "Media.hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "Media.height": 600,
    "Media.name": "spring.png",
    "Media.type": "image/png",
    "Media.url": "https://mail.example.com/m/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08/spring.png",
    "Media.width": 1200,
    "MediaList.has_more": False,
    "Meta.page_size": 50,
    "Recipient.error": None,
    "Recipient.status": "sent",
    "MailLog.bounce": None,
    "MailLog.bounced_at": None,
    "MailLog.complained_at": None,
    "Resource.methods": ["GET", "POST"],
    "Resource.name": "emails",
    "Resource.path": "/v1/emails",
    "Run.bounced": 1,
    "Run.complained": 0,
    "Run.deferred": 0,
    "Run.failed": 2,
    "Run.halted": 0,
    "Run.pending": 0,
    "Run.sending": 0,
    "Run.sent": 118,
    "Run.skipped": 1,
    "Run.status": "completed",
    "Run.total": 120,
    "Segment.contact_count": 120,
    "Segment.name": "Readers",
    "Suppression.mail_log_id": ID,
    "Tag.name": "order",
    "Tag.value": "4711",
    "IssuedWebhook.signing_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwWbKl6kf3c9o=",
    "WebhookAttempt.answer": "no such order",
    "WebhookAttempt.error": None,
    "WebhookAttempt.milliseconds": 12,
    "WebhookAttempt.number": 1,
    "WebhookAttempt.response_status": 500,
    "WebhookDelivery.attempts": 1,
    "WebhookDelivery.last_answer": "500",
    "WebhookDelivery.status": "failed",
    "account_key": "acc_5QkZ0fJtV2mX8yLr3bNw7cAd",
    "attempts": 0,
    "bcc": [],
    "body": "<p>Hello {{ first_name }}</p>",
    "body_html": "<p>It is on its way.</p>",
    "cc": [],
    "concurrency": 4,
    "content_type": "application/pdf",
    "custom_fields": {"city": "London"},
    "daily_mail_limit": 500,
    "disabled_reason": None,
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


def example_of(schema: Schema, components: Schema, shape: str = "", name: str = "") -> Any:
    shape_name = schema.get("$ref", "").rpartition("/")[2]
    if shape_name:
        return example_of(components[shape_name], components, shape_name)
    for known in (f"{shape}.{name}", name):
        if name and known in BY_NAME:
            return BY_NAME[known]
    given = [schema[key] for key in ("const", "default") if schema.get(key) is not None]
    given += [*schema.get("examples", ()), *schema.get("enum", ())]
    if given and isinstance(given[0], dict):
        return {key: given[0][key] for key in schema["properties"] if key in given[0]}  # in the schema's order
    return given[0] if given else _made(schema, components, shape)


def _made(schema: Schema, components: Schema, shape: str) -> Any:
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return example_of(schema[choice][0], components)
    if "properties" in schema:
        needed: list[str] = schema.get("required") or list(schema["properties"])
        return {name: example_of(schema["properties"][name], components, shape, name) for name in needed}
    if schema.get("type") == "array" and schema.get("items"):
        return [example_of(schema["items"], components)]
    return BY_TYPE[schema.get("format", "")] if schema.get("format") in BY_TYPE else BY_TYPE[schema["type"]]
