"""Codes of authenticator apps (RFC 6238) with the parameters all apps support: SHA-1, six digits, 30 seconds."""

import base64
import hmac
import secrets
from datetime import datetime
from urllib.parse import quote, urlencode

from webapp import crypto

SECRET_BYTES = 20  # the hash's length (RFC 4226, 4)
STEP_SECONDS = 30
DIGITS = 6
DRIFT = 1  # steps that a phone's clock may be off (RFC 6238, 5.2)
ISSUER = "Pennypost"


def new_secret() -> str:
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def setup_uri(secret: str, email: str) -> str:
    return f"otpauth://totp/{quote(f'{ISSUER}:{email}')}?{urlencode({'secret': secret, 'issuer': ISSUER})}"


def matching_step(secret: str, code: str, at: datetime) -> int | None:
    digits, now = "".join(code.split()), int(at.timestamp()) // STEP_SECONDS
    steps = range(now - DRIFT, now + DRIFT + 1)
    return max((step for step in steps if crypto.same(code_at(secret, step), digits)), default=None)


def code_at(secret: str, step: int) -> str:
    """RFC 4226, 5.3; `step` counts from 1970."""
    mac = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    start = mac[-1] & 0xF
    number = int.from_bytes(mac[start : start + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"
