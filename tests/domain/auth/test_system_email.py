"""The mail of the instance itself: what it looks like, and what becomes of it."""

from dataclasses import replace

import pytest

from tests.fakes.smtp_server import SmtpServer
from tests.support.instance_mail import body_of, mailing_by, read
from webapp import config
from webapp.config import Settings
from webapp.config.mail import MailServer, MailSettings
from webapp.domain.auth import system_email
from webapp.domain.auth.system_email import SystemEmail
from webapp.errors import ConfigError
from webapp.sending.outcomes import Delivered

TO = "ada@example.org"
LINK = "http://127.0.0.1:8000/reset/none"
EMAIL = SystemEmail(TO, "A <subject>", "Before & after.", LINK, "Press <here>", "That was all.")


async def test_a_letter_arrives_as_text_and_html(settings: Settings, smtp_server: SmtpServer) -> None:
    mailing_by(smtp_server, settings)
    assert isinstance(await system_email.send(EMAIL), Delivered)
    (received,) = smtp_server.messages
    assert (received.mail_from, received.recipients) == ("post@instance.example", [TO])
    message = read(received)
    assert (message["From"], message["Subject"]) == ("Our Post <post@instance.example>", "A <subject>")
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Message-ID"].endswith("@instance.example>")
    assert body_of(message) == f"Before & after.\n\n{LINK}\n\nThat was all.\n"
    html = body_of(message, "html")
    assert f'<a href="{LINK}"' in html
    assert "Before &amp; after." in html
    assert "Press &lt;here&gt;" in html
    assert smtp_server.verbs[-1] == "QUIT"


async def test_a_login_is_used_and_never_sent_in_clear_to_a_server_without_starttls(settings: Settings) -> None:
    async with SmtpServer(users={"ada": "hush"}) as server:
        known = MailServer("127.0.0.1", server.port, "none", "ada", "hush")
        mail = MailSettings(known, mailing_by(server, settings).mail.sender)  # type: ignore[union-attr]  # it was just set
        config.configure(replace(settings, mail=mail))
        assert (
            await system_email.check_server()
            == f"smtp://127.0.0.1:{server.port} accepts email from {mail.sender.email}"
        )
        assert isinstance(await system_email.send(EMAIL), Delivered)
        assert server.logins == [("ada", "hush")] * 2
        config.configure(replace(settings, mail=replace(mail, server=replace(known, security="starttls"))))
        with pytest.raises(ConfigError, match="does not offer STARTTLS") as refusal:
            await system_email.check_server()
        assert "hush" not in str(refusal.value)
        assert len(server.logins) == 2
