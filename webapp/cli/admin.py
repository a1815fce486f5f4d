"""The operator's commands; they work beside a running service."""

from datetime import timedelta

import click

from webapp import clock, config
from webapp.cli.database import in_words, open_database
from webapp.config import read_settings
from webapp.db.migrate import migrate


async def migrate_database() -> None:
    """Applies the pending migrations and prints them."""
    settings = read_settings()
    with in_words(settings):
        applied = await migrate(settings)
    click.echo("\n".join(f"applied {name.removesuffix('.py')}" for name in applied) or "nothing to do")


async def create_org(name: str, owner: str, plan: str, timezone: str, password: str | None) -> None:
    from webapp.domain.auth import owners

    async with open_database(_settings()):
        founded = await owners.add_organization(name, owner, password, timezone, plan)
    click.echo(founded.org.id)


async def create_key(org_id: str, name: str, role: str, expires_in: int | None) -> None:
    """Issues a key that lasts `expires_in` seconds, or until it is revoked, and prints it."""
    from webapp.domain import api_keys
    from webapp.domain.auth import owners
    from webapp.domain.inputs import read_input

    given = {"name": name, "role": role}
    if expires_in:
        given["expires_at"] = (clock.now() + timedelta(seconds=expires_in)).isoformat()
    async with open_database(_settings()):
        org = await owners.find_organization(org_id)
        issued = await api_keys.issue_key(org, read_input(api_keys.NewKey, given, strict=True))
    click.echo(issued.secret)


async def revoke_key(key_or_prefix: str) -> None:
    from webapp.domain import api_keys

    async with open_database(_settings()):
        key = await api_keys.revoke_named_key(key_or_prefix)
    click.echo(f"revoked {key.prefix} ({key.name})")


async def set_plan(org_id: str, plan: str) -> None:
    from webapp.domain.auth import owners

    async with open_database(_settings()):
        org = await owners.set_plan(await owners.find_organization(org_id), plan)
    click.echo(f"{org.name} is on {org.plan}")


async def reset_password(email: str, password: str) -> None:
    from webapp.domain.auth import owners

    async with open_database(_settings()):
        user = await owners.reset_password(email, password)
    click.echo(f"the password of {user.email} is set, two-step sign-in is off, and all their sessions have ended")


async def invite(email: str) -> None:
    from webapp.domain.auth import sign_up

    async with open_database(_settings()):
        click.echo(await sign_up.create_sign_up_link(email))


async def rotate_secrets() -> None:
    """Encrypts with today's first key what older keys encrypted, and prints the counts."""
    from webapp.domain.instance import secret_rotation

    async with open_database(_settings()):
        rotated = await secret_rotation.rotate_secrets()
    click.echo(f"sealed {rotated:,} secrets with the first of PENNYPOST_SECRET_KEYS")


def _settings() -> config.Settings:
    settings = read_settings()
    config.configure(settings)
    return settings
