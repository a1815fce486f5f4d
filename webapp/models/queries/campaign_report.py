"""Counts the emails and hits of a campaign's runs for a report."""

from collections.abc import Collection, Sequence
from uuid import UUID

from webapp import db
from webapp.models.mail_log import SENT
from webapp.models.organization import Organization
from webapp.models.outbox.runs import BEST_FIRST

OTHERS = "other"
# The domains of large mailbox providers; `*` is one country, as in hotmail.fr or yahoo.co.jp.
PROVIDERS: dict[str, Sequence[str]] = {
    "gmail": ("gmail.com", "googlemail.com"),
    "microsoft": ("outlook.*", "hotmail.*", "live.*", "msn.com", "windowslive.com"),
    "yahoo": ("yahoo.*", "ymail.com", "rocketmail.com", "aol.*", "aim.com"),
    "apple": ("icloud.com", "me.com", "mac.com"),
}
COUNTRIES = ("com", "__", "co.__", "com.__")


def _provider() -> str:
    """SQL for the provider of a `domain`."""
    branches = []
    for provider, domains in PROVIDERS.items():
        named = ", ".join(f"'{name}'" for name in domains if not name.endswith("*"))
        patterns = [name.replace("*", country) for name in domains if name.endswith("*") for country in COUNTRIES]
        matches = [f"domain IN ({named})", *(f"domain LIKE '{pattern}'" for pattern in patterns)]
        branches.append(f"WHEN {' OR '.join(matches)} THEN '{provider}'")
    return f"CASE {' '.join(branches)} ELSE '{OTHERS}' END"


PROVIDER = _provider()


VERDICT = "COALESCE(h.verdict, 'waiting')"  # of a hit `h`


def ranks(column: str, best_first: Sequence[str]) -> str:
    """SQL for the index of a column's value in `best_first`."""
    whens = " ".join(f"WHEN '{value}' THEN {rank}" for rank, value in enumerate(best_first))
    return f"CASE {column} {whens} END"


async def sum_up_runs(org: Organization, campaign_id: UUID, run_id: UUID | None) -> db.Row:
    """The saved counts of a campaign's runs or of one run, including deleted final rows."""
    member, of_run = db.dialect().member, "" if run_id is None else "AND id = $3"
    counts = [member("frozen_counts", f"'{status}'") for status in BEST_FIRST]
    deleted = " + ".join(f"COALESCE(CAST({count} AS BIGINT), 0)" for count in counts)
    query = f"""SELECT COUNT(*) AS runs, COALESCE(SUM(skipped), 0) AS skipped, COALESCE(SUM(bounced), 0) AS bounced,
          COALESCE(SUM(skipped_paused), 0) AS skipped_paused, COALESCE(SUM(skipped_opted_out), 0) AS skipped_opted_out,
          COALESCE(SUM(complained), 0) AS complained, COALESCE(SUM({deleted}), 0) AS deleted,
          MIN(started_at) AS started_at, MAX(finished_at) AS finished_at
        FROM campaign_runs WHERE org_id = $1 AND campaign_id = $2 {of_run}"""
    (row,) = await db.fetch(query, org.id, campaign_id, *([] if run_id is None else [run_id]))
    return row


async def count_outcomes(run_ids: Collection[UUID]) -> list[db.Row]:
    """Recipients by mailbox provider and `best` outcome (an index of BEST_FIRST), each counted once.

    `bounced` and `complained` are the ones whose email came back later or was reported as spam.
    """
    domain, rank = f"LOWER({db.dialect().domain('to_email')})", ranks("status", BEST_FIRST)
    bounced, complained = (f"CASE WHEN {at} IS NULL THEN 0 ELSE 1 END" for at in ("bounced_at", "complained_at"))
    columns, grouping = f"{domain} AS domain, {rank} AS best, {bounced} AS bounced, {complained} AS complained", ""
    if len(run_ids) > 1:  # within one run, each contact has one row
        columns = f"""MIN({domain}) AS domain, MIN({rank}) AS best, MAX({bounced}) AS bounced,
            MAX({complained}) AS complained"""
        grouping = "GROUP BY contact_id"
    sums = "COUNT(*) AS recipients, SUM(bounced) AS bounced, SUM(complained) AS complained"
    query = f"""SELECT {PROVIDER} AS provider, best, SUM(recipients) AS recipients,
          SUM(bounced) AS bounced, SUM(complained) AS complained
        FROM (SELECT domain, best, {sums} FROM (SELECT {columns} FROM mail_logs
              WHERE campaign_run_id {db.dialect().among("$1")} {grouping}) AS once
              GROUP BY domain, best) AS by_domain
        GROUP BY 1, best"""
    return await db.fetch(query, list(run_ids))


async def count_sent_by_time(run_ids: Collection[UUID], seconds: int) -> list[db.Row]:
    """Sent emails by `slot`, the seconds since 1970 divided by `seconds`."""
    sql = db.dialect()
    query = f"""SELECT {sql.epoch("sent_at")} / {seconds} AS slot, COUNT(*) AS sent FROM mail_logs
        WHERE campaign_run_id {sql.among("$1")} AND status = '{SENT}' AND sent_at IS NOT NULL GROUP BY 1 ORDER BY 1"""
    return await db.fetch(query, list(run_ids))


async def count_engaged(org: Organization, run_ids: Collection[UUID], verdicts: Sequence[str]) -> list[db.Row]:
    """Recipients by `kind` and the `best` (an index of `verdicts`) of their hits.

    Kinds are "open" and "click" by provider, and "link" by URL. Hits without a verdict are "waiting".
    """
    sql = db.dialect()
    once = "SELECT MIN(domain) AS domain, MIN(hit) AS best FROM hits WHERE {} GROUP BY person"
    by_domain = f"""SELECT '{{}}' AS kind, {PROVIDER} AS provider, NULL AS url, best,
        SUM(recipients) AS recipients
        FROM (SELECT domain, best, COUNT(*) AS recipients FROM ({once}) AS a GROUP BY domain, best) AS b
        GROUP BY 2, best"""
    query = f"""WITH hits AS (
          SELECT m.contact_id AS person, LOWER({sql.domain("m.to_email")}) AS domain, h.link_id, l.url,
            {ranks(VERDICT, verdicts)} AS hit
          FROM mail_hits h JOIN mail_logs m ON m.id = h.mail_log_id LEFT JOIN tracked_links l ON l.id = h.link_id
          WHERE h.run_id {sql.among("$1")} AND h.org_id = $2)
        {by_domain.format("open", "link_id IS NULL")}
        UNION ALL {by_domain.format("click", "link_id IS NOT NULL")}
        UNION ALL SELECT 'link', NULL, url, best, COUNT(*)
        FROM (SELECT url, MIN(hit) AS best FROM hits WHERE url IS NOT NULL GROUP BY person, url) AS c
        GROUP BY url, best"""
    return await db.fetch(query, list(run_ids), org.id)
