"""The wheel runs where there is no checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
USE = """
import asyncio, sys, webapp
from webapp.app import create_app
from webapp.cli import main
from webapp.config import configure, read_settings

async def look():
    settings = read_settings()
    configure(settings)
    client = create_app(settings).test_client()
    print(webapp.__file__)
    print((await client.get("/static/app.css")).status_code)
    print((await client.get("/no-such-page", headers={"Accept": "text/html"})).content_type)

asyncio.run(look())
sys.argv[1:] = ["migrate"]
main()
"""


def run(*words: object, cwd: Path, **environ: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, cwd=cwd, env=kept | environ, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run("-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("pennypost-*.whl")
    return built


def test_the_wheel_has_what_the_pages_and_the_migrations_need(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    pages = [path for folder in ("templates", "static") for path in ROOT.joinpath(folder).rglob("*.*")]
    migrations = [path for path in ROOT.glob("webapp/migrations/**/*.*") if path.suffix in (".py", ".toml")]
    wanted = [f"webapp/{path.relative_to(ROOT)}" for path in pages if path.is_file()]
    wanted += [str(path.relative_to(ROOT)) for path in migrations]
    assert len(wanted) > 10
    assert set(wanted) <= names
    assert not [name for name in names if name.startswith("tests/")]


def test_the_wheel_migrates_a_database_and_shows_pages_in_an_empty_directory(wheel: Path, tmp_path: Path) -> None:
    empty, unpacked = tmp_path / "empty", tmp_path / "unpacked"
    empty.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    (entry_points,) = unpacked.glob("pennypost-*.dist-info/entry_points.txt")
    assert "pennypost = webapp.cli:main" in entry_points.read_text()
    place, stylesheet, page, applied = run("-c", USE, cwd=empty, PYTHONPATH=str(unpacked)).split("\n", 3)
    assert place.startswith(str(unpacked))
    assert stylesheet == "200"
    assert page.startswith("text/html")
    assert applied.startswith("applying 0_")
    assert {path.name for path in empty.joinpath("data").iterdir()} >= {"pennypost.db", "secret_keys"}
