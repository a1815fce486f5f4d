"""The showcase's full organization made large on PostgreSQL: its contacts, their mail of a month, and the logs beside."""

import asyncpg

from webapp import clock
from webapp.config import settings
from webapp.domain.plans.limits import start_of_month
from webapp.models import Account, CampaignRun, Content, Organization, Segment, usage
from webapp.models.usage import Metric, month_of

OF_CAMPAIGNS = 6  # of ten rows of mail
LINK = 900  # the number of a tracked link
TABLES = (
    "contacts",
    "segment_contacts",
    "mail_logs",
    "campaign_contacts",
    "mail_hits",
    "mail_events",
    "emails",
    "email_tags",
    "api_requests",
    "audit_entries",
)
# A UUIDv7 made at an instant whose random part goes by a number (RFC 9562, 5.7).
IDS = """CREATE FUNCTION bench_id(at timestamptz, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
            || '8' || substr(md5(n::text), 4, 15))::uuid $$"""
BORN = "timestamptz '2026-01-01 00:00Z' + make_interval(secs => {0}::bigint * 28)"  # a million in eleven months
CONTACTS = f"""INSERT INTO contacts (id, created_at, updated_at, org_id, email, email_key, first_name, last_name,
        custom_fields, filter_values, last_active_at, search_text, status, unsubscribed_at)
    SELECT bench_id({BORN.format("n")}, n), {BORN.format("n")}, now(), $1, email, email, first_name, last_name,
        jsonb_build_object('city', city, 'joined', joined), jsonb_strip_nulls(jsonb_build_object(
            'email', email, 'first_name', lower(first_name), 'last_name', lower(last_name),
            'custom_fields.city', lower(city), 'custom_fields.joined', joined, '@custom_fields.joined', joined)),
        CASE WHEN n % 5 = 0 THEN now() - make_interval(days => (n % 400)::integer) END,
        email || chr(10) || 'ann number ' || n,
        CASE WHEN n % 20 = 0 THEN 'unsubscribed' ELSE 'subscribed' END, CASE WHEN n % 20 = 0 THEN now() END
    FROM (SELECT n, 'c' || n || '@example.org' AS email, CASE WHEN n % 7 > 0 THEN 'Ann' END AS first_name,
                 'Number ' || n AS last_name, CASE WHEN n % 50 = 0 THEN 'Berlin' ELSE 'Rome' END AS city,
                 (now() - make_interval(days => (n % 700)::integer))::date AS joined
          FROM generate_series(0, $2::bigint - 1) n) o"""
MEMBERS = """INSERT INTO segment_contacts (id, created_at, org_id, segment_id, contact_id)
    SELECT gen_random_uuid(), created_at, org_id, $2, id FROM contacts WHERE org_id = $1
    ON CONFLICT DO NOTHING"""
MAIL = f"""INSERT INTO mail_logs (id, created_at, org_id, kind, content_id, variables, to_email, recipient_type,
        message_id, status, next_attempt_at, attempts, crashes, unknowns, from_email, account_id, email_id,
        campaign_id, campaign_run_id, contact_id, sent_at, response_code, error)
    SELECT m.id, m.at, $1, CASE WHEN m.is_campaign THEN 'campaign' ELSE 'transactional' END,
        CASE WHEN m.is_campaign THEN r.content_id ELSE $5 END, '{{"first_name": "Ann"}}',
        'c' || m.contact || '@example.org', 'to', '<' || m.n || '@northwind.example>', m.status,
        now() + interval '2 days', 0, 0, 0, 'shop@northwind.example',
        CASE WHEN m.status = 'pending' AND m.is_campaign THEN NULL ELSE ($4::uuid[])[1 + m.n % cardinality($4::uuid[])] END,
        CASE WHEN NOT m.is_campaign THEN m.id END, r.campaign_id, r.id,
        CASE WHEN m.is_campaign THEN bench_id({BORN.format("m.contact")}, m.contact) END,
        CASE WHEN m.status = 'sent' THEN m.at + interval '2 seconds' END,
        CASE m.status WHEN 'sent' THEN 250 WHEN 'failed' THEN 550 END,
        CASE WHEN m.status = 'failed' THEN '550 5.1.1 <c' || m.contact || '@example.org>: User unknown' END
    FROM (SELECT n, bench_id(at, n) AS id, at, n % 10 < $6 AS is_campaign,
                 (n / 10 * $6 + least(n % 10, $6 - 1)) % $7::bigint AS contact,
                 CASE WHEN n % 25 = 0 THEN 'failed' WHEN n < 20000 AND n % 3 = 0 THEN 'pending'
                      WHEN n < 40000 AND n % 3 = 1 THEN 'deferred' ELSE 'sent' END AS status
          FROM (SELECT n, now() - n * (interval '30 days' / $2::bigint) AS at FROM generate_series(1, $2::bigint) n) o) m
    LEFT JOIN unnest($3::uuid[]) WITH ORDINALITY runs (run_id, place)
        ON m.is_campaign AND runs.place = 1 + (m.n / 10 * $6 + m.n % 10) / $7::bigint
    LEFT JOIN campaign_runs r ON r.id = runs.run_id
    WHERE NOT m.is_campaign OR r.id IS NOT NULL"""
