from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "account_usage" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "account_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "used" INT NOT NULL,
    "is_full" BOOL NOT NULL DEFAULT False,
    CONSTRAINT "uid_account_usa_account_b019f7" UNIQUE ("account_id", "day")
);
CREATE TABLE IF NOT EXISTS "claim_links" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "token_hash" VARCHAR(64) NOT NULL UNIQUE
);
CREATE TABLE IF NOT EXISTS "consent_lines" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "contact_id" UUID NOT NULL,
    "text" TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS "idx_consent_lin_contact_29d552" ON "consent_lines" ("contact_id");
CREATE TABLE IF NOT EXISTS "instance" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "held_at" TIMESTAMPTZ,
    "held_reason" VARCHAR(255),
    "updated_at" TIMESTAMPTZ NOT NULL,
    "signing_key" TEXT,
    "origin" VARCHAR(120),
    "network_salt" VARCHAR(64),
    "network_salt_day" DATE,
    "untrusted_proxy" VARCHAR(64),
    "untrusted_proxy_at" TIMESTAMPTZ
);
CREATE TABLE IF NOT EXISTS "media_files" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "hash" VARCHAR(64) NOT NULL UNIQUE,
    "dropped_at" TIMESTAMPTZ
);
CREATE TABLE IF NOT EXISTS "one_time_links" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "token_hash" VARCHAR(64) NOT NULL UNIQUE,
    "purpose" VARCHAR(16) NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL,
    CONSTRAINT "uid_one_time_li_purpose_3738eb" UNIQUE ("purpose", "email")
);
CREATE INDEX IF NOT EXISTS "idx_one_time_li_expires_871635" ON "one_time_links" ("expires_at");
CREATE TABLE IF NOT EXISTS "organizations" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "timezone" VARCHAR(64) NOT NULL,
    "plan" VARCHAR(16) NOT NULL,
    "strict_from" BOOL NOT NULL,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "track_opens" BOOL NOT NULL DEFAULT False,
    "track_clicks" BOOL NOT NULL DEFAULT False,
    "delivered_on_acceptance" BOOL NOT NULL DEFAULT False
);
CREATE TABLE IF NOT EXISTS "accounts" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "provider_type" VARCHAR(16) NOT NULL,
    "account_key" VARCHAR(32) NOT NULL UNIQUE,
    "daily_mail_limit" INT NOT NULL,
    "concurrency" SMALLINT NOT NULL,
    "smtp_host" VARCHAR(255),
    "smtp_port" INT,
    "smtp_username" VARCHAR(320),
    "smtp_password" TEXT,
    "smtp_security" VARCHAR(16),
    "google_email" VARCHAR(254),
    "google_access_token" TEXT,
    "google_refresh_token" TEXT,
    "from_email" VARCHAR(254),
    "from_name" VARCHAR(200),
    "is_sandbox" BOOL NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "last_error" TEXT,
    "last_used_at" TIMESTAMPTZ,
    "rest_until" TIMESTAMPTZ,
    "rests" SMALLINT NOT NULL,
    "failing_since" TIMESTAMPTZ,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "google_token_expires_at" TIMESTAMPTZ,
    "throttles" SMALLINT NOT NULL DEFAULT 0,
    "throttled_until" TIMESTAMPTZ,
    "announced_at" TIMESTAMPTZ,
    "bounce_imap_password" TEXT,
    "bounce_warned_at" TIMESTAMPTZ,
    "bounce_imap_username" VARCHAR(320),
    "bounce_imap_port" INT,
    "bounce_reading" VARCHAR(8) NOT NULL DEFAULT 'off',
    "bounce_imap_security" VARCHAR(16),
    "bounce_imap_host" VARCHAR(255),
    "bounce_warning" TEXT,
    "bounce_verp" BOOL NOT NULL DEFAULT False,
    "bounce_verp_error" TEXT,
    "bounce_verp_works" BOOL,
    "bounce_imap_password_for" TEXT,
    "smtp_password_for" TEXT
);
CREATE INDEX IF NOT EXISTS "idx_accounts_org_id_00a1a0" ON "accounts" ("org_id", "id");
CREATE TABLE IF NOT EXISTS "api_requests" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "key_id" UUID,
    "method" VARCHAR(16) NOT NULL,
    "path" VARCHAR(500) NOT NULL,
    "status" SMALLINT NOT NULL,
    "duration_ms" INT NOT NULL,
    "address" VARCHAR(64) NOT NULL,
    "request_id" VARCHAR(64) NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_api_request_org_id_11cab0" ON "api_requests" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_api_request_org_id_303031" ON "api_requests" ("org_id", "key_id", "id");
CREATE INDEX IF NOT EXISTS "idx_api_request_org_id_0173d4" ON "api_requests" ("org_id", "status", "id");
CREATE INDEX IF NOT EXISTS "idx_api_request_created_6fdc2c" ON "api_requests" ("created_at");
CREATE TABLE IF NOT EXISTS "api_request_details" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "query" TEXT NOT NULL,
    "headers" TEXT NOT NULL,
    "request_body" TEXT,
    "request_body_is_cut" BOOL NOT NULL,
    "response_body" TEXT,
    "response_body_is_cut" BOOL NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_api_request_org_id_4bc001" ON "api_request_details" ("org_id", "id");
CREATE TABLE IF NOT EXISTS "audit_entries" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "actor_id" UUID,
    "actor" VARCHAR(254) NOT NULL,
    "action" VARCHAR(64) NOT NULL,
    "target_id" UUID,
    "target" VARCHAR(255) NOT NULL,
    "details" JSONB NOT NULL,
    "address" VARCHAR(64) NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "alike" VARCHAR(64),
    "last_at" TIMESTAMPTZ,
    "times" INT NOT NULL DEFAULT 1
);
CREATE INDEX IF NOT EXISTS "idx_audit_entri_org_id_97c46d" ON "audit_entries" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_audit_entri_created_a88510" ON "audit_entries" ("created_at");
CREATE UNIQUE INDEX IF NOT EXISTS "audit_entries_alike" ON "audit_entries" ("org_id", "alike") WHERE alike IS NOT NULL;
CREATE TABLE IF NOT EXISTS "bounce_reports" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "account_id" UUID NOT NULL,
    "kind" VARCHAR(16) NOT NULL,
    "sub_type" VARCHAR(24),
    "recipient" VARCHAR(254),
    "verdict" TEXT NOT NULL,
    "mail_log_id" UUID,
    "is_certain" BOOL NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_bounce_repo_org_id_9e03e9" ON "bounce_reports" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_bounce_repo_account_1c8a2b" ON "bounce_reports" ("account_id", "id");
CREATE INDEX IF NOT EXISTS "idx_bounce_repo_org_id_c5ee5e" ON "bounce_reports" ("org_id", "recipient");
CREATE TABLE IF NOT EXISTS "brands" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "background" VARCHAR(7) NOT NULL,
    "text" VARCHAR(7) NOT NULL,
    "accent" VARCHAR(7) NOT NULL,
    "button" VARCHAR(7) NOT NULL,
    "font" VARCHAR(16) NOT NULL,
    "width" INT NOT NULL,
    "logo_url" TEXT,
    "address" TEXT,
    "compile_after" UUID,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_brands_org_id_0dd733" UNIQUE ("org_id")
);
CREATE INDEX IF NOT EXISTS "idx_brands_compile_152603" ON "brands" ("compile_after");
CREATE TABLE IF NOT EXISTS "bulk_changes" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "action" VARCHAR(16) NOT NULL,
    "filters" JSONB NOT NULL,
    "segment_id" UUID,
    "total" INT NOT NULL,
    "reached_count" INT NOT NULL,
    "changed_count" INT NOT NULL,
    "last_id" UUID NOT NULL,
    "failure" TEXT,
    "finished_at" TIMESTAMPTZ,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_bulk_change_org_id_c80722" ON "bulk_changes" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "bulk_changes_unfinished" ON "bulk_changes" ("id") WHERE finished_at IS NULL;
