"""What mail that is asked for by the API and sent by a worker needs; programs and people of both organizations."""

import pytest

from tests.api.conftest import api, app, rival_api
from tests.factories import account_on, make_org
from tests.fakes.smtp_server import SmtpServer
from tests.pages.conftest import owner, rival_owner
from webapp.models import Account, Organization

__all__ = ["api", "app", "owner", "rival_api", "rival_owner"]


@pytest.fixture
async def free(database: str) -> Organization:
    """An organization on the smallest plan: 5,000 rows and 3 days are kept."""
    return await make_org("Free", plan="free")


@pytest.fixture
async def account(acme: Organization, smtp_server: SmtpServer) -> Account:
    """Our account, which `smtp_server` serves."""
    return await account_on(smtp_server, acme)
