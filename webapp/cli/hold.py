"""`pennypost hold` stops sending; `pennypost accept-restore` reports what waits, and resumes it."""

import click

from webapp.cli.database import configured, open_database
from webapp.domain import link_signing
from webapp.domain.forms.floods import bar_restored
from webapp.domain.instance import restore, workers
from webapp.domain.instance.suspension import RESUME_COMMAND, resume_sending, suspend_sending
from webapp.domain.personal_data.erase import erase_restored
from webapp.errors import ConfigError


async def hold_sending(reason: str, *, restored: bool) -> None:
    async with open_database(configured()):
        if not restored:
            await suspend_sending(reason)
        elif await workers.is_worker_alive():
            seconds = f"{workers.ALIVE_SECONDS:.0f}"
            raise ConfigError(f"a worker is running, or was within the last {seconds} seconds: stop it first")
        else:
            await restore.quarantine(reason=reason)
            await print_restore_summary()
    click.echo(f"sending is on hold; to resume, run: {RESUME_COMMAND}")


async def accept_restore(*, send_waiting: bool) -> None:
    async with open_database(configured()):
        if await restore.is_unrecognized_copy():  # no service has run on it yet
            await restore.quarantine(send_waiting=send_waiting)
        elif send_waiting:
            raise ConfigError("--send-waiting is too late: email has already been halted")
        await print_restore_summary()
        if await restore.summarize_restore() is not None:
            await link_signing.load_signing_key()  # by which the log names erased addresses
            await erase_restored()
            await bar_restored()
            applied = await restore.apply_consent()
            click.echo(
                f"{applied:,} unsubscribe{'' if applied == 1 else 's'} applied that were missing from the backup, "
                "including choices not to be tracked, pauses and left topics"
            )
        await resume_sending()
        is_sent = await workers.is_worker_alive()
    click.echo("sending resumed" if is_sent else "sending resumed, but no worker is running: start one")


async def print_restore_summary() -> None:
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
