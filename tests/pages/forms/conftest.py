"""A form of ours, people who sign up by it from networks of their own, and the links they get."""

import re
from itertools import count
from typing import Any

import pytest

from tests.factories import account_on, make_form
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.pages.conftest import Page, Visitor
from tests.support.instance_mail import body_of, read
from webapp.config import Settings
from webapp.domain.forms import sign_up
from webapp.models import Account, Organization, ReaderMail, SignUpForm

ADA = "ada@example.org"
_hosts = count(1)


@pytest.fixture
async def account(acme: Organization, smtp_server: SmtpServer) -> Account:
    return await account_on(smtp_server, acme, from_email="hello@acme.example")


@pytest.fixture
async def form(acme: Organization, account: Account) -> SignUpForm:
    return await make_form(acme)


class Inbox:
    """The emails that the worker sends after sign-ups."""

    def __init__(self, settings: Settings, server: SmtpServer) -> None:
        self.settings, self.server = settings, server

    async def links(self, address: str = ADA) -> list[str]:
        """The paths in the mails to an address, the oldest first."""
        await sign_up.queue.send()
        assert not await ReaderMail.across_orgs().exists()
        await deliver_all(self.settings)
        texts = [body_of(read(mail)) for mail in self.server.messages if mail.recipients == [address]]
        return [path for text in texts for path in re.findall(rf"{re.escape(self.settings.base_url)}(/[^\s>]+)", text)]

    async def link(self, address: str = ADA) -> str:
        (link,) = await self.links(address)
        return link


@pytest.fixture
def inbox(settings: Settings, smtp_server: SmtpServer) -> Inbox:
    return Inbox(settings, smtp_server)


def elsewhere() -> dict[str, Any]:
    """Another network for a request."""
    return {"client": (f"198.18.{next(_hosts) % 256}.7", 1)}


async def ask(
    visitor: Visitor, form: SignUpForm, email: str = ADA, headers: dict[str, str] | None = None, **fields: Any
) -> Page:
    """Sign up as a script of another site does, each time from another network."""
    body = {"email": email, **fields}
    path = f"/f/{form.key}"
    return await visitor.post(path, json=body, headers=headers, scope_base=elsewhere(), follow=False)
