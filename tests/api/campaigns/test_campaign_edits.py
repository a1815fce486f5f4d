"""Changes of a campaign while it is sent: the run under way goes on as it began, the next one takes them."""

import pytest

from tests.api.campaigns.test_runs import World, finish, rows_of, send, world
from tests.api.conftest import Api
from tests.factories import make_account, make_contact, make_segment, make_template
from webapp.domain.campaigns import send as sends
from webapp.domain.campaigns.inputs import NewSend
from webapp.domain.campaigns.runs import count_send
from webapp.models import Campaign, CampaignRun, Organization
from webapp.models.campaign_run import RunTrigger

__all__ = ["world"]


async def test_a_change_during_a_run_is_for_later_runs_only(
    api: Api, world: World, acme: Organization, rival: Organization
) -> None:
    await make_account(rival)
    assert (await send(api, world))[1]["contacts_messaged"] == 3
    others = await make_segment(acme, await make_contact(acme, "new@example.org", first_name="New"))
    template = await make_template(acme, subject="Other {{ first_name }}", body="other")
    change = {"segment_id": str(others.id), "template_id": str(template.id)}
    status, answer = await api.patch(world.path, change)
    assert (status, answer["data"]["status"], answer["data"]["template_id"]) == (200, "sending", str(template.id))
    _, answer = await api.get(f"/v1/mail-logs?campaign_id={world.campaign.id}")
    assert [(row["to_email"], row["subject"]) for row in answer["data"]] == [
        (f"c{number}@example.org", f"Hi N{number}") for number in (2, 1, 0)
    ]
    await finish(world)
    assert (await send(api, world))[1]["contacts_messaged"] == 1
    _, answer = await api.get(f"/v1/mail-logs?campaign_id={world.campaign.id}")
    assert (answer["data"][0]["to_email"], answer["data"][0]["subject"]) == ("new@example.org", "Other New")
    assert len(await rows_of(world)) == 4


@pytest.mark.parametrize("trigger", [RunTrigger.API, RunTrigger.DASHBOARD])
async def test_a_run_says_what_started_it(api: Api, world: World, acme: Organization, trigger: RunTrigger) -> None:
    campaign = await Campaign.one_of(acme, world.campaign.id)
    assert (await sends.send_campaign(acme, campaign, await count_send(acme, NewSend(), campaign), trigger)).queued == 3
    run = await CampaignRun.of(acme).get()
    _, answer = await api.get(f"{world.path}/runs/{run.id}")
    assert answer["data"]["trigger"] == trigger.value