CREATE TABLE IF NOT EXISTS "campaign_contacts" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "campaign_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_campaign_co_campaig_f4b5ff" UNIQUE ("campaign_id", "contact_id")
);
CREATE INDEX IF NOT EXISTS "idx_campaign_co_org_id_76f89c" ON "campaign_contacts" ("org_id");
CREATE TABLE IF NOT EXISTS "campaign_runs" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "campaign_id" UUID NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "trigger" VARCHAR(16) NOT NULL,
    "trigger_key" VARCHAR(80) NOT NULL,
    "epoch" INT NOT NULL,
    "content_id" UUID,
    "from_email" VARCHAR(254),
    "materialised" BOOL NOT NULL,
    "materialise_cursor" UUID,
    "halted_reason" TEXT,
    "started_at" TIMESTAMPTZ,
    "finished_at" TIMESTAMPTZ,
    "frozen_counts" JSONB,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "expected" INT NOT NULL DEFAULT 0,
    "is_counted" BOOL NOT NULL DEFAULT False,
    "resuming" BOOL NOT NULL DEFAULT False,
    "joined_after" TIMESTAMPTZ,
    "retried_run_id" UUID,
    "segment_id" UUID,
    "ended_counts" JSONB,
    "segment_filter" JSONB,
    "is_announced" BOOL NOT NULL DEFAULT False,
    "skipped" INT NOT NULL DEFAULT 0,
    "bounced" INT NOT NULL DEFAULT 0,
    "complained" INT NOT NULL DEFAULT 0,
    "exclude_filter" JSONB,
    "exclude_segment_ids" JSONB NOT NULL DEFAULT '[]',
    "sender_email" VARCHAR(254),
    "tracking" JSONB,
    "hard_bounces" INT NOT NULL DEFAULT 0,
    CONSTRAINT "uid_campaign_ru_campaig_88a39c" UNIQUE ("campaign_id", "trigger_key")
);
CREATE INDEX IF NOT EXISTS "idx_campaign_ru_org_id_cf2832" ON "campaign_runs" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "runs_sending" ON "campaign_runs" ("status") WHERE status = 'sending';
CREATE INDEX IF NOT EXISTS "runs_unmade" ON "campaign_runs" ("id") WHERE NOT materialised;
CREATE INDEX IF NOT EXISTS "runs_uncounted" ON "campaign_runs" ("id") WHERE status <> 'sending' AND ended_counts IS NULL;
CREATE INDEX IF NOT EXISTS "runs_news" ON "campaign_runs" ("id") WHERE status = 'completed' AND NOT is_announced;
CREATE TABLE IF NOT EXISTS "campaign_run_accounts" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "account_id" UUID NOT NULL,
    "run_id" UUID NOT NULL REFERENCES "campaign_runs" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_campaign_ru_run_id_a0ed46" UNIQUE ("run_id", "account_id")
);
CREATE INDEX IF NOT EXISTS "idx_campaign_ru_account_77a3fd" ON "campaign_run_accounts" ("account_id");
CREATE TABLE IF NOT EXISTS "contacts" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "email_key" VARCHAR(254) NOT NULL,
    "first_name" VARCHAR(200),
    "last_name" VARCHAR(200),
    "phone" VARCHAR(64),
    "custom_fields" JSONB NOT NULL,
    "search_text" TEXT NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "unsubscribed_at" TIMESTAMPTZ,
    "bounced_at" TIMESTAMPTZ,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "unsubscribed_campaign_id" UUID,
    "filter_values" JSONB NOT NULL DEFAULT '{}',
    "do_not_track" BOOL NOT NULL DEFAULT False,
    "chosen_at" TIMESTAMPTZ,
    CONSTRAINT "uid_contacts_org_id_421e52" UNIQUE ("org_id", "email_key")
);
CREATE INDEX IF NOT EXISTS "idx_contacts_org_id_462d5a" ON "contacts" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_contacts_org_id_a78648" ON "contacts" ("org_id", "status", "id");
CREATE INDEX IF NOT EXISTS "contacts_bounced" ON "contacts" ("org_id", "bounced_at") WHERE bounced_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS "contacts_filter_values" ON "contacts" USING GIN ("filter_values" jsonb_path_ops);
CREATE TABLE IF NOT EXISTS "contact_imports" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "file_name" VARCHAR(255) NOT NULL,
    "size_bytes" INT NOT NULL,
    "encoding" VARCHAR(32) NOT NULL,
    "delimiter" VARCHAR(1) NOT NULL,
    "header" JSONB NOT NULL,
    "mapping" JSONB,
    "overwrites" BOOL NOT NULL DEFAULT True,
    "segment_id" UUID,
    "status" VARCHAR(16) NOT NULL,
    "made_by" UUID,
    "made_by_name" VARCHAR(254) NOT NULL,
    "next_line" INT NOT NULL DEFAULT 0,
    "next_byte" BIGINT NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ,
    "created_count" INT NOT NULL DEFAULT 0,
    "changed_count" INT NOT NULL DEFAULT 0,
    "unchanged_count" INT NOT NULL DEFAULT 0,
    "refused_count" INT NOT NULL DEFAULT 0,
    "failure" TEXT,
    "finished_at" TIMESTAMPTZ,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "excluded_count" INT NOT NULL DEFAULT 0,
    "has_left" BOOL NOT NULL DEFAULT False,
    "repeated_count" INT NOT NULL DEFAULT 0,
    "new_segment" VARCHAR(200),
    "answers" JSONB,
    "words" JSONB
);
CREATE INDEX IF NOT EXISTS "idx_contact_imp_org_id_ed5c0e" ON "contact_imports" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_contact_imp_created_ddd2aa" ON "contact_imports" ("created_at");
CREATE INDEX IF NOT EXISTS "imports_at_work" ON "contact_imports" ("id") WHERE status IN ('checking', 'running', 'undoing');
CREATE TABLE IF NOT EXISTS "contents" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "subject" TEXT NOT NULL,
    "html" TEXT,
    "text" TEXT,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "is_template" BOOL NOT NULL DEFAULT False,
    "reply_to" VARCHAR(254),
    "from_name" VARCHAR(200),
    "from_email" VARCHAR(254)
);
CREATE INDEX IF NOT EXISTS "idx_contents_org_id_22720f" ON "contents" ("org_id");
CREATE TABLE IF NOT EXISTS "emails" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "account_id" UUID NOT NULL,
    "content_id" UUID NOT NULL,
    "template_id" UUID,
    "message_id" VARCHAR(320) NOT NULL,
    "sender" TEXT NOT NULL,
    "addresses" JSONB NOT NULL,
    "headers" JSONB NOT NULL,
    "tags" JSONB NOT NULL,
    "variables" JSONB NOT NULL,
    "scheduled_at" TIMESTAMPTZ,
    "size" INT NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_emails_org_id_10edec" ON "emails" ("org_id", "id");
CREATE TABLE IF NOT EXISTS "attachments" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "position" SMALLINT NOT NULL,
    "filename" VARCHAR(255) NOT NULL,
    "content_type" VARCHAR(255) NOT NULL,
    "content_id" VARCHAR(255),
    "size" INT NOT NULL,
    "data" BYTEA NOT NULL,
    "email_id" UUID NOT NULL REFERENCES "emails" ("id") ON DELETE CASCADE,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_attachments_email_i_ef4145" ON "attachments" ("email_id", "position");
CREATE TABLE IF NOT EXISTS "events" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "type" VARCHAR(32) NOT NULL,
    "email_id" UUID,
    "mail_log_id" UUID,
    "contact_id" UUID,
    "campaign_id" UUID,
    "account_id" UUID,
    "is_of_run" BOOL NOT NULL,
    "data" JSONB NOT NULL,
    "org_id" UUID NOT NULL
);
CREATE INDEX IF NOT EXISTS "idx_events_org_id_31ddd7" ON "events" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "events_of_email" ON "events" ("email_id", "id") WHERE email_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS "events_of_contact" ON "events" ("contact_id", "id") WHERE contact_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS "idempotency_keys" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "endpoint" VARCHAR(160) NOT NULL,
    "key" VARCHAR(256) NOT NULL,
    "body_hash" VARCHAR(64) NOT NULL,
    "status" SMALLINT NOT NULL,
    "body" BYTEA NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_idempotency_org_id_202bf1" UNIQUE ("org_id", "endpoint", "key")
);
CREATE INDEX IF NOT EXISTS "idx_idempotency_created_944834" ON "idempotency_keys" ("created_at");
CREATE TABLE IF NOT EXISTS "import_changes" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "contact_id" UUID NOT NULL,
    "before" JSONB,
    "after" JSONB NOT NULL,
    "is_joined" BOOL NOT NULL DEFAULT False,
    "contact_import_id" UUID NOT NULL REFERENCES "contact_imports" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_import_chan_contact_870820" UNIQUE ("contact_import_id", "contact_id")
);
CREATE INDEX IF NOT EXISTS "idx_import_chan_contact_b38152" ON "import_changes" ("contact_id");
CREATE TABLE IF NOT EXISTS "import_chunks" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "number" INT NOT NULL,
    "data" BYTEA NOT NULL,
    "contact_import_id" UUID NOT NULL REFERENCES "contact_imports" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_import_chun_contact_7f1dc9" UNIQUE ("contact_import_id", "number")
);
CREATE TABLE IF NOT EXISTS "import_refusals" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "line" INT NOT NULL,
    "reason" VARCHAR(500) NOT NULL,
    "cells" JSONB NOT NULL,
    "contact_import_id" UUID NOT NULL REFERENCES "contact_imports" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_import_refu_contact_d82c24" UNIQUE ("contact_import_id", "line")
);
CREATE TABLE IF NOT EXISTS "mail_days" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "day" DATE NOT NULL,
    "timezone" VARCHAR(64),
    "is_over" BOOL NOT NULL,
    "sent" BIGINT NOT NULL,
    "failed" BIGINT NOT NULL,
    "waiting" BIGINT NOT NULL,
    "gone_sent" BIGINT NOT NULL,
    "gone_failed" BIGINT NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_mail_days_org_id_4c0d0d" UNIQUE ("org_id", "day")
);
CREATE TABLE IF NOT EXISTS "mail_events" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "mail_log_id" UUID NOT NULL,
    "from_status" VARCHAR(16) NOT NULL,
    "to_status" VARCHAR(16) NOT NULL,
    "cause" TEXT NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_mail_events_mail_lo_bae4f2" ON "mail_events" ("mail_log_id", "id");
CREATE TABLE IF NOT EXISTS "mail_hits" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "mail_log_id" UUID NOT NULL,
    "run_id" UUID,
    "link_id" UUID,
    "agent" VARCHAR(300) NOT NULL,
    "network" VARCHAR(16) NOT NULL,
    "is_head" BOOL NOT NULL,
    "is_prefetch" BOOL NOT NULL,
    "repeats" INT NOT NULL,
    "verdict" VARCHAR(12),
    "org_id" UUID NOT NULL
);
CREATE INDEX IF NOT EXISTS "idx_mail_hits_mail_lo_f9341a" ON "mail_hits" ("mail_log_id", "link_id");
CREATE INDEX IF NOT EXISTS "mail_hits_of_run" ON "mail_hits" ("run_id", "created_at") WHERE run_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS "mail_hits_unjudged" ON "mail_hits" ("created_at") WHERE verdict IS NULL;
CREATE TABLE IF NOT EXISTS "mail_logs" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "kind" VARCHAR(16) NOT NULL,
    "email_id" UUID,
    "account_id" UUID,
    "campaign_id" UUID,
    "campaign_run_id" UUID,
    "contact_id" UUID,
    "content_id" UUID NOT NULL,
    "variables" JSONB NOT NULL,
    "from_email" VARCHAR(254),
    "to_email" VARCHAR(254) NOT NULL,
    "recipient_type" VARCHAR(3) NOT NULL,
    "message_id" VARCHAR(320) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ NOT NULL,
    "attempts" SMALLINT NOT NULL,
    "crashes" SMALLINT NOT NULL,
    "unknowns" SMALLINT NOT NULL,
    "first_tried_at" TIMESTAMPTZ,
    "waiting_since" TIMESTAMPTZ,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ,
    "run_epoch" INT,
    "cap_day" DATE,
    "sent_at" TIMESTAMPTZ,
    "smtp_message_id" TEXT,
    "response_code" SMALLINT,
    "error" TEXT,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "bounced_at" TIMESTAMPTZ,
    "bounce" JSONB,
    "complained_at" TIMESTAMPTZ,
    CONSTRAINT "uid_mail_logs_campaig_7c6b6b" UNIQUE ("campaign_run_id", "contact_id")
);
CREATE INDEX IF NOT EXISTS "idx_mail_logs_org_id_06c0d2" ON "mail_logs" ("org_id", "status", "id");
CREATE INDEX IF NOT EXISTS "idx_mail_logs_campaig_2778f4" ON "mail_logs" ("campaign_run_id", "status", "id");
CREATE INDEX IF NOT EXISTS "mail_logs_of_account" ON "mail_logs" ("org_id", "account_id", "id") WHERE account_id IS NOT NULL AND COALESCE(status <> 'sending', true);
CREATE INDEX IF NOT EXISTS "mail_logs_of_campaign" ON "mail_logs" ("org_id", "campaign_id", "id") WHERE campaign_id IS NOT NULL AND COALESCE(status <> 'sending', true);
CREATE INDEX IF NOT EXISTS "mail_logs_email" ON "mail_logs" ("email_id") WHERE email_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS "mail_logs_due_account" ON "mail_logs" ("account_id", "next_attempt_at", "id") WHERE status = 'pending' AND account_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS "mail_logs_due_run" ON "mail_logs" ("campaign_run_id", "next_attempt_at", "id") WHERE status = 'pending' AND account_id IS NULL;
CREATE INDEX IF NOT EXISTS "mail_logs_leased" ON "mail_logs" ("lease_until") WHERE status = 'sending';
CREATE INDEX IF NOT EXISTS "mail_logs_deferred" ON "mail_logs" ("account_id", "next_attempt_at") WHERE status = 'deferred';
CREATE TABLE IF NOT EXISTS "mailbox_readings" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "cursor" TEXT,
    "next_at" TIMESTAMPTZ NOT NULL,
    "tries" SMALLINT NOT NULL,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ,
    "read_at" TIMESTAMPTZ,
    "messages" BIGINT NOT NULL,
    "last_error" TEXT,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "account_id" UUID NOT NULL UNIQUE REFERENCES "accounts" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_mailbox_rea_next_at_6fc188" ON "mailbox_readings" ("next_at");
