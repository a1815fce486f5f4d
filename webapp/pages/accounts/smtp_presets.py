"""Servers, sign-ins and limits of common mail providers, each with its source and the day on which that was read."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from webapp.config.mail import SUBMISSION_PORT
from webapp.domain.accounts.inputs import NewAccount
from webapp.models import Account
from webapp.models.account import ProviderType

NOVEMBER = date(2026, 11, 29)


class SmtpPreset(NamedTuple):
    """`password` says what to enter, `limit` what the provider allows; both are sentences, shown in the form.

    The limits in numbers are None where the provider states none or they depend on the plan.
    `connects` is the provider of OAuth that signs in without a password.
    """

    provider: str
    smtp_host: str
    smtp_port: int
    smtp_security: str
    password: str
    limit: str
    source: str
    daily_mail_limit: int | None = None
    concurrency: int | None = None
    max_per_minute: int | None = None
    connects: str = ""
    checked: date = NOVEMBER


BY_PLAN = "Your plan sets the limit."
PROVIDERS = (
    SmtpPreset(
        "Amazon SES",
        "email-smtp.eu-west-1.amazonaws.com",
        587,
        "starttls",
        "Use SMTP credentials, not an access key, and replace the region in the host with yours.",
        "200 recipients a day in the sandbox; AWS sets your limit after it.",
        "https://docs.aws.amazon.com/ses/latest/dg/quotas.html",
    ),
    SmtpPreset(
        "Brevo",
        "smtp-relay.brevo.com",
        587,
        "starttls",
        "Password: an SMTP key, not an API key.",
        BY_PLAN,
        "https://developers.brevo.com/docs/smtp-integration",
    ),
    SmtpPreset(
        "Emailit",
        "smtp.emailit.com",
        587,
        "starttls",
        "Username: emailit. Password: an API key.",
        "5,000 emails a day and 2 a second in a new workspace.",
        "https://emailit.com/docs/limits/",
        daily_mail_limit=5_000,
        concurrency=2,
    ),
    SmtpPreset(
        "Fastmail",
        "smtp.fastmail.com",
        465,
        "tls",
        "Fastmail requires an app password, which the Basic plan doesn't have.",
        "120 emails a day during the trial; your plan sets the limit after it.",
        "https://www.fastmail.help/hc/en-us/articles/1500000277442-Trial-accounts",
    ),
    SmtpPreset(
        "Gmail",
        "smtp.gmail.com",
        587,
        "starttls",
        "Google requires an app password, which needs 2-Step Verification.",
        "500 emails a day.",
        "https://developers.google.com/workspace/gmail/imap/imap-smtp",
        daily_mail_limit=500,
        connects="google",
    ),
    SmtpPreset(
        "GMX",
        "mail.gmx.net",
        587,
        "starttls",
        "Turn on POP3 and IMAP in GMX first; this also turns on SMTP.",
        "",
        "https://www.gmx.net/mail/tipps/posts/pop3-imap/36/",
    ),
    SmtpPreset(
        "Google Workspace",
        "smtp.gmail.com",
        587,
        "starttls",
        "Google requires an app password, which needs 2-Step Verification.",
        "2,000 emails a day, and 500 during the trial.",
        "https://developers.google.com/workspace/gmail/imap/imap-smtp",
        daily_mail_limit=2_000,
        connects="google",
    ),
    SmtpPreset(
        "iCloud",
        "smtp.mail.me.com",
        587,
        "starttls",
        "Apple requires an app-specific password.",
        "1,000 emails and 1,000 recipients a day.",
        "https://support.apple.com/en-us/102198",
        daily_mail_limit=1_000,
    ),
    SmtpPreset(
        "IONOS",
        "smtp.ionos.com",
        587,
        "starttls",
        "Password: that of the mailbox.",
        "50 emails an hour in the first week, 100 in the second, and more after it.",
        "https://www.ionos.com/help/email/general-topics/what-are-the-mass-mailing-limits/",
    ),
    SmtpPreset(
        "Mailgun",
        "smtp.mailgun.org",
        587,
        "starttls",
        "Use the SMTP credentials of your domain. In the EU, use smtp.eu.mailgun.org as the host.",
        BY_PLAN,
        "https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-smtp",
    ),
    SmtpPreset(
        "Mailjet",
        "in-v3.mailjet.com",
        587,
        "starttls",
        "Username: your API key. Password: your secret key.",
        BY_PLAN,
        "https://www.mailjet.com/support/what-are-the-api-key-and-secret-keys-how-should-i-use-them,109.htm",
    ),
    SmtpPreset(
        "Microsoft 365",
        "smtp.office365.com",
        587,
        "starttls",
        "Passwords stop at the end of December 2026 unless your administrator allows them again.",
        "30 emails a minute, 3 connections and 10,000 recipients a day. SMTP AUTH must be on for the mailbox.",
        "https://learn.microsoft.com/office365/servicedescriptions/exchange-online-service-description/"
        "exchange-online-limits#sending-limits-1",
        daily_mail_limit=10_000,
        concurrency=3,
        max_per_minute=30,
        connects="microsoft",
    ),
    SmtpPreset(
        "Outlook.com",
        "smtp-mail.outlook.com",
        587,
        "starttls",
        "Passwords don't work.",
        "",
        "https://support.microsoft.com/office/"
        "pop-imap-and-smtp-settings-for-outlook-com-d088b986-291d-42b8-9564-9c414e2aa040",
        connects="microsoft",
    ),
    SmtpPreset(
        "Postmark",
        "smtp.postmarkapp.com",
        587,
        "starttls",
        "Username and password: your server API token. For campaigns, use smtp-broadcasts.postmarkapp.com as the host.",
        BY_PLAN,
        "https://postmarkapp.com/support/article/811-what-are-the-smtp-details-api-tokens-i-should-be-using",
    ),
    SmtpPreset(
        "Proton Mail",
        "smtp.protonmail.ch",
        587,
        "starttls",
        "Password: an SMTP token for an address of your own domain, which only some plans offer.",
        "",
        "https://proton.me/support/smtp-submission",
    ),
    SmtpPreset(
        "Resend",
        "smtp.resend.com",
        465,
        "tls",
        "Username: resend. Password: an API key.",
        BY_PLAN,
        "https://resend.com/docs/send-with-smtp",
    ),
    SmtpPreset(
        "Scaleway",
        "smtp.tem.scaleway.com",
        587,
        "starttls",
        "Username: your project ID. Password: an API secret key.",
        "10,000 emails a month until Scaleway raises it.",
        "https://www.scaleway.com/en/docs/transactional-email/reference-content/tem-capabilities-and-limits/",
    ),
    SmtpPreset(
        "SendGrid",
        "smtp.sendgrid.net",
        587,
        "starttls",
        "Username: apikey. Password: an API key.",
        BY_PLAN,
        "https://www.twilio.com/docs/sendgrid/for-developers/sending-email/integrating-with-the-smtp-api",
    ),
    SmtpPreset(
        "SMTP2GO",
        "mail.smtp2go.com",
        587,
        "starttls",
        "Use the username and password of an SMTP user.",
        "200 emails a day on the free plan.",
        "https://www.smtp2go.com/pricing/",
    ),
    SmtpPreset(
        "Yahoo",
        "smtp.mail.yahoo.com",
        465,
        "tls",
        "Yahoo requires an app password.",
        "",
        "https://help.yahoo.com/kb/SLN15241.html",
    ),
    SmtpPreset(
        "Zoho Mail",
        "smtp.zoho.com",
        465,
        "tls",
        "Use an app-specific password with two-factor sign-in. Paid organizations use smtppro.zoho.com as the host; in "
        "the EU it ends in .eu.",
        "50 to 500 emails an hour, and no newsletters.",
        "https://www.zoho.com/mail/help/adminconsole/rates-and-limits.html",
    ),
)
SERVER, LIMITS = ("smtp_host", "smtp_port", "smtp_security"), ("daily_mail_limit", "concurrency", "max_per_minute")


def find(name: str | None) -> SmtpPreset | None:
    return next((preset for preset in PROVIDERS if preset.provider == name), None)


def of_host(account: Account) -> SmtpPreset | None:
    """The preset of the account's server, if it has a limit in numbers to offer."""
    hosts = {ProviderType.GOOGLE: "smtp.gmail.com", ProviderType.MICROSOFT: "smtp.office365.com"}
    host = hosts.get(ProviderType(account.provider_type), account.smtp_host)
    return next((preset for preset in PROVIDERS if preset.smtp_host == host and preset.max_per_minute), None)


def fill_in(chosen: SmtpPreset | None, typed: Mapping[str, str]) -> dict[str, Any]:
    """The form's values for the chosen provider; those of one that was chosen before are not kept."""
    values = {} if chosen is None else {name: getattr(chosen, name) for name in ("provider", *SERVER, *LIMITS)}
    if chosen is None and all(typed.get("smtp_host") != preset.smtp_host for preset in PROVIDERS):
        values |= {name: typed[name] for name in SERVER if name in typed}
    values.setdefault("smtp_port", SUBMISSION_PORT)
    for name in LIMITS:
        if values.get(name) is None:
            is_filled_in = any(typed.get(name) == str(getattr(preset, name)) for preset in PROVIDERS)
            default = NewAccount.model_fields[name].default
            values[name] = default if is_filled_in else typed.get(name, default)
    return {name: value for name, value in values.items() if value is not None}
