"""Signs in with a password, by a SASL mechanism that both sides support, or with an OAuth token (RFC 4954)."""

import base64
import re
from collections.abc import Sequence

import aiosmtplib

from webapp.sending.outcomes import PERMANENT

CONTINUE, SIGNED_IN, SYNTAX, REJECTED = 334, 235, 501, 535
SMTP_AUTH_IS_OFF = "5.7.139"
PASSWORDS_ARE_OFF = "550 5.7.30"
UNSUPPORTED = (500, SYNTAX, 502, 503, 504)  # these AUTH replies are about the mechanism, not the password
SECURE, IN_CLEAR = ("plain", "login", "cram-md5"), ("cram-md5", "plain", "login")  # in clear, hide the password first


# Whom to ask, by code and enhanced status: learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/
# authenticated-client-smtp-submission and its deprecation of Basic authentication.
SWITCH_ON = "your Microsoft 365 administrator runs Set-CASMailbox MAILBOX -SmtpClientAuthenticationDisabled $false"
ADVICE = (
    (
        f"{REJECTED} {SMTP_AUTH_IS_OFF}",
        f"SMTP AUTH is off for this mailbox: connect it by Microsoft Graph, or {SWITCH_ON}",
        f"SMTP AUTH is off for this mailbox, or passwords are: connect with Microsoft, or {SWITCH_ON}",
    ),
    (
        "535 5.7.3",
        "the sign-in must be that of the user name's mailbox: reconnect the account as that user",
        "the user name or password is wrong, or passwords no longer work here: connect with Microsoft",
    ),
    (PASSWORDS_ARE_OFF, "ask your Microsoft 365 administrator", "passwords no longer work: connect with Microsoft"),
)


def advice(code: int, text: str, *, is_oauth: bool) -> str:
    """What a person can do about a refusal, to be put behind it; empty if it is not known."""
    reply = f"{code} {text}"
    for start, with_token, with_password in ADVICE:
        if re.match(rf"{re.escape(start)}(?!\d)", reply):
            return f": {with_token if is_oauth else with_password}"
    return ""


def is_token_rejected(code: int | None, text: str) -> bool:
    """True if a new token may help; where SMTP AUTH is off for the mailbox, none does."""
    return code == REJECTED and SMTP_AUTH_IS_OFF not in text


async def sign_in_with_token(smtp: aiosmtplib.SMTP, username: str, token: str) -> str | None:
    """Signs in by XOAUTH2; returns its name, or None if the server does not offer it. Raises SMTPAuthenticationError.

    developers.google.com/workspace/gmail/imap/xoauth2-protocol
    """
    if "xoauth2" not in smtp.server_auth_methods:
        return None
    response = base64.b64encode(f"user={username}\1auth=Bearer {token}\1\1".encode())
    reply = await smtp.execute_command(b"AUTH", b"XOAUTH2", response)
    if reply.code == CONTINUE:  # with the reason as JSON; the refusal follows an empty answer
        reply = await smtp.execute_command(b"")
    if reply.code != SIGNED_IN:
        raise aiosmtplib.SMTPAuthenticationError(reply.code, reply.message)
    return "xoauth2"


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
