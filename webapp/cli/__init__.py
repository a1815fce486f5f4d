"""The `pennypost` command; each subcommand imports its own needs, so that all start fast."""

import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, NoReturn

import click

from webapp import __version__
from webapp.errors import PennypostError


def main() -> None:
    """Runs the command line; an error that a person can fix is one line on standard error and the exit code 1."""
    try:
        _check_arguments(sys.argv[1:])
        command(prog_name="pennypost", standalone_mode=False)
    except click.UsageError as error:
        _end(f"{error.format_message()} See {error.ctx.command_path if error.ctx else 'pennypost'} --help")
    except click.ClickException as error:
        _end(error.format_message())
    except click.Abort:
        _end("interrupted")
    except PennypostError as error:
        _end(str(error))


def _check_arguments(words: list[str]) -> None:
    for number, word in enumerate(words, start=1):
        try:
            word.encode()
        except UnicodeEncodeError:
            raise PennypostError(f"argument {number} is not UTF-8 text") from None


def _end(sentence: str) -> NoReturn:
    sys.exit(f"pennypost: {' '.join(sentence.split())}")


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def command() -> None:
    """Pennypost sends the mail that programs and people hand to it. Settings come from the environment."""


@command.command()
def up() -> None:
    """Run everything in one process: migrations, Redis, web, worker, sandbox inbox."""
    from webapp.cli import serve

    serve.run_up()


@command.command()
def web() -> None:
    """Serve the API and the dashboard."""
    from webapp.cli import serve

    serve.run_web()


@command.command()
def worker() -> None:
    """Deliver mail."""
    from webapp.cli import serve

    serve.run_worker()


@command.command()
def sandbox() -> None:
    """Receive what sandbox accounts send."""
    from webapp.cli import serve

    serve.run_sandbox()


@command.command()
def migrate() -> None:
    """Bring the database to this version; a SQLite file is copied first."""
    from webapp.cli import admin

    _run(admin.migrate_database())


@command.command()
@click.argument("name")
@click.option(
    "--owner", required=True, metavar="EMAIL", help="Who owns it; somebody who signs in here already, or new."
)
@click.option(
    "--plan", default="enterprise", show_default=True, metavar="PLAN", help="free, basic, scale or enterprise."
)
@click.option("--timezone", default="UTC", show_default=True, metavar="ZONE", help="An IANA name, like Europe/Paris.")
@click.option("--password-stdin", is_flag=True, help="Read the password of a new owner from standard input.")
def create_org(name: str, owner: str, plan: str, timezone: str, *, password_stdin: bool) -> None:
    """Make an organization and print its id."""
    from webapp.cli import admin

    _run(admin.create_org(name, owner, plan, timezone, read_password() if password_stdin else None))


@command.command()
@click.argument("org_id")
@click.option("--name", required=True, help="What the key is for.")
@click.option("--role", required=True, help="viewer, sender, editor or admin.")
@click.option("--expires-in-days", type=click.IntRange(1, 36500), metavar="N")
@click.option("--expires-in-seconds", type=click.IntRange(1, 10**9), metavar="N")
def create_key(org_id: str, name: str, role: str, expires_in_days: int | None, expires_in_seconds: int | None) -> None:
    """Issue an API key and print it; it is shown this once."""
    from webapp.cli import admin

    if expires_in_days and expires_in_seconds:
        raise click.UsageError("give --expires-in-days or --expires-in-seconds, not both")
    seconds = expires_in_days * 86_400 if expires_in_days else expires_in_seconds
    _run(admin.create_key(org_id, name, role, seconds))


@command.command()
@click.argument("key_or_prefix")
def revoke_key(key_or_prefix: str) -> None:
    """Revoke an API key, named whole or by the characters that the list of keys shows."""
    from webapp.cli import admin

    _run(admin.revoke_key(key_or_prefix))


@command.command()
@click.argument("org_id")
@click.argument("plan")
def set_plan(org_id: str, plan: str) -> None:
    """Put an organization on another plan."""
    from webapp.cli import admin

    _run(admin.set_plan(org_id, plan))


@command.command()
@click.argument("email")
@click.option("--password-stdin", is_flag=True, help="Read the new password from standard input.")
def reset_password(email: str, *, password_stdin: bool) -> None:
    """Set a person's password, turn their two-step sign-in off and end their sessions."""
    from webapp.cli import admin

    if not password_stdin:
        raise click.UsageError("the new password is read from standard input: give --password-stdin")
    _run(admin.reset_password(email, read_password()))


@command.command()
@click.argument("file", type=click.Path(path_type=Path, resolve_path=True))
@click.option("--force", is_flag=True, help="Replace the file if there is one.")
def backup(file: Path, *, force: bool) -> None:
    """Copy the SQLite database into FILE, whole, while the service runs."""
    from webapp.cli.backup import write_backup

    _run(write_backup(file, force=force))


@command.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False, resolve_path=True))
@click.option("--send-waiting", is_flag=True, help="Halt nothing: no mail was sent since the backup was taken.")
def restore(file: Path, *, send_waiting: bool) -> None:
    """Put a backup in the place of the SQLite database, which is kept aside; nothing is sent until accept-restore."""
    from webapp.cli.backup import restore_backup

    _run(restore_backup(file, send_waiting=send_waiting))


@command.command()
@click.argument("reason")
@click.option("--restored", is_flag=True, help="The database is a backup: halt what may have been sent since.")
def hold(reason: str, *, restored: bool) -> None:
    """Send nothing, from now on, for a REASON that every page shows; what is handed in waits."""
    from webapp.cli.hold import hold_instance

    _run(hold_instance(reason, is_restored=restored))


@command.command()
@click.option("--send-waiting", is_flag=True, help="Halt nothing: no mail was sent since the backup was taken.")
def accept_restore(*, send_waiting: bool) -> None:
    """Say what waits and what was halted, and let sending go on, after a restore or a hold."""
    from webapp.cli.hold import accept_restored_database

    _run(accept_restored_database(send_waiting=send_waiting))


@command.command()
@click.argument("email")
def invite(email: str) -> None:
    """Print a link by which an address makes an organization of its own; it works once, for a day."""
    from webapp.cli import admin

    _run(admin.invite(email))


@command.command()
def rotate_secrets() -> None:
    """Seal every stored secret with the first of the secret keys, so that the others can go."""
    from webapp.cli import admin

    _run(admin.rotate_secrets())


@command.command()
def doctor() -> None:
    """Say of every part whether it can be reached, or why not."""
    from webapp.cli.doctor import examine

    sys.exit(0 if _run(examine()) else 1)


def read_password() -> str:
    """The password on standard input, without the line break at its end."""
    try:
        return sys.stdin.buffer.read().decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise PennypostError("the password on standard input is not UTF-8 text") from None


def _run(work: Coroutine[Any, Any, Any]) -> Any:
    import asyncio

    return asyncio.run(work)
