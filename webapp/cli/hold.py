"""Suspends sending, and resumes it once an operator has reviewed a restored database."""

import click

from webapp.cli.database import configured, open_database
from webapp.domain.instance import restore, workers
from webapp.domain.instance.suspension import RESUME_COMMAND, resume_sending, suspend_sending
from webapp.errors import ConfigError


async def hold_instance(reason: str, *, is_restored: bool) -> None:
    async with open_database(configured()):
        if is_restored and await workers.is_worker_alive():
            raise ConfigError(
                f"a worker is running, or was within the last {workers.ALIVE_SECONDS:.0f} seconds: stop it first"
            )
        if is_restored:
            await restore.quarantine(reason=reason)
            await print_what_waits()
        else:
            await suspend_sending(reason)
    click.echo(f"sending is on hold; to resume, run: {RESUME_COMMAND}")


async def accept_restored_database(*, send_waiting: bool) -> None:
    async with open_database(configured()):
        if await restore.is_unrecognized_copy():  # no service has run on it yet
            await restore.quarantine(send_waiting=send_waiting)
        elif send_waiting:
            raise ConfigError("--send-waiting is too late: email has already been halted")
        await print_what_waits()
        if await restore.summarize_restore() is not None:
            applied = await restore.apply_consent()
            click.echo(
                f"{applied:,} unsubscribe{'' if applied == 1 else 's'} applied that were missing from the backup, "
                "including choices not to be tracked"
            )
        await resume_sending()
    click.echo("sending resumed")


async def print_what_waits() -> None:
    summary = await restore.summarize_restore()
    if summary is None:
        return
    click.echo(
        f"""\
{summary.waiting:,} recipients are pending and get their email when sending resumes
{summary.emails:,} email recipients were halted, as they may have been sent since the backup: resend those that were not
{summary.campaigns:,} campaigns were halted, with {summary.campaign_mails:,} emails: resume those you still want to send
{summary.keys:,} API keys are active, including any revoked since the backup: check them
accept-restore reapplies unsubscribes since the backup and choices not to be tracked; contacts that bounced since then
get email again"""
    )
