"""Sessions and the counting of tries."""

from tests.factories import make_org
from webapp import crypto
from webapp.domain.auth.sessions import Browser, end_session, find_signed_in_user, open_session
from webapp.domain.throttle import Throttle
from webapp.models import Membership, Organization, Session, User


async def person(org: Organization) -> User:
    user = await User.create(email="ada@acme.example", password_hash="!")
    await Membership.create(org=org, user=user, role="admin")
    return user


async def test_the_database_never_sees_the_token(acme: Organization) -> None:
    opened = await open_session(await person(acme), acme, Browser("192.0.2.1", "x" * 999 + "\0"))
    row = await Session.get()
    assert opened.token not in str(dict(row))
    assert row.token_hash == crypto.digest(opened.token)
    visit = await find_signed_in_user(opened.token)
    assert visit is not None
    assert (visit.user.email, visit.org.id, visit.role) == ("ada@acme.example", acme.id, "admin")


async def test_an_ended_session_is_gone(acme: Organization) -> None:
    opened = await open_session(await person(acme), acme, Browser("", ""))
    await end_session(opened.token)
    assert await find_signed_in_user(opened.token) is None


async def test_a_session_of_an_organization_one_is_not_in_shows_nothing(acme: Organization) -> None:
    rival = await make_org("Rival")
    opened = await open_session(await person(acme), rival, Browser("", ""))
    assert await find_signed_in_user(opened.token) is None


def test_a_throttle_counts_per_key() -> None:
    throttle = Throttle(2, 60)
    assert [throttle.consume("a"), throttle.consume("a"), throttle.consume("b")] == [0, 0, 0]
    assert 0 < throttle.consume("a") <= 60
    throttle.refund("a")
    assert throttle.consume("a") == 0
    throttle.forget("a")
    assert throttle.consume("a") == 0


def test_a_throttle_forgets_the_idlest_key() -> None:
    throttle = Throttle(1, 60, max_keys=2)
    for key in ("a", "b", "c"):
        throttle.consume(key)
    assert throttle.consume("a") == 0
    assert throttle.consume("c") > 0
