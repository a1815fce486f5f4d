"""Fill the empty database of this environment, and print as JSON what opens its pages."""

import asyncio
import json

from tests.tools.showcase.filling import fill
from tests.tools.showcase.tour import stops
from webapp import config, db
from webapp.app import create_app
from webapp.config import read_settings
from webapp.db.migrate import migrate


async def main() -> None:
    settings = read_settings()
    config.configure(settings)
    await migrate(settings)
    await db.connect(settings.database_url)
    try:
        show = await fill()
        pages = stops(create_app(settings), show)
        print(json.dumps({"sessions": show.sessions, "stops": pages, "sandbox_login": show.sandbox_login}))
    finally:
        await db.disconnect()


if __name__ == "__main__":
    asyncio.run(main())
