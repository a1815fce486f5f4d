"""Words of pages that people read before they act."""

import pytest

from tests.factories import make_one_of_each
from tests.pages.conftest import Visitor
from webapp.models import Account, Contact, Organization


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/campaigns/{campaign_id}", "Send When you send it"),
        ("/campaigns/{campaign_id}/review", "Send Now Change"),
        ("/campaigns/{campaign_id}/schedule", "In a dynamic segment, everyone who matches now gets it too."),
        ("/campaigns/{campaign_id}/schedule", "Repeat every"),
        ("/contacts/columns", "Saved for this browser."),
        ("/contacts/{contact_id}/erase", "Emails still waiting for them won't be sent."),
        ("/media", "URL of terms.pdf"),
        ("/organization/brand", "Image URL. Shown at the top of every email"),
        ("/suppressions/new", "Email already queued for it won't be sent."),
        ("/templates/new", "Show images from other sites"),
        ("/templates/{template_id}/versions", "Earlier versions of “"),
        ("/webhooks", "We post events to your URLs as they happen, signed."),
        (
            "/webhooks/new",
            "All events Except events for each recipient of a campaign and each member of a segment. Select those below.",
        ),
        ("/webhooks/{webhook_id}", "Event Response Attempt"),
        ("/webhooks/{webhook_id}/attempts/{attempt_id}", "Response body"),
    ],
)
async def test_a_page_says_what_it_does(
    owner: Visitor, acme: Organization, account: Account, path: str, words: str
) -> None:
    rows = await make_one_of_each(acme, account)
    contact = await Contact.get(id=rows["contact_id"])
    assert words in (await owner.get(path.format(**rows, email=contact.email))).text
