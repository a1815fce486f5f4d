"""Every page says that sending is on hold, since when, why, and what the operator does to go on."""

import pytest

from tests.pages.conftest import Visitor
from webapp.domain.instance.suspension import resume_sending, suspend_sending


@pytest.mark.parametrize("path", ["/home", "/accounts", "/accounts/new", "/api-keys", "/mail-logs", "/security"])
async def test_every_page_says_that_sending_is_on_hold(
    owner: Visitor, viewer: Visitor, rival_owner: Visitor, path: str
) -> None:
    await suspend_sending("restored from <a> backup")
    for visitor in (owner, viewer, rival_owner):
        found = (await visitor.get(path)).soup.select(".held")
        if visitor is viewer and not found:  # a page that is not theirs to see
            assert (await visitor.get(path)).status == 403
            continue
        (text,) = [" ".join(banner.get_text(" ").split()) for banner in found]
        assert "Sending is on hold. It was put on hold" in text
        assert "restored from <a> backup" in text
        assert "pennypost accept-restore" in text
    await resume_sending()
    assert (await owner.get(path)).soup.select(".held") == []


async def test_strangers_are_not_told(stranger: Visitor) -> None:
    await suspend_sending("restored")
    assert "hold" not in (await stranger.get("/sign-in")).text