LEDGER = """INSERT INTO campaign_contacts (id, created_at, org_id, campaign_id, contact_id)
    SELECT gen_random_uuid(), created_at, org_id, campaign_id, contact_id FROM mail_logs
    WHERE org_id = $1 AND campaign_run_id IS NOT NULL AND contact_id IS NOT NULL ON CONFLICT DO NOTHING"""
LINKS = f"""INSERT INTO tracked_links (id, created_at, org_id, content_id, number, url)
    SELECT gen_random_uuid(), now(), $1, content_id, {LINK}, 'https://northwind.example/new'
    FROM campaign_runs WHERE org_id = $1 AND content_id IS NOT NULL GROUP BY content_id"""
# A fifth of the recipients of campaigns opened, a fourth of them clicked: most surely, some perhaps, some are software.
HITS = f"""INSERT INTO mail_hits (id, created_at, org_id, mail_log_id, campaign_id, run_id, contact_id, agent, network,
        is_head, is_prefetch, repeats, verdict, link_id)
    SELECT bench_id(at, n), at, m.org_id, m.id, campaign_id, campaign_run_id, contact_id, 'Firefox',
        substr(md5(n::text), 1, 16), false, false, 0,
        CASE WHEN n / 20 % 10 < 7 THEN 'person' WHEN n / 20 % 10 < 9 THEN 'proxy' ELSE 'agent' END, l.id
    FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM mail_logs
          WHERE org_id = $1 AND status = 'sent' AND campaign_run_id IS NOT NULL) m
    CROSS JOIN LATERAL (SELECT is_click, m.sent_at + interval '1 minute' * (1 + is_click::integer) AS at
                        FROM (VALUES (false), (true)) c (is_click)) h
    LEFT JOIN tracked_links l ON is_click AND l.content_id = m.content_id AND l.number = {LINK}
    WHERE n % 5 = 0 AND (n % 20 = 0 OR NOT is_click)"""
TRACKED = """UPDATE campaign_runs SET tracking = '{"opens": true, "clicks": true}' WHERE org_id = $1"""
EMAILS = """INSERT INTO emails (id, created_at, org_id, account_id, content_id, message_id, sender, addresses, headers,
        tags, variables, size, from_key, subject_key)
    SELECT id, created_at, org_id, account_id, content_id, message_id, 'Northwind <shop@northwind.example>',
        jsonb_build_object('to', jsonb_build_array(to_email), 'cc', '[]'::jsonb, 'bcc', '[]'::jsonb, 'reply_to', '[]'::jsonb),
        '{}', jsonb_build_array(jsonb_build_object('name', 'order', 'value', split_part(to_email, '@', 1)))
          || CASE WHEN substr(message_id, 2, 1) = '1' THEN '[{"name": "category", "value": "receipt"}]'::jsonb ELSE '[]' END,
        '{}', 900, 'shop@northwind.example', 'order ' || split_part(to_email, '@', 1)
    FROM mail_logs WHERE org_id = $1 AND email_id = id ON CONFLICT DO NOTHING"""
