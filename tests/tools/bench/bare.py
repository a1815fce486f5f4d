"""A Quart handler that does nothing, served as the service is: `python -m tests.tools.bench.bare PORT`."""

import asyncio
import sys

import uvloop
from quart import Quart

from webapp.server import listen, serve

app = Quart(__name__)


@app.get("/")
async def nothing() -> tuple[bytes, dict[str, str]]:
    return b"{}", {"Content-Type": "application/json"}


async def main() -> None:
    async def greet() -> None: ...

    await serve(app, listen("127.0.0.1", int(sys.argv[1]), "PORT"), asyncio.Event(), greet)


if __name__ == "__main__":
    uvloop.run(main())
