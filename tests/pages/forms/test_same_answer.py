"""A sign-up gets the same answer in the same time for every address."""

from statistics import median

import pytest

from tests.factories import make_contact
from tests.pages.conftest import Visitor
from tests.pages.forms.conftest import elsewhere
from webapp import clock
from webapp.models import Organization, SignUpForm, Suppression

EACH = 200
APART = 0.25  # of the median
KINDS = ("unknown", "known", "unsubscribed", "suppressed")


async def prepare(org: Organization, kind: str, email: str) -> None:
    if kind == "known":
        await make_contact(org, email)
    elif kind == "unsubscribed":
        await make_contact(org, email, status="unsubscribed", unsubscribed_at=clock.now())
    elif kind == "suppressed":
        await Suppression.create(org=org, email=email, email_key=email, reason="manual")


@pytest.mark.soak
@pytest.mark.alone
@pytest.mark.timeout(600)
async def test_nobody_learns_from_a_sign_up_who_is_subscribed(
    stranger: Visitor, acme: Organization, form: SignUpForm
) -> None:
    for kind in KINDS:
        for number in range(EACH):
            await prepare(acme, kind, f"{kind}{number}@example.org")
    seconds: dict[str, list[float]] = {kind: [] for kind in KINDS}
    answers = set()
    for number in range(EACH):
        for kind in KINDS:  # in turn, because the machine does other work too
            body, place = {"email": f"{kind}{number}@example.org"}, elsewhere()
            stranger.app.extensions.pop("sign_up_throttle", None)
            began = clock.elapsed()
            page = await stranger.post(f"/f/{form.key}", json=body, scope_base=place)
            seconds[kind].append(clock.elapsed() - began)
            answers.add((page.status, page.data, tuple(sorted(page.response.headers.keys()))))
    assert len(answers) == 1
    medians = {kind: median(times) for kind, times in seconds.items()}
    assert max(medians.values()) - min(medians.values()) < APART * median(medians.values()), medians
