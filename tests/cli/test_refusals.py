"""What is wrong with the surroundings is said in one line, with what to do, and the exit code is 1."""

import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Pennypost
from tests.conftest import SECRET_KEY, free_port
from tests.structure import ROOT
from webapp.db.migrate import FORMER_COMMIT

MIGRATIONS = list((ROOT / "webapp/migrations/sqlite/models").glob("[0-9]*.py"))
NOBODY_THERE = f"postgres://postgres@127.0.0.1:{free_port()}/pennypost"


def test_a_wrong_setting(fresh: Pennypost) -> None:
    line = fresh.refuses("up", PENNYPOST_BASE_URL="https://example.com/mail")
    assert line.startswith("PENNYPOST_BASE_URL must have no path: give Pennypost a host of its own")


def test_a_database_server_that_is_not_there(fresh: Pennypost) -> None:
    settings = {"DATABASE_URL": NOBODY_THERE, "PENNYPOST_SECRET_KEYS": SECRET_KEY}
    for command in ("up", "worker"):
        done = fresh.run(command, PENNYPOST_DATABASE_SECONDS="1", **settings)
        assert (done.returncode, done.stdout) == (1, "")
        waiting, line = done.stderr.splitlines()
        assert "waiting up to 1 s for the database postgres://" in waiting
        assert "cannot be opened (connection refused): start the server, or set DATABASE_URL" in line
    assert "cannot be opened (connection refused): start the server" in fresh.refuses("migrate", **settings)
    assert "cannot be opened" in fresh.refuses("create-key", "0", "--name", "k", "--role", "viewer", **settings)


def test_a_password_in_the_url_is_hidden_whole(fresh: Pennypost) -> None:
    url = NOBODY_THERE.replace("postgres@", "ada:hu@nt@er2@")
    line = fresh.refuses("migrate", DATABASE_URL=url, PENNYPOST_SECRET_KEYS=SECRET_KEY)
    assert "postgres://ada:[hidden]@127.0.0.1" in line
    said = fresh.run("doctor", REDIS_URL=url.replace("postgres:", "redis:").replace("/pennypost", "/0"))
    assert "redis://ada:[hidden]@127.0.0.1" in said.stdout
    assert "er2" not in line + said.stdout + said.stderr


def test_a_port_in_use(pennypost: Pennypost) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        advice = f"port {port} on 127.0.0.1 is in use: stop the program that uses it or set"
        for command, name in (
            ("up", "PENNYPOST_PORT"),
            ("web", "PENNYPOST_PORT"),
            ("up", "PENNYPOST_SANDBOX_PORT"),
            ("sandbox", "PENNYPOST_SANDBOX_PORT"),
        ):
            assert pennypost.refuses(command, **{name: port}) == f"{advice} {name}"


def test_several_processes_on_sqlite(fresh: Pennypost) -> None:
    line = fresh.refuses("web", "--processes", "2")
    assert line.startswith("more than one process needs PostgreSQL")
    assert fresh.refuses("up", PENNYPOST_PROCESSES="2") == line
    assert fresh.refuses("worker", PENNYPOST_WORKER_PROCESSES="2") == line


@pytest.mark.parametrize(("command", "keys"), [("up", SECRET_KEY), ("doctor", "")])
def test_a_data_directory_that_is_not_writable(fresh: Pennypost, command: str, keys: str) -> None:
    line = fresh.refuses(command, PENNYPOST_DATA_DIR="/sys", PENNYPOST_SECRET_KEYS=keys)  # where nobody may write
    assert line.startswith("the data directory /sys is not writable (")
    assert line.endswith("make it writable for this user, or set PENNYPOST_DATA_DIR")


def test_a_mistyped_setting_is_named_with_the_nearest(fresh: Pennypost) -> None:
    fresh.prints("migrate")
    sentence = "PENNYPOST_TRUSTED_PROXY is not a setting: did you mean PENNYPOST_TRUSTED_PROXIES?"
    done = fresh.run("migrate", PENNYPOST_TRUSTED_PROXY="1")
    assert (done.returncode, done.stderr) == (0, f"{sentence}\n")
    assert fresh.run("doctor", PENNYPOST_TRUSTED_PROXY="1").stdout.startswith(f"warn  settings        {sentence}\n")
    assert fresh.run("doctor", MARIADB_URL="1").stdout.startswith("ok    settings        all known\n")


def test_a_database_that_is_behind(fresh: Pennypost, tmp_path: Path) -> None:
    assert "run pennypost migrate" in fresh.refuses("web")
    (tmp_path / "data" / "pennypost.db").touch()
    for command in ("web", "worker", "sandbox"):
        assert f" {len(MIGRATIONS)} pending migrations: run pennypost migrate" in fresh.refuses(command)


def test_a_folder_without_a_database_stays_as_it_is(fresh: Pennypost, tmp_path: Path) -> None:
    key = ("create-key", "0", "--name", "k", "--role", "viewer")
    for words in (key, ("set-plan", "0", "free"), ("backup", str(tmp_path / "copy.db")), ("rotate-secrets",)):
        line = fresh.refuses(*words)
        assert line == f"no database at {tmp_path}/data/pennypost.db yet: run pennypost migrate or pennypost up"
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_is_too_old(fresh: Pennypost, tmp_path: Path) -> None:
    file = tmp_path / "data" / "pennypost.db"
    file.parent.mkdir()
    with closing(sqlite3.connect(file)) as old, old:
        old.execute("CREATE TABLE aerich (version TEXT)")
        old.execute("INSERT INTO aerich VALUES ('29_20261126215135_return_paths.py')")
    before = file.read_bytes()
    assert fresh.refuses("up") == (
        "the database is too old, with 29_20261126215135_return_paths.py as its last migration: "
        f"first run pennypost migrate of commit {FORMER_COMMIT}"
    )
    assert file.read_bytes() == before


@pytest.mark.parametrize("command", ["migrate", "up", "web", "worker"])
def test_a_database_of_a_later_version(fresh: Pennypost, tmp_path: Path, command: str) -> None:
    fresh.prints("migrate")
    with closing(sqlite3.connect(tmp_path / "data" / "pennypost.db")) as later, later:
        later.execute(
            "INSERT INTO aerich (version, app, content) VALUES ('100_20990101000000_moon.py', 'models', '{}')"
        )
    sentence = (
        "the database was migrated by a later version, with 100_20990101000000_moon.py as its last migration: "
        "run that version, or restore a backup from before the upgrade"
    )
    assert fresh.refuses(command) == sentence
    assert f"FAIL  database        {sentence}" in fresh.run("doctor").stdout


def test_an_unknown_organization(pennypost: Pennypost) -> None:
    stranger = "01a1f9c2-e8b9-7248-bbf7-a48b5e07f678"
    assert pennypost.refuses("set-plan", stranger, "free") == (
        f"no organization with the ID {stranger}: its Usage page shows the ID"
    )
    assert "the ID '; DROP" in pennypost.refuses("create-key", "'; DROP", "--name", "k", "--role", "viewer")


def test_a_command_that_is_written_wrong(fresh: Pennypost) -> None:
    line = fresh.refuses("--verbos")
    assert line == "No such option '--verbos'. Did you mean '--version'? See pennypost --help"
    line = fresh.refuses("reset-password", "a@b.example")
    assert line.startswith("use --password-stdin to read the new password from standard input. See pennypost reset-p")
