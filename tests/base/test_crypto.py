"""Keys, passwords, sealed secrets."""

import base64
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp import config, crypto
from webapp.config import Settings
from webapp.errors import ConfigError


def test_a_key_has_the_prefix_34_characters_and_a_checksum() -> None:
    key = crypto.new_api_key()
    assert key.startswith("svc_live_")
    assert len(key) == len("svc_live_") + 40
    assert crypto.is_api_key(key)


@given(position=st.integers(min_value=9, max_value=48), letter=st.sampled_from(crypto.BASE62))
def test_a_mistyped_key_fails_its_checksum(position: int, letter: str) -> None:
    key = crypto.new_api_key()
    mistyped = key[:position] + letter + key[position + 1 :]
    assert crypto.is_api_key(mistyped) == (mistyped == key)


async def test_a_password_fits_its_hash_and_no_other() -> None:
    hashed = await crypto.hash_password("correct horse")
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert await crypto.verify_password("correct horse", hashed)
    assert not await crypto.verify_password("correct horse ", hashed)
    assert not await crypto.verify_password("correct horse", None)
    assert not await crypto.verify_password("x" * 5_000, hashed)


@given(st.text())
def test_a_sealed_secret_opens_in_its_place_alone(secret: str) -> None:
    config.configure(_settings(b"a" * 32))
    sealed = crypto.seal(secret, "org:account:smtp_password")
    assert crypto.unseal(sealed, "org:account:smtp_password") == secret
    with pytest.raises(ConfigError):
        crypto.unseal(sealed, "org:other:smtp_password")


def test_a_signature_is_the_one_of_the_links_that_were_sent() -> None:
    """A link never ends, so the signature may not change: RFC 2104, in the base64 of URLs."""
    config.configure(_settings(b"a" * 32))
    key = hmac.new(b"a" * 32, b"pennypost unsubscribe", "sha256").digest()
    expected = base64.urlsafe_b64encode(hmac.new(key, b"contact", "sha256").digest()).decode().rstrip("=")
    assert crypto.sign("unsubscribe", "contact") == expected


def _settings(*keys: bytes) -> Settings:
    encoded = ",".join(base64.b64encode(key).decode() for key in keys)
    return config.read_settings({"PENNYPOST_SECRET_KEYS": encoded})
