"""The dashboard."""

from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from quart import Quart, g, url_for

from webapp.config import source_dir
from webapp.domain.auth.sessions import SignedInUser, SignInThrottle
from webapp.domain.delivery.login_test import CHECKS_A_MINUTE
from webapp.domain.instance.suspension import RESUME_COMMAND, find_suspension
from webapp.domain.personal_data.by_person import DataThrottle
from webapp.domain.preferences.preferences import ChoicesThrottle
from webapp.domain.roles import Role
from webapp.domain.throttle import LinkThrottle, SharedThrottle
from webapp.http import flashes, paging, security_headers
from webapp.http.auth import csrf
from webapp.http.auth.cookies import read_cookie
from webapp.http.auth.permissions import guard_forms
from webapp.http.client_ip import untrusted_forwarder
from webapp.http.memory import remember
from webapp.pages import reader_data, tracking, unsubscribe
from webapp.pages.forms import confirmation, public_form
from webapp.pages.media import serving
from webapp.pages.shared import filters
from webapp.pages.shared.navigation import navigation, navigation_cookie

THEMES = ("light", "dark")

_modules = [import_module(module.name) for module in walk_packages(__path__, f"{__name__}.")]
PAGES = [module for module in _modules if hasattr(module, "blueprint")]
for _page in PAGES:
    # Email programs and other sites submit forms without a token; images and tracked links need no session.
    if _page not in (unsubscribe, reader_data, public_form, confirmation, serving, tracking):
        guard_forms(_page.blueprint)  # once, because all apps of the process share the blueprints


def register(app: Quart) -> None:
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    filters.register(app)
    security_headers.register(app)
    flashes.register(app)
    paging.register(app)
    csrf.register(app)
    tracking.register(app)
    remember(app, "sign_in_throttle", lambda: SignInThrottle(app.extensions["tries"]))
    remember(app, "link_throttle", lambda: LinkThrottle(app.extensions["tries"], "mailed-links"))
    remember(app, "choices_throttle", lambda: ChoicesThrottle(app.extensions["tries"]))
    remember(app, "data_throttle", lambda: DataThrottle(app.extensions["tries"]))
    remember(app, "preferences_throttle", lambda: LinkThrottle(app.extensions["tries"], "preference-links"))
    remember(app, "login_checks", lambda: SharedThrottle(app.extensions["tries"], "login-checks", CHECKS_A_MINUTE, 60))
    for page in PAGES:
        app.register_blueprint(page.blueprint)
    app.context_processor(_template_context)


def _template_context() -> dict[str, Any]:
    theme = read_cookie("theme")
    visit: SignedInUser | None = g.get("visit")
    common = {
        "asset": _asset,
        "csrf_token": csrf.csrf_token(),
        "flashes": flashes.pop_flashes,
        "theme": theme if theme in THEMES else None,
    }
    if visit is None:
        return common
    return common | {
        "find_suspension": find_suspension,  # a function, because fragments do not need it
        "forwarded_by": untrusted_forwarder() if visit.role is Role.OWNER else None,
        "go_on": RESUME_COMMAND,
        "nav": navigation(visit.role),
        "nav_cookie": navigation_cookie(),
        "organization": visit.org,
        "organizations": visit.organizations,
        "person": visit.user.email,
        "person_name": visit.user.display_name,
        "role": visit.role,
        "timezone": visit.org.timezone,
    }


def _asset(name: str) -> str:
    changed_at = (source_dir("static") / name).stat().st_mtime_ns
    return url_for("static", filename=name, v=f"{changed_at:x}")
