"""Who gets campaigns, asked of a contact when its mail is made; `WANTS_MAIL` asks the same when its row is made."""

from webapp.models import Contact
from webapp.models.contact import ContactStatus
from webapp.models.contact_standing import Standing
from webapp.models.outbox import left


def reason_against(contact: Contact | Standing | None) -> str | None:
    """Why a contact for whom a mail is queued gets none any more, in words; None where there is no reason."""
    if contact is None:
        return left.DELETED
    if contact.status != ContactStatus.SUBSCRIBED:
        return left.UNSUBSCRIBED
    if contact.bounced_at is not None:
        return left.BOUNCED
    return None
