"""Creates and checks keys, passwords and tokens, and encrypts stored secrets."""

import asyncio
import base64
import hashlib
import hmac
import os
import re
import secrets
import string
import zlib
from binascii import b2a_base64
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from webapp.config import settings
from webapp.errors import ConfigError, KeyMissing

API_KEY_PREFIX = "svc_live_"
ACCOUNT_KEY_PREFIX = "acc_"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
SECRET_LENGTH = 34  # base62 characters, 202 bits
CHECKSUM_LENGTH = 6  # 62**6 exceeds every CRC-32
API_KEY = re.compile(rf"{API_KEY_PREFIX}([0-9A-Za-z]{{{SECRET_LENGTH}}})([0-9A-Za-z]{{{CHECKSUM_LENGTH}}})")
DISPLAY_LENGTH = 12  # `svc_live_` and three characters of the secret
TO_URLSAFE = bytes.maketrans(b"+/", b"-_")
NONCE_BYTES = 12  # NIST SP 800-38D, 8.2.2: 96 random bits
KEY_ID_LENGTH = 8  # hexadecimal digits at the start of a sealed text
MAX_PASSWORD_BYTES = 4096
HASHES_AT_ONCE = 2  # each takes 19 MiB and a core

# OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def new_api_key() -> str:
    """`svc_live_` and 40 base62 characters, the last 6 a CRC-32 of the others."""
    secret = "".join(secrets.choice(BASE62) for _ in range(SECRET_LENGTH))
    return f"{API_KEY_PREFIX}{secret}{_checksum(secret)}"


def is_api_key(text: str) -> bool:
    key = API_KEY.fullmatch(text)
    return key is not None and _checksum(key[1]) == key[2]


def _checksum(secret: str) -> str:
    number = zlib.crc32(secret.encode())
    digits = []
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, len(BASE62))
        digits.append(BASE62[digit])
    return "".join(reversed(digits))


def new_account_key() -> str:
    return ACCOUNT_KEY_PREFIX + "".join(secrets.choice(BASE62) for _ in range(24))


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """SHA-256 in hex; safe for secrets of 128 random bits or more."""
    return hashlib.sha256(token.encode()).hexdigest()


def same(text: str, other: str) -> bool:
    return hmac.compare_digest(text.encode(), other.encode())


@cache
def _hashing_slots(loop: asyncio.AbstractEventLoop) -> asyncio.Semaphore:  # noqa: ARG001 - one semaphore per loop
    return asyncio.Semaphore(HASHES_AT_ONCE)


async def hash_password(password: str) -> str:
    """Argon2id in PHC form, in a thread, at most HASHES_AT_ONCE."""
    async with _hashing_slots(asyncio.get_running_loop()):
        return await asyncio.to_thread(_hasher.hash, password)


async def verify_password(password: str, hashed: str | None) -> bool:
    """Takes as long without a hash, and returns False."""
    if len(password.encode()) > MAX_PASSWORD_BYTES:
        return False
    async with _hashing_slots(asyncio.get_running_loop()):
        return await asyncio.to_thread(_verify, password, hashed)


def needs_rehash(hashed: str) -> bool:
    return _hasher.check_needs_rehash(hashed)


def _verify(password: str, hashed: str | None) -> bool:
    try:
        _hasher.verify(hashed or _nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return hashed is not None


@cache
def _nobody() -> str:
    """A hash that no password matches, so that unknown users take as long to check."""
    return _hasher.hash(secrets.token_urlsafe(32))


def seal(plain: str, bound_to: str) -> str:
    """AES-256-GCM: `<key id>.<nonce and ciphertext in base64>`, which only opens with the same `bound_to`."""
    key = settings().secret_keys[0]
    nonce = os.urandom(NONCE_BYTES)
    sealed = nonce + AESGCM(key).encrypt(nonce, plain.encode(), bound_to.encode())
    return f"{_key_id(key)}.{base64.urlsafe_b64encode(sealed).decode()}"


def unseal(text: str, bound_to: str) -> str:
    """Raises KeyMissing when no key fits, ConfigError when the text was moved or changed."""
    require_key(text)
    key_id, _, encoded = text.partition(".")
    keys = {_key_id(key): key for key in settings().secret_keys}
    sealed = base64.urlsafe_b64decode(encoded)
    try:
        plain = AESGCM(keys[key_id]).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], bound_to.encode())
    except InvalidTag:
        raise ConfigError(f"the stored secret of {bound_to} cannot be decrypted: it was changed or moved") from None
    return plain.decode()


def require_key(text: str) -> None:
    """Raises KeyMissing unless one of our keys has sealed the text."""
    if not has_key(text):
        raise KeyMissing(
            f"a stored secret was encrypted with key {text.partition('.')[0]}, "
            "which is not in PENNYPOST_SECRET_KEYS: add the old key"
        )


def has_key(text: str) -> bool:
    return text.partition(".")[0] in key_ids()


def key_ids() -> list[str]:
    return [_key_id(key) for key in settings().secret_keys]


def sealing_key_id() -> str:
    return _key_id(settings().secret_keys[0])


@cache
def _key_id(key: bytes) -> str:
    return hashlib.sha256(b"pennypost key id" + key).hexdigest()[:KEY_ID_LENGTH]


def sign(purpose: str, text: str) -> str:
    """An HMAC-SHA-256 for one `purpose`, URL-safe, by the first secret key."""
    return sign_by(settings().secret_keys[0], purpose, text)


def is_signed(purpose: str, text: str, signature: str) -> bool:
    return any(same(sign_by(key, purpose, text), signature) for key in settings().secret_keys)


def sign_by(key: bytes, purpose: str, text: str) -> str:
    keyed = _keyed(key, purpose).copy()
    keyed.update(text.encode())
    return urlsafe(keyed.digest())


def urlsafe(data: bytes) -> str:
    return b2a_base64(data, newline=False).translate(TO_URLSAFE, b"=").decode()  # twice as fast as urlsafe_b64encode


@cache
def _keyed(key: bytes, purpose: str) -> hmac.HMAC:
    return hmac.new(hmac.digest(key, f"pennypost {purpose}".encode(), "sha256"), digestmod="sha256")
