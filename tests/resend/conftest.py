"""Programs that call the door in Resend's shapes; every answer is held against Resend's OpenAPI document."""

import json
from typing import Any

import pytest
from quart import Quart

from tests.api.conftest import Api, app, make_api
from tests.resend.shapes import check_shape
from webapp.domain.roles import Role
from webapp.models import Organization

__all__ = ["app"]


class Door(Api):
    """A client with one key, whose paths begin below /resend."""

    async def answer(self, method: str, path: str, **kwargs: Any) -> tuple[int, Any]:
        response = await self.send(method, f"/resend{path}", **kwargs)
        assert response.mimetype == "application/json"
        body = json.loads(await response.get_data())
        check_shape(method, path, response.status_code, body)
        return response.status_code, body

    async def make(self, path: str, body: Any) -> str:
        """The id of what a POST makes."""
        status, answer = await self.post(path, body)
        assert status in (200, 201), answer
        made: str = answer["id"]
        return made

    async def refusal(self, method: str, path: str, body: Any = None, **kwargs: Any) -> tuple[int, str, str]:
        """The three members of an error."""
        _, answer = await self.answer(method, path, json=body, **kwargs)
        return answer["statusCode"], answer["name"], answer["message"]


async def make_door(app: Quart, org: Organization, role: Role = Role.ADMIN) -> Door:
    return Door(app, (await make_api(app, org, role)).key)


@pytest.fixture
async def door(app: Quart, acme: Organization) -> Door:
    """Our program: an admin's key of acme."""
    return await make_door(app, acme)


@pytest.fixture
async def rival_door(app: Quart, rival: Organization) -> Door:
    """The stranger's program: an admin's key of rival."""
    return await make_door(app, rival)


@pytest.fixture
async def sender_door(app: Quart, acme: Organization) -> Door:
    return await make_door(app, acme, Role.SENDER)


@pytest.fixture
async def keyless_door(app: Quart) -> Door:
    return Door(app, None)
