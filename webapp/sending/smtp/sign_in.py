"""Signs in with a user name and password by a SASL mechanism that both sides support (RFC 4954)."""

import base64
from collections.abc import Sequence

import aiosmtplib

from webapp.sending.outcomes import PERMANENT

CONTINUE, SIGNED_IN, SYNTAX = 334, 235, 501
UNSUPPORTED = (500, SYNTAX, 502, 503, 504)  # these AUTH replies are about the mechanism, not the password
SECURE, IN_CLEAR = ("plain", "login", "cram-md5"), ("cram-md5", "plain", "login")  # in clear, hide the password first


async def sign_in(
    smtp: aiosmtplib.SMTP, username: str, password: str, *, is_secure: bool, known: str | None = None
) -> str | None:
    """Tries the `known` mechanism first; returns the one that worked, if any. Raises SMTPAuthenticationError."""
    # A password refused twice may lock the account, so another mechanism is tried only if the first is unsupported, or
    # was CRAM-MD5, which a server that stores password hashes always refuses.
    order = SECURE if is_secure else IN_CLEAR
    refusal: aiosmtplib.SMTPAuthenticationError | None = None
    for mechanism in sorted(order, key=lambda mechanism: mechanism != known):
        if mechanism not in smtp.server_auth_methods:
            continue
        try:
            await _sign_in_by(mechanism, smtp, username, password)
        except aiosmtplib.SMTPAuthenticationError as error:
            may_be_mechanism = error.code in (PERMANENT if mechanism == "cram-md5" else UNSUPPORTED)
            if not may_be_mechanism or not smtp.is_connected:
                raise
            refusal = error
        else:
            return mechanism
    if refusal is not None:
        raise refusal
    return None


async def _sign_in_by(mechanism: str, smtp: aiosmtplib.SMTP, username: str, password: str) -> None:
    if mechanism == "cram-md5":
        await smtp.auth_crammd5(username, password)
    elif mechanism == "login":
        await _answer_challenges(smtp, "LOGIN", [username, password])  # some servers reject an initial response
    else:
        try:
            await smtp.auth_plain(username, password)
        except aiosmtplib.SMTPAuthenticationError as error:
            if error.code != SYNTAX or not smtp.is_connected:
                raise
            await _answer_challenges(smtp, "PLAIN", [f"\0{username}\0{password}"])


async def _answer_challenges(smtp: aiosmtplib.SMTP, mechanism: str, answers: Sequence[str]) -> None:
    """AUTH without an initial response. Raises SMTPAuthenticationError."""
    response = await smtp.execute_command(b"AUTH", mechanism.encode())
    for answer in answers:
        if response.code == CONTINUE:
            response = await smtp.execute_command(base64.b64encode(answer.encode()))
    if response.code != SIGNED_IN:
        raise aiosmtplib.SMTPAuthenticationError(response.code, response.message)
