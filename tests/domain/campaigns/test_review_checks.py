"""What is said of a campaign before it is sent: a table of what may be wrong with one that is well."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from webapp.domain.campaigns.preview import CampaignPreview
from webapp.domain.campaigns.review_checks import Review
from webapp.domain.merge_tags.rendering import Rendered
from webapp.domain.plans.plans import PLANS
from webapp.models.outbox.audience_counts import AudienceCounts
from webapp.models.queries.missing_values import MissingValues

HOME = "http://127.0.0.1:8000"
PAST = datetime.now(UTC) - timedelta(hours=1)


def account(**fields: Any) -> Any:
    """What is asked of an account's row."""
    settings = {
        "id": uuid4(),
        "name": "Main",
        "provider_type": "smtp",
        "smtp_host": "smtp.acme.example",
        "status": "active",
    }
    rest = {"from_email": "hello@acme.example", "is_sandbox": False, "last_error": None, "is_failing": False}
    sign_in = {"smtp_auth": "password", "smtp_password": "sealed", "oauth_expires_at": None}
    sign_in |= dict.fromkeys(("google_refresh_token", "oauth_refresh_token", "oauth_client_secret"))
    values = settings | rest | sign_in | fields
    return SimpleNamespace(**values, from_domain=(values["from_email"] or "").rpartition("@")[2])


def campaign(**fields: Any) -> Any:
    """What is asked of a campaign's row."""
    chosen = {
        "segment_id": uuid4(),
        "template_id": uuid4(),
        "schedule_type": "manual",
        "scheduled_at": None,
        "media_ids": [],
    }
    chosen |= dict.fromkeys(("subject", "preview_text", "from_email"))
    chosen["is_for_new_members"] = fields.get("schedule_type") == "recurring_new_contacts"
    return SimpleNamespace(**{**chosen, "recurrence_interval": None, "recurrence_unit": None, **fields})


MAIL = CampaignPreview(Rendered("Hello", "<p>Hello</p>", None), ("town",), has_link=True)
WELL = Review(
    campaign=campaign(),
    counts=AudienceCounts(100),
    accounts=[account()],
    preview=MAIL,
    fault=None,
    missing=MissingValues(100, {"town": 0}),
    plan=PLANS["basic"],
    quota_left=100,
    base_url="https://mail.acme.example",
)


def test_a_campaign_that_is_well_is_left_in_peace() -> None:
    assert WELL.checks == []
    assert replace(WELL, quota_left=None, missing=None).checks == []


