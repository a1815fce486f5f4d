"""Every page says that sending is on hold, since when, why, and what the operator does to go on."""

from tests.pages.conftest import Visitor
from webapp.domain.instance.suspension import resume_sending, suspend_sending


async def test_every_page_says_that_sending_is_on_hold_but_to_strangers(
    owner: Visitor, viewer: Visitor, rival_owner: Visitor, stranger: Visitor
) -> None:
    await suspend_sending("restored from <a> backup")
    for path in ("/home", "/accounts", "/mail-logs", "/security"):
        for visitor in (owner, viewer, rival_owner):
            page = await visitor.get(path)
            for words in ("Sending is on hold.", "restored from <a> backup", "pennypost accept-restore"):
                assert words in page.text
    assert "hold" not in (await stranger.get("/sign-in")).text
    await resume_sending()
    assert (await owner.get("/home")).soup.select(".held") == []
