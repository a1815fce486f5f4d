"""The `pennypost` command. Subcommands import what they need themselves, so that all start fast."""

import sys
from datetime import timedelta
from pathlib import Path
from typing import NoReturn

import click

from webapp import __version__, clock
from webapp.cli.options import Commands, asynchronous, password_option, processes_option
from webapp.errors import PennypostError


def main() -> None:
    """Runs the command line; errors that a person can fix are one line on standard error, with exit code 1."""
    try:
        _check_arguments(sys.argv[1:])
        command(prog_name="pennypost", standalone_mode=False)
    except click.UsageError as error:
        command_path = error.ctx.command_path if error.ctx else "pennypost"
        sentence = error.format_message()
        _end(f"{sentence}{'' if sentence.endswith(('.', '?')) else '.'} See {command_path} --help")
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
    import logging

    from webapp.cli import output
    from webapp.logs import hide_secrets

    output.announce(f"pennypost: {hide_secrets(' '.join(sentence.split()))}", logging.ERROR)
    sys.exit(1)


@click.group(cls=Commands, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def command() -> None:
    """Pennypost sends transactional and campaign email. Settings are read from the environment."""


@command.command()
@processes_option(None, "Processes of the web. With PostgreSQL one for each core, up to 8, by default.")
def up(processes: int | None) -> None:
    """Run everything: migrations, Redis, web, worker, sandbox inbox, and SMTP if its port is set."""
    from webapp.cli.processes import run_up

    run_up(processes)


@command.command()
@processes_option(1, "Processes that share the port; more than one needs PostgreSQL.")
def web(processes: int) -> None:
    """Serve the API and the dashboard."""
    from webapp.cli.processes import run_web

    run_web(processes)


@command.command()
@processes_option(1, "Processes that send; more than one needs PostgreSQL.", "PENNYPOST_WORKER_PROCESSES")
def worker(processes: int) -> None:
    """Deliver email."""
    from webapp.cli.processes import run_worker

    run_worker(processes)


@command.command()
@processes_option(1, "Processes that share the ports; more than one needs PostgreSQL.", "PENNYPOST_SMTP_PROCESSES")
def smtp(processes: int) -> None:
    """Receive email that programs submit by SMTP."""
    from webapp.cli.processes import run_smtp

    run_smtp(processes)


@command.command()
def sandbox() -> None:
    """Receive email sent through sandbox accounts."""
    from webapp.cli import serve

    serve.run(serve.sandbox)


@command.command()
@asynchronous
async def migrate() -> None:
    """Migrate the database to this version; a SQLite file is copied first."""
    from webapp.cli.database import configured, in_words
    from webapp.db.migrate import migrate as apply

    settings = configured(needs_database=False)
    with in_words(settings):
        applied = await apply(settings, click.echo)
    if not applied:
        click.echo("the database is up to date")


@command.command()
@click.argument("name")
@click.option("--owner", required=True, metavar="EMAIL", help="Email of the owner; an existing user or a new one.")
@click.option(
    "--plan", default="enterprise", show_default=True, metavar="PLAN", help="free, basic, scale or enterprise."
)
@click.option("--timezone", default="UTC", show_default=True, metavar="ZONE", help="IANA time zone, like Europe/Paris.")
@password_option("Read the password for a new owner from standard input.")
@asynchronous
async def create_org(name: str, owner: str, plan: str, timezone: str, password: str | None) -> None:
    """Create an organization and print its id."""
    from webapp.cli.database import configured, open_database
    from webapp.domain.auth import owners

    async with open_database(configured()):
        _, org = await owners.add_organization(name, owner, password, timezone, plan)
    click.echo(org.id)


@command.command()
@click.argument("org_id")
@click.option("--name", required=True, help="What the key is for.")
@click.option("--role", required=True, help="viewer, sender, editor or admin.")
@click.option("--expires-in-days", type=click.IntRange(1, 36500), metavar="N", help="Never expires by default.")
@click.option("--expires-in-seconds", type=click.IntRange(1, 10**9), metavar="N", help="The same, in seconds.")
@click.option("--allowed-from", multiple=True, metavar="FROM", help="An address or @domain that it may send from.")
@click.option("--allowed-account", "allowed_account_ids", multiple=True, metavar="ID", help="An account it may use.")
@click.option("--allowed-network", "allowed_networks", multiple=True, metavar="CIDR", help="Where it may be used from.")
@asynchronous
async def create_key(
    org_id: str,
    name: str,
    role: str,
    expires_in_days: int | None,
    expires_in_seconds: int | None,
    **allowed: tuple[str, ...],
) -> None:
    """Create an API key and print it; it is shown only once.

    Repeat an --allowed option for each value; without one, everything is allowed.
    """
    from webapp.cli.database import configured, open_database
    from webapp.domain import api_keys
    from webapp.domain.auth import owners
    from webapp.domain.inputs import read_input

    if expires_in_days and expires_in_seconds:
        raise click.UsageError("use --expires-in-days or --expires-in-seconds, not both")
    fields: dict[str, object] = {"name": name, "role": role, **{part: list(items) for part, items in allowed.items()}}
    if expires_in_days or expires_in_seconds:
        lifetime = timedelta(days=expires_in_days or 0, seconds=expires_in_seconds or 0)
        fields["expires_at"] = (clock.now() + lifetime).isoformat()
    async with open_database(configured()):
        org = await owners.find_organization(org_id)
        issued = await api_keys.issue_key(org, read_input(api_keys.NewKey, fields, strict=True))
    click.echo(issued.secret)


@command.command()
@click.argument("key_or_prefix")
@asynchronous
async def revoke_key(key_or_prefix: str) -> None:
    """Revoke an API key, given in full or by its first characters as shown in the list of keys."""
    from webapp.cli.database import configured, open_database
    from webapp.domain import api_keys

    async with open_database(configured()):
        key = await api_keys.revoke_named_key(key_or_prefix)
    click.echo(f"revoked {key.prefix} ({key.name})")


@command.command()
@click.argument("org_id")
@click.argument("plan")
@asynchronous
async def set_plan(org_id: str, plan: str) -> None:
    """Change the plan of an organization."""
    from webapp.cli.database import configured, open_database
    from webapp.domain.auth import owners

    async with open_database(configured()):
        org = await owners.set_plan(await owners.find_organization(org_id), plan)
    click.echo(f"{org.name} is on {org.plan}")


@command.command()
@click.argument("email")
@password_option("Read the new password from standard input.")
@asynchronous
async def reset_password(email: str, password: str | None) -> None:
    """Set a user's password, turn off two-step sign-in and end all sessions."""
    from webapp.cli.database import configured, open_database
    from webapp.domain.auth import owners

    if password is None:
        raise click.UsageError("use --password-stdin to read the new password from standard input")
    async with open_database(configured()):
        user = await owners.reset_password(email, password)
    click.echo(f"password of {user.email} changed, two-step sign-in turned off, all sessions ended")


@command.command()
@click.argument("file", type=click.Path(path_type=Path, resolve_path=True))
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@asynchronous
async def backup(file: Path, *, force: bool) -> None:
    """Copy the whole SQLite database to FILE while the service is running."""
    from webapp.cli.backup import write_backup

    await write_backup(file, force=force)


@command.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False, resolve_path=True))
@click.option("--send-waiting", is_flag=True, help="Halt nothing, because no email was sent since the backup.")
@asynchronous
async def restore(file: Path, *, send_waiting: bool) -> None:
    """Restore a backup of the SQLite database, keep the current one; nothing is sent until accept-restore."""
    from webapp.cli.backup import restore_backup

    await restore_backup(file, send_waiting=send_waiting)


