"""AUTH PLAIN (RFC 4616) and AUTH LOGIN (RFC 4954)."""

import binascii
from binascii import a2b_base64, b2a_base64
from typing import NamedTuple

from webapp.smtp.connection import BadLine, ClientConnection
from webapp.smtp.replies import Refused

CANCEL = "*"
LONGEST = 1_000  # bytes of a user name or a password


class Login(NamedTuple):
    username: str
    secret: str


async def read_login(connection: ClientConnection, argument: str, seconds: float) -> Login:
    """Asks for what the command does not have. Raises Refused, Closed, TooSlow."""
    mechanism, _, initial = argument.partition(" ")
    match mechanism.upper():
        case "PLAIN":
            data = _decoded(initial.strip() or await _ask(connection, b"", seconds))
            parts = data.split("\0")
            if len(parts) != 3:  # noqa: PLR2004 - RFC 4616, 2
                raise Refused("501 5.5.2 PLAIN takes two NULs, before and after the user name")
            return Login(parts[1] or parts[0], parts[2])
        case "LOGIN":
            username = _decoded(initial.strip() or await _ask(connection, b"Username:", seconds))
            return Login(username, _decoded(await _ask(connection, b"Password:", seconds)))
        case _:
            raise Refused("504 5.5.4 AUTH PLAIN and AUTH LOGIN are supported")


async def _ask(connection: ClientConnection, prompt: bytes, seconds: float) -> str:
    connection.reply(f"334 {b2a_base64(prompt, newline=False).decode()}")
    try:
        answer = (await connection.read_line(seconds)).decode("ascii")
    except (BadLine, UnicodeDecodeError):
        raise Refused("501 5.5.2 the answer must be one line of base64") from None
    if answer == CANCEL:
        raise Refused("501 5.7.0 canceled")
    return answer


def _decoded(text: str) -> str:
    """Raises Refused; `=` is an empty initial response (RFC 4954, 4)."""
    try:
        data = b"" if text == "=" else a2b_base64(text, strict_mode=True)
        if len(data) <= LONGEST:
            return data.decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        pass
    raise Refused("501 5.5.2 the answer must be base64 of UTF-8")
