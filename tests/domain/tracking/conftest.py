"""A browser that follows the links of tracked emails."""

import pytest
from quart import Quart
from quart.testing import QuartClient


@pytest.fixture
def client(app: Quart) -> QuartClient:
    return QuartClient(app)
