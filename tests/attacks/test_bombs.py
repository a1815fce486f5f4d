"""Small mails that would cost much, and searches by the dozen, beside another organization's mail (S56, S62)."""

import asyncio
import re
import statistics
from time import monotonic

import httpx2
import pytest

from tests.attacks.conftest import target_of
from tests.factories import account_on, make_campaign, make_contact, make_segment, make_template
from tests.fakes.attacker import ENDLESS, HEAVY, Target, attack
from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.processes import FROM_NOTHING
from tests.faults.support.web import answer_times, client_of, new_key, peak_bytes, web_running, with_port
from tests.faults.support.world import until_received
from tests.figures import Figures
from tests.support.audiences import make_audience
from webapp.config import Settings
from webapp.models import Campaign, CampaignRun, MailLog, Organization, Segment
from webapp.models.campaign_run import RunStatus
from webapp.models.mail_log import FAILED

SECONDS = 40.0
MAILS_A_SECOND = 10
CONTACTS = 500_000


class Steady:
    """Mails of an organization at a steady rate, and the seconds from each POST until it was accepted, and arrived."""

    def __init__(self, settings: Settings, key: str, account_key: str) -> None:
        self.settings, self.key, self.account_key = settings, key, account_key
        self.began: dict[str, float] = {}
        self.accepted: list[float] = []

    async def send(self) -> None:
        """Send for SECONDS, and wait for the answers."""
        async with client_of(self.settings, self.key, 120) as client, asyncio.TaskGroup() as sending:
            began = monotonic()
            for number in range(int(SECONDS * MAILS_A_SECOND)):
                sending.create_task(self._send(client, f"reader{number}@example.org"))
                await asyncio.sleep(max(0.0, began + (number + 1) / MAILS_A_SECOND - monotonic()))

    async def _send(self, client: httpx2.AsyncClient, to: str) -> None:
        began = self.began[to] = monotonic()
        mail = {"from": "hello@acme.example", "to": [to], "account_key": self.account_key}
        answer = await client.post("/emails", json=mail | {"subject": "Hello", "html": "<p>Hello <b>you</b></p>"})
        assert answer.status_code == 200, answer.text
        self.accepted.append(monotonic() - began)

    async def arrived(self, server: SmtpServer) -> list[float]:
        """The seconds until each arrived, when all have."""
        await until_received(server, len(self.began), 60)
        return [mail.at - self.began[mail.recipients[0]] for mail in server.messages]


def p95(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1]


def held_seconds(settings: Settings) -> list[float]:
    """The seconds of each blocked event loop that the log reports."""
    log = (settings.data_dir / "up.log").read_text()
    return [float(found) for found in re.findall(r"the event loop was held for ([\d.]+) s", log)]


async def make_target(settings: Settings, rival: Organization, server: SmtpServer) -> Target:
    account = await account_on(server, rival, from_email="hello@rival.example", daily_mail_limit=1_000_000)
    return await target_of(settings, rival, account)


@pytest.mark.soak
@pytest.mark.alone
@pytest.mark.timeout(300)
async def test_bombs_cost_no_other_organization_its_mail(
    acme: Organization, rival: Organization, settings: Settings, figures: Figures
) -> None:
    settings = with_port(settings)
    async with (
        SmtpServer() as theirs,
        SmtpServer() as server,
        web_running(settings, "up", "--processes", "1", program=FROM_NOTHING) as service,
    ):
        target, mails = await make_target(settings, rival, theirs), await make_mails(settings, acme, server)
        segment = await make_segment(rival, *[await make_contact(rival) for _ in range(200)])
        heavy, endless = [await start_campaign(target, rival, segment, body) for body in (HEAVY, ENDLESS)]
        asked, statuses, _ = await asyncio.gather(
            answer_times(f"{settings.base_url}/healthz", SECONDS), attack("bombs", target, SECONDS), mails.send()
        )
        hold_to_bounds(figures, settings, mails.accepted, await mails.arrived(server), asked)
        figures("MB of memory at most", peak_bytes(service) / 1e6, below=300)
        assert service.returncode is None
        assert (await CampaignRun.of(rival).get(campaign_id=endless.id)).status == RunStatus.HALTED
        assert await MailLog.of(rival).filter(campaign_id=heavy.id, status=FAILED).count() == 0
    figures("bombs that were taken in, or looked at", statuses.count(200), at_least=20)
    assert set(statuses) <= {200, 429}


@pytest.mark.soak
@pytest.mark.alone
@pytest.mark.timeout(400)
async def test_searches_by_the_dozen_cost_no_other_organization_its_mail(
    acme: Organization, rival: Organization, settings: Settings, figures: Figures
) -> None:
    settings = with_port(settings)
    await make_audience(rival, CONTACTS)
    async with (
        SmtpServer() as theirs,
        SmtpServer() as server,
        web_running(settings, "up", program=FROM_NOTHING) as service,
    ):
        target, mails = await make_target(settings, rival, theirs), await make_mails(settings, acme, server)
        asked, statuses, _ = await asyncio.gather(
            answer_times(f"{settings.base_url}/healthz", SECONDS), attack("searches", target, SECONDS), mails.send()
        )
        hold_to_bounds(figures, settings, mails.accepted, await mails.arrived(server), asked)
        assert service.returncode is None
    figures("searches that were answered", statuses.count(200), at_least=20)
    assert set(statuses) <= {200, 429}


def hold_to_bounds(
    figures: Figures, settings: Settings, accepted: list[float], arrived: list[float], asked: list[float]
) -> None:
    figures("seconds from POST to accepted, p95", p95(accepted), below=1)
    figures("seconds from POST to arrived, p95", p95(arrived), below=2)
    figures("seconds that /healthz took, p95", p95(asked), below=0.25)
    figures("seconds that the loop was held at most", max(held_seconds(settings), default=0), below=0.5)


async def start_campaign(target: Target, org: Organization, segment: Segment, body: str) -> Campaign:
    """A campaign that is being sent with a template of this body."""
    template = await make_template(org, subject="Hello", body=body)
    campaign = await make_campaign(org, segment=segment, template=template)
    async with target.program() as client:
        answer = await client.post(f"/campaigns/{campaign.id}/send", json={})
    assert answer.status_code == 200, answer.text
    return campaign


async def make_mails(settings: Settings, org: Organization, server: SmtpServer) -> Steady:
    account = await account_on(server, org, daily_mail_limit=100_000)
    return Steady(settings, await new_key(org), account.account_key)
