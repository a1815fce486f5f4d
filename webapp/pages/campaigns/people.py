"""Pages and CSV files of who opened and clicked a campaign, or the run in `run`."""

from typing import Annotated, Any

from pydantic import BeforeValidator
from quart import Blueprint, Response, ResponseReturnValue, g, render_template, request

from webapp.domain.campaigns import campaigns, runs
from webapp.domain.roles import Action
from webapp.domain.tracking import people
from webapp.domain.tracking.judging import minutes_left
from webapp.domain.tracking.people import Certainty
from webapp.http.auth.permissions import guarded
from webapp.http.downloads import stream_csv
from webapp.http.paging import ListPaging, query
from webapp.models import Campaign, CampaignRun
from webapp.models.queries.engaged import EngagedSearch

blueprint = Blueprint("campaign_people", __name__, url_prefix="/campaigns/<uuid:campaign_id>/report")


def _known(value: Any) -> Any:
    return value if value in list(Certainty) else Certainty.SURE


class Query(ListPaging):
    certainty: Annotated[Certainty, BeforeValidator(_known)] = Certainty.SURE
    link: str = ""  # a URL
    run: str = ""  # an id


@blueprint.get("/opens")
@blueprint.get("/clicks")
@guarded(Action.READ, campaigns.find_campaign)
@query(Query)
async def show(campaign: Campaign, query_args: Query) -> ResponseReturnValue:
    run, search = await _searched(campaign, query_args)
    counts, listed = await people.list_recipients(g.caller.org, search, query_args.certainty, query_args.wanted)
    context = {"campaign": campaign, "run": run, "clicked": search.clicked, "counts": counts, "listed": listed}
    left = await minutes_left(g.caller.org, campaign.id)
    path = request.path
    return await render_template(
        "campaigns/report/people.html", asked=query_args, path=path, minutes_left=left, **context
    )


@blueprint.get("/opens.csv")
@blueprint.get("/clicks.csv")
@guarded(Action.READ, campaigns.find_campaign)
@query(Query)
async def export(campaign: Campaign, query_args: Query) -> Response:
    _, search = await _searched(campaign, query_args)
    lines = await people.export_recipients(g.caller.org, campaign, search)
    return stream_csv(lines, request.path.rpartition("/")[2])


async def _searched(campaign: Campaign, asked: Query) -> tuple[CampaignRun | None, EngagedSearch]:
    """Raises NotFound for a run that isn't the campaign's."""
    run = await runs.fetch_run(g.caller.org, campaign.id, asked.run) if asked.run else None
    clicked = request.path.rpartition("/")[2].startswith("clicks")
    url = asked.link if clicked and asked.link else None
    return run, people.searched(campaign, clicked=clicked, url=url, run_id=None if run is None else run.id)
