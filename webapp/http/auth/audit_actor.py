"""On whose behalf a request changes things, as the audit log has it."""

from quart import Quart

from webapp.domain.audit.audit import Actor, set_actor
from webapp.http.client_ip import client_address
from webapp.models import ApiKey, User


def register(app: Quart) -> None:
    """Let every request begin as a visitor's: none goes on as whoever asked before, or as the operator."""
    app.before_request(_act_as_visitor)


async def _act_as_visitor() -> None:
    set_actor(Actor.visitor(client_address()))


def act_as_person(user: User) -> None:
    """From now on this request acts for somebody who has shown who they are."""
    set_actor(Actor.person(user, client_address()))


def act_as_key(key: ApiKey) -> None:
    """From now on this request acts for a program."""
    set_actor(Actor.key(key, client_address()))
