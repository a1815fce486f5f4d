"""Erased addresses, which come back by a confirmed sign-up alone."""

from webapp.errors import ValidationError
from webapp.models import Organization, Tombstone


def refusal(words: str) -> ValidationError:
    """The answer to a request that names an address of which these are the `Tombstone.words`."""
    return ValidationError.at("email", f"was {words}, at the request of its owner")


async def check_not_erased(org: Organization, key: str) -> None:
    """Raises ValidationError; call it where the organization's contacts are counted, so that none is missed."""
    for words in (await Tombstone.words_against(org.id, [key])).values():
        raise refusal(words)
