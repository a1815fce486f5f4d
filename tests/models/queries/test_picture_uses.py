"""Where a picture's address stands, searched among the newest ones alone."""

from collections.abc import Sequence
from uuid import uuid4

import pytest

from tests.factories import make_account, make_campaign, make_run, make_template, make_version
from webapp.models import CampaignRun, Content, Email, Organization
from webapp.models.queries import picture_uses

ADDRESS = "/m/abc/"
MOST = 50


async def make_emails(org: Organization, htmls: Sequence[str], size: int = 10**9) -> list[Email]:
    contents = [Content(org=org, subject="Hi", html=html) for html in htmls]
    await Content.bulk_create(contents)
    fixed = {"account_id": uuid4(), "message_id": "<x@x.example>", "sender": "a@x.example", "size": size}
    given = {"addresses": {}, "headers": {}, "tags": [], "variables": {}}
    emails = [Email(org=org, content_id=content.id, **fixed, **given) for content in contents]
    await Email.bulk_create(emails)
    return emails


async def test_the_newest_emails_are_searched_and_no_others(acme: Organization, rival: Organization) -> None:
    await make_emails(rival, [ADDRESS] * 20)
    old, *others = await make_emails(
        acme, [ADDRESS, *["x"] * (MOST - 2), f'<img src="https://x.example{ADDRESS}a.png">']
    )
    found = await picture_uses.emails_with(acme.id, ADDRESS, MOST)
    assert found == ([others[-1].id, old.id], MOST, True)
    await make_emails(acme, ["x"])
    assert await picture_uses.emails_with(acme.id, ADDRESS, MOST) == ([others[-1].id], MOST, False)
    assert await picture_uses.emails_with(acme.id, "/m/other/", MOST) == ([], MOST, False)


async def test_emails_with_long_bodies_are_few_whatever_is_attached(acme: Organization) -> None:
    emails = await make_emails(acme, [ADDRESS + "x" * 993] * 10)
    found = await picture_uses.emails_with(acme.id, ADDRESS, MOST, most_bytes=3_500)
    assert found == ([email.id for email in emails[:-4:-1]], 3, False)


@pytest.mark.parametrize("field", ["body", "source"])
async def test_old_versions_and_campaigns_of_others_are_none(
    acme: Organization, rival: Organization, field: str
) -> None:
    picture = {"body": f'<img src="{ADDRESS}a.png">'}
    if field == "source":
        picture = {"kind": "blocks", "body": "", "source": {"blocks": [{"kind": "image", "src": f"{ADDRESS}a.png"}]}}
    made = {}
    for org in (acme, rival):
        made[org] = template = await make_template(org)
        for fields in (picture, picture, {}):
            await make_version(template, **fields)
        run, _ = await make_run(org, [await make_account(org)], 1)
        campaign, content = await make_campaign(org), await Content.create(org=org, subject="x", html=ADDRESS)
        await CampaignRun.filter(id=run.id).update(campaign_id=campaign.id, content_id=content.id)
    assert await picture_uses.templates_once_with(acme.id, ADDRESS) == [made[acme].id]
    run = await CampaignRun.of(acme).get()
    assert await picture_uses.campaigns_with(acme.id, ADDRESS) == [run.campaign_id]
