"""A test mail of an account: to see that what it sends arrives."""

from uuid import UUID

from pydantic import Field

from webapp import clock
from webapp.domain.campaigns.send_test import queue_test
from webapp.domain.inputs import EmailAddress, Input
from webapp.models import Account, Content, Organization

__all__ = ["NewAccountTest", "send_account_test"]


class NewAccountTest(Input):
    """Where a test mail goes."""

    to: EmailAddress = Field(description="The address to write to.")


async def send_account_test(org: Organization, account: Account, data: NewAccountTest) -> UUID:
    """Queue a mail about nothing; the id is that of its row. Raises as `queue_test` does."""
    at = clock.now().strftime("%-d %B %Y, %H:%M UTC")
    words = f"This is a test of the account {account.name} of {org.name}, sent on {at}. If you read it, it arrives."
    content = Content(org_id=org.id, subject=f"A test of {account.name}", html=None, text=words)
    return await queue_test(org, content, account, data.to, {})
