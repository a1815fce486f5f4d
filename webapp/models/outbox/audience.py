"""The audience of a run in SQL: members of a segment, or failed rows of another run, without those who opted out."""

from uuid import UUID

from webapp.db.dialects import Values
from webapp.models.campaign_run import RETRIES_ROW, CampaignRun
from webapp.models.outbox.wishes import wants_run
from webapp.models.queries.contacts.segment_filter import FilterQuery
from webapp.models.queries.contacts.suppressed import is_suppressed
from webapp.models.segment import IS_THERE


def not_excluded(run: CampaignRun, values: Values) -> str:
    """A condition: the contact `c` is in no excluded segment; false for all once one of these is deleted.

    Scalar subqueries, looked up per contact, because PostgreSQL may otherwise read a whole segment.
    """
    named = [(values.name(UUID(segment_id)), values.name(run.org_id)) for segment_id in run.exclude_segment_ids]
    conditions = [
        f"""(SELECT x.contact_id FROM segment_contacts x WHERE x.segment_id = {segment} AND x.contact_id = c.id) IS NULL
            AND (SELECT id FROM segments WHERE id = {segment} AND org_id = {org} AND {IS_THERE}) IS NOT NULL"""
        for segment, org in named
    ]
    if run.exclude_filter is not None:
        conditions.append(FilterQuery(run.org_id, values).matching({"not": run.exclude_filter}))
    return " AND ".join(conditions) or "true"


def audience(run: CampaignRun, values: Values, condition: str | None = None) -> str:
    """FROM and WHERE of contacts `c` and rows `n`, without org_id, by which PostgreSQL would scan all contacts."""
    if condition is None:
        is_mailable = f"{wants_run(run, values)} AND NOT {is_suppressed(values.name(run.org_id))}"
        condition = f"{is_mailable} AND {not_excluded(run, values)}"
    members = membership(run, values)
    if run.joined_after is not None:
        members = f"{members} AND {is_new(run, values)}"
    return f"""FROM {audience_source(run, values)} n JOIN contacts c ON c.id = n.contact_id AND c.org_id = n.org_id
               WHERE {members} AND {condition}"""


def members_of(run: CampaignRun, values: Values, condition: str, joined: str = "") -> str:
    """FROM and WHERE of contacts `c`, and of their rows `n` unless the audience is a filter."""
    if run.segment_filter is not None:
        return f"FROM contacts c {joined} WHERE c.org_id = {values.name(run.org_id)} AND {condition}"
    return f"""FROM {audience_source(run, values)} n JOIN contacts c ON c.id = n.contact_id AND c.org_id = n.org_id
               {joined} WHERE {condition}"""


def audience_source(run: CampaignRun, values: Values) -> str:
    if run.retried_run_id is not None:
        return "mail_logs"
    if run.segment_filter is None:
        return "segment_contacts"
    return f"(SELECT id AS contact_id, org_id FROM contacts WHERE org_id = {values.name(run.org_id)})"


def membership(run: CampaignRun, values: Values) -> str:
    """A condition on `n`: a failed row to retry, a match of the filter, or a member from before the run."""
    if run.retried_run_id is not None:
        return _retried_filter(run, values)
    if run.segment_filter is not None:
        return FilterQuery(run.org_id, values).matching(run.segment_filter)
    return f"n.segment_id = {values.name(run.segment_id)} AND n.created_at <= {values.name(run.started_at)}"


def is_new(run: CampaignRun, values: Values, joined_at: str = "n.created_at") -> str:
    """A condition on `n` and contact `c`: joined after the campaign was created, and got no mail of it yet."""
    has_joined = "" if run.segment_filter else f"{joined_at} > {values.name(run.joined_after)} AND"
    return f"""{has_joined} NOT EXISTS (SELECT 1 FROM campaign_contacts k
               WHERE k.campaign_id = {values.name(run.campaign_id)} AND k.contact_id = c.id)"""


def _retried_filter(run: CampaignRun, values: Values) -> str:
    """Failed rows that were not retried on their own, of contacts that no newer run of the campaign reached.

    Newer runs of recurring campaigns do not count, because each is another issue to the same people, nor do runs to new
    members, which never reach a contact twice. The scalar subqueries and `IS TRUE` force PostgreSQL to look up each row
    and run instead of reading all rows of the campaign or of newer runs.
    """
    failed = f"n.campaign_run_id = {values.name(run.retried_run_id)} AND n.status = 'failed'"
    if run.retried_row_id is not None:
        failed = f"{failed} AND n.id = {values.name(run.retried_row_id)}"
    else:
        failed = f"""{failed} AND NOT EXISTS (SELECT 1 FROM campaign_runs k WHERE k.campaign_id = n.campaign_id
                     AND k.trigger_key = '{RETRIES_ROW}' || CAST(n.id AS TEXT))"""
    return f"""{failed} AND (SELECT r.id FROM campaign_runs r WHERE r.campaign_id = (
                 SELECT g.id FROM campaigns g WHERE g.id = n.campaign_id AND g.schedule_type <> 'recurring')
               AND (r.id > n.campaign_run_id) IS TRUE AND r.joined_after IS NULL AND (SELECT k.status FROM mail_logs k
                 WHERE k.campaign_run_id = r.id AND k.contact_id = n.contact_id) <> 'failed' LIMIT 1) IS NULL"""
