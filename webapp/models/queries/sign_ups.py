"""Statements about sign-ups that wait for their confirmation."""

import json
from datetime import datetime, timedelta
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.models.base.row import id_lower_bound
from webapp.models.sign_up_form import PendingSignUp

HOUR, WEEK = timedelta(hours=1), timedelta(days=7)
HOURS = 167  # in the week before the last hour
LEAST = 50  # sign-ups of an hour; fewer are no flood
UNCONFIRMED, TIMES = 0.9, 5  # the share and the multiple of the usual rate above which a form is flooded
EXPIRED_AT_ONCE = 1_000

MOST_BYTES = 512 * 1024  # of a sign-up's submissions, of which an address can add 3 a day

# A confirmed or expired sign-up of the address is replaced by a new one; another gets one more submission.
SAVE = """INSERT INTO pending_sign_ups (id, org_id, form_id, email, email_key, "values", topic_ids, version, language,
        network, page_url, expires_at, mails, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, $13)
    ON CONFLICT (form_id, email_key) DO UPDATE SET
        id = CASE WHEN {is_over} THEN excluded.id ELSE pending_sign_ups.id END,
        created_at = CASE WHEN {is_over} THEN excluded.created_at ELSE pending_sign_ups.created_at END,
        opened_at = CASE WHEN {is_over} THEN NULL ELSE pending_sign_ups.opened_at END,
        "values" = CASE WHEN {is_over} OR {is_full} THEN excluded."values" ELSE {merged} END,
        email = excluded.email, topic_ids = excluded.topic_ids,
        version = excluded.version, language = excluded.language, network = excluded.network,
        page_url = excluded.page_url, expires_at = excluded.expires_at, confirmed_at = NULL,
        contact_id = CASE WHEN {is_over} THEN NULL ELSE pending_sign_ups.contact_id END
    RETURNING id"""
VALUES = 'pending_sign_ups."values"'
IS_OVER = "(pending_sign_ups.confirmed_at IS NOT NULL OR pending_sign_ups.expires_at <= excluded.created_at)"


async def save_sign_up(new: PendingSignUp) -> UUID:
    """Saves it by one statement, which takes the same time for every address; returns the id of its row."""
    texts = [json.dumps(new.values), json.dumps(new.topic_ids)]
    about = [new.version, new.language, new.network, new.page_url, new.expires_at, new.created_at]
    sql = db.dialect()
    is_full = f"{sql.octets(f'CAST({VALUES} AS TEXT)')} > {MOST_BYTES}"
    statement = SAVE.format(is_over=IS_OVER, is_full=is_full, merged=sql.json_merged(VALUES, 'excluded."values"'))
    rows = await db.fetch(statement, new.id, new.org_id, new.form_id, new.email, new.email_key, *texts, *about)
    return dialects.as_uuid(rows[0]["id"])


async def flooded_forms(now: datetime) -> list[UUID]:
    """The open forms whose sign-ups of the last hour are many more than usual and hardly ever confirmed."""
    confirmed = "SUM(CASE WHEN s.confirmed_at IS NULL THEN 0 ELSE 1 END)"
    recent = f"""SELECT s.form_id, COUNT(*) AS signed_up FROM pending_sign_ups s JOIN forms f ON f.id = s.form_id
        WHERE s.id >= $1 AND (f.closed_until IS NULL OR f.closed_until <= $2)
        GROUP BY s.form_id HAVING COUNT(*) >= {LEAST} AND {confirmed} < COUNT(*) * {1 - UNCONFIRMED:.2f}"""
    flooded = []
    for row in await db.fetch(recent, id_lower_bound(now - HOUR), now):
        before = "SELECT COUNT(*) FROM pending_sign_ups WHERE form_id = $1 AND id < $2 AND id >= $3"
        bounds = id_lower_bound(now - HOUR), id_lower_bound(now - WEEK)
        usual = await db.fetch_value(before, dialects.as_uuid(row["form_id"]), *bounds) / HOURS
        if row["signed_up"] >= TIMES * usual:
            flooded.append(dialects.as_uuid(row["form_id"]))
    return flooded


async def count_sign_up(form_id: UUID, column: str, count: int = 1) -> None:
    """Adds to one of a form's counts, in the caller's transaction."""
    await db.fetch(f"UPDATE forms SET {column} = {column} + $1 WHERE id = $2 RETURNING id", count, form_id)


async def expire_some(now: datetime) -> bool:
    """Deletes some sign-ups whose time is over, and counts the unconfirmed ones; True if there may be more."""
    lock = db.dialect().lock("FOR UPDATE SKIP LOCKED")
    some = f"SELECT id FROM pending_sign_ups WHERE expires_at <= $1 ORDER BY expires_at LIMIT {EXPIRED_AT_ONCE} {lock}"
    deleted = await db.fetch(
        f"DELETE FROM pending_sign_ups WHERE id IN ({some}) RETURNING form_id, confirmed_at, contact_id", now
    )
    counts: dict[UUID, int] = {}
    for row in deleted:
        if row["confirmed_at"] is None and row["contact_id"] is None:
            form_id = dialects.as_uuid(row["form_id"])
            counts[form_id] = counts.get(form_id, 0) + 1
    for form_id in sorted(counts):
        await count_sign_up(form_id, "expired", counts[form_id])
    return len(deleted) == EXPIRED_AT_ONCE
