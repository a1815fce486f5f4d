"""The page of a tracked email."""

from tests.api.conftest import make_api
from tests.api.mails import send
from tests.apps import app_of
from tests.domain.tracking.test_hits import BOTH, PERSON
from tests.domain.tracking.test_tracked_emails import BOT, TARGET, age_and_judge, html
from tests.pages.conftest import Visitor
from webapp.config import Settings
from webapp.models import Account, MailHit, Organization, TrackedLink


async def test_its_page_says_what_is_counted_and_who_did_it(
    owner: Visitor, account: Account, acme: Organization, settings: Settings
) -> None:
    api = await make_api(app_of(settings), acme)
    email_id = await send(api, html=html(), tracking=BOTH)
    link = await TrackedLink.of(acme).get()
    who = {"org": acme, "mail_log_id": email_id, "network": "x"}
    await MailHit.create(**who, link_id=link.id, agent=PERSON["User-Agent"])
    await MailHit.create(**who, agent="Mozilla/5.0")
    await MailHit.create(**who, agent=BOT["User-Agent"])
    await age_and_judge()
    page = await owner.get(f"/emails/{email_id}")
    words = " ".join(page.soup.get_text(" ").split())
    assert "Counted Opens and clicks" in words
    for line in (f"had a link clicked {TARGET}", "was opened by a machine", "was opened perhaps by a machine"):
        assert line in words
    preview = await owner.get(f"/emails/{email_id}/rendered")
    raw = await owner.get(f"/emails/{email_id}?view=raw")
    for shown in (preview.data.decode(), raw.soup.get_text()):
        assert "https://x.example/?a=1" in shown
        assert "/t/" not in shown
        assert "/o/" not in shown
    untracked = await owner.get(f"/emails/{await send(api, html=html())}")
    assert "Counted" not in untracked.soup.get_text()
