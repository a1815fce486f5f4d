"""Who gets campaigns: asked in a query when a run is made, and of each contact again when its mail is made."""

from tortoise.queryset import QuerySet

from webapp.models import Contact, Organization
from webapp.models.contact import ContactStatus
from webapp.models.outbox import left


def wanting(org: Organization) -> QuerySet[Contact]:
    """The contacts who may get campaigns."""
    return Contact.of(org).filter(status=ContactStatus.SUBSCRIBED, bounced_at__isnull=True)


def reason_against(contact: Contact | None) -> str | None:
    """Why a contact for whom a mail is queued gets none any more, in words; None where there is no reason."""
    if contact is None:
        return left.DELETED
    if contact.status != ContactStatus.SUBSCRIBED:
        return left.UNSUBSCRIBED
    if contact.bounced_at is not None:
        return left.BOUNCED
    return None
