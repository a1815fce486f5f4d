"""A campaign's attachments: PDFs of the media library that go with each email, as they were when the run began."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.api.campaigns.test_runs import World, finish, send, world
from tests.api.conftest import Api
from tests.api.media.test_media import added, stored
from tests.factories import account_on, make_account, make_media
from tests.fakes.smtp_server import Received, SmtpServer
from tests.fakes.worker import deliver_all, eventually, working
from tests.support.messages import parsed, part
from tests.support.pictures import pdf
from webapp.config import Settings
from webapp.domain.campaigns import campaigns
from webapp.domain.campaigns.review import review_campaign
from webapp.domain.media import files
from webapp.models import Account, Campaign, CampaignRun, CampaignRunAccount, Content, MailLog, Organization
from webapp.models.account import ProviderType

__all__ = ["world"]

MIB = 1024 * 1024


async def attach(api: Api, world: World, *media: Any) -> None:
    status, answer = await api.patch(world.path, {"media_ids": [one["id"] for one in media]})
    assert (status, answer["data"]["media_ids"]) == (200, [one["id"] for one in media])


def file_of(settings: Settings, media: Any) -> Path:
    assert isinstance(settings.media, Path)
    (path,) = settings.media.rglob(media["hash"])
    return path


def files_in(message: Received) -> dict[str, bytes]:
    attached = list(parsed(message.content).iter_attachments())
    assert {file.get_content_type() for file in attached} <= {"application/pdf"}
    return {file.get_filename() or "": file.get_content() for file in attached}


async def graph_account(org: Organization) -> Account:
    return await make_account(
        org, provider_type=ProviderType.MICROSOFT, microsoft_email="news@acme.example", oauth_refresh_token="x"
    )


@pytest.fixture
async def sender(acme: Organization, smtp_server: SmtpServer) -> Account:
    await Account.of(acme).delete()
    return await account_on(smtp_server, acme)


async def test_each_email_of_a_run_carries_the_files(
    api: Api, world: World, sender: Account, smtp_server: SmtpServer, settings: Settings, acme: Organization
) -> None:
    other = await account_on(smtp_server, acme, from_email="other@acme.example")
    prices, terms = await added(api, pdf(300_000), "Preise für Mai.pdf"), await added(api, pdf(), "terms.pdf")
    await attach(api, world, terms, prices)
    assert (await send(api, world))[0] == 200
    await deliver_all(settings)
    assert sorted(message.recipients[0] for message in smtp_server.messages) == [one.email for one in world.members]
    for message in smtp_server.messages:
        assert list(files_in(message).items()) == [("terms.pdf", pdf()), ("Preise für Mai.pdf", pdf(300_000))]
        whole = parsed(message.content)
        assert part(whole, "html") == f"<p>Bye {message.recipients[0]}</p>"
        assert max(map(len, message.content.split(b"\r\n"))) < 999
    assert {message.mail_from for message in smtp_server.messages} <= {sender.from_email, other.from_email}


async def test_a_run_keeps_its_files_whatever_happens_to_the_library(
    api: Api, world: World, sender: Account, smtp_server: SmtpServer, settings: Settings, acme: Organization
) -> None:
    media = await added(api, pdf(), "terms.pdf")
    await attach(api, world, media)
    assert (await send(api, world))[0] == 200
    status, answer = await api.delete(f"/v1/media/{media['id']}")
    assert (status, answer["message"]) == (
        409,
        f"terms.pdf is used by the campaign “{world.campaign.title}”. It would be missing there",
    )
    assert (await api.delete(f"/v1/media/{media['id']}?force=true"))[0] == 200
    await files.drop_unnamed()
    await deliver_all(settings)
    assert [files_in(message) for message in smtp_server.messages] == [{"terms.pdf": pdf()}] * 3
    await finish(world)
    status, answer = await send(api, world)
    assert (status, answer["details"][0]["field"]) == (400, "media_ids")
    assert "was deleted from the media library" in answer["message"]
    checks = (await review_campaign(acme, await Campaign.get(id=world.campaign.id))).checks
    assert "An attachment was deleted from the media library. Choose the attachments again." in [c.text for c in checks]
    assert len(stored(settings)) == 1
    await Content.of(acme).delete()  # as retention does
    await files.drop_unnamed()
    assert stored(settings) == []


async def test_copies_have_the_files_and_later_runs_those_of_their_time(
    api: Api, world: World, sender: Account, smtp_server: SmtpServer, settings: Settings, acme: Organization
) -> None:
    first, second = await added(api, pdf(), "one.pdf"), await added(api, pdf(1_000), "two.pdf")
    await attach(api, world, first)
    await send(api, world)
    await deliver_all(settings)
    await finish(world)
    campaign = await Campaign.get(id=world.campaign.id)
    for copy in (
        await campaigns.duplicate_campaign(acme, campaign),
        await campaigns.follow_up_campaign(acme, campaign),
    ):
        assert copy.media_ids == [first["id"]]
    await attach(api, world, second)
    smtp_server.messages.clear()
    await send(api, world)
    await deliver_all(settings)
    assert [list(files_in(message)) for message in smtp_server.messages] == [["two.pdf"]] * 3


async def test_a_retry_sends_the_files_of_its_run(
    api: Api, world: World, sender: Account, smtp_server: SmtpServer, settings: Settings
) -> None:
    await attach(api, world, await added(api, pdf(), "one.pdf"))
    smtp_server.refuse(world.members[0].email, "550 5.7.1 no")
    await send(api, world)
    await deliver_all(settings)
    await finish(world)
    assert len(smtp_server.messages) == 2
    await attach(api, world)
    row = await MailLog.across_orgs().get(status="failed")
    status, answer = await api.post(f"{world.path}/runs/{row.campaign_run_id}/retry")
    assert (status, answer["data"]["total"]) == (200, 1)
    smtp_server.heal()
    await deliver_all(settings)
    assert [files_in(message) for message in smtp_server.messages[2:]] == [{"one.pdf": pdf()}]


async def test_a_retry_leaves_out_accounts_that_take_no_such_messages(
    api: Api, world: World, sender: Account, acme: Organization
) -> None:
    media = await make_media(acme, type="application/pdf", name="big.pdf", width=0, height=0, bytes=2 * MIB)
    await attach(api, world, {"id": str(media.id)})
    await send(api, world)
    await MailLog.across_orgs().update(status="failed")
    await finish(world)
    await sender.delete()
    await graph_account(acme)
    retry = f"{world.path}/runs/{(await CampaignRun.of(acme).get()).id}/retry"
    status, answer = await api.post(retry)
    assert (status, answer["message"]) == (409, "none of this run's accounts can send right now")
    able = await make_account(acme)
    assert (await api.post(retry))[0] == 200
    retried = await CampaignRun.of(acme).get(trigger="retry")
    assert await CampaignRunAccount.filter(run_id=retried.id).values_list("account_id", flat=True) == [able.id]


async def test_a_test_email_carries_the_files(
    api: Api, world: World, sender: Account, smtp_server: SmtpServer, settings: Settings
) -> None:
    await attach(api, world, await added(api, pdf(2 * MIB), "one.pdf"))
    status, answer = await api.post(f"{world.path}/test", {"to": "me@acme.example"})
    assert status == 200
    await deliver_all(settings)
    assert [files_in(message) for message in smtp_server.messages] == [{"one.pdf": pdf(2 * MIB)}]
    assert (await api.get(f"/v1/emails/{answer['id']}/attachments"))[1]["data"][0]["filename"] == "one.pdf"


async def test_a_file_lost_from_the_storage_halts_the_run_with_the_reason(
    api: Api, world: World, sender: Account, smtp_server: SmtpServer, settings: Settings
) -> None:
    media = await added(api, pdf(), "one.pdf")
    await attach(api, world, media)
    await send(api, world)
    file_of(settings, media).unlink()
    await deliver_all(settings)
    assert smtp_server.messages == []
    status, answer = await api.get(world.path)
    assert answer["data"]["status"] == "halted"
    assert "the attachment one.pdf is missing in the storage of media" in answer["data"]["halted_reason"]
    status, answer = await api.post(f"{world.path}/test", {"to": "me@acme.example"})
    assert (status, answer["details"][0]["field"]) == (400, "media_ids")


async def test_only_own_pdfs_that_fit_are_attached(
    api: Api, rival_api: Api, world: World, acme: Organization, rival: Organization
) -> None:
    theirs = await make_media(rival, type="application/pdf", name="theirs.pdf", width=0, height=0)
    image = await make_media(acme, name="logo.png")
    large = [
        await make_media(acme, type="application/pdf", name=f"{n}.pdf", width=0, height=0, bytes=3 * MIB) for n in "ab"
    ]
    cases: list[tuple[list[Any], int, str]] = [
        ([str(theirs.id)], 404, "media_ids: file not found in the media library"),
        ([str(uuid4())], 404, "media_ids: file not found in the media library"),
        ([str(image.id)], 400, "media_ids must be PDFs, unlike logo.png; put images into the template"),
        ([str(one.id) for one in large], 400, "media_ids must be at most 5 MB in total"),
        ([str(uuid4())] * 6, 400, "media_ids must have at most 5 items, not 6"),
        (["terms.pdf"], 400, "media_ids.0 must be a UUID"),
    ]
    for ids, expected, message in cases:
        status, answer = await api.patch(world.path, {"media_ids": ids})
        assert (status, answer["message"]) == (expected, message)
        body = {"title": "One", "segment_id": str(world.campaign.segment_id), "media_ids": ids}
        assert (await api.post("/v1/campaigns", body))[0] == expected
    assert (await api.get(world.path))[1]["data"]["media_ids"] == []
    once = {"media_ids": [str(large[0].id)] * 2}
    assert (await api.patch(world.path, once))[1]["data"]["media_ids"] == [str(large[0].id)]
    assert (await rival_api.patch(world.path, {"media_ids": [str(theirs.id)]}))[0] == 404


async def test_accounts_that_take_no_such_messages_are_left_out_and_the_review_says_so(
    api: Api, world: World, acme: Organization
) -> None:
    graph = await graph_account(acme)
    media = await make_media(acme, type="application/pdf", name="big.pdf", width=0, height=0, bytes=2 * MIB)
    await attach(api, world, {"id": str(media.id)})
    review = await review_campaign(acme, await Campaign.get(id=world.campaign.id))
    texts = [check.text for check in review.checks]
    assert any(text.startswith("The attachments add 2.7 MB to each email, 8.2 MB in total for 3 rec") for text in texts)
    assert f"“{graph.name}” can't send emails over 2.0 MB, so with these attachments it isn't used." in texts
    assert review.able == [world.account]
    status, answer = await send(api, world, {"sender_account_ids": [str(graph.id)]})
    assert (status, answer["details"][0]["field"]) == (400, "media_ids")
    assert (await send(api, world))[0] == 200
    assert await CampaignRunAccount.all().values_list("account_id", flat=True) == [world.account.id]


async def test_the_files_of_a_run_are_read_once(
    api: Api, world: World, sender: Account, smtp_server: SmtpServer, settings: Settings
) -> None:
    media = await added(api, pdf(MIB), "one.pdf")
    await attach(api, world, media)
    await send(api, world)
    answer = smtp_server.hold("DATA", times=1)
    async with working(settings):

        async def is_first_built() -> bool:
            return "DATA" in smtp_server.verbs

        await eventually(is_first_built)
        file_of(settings, media).unlink()
        answer.set()

        async def are_all_sent() -> bool:
            return len(smtp_server.messages) == len(world.members)

        await eventually(are_all_sent)
    assert [files_in(message) for message in smtp_server.messages] == [{"one.pdf": pdf(MIB)}] * 3
