"""Parses and normalizes email addresses, by one rule for the API, the pages and the message builder."""

import re
import unicodedata
from typing import NamedTuple

import email_validator
from email_validator import EmailNotValidError, validate_email

from webapp.errors import InvalidValue

# A team's relay may deliver inside its own network, so only names that can never have a mailbox are refused.
email_validator.SPECIAL_USE_DOMAIN_NAMES[:] = ["arpa", "invalid"]

CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")
# Characters of no width and those that change the direction; not the joiners, which letters and emoji need.
HIDING = re.compile(r"[\u200b\u202a-\u202e\u2060-\u206f\ufeff]")
JOINERS = "\u200c\u200d"
A_LABEL = "xn--"  # the prefix of labels beyond ASCII (RFC 5890, 2.3.2.1)
SPECIALS = set('()<>[]:;@\\,"')
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')  # RFC 5322, 3.2.4
LONGEST = 320  # characters of an address
# Everyday addresses, too short to exceed a limit, need no normalization but a lower-case domain.
EVERYDAY = re.compile(
    r"(?P<local>[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*)"
    r"@(?P<domain>(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\.)+(?!(?i:arpa|invalid)\Z)[A-Za-z]{2,})"
)
EVERYDAY_LENGTH = 63  # of a label and of a local part, RFC 1035 (2.3.4) and RFC 5321 (4.5.3.1.1)


class Address(NamedTuple):
    name: str
    email: str

    def __str__(self) -> str:
        if not self.name:
            return self.email
        quoted = re.sub(r'(["\\])', r"\\\1", self.name)
        name = f'"{quoted}"' if SPECIALS & set(self.name) or "." in self.name else self.name
        return f"{name} <{self.email}>"

    @property
    def domain(self) -> str:
        return self.email.rpartition("@")[2]


def normalize(text: str) -> str:
    """NFC, A-labels, no invisible characters; the local part keeps its case (RFC 5321, 2.4). Raises ValueError."""
    if len(text) <= EVERYDAY_LENGTH and (everyday := EVERYDAY.fullmatch(text)):
        return f"{everyday['local']}@{everyday['domain'].lower()}"
    if CONTROL.search(text):
        raise ValueError("must not contain line breaks or control characters")
    text = shown(text).strip(JOINERS).strip()
    if len(text) > LONGEST:
        raise _not_an_address("it is too long")
    try:
        valid = validate_email(text, check_deliverability=False, test_environment=True, strict=True)
    except EmailNotValidError as error:
        raise _not_an_address(str(error)) from None
    local = valid.local_part
    # Unicode normalization can turn a harmless character into a special one (U+037E becomes ;).
    if SPECIALS & set(local):
        raise _not_an_address("its local part has a special character")
    return f"{local}@{valid.ascii_domain or valid.domain}"


def _not_an_address(why: str) -> InvalidValue:
    return InvalidValue(f"is not an email address: {why}", "email_address", why=why)


def email_key(email: str) -> str:
    """The form in which normalized addresses are compared, without regard to case."""
    return email.lower()


def parse(text: str) -> Address:
    """`Name <address>` or a bare address (RFC 5322, 3.4: no group). Raises ValueError with a sentence."""
    if CONTROL.search(text):
        raise ValueError("must not contain line breaks or control characters")
    text = shown(text)
    if "<" not in text:
        return Address("", normalize(text))
    name, _, rest = text.rpartition("<")
    if not rest.endswith(">"):
        raise ValueError("is not of the form Name <address>")
    name = name.strip()
    if quoted := QUOTED.fullmatch(name):
        name = re.sub(r"\\(.)", r"\1", quoted[1]).strip()
    elif "<" in name or ">" in name:
        raise ValueError("is not of the form Name <address>")
    return Address(name, normalize(rest[:-1]))


def bare(written: str) -> str:
    return written.rpartition("<")[2].removesuffix(">")


def readable(email: str) -> str:
    local, at, domain = email.rpartition("@")
    return f"{local}{at}{'.'.join(map(_readable_label, domain.split('.')))}"


def _readable_label(label: str) -> str:
    if not label.startswith(A_LABEL):
        return label
    try:
        return label.removeprefix(A_LABEL).encode().decode("punycode")
    except ValueError:  # not a valid A-label
        return label


def sought(text: str) -> str:
    return unicodedata.normalize("NFC", text).lower()


def has_part(email: str, part: str) -> bool:
    return part in email.lower() or part in readable(email).lower()


def shown(text: str) -> str:
    return HIDING.sub("", text).strip()
