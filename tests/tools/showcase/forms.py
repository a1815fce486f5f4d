"""Sign-up forms, one that is much used and one that is closed."""

from dataclasses import asdict
from datetime import timedelta

from uuid_utils.compat import uuid7

from webapp import clock
from webapp.domain.forms.confirm import link_of
from webapp.models import Account, Organization, PendingSignUp, Segment, SignUpForm
from webapp.models.sign_up_form import Submission

FIELDS = [
    {"key": "first_name", "label": "First name", "kind": "text", "required": False, "options": []},
    {"key": "genre", "label": "What you like to read", "kind": "choice", "required": True, "options": ["Novels", "Poems"]},
    {"key": "birthday", "label": "Birthday", "kind": "date", "required": False, "options": []},
]  # fmt: skip


async def make_forms(org: Organization, segment: Segment, account: Account) -> list[SignUpForm]:
    letter = await SignUpForm.create(
        org=org,
        key="Hq3vN0pZr7sXk2mT9wYb4A",
        name="Our monthly letter",
        segment_ids=[str(segment.id)],
        form_fields=FIELDS,
        consent_text="I want the monthly letter of Northwind Books. I can leave at any time.",
        account=account,
        allowed_origins=["https://www.northwind.example"],
        version=3,
        submitted=1_284,
        mailed=1_271,
        opened=1_102,
        confirmed=1_067,
        expired=204,
    )
    fair = await SignUpForm.create(
        org=org, key="b7Xw2LkQn5RtZc8vJm1sDA", name="Book fair 2026", is_open=False, submitted=38, mailed=38, opened=21
    )
    return [letter, fair]


async def sign_up_link(form: SignUpForm) -> str:
    """The link that someone who signed up by the form was mailed."""
    sign_up = await PendingSignUp.create(
        org_id=form.org_id,
        form=form,
        email="new@example.org",
        email_key="new@example.org",
        version=form.version,
        values={str(uuid7()): asdict(Submission(form.version, [], {}))},
        expires_at=clock.now() + timedelta(days=7),
    )
    return link_of(sign_up).url
