"""`pennypost forget-secrets` deletes the stored secrets whose key is lost, after a list of what stops working."""

import click

from webapp.cli.database import configured, open_database
from webapp.domain.instance import lost_secrets, workers
from webapp.errors import ConfigError


async def forget_secrets(*, yes: bool) -> None:
    async with open_database(configured()):
        lost = await lost_secrets.find_lost()
        if not any(lost):
            click.echo("the secret keys decrypt every stored secret")
            return
        if await workers.is_worker_alive():
            raise ConfigError("a worker is running: stop every pennypost first")
        click.echo(f"{len(lost.accounts):,} accounts lose their passwords and sign-ins: enter them again")
        click.echo(f"{len(lost.webhooks):,} webhooks get a new signing secret: rotate it and give it to the receivers")
        click.echo(f"{len(lost.people):,} people sign in without their second step until they set it up again")
        if lost.instance:
            click.echo("links in emails that were sent end, also those to unsubscribe")
            click.echo(
                f"{lost.erased:,} erased addresses are no longer recognized: imports and programs can add them again"
            )
        if not yes:
            click.confirm("Delete the secrets?", abort=True)
        await lost_secrets.forget(lost)
    click.echo("deleted")
