"""A mail that POST /v1/emails takes, and the sending of it."""

from typing import Any

from tests.api.conftest import Api

MAIL = {"from": "hello@acme.example", "to": ["ada@example.org"], "subject": "Hello", "html": "<p>Hello</p>"}


async def send(api: Api, **fields: Any) -> str:
    """Send `MAIL` but for `fields`, and return the id."""
    status, body = await api.post("/v1/emails", MAIL | fields)
    assert status == 200, body
    assert list(body) == ["id", *(["scheduled_at"] if fields.get("scheduled_at") else [])]
    found: str = body["id"]
    return found