CREATE TABLE IF NOT EXISTS "media" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "hash" VARCHAR(64) NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "type" VARCHAR(32) NOT NULL,
    "width" INT NOT NULL,
    "height" INT NOT NULL,
    "bytes" INT NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_media_org_id_ccb06c" UNIQUE ("org_id", "hash")
);
CREATE INDEX IF NOT EXISTS "idx_media_org_id_698667" ON "media" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_media_hash_b0ac7e" ON "media" ("hash");
CREATE TABLE IF NOT EXISTS "org_usage" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "metric" VARCHAR(32) NOT NULL,
    "period" VARCHAR(7) NOT NULL,
    "used" BIGINT NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_org_usage_org_id_a476df" UNIQUE ("org_id", "metric", "period")
);
CREATE TABLE IF NOT EXISTS "row_deltas" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL,
    "table_name" VARCHAR(16) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "number" BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS "idx_row_deltas_org_id_5b799d" ON "row_deltas" ("org_id", "table_name");
CREATE TABLE IF NOT EXISTS "row_totals" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "table_name" VARCHAR(16) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "number" BIGINT NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_row_totals_org_id_d11f82" UNIQUE ("org_id", "table_name", "status")
);
CREATE TABLE IF NOT EXISTS "sandbox_mails" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "mail_from" VARCHAR(320) NOT NULL,
    "rcpt_tos" JSONB NOT NULL,
    "subject" TEXT NOT NULL,
    "size" INT NOT NULL,
    "data" BYTEA NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_sandbox_mai_org_id_16f80f" ON "sandbox_mails" ("org_id", "id");
CREATE TABLE IF NOT EXISTS "segments" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "name_key" VARCHAR(600) NOT NULL,
    "contact_count" INT NOT NULL,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "member_filter" JSONB,
    "kind" VARCHAR(8) NOT NULL DEFAULT 'static'
);
CREATE INDEX IF NOT EXISTS "idx_segments_org_id_6b7025" ON "segments" ("org_id", "name_key", "id");
CREATE TABLE IF NOT EXISTS "segment_contacts" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "contact_id" UUID NOT NULL REFERENCES "contacts" ("id") ON DELETE CASCADE,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "segment_id" UUID NOT NULL REFERENCES "segments" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_segment_con_segment_42b4ec" UNIQUE ("segment_id", "contact_id")
);
CREATE INDEX IF NOT EXISTS "idx_segment_con_contact_b8072b" ON "segment_contacts" ("contact_id");
CREATE TABLE IF NOT EXISTS "segment_sheets" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "account_id" UUID NOT NULL,
    "spreadsheet_id" VARCHAR(128) NOT NULL,
    "title" VARCHAR(255),
    "tab" VARCHAR(255),
    "next_sync_at" TIMESTAMPTZ,
    "lease_until" TIMESTAMPTZ,
    "synced_at" TIMESTAMPTZ,
    "last_error" TEXT,
    "report" JSONB,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "segment_id" UUID NOT NULL UNIQUE REFERENCES "segments" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_segment_she_org_id_331439" ON "segment_sheets" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_segment_she_account_351705" ON "segment_sheets" ("account_id");
CREATE INDEX IF NOT EXISTS "idx_segment_she_next_sy_2dd452" ON "segment_sheets" ("next_sync_at");
CREATE TABLE IF NOT EXISTS "suppressions" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "email_key" VARCHAR(254) NOT NULL,
    "reason" VARCHAR(16) NOT NULL,
    "mail_log_id" UUID,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_suppression_org_id_492f3e" UNIQUE ("org_id", "email_key")
);
CREATE INDEX IF NOT EXISTS "idx_suppression_org_id_2e618a" ON "suppressions" ("org_id", "id");
CREATE TABLE IF NOT EXISTS "templates" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "variables" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "kind" VARCHAR(8) NOT NULL DEFAULT 'html',
    "source" JSONB
);
CREATE INDEX IF NOT EXISTS "idx_templates_org_id_d7561b" ON "templates" ("org_id", "id");
CREATE TABLE IF NOT EXISTS "campaigns" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "title" VARCHAR(200) NOT NULL,
    "description" TEXT,
    "schedule_type" VARCHAR(32) NOT NULL,
    "scheduled_at" TIMESTAMPTZ,
    "recurrence_interval" INT,
    "recurrence_unit" VARCHAR(8),
    "status" VARCHAR(16) NOT NULL,
    "sender_account_ids" JSONB,
    "anchor_at" TIMESTAMPTZ,
    "next_run_at" TIMESTAMPTZ,
    "last_run_at" TIMESTAMPTZ,
    "halted_reason" TEXT,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "segment_id" UUID REFERENCES "segments" ("id") ON DELETE SET NULL,
    "template_id" UUID REFERENCES "templates" ("id") ON DELETE SET NULL,
    "schedule_note" TEXT,
    "is_halt_announced" BOOL NOT NULL DEFAULT False,
    "from_name" VARCHAR(200),
    "exclude_segment_ids" JSONB NOT NULL DEFAULT '[]',
    "preview_text" TEXT,
    "from_email" VARCHAR(254),
    "reply_to" VARCHAR(254),
    "utm" JSONB,
    "subject" TEXT,
    "tracking" JSONB
);
CREATE INDEX IF NOT EXISTS "idx_campaigns_org_id_689c93" ON "campaigns" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_campaigns_segment_0f7e4e" ON "campaigns" ("segment_id");
CREATE INDEX IF NOT EXISTS "idx_campaigns_templat_c491a7" ON "campaigns" ("template_id");
CREATE INDEX IF NOT EXISTS "campaigns_due" ON "campaigns" ("next_run_at") WHERE next_run_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS "campaigns_news" ON "campaigns" ("id") WHERE (status = 'halted') <> is_halt_announced;
CREATE TABLE IF NOT EXISTS "template_versions" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "subject" TEXT NOT NULL,
    "kind" VARCHAR(8) NOT NULL,
    "source" JSONB,
    "body" TEXT NOT NULL,
    "saved_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "template_id" UUID NOT NULL REFERENCES "templates" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_template_ve_templat_4f2a56" ON "template_versions" ("template_id", "id");
CREATE INDEX IF NOT EXISTS "idx_template_ve_org_id_36e570" ON "template_versions" ("org_id", "id");
CREATE TABLE IF NOT EXISTS "tracked_links" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "content_id" UUID NOT NULL,
    "number" SMALLINT NOT NULL,
    "url" TEXT NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_tracked_lin_org_id_9402c1" ON "tracked_links" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_tracked_lin_content_d19f9b" ON "tracked_links" ("content_id", "number");
CREATE TABLE IF NOT EXISTS "users" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "email" VARCHAR(254) NOT NULL UNIQUE,
    "password_hash" VARCHAR(255) NOT NULL,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "totp_secret" TEXT,
    "totp_step" BIGINT,
    "first_name" VARCHAR(100) NOT NULL DEFAULT '',
    "last_name" VARCHAR(100) NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS "api_keys" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "role" VARCHAR(16) NOT NULL,
    "key_hash" VARCHAR(64) NOT NULL UNIQUE,
    "prefix" VARCHAR(16) NOT NULL,
    "expires_at" TIMESTAMPTZ,
    "revoked_at" TIMESTAMPTZ,
    "last_used_at" TIMESTAMPTZ,
    "maker_id" UUID REFERENCES "users" ("id") ON DELETE SET NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_api_keys_org_id_0ab5bd" ON "api_keys" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_api_keys_maker_i_884247" ON "api_keys" ("maker_id");
CREATE INDEX IF NOT EXISTS "idx_api_keys_prefix_10c459" ON "api_keys" ("prefix");
CREATE TABLE IF NOT EXISTS "invitations" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "role" VARCHAR(16) NOT NULL,
    "token_hash" VARCHAR(64) NOT NULL UNIQUE,
    "sent_at" TIMESTAMPTZ NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "inviter_id" UUID REFERENCES "users" ("id") ON DELETE SET NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_invitations_org_id_7508a2" UNIQUE ("org_id", "email")
);
CREATE INDEX IF NOT EXISTS "idx_invitations_expires_d2381d" ON "invitations" ("expires_at");
CREATE INDEX IF NOT EXISTS "idx_invitations_inviter_36bee8" ON "invitations" ("inviter_id");
CREATE TABLE IF NOT EXISTS "memberships" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "role" VARCHAR(16) NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "user_id" UUID NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "notify_about" JSONB,
    CONSTRAINT "uid_memberships_org_id_55e8d8" UNIQUE ("org_id", "user_id")
);
CREATE INDEX IF NOT EXISTS "idx_memberships_user_id_6b1e99" ON "memberships" ("user_id");
CREATE TABLE IF NOT EXISTS "notifications" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "kind" VARCHAR(16) NOT NULL,
    "subject_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ NOT NULL,
    "membership_id" UUID NOT NULL REFERENCES "memberships" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_notificatio_members_e5e793" UNIQUE ("membership_id", "kind", "subject_id")
);
CREATE INDEX IF NOT EXISTS "idx_notificatio_due_at_351af2" ON "notifications" ("due_at");
CREATE TABLE IF NOT EXISTS "recovery_codes" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "code_hash" VARCHAR(64) NOT NULL,
    "user_id" UUID NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_recovery_co_user_id_d439e4" ON "recovery_codes" ("user_id");
