"""What is wrong with the surroundings is said in one line, with what to do, and the exit code is 1."""

import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Pennypost, fresh_in
from tests.conftest import SECRET_KEY, free_port
from webapp.db.migrate import FORMER_COMMIT

NOBODY_THERE = f"postgres://postgres@127.0.0.1:{free_port()}/pennypost"


@pytest.mark.parametrize(
    ("variable", "value", "advice"),
    [
        ("PENNYPOST_BASE_URL", "https://example.com/mail", "must have no path: give Pennypost a host of its own"),
        ("PENNYPOST_PLANS", "/nowhere/plans.json", "must be a file"),
        ("PENNYPOST_SIGN_UP_PLAN", "gold", "must be one of free, basic, scale, enterprise"),
        ("PENNYPOST_SIGN_UP", "open", "only with PENNYPOST_SMTP_URL"),
    ],
)
def test_a_wrong_setting(fresh: Pennypost, variable: str, value: str, advice: str) -> None:
    line = fresh.refuses("up", **{variable: value})
    assert line.startswith(f"{variable} ")
    assert advice in line


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


@pytest.mark.parametrize("password", ["hunt:er2", "hu@nt@er2"])
def test_a_password_in_the_url_is_hidden_whole(fresh: Pennypost, password: str) -> None:
    url = NOBODY_THERE.replace("postgres@", f"ada:{password}@")
    line = fresh.refuses("migrate", DATABASE_URL=url, PENNYPOST_SECRET_KEYS=SECRET_KEY)
    assert "postgres://ada:[hidden]@127.0.0.1" in line
    said = fresh.run("doctor", REDIS_URL=url.replace("postgres:", "redis:").replace("/pennypost", "/0"))
    assert "redis://ada:[hidden]@127.0.0.1" in said.stdout
    assert "er2" not in line + said.stdout + said.stderr


def test_a_file_that_is_no_database(fresh: Pennypost, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam, " * 100)
    line = fresh.refuses("up", DATABASE_URL=f"sqlite://{tmp_path}/letter.txt")
    assert "file is not a database" in line
    assert (tmp_path / "letter.txt").read_text().startswith("Dear Sir")


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
    assert line.startswith("--processes (PENNYPOST_PROCESSES) needs PostgreSQL")
    assert fresh.refuses("up", PENNYPOST_PROCESSES="2") == line
    wrong = fresh.refuses("up", PENNYPOST_PROCESSES="0")
    assert "PENNYPOST_PROCESSES" in wrong
    assert "0 is not in the range 1<=x<=64" in wrong


def test_an_address_of_another_machine(pennypost: Pennypost) -> None:
    line = pennypost.refuses("web", PENNYPOST_HOST="192.0.2.1")
    assert line == "192.0.2.1 is not an address of this machine: set PENNYPOST_HOST to another"


def test_secret_keys_that_cannot_be_read(fresh: Pennypost, tmp_path: Path) -> None:
    keys = tmp_path / "data" / "secret_keys"
    keys.mkdir(parents=True)  # a file without permission is readable for root
    line = fresh.refuses("up")
    assert line.startswith(f"the secret keys in {keys} cannot be read")
    assert "set PENNYPOST_SECRET_KEYS" in line


@pytest.mark.parametrize("keys", ["", SECRET_KEY])
def test_a_data_directory_that_cannot_be_made(fresh: Pennypost, tmp_path: Path, keys: str) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "data"):
        line = fresh.refuses("up", PENNYPOST_DATA_DIR=str(place), PENNYPOST_SECRET_KEYS=keys)
        assert line.startswith(f"the data directory {place} cannot be created (")
        assert line.endswith("set PENNYPOST_DATA_DIR to one this user can write to")


