"""docs/how-a-mail-leaves.md is true: what runs on the two ways is listed there, or is what everything passes."""

import gc
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.factories import account_on, make_campaign, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import dispatching, eventually
from webapp.app import create_app
from webapp.config import Settings
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import SENT

ROOT = Path(__file__).resolve().parents[3]
MOST_FILES = {"email": 45, "campaign": 61}


def listed(heading: str) -> list[str]:
    """The paths in the code block under a heading of the document."""
    text = (ROOT / "docs/how-a-mail-leaves.md").read_text()
    found = re.search(rf"^## {heading}.*?```\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    assert found is not None, heading
    return found[1].split()


@contextmanager
def traced() -> Iterator[set[str]]:
    """The files of ours whose functions are called in this block, in this thread."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith((f"{ROOT}/webapp/", f"{ROOT}/jobs/")):
            files.add(path.removeprefix(f"{ROOT}/"))

    gc.collect()  # a coroutine that an earlier test left behind is called once more when it is collected
    gc.disable()
    sys.setprofile(note)
    try:
        yield files
    finally:
        sys.setprofile(None)
        gc.enable()


async def send_email(api: Api, account: Account) -> None:
    body = {"from": account.from_email, "to": "ann@example.org", "subject": "Hello", "text": "Hello"}
    assert (await api.post("/v1/emails", body))[0] == 200


async def send_campaign(api: Api, account: Account) -> None:
    org = await Organization.get(id=account.org_id)
    segment = await make_segment(org, *[await make_contact(org) for _ in range(3)])
    campaign = await make_campaign(org, segment=segment, template=await make_template(org))
    assert (await api.post(f"/v1/campaigns/{campaign.id}/send", {}))[0] == 200


@pytest.mark.parametrize(("way", "send"), [("email", send_email), ("campaign", send_campaign)])
async def test_each_way_passes_the_files_that_are_listed(
    settings: Settings,
    acme: Organization,
    rival: Organization,
    smtp_server: SmtpServer,
    way: str,
    send: Callable[[Api, Account], Awaitable[None]],
) -> None:
    app: Quart = create_app(settings)
    account, theirs = await account_on(smtp_server, acme), await account_on(smtp_server, rival)
    api, their_api = await make_api(app, acme), await make_api(app, rival)

    async def all_sent() -> bool:
        return await MailLog.all().exclude(status=SENT).count() == 0 < await MailLog.all().count()

    async with app.test_app(), dispatching(settings):
        await send_email(their_api, theirs)
        await eventually(all_sent)  # what is done once in a process is done
        with traced() as files:
            await send(api, account)
            await eventually(all_sent)
    files_listed, passed = listed(f"The way of an? {way}"), tuple(listed("What everything passes"))
    assert len(files_listed) == len(set(files_listed)) <= MOST_FILES[way]
    assert [path for path in (*files_listed, *passed) if not (ROOT / path).exists()] == []
    unlisted = sorted(path for path in files - set(files_listed) if not path.startswith(passed))
    assert unlisted == []
