"""A flooded form stays open: to browsers that prove work, and less to others."""

import asyncio
import base64
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from altcha.v2 import Challenge, Payload, Solution, create_challenge, solve_challenge

from tests.factories import make_account, make_form
from tests.pages.conftest import Page, Visitor
from tests.pages.forms.conftest import ADA, elsewhere
from webapp import clock
from webapp.domain.forms.inputs import PROOF
from webapp.domain.forms.proof import ALGORITHM, PURPOSE, new_challenge
from webapp.models import Account, Organization, PendingSignUp, SignUpForm
from webapp.models.instance import sign

Bad = Callable[[SignUpForm, Page], str]
FLOODED = timedelta(minutes=30)


@pytest.fixture
async def flooded(acme: Organization, account: Account) -> SignUpForm:
    return await make_form(acme, closed_until=clock.now() + FLOODED)


def challenge_on(page: Page) -> Any:
    (tag,) = page.soup.select("[data-challenge]")
    assert tag["name"] == PROOF
    return json.loads(str(tag["data-challenge"]))


def solved(page: Page) -> str:
    return made(Challenge.from_dict(challenge_on(page)))


def made(challenge: Challenge) -> str:
    solution = solve_challenge(challenge)
    assert solution is not None
    return Payload(challenge, solution).to_base64()


def encoded(value: Any) -> str:
    return base64.b64encode(json.dumps(value).encode()).decode()


async def opened(visitor: Visitor, form: SignUpForm) -> Page:
    """The form's page, once it is old enough to be sent."""
    page = await visitor.get(f"/f/{form.key}")
    await asyncio.sleep(2.1)
    return page


async def count_saved(visitor: Visitor, page: Page, form: SignUpForm, proofs: list[str]) -> int:
    """The sign-ups that are saved of as many addresses from one network; each gets the usual answer."""
    for number, proof in enumerate(proofs):
        fields = {"email": f"p{number}@example.org", PROOF: proof}
        sent = await visitor.submit(page, f"/f/{form.key}", **fields)
        assert (sent.status, sent.title) == (200, "Check your inbox")
    return await PendingSignUp.of(form.org).count()


async def save_scripts(visitor: Visitor, form: SignUpForm, count: int) -> int:
    """The sign-ups that are saved of as many scripts, each of another network and address."""
    before = await PendingSignUp.filter(form=form).count()
    for number in range(before, before + count):
        body = {"email": f"s{number}@{form.org_id}.example"}
        sent = await visitor.post(f"/f/{form.key}", json=body, scope_base=elsewhere())
        assert sent.status == 202
    return await PendingSignUp.filter(form=form).count() - before


async def test_the_page_of_a_flooded_form_alone_has_a_script(
    stranger: Visitor, flooded: SignUpForm, acme: Organization
) -> None:
    page = await stranger.get(f"/f/{flooded.key}")
    assert page.status == 200
    assert [str(tag["src"]).partition("?")[0] for tag in page.soup.select("script")] == ["/static/proof.js"]
    assert "script-src 'self';" in page.response.headers["Content-Security-Policy"]
    assert len(page.data) < 20_000
    assert challenge_on(page) != challenge_on(await stranger.get(f"/f/{flooded.key}"))
    calm = await stranger.get(f"/f/{(await make_form(acme, closed_until=clock.now())).key}")
    assert not calm.soup.select("script, [data-challenge]")
    assert "script-src" not in calm.response.headers["Content-Security-Policy"]


async def test_a_proof_counts_once(stranger: Visitor, flooded: SignUpForm) -> None:
    page = await opened(stranger, flooded)
    # The network has 10 an hour: one with a proof, and four without, which count twice.
    assert await count_saved(stranger, page, flooded, [solved(page)] * 7) == 5


async def test_proofs_have_the_usual_limits(stranger: Visitor, flooded: SignUpForm) -> None:
    page = await opened(stranger, flooded)
    proofs = [solved(await stranger.get(f"/f/{flooded.key}")) for _ in range(11)]
    assert await count_saved(stranger, page, flooded, proofs) == 10


def of_another_form(form: SignUpForm, page: Page) -> str:
    return made(Challenge.from_dict(json.loads(new_challenge(SignUpForm(id=form.org_id)))))


def expired(form: SignUpForm, page: Page) -> str:
    secret = sign(PURPOSE, str(form.id))
    return made(create_challenge(ALGORITHM, 1, expires_at=clock.now() - timedelta(seconds=1), hmac_secret=secret))


def easier(form: SignUpForm, page: Page) -> str:
    challenge = challenge_on(page)
    challenge["parameters"]["cost"] = 1
    return made(Challenge.from_dict(challenge))


def unsolved(form: SignUpForm, page: Page) -> str:
    return Payload(Challenge.from_dict(challenge_on(page)), Solution(1, "00" * 32)).to_base64()


@pytest.mark.parametrize(
    "bad",
    [
        of_another_form,
        expired,
        easier,
        unsolved,
        *(lambda *_, text=text: text for text in ("", "x", "é", "e30=", encoded([]), encoded({"challenge": "x"}))),
        lambda *_: encoded({"challenge": {"parameters": {}}, "solution": {}}),
        lambda *_: base64.b64encode(b"[" * 10_000).decode(),
    ],
)
async def test_without_a_valid_proof_a_network_has_half(stranger: Visitor, flooded: SignUpForm, bad: Bad) -> None:
    page = await opened(stranger, flooded)
    assert await count_saved(stranger, page, flooded, [bad(flooded, page)] * 6) == 5


async def test_scripts_have_few_sign_ups_and_leave_those_with_a_proof(
    stranger: Visitor, flooded: SignUpForm, rival: Organization
) -> None:
    page = await opened(stranger, flooded)
    network = elsewhere()
    for number in range(3):
        await stranger.post(f"/f/{flooded.key}", json={"email": f"n{number}@example.org"}, scope_base=network)
    assert await PendingSignUp.of(flooded.org).count() == 1
    assert await save_scripts(stranger, flooded, 26) == 24
    await make_account(rival, from_email="hello@rival.example")
    assert await save_scripts(stranger, await make_form(rival, closed_until=clock.now() + FLOODED), 1) == 1
    await stranger.submit(page, f"/f/{flooded.key}", email=ADA, **{PROOF: solved(page)})
    assert await PendingSignUp.of(flooded.org).filter(email=ADA).exists()


async def test_a_form_of_another_site_leads_to_the_page_with_the_proof(
    stranger: Visitor, acme: Organization, account: Account
) -> None:
    field = {"key": "first_name", "label": "First name", "kind": "text", "required": False, "options": []}
    form = await make_form(
        acme, form_fields=[field], allowed_origins=["https://acme.example"], closed_until=clock.now() + FLOODED
    )
    typed = {"email": ADA, "first_name": "Ada"}
    page = await stranger.post(f"/f/{form.key}?l=de", form=typed, headers={"Origin": "https://acme.example"})
    assert page.status == 200
    assert "noch einmal" in page.soup.select_one("[role=status]").text
    assert {name: page.soup.select_one(f"[name={name}]")["value"] for name in typed} == typed
    assert await PendingSignUp.of(acme).count() == 0
    await asyncio.sleep(2.1)
    assert (await stranger.submit(page, f"/f/{form.key}?l=de", **{PROOF: solved(page)})).status == 200
    (submission,) = (await PendingSignUp.of(acme).get()).values.values()
    assert submission["fields"]["first_name"] == "Ada"
