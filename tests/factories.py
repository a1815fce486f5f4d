"""Rows for tests, each with what it needs and nothing more."""

from typing import Any

from webapp import crypto
from webapp.models import Account, Organization


async def make_org(name: str = "Acme", **fields: Any) -> Organization:
    """An organization in UTC on the largest plan."""
    return await Organization.create(**{"name": name, "timezone": "UTC", "plan": "enterprise", **fields})


async def make_account(org: Organization, **fields: Any) -> Account:
    """An SMTP account on loopback, without login."""
    defaults = {
        "name": "Main",
        "provider_type": "smtp",
        "account_key": crypto.new_account_key(),
        "daily_mail_limit": 500,
        "smtp_host": "127.0.0.1",
        "smtp_port": 25,
        "smtp_security": "auto",
        "from_email": "hello@acme.example",
    }
    return await Account.create(org=org, **{**defaults, **fields})
