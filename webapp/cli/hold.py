"""Suspends sending, and resumes it once an operator has reviewed the pending mail of a restored database."""

import click

from webapp.cli.database import configured, open_database
from webapp.domain.instance import restore, workers
from webapp.domain.instance.suspension import RESUME_COMMAND, resume_sending, suspend_sending
from webapp.errors import ConfigError


async def hold_instance(reason: str, *, is_restored: bool) -> None:
    async with open_database(configured()):
        if is_restored and await workers.is_worker_alive():
            raise ConfigError(f"a worker lives, or did {workers.ALIVE_SECONDS:.0f} seconds ago: stop it first")
        if is_restored:
            await restore.quarantine(reason=reason)
            await print_what_waits()
        else:
            await suspend_sending(reason)
    click.echo(f"sending is on hold; to let it go on: {RESUME_COMMAND}")


async def accept_restored_database(*, send_waiting: bool) -> None:
    async with open_database(configured()):
        if await restore.is_unrecognized_copy():  # no service has run on it yet
            await restore.quarantine(send_waiting=send_waiting)
        elif send_waiting:
            raise ConfigError("--send-waiting comes too late: what was to be halted has been")
        await print_what_waits()
        if await restore.summarize_restore() is not None:
            applied = await restore.apply_consent()
            click.echo(f"{applied:,} unsubscribe{'' if applied == 1 else 's'} applied that the backup did not have")
        await resume_sending()
    click.echo("sending goes on")


async def print_what_waits() -> None:
    found = await restore.summarize_restore()
    if found is None:
        return
    click.echo(
        f"""\
{found.waiting:,} recipients wait, and get their mail when sending goes on
{found.emails:,} recipients of emails were halted, which may have been sent since the backup: hand in again what was not
{found.campaigns:,} campaigns were halted, with {found.campaign_mails:,} mails: resume those that should go on
{found.keys:,} API keys are live, those among them that were revoked since the backup: check them
who unsubscribed since the backup is unsubscribed again by accept-restore; who bounced since gets mail again"""
    )
