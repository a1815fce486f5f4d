"""A form that bots fill in asks for a proof of work for an hour, and its organization's admins are mailed."""

from datetime import datetime, timedelta

import pytest
from uuid_utils.compat import uuid7

from tests.factories import make_form
from tests.fakes.smtp_server import SmtpServer
from tests.pages.conftest import make_person
from tests.support.instance_mail import body_of, mailing_by, read
from webapp import clock
from webapp.config import Settings
from webapp.domain.forms.floods import guard_flooded_forms
from webapp.domain.notifications.notifications import send_notifications
from webapp.domain.roles import Role
from webapp.models import Organization, PendingSignUp, SignUpForm
from webapp.models.base.row import id_lower_bound

LAST_WEEK = timedelta(days=3)


async def sign_up_many(form: SignUpForm, count: int, *, confirmed: int = 0, ago: timedelta = timedelta(0)) -> None:
    now = clock.now()
    await PendingSignUp.bulk_create([row_of(form, number < confirmed, now - ago) for number in range(count)])


def row_of(form: SignUpForm, is_confirmed: bool, at: datetime) -> PendingSignUp:  # noqa: FBT001 - a row's state
    row_id = uuid7()
    early = type(row_id)(int=id_lower_bound(at).int | row_id.int & (1 << 80) - 1)
    email = f"p{row_id.hex}@example.org"
    return PendingSignUp(
        id=early,
        org_id=form.org_id,
        form=form,
        email=email,
        email_key=email,
        version=1,
        expires_at=at + timedelta(days=7),
        confirmed_at=at if is_confirmed else None,
    )


@pytest.mark.parametrize(
    ("last_hour", "confirmed", "last_week", "is_flooded"),
    [
        (60, 0, 0, True),
        (60, 5, 0, True),
        (60, 6, 0, False),  # a tenth confirmed
        (49, 0, 0, False),  # too few
        (60, 0, 167 * 11, True),  # five times the usual 11 an hour
        (60, 0, 167 * 13, False),
    ],
)
async def test_many_unconfirmed_sign_ups_flood_a_form(
    acme: Organization, rival: Organization, last_hour: int, confirmed: int, last_week: int, *, is_flooded: bool
) -> None:
    form, others = await make_form(acme), await make_form(rival)
    await sign_up_many(form, last_hour, confirmed=confirmed)
    await sign_up_many(form, last_week, ago=LAST_WEEK)
    await sign_up_many(others, 3)
    await guard_flooded_forms()
    for row in (form, others):
        await row.refresh_from_db()
    assert (form.closed_until is not None) is is_flooded
    assert others.closed_until is None


async def test_admins_are_mailed_once_each_time(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings)
    await make_person(acme, "ada@acme.example")
    await make_person(acme, "vera@acme.example", Role.VIEWER)
    await make_person(rival, "rita@rival.example")
    form = await make_form(acme)
    await sign_up_many(form, 60)
    for _ in range(2):
        await guard_flooded_forms()
        await send_notifications()
    assert smtp_server.recipients() == ["ada@acme.example"]
    text = body_of(read(smtp_server.messages[0]))
    assert "The form “Newsletter”" in text
    assert f"/forms/{form.id}/edit" in text
    await SignUpForm.across_orgs().update(closed_until=clock.now())
    await guard_flooded_forms()
    await send_notifications()
    assert len(smtp_server.messages) == 2
