"""People: more organizations, passwords, plans."""

import pytest

from webapp import crypto
from webapp.domain.auth.owners import add_organization, reset_password
from webapp.domain.auth.passwords import check_password
from webapp.domain.auth.sessions import Browser, find_signed_in_user, open_session
from webapp.errors import ValidationError
from webapp.models import Organization, User

PASSWORD = "correct horse battery"


async def test_a_known_person_keeps_their_password(database: str) -> None:
    first = await add_organization("Acme", "ada@acme.example", PASSWORD, "UTC", "free")
    second = await add_organization("Second", "ada@acme.example", None, "UTC", "free")
    third = await add_organization("Third", "ada@acme.example", PASSWORD, "UTC", "free")
    assert first[0].id == second[0].id == third[0].id
    with pytest.raises(ValidationError, match="already has a different password"):
        await add_organization("Fourth", "ada@acme.example", "something else entirely", "UTC", "free")
    assert await Organization.all().count() == 3


async def test_a_new_password_ends_all_sessions(database: str) -> None:
    user, org = await add_organization("Acme", "ada@acme.example", PASSWORD, "UTC", "free")
    rival, theirs = await add_organization("Rival", "rita@rival.example", PASSWORD, "UTC", "free")
    ours, others = [(await open_session(who, of, Browser("", ""))).token for who, of in ((user, org), (rival, theirs))]
    await reset_password("ADA@acme.example", "a new password of hers")
    assert await find_signed_in_user(ours) is None
    assert await find_signed_in_user(others) is not None
    assert await crypto.verify_password("a new password of hers", (await User.get(id=user.id)).password_hash)


@pytest.mark.parametrize("text", ["short", "ä" * 2049, "nul \0 inside it", "lone \ud800 surrogate"])
def test_passwords_that_cannot_be(text: str) -> None:
    with pytest.raises(ValueError, match=r"must have|must not contain this character"):
        check_password(text)


@pytest.mark.parametrize(
    "text", ["password123", "PASSWORD123", "1234567890", "qwertyuiop", "P@ssw0rd123", "correcthorsebatterystaple"]
)
def test_common_passwords_are_refused_in_any_case(text: str) -> None:
    with pytest.raises(ValueError, match="is too common"):
        check_password(text)
