"""An organization whose readers' mails can be read, as a program with its key and a person with its session see it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any

import httpx2

from tests.browser.conftest import Service, beside_the_browser, found_company, in_database
from tests.factories import account_on
from tests.fakes.smtp_server import Received, SmtpServer
from tests.support.instance_mail import links_to
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.auth.sessions import Browser, open_session
from webapp.models import User

OWNER, SENDER = "nils@harbor.example", "letters@harbor.example"
MAIL_SECONDS = 40  # until the worker has delivered a mail on a busy machine


@dataclass(frozen=True)
class Publisher:
    """`key` is an admin's API key, `session` the owner's token; its account sends by `post_office`."""

    base_url: str
    key: str
    session: str
    post_office: SmtpServer

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the body of an API response."""
        headers = {"Authorization": f"Bearer {self.key}"}
        answer = httpx2.request(method, f"{self.base_url}/v1{path}", json=body, headers=headers, timeout=60)
        return answer.status_code, answer.json()

    def make(self, path: str, **body: Any) -> Any:
        status, answer = self.call("POST", path, body)
        assert status < 300, answer
        return answer.get("data", answer)

    def contact(self, key: str) -> Any:
        status, answer = self.call("GET", f"/contacts/{key}")
        assert status == 200, answer
        return answer["data"]

    def mail(self, address: str, number: int = 1) -> Received:
        """The first mail to an address, or the one of this number; waits for it."""
        deadline = monotonic() + MAIL_SECONDS
        while monotonic() < deadline:
            received = [mail for mail in self.post_office.messages if mail.recipients == [address]]
            if len(received) >= number:
                return received[number - 1]
            sleep(0.05)
        raise AssertionError(f"{address} got {len(received)} mails: {self.post_office.recipients()}")

    def link(self, address: str, number: int = 1) -> str:
        """The path of the first link in this mail."""
        return links_to(address, [self.mail(address, number)], self.base_url)[0]

    def send(self, to: str, subject: str, topic: Any = None) -> Any:
        """Sends a transactional email, with the link to the preferences if it has a topic."""
        about = {"topic_id": topic["id"], "text": "{{ preferences_url }}"} if topic else {"text": "Thank you."}
        return self.make("/emails", **{"from": SENDER, "to": [to], "subject": subject, **about})

    def send_campaign(self, title: str, segment: Any, template: Any, topic: Any = None) -> int:
        """Sends a campaign; returns how many members get it."""
        about = {"topic_id": topic["id"]} if topic else {}
        made = self.make("/campaigns", title=title, segment_id=segment["id"], template_id=template["id"], **about)
        return int(self.make(f"/campaigns/{made['id']}/send")["contacts_messaged"])


@contextmanager
def publishing(service: Service) -> Iterator[Publisher]:
    """A new organization of the service, and its mail server for the life of this block."""
    post_office, secrets = SmtpServer(), dict[str, str]()

    async def prepare() -> None:
        org = await found_company(OWNER)
        await account_on(post_office, org, from_email=SENDER)
        secrets["key"] = (await issue_key(org, NewKey(name="Tasks", role="admin"))).secret
        owner = await User.get(email=OWNER)
        secrets["session"] = (await open_session(owner, org, Browser("127.0.0.1", "tests"))).token

    with beside_the_browser(post_office):
        in_database(service, prepare)
        yield Publisher(service.base_url, secrets["key"], secrets["session"], post_office)
