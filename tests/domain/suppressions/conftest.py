"""A stranger's program, and people of both organizations."""

import pytest

from tests.api.conftest import Api, make_api
from tests.apps import app_of
from tests.pages.conftest import app, owner, rival_owner
from webapp.config import Settings
from webapp.models import Organization

__all__ = ["app", "owner", "rival_owner"]


@pytest.fixture
async def rival_api(settings: Settings, rival: Organization) -> Api:
    return await make_api(app_of(settings), rival)
