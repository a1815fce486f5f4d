"""Counts emails by outcome, in groups by day, account, template or tag.

Emails count on the day that they were accepted; opens and clicks on their own, once a day for each email. What is final
of most past days is saved in `outcome_groups` (outbox/outcome_days); what may still change is counted when asked: all
rows of other days, emails that wait, and reports that came later.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from uuid import UUID

from webapp import clock, db
from webapp.db.dialects import json_records
from webapp.models.base.row import id_lower_bound
from webapp.models.mail_log import FAILED, PERSON, REPORTED, SENT, MailStatus
from webapp.models.outbox.day_statistics import WAITS, count_waiting_sql
from webapp.models.queries.refusals import was_refused

DAYS = {"day": "date", "first": "uuid", "next": "uuid"}
SUPPRESSION = f"m.status = '{FAILED}' AND {was_refused('m.error')}"
# Conditions on a mail log `m` that hold for good once it is sent or failed.
LASTING = {
    "accepted": "true",
    "sent": f"m.status = '{SENT}'",
    "failed": f"m.status = '{FAILED}' AND NOT ({SUPPRESSION})",
    "suppressed": SUPPRESSION,
}
# Conditions on one that was reported later.
REPORTS = {"bounced": "m.bounced_at IS NOT NULL", "complained": "m.complained_at IS NOT NULL"}
# Conditions on a day of a mail log's hits.
HITS = {"opened": "k.is_open", "clicked": "NOT k.is_open"}
NUMBERS = ("accepted", "sent", "failed", "bounced", "complained", "suppressed", "opened", "clicked")
TEMPLATE = "COALESCE(u.template_id, (SELECT c.template_id FROM campaigns c WHERE c.id = u.campaign_id))"
OF_EMAIL = ("template_id", "tags")
COLUMNS = ("day", "account_id", "template_id", "campaign_id", "tags")


def spans_of(timezone: str, days: Collection[date]) -> str:
    """The days as JSON, with the ids that each begins and ends at."""
    starts = {
        day: id_lower_bound(clock.start_of_day(day, timezone)) for first in days for day in (first, _after(first))
    }
    return json_records([{"day": day, "first": starts[day], "next": starts[_after(day)]} for day in sorted(days)])


async def count_at_most(org_id: UUID, timezone: str, spans: str, groups: Sequence[str], most: int) -> int:
    """The number of rows that `count_outcomes` reads, or more than `most`."""
    rows = " UNION ALL ".join(f"SELECT 1 FROM {source}" for source in (_saved(groups), *dict(_counted())))
    query = f"{_days()} SELECT COUNT(*) FROM (SELECT 1 FROM ({rows}) r LIMIT $4) counted"
    return int(await db.fetch_value(query, spans, org_id, timezone, most + 1))


async def count_outcomes(org_id: UUID, timezone: str, spans: str, groups: Sequence[str], limit: int) -> list[db.Row]:
    """The largest groups by `day`, `account_id`, `template_id` and `tag`, those with most emails first."""
    sql = db.dialect()
    columns = [name for name in COLUMNS if _is_needed(name, groups)]
    saved = f"SELECT {', '.join(f'g.{name}' for name in (*columns, *NUMBERS))} FROM {_saved(groups)}"
    counted = (select(source, columns, conditions) for source, conditions in _counted())
    rows = " UNION ALL ".join((saved, *counted))
    items = f" {sql.with_items('u.tags', 't')}" if "tag" in groups else ""
    tag = " || ':' || ".join(sql.text_member("t.value", member) for member in ("name", "value"))
    values = {"day": "u.day", "account_id": "u.account_id", "template_id": TEMPLATE, "tag": tag}
    selected = "".join(f"{values[group]} AS {group}, " for group in groups)
    query = f"""{_days()} SELECT {selected} {sums_of("u")} FROM ({rows}) u{items}
        {f"GROUP BY {', '.join(str(number) for number in range(1, len(groups) + 1))}" if groups else ""}
        ORDER BY {", ".join(("SUM(u.accepted) DESC", "SUM(u.opened) DESC", *map(str, range(1, len(groups) + 1))))}
        LIMIT $4"""
    return await db.fetch(query, spans, org_id, timezone, limit)


def sums_of(rows: str) -> str:
    return ", ".join(f"CAST(SUM({rows}.{name}) AS BIGINT) AS {name}" for name in NUMBERS)


def select(source: str, columns: Sequence[str], counted: Mapping[str, str]) -> str:
    """The columns of days `k` and their mail logs `m`, with a 1 for each condition in `counted` that a row meets."""
    of_email = f" {db.dialect().with_each('emails', 'e', 'e.id = m.email_id')}" if set(OF_EMAIL) & set(columns) else ""
    owners = {"day": "k", **dict.fromkeys(OF_EMAIL, "e")}
    selected = [f"{owners.get(name, 'm')}.{name}" for name in columns]
    selected += [f"CASE WHEN {counted.get(name, 'false')} THEN 1 ELSE 0 END AS {name}" for name in NUMBERS]
    return f"SELECT {', '.join(selected)} FROM {source}{of_email}"


def mails_of(days: str, status: MailStatus) -> str:
    """Days `k` with their mail logs `m` of a status, named because PostgreSQL knows how many have which."""
    return _rows_of(days, "mail_logs", "m", f"m.status = '{status}'")


def hits_of(days: str) -> str:
    return _rows_of(days, "mail_hits", "h", f"h.verdict = '{PERSON}'")


def _rows_of(days: str, table: str, alias: str, condition: str) -> str:
    """Days `k` with their rows of the organization ($2)."""
    here = f"{alias}.org_id = $2 AND {condition} AND {alias}.id >= k.first AND {alias}.id < k.next"
    return f"{days} {db.dialect().with_found(table, alias, here)}"


def once_a_day(hits: str) -> str:
    """The mail logs `m` of hits `h`, each once a day `k` for its opens and once for its clicks."""
    once = f"SELECT DISTINCT k.day, h.mail_log_id, h.link_id IS NULL AS is_open FROM {hits}"
    own = "m.id = k.mail_log_id AND COALESCE(m.org_id, m.org_id) = $2"  # only by its id
    mail_logs = db.dialect().with_found("mail_logs", "m", own)
    return f"({once}) k {mail_logs}"


def _days() -> str:
    """The days `k` ($1), and whether what is final of them is saved: in this timezone ($3), and nothing else since."""
    unchanged = f"d.waiting = CASE WHEN d.waiting = 0 THEN 0 ELSE {count_waiting_sql()} END"
    return f"""WITH days AS MATERIALIZED (SELECT k.day, k.first, k.next, COALESCE({unchanged}, false) AS is_saved
        FROM {db.dialect().records("$1", DAYS)}
        LEFT JOIN outcome_days d ON d.org_id = $2 AND d.day = k.day AND d.timezone = $3)"""


def _saved(groups: Sequence[str]) -> str:
    has_tags = "true" if "tag" in groups else "false"
    return f"""days k JOIN outcome_groups g ON g.org_id = $2 AND g.day = k.day AND g.has_tags = {has_tags}
        AND (g.is_gone OR k.is_saved)"""


def _counted() -> list[tuple[str, Mapping[str, str]]]:
    """What is not saved: mail logs `m` that wait, those of other days, later reports, and hits; with conditions."""
    saved, others = (f"(SELECT d.* FROM days d WHERE {condition}) k" for condition in ("d.is_saved", "NOT d.is_saved"))
    return [
        *((mails_of("days k" if status in WAITS else others, status), LASTING | REPORTS) for status in MailStatus),
        (_rows_of(saved, "mail_logs", "m", REPORTED), REPORTS),
        (once_a_day(hits_of(others)), HITS),
    ]


def _is_needed(column: str, groups: Sequence[str]) -> bool:
    part_of = {"campaign_id": "template_id", "tags": "tag"}
    return part_of.get(column, column) in groups


def _after(day: date) -> date:
    return day + timedelta(days=1)
