"""Every page that a person can open, by the routes of the app and the rows of the showcase."""

from typing import NamedTuple

from quart import Quart

from tests.routes import PUBLIC, Route, lines_of, routes_of
from tests.tools.showcase.filling import Showcase
from webapp.pages import PAGES

NAMES = {page.blueprint.name for page in PAGES}
# What answers by a GET but is no page of a tour, and why.
LEFT_OUT = {
    "connect.callback": "providers send people there",
    "api_keys.secret": "shown once, to who has just made the key",
    "webhooks.secret": "shown once, to who has just made or rotated it",
    "invitations.link": "shown once, to who has just invited",
    "campaign_runs.events": "a stream, which a page listens to",
    "mail_logs.export": "a file",
    "emails.export": "a file",
    "contacts.export": "a file",
    "personal_data.export": "a file",
    "suppressions.export": "a file",
    "campaign_reports.export": "a file",
    "imports.refused_rows": "a file",
    "pictures.show": "a file",
}
NOWHERE = "/nowhere"
FOR_VIEWERS = ("/home", "/accounts", "/accounts/new", "/api-keys", "/team")  # who see why they may not
WITH_SECOND_STEP = ("/security", "/security/two-step/off", "/security/two-step/codes")
AT_LIMITS = ("/home", "/usage")
PUBLIC_PAGES = (
    "/help/production",
    "/help/settings",
    "/help/smtp",
    "/reference",
    "/reference/emails",
    "/reference/emails?q=template",
    "/reference?q=zeppelin",
)
CONDITIONS = (
    "field-0=custom_fields.city&op-0=is&value-0=Berlin&field-1=created_at&op-1=this_month"
    "&field-2=custom_fields.signup_date&op-2=after&value-2=2026-05-01&field-3=last_active_at&op-3=not_in_last_days&days-3=90"
)
OF_CONTACTS = (
    "/contacts/fields/edit?name=signup_date",
    f"/contacts?{CONDITIONS}",
    f"/segments/new/dynamic?{CONDITIONS}",
)
EDITORS = ("/templates/new?kind=blocks", "/templates/new?kind=mjml")
REPORT = "/campaigns/<uuid:campaign_id>/report"
DELIVERY = "/mail-logs/<uuid:row_id>"
FEW = 8  # rows for a page about a part of a row; a row's own page is opened for each


class Stop(NamedTuple):
    """A page to open: the route, whose session opens it (none: nobody's), and where it is."""

    route: str
    person: str
    path: str


def stops(app: Quart, show: Showcase) -> list[Stop]:
    """The pages of the full organization, those of the empty one that need no row, and those of strangers."""
    found = []
    for route in routes_of(app):
        if route.method != "GET" or route.endpoint.partition(".")[0] not in NAMES or route.endpoint in LEFT_OUT:
            continue
        if str(route) in lines_of(PUBLIC):
            found += [Stop(route.path, "", path) for path in _doorsteps(route, show)]
        else:
            found += [Stop(route.path, "full", path) for path in _paths(route, show)]
            found += [] if route.ids else [Stop(route.path, "empty", route.path)]
    found += [Stop(path, "viewer", path) for path in FOR_VIEWERS]
    found += [Stop(path, "editor", path) for path in WITH_SECOND_STEP]
    found += [Stop(path, "limited", path) for path in AT_LIMITS]
    found += [Stop(path, person, path) for person in ("", "full") for path in PUBLIC_PAGES]
    found += [Stop(path.partition("&")[0], "full", path) for path in OF_CONTACTS]
    found += [Stop(path, "full", path) for path in EDITORS]
    found += [Stop(f"{DELIVERY}, {why}", "full", DELIVERY.replace("<uuid:row_id>", row)) for why, row in show.waiting]
    found += [Stop(f"{REPORT}?run=<run_id>", "full", path) for path in _reports(show)]
    return [*found, *(Stop(NOWHERE, person, NOWHERE) for person in ("", "full"))]


def _paths(route: Route, show: Showcase) -> list[str]:
    """The route filled with each of the rows that it names; with the first of each kind where no row has all."""
    named = {*route.ids, "email_id"} if route.path.startswith("/emails/") else set(route.ids)  # of an email's rows
    fitting = [row for row in show.rows if named <= row.keys()]
    if not fitting:
        fitting = [{name: value for row in reversed(show.rows) for name, value in row.items()}]
    if missing := set(route.ids) - fitting[0].keys():
        raise LookupError(
            f"the showcase has no {missing} for {route.path}: note one in tests/tools/showcase/filling.py"
        )
    paths = list(dict.fromkeys(route.at(row) for row in fitting))
    return paths if route.path.endswith(">") else paths[:FEW]


def _reports(show: Showcase) -> list[str]:
    """The reports of single runs."""
    runs = [row for row in show.rows if row.keys() == {"campaign_id", "run_id"}]
    return [f"{REPORT.replace('<uuid:campaign_id>', row['campaign_id'])}?run={row['run_id']}" for row in runs]


def _doorsteps(route: Route, show: Showcase) -> list[str]:
    if not route.ids:
        return [route.path]
    start = route.path.partition("<")[0]
    return [*(path for path in show.doorsteps if path.startswith(start)), f"{start}none"]
