"""Sets the actor of a request for the audit log."""

from quart import Quart, Request

from webapp.domain.audit.audit import Actor, set_actor
from webapp.http.client_ip import client_address
from webapp.http.hooks import before
from webapp.models import ApiKey, User


def register(app: Quart) -> None:
    """Begins every request as a visitor, so that no actor of an earlier request, nor the operator, remains."""
    before(app, _act_as_visitor)


def _act_as_visitor(_: Request) -> None:
    set_actor(Actor.visitor(client_address()))


def act_as_person(user: User) -> None:
    set_actor(Actor.person(user, client_address()))


def act_as_key(key: ApiKey) -> None:
    set_actor(Actor.key(key, client_address()))
