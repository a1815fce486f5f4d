"""What mail providers ask for in the SPF record of their customers' domains, and the domains of their own mailboxes.

Read at each `source` on 29 November 2026. No source was found for those that have none.
"""

from typing import NamedTuple

from webapp.hosts import a_labels
from webapp.models import Account
from webapp.models.account import ProviderType
from webapp.sending.mx import MAILBOXES, Provider


class MailProvider(NamedTuple):
    """A provider, by the ends of its SMTP servers' names.

    `includes` are the names that an SPF record may include, the best one first. Those that send with a return path of
    their own have none, because SPF of the From domain is not asked then, and DKIM has to align. `mailboxes` are
    domains in which anyone can get an address.
    """

    name: str
    hosts: tuple[str, ...]
    includes: tuple[str, ...] = ()
    mailboxes: tuple[str, ...] = ()
    source: str = ""
    has_own_return_path: bool = False


def _relay(name: str, host: str, source: str = "") -> MailProvider:
    return MailProvider(name, (host,), source=source, has_own_return_path=True)


GOOGLE = MailProvider(
    "Google",
    ("gmail.com", "googlemail.com", "google.com"),
    ("_spf.google.com",),
    MAILBOXES[Provider.GOOGLE],
    "https://support.google.com/a/answer/10684623",
)
MICROSOFT = MailProvider(
    "Microsoft",
    ("office365.com", "outlook.com", "office.com"),
    ("spf.protection.outlook.com",),
    MAILBOXES[Provider.MICROSOFT],
    "https://learn.microsoft.com/defender-office-365/email-authentication-spf-configure",
)
PROVIDERS = (
    GOOGLE,
    MICROSOFT,
    MailProvider(
        "Yahoo",
        ("yahoo.com", "aol.com"),
        mailboxes=MAILBOXES[Provider.YAHOO],
        source="https://senders.yahooinc.com/best-practices/",
    ),
    MailProvider("Yahoo! JAPAN", ("yahoo.co.jp",), mailboxes=("yahoo.co.jp",)),
    MailProvider(
        "iCloud",
        ("mail.me.com",),
        ("icloud.com",),
        ("icloud.com", "me.com", "mac.com"),
        "https://support.apple.com/en-us/102374",
    ),
    MailProvider(
        "Fastmail",
        ("fastmail.com", "messagingengine.com"),
        ("spf.messagingengine.com",),
        ("fastmail.com", "fastmail.fm"),
        "https://www.fastmail.help/hc/en-us/articles/360060591153",
    ),
    MailProvider(
        "Proton Mail",
        ("protonmail.ch", "proton.me"),
        ("_spf.protonmail.ch",),
        ("proton.me", "protonmail.com", "pm.me"),
        "https://proton.me/support/anti-spoofing-custom-domain",
    ),
    MailProvider(
        "Zoho Mail",
        ("zoho.com", "zoho.eu", "zoho.in"),
        ("zohomail.com", "one.zoho.com", "zoho.com", "zohomail.eu", "zoho.eu", "zoho.in", "spf.zoho.com"),
        ("zohomail.com",),
        "https://www.zoho.com/mail/help/adminconsole/spf-configuration.html",
    ),
    MailProvider(
        "GMX and WEB.DE",
        ("gmx.net", "gmx.com", "web.de"),
        mailboxes=("gmx.de", "gmx.net", "gmx.at", "gmx.ch", "gmx.com", "web.de"),
    ),
    _relay(
        "Amazon SES", "amazonaws.com", "https://docs.aws.amazon.com/ses/latest/dg/send-email-authentication-spf.html"
    ),
    _relay("Brevo", "brevo.com"),
    _relay("Emailit", "emailit.com"),
    _relay("Mailgun", "mailgun.org", "https://documentation.mailgun.com/en/latest/user_manual.html"),
    _relay(
        "Mailjet",
        "mailjet.com",
        "https://www.mailjet.com/blog/deliverability/mailjet-dmarcbis-is-dead-long-live-dmarc/",
    ),
    _relay("Postmark", "postmarkapp.com", "https://postmarkapp.com/blog/introducing-full-dmarc-support-with-custom"),
    _relay("Resend", "resend.com", "https://resend.com/docs/dashboard/domains/custom-return-path"),
    _relay("Scaleway", "scaleway.com"),
    _relay(
        "SendGrid",
        "sendgrid.net",
        "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/how-to-set-up-domain-authentication",
    ),
    _relay("SMTP2GO", "smtp2go.com", "https://www.smtp2go.com/blog/spf-record"),
)


def provider_of(account: Account) -> MailProvider | None:
    """The provider whose servers send the account's mail, if it is in the table."""
    if account.provider_type != ProviderType.SMTP:
        return GOOGLE if account.provider_type == ProviderType.GOOGLE else MICROSOFT
    host = a_labels((account.smtp_host or "").lower().removesuffix("."))
    return next((known for known in PROVIDERS if any(f".{host}".endswith(f".{end}") for end in known.hosts)), None)


def owner_of(domain: str) -> MailProvider | None:
    """The provider that gives addresses in the domain to anyone."""
    return next((provider for provider in PROVIDERS if domain in provider.mailboxes), None)


class Sender(NamedTuple):
    """The From domain, and the server that sends for it, in words."""

    domain: str
    server: str
    provider: MailProvider | None

    @property
    def is_own_mailbox(self) -> bool:
        """True if it sends from the provider's own domain, whose records are the provider's."""
        return self.provider is not None and owner_of(self.domain) is self.provider


def sender_of(account: Account) -> Sender:
    provider = provider_of(account)
    server = provider.name if provider is not None else account.smtp_host or "the account's server"
    return Sender(account.from_domain, server, provider)