TAGS = """INSERT INTO email_tags (id, created_at, org_id, email_id, tag)
    SELECT gen_random_uuid(), created_at, org_id, id, unnest(ARRAY[t.name, t.name || ':' || t.value])
    FROM emails e CROSS JOIN LATERAL jsonb_to_recordset(e.tags) AS t(name text, value text) WHERE org_id = $1
    ON CONFLICT DO NOTHING"""
EVENTS = """INSERT INTO mail_events (id, created_at, org_id, mail_log_id, from_status, to_status, cause)
    SELECT gen_random_uuid(), created_at, org_id, id, 'sending', 'failed', error
    FROM mail_logs WHERE org_id = $1 AND status = 'failed'"""
REQUESTS = """INSERT INTO api_requests (id, created_at, org_id, method, path, status, duration_ms, address, request_id)
    SELECT bench_id(at, n), at, $1, 'POST', '/v1/emails', CASE WHEN n % 50 = 0 THEN 422 ELSE 200 END, n % 90,
        '198.51.100.7', md5(n::text)
    FROM (SELECT n, now() - n * interval '20 seconds' AS at FROM generate_series(1, $2::bigint) n) o"""
AUDIT = """INSERT INTO audit_entries (id, created_at, org_id, actor, action, target, details, address)
    SELECT bench_id(at, n), at, $1, 'ada@northwind.example', 'account.changed', 'Shop', '{}', '203.0.113.7'
    FROM (SELECT n, now() - n * interval '3 minutes' AS at FROM generate_series(1, $2::bigint / 5) n) o"""
USED = """INSERT INTO account_usage (id, created_at, account_id, day, used)
    SELECT gen_random_uuid(), now(), account_id, date_trunc('day', created_at)::date, count(*)
    FROM mail_logs WHERE org_id = $1 AND account_id IS NOT NULL AND status IN ('sent', 'failed') GROUP BY 2, 3, 4
    ON CONFLICT (account_id, day) DO UPDATE SET used = excluded.used"""


async def crowd(org: Organization, contacts: int, mails: int, *, is_analysed: bool = True) -> None:
    """Add so many contacts, all in one segment, and rows of mail, most of them in the runs that there are.

    Unless `is_analysed`, PostgreSQL knows nothing of them until `analyse`, not by itself either.
    """
    runs = [run.id for run in await CampaignRun.of(org).filter(content_id__not_isnull=True).order_by("-id")]
    accounts = [account.id for account in await Account.of(org).filter(provider_type="smtp", is_sandbox=False)][:2]
    content = await Content.of(org).filter(is_template=False).order_by("id").first()
    segment = await Segment.of(org).order_by("id").first()
    assert content
    assert segment
    server = await asyncpg.connect(settings().database_url)  # its statements may take minutes, unlike the service's
    try:
        for table in TABLES:
            await server.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = false)")
        await server.execute(IDS)
        await server.execute(CONTACTS, org.id, contacts)
        await server.execute(MEMBERS, org.id, segment.id)
        await server.execute(MAIL, org.id, mails, runs, accounts, content.id, OF_CAMPAIGNS, contacts)
        for statement in (LEDGER, LINKS, HITS, TRACKED, EMAILS, TAGS, EVENTS, USED):
            await server.execute(statement, org.id)
        await server.execute(REQUESTS, org.id, contacts)
        await server.execute(AUDIT, org.id, contacts)
        if is_analysed:
            await analyse(server)
    finally:
        await server.close()
    await _open_counters(org)
    await Segment.of(org).filter(id=segment.id).update(contact_count=await segment.memberships().count())


async def analyse(server: asyncpg.Connection) -> None:
    """Count what the tables hold, as PostgreSQL does by itself from then on."""
    for table in TABLES:
        await server.execute(f"ALTER TABLE {table} RESET (autovacuum_enabled)")
        await server.execute(f"VACUUM ANALYZE {table}")


async def _open_counters(org: Organization) -> None:
    """Count what the plan limits, as the first write of a kind does; what has no limit is not counted."""
    month = start_of_month(clock.now())
    for metric in Metric:
        start = month if metric in usage.MONTHLY else None
        used = await usage.count_rows(org.id, metric, start) if metric in usage.COUNTS else 0
        await usage.open_counter(org.id, metric, month_of(month) if start else "", used)
