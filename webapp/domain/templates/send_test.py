"""Sends a template to its editor as a test."""

from uuid import UUID

from webapp.domain.campaigns.accounts import accounts_named
from webapp.domain.campaigns.send_test import queue_test
from webapp.domain.templates.content import source_of
from webapp.domain.templates.preview import sample_values
from webapp.errors import ValidationError
from webapp.models import Organization, Template, User
from webapp.models.account import AccountStatus


async def send_test(org: Organization, template: Template, person: User, sample: str = "") -> UUID:
    """Queues one mail with the template to the person's own address; returns the id of its row.

    It is rendered for the contact `sample`, or with placeholders, and sent by the oldest active account. Raises
    ValidationError for what is missing to send, and what `queue_test` raises.
    """
    if not template.subject.strip() or not template.body.strip():
        raise ValidationError("A mail needs a subject and a body.")
    values = await sample_values(org, sample, template.variables)
    accounts = await accounts_named(org, None)
    account = next(one for one in accounts if one.status == AccountStatus.ACTIVE)
    return await queue_test(org, source_of(template).content(org.id), account, person.email, values)
