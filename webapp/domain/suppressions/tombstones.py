"""Erased addresses, which come back by a confirmed sign-up alone."""

from webapp import db
from webapp.addresses import email_key
from webapp.errors import ValidationError
from webapp.models import Organization, Tombstone
from webapp.models.suppression import address_digest


def refusal(words: str) -> ValidationError:
    """The answer to a request that names an address of which these are the `Tombstone.words`."""
    return ValidationError.at("email", f"was {words}, at the request of its owner")


async def check_not_erased(org: Organization, key: str) -> None:
    """Raises ValidationError; call it where the organization's contacts are counted, so that none is missed."""
    for words in (await Tombstone.words_against(org.id, [key])).values():
        raise refusal(words)


async def forget_tombstone(org: Organization, email: str) -> None:
    """Lets an address come back whose owner has confirmed a sign-up, in the caller's transaction."""
    async with db.write_transaction():
        mine = Tombstone.of(org).filter(digest=address_digest(org.id, email_key(email)))
        for row in await mine.select_for_update():
            if row.next_at is None:
                await row.delete()
            else:  # its data is still being erased
                row.digest = row.id.hex
                await row.save(update_fields=["digest"])