@pytest.mark.parametrize(
    ("changes", "kind", "step", "words"),
    [
        ({"campaign": campaign(segment_id=None)}, "bad", "audience", "Select a segment"),
        ({"counts": AudienceCounts(0), "missing": None}, "bad", "audience", "no subscribed members"),
        ({"quota_left": 40}, "bad", "audience", "need 100, and the Basic plan has 40 left"),
        ({"campaign": campaign(template_id=None), "preview": None, "missing": None}, "bad", "content", "Select a template"),
        ({"fault": "The template's subject is empty.", "preview": None, "missing": None}, "bad", "template", "subject is empty"),
        ({"preview": replace(MAIL, has_link=False)}, "alarm", "template", "{{ unsubscribe_url }}"),
        ({"preview": replace(MAIL, mail=Rendered("Hi", "x" * (102 * 1024 + 1), None))}, "warn", "template", "102 kB"),
        (
            {"preview": replace(MAIL, faults=("1 image has no alt text.",))},
            "warn", "template", "1 image has no alt text",
        ),
        ({"lacks_address_in": "brand"}, "warn", "brand", "No postal address"),
        ({"missing": MissingValues(100, {"town": 3})}, "warn", "template", "3 contacts have no value for “town”"),
        ({"missing": MissingValues(100, {"town": 100})}, "alarm", "template", "No contact has a value for {{ town }}."),
        (
            {"missing": MissingValues(100, {"town": 100}), "campaign": campaign(subject="{{ town }}")},
            "alarm", "content", "No contact has a value for {{ town }}.",
        ),
        (
            {"missing": MissingValues(100, {"citty": 100, "city": 40}), "known": {"City", "city", "seats"}},
            "alarm", "template", "No contact has a value for {{ citty }}. Did you mean {{ city }}?",
        ),
        (
            {"missing": MissingValues(100, {"city": 100}), "known": {"City"}},
            "alarm", "template", "None of these recipients has a value for {{ city }}. Add a default.",
        ),
        (
            {"counts": AudienceCounts(200), "quota_left": None, "missing": MissingValues(100, {"city": 100}), "known": {"city"}},
            "alarm", "template", "None of the first 100 contacts has a value for {{ city }}. Add a default.",
        ),
        (
            {"template": SimpleNamespace(subject="Hi", body="*|IF:FNAME|* Dear")},
            "alarm", "template", "*|IF:FNAME|* is a Mailchimp tag, which isn't filled in. Write {% if first_name %} instead.",
        ),
        ({"template": SimpleNamespace(subject="*|END:IF|*", body="")}, "alarm", "template", "Write {% endif %} instead."),
        ({"template": SimpleNamespace(subject="*|CURRENT_YEAR|*", body="")}, "alarm", "template", 'Write {{ "now" | date: "%Y" }}'),
        ({"template": SimpleNamespace(subject="*|BIRTHDAY|*", body="")}, "alarm", "template", "Write {{ birthday }} instead."),
        (
            {"template": SimpleNamespace(subject="Hi", body="*|LIST:ADDRESS|*")},
            "alarm", "template", "*|LIST:ADDRESS|* is a Mailchimp tag, which isn't filled in. Remove it.",
        ),
        (
            {"template": SimpleNamespace(subject="Hi", body="Dear *|FNAME|*, *|FNAME|*")},
            "alarm", "template", "*|FNAME|* is a Mailchimp tag, which isn't filled in. Write {{ first_name }} instead.",
        ),
        ({"base_url": HOME}, "bad", None, "which recipients can't open"),
        ({"accounts": []}, "bad", "senders", "No account can send this campaign"),
        ({"accounts": [account(), account(name="Old", status="error", last_error="535 no")]}, "warn", "senders", "“Old” has an error: 535 no."),
        ({"accounts": [account(smtp_host="smtp.office365.com")]}, "warn", "senders", "“Main”: Microsoft switches off passwords"),
        (
            {"campaign": campaign(from_email="a@other.example"), "accounts": []},
            "bad", "senders", "No account can send as a@other.example. Choose an active account of the same domain",
        ),
        (
            {
                "campaign": campaign(from_email="News@ACME.example"),
                "accounts": [account(), account(name="Old", from_email="x@news.acme.example")],
            },
            "warn", "senders", "“Old” can't send as News@ACME.example, so this campaign doesn't use it.",
        ),
        ({"accounts": [account(), account(is_sandbox=True)]}, "warn", "senders", "never delivered"),
        ({"accounts": [account(is_sandbox=True)]}, "warn", "senders", "to the sandbox only; nobody receives it."),
        ({"campaign": campaign(schedule_type="scheduled_once", scheduled_at=PAST)}, "bad", "schedule", "has passed"),
        (
            {"plan": PLANS["free"], "campaign": campaign(schedule_type="recurring_new_contacts")},
            "bad", "schedule", "Free plan doesn't include",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_its_step(changes: dict[str, Any], kind: str, step: str | None, words: str) -> None:
    (found,) = replace(WELL, **changes).checks
    assert (found.kind, found.step) == (kind, step)
    assert words in found.text


@pytest.mark.parametrize(
    "local", [account(is_sandbox=True), account(smtp_host="127.0.0.1"), account(smtp_host="localhost")]
)
def test_mail_that_stays_here_may_have_links_to_here(local: Any) -> None:
    kinds = {finding.kind for finding in replace(WELL, accounts=[local], base_url=HOME).checks}
    assert "bad" not in kinds


def test_no_account_that_sends_is_told_beside_the_ones_that_cannot() -> None:
    found = replace(WELL, accounts=[account(status="paused")]).checks
    assert [one.kind for one in found] == ["bad", "warn"]
