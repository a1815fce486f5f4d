"""A Host header of the caller's choice: no link is made of it, wherever one is shown, sent or followed (S27)."""

from dataclasses import replace
from urllib.parse import quote

import pytest

from tests.api.conftest import Api
from tests.factories import account_on, make_campaign, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.pages.conftest import Visitor
from webapp import config
from webapp.config import Settings
from webapp.config.oauth import GoogleSettings
from webapp.models import Organization

EVIL = "evil.example"
POISON = dict.fromkeys(("Host", "X-Forwarded-Host", "X-Original-Host"), EVIL)
POISON |= {"X-Forwarded-Proto": "https", "Forwarded": f"host={EVIL}"}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """With a Google client, whose page shows the address to come back to."""
    found = replace(settings, google=GoogleSettings(client_id="ours", client_secret="secret"))
    config.configure(found)
    return found


PATHS = (
    "/", "/v1", "/v1/", "/api/v1", "/openapi.json", "/sign-in", "/sign-in/", "/home", "/home/", "//home", "/reference",
    "/accounts//google", "/claim/none", "/nothing-here", "/static/app.css", "/healthz",
)  # fmt: skip


async def test_no_answer_names_the_host_that_was_asked_for(api: Api) -> None:
    for path in PATHS:
        for accepted in ("text/html", "application/json"):
            response = await api.send("GET", path, headers=POISON | {"Accept": accepted})
            assert EVIL not in f"{response.headers}", path
            assert EVIL.encode() not in await response.get_data(), path


async def test_no_page_names_the_host_that_was_asked_for(owner: Visitor, settings: Settings) -> None:
    form = await owner.get("/api-keys/new")
    made = await owner.submit(form, follow=False, name="shop", role="sender")
    place = made.response.headers["Location"]
    session = {"Cookie": "; ".join(f"{one.name}={one.value}" for one in owner.client.cookie_jar)}
    shown = {
        path: await owner.get(path, headers=POISON | session, follow=False)
        for path in (place, "/accounts/google", "/home", "/accounts", "/api-keys")
    }
    for path, page in shown.items():
        assert page.status == 200, path
        assert EVIL not in str(page.soup), path
        assert EVIL not in f"{page.response.headers}", path
    assert f"curl {settings.base_url}/v1/emails" in shown[place].text
    back = quote(f"{settings.base_url}/accounts/google/callback", safe="")
    assert f"redirect_uri={back}" in str(shown["/accounts/google"].soup)


async def test_no_mail_names_the_host_that_was_asked_for(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme)
    template = await make_template(
        acme, body='<a href="{{ unsubscribe_url }}">leave</a>', variables=["unsubscribe_url"]
    )
    segment = await make_segment(acme, await make_contact(acme, "ann@example.org"))
    campaign = await make_campaign(acme, segment=segment, template=template)
    sent = await api.send("POST", f"/v1/campaigns/{campaign.id}/send", headers=POISON)
    assert sent.status_code == 200
    await deliver_all(settings)
    (mail,) = smtp_server.messages
    assert EVIL.encode() not in mail.content
    assert f"List-Unsubscribe: <{settings.base_url}/unsubscribe/".encode() in mail.content
    row = await api.send("GET", "/v1/mail-logs", headers=POISON)
    text = await row.get_data()
    assert f"{settings.base_url}/unsubscribe/".encode() in text
    assert EVIL.encode() not in text
