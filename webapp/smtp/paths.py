"""The arguments of MAIL and RCPT (RFC 5321, 3.3)."""

import re

from webapp.addresses import Address, normalize
from webapp.smtp.replies import Refused, line

PATH = re.compile(r"(FROM|TO):\s*<([^<>\s]*)>((?:\s+\S+)*)\s*", re.IGNORECASE)
SIZE = re.compile(r"SIZE=([0-9]{1,20})", re.ASCII)  # RFC 1870, 5
IGNORED = re.compile(r"BODY=(?:7BIT|8BITMIME)|AUTH=\S+")


def read_mail(argument: str, max_bytes: int) -> bool:
    """True for a message with SMTPUTF8. Raises Refused.

    The return path is only checked, because ours is sent. An empty one is that of a report.
    """
    path, options = _read_path(argument, "FROM", "501 5.1.7")
    for option in options:
        if size := SIZE.fullmatch(option):
            if int(size[1]) > max_bytes:
                raise Refused(too_large(max_bytes))
        elif option != "SMTPUTF8" and not IGNORED.fullmatch(option):
            raise Refused("555 5.5.4 a parameter of MAIL is not supported")
    if path:
        _normalized(path, "501 5.1.7", "the sender")
    return "SMTPUTF8" in options


def read_rcpt(argument: str) -> Address:
    """Raises Refused."""
    path, options = _read_path(argument, "TO", "501 5.1.3")
    if options:
        raise Refused("555 5.5.4 parameters of RCPT are not supported")
    return Address("", _normalized(path, "501 5.1.3", "the recipient"))


def too_large(max_bytes: int) -> str:
    return f"552 5.3.4 a message may have {max_bytes:,} bytes at most"


def _read_path(argument: str, word: str, code: str) -> tuple[str, list[str]]:
    match = PATH.fullmatch(argument)
    if match is None or match[1].upper() != word:
        raise Refused(f"{code} the syntax is {'MAIL' if word == 'FROM' else 'RCPT'} {word}:<address>")
    return match[2], match[3].upper().split()


def _normalized(path: str, code: str, subject: str) -> str:
    try:
        return normalize(path)
    except ValueError as error:
        raise Refused(line(code, f"{subject} {error}")) from None
