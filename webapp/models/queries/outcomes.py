"""Counts emails by outcome, in groups by day, account, template or tag.

Emails count on the day that they were accepted; opens and clicks on their own, once a day for each email.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from uuid import UUID

from webapp import clock, db
from webapp.db.dialects import json_records
from webapp.models.mail_log import FAILED, PERSON, SENT, MailStatus
from webapp.models.queries.suppressed import SUPPRESSED
from webapp.models.row import id_lower_bound

DAYS = {"day": "date", "first": "uuid", "next": "uuid"}
EACH_STATUS = "(" + " UNION ALL ".join(f"SELECT '{status}' AS status" for status in MailStatus) + ") s"
SUPPRESSION = f"m.status = '{FAILED}' AND COALESCE(m.error, '') LIKE '{SUPPRESSED}%'"
# Conditions on a mail log `m`.
OUTCOMES = {
    "accepted": "true",
    "sent": f"m.status = '{SENT}'",
    "failed": f"m.status = '{FAILED}' AND NOT ({SUPPRESSION})",
    "bounced": "m.bounced_at IS NOT NULL",
    "complained": "m.complained_at IS NOT NULL",
    "suppressed": SUPPRESSION,
}
# Conditions on a mail log with hits of a day.
HITS = {"opened": "m.is_open", "clicked": "NOT m.is_open"}
TEMPLATE = "COALESCE(e.template_id, (SELECT c.template_id FROM campaigns c WHERE c.id = m.campaign_id))"


def spans_of(timezone: str, first: date, last: date) -> str:
    """The days as JSON, with the ids that each begins and ends at."""
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    starts = [id_lower_bound(clock.start_of_day(day, timezone)) for day in (*days, last + timedelta(days=1))]
    return json_records([{"day": day, "first": starts[at], "next": starts[at + 1]} for at, day in enumerate(days)])


async def count_at_most(org_id: UUID, spans: str, most: int) -> int:
    """The number of emails and hits, or more than `most`."""
    counts = (f"(SELECT COUNT(*) FROM (SELECT 1 FROM {rows} LIMIT $3) r)" for rows in (_mail(), _hits()))
    return int(await db.fetch_value(f"SELECT {' + '.join(counts)}", spans, org_id, most + 1))


async def count_outcomes(org_id: UUID, spans: str, groups: Sequence[str], limit: int) -> list[db.Row]:
    """The largest groups by `day`, `account_id`, `template_id` and `tag`, those with most emails first."""
    once = f"SELECT DISTINCT k.day, h.mail_log_id, h.link_id IS NULL AS is_open FROM {_hits()}"
    of_mail = f"SELECT k.day, m.* FROM {_mail()}"
    own = db.dialect().with_found("mail_logs", "m", "m.id = d.mail_log_id AND COALESCE(m.org_id, m.org_id) = $2")
    of_hits = f"SELECT d.day, d.is_open, m.* FROM ({once}) d {own}"
    sums = ", ".join(f"SUM({name}) AS {name}" for name in (*OUTCOMES, *HITS))
    query = f"""SELECT {"".join(f"{group}, " for group in groups)} {sums}
        FROM ({_select(of_mail, groups, OUTCOMES)} UNION ALL {_select(of_hits, groups, HITS)}) counted
        {f"GROUP BY {', '.join(groups)}" if groups else ""}
        ORDER BY SUM(accepted) DESC, SUM(opened) DESC LIMIT $3"""
    return await db.fetch(query, spans, org_id, limit)


def _mail() -> str:
    """The days `k` with their mail logs `m`, from an index range for each status, as all others might read all rows."""
    here = "m.org_id = $2 AND m.status = s.status AND m.id >= k.first AND m.id < k.next"
    return (
        f"{db.dialect().records('$1', DAYS)} CROSS JOIN {EACH_STATUS} {db.dialect().with_found('mail_logs', 'm', here)}"
    )


def _hits() -> str:
    here = f"h.org_id = $2 AND h.verdict = '{PERSON}' AND h.id >= k.first AND h.id < k.next"
    return f"{db.dialect().records('$1', DAYS)} {db.dialect().with_found('mail_hits', 'h', here)}"


def _select(mail: str, groups: Sequence[str], counted: Mapping[str, str]) -> str:
    """The groups of mail logs `m`, with a 1 for each condition in `counted` that they meet."""
    sql, tables = db.dialect(), f"({mail}) m"
    if {"template_id", "tag"} & set(groups):
        tables += f" {sql.with_each('emails', 'e', 'e.id = m.email_id')}"
    if "tag" in groups:
        tables += f" {sql.with_items('e.tags', 't')}"
    tag = " || ':' || ".join(sql.text_member("t.value", member) for member in ("name", "value"))
    columns = {"day": "m.day", "account_id": "m.account_id", "template_id": TEMPLATE, "tag": tag}
    selected = [f"{columns[group]} AS {group}" for group in groups]
    selected += [f"CASE WHEN {counted.get(name, 'false')} THEN 1 ELSE 0 END AS {name}" for name in (*OUTCOMES, *HITS)]
    return f"SELECT {', '.join(selected)} FROM {tables}"
