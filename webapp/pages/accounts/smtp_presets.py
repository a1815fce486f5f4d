"""Host, port and encryption of common mail providers, and hints on signing in."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class SmtpPreset(NamedTuple):
    provider: str
    smtp_host: str
    smtp_port: int
    smtp_security: str
    note: str = ""


PROVIDERS = (
    SmtpPreset(
        "Amazon SES",
        "email-smtp.eu-west-1.amazonaws.com",
        587,
        "starttls",
        "Replace the region in the host with yours. Use SMTP credentials, not an access key.",
    ),
    SmtpPreset("Brevo", "smtp-relay.brevo.com", 587, "starttls", "Password: an SMTP key."),
    SmtpPreset("Fastmail", "smtp.fastmail.com", 465, "tls", "Fastmail requires an app password."),
    SmtpPreset(
        "Gmail, Google Workspace",
        "smtp.gmail.com",
        587,
        "starttls",
        "Google requires an app password, which needs 2-Step Verification.",
    ),
    SmtpPreset("GMX", "mail.gmx.net", 587, "starttls", "Enable POP3 and IMAP in GMX first; this also enables SMTP."),
    SmtpPreset("iCloud", "smtp.mail.me.com", 587, "starttls", "Apple requires an app-specific password."),
    SmtpPreset("Mailgun", "smtp.mailgun.org", 587, "starttls", "In the EU, use smtp.eu.mailgun.org as the host."),
    SmtpPreset("Mailjet", "in-v3.mailjet.com", 587, "starttls", "Username: your API key. Password: your secret key."),
    SmtpPreset(
        "Outlook, Microsoft 365",
        "smtp.office365.com",
        587,
        "starttls",
        "An administrator needs to enable SMTP AUTH for the mailbox.",
    ),
    SmtpPreset("Postmark", "smtp.postmarkapp.com", 587, "starttls", "Username and password: your server API token."),
    SmtpPreset("Resend", "smtp.resend.com", 465, "tls", "Username: resend. Password: an API key."),
    SmtpPreset("SendGrid", "smtp.sendgrid.net", 587, "starttls", "Username: apikey. Password: an API key."),
    SmtpPreset("Yahoo", "smtp.mail.yahoo.com", 465, "tls", "Yahoo requires an app password."),
    SmtpPreset("Zoho", "smtp.zoho.com", 465, "tls", "In the EU, use smtp.zoho.eu as the host."),
)


def find(name: str | None) -> SmtpPreset | None:
    return next((preset for preset in PROVIDERS if preset.provider == name), None)


def server_fields(chosen: SmtpPreset | None, fields: Mapping[str, str]) -> dict[str, Any]:
    """The fields of the chosen provider; without one, those in `fields`, unless their host is a known provider's."""
    if chosen is not None:
        return chosen._asdict()
    if any(fields.get("smtp_host") == preset.smtp_host for preset in PROVIDERS):
        return {}
    return {name: fields[name] for name in ("smtp_host", "smtp_port", "smtp_security") if name in fields}
