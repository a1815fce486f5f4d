"""Host, port and encryption of common mail providers, and hints on signing in."""

from typing import NamedTuple


class SmtpPreset(NamedTuple):
    name: str
    host: str
    port: int
    security: str
    note: str = ""


PROVIDERS = (
    SmtpPreset(
        "Amazon SES",
        "email-smtp.eu-west-1.amazonaws.com",
        587,
        "starttls",
        "Put your region into the host, and use SMTP credentials, not an access key.",
    ),
    SmtpPreset("Brevo", "smtp-relay.brevo.com", 587, "starttls", "The password is an SMTP key."),
    SmtpPreset("Fastmail", "smtp.fastmail.com", 465, "tls", "Fastmail asks for an app password."),
    SmtpPreset(
        "Gmail, Google Workspace",
        "smtp.gmail.com",
        587,
        "starttls",
        "Google asks for an app password, which needs two-step sign-in.",
    ),
    SmtpPreset("GMX", "mail.gmx.net", 587, "starttls", "Allow POP3 and IMAP in GMX first: that opens SMTP too."),
    SmtpPreset("iCloud", "smtp.mail.me.com", 587, "starttls", "Apple asks for an app-specific password."),
    SmtpPreset("Mailgun", "smtp.mailgun.org", 587, "starttls", "In the EU region the host is smtp.eu.mailgun.org."),
    SmtpPreset(
        "Mailjet", "in-v3.mailjet.com", 587, "starttls", "The username is the API key, the password the secret key."
    ),
    SmtpPreset(
        "Outlook, Microsoft 365",
        "smtp.office365.com",
        587,
        "starttls",
        "An administrator must allow SMTP AUTH for the mailbox.",
    ),
    SmtpPreset(
        "Postmark", "smtp.postmarkapp.com", 587, "starttls", "Username and password are both the server's API token."
    ),
    SmtpPreset("Resend", "smtp.resend.com", 465, "tls", "The username is resend, the password an API key."),
    SmtpPreset("SendGrid", "smtp.sendgrid.net", 587, "starttls", "The username is apikey, the password an API key."),
    SmtpPreset("Yahoo", "smtp.mail.yahoo.com", 465, "tls", "Yahoo asks for an app password."),
    SmtpPreset("Zoho", "smtp.zoho.com", 465, "tls", "In the EU the host is smtp.zoho.eu."),
)


def as_options() -> list[tuple[str, str]]:
    return [(provider.name, provider.name) for provider in PROVIDERS]


def as_data() -> dict[str, dict[str, str]]:
    return {
        provider.name: {
            "data-host": provider.host,
            "data-port": str(provider.port),
            "data-security": provider.security,
            "data-note": provider.note,
        }
        for provider in PROVIDERS
    }
