"""An instance that has a mail server of its own, and what arrives there."""

import re
from collections.abc import Sequence
from dataclasses import replace
from email.message import EmailMessage

from tests.fakes.smtp_server import Received, SmtpServer
from tests.support.messages import parsed
from webapp import config
from webapp.addresses import Address
from webapp.config import Settings
from webapp.config.mail import MailServer, MailSettings, SignUp

SENDER = Address("Our Post", "post@instance.example")


def mailing_by(server: SmtpServer, settings: Settings, sign_up: SignUp = SignUp.CLOSED) -> Settings:
    """The settings of this process from now on: the instance mails by `server`, and accounts may dial nothing in the house."""
    mail = MailSettings(MailServer("127.0.0.1", server.port, "none"), SENDER)
    found = replace(settings, mail=mail, sign_up=sign_up, allow_private_hosts=False)
    config.configure(found)
    return found


def read(received: Received) -> EmailMessage:
    """A message as a mail program sees it."""
    return parsed(received.content)


def body_of(message: EmailMessage, kind: str = "plain") -> str:
    """The text of a message, or its html."""
    part = message.get_body([kind])
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def links_to(address: str, received: Sequence[Received], base_url: str) -> list[str]:
    """The paths that the mails to an address lead to, the oldest first."""
    texts = [body_of(read(one)) for one in received if one.recipients == [address]]
    return [path for text in texts for path in re.findall(rf"(?m)^{re.escape(base_url)}(/\S*)$", text)]
