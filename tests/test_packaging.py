"""The wheel runs where there is no checkout."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*words: object, cwd: Path) -> str:
    environ = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("pennypost-*.whl")
    return built


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel in it, and the packages it needs borrowed from this one."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--no-deps",
        "--no-index",
        "--no-compile",
        wheel,
        cwd=folder,
    )
    (packages,) = folder.glob("venv/lib/python*/site-packages")
    packages.joinpath("borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return folder


def test_the_wheel_has_what_the_pages_and_the_migrations_need(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    pages = [path for folder in ("templates", "static") for path in ROOT.joinpath(folder).rglob("*.*")]
    migrations = [path for path in ROOT.glob("webapp/migrations/**/*.*") if path.suffix in (".py", ".toml")]
    wanted = [f"webapp/{path.relative_to(ROOT)}" for path in pages if path.is_file()]
    wanted += [str(path.relative_to(ROOT)) for path in migrations]
    assert len(wanted) > 10
    assert set(wanted) <= names
    assert not [name for name in names if name.startswith("tests/")]


def test_it_runs_in_an_empty_directory(elsewhere: Path) -> None:
    empty = elsewhere / "empty"
    empty.mkdir()
    pennypost = elsewhere / "venv" / "bin" / "pennypost"
    assert "create-org" in run(pennypost, "--help", cwd=empty)
    assert run(pennypost, "migrate", cwd=empty).startswith("applying 0_")
    assert {path.name for path in empty.joinpath("data").iterdir()} >= {"pennypost.db", "secret_keys"}


def test_its_app_finds_templates_and_static_files(elsewhere: Path) -> None:
    script = """
import asyncio, webapp
from webapp.app import create_app
from webapp.config import configure, read_settings

async def look():
    settings = read_settings()
    configure(settings)
    client = create_app(settings).test_client()
    print(webapp.__file__)
    print((await client.get("/static/app.css")).status_code)
    print((await client.get("/no-such-page", headers={"Accept": "text/html"})).content_type)

asyncio.run(look())
"""
    python = elsewhere / "venv" / "bin" / "python"
    place, stylesheet, page = run(python, "-c", script, cwd=elsewhere).split("\n", 2)
    assert place.startswith(str(elsewhere))
    assert stylesheet == "200"
    assert page.startswith("text/html")