CREATE TABLE IF NOT EXISTS "sessions" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "token_hash" VARCHAR(64) NOT NULL UNIQUE,
    "csrf_token" VARCHAR(64) NOT NULL,
    "address" VARCHAR(64) NOT NULL,
    "user_agent" VARCHAR(255) NOT NULL,
    "last_seen_at" TIMESTAMPTZ NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "user_id" UUID NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_sessions_user_id_80072d" ON "sessions" ("user_id");
CREATE INDEX IF NOT EXISTS "idx_sessions_expires_6bcc94" ON "sessions" ("expires_at");
CREATE TABLE IF NOT EXISTS "webhooks" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "url" TEXT NOT NULL,
    "events" JSONB NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "disabled_reason" TEXT,
    "secret" TEXT NOT NULL,
    "former_secret" TEXT,
    "former_until" TIMESTAMPTZ,
    "failing_since" TIMESTAMPTZ,
    "leased_by" UUID,
    "lease_until" TIMESTAMPTZ,
    "is_announced" BOOL NOT NULL,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_webhooks_org_id_ff51c1" ON "webhooks" ("org_id", "id");
CREATE TABLE IF NOT EXISTS "webhook_attempts" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "event_id" UUID NOT NULL,
    "number" SMALLINT NOT NULL,
    "response_status" SMALLINT,
    "error" TEXT,
    "answer" TEXT,
    "milliseconds" INT NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "webhook_id" UUID NOT NULL REFERENCES "webhooks" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_webhook_att_org_id_d15508" ON "webhook_attempts" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_webhook_att_webhook_293872" ON "webhook_attempts" ("webhook_id", "id");
CREATE INDEX IF NOT EXISTS "idx_webhook_att_event_i_d54e65" ON "webhook_attempts" ("event_id");
CREATE TABLE IF NOT EXISTS "webhook_deliveries" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "event_id" UUID NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "attempts" SMALLINT NOT NULL,
    "due_at" TIMESTAMPTZ NOT NULL,
    "last_answer" TEXT,
    "finished_at" TIMESTAMPTZ,
    "org_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL REFERENCES "webhooks" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_webhook_del_webhook_606fba" UNIQUE ("webhook_id", "event_id")
);
CREATE INDEX IF NOT EXISTS "idx_webhook_del_org_id_405a33" ON "webhook_deliveries" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "webhook_deliveries_due" ON "webhook_deliveries" ("webhook_id", "due_at") WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS "webhook_deliveries_failed" ON "webhook_deliveries" ("webhook_id", "id") WHERE status = 'failed';
CREATE TABLE IF NOT EXISTS "worker_heartbeats" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "hostname" VARCHAR(255) NOT NULL,
    "process_id" INT NOT NULL,
    "seen_at" TIMESTAMPTZ NOT NULL,
    "trouble" TEXT
);
CREATE INDEX IF NOT EXISTS "idx_worker_hear_seen_at_cfdfbf" ON "worker_heartbeats" ("seen_at");
CREATE TABLE IF NOT EXISTS "aerich" (
    "id" SERIAL NOT NULL PRIMARY KEY,
    "version" VARCHAR(255) NOT NULL,
    "app" VARCHAR(100) NOT NULL,
    "content" JSONB NOT NULL
);
CREATE FUNCTION "count_rows"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO row_deltas (id, created_at, org_id, table_name, status, number)
        SELECT gen_random_uuid(), now(), org_id, TG_TABLE_NAME, status, COUNT(*) FROM added GROUP BY org_id, status;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO row_deltas (id, created_at, org_id, table_name, status, number)
        SELECT gen_random_uuid(), now(), org_id, TG_TABLE_NAME, status, -COUNT(*)
        FROM removed GROUP BY org_id, status
        HAVING (SELECT o.id FROM organizations o WHERE o.id = org_id) IS NOT NULL;
    ELSE
        INSERT INTO row_deltas (id, created_at, org_id, table_name, status, number)
        SELECT gen_random_uuid(), now(), org_id, TG_TABLE_NAME, status, SUM(number)
        FROM (SELECT org_id, status, 1 AS number FROM added UNION ALL SELECT org_id, status, -1 FROM removed) AS moved
        GROUP BY org_id, status HAVING SUM(number) <> 0;
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION "count_changed_row"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO row_deltas (id, created_at, org_id, table_name, status, number)
    VALUES (gen_random_uuid(), now(), OLD.org_id, TG_TABLE_NAME, OLD.status, -1),
           (gen_random_uuid(), now(), NEW.org_id, TG_TABLE_NAME, NEW.status, 1);
    RETURN NULL;
END $$;
CREATE TRIGGER "count_added" AFTER INSERT ON "contacts" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER "count_removed" AFTER DELETE ON "contacts" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER "count_changed" AFTER UPDATE OF "status" ON "contacts"
    FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_changed_row();
CREATE TRIGGER "count_added" AFTER INSERT ON "mail_logs" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER "count_removed" AFTER DELETE ON "mail_logs" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER "count_changed" AFTER UPDATE ON "mail_logs" REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_rows();"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        """


