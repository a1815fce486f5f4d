"""A row of each kind, for tests that go through all routes."""

from tests.factories import (
    make_account,
    make_api_request,
    make_bulk_change,
    make_import,
    make_invitation,
    make_one_of_each,
)
from tests.pages.conftest import make_person
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.roles import Role
from webapp.models import Attachment, CustomField, Membership, Organization
from webapp.models.base.row import TableModel


async def make_path_ids(org: Organization) -> dict[str, str]:
    """The ids of one row of each kind, by the names that they have in paths."""
    ids = await make_one_of_each(org, await make_account(org))
    if not await Membership.of(org).exists():
        await make_person(org, "mo@acme.example", Role.VIEWER)
    rows: dict[str, TableModel] = {
        "key": (await issue_key(org, NewKey(name="shop", role="sender"))).key,
        "member": (await Membership.of(org).limit(1))[0],
        "invitation": await make_invitation(org),
        "change": await make_bulk_change(org),
        "import": await make_import(org),
        "request": await make_api_request(org),
        "attachment": (await Attachment.of(org).limit(1))[0],
        "property": (await CustomField.get_or_create({"label": "City", "name": "city"}, org=org, name_key="city"))[0],
        "org": org,
    }
    # The names that Resend has for some of them.
    theirs = {"broadcast": "campaign", "log": "request", "domain": "account"}
    ids |= {f"{name}_id": str(row.id) for name, row in rows.items()}
    ids |= {f"{name}_id": ids[f"{ours}_id"] for name, ours in theirs.items()}
    return ids | {"row_id": ids["mail_log_id"]}
