"""/resend/api-keys."""

from typing import Literal

from quart import Blueprint, g

from webapp import models
from webapp.domain import api_keys
from webapp.domain.accounts import accounts
from webapp.domain.api_keys import NewKey
from webapp.domain.inputs import Id, Input, Name
from webapp.domain.pagination import newest_page
from webapp.domain.roles import Action, Role
from webapp.http.auth.permissions import guarded
from webapp.http.paging import query
from webapp.resend.shapes import Body, ListQuery, body, deleted, page_of, time

blueprint = Blueprint("api_keys", __name__, url_prefix="/api-keys")

ROLES = {"sending_access": Role.SENDER, "full_access": Role.ADMIN}


class ResendKey(Input):
    name: Name
    permission: Literal["full_access", "sending_access"] = "full_access"
    domain_id: Id | None = None


@blueprint.get("")
@guarded(Action.KEYS)
@query(ListQuery)
async def index(query_args: ListQuery) -> Body:
    page = await newest_page(models.ApiKey, g.caller.org, query_args.cursor, "an API key", revoked_at=None)
    return page_of(page, _outline)


@blueprint.post("")
@guarded(Action.KEYS)
@body(ResendKey)
async def create(data: ResendKey) -> tuple[Body, int]:
    domain = None if data.domain_id is None else await accounts.domain_named(g.caller.org, data.domain_id)
    senders = [] if domain is None else [f"@{domain}"]
    key = {"name": data.name, "role": ROLES[data.permission].value, "allowed_from": senders}
    issued = await api_keys.issue_by_key(g.caller.key, NewKey.model_validate(key))
    return {"id": issued.key.id, "token": issued.secret}, 201


@blueprint.delete("/<key_id>")
@guarded(Action.KEYS, api_keys.find_key)
async def remove(key: models.ApiKey) -> Body:
    await api_keys.revoke_key(key)
    return deleted("api_key", key.id)


def _outline(key: models.ApiKey) -> Body:
    used_at, created_at = time(key.last_used_at), time(key.created_at)
    return {"id": key.id, "name": key.name, "created_at": created_at, "last_used_at": used_at}
