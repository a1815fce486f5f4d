"""Compiled templates on the disk: there for the next start, and no page's trouble when they cannot be kept."""

from pathlib import Path

from quart import Quart

from webapp.app import create_service
from webapp.config import Settings


async def sign_in_page(app: Quart) -> bytes:
    answer = await app.test_client().get("/sign-in")
    assert answer.status_code == 200
    return await answer.get_data()


def kept(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


async def test_what_is_compiled_once_is_there_for_the_next_start(settings: Settings, database: str) -> None:
    folder = settings.data_dir / "templates"
    shown = await sign_in_page(create_service(settings))
    first = kept(folder)
    assert first
    assert folder.stat().st_mode & 0o077 == 0
    assert len(await sign_in_page(create_service(settings))) == len(shown)
    assert kept(folder) == first
