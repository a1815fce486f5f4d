"""Limits on attempts in the pages."""

from quart import Quart

from webapp.domain.auth.one_time_links import LinkThrottle
from webapp.domain.auth.sessions import SignInThrottle
from webapp.domain.delivery.login_test import CHECKS_A_MINUTE
from webapp.domain.throttle import SharedThrottle


def register(app: Quart) -> None:
    script = app.extensions["tries"]
    app.extensions["sign_in_throttle"] = SignInThrottle(script)
    app.extensions["link_throttle"] = LinkThrottle(script)
    app.extensions["login_checks"] = SharedThrottle(script, "login-checks", CHECKS_A_MINUTE, 60)