MODELS_STATE = (
    "eJztff1z2za29r+C8S9p39F2Ejt2ss3enbETd+tdJ75jO9vtbXdoSoQs1BShC5JW3L39318A/CZBiqAomUTOL4lF4kDUAxA458H5+M/BkjrY9b87nc"
    "1o6AUH36P/HHj2EvM/yrcm6MBerbIb4kJgT13Z1o4ayYv21A+YPROdzW3Xx/ySg/0ZI6uAUI9f9ULXFRfpjDck3r3o4BT52HP4BxR39Q6RwOcXZwzz"
    "/22GEfZm7GkVYAfZnoOmvJGDAoqCBfERo+vvxHeHHvnfEFsBvcfBAjPe8y//5peJ5+Av2Bcffzmg7N4ijmjN//23uL16sOYEu07h50dN5HUreFrJa5"
    "8/X3z4QbYUzz+1ZtQNl17WevUULKiXNg9D4nwnZMS9e+xhZvPHz+EikIghTC5Fv4BfCFiI00d3sgsOntuhK9A9+Ms89GYCVCS+yQoDwsdrRpcrO/hO"
    "XHnz1/g5czKW9enq1ro5v7WsgzYjE1+aUU+MKhFjzFH6I+o3Q0dePRBf8P7H0+tvjk6+lXhQP7hn8qbE7uAPKWgHdiQqRySDnI+1AMiygyr0H/idgC"
    "yxGv6iZGkYnFj0u+SPLsORXMjGI5vcCbgJfDsA/ID/QOfKc5/iidAwALcXH89vbk8//rf4uqXv/68r8Tu9PRd3DuXVp9LVb6Lxovy9jV7otBP008Xt"
    "j0h8RP9z9em8PKppu9v/ORDPZIcBtTy6tmwnN2eTqwlqvGU26vL/yni/X9hMPdZJ+9Ioc7TGOK5L+4vlYu8+WPCPhy9fNgzsP0+v5cvFW5VG61N86z"
    "C690cB3xWjj8TBLEJKA+iKoIGIvzppAfir8tuR4S1uFeGO9y/rAT/pgF0S6wfqzXvI3oA+OmwB9NFhLdDiVhFoxybuk7Xk/1ouWRLFnnHhBWqwVaIl"
    "xEmk8oxtct+Lh/jT4avXb16/PTp5/ZY3kQ+aXnnTMAwXn25LGPPuZyFjXPVSTOabpe26tRiXRPcH7+vdYnt0+OYkhVV8aEL05uPp5WUVVn8ZrKwF30"
    "Z1VoiCUKf1IX77BzNZi3vf8XGbve/4uH7vE/cUQK8o01kcCjKdpu3QcO55UZAAhT5muppbRdC8WXx02EaD460aNrqKBhfNSNv315QprNJb/KVxKucE"
    "TQC8yfQ5/9dtwepJYP3m4+m/vi1YPpdXn/6WNM8Nw/vLq7Mm9K05ZZ1HIBGGUeg4Cj7mKgUJtBTriqAJ6O/aiLmn9N7FFhYqsg7YZTnzsD48ft1KTX"
    "ndoKa8roGb24DY962APmBPZ5GpETcB/H0vMzGUDM8Z9hedh6IiD2PReSwkhhb+siIc0g7ccEM3PRDFIxqjAfHCCSaNxPCc0aX+FlSUMuG928MGJEHT"
    "NecKQgYCvQsynviWb3vOlH6pIn1GqYttr+aAsSBYQnvKJXdFp6VX9rtanV1dXRYWqrOL8pbx+ePZOddrJfy8EQkiXqfKVwR2EPpaNkMqsb8jjwN7Fp"
    "BHfDBSi8G1/cDCjOmZx0UpE9aQfStJEsHQ73RqXpYFdWjI6hDvio+WF6jUoeZxLkrCKA99lBV7VfNZWyq0v1O2l7vap/o7ZZtzG4B/leUTb6ZQbJvf"
    "mYowvDZDfm2CBaNB4PKtrNMKqRCH8R7DeGsvlQXBZ1wuXw5iiRRetDNBV9rC91bHRKpK7tFUovN51U5KLvZhH71tYR69rbWO3paNoxgssrT13T5Usi"
    "YYSnvw/shDp+kEohIFX5DaBUTi1OV0tk7evBneP+WSx66LO06dvHnY78Qrp7BEdHDOqZM3Af59s2AqLHVddZr6gDHpPCZrm3lK3XLjSOQkAf+t8O/E"
    "DqvkwSgeslEcj9gjZqvqYDeeLpYkn/t4MWs24GPFHGYW3yseFFREW8wz+W7Ij+ed2hH+2gePSmHYZfR3GdvzJJRddpiyLOwuQ95dwpXTMTq7KAnR2Q"
    "Me9vjps1HPsiW0TYWQSfSZDmG4L/KGhAciwcT8QZnvgCNVBfYHyjC59/6BnyS8F/wxbPURZJyg44rd2x753ZY/abTIZlezVZzZ6zQxR25acQj4D8eR"
    "XvD+9Ob96YfzA4nz1J49cHuFm+15wMUdekhLV9K2xVv5k/iaQ5GzWPLKw7eU/3ON3RR89RB9tIk7pV+usx5HuY1VxkiCvjxclqBd2p59L59SdCeEi7"
    "lkPvu2pKHrcs1E9yctEs5YYdq0S9aZazwjK4L5r0Qz1+Z7j4Ooh2zk2E+IeChYYERzb9cLH4kN6nfq4XeIhoFLHrEvW8WPU5eD5pf0eaMZzPuPMs/k"
    "EtNAIhpIRDOC5Xqkqk6bRDTFd7TtC1eUApWnkqVDcR4o3iE1mnHzphfHLCjFxC9BJjxyq5jVHlUnzY3x/evtcJr41px/kSYvl5MCHrSGh6sYNT1p37"
    "r65IpwO0mpSUZ3mnXIFRHplrZIWuih0/++QLyPCaJztF6Q2YIrkO6T1Alvfjz90+HxicxWKD7PCfMDNFvY4nswi5Ia+gE395yOuQsn6BeOzQNmVvJp"
    "xfCcfIGshqBMjmJfNFiZhKyGuw2kZHwH18E3aW8gvv17lvEdzVrY/kIH4LyMcdkLT9rEXJ/Uh1yfVCKu451aA+BMAuZwizncPWEE5IgYxC7b6lCS4U"
    "f60Em5KkrCKA95lCHI+WsZ6dScrYxyvZWal9nCVh3PqGrQr3B8D8f3ozi+rywCPUD72cfj9eDbiGh+2Stgyh8Affp8edmbT4Q+K3uNOZR+cKBmZpO7"
    "k03sLIsadmZo40vdmNXsijBt6+5lqYKSeznWDnhY4GHHsIgbzMNm727bly2TAGWyqEwu+fJJFVjWc1aZBHBWLTgrvrRqca5JewPBPW51aHDccGhwXD"
    "00qMsE2JwypDYb4KhrxPSRPsQJmbRbrKUC1PrqO0Upk0DtzXWFb3B8HdZKWpkTMXA96P8EJjYulNpBwzliQQqAbgE0cFDAQQ2CMdlTCElnuuQDDmxu"
    "ZB80siZJo0lL8oT/0Eygi5db/IXCw024scXdojUJFvKCz58UEed7ZK9sFkyQLcr22my2wKmMS++RMDERB+FJFOv1oVov8CnAp4yQT+H4MoVHf32kfS"
    "pghK607/D6BZ9ImCnsgHrAcyIAeQfIk31zSh2tiV6Wg2wS22FvEd+ahYrNpTF6o6aHPUZyPM9w9JhYhW8WK/69uMMbUBKEV6DLK5ADses7oO4CXoL2"
    "LwGQFkBaAGlRT1oEgT1bLLGn9vHI7k4aaYq03RZBeGhOXCyYBttDsu7bu4ibsNEdBzfAMjb7DpEAEV+0IZ5LPIzIkv8y9M31D+/R4dGfD79tzUjI70"
    "jedOoT+WzATAAzMYZVx2BmIn0XK2PefLyblzPpLLKXEjp8adUuC5mTMYKA2EOlgmSjkkBpYF2WA7z18NY7+y1KmWDc7gFqn/yumNL1zjZxc5NW4t68"
    "QoTGo+ACiGezpxpfm1iibPo/BVEFpJEB2mT7Cyolr6nwSXl28en0+mc1G5O0z2shZz/fnp+W40hz6n5bLb5gIgAZAMwKMCsjZFYqq0AP0J4n/RiKaX"
    "7lGxRfFTokOPcCps4Wld2dNPJVop3FVUBG8FZpo2xJt0wQCXzxN2UyS5T4FNjsHgcTNJVJpAhD4lF5o4B/FP+QJZYuNpgIggot7Sc0xSjCeZs8Uvmo"
    "JTHxM1xzjW2XPGBxX+RIEM6m/Eek2Keuq3mQrEhEgBi/CAdSmqMmPqCffjy/PkeyEbq4QXyq5kLXgE8DPm3g66LBfJpcl7SToWYyED31RxVPHbohFT"
    "CS1WnjZs5bNVANFUfzaFfVhFjN/JqAcf+e/JFyorkmFIRgUVAhqjNlMwkDp+xOGMicA3wR5L/fXH2qoc0ykbLSQmYB+j/kEn9nhGROf5yGxA2I538n"
    "vvY5tEYBUUFfqbg4lb2ZSnNedFCpGQXBbTtfqbk6rROTmbbfH+/+qgztqy3g7Jlol0nDOuYagzRjw08zlrISrdefRMC8Uz8I+BychggMv8m+k2ey6O"
    "U1XlGm9J4s3J808dFxFVMmm27jQhn1EFHMa9uPgjXnjC5l+OYyKl8W+1jGBW8mcb0DEqSlsLagn4tVdKpptlhSqQs8LYEZHsUaZTQzDIWyemeCHvjT"
    "62ikSXsDzeH+E2v54VTbtzIvY57Wf9iKf2+g3xX5dJItWgPkgpCBKO/imOMRM0EHVmGuj8zMiRixXuw7KFN6tbhU16wticHhR6U+3wyzgPdaBXVTib"
    "6c4HNX6YO4VqMWEOBmvmZuhtlekVUo3Jg0sjGiSXcW5lbk0gqe0ljWUuVxDpCoGvkOUQ/LAFcaBsgWybTQwo6qkMdjWcvDpIRKufb4LweCgyAutuw5"
    "/xLgWIBjGcVaYzDHIpaze0ZDPVKgKGWEql80qJqOcRM9/02tMfWmckzOLSYdfJP2gOwmZO3ZTJMKyCQA3U3oTsMg0PN0zCQA3U3ozqnezE3aG4hs/1"
    "TsmjiqIge1nklpe4gIVjkq0XtqhUwRmlZPBuZlTKBc900G1rov1kO+rfviV4540Tqt4F5vgFYEgYItIhuunI7GZVESjMuhGJcK/8f46YEEBhIYSOA2"
    "JHDoPnBt35O6WpUJzu5OGulg3s6ayYbbuOZFPUhO2HWRSEHE+/AjVz07rrSA5nyc/cQjz0Zryh5kcPgD9tHUDvjF6VP0x3e/er96F4Hw8JMVGtIOqe"
    "twEd6tJ+LQsTufSE7Zw2tR7WFOmC9qO3iOCEVf8jdCBKHLcg78/zVmGM0F7cQfAYsOpBfh0nZwZ5/AQgh6dKkp6jyPthV6HBDiL7DsrynyPGnHtzEZ"
    "fw6x58B+j2WRHamC0jL2HCJ5d8nCzIkbKOtK1MdE5kT2HxP5PFrgTqIffXy/rMs9WL+ZFKXAjC2d49DAVnBg9eGOSXsgFZUFIIRu6FjSX1sD1Yrc/t"
    "B9ORJoIw1VH9qKHECrjNnVW1RzIkBrlDUEm7ghU3jM17PcORFgufVZ7pwtqmvrlEQh+Hw45GvVuAH2FdhXYF9r2df39nJl8+E6UHCv6b1JE/M6i1tt"
    "RbvGfbxDd3yuLCjjS+udqCAjknRKNhSx0JtEQdIx7+q6yOWzhAkXXR/ZDCNBvIXbJebMGX7yc4CXK/EtloIm9fjWbPHHirN4NvGlKUaWE27Mz5nrt5"
    "ilU5umzb7Ww2t/0/d+w1/UIPTRf6EXC9vlOL74Fv3lr3wULPHRsj1PBsA7QNkCZTuKldlgyjYggasVX5sKGEjYHr582Sbu8+XL+rhPca+cxy57sgrO"
    "9VZZSQwsM33LzBe0Vuhi/RjysuD+5rpQsMKI5Nz9fD86bDHdjw5rZ7u4pYa8yzZSlgVzeMjmMMOzkDEsEhnxn4fZoxaTXyPdiR4d2CD3T+unUPGfqJ"
    "umoSxqwj5SXMTetljD3tYuYW8rK5i0XbR2i1Rij9uEw+x5sJ9dYgd5XTD/adw0T1MLaZ1oq6W3Otwe2ATf+9l2OP0N66UmyYmYsKTsWzVdMfxI8NpS"
    "RzLWw16WA+w7HNgwurS0y6PmhUxAfQ+Wr8SspgTXBqRTKQOh3kVyKYZX7pMVUD3tMJMBmFvBjL/M3NDBVsbua2kuNeLDqFUgvk9BWf/y7xEpMmGw1B"
    "mPuDmojt0RF4d0D+KBNGDPywD2WxTkSE44dZm2giDQbEOm2fJnw5qjXBKFcR7yOEufxm7jXBKFcR7yOEcOERbDtq93HlgRNEFl37fpX3VBqYzApgym"
    "VfnnTmTa2j9Kewx6TGCaHql6NNDyTq4IwrzXn/eQL6J2KEbq26PYbCBfxC4DKyD+bwfxfzmnWA1QS2KAKvjW78u3XrEi9ADuTdbTKCfsRliLy2ABWv"
    "4IOa/08srQA7i3ua7MRLe0HtbA+7xhIe+jhDUHDdEhSZNJmyARK8mAI5t3TdzuYudeBH7MZdKcNKmOncaRyIQ4fDKE2EFzyt6lRfPSCnvIpff+BHHr"
    "JOojEaQs6a8+r3v6Y6KBi9urU73nc8BDyASETAx8wx2pWdUmZKL01rZ940piYGBVsoWmq58OqgUpABXqBoFhNUQdddhBy9dhY9yyuN1OK2XhVuHLXP"
    "wdusMrOlvcIUZ8rmeKmkFIZOhBfkBXcS7HJFWkvCmKDskskKLEkHCO9rk2ipZ8IgrFVgQ+M7puqC5U2pj449xzpdh6wE/1auhEme8x9oTfEEwsMLLE"
    "c8YuIE2hxFkkcSzwokP0svzC0BN5LTd9n4iRXopgcGK7HH6n+7dJ5/TNmSzjH/iXv2a/EJ1++oCEj3ucN8jPUlx2e5g2MdsZ0EIfF6+nEz2IQIT4EL"
    "QNFsjIdiawQMAC0TziGUfoV27rHGPwV6xf6MCcEzEw68DOIJYqnD7MiZiBUL9tE+Xytj7I5W0lxkXq6lWQawOf0/aQCbKSZJNyhVn7hL0oBWfBEIL1"
    "TLFBcViyNthlOYC7Jdzgj7MrH6coZ3wV16aY/LIkBPZ0D+yBMMNxjI/+e1KVhPek+zgwzJ9HBEWEulRIVRL2AgjsHMq8/o0ST1Cz6rqZzbxuWRbCwY"
    "bjoV9lcvGXFZ4FqjikegYhJ/KMJMLLLayDnokD/4GsVloY5iQAQnFlWhcOVwvhtDYA7iuFcCG8ESJUFNp6LY5lMQDz4PuoArRri51MA8qiEAApf7Zv"
    "5TwRikBuCnXNCUKMa4sY14LjiB7aZdHnxnv3qtpucLdmIfOpVrF5tTSYg2VT2w+XSnOwcV7nxZ57To9iDYH8EM8ZJ+8HNuvmTlWUBKN7yEY3VGz7Ss"
    "aZ0d+xFzvR6vCYFUEgM7c4LMl5MmsdlZTkYAy6j0HBgVtPgyuLghbXQouDsCsIuxp52FUuzeisbvE+iyV/+Mc1dlMo1YDnYqlOZ2k9bENg/2NPQWoJ"
    "cs2xajl824WsWfkh7hK6Fl9ShpdlR+xZxQ5FYFn5JkQYQYTRwFcDgyOMcm+jxgtXlAJFpsyh6rsp9eGeZA6YDVohCxVsqbZWWAr4HiewG5XCbFYNKh"
    "bftcnykngPSu0mvdms1IhmlsvbbZcXinr4T2JTQqIrFCzsAEW7WZT3KSokTtd8drwTFxgWJcZ5oyUV1z3csnA46Dmg54xgXTFYzwnoA/ashe0rYvga"
    "AiULUv3ESW5+5fYWr3PSJlznpD5a50QG61Q262faVvgvxV7A9w6s3Fhyt5u3lqih2FzwNilehHwu4aDoU6QQnKBoI3bQeoE9RAKxozzwaeuhgKIpRm"
    "tGggDLT6Q2pSDsL7C/wP4yoP1l+Ent9rnN9BSZolkzdataqUN7V/bhETOcnbs2ZXCrVMFbZghuIrWzcxUZt90yWVr+SpY6RpFILWsWu9mLxV9035Dq"
    "K/m5Vs4zP5nr8kFLGb+ynmV+satbdY6xKFLRerTdEG9M7ZY+Q1Gq7kkglxhoKKNYdQ3WULTzVWyXqGJwI7v7TBWSLdQvOF6QMsGZdw8Vx2UpRF2kC0"
    "IAdCugVxwkLZBTAfMA7ocuK1iNoR/QVE+uoFzvM1kR3H/OD4O8JseSDzKcCjinOHme0eUrDL3sN3SpUVgVB8f8ITvm54xazaEuSsIoD3mUHXErsGRS"
    "mOo4Nzqdl0XB6byF03nGRGnsWAUhsOja5h602Wxh6RLRJTEj0N53hGaFWGwd01UWHEY6PPG1Cp7wP3+MSE8u6F8dc9M39QGx+CXzcEF97HXhafOCoD"
    "wNWXmCiu31G/w4yXjFsEPF9j16iEPc4J7jBpd4OcXMX5DVlqGDcXns3KG/IajvNmwwgutiuaKsyYkibjBp4UphEdl2G/dHrobjd7IoXVzbzGZY+kI6"
    "7EmUv3vhT+TH+E/KRHm70HPoC//7rEBz7Cs5QfztD/grzP9y8TxAtvTPfxKdtnSRVDlp5I6zy44ZmyuuxRBxYUsU6ZMwNnhhxHXXLj6hb17MFlimz3"
    "0xQS/47/fiP8WvF39+C+4S4C4xivVupBpaG3cJsX51OMvPCRlB+5RJtuNWJNtxA8l2XCHZyO/Ymj4FWtlUi0L7SwG6S6h7zgiKvRlN6se1ZolzMgbO"
    "36PDFtP36LB29opbRZC5gkKWRJm+vR7lgpCBML9qc25cf2xcxnjBNxm96huZBPhFbMH3LrmhoFkZIicCeby6I08fMROBYKo9sfFAtSi4x+PUxA7Ig5"
    "/aBgM+TF3YviVMSk2c82JwaN0CZ24j67m4pQKwjnRfR2zPX2OmhXtOBJDfwqcQyhb2fh7q4XVS605H3S6JmeeYvBPP75E4xYYrl3Jlf7QusUv+8NZU"
    "4crVVMggFYEVQommNnFXljPQKN+Jg5yHv0SZMjSou4IMFO9JIRFspsIKIffNSCZio0byz4eHR0dvDl8enbw9fv3mzfHblymk1VtN2J5d/E3AW5jBVb"
    "y5XedjK/QCVURk85lOSRScq4bjZVM9xEkO4NI0uS2XqIrcqF+u/oq1LWzvvgucZTmAU2prXldAFZIAqbjC8KrbG18VBEAjXOah3wnPkhzAKa7EZeH1"
    "8awKAqDiytwmbsgUenN9dE5OxAQqaP+BOVBU62vQncFFHVzUjXFRj9TlLd3TIwfq97Irg/AumXhhnFN9e5zCKIu7iTBJ9dZ2ewHqOurLJKh2He6Aa0"
    "ojxbcmm0Ic8BYlkA5uwulveBYg23PQlDoE+xMUBScgytdrNBexDK6LGF37UUkBfxEHPyzfIRsFWFSvD/ALP4pzIB5aYnbPG9j3vm40A5RQgkiBMSwV"
    "BkcK+NF6oGOC5kSMOGnctw26CJaKg5uGmulxe7D39bHeaxburxxr4luJdqDQLDdU781LgktqC5fUOaNL/RCvvJAJc3wPrmQSM+38w0UpA6HehUMOwy"
    "v3iVsOOkDnZQDmVjADOQrk6MjJ0V1yNOdy1VYwNOfJcl7Pz8gVvzs7c+Vh9FFYe0vs+/zpohwUxBFltiQZQ+fySlTaUXyXqMolyJqOiSSAgAECZgQL"
    "isEEDNSw3kXuwYgm71DQrJf4JTNBTUx0TVRLYhD0UQr6iHZ6JagNIR8FKSNo2HKyizamPG/VkO6iGhWGPWUuhqZkyJ46F8M4Md43Jci3QZGBTC8Hck"
    "EIUmBsEcYbZRLRAj8nAtBvAb04DtfBPWkPoG8B+qPNiIBCC/mCEMC/TdaA2QI7odvJhC3LgnvtkN1rRQK76gg35rtTDOo+vf4HmuYOqHig4kdOxee0"
    "/SCwZ4tl4p/Y3bX0NO3IIMR36ld6/ljjVRrdmDSeWTxu51FKlzhY8A/RCcWCfxEfMGeCRCa3AHuIeDJXNu/Z8+2IsJctZ7YIskMkEKcciIaBSx6xL8"
    "83YhczbYfSibJOeVQ9Kn+7KTV2BIdF59nxfTI9DybV1NhJ543lydPM5NrPMMvSyTc9RfYFxeeA8x043xnBmmnw+Y4cpsp41zO7SXsj+MZdJzDOr+xt"
    "17K8DBxGlDNQcWhcqmuTlMQA1eppZLb765xGZlKAaQnTbgX8oGZfI6rP7IxgJKZE6vEs9BQ28Qan+EzuuV3id49oj67xQgPXOQFI2gP5v03Sd2Ayt1"
    "szgMnU59WSBxiBV/GFg5crGmBv9sSH7EBB1ZVaTJo4O5K1FWXRO7N38SUFxZbn1LDnrGh8WiOKsP+7wr/li9EB5wSc0wjWE4M5p/z72pZ3yssYyD29"
    "OmnjT8hbNWQ/r/gTPmBF6vN6iOPmBqJ7eNwmtTxv1RCmVkkuP6XOk7Ww/YUOxgUhA5E+aRMPeFIfDnhSiQasK5Vws7Rdt96lo65cwqjLFx4dvjlJXT"
    "rEhyZvjpuPp5eXVetTzECFqU88mz3Vz1mVkZ8UiBwZlk1GfmxMpnson5dnF59Or39WexmfKYzPs59vz0/B+ATj87mNz/FEtBZy/6ksz1JuwAa7U7a0"
    "chkJ+7Y6i0XcYzBzZyEK27N0E2xPsD0HvpwYbHs+82Hn0Ea6nzOkKZ5TVZ7w+jONTALqIG5RgXKuLI7dELs2VxfGhrMkHdiJb/1GiYcVS8imI9NM7r"
    "mPTHW1oWc5KlVqW9qLdl4Y1u5mc6oIWg+W1fuow4u0v3GivNG0Us62IVpZInN4g5EVJxZvYWMlycz3YmJ54XLKG5TNKzCowKAawSJisEEVv5iVEa8v"
    "rJkKmETN9xZyqfYOa+Lna/zDgJ9vzc+Dmglq5jBQNkXNTOqu1CqaucIsG1XNfEGYvSibsoA2qJqgao5wITFY1Uzq2rdUNJPmoGYqa8/aPlXEfDRlMk"
    "8kDPRbOm6Vmv+4ITX/cTU1/wy7qipm9fR8KgD0/Bb0PGjzoM0PA2UDtPlkqFSKfG4YG3T4fKsuCVxuFxhRrs+INPLv0HpBXIzuFmJ62cGdyDzv4wB5"
    "NMrxIj96Uf1Aj6IkbZvISI/bpmsBRR8U/RGsMQYr+vHbrTvkOTHIzzjk/IxyoPQtkJKYieWUjlvFqRw3xKkcV8spkXuihXMmYR7Er1olbn/VkLj9lS"
    "JxO1du+SNYyoCrhuztRTETwG5apXaRwd3DwZqyB8u3Xa1wwrKcCdjvOhIrj5nl2IqpLrbnzXgnsk179PjQb0Bb7LklLEOPP74v9NMVo1+0wjQVojB7"
    "N8/eEmwd1Et1D6BpDlnTDFdOR/uxKAn244CHPU1fXKHFnoMweySBHY+FgjJL706aSbOk3a5Tp8gcwtWgNfxlJRgzmTBlgn6JHggzCGIDfgzWt2fnx7"
    "TLfW9X6XtwI7uHUt/U1UqLnLQ3EN9XbXKnvKpPnfKqkjkloA/Y006dUpTqB+jNO8aILR5xENal1FEmZuCuMJJdoJVxk1PSNMe4KAnDPOhhzuneOup1"
    "QQqyHkNGnn15A0FGnh4z8igWgh7A/ezjEVLEbTEtLn0FXPkj5EoP7Z8e+sjtsA+2Mr9ucmvSRAzJUhaO3T2j7sE1npEVEfWbEJ0jG/HOXvhI9JtUwq"
    "K5N4/fEhrA79TD79DK9gPE//JRlGApcsuyfXS3tknA+79DDq13s8rzTuIICAIsnns/BF4JeKVi7KnWoW4/57hDG1+9g9xkddRiMnIycHS7mcgQpUYe"
    "VXrPxgIlj8pAcyhP0pRzx8eqzNxn5L4+2S5W5uUeb/3kPx8eHh29OXx5dPL2+PWbN8dvX6bhVtVbTXFXZxd/EwAXBqKK+JwrX8pkUg2YZzKAejfUY5"
    "1VD/acEODeDfd7vvNZ+otMQQyw3wL7LstNSRDw74Y/0I5AOw6CIhtmInBBgdWWis9uTjYyZNvVjK93nar4SZVKy4J7FNBYI1kpDKaxnr1M9NDGup8z"
    "0zmjS6uuHE8921USAw+pVh5SHYAuCAHMLWCe2aGvYG7rI/ZSASPg3XewHlg/YP2A9dNo/fxIam0fcWuy0fJZkO52z8EpYpgPpB+gOWXIRi7xHqSXgI"
    "ekB/kE8cviFv8StCJfsIvW3DLC6E605JDKfCyi55apVioGVNyPCDr5z0GG2wELvaTWUq6U70R6MvJ3xJeRMnH/BTVQ4JErVJ/M9wMpyhESH9BPP55f"
    "n6PoO9DFDeJzMfYSKT1Gly8Pvd9C5z7izZq+/hEzmedLfH/qoQKGJBiSA190wZAsDzkYks2GZLaYt0U0kwBH5iKWyYapAWZOBNAsFdS6V55L1tvcqY"
    "ARBmHR3j5qlRP1qCEn6lE1J2qcCEQH45yIgSj3z2oQ31rwLbkK8SZ3qUQK3KU03KU4btwImONgpohm3IR4XhJQ10Cd4RVXqxX0aK0HQ07CGO+F3rKB"
    "x7anzqqcEzHPh/XVYZtF+bAhR1w1Cx9wn8B97pn7TB5gJOTnJb0/qCE/xa3JRvKT29zdyc8rDyOWBEcJ1pPyC0vs+/yB3yHCL4WBSx6xj+zZjIZeME"
    "Eze7my+SSbCO6Qf4yyecvk0+Jv3s/3Igv1PJqK6AE/NQRHJZ1ZOa6zqa58No7ZqV/EnCr7Kjcq8JpZX/Fvy/mzTDbznAJ3QbLGwpuYzuw78mQrOv30"
    "Ab2/Or08v3l//k30uOgvf0UvfOw5fIxeTOSe8W2FlM0ePv3ZnZ4+kd70+Llv6eX5JbVu6Txsms6l6TGTbhsJ7eJwe7wPyw4CvFwlKSB0Hsvhc7rlFI"
    "jh+S/0YhWjI+FTz4wqDV+d3j08eosjgnaPrXpkbgb42OKNRLqttk8lhTYeHGQPlcw0zWFujxK3VhjTeaJE4gUcZ8Bxxij0KIOPMx44pDomXtIeWLcW"
    "rFu6i2usZXkZoOJLVHxhy2qLaFEKMC37uxX047aglsQA1RpU9c81FaKAbk01Nz1gC1KAaRVTrL22FqWAlCxz6DYj4gdqVXwsCEHVxy2qPsowA+3EuE"
    "Up8w4ydpIcl5sY2kDnZQy0J3aThDhhoyOoNNCuShqI+VEb75R635Qy2jHVr9wU65EuSpmIcquCWUcNBbOOFAWztIObniOy6SAmeXfF7e2aklBw4jpU"
    "n0LcQL5vJPxegkkjwRcPluLFulnarlvrG5OXM8Y55ujwzUnqFyM+NLnE3Hw8vbys+sXMmO0vVBp9M545MYAzB2foPfCp62njmZcDQPNGD2E+1/EY6X"
    "SWU5WGYmZDXt7j5GOWT2JHJp3BrgjDWA95rCN/AVnzRIejK4kB8fmHAtXIC0Pz/SmJwtsz5LdHHKfgFVW55Nc7iOdlOmkZAxvQvp3EZ/ZKt+xvTuRr"
    "rvY7iEpM40FwdMuNvwxWVhN/2FADvipqwilE0+juIrUMH8wVfwLMkXUUqnGzeVkRNmj178PKxIxRRfb1+kmdCsBU1p/KUxpyC62LPV+UhC1jyFuGcB"
    "52+S/r5oRbFoaxHvJYR+9ldZDr3UIyia18QsYzpjtxCYGYS4i53HvM5bjyzU3pl2tsO9GPVEZe5lpMNgVg8rYWixp3j8O8XWAZQIRFDGbcG4oWRD9O"
    "Rhd7eb8T5eoYFjnnRKzmekFcLAI1+Wd/TYLZAjv8RutUdPF5N2TwhkilUaw+BkcqzULm65mcmQTYnPo2Z7L0ab5iOTED36+RvE+tTBBxyK/tdpEKgc"
    "8FnMzuZN+Hk9mvbSESOkuHnSYnBuM75PGNj7IUe01Tebm8lDGbzZ5ry7m2H1jaRzVFKdCdoarF1xz134FxGSSkQNwOj7itTPLqMFx5+Jbyf1oOwmnW"
    "zxjn9Ub0i691ixHYjg7HDrEPVCy4vDFpJL/TJt3KrqzILAgZjultmnu53iEqCGsfLe0ntLAfseC8kc+fEE2fAuxPZLZBDxPRCvkY+7KBFHrhI0bX9R"
    "kHs9m9sP1FY4rBJLFg1hAIciDIB77KG0yQy/ewMt714bNJewMDlE/aRN6f1Afen1Ti7uX/GuAm7Q0E97BVDYjDhhoQh9UaELrZDEzOYdAm0fhRfaLx"
    "o0qi8TVxAp2wh7T9/niXEcU8LLhZtFDsrLVwZgKApwJPqbNqwJm2BzQVaAL1BDzJICz1gTq4Cav8ByKRVVv18uZko2XPvzBO0dbRvvcDPnEcJLrhZr"
    "ssnyo08nfSby1Y2IEoE5A3+5F4Wl94si1t9oCdCYpQdSJ7n9vwnigrcE+DAHvf/er96gm3OW7tC5HIK26KRd0ByQbI7xVy9jzAonrrBPk0/V55l4u5"
    "/P1Avti+EJ1/h36S7nR20mn0HLz9lDpPgo341RPPKH+L6OF74XknSIopRvfiZ9miEAJvSZfYC1o64QGxAMTCCJZFIBZ2RCw8Ky29a1rBYXS16vRCFS"
    "XBAWJoDhAVNfK59J3lFDN/QVZqhSe9u0HjSdp11njiSxsOHUIfM3Vpo8Id0AdAHwB94Ln0AUZdvcyzcXsDudodJOikAZk/WfaUhoqXqj48tCwHQaIQ"
    "JDoI961k49ZAMycCcAIluTdKsjxte0D2c9yNoYjm3lRdlre05ZGZnH0qJ/FY/Id/XGM3naJquD/lujII9j92aSIWMFMYiWVM683EykD2bShmdmg86Z"
    "JydH44/Q3XVcWVNUghhhssx3EsAgZbjlBtcoeWY24N1FjNilKgbpcJ+mjv0FyjMikD16eRrEe1zHwxNLGkULR9bSqC8OY0G6rLwlHDllZV8dxinPBu"
    "tK0qU2xIfjQiLIkvX5fEezhQ2Az5240mA/W4js9bWi5vuo07De/oT6IjJDoSfjAyKZTjiAr2E+lTs8IMrULGpy1+hxjmc8EPZDYo7KdRNIQhuvaSZn"
    "EkTVxqBMlEDX597EwsJe5Hde2qpgj+siL8icAcAXNkLMuVweaIfKEtXfeWohQ4uWx0csmti20xzomA7dfC9tOuvQqFVzULr+Z2bs0doihp4A4xkh1h"
    "6K5aV+z+s8h4o9Snk3vNyjS7t8K0WRc9Wn6JDDlHK5cr0C5ZkuAduuO6M6HOnXD6ttGSesECEQ99vn3PWzxgdPjy8ORPr15xPZshUTXyCa2FN3qUd9"
    "WjkYT7FHXXJvh8ifkjzeQAy2+uqNKgPIPyPIKl0WDlOXtF2+ocuZfaPKWj/6jdeOXT0ZpTCQMBbgqDTPB9UwvvmzK6oY8V2DYlpEskIBldt2R04FUH"
    "bmCDINaHGZlaAF9tAhQGp9EMSFvuwA0HNHHQxMe3OBisiUNuoh3nJuIz/nfq6eUnyskYiPMODglcW5E7v8HWidsbCO4OXMOE4R1Yc0aXCpuHUhfbXo"
    "17WFGyhPaUi+4K7vTKfnffs6ury8K6f3ZRTvj8+ePZOR8AiT9vRIIag0foXA8WXWGlV3sT6iXJ50ZdV2l8RrRnLpk9dIM7EwW8W+DNzQ7yiBnXGTlU"
    "9myGV6l1qQF9Qy8wCi1GIVw5HTX+oiRo/EPR+BXHlGkIUMtTykpacX/LsKotsooPlBMqvET2ilgP+GlrlFbkH/jJZJBir8kegLqOevoKwOJPENjE7Q"
    "+zD1F/xkIXBPZsIRLEbQ1Z2pOxWIUOCSz+A0VVvm3REn2d866MXcGigsH8vVxRtvXkOpOdXcu+jAWM2Z6zNVCiE2MRCl1uOC5s737r9++Md/Ve9mQq"
    "WDN7ubLJvbctUu/jfkzHSTTjO9jWS1WC1/uoO+NhY2FvU+w6NHeW9TS5DJ9U0c+zyLIPpSEG62JpstYgIOtBe38fdWMqSjIAY1uMzpMoDiMReuxhFp"
    "0/GjyHiIP5SsLfktlTH/zVRdadwTwW8R5JEPlGbYtX2pOpWInlxXLsrWfWR97PB9vYKSVh6mW5EkAZvWRJqBakF6B+JGbD5NL7PmC6pPcmwzSlXyxx"
    "0sc76wMt3t111JuxoInyNdsilRS3NROgNNv91jAZmKemEtQhQ063RCof4GoiToyurYAG9tYm3zVd34p+TAXKtz1HLOl9mMc3UV8fDTaSfXzfx1HpTd"
    "SN4Sj1RajHaBlOfSag+QuM+4LsRvRlLmC+3wOtcBN1YyxK4WrFekIq68pUtAK8XHEYtj5dvo37MR0n65Hr2z1MrQSvf0bdGQub8HzHTpR9cVvIor6S"
    "nI8mwrXG0wWlWyP1U9SN4ShZdiDeyq1Vhxit06g300GLAyK29+eLYfsQ9WcU977LMPxrPKMCr/f844EiDL9wf9IUhs/ilvwHON0rRceXNsfhQ4lECM"
    "kf1/s90gCdNiH54pXXTixbEDIwrrn/oHGoLbfLpEJQAq1NNqEtSqDtVI+ha676BbZSh0nuNesvfMVzRLPuafl/InxChAGyRUJ+MWvQA37iMFI0W+DZ"
    "g0gQ6tLZgy9S76N82qIJWi/IbMEF15Q9YPbCR1G8KlqGfoA8GqC1zaV5t3XpRCvqUZb2Sf5ES4ICuhLoSmNYjQzWlSAv4NavVI7Qy5Y2Dc2zKGWg6r"
    "mLlDp2ECoomnqQMwkAuE0h9FD4zig4sIYUrZnM/pK07hLiveVp1UgusWOlNXJuUSutqeNLs9Ia+dn0T7jVqJCT9NWGJPXPvRGCbgm6JahDoA6ZBzCo"
    "Q5C2fpzmaQPDDGnrR5+2Pu9jrdDaSy7Y9Yp7we+7f929gQ2GE3PQ1EeyVBisqcuIR3WC6oaKUnkhA9XIo8M26ex5q4ayUpV09my2CvjaqFDW/35z9U"
    "kNdF6m/F6RWYD+D7lkzNkcVfAKNAovT4LqNx9P/1UG/P3l1Vn5rRAdnJXtpHD6G54pVrZb/KVGi8+JGDHFmxat83/dNkOerlmXV5/+ljQvj0MJcvK7"
    "wvqvNZqS5iaZTIevXr95/fbo5HVqKaVXmgwkRdJvO/IaKNugns2e1HAmEuVs3k8BHnEKU6U5GS8B6eTlc/fs4tPp9c/q2XumWDLOfr49PwUDFAxQME"
    "BbG6Bx6KrK+MyiWhsMzziCtqvNeXDqIZGHF/Mp8j26SxLGyYTpdyjOJRCVVBaUJ5kh6mFZKXm9oPgRM7S0g9kCi8rKzhP/BVGLFz66i4Q5EG6A2V0H"
    "RyeBh8gMBWYumLkjWpAMNnOhVttua7XlVzwdjBMZA3E+aYXzSQPOJ1WcH4inVZo6ab8/fA+i3ba6KeSu9wHv2xbgvq2F9m0Z2MKer0PRVAS34mnitW"
    "woM3rfNE1Bi9MgDypyxhQL741CgIpVpuk9CUblilVAYgCJYRCJ8ayFLIa5H7fKo7gdRubm2tIixXLHGUkKLTWmVx6+pfyf3lNyjWUGdqMPk/lVzyLm"
    "ZuBGMjFNNNeVVGxyQk++I1rF0gIVTsX9/JfKTeD+gPsb+HI5Uh24XVKI9G3UeOGKUqALw+no7sAsbi1tAS1KAahgre3NWlNM3h7ANS8bchnX4iu7Gd"
    "tZpvxuia15hlwZ2+KGPUBXicjiq7d0Uotws50T5Ybu38rZ4K4/Qb8kpe2t5LOHv/DnefJmQjcGawesnTGsKQZbO7n3U+OFK0qBLllW0FdiwshVVwls"
    "Q7htRdJAV4dXh21O43mr+sDbw8qJfEACVy98PBHohPDAeNaSz87xcRufnePjep8dca+Ss0gL3qg5gNsK3IJapLn9lmV72IAHNgAj2W8VJ+zVDdfFto"
    "8tvnlGobY6A10ShXEe8jiLF7KTNl0QhDEe8hi7th9YmDGqcAGsjxQsSpmwQe47VpDhFWWKF6shMjaVAH/L7v6W4BRYryOOkyIAp8Cv/OxuM9E5SEjh"
    "5O65/SyrJyAtzvgSt7fdn/ANYV73cr7X57lSVINReaSUlmdsOk2KykHu4RwprZEkjozwlxXhbz8cGMGB0ViW35Fqg61ytdIH7GkXTSpK9XOm8axL/K"
    "5rJs18NrckajowF6UMPDrqH2g+85myimM9yjkRgLht/S+uk6g0wnqUi1IGAr2TgyRJLvqYL7b623JZ1sCNeSQbcSv2OacXaw50URKGedDDDPRbj/Qb"
    "lKKEUpTPzfpsLEVZevuBzXwONrNH3i1crVgD95a7PWnk37KG26XBi8yXKLkdCRbo7v/dIdtHJPBFnU/bRSubBch23aQpjjPjOXTJ0a/LcJd3/8Yy57"
    "PI1lQNd4Wc7sDojW4JMpjRk++qjmWeChhplLehP3irBqO8QoBkq6EuygYnvNsJ0vwt9akWZZpJGIhx/wWu5KR0qa5JWhLbYp8ejwsWhMcPwigFC2r0"
    "FtQtXq5cWz5KxXxK702abKcgbrWF4YR8+xE7SKxk36O7KXWe7hDx0XphB+J/H3vBBAnln7i8mSh3g+58GrIZvuONMMMoiJtOuZX14Avz6+PfP15+96"
    "v3q3f3aDMiHtbnpphsitESs3v+l33PTTMPxfVFkO05SHx5hzzjYG6BuTWS9cpgcwtyi+82t/hYajcdPMNitZNojBEkGV8ES7cKd3p1gAnGI82hCmt9"
    "iEsmASEu3UNchGqls3Qk7WHd0F43UpVXZ5YXhKDGIQRzgfYJwVzANA0OWcjwPpwM74+YpU4D3UFKiLZ/Rr0ZNDX1crx35C4T2BoozByym5lMKz+qnR"
    "jN2wUusIoiIyL2gsjVI/kaNMVzvoLxK7OF7d3jdznqkzcJnmJuM6U6+fWEBG1NUaa/qZg7EJhLYC5Ht8iMVHdsw1yOhVl7Jsfyr5Nb2xtZDASbEbTD"
    "8Ak2g5YPeWTdJQdZTs7APXokezKEB+3bD6tkiLRFtCQGsAJP9iy1NYKcL9SW6ObdqgxFtvTWDsrhjW8lD9i5JN7DgYowyt2eNJJFUUPL5S23I4oCm9"
    "3jmBsSvUV/xZTRO0T4rTBwySP20ZQGiwnyaeTvJr9aOLBRN3KeQ/cUUQ+tKePGyn1HNzZBD8VfHl/1QlHGEmgioIlGsUgZTBMV38u2L1xRClSocoL4"
    "aHmrAHqztF23ttB9JrW/Cve7fGmiIvdHh29O0vr24kNTafubj6eXl4r69kwR8lbPQsTNgYToQEKAhQqm1CAU/mEGt8hsFwolP8mCUa/di0QSu8/GCQ"
    "o1KNQjWAQMVqifO0B/QIk2dxI0vrJ9f035Oq6b1bQiaIR+uIcshXPC/MDSjYQqSj2rx31v8L5qFQL1qiEE6lU1BEomctRFtyAE4NaCG9BgZfmYb6ha"
    "njAlMSj7o29IRhAGeFXF/Yzc15IgBbFOPMjAcI9pkD8fHh4dvTl8eXTy9vj1mzfHb1+mpEj1VhNFcnbxN0GQFPBXMCYQL2KY7lkXL1LhG9r44tsrIp"
    "IVbeuKf7oi/4hSHo3rnWzliE+8RxJIALZE6SLtyFCkllgQ1/6CrLZE6mPa0QjXlVZQMTyjj5g98WaOKpZSB63ruK/3/KOpeOXL2HRHKlcxxxSQdkly"
    "/oSnC0qVzgzJrUkT1bmOGm2V9xR7zoqSKMBF5NehOdY78lXAj5iDJBPwiG0UOyig72Re1Ehxj25hb8aeVuJulIsn9EQ73gPxEaNrSMwDNCuougNTdd"
    "vQrHAkvDdLPlpoq2jXB19kEpD0YYvoC59bDaFWsaNMYo+cIPaEuLOrXWPXSVId4svnt+rS0davKgpRoAo7BL5o87NbUrMjWlh2AvicsiVmHXjxiiBM"
    "987oh16gOihuVlnLsj0orSMajQHpqAo6tqqkzm3i8t9q+cRTRa9uGOqyMIz1kMfa5SoA1wSminjZegKgIAR51v+oItptmSyJwpsz5DeH+JbteTTky5"
    "yCPTujlI+mV0OglURLAz3lsrtSB9Mr+x3ds6ury8LAnl2UVY7PH8/OuQ0kR5Q3IgGcEX8lxFndGTE4+IOD/7MfWU12kFPQDkRcsIqc1DkejA+1TqPO"
    "DIK8yHNhEfHLyLbHzjFaH6Lu2nh/jAauPRyqJpOs/mw1Nw03HrFa+Reg01HrlYcRw3xY/ECci9q5k1dxYCqOU23PX2O2Rex38rDFq/KQwILTVDhNHc"
    "myMVKlsFXQyqN+DHheBhRDiABXvDD9RYBzpFe8c2zVnYk2A6sQN8i3vA+AMWNUMV/rj4JSATgC0j8CilQqHbgzCcBbH+8lcV3iY/4UjmLtqF02ymIm"
    "rcqHr16/ef326OR1unKkV5qWj+rKAYRSj3pD0VRqC2hRCkAFlu5ZMhquM+fwLcHNuZkbimvxlR1SipMyv1fPVOUpwM1UVZF/7BwX8CirXniSmVrbTy"
    "XSqo6lKpNQRfKpkb/6z0EGXKkXh3+LHYhGB/jLiiWxKjHC5TU9A8DighKjeNbLJ/rC8RAf0E8/nl+fo8hSQf+FXqz4j+MAvIhettqHiZ5W80GEk0l0"
    "dNruWaL2L6K5CZwdcHYDX46BswPOrq3uPRJ3+3g72NUStWt3+/oj22YKLy+3Pzv85a5Q7o+5i5UQzZU/kzJw1R/JKt/Or1Rk+tHnC0tiQBp28NMnHv"
    "EXnfSqkij4nw75DQMCEwjM4YEKBKY+0ZY8ADCYXzeDSdkDZj9imwVTbKt97UpNJo0MpmxsLZLWu0/j/MuBj7EnuUUg2oBoG8GqYTDRtuDd6eZnzcsY"
    "EaK+hzzDK0Zn2PeVqmMtLVQUAgcNhYNGspVoLlk5MQPXq5GsT60M2IDRUKBcGeCGBMeZCFBD7aihikH2PMrtKWZktlDptPGdRlXWztoMpgxJ7dredk"
    "2PJ+N2yurgF/R6tfQRsyS9ZVv9JCcC6kk79US8VBoIx80NRHcnifrjioJVhOuzzOVEIM2cZpq5Z93M/vj/4UF6vw=="
)
