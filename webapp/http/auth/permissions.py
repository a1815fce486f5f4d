"""Guards every route: authentication, roles, and protection of forms."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from quart import Blueprint, ResponseReturnValue, current_app, request

from webapp.domain.roles import Action, Role
from webapp.http.auth.api_key import Caller, admit, authenticate_key
from webapp.http.auth.csrf import FORM_BYTES, check_form
from webapp.http.auth.session import current_visit, to_sign_in
from webapp.http.body import admission
from webapp.http.paging import check_query
from webapp.http.paths import V1_PATHS, is_api_path, is_under

View = Callable[..., Awaitable[Any]]
PUBLIC = "public"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def guarded(action: Action, find: View | None = None) -> Callable[[View], View]:
    """Requires a role that allows `action` and sets `g.caller`; the view gets what `find` makes of the path's ids.

    Raises Unauthorized, what `rate_limit.admit` raises, Forbidden and, before the body is read, what `find` raises, and
    ValidationError for unknown query parameters of a request to /v1.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        async def checked(**ids: Any) -> Any:
            is_program = is_api_path(request.path)
            if is_program:
                caller = await authenticate_key()
            elif visit := await current_visit():
                caller = admit(Caller(visit.org, visit.role, user=visit.user))
            else:
                return to_sign_in()
            caller.role.require(action)
            row = await find(caller.org, *ids.values()) if find is not None else None
            if is_under(request.path, V1_PATHS):
                check_query(view)
            return await (view(row) if find is not None else view(**ids))

        checked.guard = action  # type: ignore[attr-defined]  # for needed_role and the test of all routes
        return checked

    return decorate


def public(view: View) -> View:
    view.guard = PUBLIC  # type: ignore[attr-defined]  # as above
    return view


def large_form(view: View) -> View:
    view.form_bytes = admission.FORM_BYTES  # type: ignore[attr-defined]  # for _check_request
    return view


def needed_role(view: View) -> Role | None:
    action = getattr(view, "guard", PUBLIC)
    return action.needed if isinstance(action, Action) else None


def guard_forms(blueprint: Blueprint) -> None:
    blueprint.before_request(_check_request)


async def _check_request() -> ResponseReturnValue | None:
    visit = await current_visit()
    if request.method in SAFE_METHODS:
        return None
    view = current_app.view_functions[request.endpoint or ""]
    is_public = getattr(view, "guard", None) == PUBLIC
    if visit is None and not is_public:
        return to_sign_in()
    if not (getattr(view, "takes_file", False) and request.mimetype == "multipart/form-data"):  # see uploads.py
        await check_form(visit, is_public=is_public, max_bytes=getattr(view, "form_bytes", FORM_BYTES))
    return None
