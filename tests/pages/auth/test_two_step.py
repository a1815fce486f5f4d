"""Two-step sign-in: set up, asked for after the password, turned off."""

import asyncio
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from quart import Quart

from tests.pages.auth.conftest import sign_in as give_password
from tests.pages.conftest import PASSWORD, Page, Visitor, make_person, visitor_for
from webapp import clock, config, crypto, db
from webapp.config import Settings
from webapp.domain.auth.owners import reset_password
from webapp.domain.auth.sessions import PendingTwoFactor
from webapp.domain.auth.totp import STEP_SECONDS, code_at
from webapp.domain.auth.two_step import store_pending
from webapp.domain.instance.secret_rotation import check_keys, check_secrets
from webapp.errors import ConfigError
from webapp.models import Organization, RecoveryCode, User
from webapp.pages.auth.two_step import qr_code

SETUP, OFF, RENEW = "/security/two-step", "/security/two-step/off", "/security/two-step/codes"
CODE = "/sign-in/code"
WRONG = "This code is incorrect or was already used."


def code_now(secret: str, steps_ahead: int = 0) -> str:
    """What the app on the phone shows; one step ahead it is a fresh one, which a fast clock shows already."""
    return code_at(secret, int(clock.now().timestamp()) // STEP_SECONDS + steps_ahead)


def secret_on(page: Page) -> str:
    return page.soup.select_one(".secret code").get_text().replace(" ", "")


def codes_on(page: Page) -> list[str]:
    return page.soup.select_one("#recovery-codes").get_text().split()


@pytest.fixture
async def phone(browser: Visitor) -> "Phone":
    """Ada's phone, after she has set it up."""
    return await set_up(browser)


async def set_up(visitor: Visitor) -> "Phone":
    page = await visitor.get(SETUP)
    secret = secret_on(page)
    page = await visitor.submit(page, SETUP, code=code_now(secret), current_password=PASSWORD)
    assert page.title == "Your recovery codes", page.text
    return Phone(secret, codes_on(page))


class Phone:
    """An authenticator app, and the recovery codes that its person has kept."""

    def __init__(self, secret: str, recovery_codes: list[str]) -> None:
        self.secret, self.recovery_codes = secret, recovery_codes

    @property
    def fresh_code(self) -> str:
        """One that was not used at the setup."""
        return code_now(self.secret, 1)


async def sign_in(visitor: Visitor, code: str) -> Page:
    page = await give_password(visitor)
    assert (page.title, visitor.cookie("session")) == ("Enter your code", None)
    return await visitor.submit(page, CODE, code=code)


async def test_a_phone_scans_what_the_link_says(browser: Visitor) -> None:
    page = await browser.get(SETUP)
    link = page.soup.select_one("a[href^='otpauth:']")
    shown, expected = page.soup.select("[role=img] path"), BeautifulSoup(qr_code(str(link["href"])), "html.parser")
    assert [path["d"] for path in shown] == [path["d"] for path in expected.select("path")]
    assert len(shown) == 2


async def test_the_code_is_asked_for_after_the_password(app: Quart, phone: Phone) -> None:
    visitor = Visitor(app)
    page = await give_password(visitor, path="/sign-in?next=/mail-logs")
    assert (page.title, visitor.cookie("session")) == ("Enter your code", None)
    assert (await visitor.get("/home")).title == "Sign in"
    page = await visitor.submit(page, CODE, code=phone.fresh_code)
    assert (page.path, page.notes) == ("/mail-logs", [])
    assert visitor.cookie("halfway") is None


async def test_a_code_counts_once(app: Quart, phone: Phone) -> None:
    code = phone.fresh_code
    assert (await sign_in(Visitor(app), code)).path == "/home"
    for used in (code, code_now(phone.secret)):
        page = await sign_in(Visitor(app), used)
        assert (page.status, page.error_at("code")) == (422, WRONG)


async def test_of_two_with_one_code_at_once_one_comes_in(app: Quart, phone: Phone) -> None:
    code, visitors = phone.fresh_code, [Visitor(app), Visitor(app)]
    pages = [await give_password(visitor) for visitor in visitors]
    pages = await asyncio.gather(
        *(visitor.submit(page, CODE, code=code) for visitor, page in zip(visitors, pages, strict=True))
    )
    assert sorted(page.status for page in pages) == [200, 422]


async def test_a_recovery_code_signs_in_once(app: Quart, browser: Visitor, phone: Phone) -> None:
    code = phone.recovery_codes[3]
    page = await sign_in(Visitor(app), f" {code.upper().replace('-', ' ').replace('0', 'O')} ")
    assert (page.path, page.notes) == ("/home", ["You used a recovery code. 9 left."])
    assert (await sign_in(Visitor(app), code)).error_at("code") == WRONG
    assert "9 recovery codes left" in (await browser.get("/security")).text


async def test_a_recovery_code_is_good_for_its_person_alone(app: Quart, rival_owner: Visitor, phone: Phone) -> None:
    rita = await User.get(email="rita@rival.example")
    await User.filter(id=rita.id).update(password_hash=await crypto.hash_password(PASSWORD))
    await set_up(rival_owner)
    stranger = Visitor(app)
    page = await stranger.submit(await stranger.get("/sign-in"), email=rita.email, password=PASSWORD)
    for code in (phone.recovery_codes[0], phone.fresh_code):
        page = await stranger.submit(page, CODE, code=code)
        assert (page.status, page.error_at("code")) == (422, WRONG)
    assert await RecoveryCode.all().count() == 20


async def test_neither_secret_nor_codes_can_be_read_from_the_database(phone: Phone) -> None:
    rows = [*await db.fetch("SELECT * FROM users"), *await db.fetch("SELECT * FROM recovery_codes")]
    text = str([dict(row) for row in rows])
    assert len(phone.recovery_codes) == len(set(phone.recovery_codes)) == 10
    assert all(re.fullmatch("[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}", code) for code in phone.recovery_codes)
    plain = [*phone.recovery_codes, *(code.replace("-", "") for code in phone.recovery_codes)]
    for secret in (phone.secret, *plain, *map(crypto.digest, plain)):
        assert secret not in text


async def test_the_secret_opens_for_its_person_alone(
    ada: User, phone: Phone, rival_owner: Visitor, settings: Settings
) -> None:
    await check_keys()
    assert await check_secrets() == 1
    config.configure(replace(settings, secret_keys=(b"x" * 32,)))
    with pytest.raises(ConfigError, match="add the old key"):
        await check_keys()
    config.configure(settings)
    sealed = (await User.get(id=ada.id)).totp_secret
    await User.filter(email="rita@rival.example").update(totp_secret=sealed)
    with pytest.raises(ConfigError, match="cannot be decrypted"):
        await check_secrets()


async def test_guesses_are_counted_with_those_of_the_password(app: Quart, phone: Phone) -> None:
    visitor = Visitor(app)
    page = await give_password(visitor)
    pages = [await visitor.submit(page, CODE, code="000000") for _ in range(5)]
    assert [page.status for page in pages] == [422] * 4 + [429]
    assert "Too many attempts. Try again in 15 minutes." in pages[-1].text
    assert int(pages[-1].response.headers["Retry-After"]) <= 900
    assert (await visitor.submit(page, CODE, code=phone.fresh_code)).status == 429
    assert (await give_password(Visitor(app))).status == 429  # the right password gives no more tries


async def test_strangers_who_guess_lock_nobody_out_of_their_own_browser(app: Quart, phone: Phone) -> None:
    home, thief = Visitor(app), Visitor(app)
    await sign_in(home, phone.fresh_code)
    await home.submit(await home.get("/home"), "/sign-out")
    page = await give_password(thief)
    for _ in range(6):
        assert (await thief.submit(page, CODE, code="000000")).status in (422, 429)
    assert (await sign_in(home, phone.recovery_codes[0])).path == "/home"


async def test_nobody_gets_to_the_code_without_the_password(app: Quart, phone: Phone) -> None:
    visitor = Visitor(app)
    page = await visitor.get("/sign-in")
    visitor.client.set_cookie("localhost", "halfway", "a.b")
    token = page.token
    assert (await visitor.get(CODE)).title == "Sign in"
    page = await visitor.post(CODE, form={"csrf_token": token, "code": phone.fresh_code})
    assert (page.title, page.notes) == ("Sign in", ["Your sign-in timed out. Sign in again."])


@pytest.mark.parametrize(("minutes", "title"), [(9, "Enter your code"), (11, "Sign in")])
async def test_the_way_from_the_password_to_the_code_is_open_for_ten_minutes(
    app: Quart, phone: Phone, minutes: int, title: str
) -> None:
    visitor = Visitor(app)
    halfway = PendingTwoFactor(await User.get(email="ada@acme.example"))
    visitor.client.set_cookie("localhost", "halfway", store_pending(halfway, clock.now() - timedelta(minutes=minutes)))
    assert (await visitor.get(CODE)).title == title


async def test_a_new_password_closes_the_way_to_the_code(app: Quart, browser: Visitor, phone: Phone) -> None:
    visitor = Visitor(app)
    page = await give_password(visitor)
    form = await browser.get("/security")
    await browser.submit(form, "/security/password", current_password=PASSWORD, new_password="another horse battery")
    assert (await visitor.submit(page, CODE, code=phone.fresh_code)).title == "Sign in"
    assert visitor.cookie("session") is None


async def test_setting_it_up_ends_every_other_session(
    app: Quart, acme: Organization, ada: User, browser: Visitor, rival_owner: Visitor
) -> None:
    thief = await visitor_for(app, acme, ada)
    await set_up(browser)
    assert (await thief.get("/home")).title == "Sign in"
    assert (await browser.get("/home")).path == (await rival_owner.get("/home")).path == "/home"


async def test_a_wrong_code_or_password_sets_nothing_up(ada: User, browser: Visitor) -> None:
    page = await browser.get(SETUP)
    secret = secret_on(page)
    wrong = await browser.submit(page, SETUP, code=code_now(secret, 5), current_password=PASSWORD)
    assert (wrong.status, wrong.error_at("code")) == (422, WRONG)
    assert secret_on(wrong) == secret  # it is in the app by now
    wrong = await browser.submit(page, SETUP, code=code_now(secret), current_password="not the password")
    assert (wrong.status, wrong.error_at("current_password")) == (422, "That's not your current password.")
    assert (await User.get(id=ada.id)).totp_secret is None
    assert await RecoveryCode.all().count() == 0


async def test_a_secret_of_another_session_is_not_taken(
    app: Quart, acme: Organization, ada: User, browser: Visitor
) -> None:
    """Somebody who knows the secret must not get it into another's account."""
    attacker = await visitor_for(app, acme, await make_person(acme, "eve@acme.example"))
    theirs = await attacker.get(SETUP)
    planted = theirs.form(SETUP).select_one("[name=setup]")["value"]  # type: ignore[index]  # the form has it
    page = await browser.submit(
        await browser.get(SETUP), SETUP, setup=planted, code=code_now(secret_on(theirs)), current_password=PASSWORD
    )
    assert (page.status, (await User.get(id=ada.id)).totp_secret) == (422, None)
    assert "This page has expired." in page.text
    assert secret_on(page) != secret_on(theirs)


async def test_it_is_set_up_once(ada: User, browser: Visitor) -> None:
    page = await browser.get(SETUP)
    assert page.soup.select(".who [aria-current=page]")
    await set_up(browser)
    sealed = (await User.get(id=ada.id)).totp_secret
    page = await browser.submit(page, SETUP, code=code_now(secret_on(page)), current_password=PASSWORD)
    assert (page.status, page.text.count("Two-step sign-in is already on.")) == (422, 1)
    assert (await User.get(id=ada.id)).totp_secret == sealed
    assert await RecoveryCode.all().count() == 10
    assert (await browser.get(SETUP)).path == "/security"


async def test_it_is_turned_off_with_password_and_code(app: Quart, browser: Visitor, phone: Phone) -> None:
    page = await browser.get(OFF)
    for fields in (
        {"code": phone.fresh_code, "current_password": "wrong"},
        {"code": "000000", "current_password": PASSWORD},
    ):
        assert (await browser.submit(page, OFF, **fields)).status == 422
        assert "10 recovery codes left" in (await browser.get("/security")).text
    page = await browser.submit(page, OFF, code=phone.fresh_code, current_password=PASSWORD)
    assert (page.path, page.notes) == ("/security", ["Two-step sign-in is off. Your recovery codes no longer work."])
    assert await RecoveryCode.all().count() == 0
    assert (await give_password(Visitor(app))).path == "/home"


async def test_guesses_at_turning_it_off_and_at_new_codes_are_counted(browser: Visitor, phone: Phone) -> None:
    pages = {path: await browser.get(path) for path in (OFF, RENEW)}
    statuses = [
        (await browser.submit(pages[path], path, code="000000", current_password=PASSWORD)).status
        for path in (OFF, OFF, RENEW, RENEW, RENEW, OFF, RENEW)
    ]
    assert statuses == [422] * 5 + [429] * 2


async def test_new_recovery_codes_take_the_place_of_the_old_ones(app: Quart, browser: Visitor, phone: Phone) -> None:
    page = await browser.get(RENEW)
    for fields in ({"code": phone.fresh_code, "current_password": "x"}, {"code": "1", "current_password": PASSWORD}):
        assert (await browser.submit(page, RENEW, **fields)).status == 422
    page = await browser.submit(page, RENEW, code=phone.recovery_codes[0], current_password=PASSWORD)
    codes = codes_on(page)
    assert (page.title, len(set(codes) - set(phone.recovery_codes))) == ("Your recovery codes", 10)
    assert (await sign_in(Visitor(app), phone.recovery_codes[1])).status == 422
    assert (await sign_in(Visitor(app), codes[1])).path == "/home"


async def test_the_operator_lets_in_who_has_lost_everything(app: Quart, ada: User, phone: Phone) -> None:
    await reset_password(ada.email, "another horse battery")
    assert await RecoveryCode.all().count() == 0
    assert (await give_password(Visitor(app), "another horse battery")).path == "/home"
