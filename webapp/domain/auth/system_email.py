"""Emails from the instance itself, through the operator's server and never an account's."""

import asyncio
import re
from html import escape
from typing import NamedTuple

from uuid_utils.compat import uuid7

from webapp import clock
from webapp.addresses import Address
from webapp.config import settings
from webapp.config.mail import MailServer, MailSettings
from webapp.errors import ConfigError
from webapp.languages import DEFAULT, Translator
from webapp.sending.host_policy import HostPolicy
from webapp.sending.mime.message import MessageContent, MessageFields, MessageTemplate, needs_smtputf8
from webapp.sending.outcomes import Blame, Outcome, Phase, TryLater
from webapp.sending.smtp.connect import Dialer, SmtpLogin, Unreachable
from webapp.sending.smtp.pool import single_session, try_login
from webapp.sending.smtp.transaction import Envelope, Transaction

SEND_SECONDS = 40.0  # in total, because the caller holds a lease while it waits
SLOW = TryLater(None, "this server's mail server is too slow", Phase.CONNECT, Blame.UNREACHABLE)
# Tells auto-responders not to reply (RFC 3834, 5).
HEADERS = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
LONGEST_NAME = 40  # of an organization
NOT_A_NAME = re.compile(r"[^\w &'-]+")
BUTTON = "display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#fff;text-decoration:none"


class SystemEmail(NamedTuple):
    to: str
    subject: str
    before: str  # paragraphs, separated by empty lines
    link: str  # an absolute URL
    label: str
    after: str
    settings_link: str = ""
    language: str = DEFAULT


def plain_name(name: str) -> str:
    """An organization's name without addresses, which mail programs would turn into links."""
    return " ".join(NOT_A_NAME.sub(" ", name).replace("_", " ").split())[:LONGEST_NAME].strip() or "An organization"


def is_set_up() -> bool:
    return settings().mail is not None


async def send(email: SystemEmail) -> Outcome:
    """Sends immediately, within SEND_SECONDS. Raises ConfigError if no server is configured."""
    mail = _mail_settings()
    recipient = Address("", email.to)
    text = f"{email.before}\n\n{email.link}\n\n{email.after}\n{email.settings_link}".rstrip() + "\n"
    content = MessageContent(mail.sender, email.subject, html=_html(email), text=text, headers=HEADERS)
    fields = MessageFields((recipient,), f"<{uuid7().hex}@{mail.sender.domain}>", clock.now())
    envelope = Envelope(mail.sender.email, (email.to,), utf8=needs_smtputf8(mail.sender, recipient))
    transaction = Transaction(envelope, MessageTemplate(content).render(fields))
    login, dialer = _login(mail.server), Dialer.of(settings())
    try:
        async with asyncio.timeout(SEND_SECONDS), single_session(login, dialer) as session:
            if await session.begin(transaction):
                await session.finish(transaction)
    except TimeoutError:
        return SLOW
    except Unreachable as error:
        return error.outcome
    return transaction.outcomes[email.to]


async def check_server() -> str:
    """Signs in to the server; returns its name and sender. Raises ConfigError with the reason."""
    mail = _mail_settings()
    trouble = await try_login(_login(mail.server), Dialer.of(settings()))
    if trouble is not None:
        raise ConfigError(f"{mail.server}: {trouble.text}")
    return f"{mail.server} accepts email from {mail.sender.email}"


def _mail_settings() -> MailSettings:
    mail = settings().mail
    if mail is None:
        raise ConfigError("PENNYPOST_SMTP_URL is not set: this server can't email links")
    return mail


def _login(server: MailServer) -> SmtpLogin:
    """The operator's server may be anywhere, even in a private network."""
    return SmtpLogin(
        account_id="instance",
        host=server.host,
        port=server.port,
        security=server.security,
        username=server.username,
        password=server.password,
        policy=HostPolicy(allow_private=True),
    )


def _html(email: SystemEmail) -> str:
    before, link, label, after, settings_link = (escape(part) for part in email[2:7])
    t = Translator(email.language, {})
    paragraphs = "".join(f"<p>{lines}</p>" for lines in before.split("\n\n")).replace("\n", "<br>")
    more = f'<br><a href="{settings_link}">{settings_link}</a>' if settings_link else ""
    return (
        f'<div lang="{t.language}" dir="{t.direction}">{paragraphs}'
        f'<p><a href="{link}" style="{BUTTON}">{label}</a></p>'
        f'<p style="word-break:break-all">{t("account_mail.or_open")}<br><a href="{link}">{link}</a></p>'
        f"<p>{after}{more}</p></div>"
    )