@pytest.mark.parametrize(("command", "keys"), [("up", SECRET_KEY), ("migrate", ""), ("doctor", "")])
def test_a_data_directory_that_is_not_writable(fresh: Pennypost, command: str, keys: str) -> None:
    line = fresh.refuses(command, PENNYPOST_DATA_DIR="/sys", PENNYPOST_SECRET_KEYS=keys)  # where nobody may write
    assert line.startswith("the data directory /sys is not writable (")
    assert line.endswith("make it writable for this user, or set PENNYPOST_DATA_DIR")


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pennypost]:
    """The command on a database of its own that is up to date."""
    with fresh_in(tmp_path_factory.mktemp("settled")) as pennypost:
        pennypost.prints("migrate")
        yield pennypost


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "PENNYPOST_TRUSTED_PROXY",
            "PENNYPOST_TRUSTED_PROXY is not a setting: did you mean PENNYPOST_TRUSTED_PROXIES?",
        ),
        ("PENNYPOST_XYZZY", "PENNYPOST_XYZZY is not a setting"),
        ("MARIADB_URL", None),
    ],
)
def test_a_mistyped_setting_is_named_with_the_nearest(settled: Pennypost, name: str, sentence: str | None) -> None:
    done = settled.run("migrate", **{name: "1"})
    assert (done.returncode, done.stderr) == (0, f"{sentence}\n" if sentence else "")
    first = settled.run("doctor", **{name: "1"}).stdout.splitlines()[0]
    assert first == (f"warn  settings        {sentence}" if sentence else "ok    settings        all known")


def test_a_database_that_is_behind(fresh: Pennypost, tmp_path: Path) -> None:
    assert "run pennypost migrate" in fresh.refuses("web")
    (tmp_path / "data" / "pennypost.db").touch()
    for command in ("web", "worker", "sandbox"):
        assert " 1 pending migration: run pennypost migrate" in fresh.refuses(command)


@pytest.mark.parametrize("command", ["up", "migrate", "worker"])
def test_a_database_that_is_too_old(fresh: Pennypost, tmp_path: Path, command: str) -> None:
    file = tmp_path / "data" / "pennypost.db"
    file.parent.mkdir()
    with closing(sqlite3.connect(file)) as old, old:
        old.execute("CREATE TABLE aerich (version TEXT)")
        old.execute("INSERT INTO aerich VALUES ('29_20261126215135_return_paths.py')")
    before = file.read_bytes()
    assert fresh.refuses(command) == (
        "the database is too old, with 29_20261126215135_return_paths.py as its last migration: "
        f"first run pennypost migrate of commit {FORMER_COMMIT}"
    )
    assert file.read_bytes() == before


def test_an_unknown_organization(pennypost: Pennypost) -> None:
    stranger = "01a1f9c2-e8b9-7248-bbf7-a48b5e07f678"
    assert pennypost.refuses("set-plan", stranger, "free") == (
        f"no organization with the ID {stranger}: its Usage page shows the ID"
    )
    assert "the ID '; DROP" in pennypost.refuses("create-key", "'; DROP", "--name", "k", "--role", "viewer")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((), "Missing command. See pennypost --help"),
        (("fly",), "No such command 'fly'. See pennypost --help"),
        (("--verbos",), "No such option '--verbos'. Did you mean '--version'? See pennypost --help"),
        (
            ("reset-password", "a@b.example"),
            "use --password-stdin to read the new password from standard input. See pennypost reset-password --help",
        ),
        (
            ("create-key", "1", "--name", "k", "--role", "viewer", "--expires-in-days", "0"),
            "Invalid value for '--expires-in-days': 0 is not in the range 1<=x<=36500. See pennypost create-key --help",
        ),
    ],
)
def test_a_command_that_is_written_wrong(fresh: Pennypost, words: tuple[str, ...], line: str) -> None:
    assert fresh.refuses(*words) == line


def test_an_argument_that_is_no_text(fresh: Pennypost) -> None:
    for words in (("create-org", "a\udcff", "--owner", "ada@acme.example"), ("revoke-key", "svc_live_\udcff")):
        assert fresh.refuses(*words).endswith("is not UTF-8 text")
