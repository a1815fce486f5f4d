"""/v1/accounts/{id}/from-check and its response body."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import One, Time, answers
from webapp.domain.accounts.accounts import find_account
from webapp.domain.emails import send_probe
from webapp.domain.emails.send_probe import NewFromCheck
from webapp.domain.from_checks.findings import Finding
from webapp.domain.from_checks.from_checks import from_check_of
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body

blueprint = Blueprint("from_checks", __name__, url_prefix="/accounts/<account_id>/from-check")


class ProbeResult(TypedDict):
    """The result of a method, like `pass` or `fail`, and the domain it is about."""

    result: str
    domain: Annotated[str, Field(description="Empty if the server named none.")]
    aligned: Annotated[bool, Field(description="True if it passed for the From domain, as its DMARC record demands.")]


class Probe(TypedDict):
    """The last probe email, and what the server that received it wrote about it."""

    state: Annotated[Literal["pending", "read", "lost"], Field(description="A probe is lost after an hour.")]
    email_id: UUID | None
    to: str | None
    sent_at: Time
    read_at: Time | None
    server: Annotated[str | None, Field(description="The server that checked it; null if it wrote no results.")]
    spf: ProbeResult | None
    dkim: list[ProbeResult]
    dmarc: ProbeResult | None
    aligned: Annotated[bool | None, Field(description="Whether it passed DMARC; null while that is unknown.")]


class FromCheck(TypedDict):
    """What receiving servers think of an account's From address."""

    domain: str | None
    verdict: Annotated[
        Literal["passing", "failing", "unknown"], Field(description="`unknown` also while DNS doesn't answer.")
    ]
    checked_at: Annotated[Time | None, Field(description="When DNS was last looked at, which happens daily.")]
    findings: Annotated[list[Finding], Field(description="The gravest first.")]
    probe: Annotated[Probe | None, Field(description="Null until a probe was sent.")]


@blueprint.get("")
@guarded(Action.READ, find_account)
@answers(One[FromCheck])
async def show(account: models.Account) -> object:
    """Get the check of an account's From address.

    The findings name the DNS records to add. They warn only: nothing is held back because of them.
    """
    return await from_check_of(account)


@blueprint.post("")
@guarded(Action.ACCOUNTS, find_account)
@json_body(NewFromCheck)
@answers(One[FromCheck])
async def create(account: models.Account, data: NewFromCheck) -> object:
    """Check an account's From address now.

    Looks at DNS and sends a probe email to a mailbox that the account's bounce reading reads, up to 3 an hour. What the
    receiving server says about it follows within minutes.
    """
    return await send_probe.check_from_address(g.caller.org, account, data)