@command.command()
@click.argument("reason")
@click.option("--restored", is_flag=True, help="The database is a backup: halt email that may have been sent since.")
@asynchronous
async def hold(reason: str, *, restored: bool) -> None:
    """Put sending on hold, for a REASON shown on every page; new email stays pending."""
    from webapp.cli.hold import hold_sending

    await hold_sending(reason, restored=restored)


@command.command()
@click.option("--send-waiting", is_flag=True, help="Halt nothing, because no email was sent since the backup.")
@asynchronous
async def accept_restore(*, send_waiting: bool) -> None:
    """Report pending and halted email, and resume sending after a restore or a hold."""
    from webapp.cli.hold import accept_restore as accept

    await accept(send_waiting=send_waiting)


@command.command()
@click.argument("email")
@asynchronous
async def invite(email: str) -> None:
    """Print a sign-up link for EMAIL to create an organization; it works once, within a day."""
    from webapp.cli.database import configured, open_database
    from webapp.domain.auth import sign_up

    async with open_database(configured()):
        click.echo(await sign_up.create_sign_up_link(email))


@command.command()
@asynchronous
async def rotate_secrets() -> None:
    """Re-encrypt all stored secrets with the first secret key, so the others can be removed."""
    from webapp.cli.database import configured, open_database
    from webapp.domain.instance import secret_rotation

    async with open_database(configured()):
        rotated = await secret_rotation.rotate_secrets()
    click.echo(f"re-encrypted {rotated:,} secrets with the first of PENNYPOST_SECRET_KEYS")


@command.command()
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@asynchronous
async def forget_secrets(*, yes: bool) -> None:
    """Delete the stored secrets that no secret key decrypts, if the key is lost."""
    from webapp.cli import secrets

    await secrets.forget_secrets(yes=yes)


@command.command()
@asynchronous
async def forget() -> None:
    """Remove the addresses of erased contacts from earlier lines of the unsubscribe log."""
    from webapp.cli.database import configured, open_database
    from webapp.domain import link_signing
    from webapp.domain.personal_data.erase import forget_addresses

    async with open_database(configured()):
        await link_signing.load_signing_key()
        changed = await forget_addresses()
    click.echo(f"{changed:,} line{'' if changed == 1 else 's'} of the unsubscribe log rewritten")


@command.command()
@asynchronous
async def doctor() -> None:
    """Check that every part of the service works."""
    from webapp.cli.doctor import examine

    sys.exit(0 if await examine() else 1)
