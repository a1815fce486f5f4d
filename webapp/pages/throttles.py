"""The counts of tries that pages hold people to, over one connection to Redis."""

from collections.abc import AsyncGenerator

from quart import Quart

from webapp.domain.login_checks import CHECKS_A_MINUTE
from webapp.domain.mailed_links import LinkThrottle
from webapp.domain.sessions import SignInThrottle
from webapp.domain.shared_throttle import SCRIPT, SharedThrottle
from webapp.redis_script import RedisScript


def register(app: Quart) -> None:
    """Give the app its counts, which end with it."""
    script = RedisScript(app.config["PENNYPOST"], SCRIPT, "each process counts tries by itself")
    app.extensions["sign_in_throttle"] = SignInThrottle(script)
    app.extensions["link_throttle"] = LinkThrottle(script)
    app.extensions["login_checks"] = SharedThrottle(script, "login-checks", CHECKS_A_MINUTE, 60)

    @app.while_serving
    async def close() -> AsyncGenerator[None, None]:
        yield
        await script.close()
