"""The names of fields, headers and parameters whose values are secret."""

import re
from functools import lru_cache

CACHED_LENGTH = 60  # of names whose verdict is cached
SECRET_NAMES = re.compile(r"password|passwd|secret|token|authorization|cookie|api_?key|credential", re.IGNORECASE)
CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
SEPARATORS = re.compile(r"[\W_]+")
SECRET_FIELD = re.compile(
    SECRET_NAMES.pattern
    + r"|passphrase|jwt|signature|(?:access|auth|encryption|license|private|routing|signing|subscription)_?keys?"
    + r"|(?:(?:pass|otp)(?:code)?|pwd|pw)\d*(?![^\W_])"  # at the end of any word
    + r"|(?:^|[^a-z])(?:keys?|pin|auth)[\W\d_]*$"
)
PUBLIC_FIELDS = {"account_key", "idempotency_key"}  # identifiers, not credentials
SECRET_PARAMETER = re.compile(r"^(?:sig|hmac|code)$|passcode|pwd", re.IGNORECASE)  # in URLs, besides the above


def is_secret(name: str) -> bool:
    return _is_secret(name) if len(name) <= CACHED_LENGTH else _is_secret.__wrapped__(name)


def is_secret_parameter(name: str) -> bool:
    """The same for parameters of URLs, where more names mean secrets."""
    return is_secret(name) or SECRET_PARAMETER.search(name) is not None


@lru_cache(maxsize=2_000)
def _is_secret(name: str) -> bool:
    plain = CAPITAL.sub("_", name).lower().replace("-", "_")
    if plain in PUBLIC_FIELDS:
        return False
    return any(map(SECRET_FIELD.search, (plain, SEPARATORS.sub("", name).casefold())))
