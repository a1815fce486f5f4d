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
    CONSTRAINT "uid_account_usa_account_b019f7" UNIQUE ("account_id", "day")
);
CREATE TABLE IF NOT EXISTS "claim_links" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "token_hash" VARCHAR(64) NOT NULL UNIQUE
);
CREATE TABLE IF NOT EXISTS "organizations" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "timezone" VARCHAR(64) NOT NULL,
    "plan" VARCHAR(16) NOT NULL,
    "strict_from" BOOL NOT NULL,
    "updated_at" TIMESTAMPTZ NOT NULL
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
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_accounts_org_id_00a1a0" ON "accounts" ("org_id", "id");
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
    CONSTRAINT "uid_campaign_ru_campaig_88a39c" UNIQUE ("campaign_id", "trigger_key")
);
CREATE INDEX IF NOT EXISTS "idx_campaign_ru_org_id_cf2832" ON "campaign_runs" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "runs_sending" ON "campaign_runs" ("status") WHERE status = 'sending';
CREATE TABLE IF NOT EXISTS "campaign_run_accounts" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "account_id" UUID NOT NULL,
    "run_id" UUID NOT NULL REFERENCES "campaign_runs" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_campaign_ru_run_id_a0ed46" UNIQUE ("run_id", "account_id")
);
CREATE INDEX IF NOT EXISTS "idx_campaign_ru_account_77a3fd" ON "campaign_run_accounts" ("account_id");
CREATE TABLE IF NOT EXISTS "contents" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "subject" TEXT NOT NULL,
    "html" TEXT,
    "text" TEXT,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
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
    CONSTRAINT "uid_mail_logs_campaig_7c6b6b" UNIQUE ("campaign_run_id", "contact_id")
);
CREATE INDEX IF NOT EXISTS "idx_mail_logs_org_id_e5cf61" ON "mail_logs" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_mail_logs_org_id_06c0d2" ON "mail_logs" ("org_id", "status", "id");
CREATE INDEX IF NOT EXISTS "idx_mail_logs_org_id_d8d530" ON "mail_logs" ("org_id", "account_id", "id");
CREATE INDEX IF NOT EXISTS "idx_mail_logs_org_id_bc770b" ON "mail_logs" ("org_id", "campaign_id", "id");
CREATE INDEX IF NOT EXISTS "idx_mail_logs_campaig_8c072c" ON "mail_logs" ("campaign_run_id", "status");
CREATE INDEX IF NOT EXISTS "idx_mail_logs_email_i_e18059" ON "mail_logs" ("email_id");
CREATE INDEX IF NOT EXISTS "mail_logs_due_account" ON "mail_logs" ("account_id", "next_attempt_at", "id") WHERE status = 'pending' AND account_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS "mail_logs_due_run" ON "mail_logs" ("campaign_run_id", "next_attempt_at", "id") WHERE status = 'pending' AND account_id IS NULL;
CREATE INDEX IF NOT EXISTS "mail_logs_leased" ON "mail_logs" ("lease_until") WHERE status = 'sending';
CREATE INDEX IF NOT EXISTS "mail_logs_deferred" ON "mail_logs" ("account_id", "next_attempt_at") WHERE status = 'deferred';
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
CREATE TABLE IF NOT EXISTS "users" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "email" VARCHAR(254) NOT NULL UNIQUE,
    "password_hash" VARCHAR(255) NOT NULL,
    "updated_at" TIMESTAMPTZ NOT NULL
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
CREATE TABLE IF NOT EXISTS "memberships" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "role" VARCHAR(16) NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "user_id" UUID NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_memberships_org_id_55e8d8" UNIQUE ("org_id", "user_id")
);
CREATE INDEX IF NOT EXISTS "idx_memberships_user_id_6b1e99" ON "memberships" ("user_id");
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
CREATE TABLE IF NOT EXISTS "worker_heartbeats" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "hostname" VARCHAR(255) NOT NULL,
    "process_id" INT NOT NULL,
    "seen_at" TIMESTAMPTZ NOT NULL
);
CREATE INDEX IF NOT EXISTS "idx_worker_hear_seen_at_cfdfbf" ON "worker_heartbeats" ("seen_at");
CREATE TABLE IF NOT EXISTS "aerich" (
    "id" SERIAL NOT NULL PRIMARY KEY,
    "version" VARCHAR(255) NOT NULL,
    "app" VARCHAR(100) NOT NULL,
    "content" JSONB NOT NULL
);"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        """


MODELS_STATE = (
    "eJztXVtz2ziW/isovSRdpXgSOXaynd2pktPuiXd82bKd6enJdDEQCVsYUwQHoGwrvfnvcw"
    "CS4g2kSd1MsvGSWCQORX0Azv0c/D6YMYe4Ym9s22zuBYMf0e8DD88I/JG/NUQD7PvJDXkh"
    "wBNXjcXhIHURT0TAsS0fdoNdQeCSQ4TNqR9Q5sFVb+668iKzYSD1buUDxkgQz4EPiDrEC2"
    "iw2ENXxOYkEAhzAnexS5whmsDXOChgKJhSgTh7QC8dNsPU+1P8Cnv+AjGfeAKGkNkPe/KV"
    "5h7995xYAbslcJHDF375DS5TzyGPRMiPXwaM31rUkaPh39/kbf/OuqHEdTKohEPUdStY+O"
    "ra588nP/2sRsqfNbFs5s5nXjLaXwRT5i2Hz+fU2ZM08t4t8QjHAXFScEmAImTjS+EvgAsB"
    "n5PlqzvJBYfc4LkrQR/8983csyXWSH6TNQ8oTKPNZj4O9uSVd3+O3jNFY1nnF9fW1fG1ZQ"
    "3qTFh0yWaenGwqpx5Q+h4+N0FHXR3IL/j4aXz5cv/wB4UHE8EtVzcVdoPvihAHOCRVM5JA"
    "DqtAAmThoAj9T3AnoDOihz9LmZsGJyLdi/9YZTriC8l8JGs+BjeGbwuAD+AHOheeu4gWQs"
    "UEXJ+cHV9dj8/+T37dTIh/uwq/8fWxvDNSVxe5qy/D+WKwncN9vnwI+uXk+hOSH9E/Ls6P"
    "87O6HHf9j4F8JzwPmOWxBws7qTUbX41Rg5HJrKv/C/P9cYq5fq7j8blZBrS6OK8z/Gi5xL"
    "sNpvBx9Pp1xcT+bXypNheMys3WeXRrFN77nsHX5+weeC0PkWoAdIGwh4i/OawB+Jv87kjw"
    "lreycEfiybojiyZg58g2A/XTMmRnQO+PagC9PyoFWt7KAu1g6i4sUAlcy6UzqpEZJ16gB1"
    "tHmkOchppQ1xb3rXyJV6M3b9+9fb9/+PY9DFEvurzyrmIaTs6vcxjD4+0558SzNYv5aoZd"
    "txTjHOnu4H27XWz3R+8Ol7DKD1WIXp2NT0+LsIpZ4FtTEKNNOESGaCX+EO3+1izWrOw7OK"
    "gj+w4OymWfvKcB2me8CXPI0Ky0bNuG84aZggJoLghvqrkVCPu3ivdHdTQ4GFUh6AoaXLgi"
    "sRAPjGus0mvyWLmUU4R9ALzK9Dn++3XG6olhfXk2/vsPGcvn9OL8L/Hw1DR8PL040qEvCA"
    "gzGjRS6QqEfUB/2+rzLWO3LrGIVM6agJ2n6x/Wo4O3tQTk2woB+bYEbrA+iBBWwO6I14TB"
    "lJD3Afxds5kISk5uOBHTlaeiQG/movlc3HA2a86CslR9wH0HDEiB1lSRzBD1EOhtuAGpsA"
    "T2nAl7LCJ9xJhLsFcS2sgQ5tCeAOW2DPnlld1ylKOLi9MMRzk6ybOMz2dHx6DXKPhhEA1C"
    "i7JoKQU4mItGOuOSYnfO1gG2A3pPthUr2rbG6GIRWIRzxpuIyyxVH3jIroWkQhCs+VXidX"
    "naDUTsOjQbLQrQxZhURujgUTBbXqBTh6rnOUtpZrnts6yRVdVe/iXR7vz7r7clpzbn378B"
    "GwC+yhLUszWKbfWeKRCbbdPmbTP3nRWTVrKUJmmlxdMevX0y60kSWd0MsYRik1li7d3IT+"
    "SByby7mzttGhggVQT2Z8YJvfX+ShYK3hN4Daznj1E64wW/xR79htVP6iyyydWEi3P8sMxX"
    "TC0rgAB+OAlt0Y/jq4/jn44HCucJtu8eMHesDODyDhux3JXl2OKt2WiWv4I9fKuwkT9Cvn"
    "I2l/SzwEqoluWahveHNRJOwViIh66SdXpJbOpTAtgi28XATR00WSDsoejxiMGfyMELxG4Q"
    "hVEstXpeCCQZ8DfmkQ+IzQMXjGWVdBpTl6Weflm+fThD8Pww4TSVj2ryT03+aQfYUUdFeZ"
    "380+werbvhslRGpBeS8zShcrmHyhLydAHyzMbpF5Ry4ecgk+6wImallnc8vDeG91r5SQV1"
    "8pn0Hp+ChqrVeMI71bqOT2X+7zrFNUAOOgrwaaXFXH0avxodHIKi46jPN5SLANlTLJ9MeF"
    "hxc0f8Ug3mieKZIfoCWNwRbsWffE5u6KMpqzFqTSc4dI/VGlNWs914OmduI3zj8T3Ed/Mx"
    "XRBj1hSLaROA0zS9K585rJN6c1ieeXNYSLyJJHUDgBMKs4ZrrGHy6FNg5yuI3SylCf+0Jw"
    "6gi5res7uVlKsspZnlNs+yyXX5o8z00pwtzHK5lZqmWcNW7c6sNnAEmkCpCZR2IlBaYAIb"
    "gPazIN1NJH0S0TTby2AKL4DOP5+ePlv0OQiwPZ2Rkj5Hyd1hpTd2OW4dh+wNdYkMKmMPqd"
    "KQD+grABsQFTr6iiSGAtFA3qeeSz2C6Ax+FXp5+fNHNNr/r1H9xkbq+THrZIKq9zKeWOOJ"
    "7QIb77EndrkXC3NenVubputTd5KNZNgCW21cNZai6aEHaysNNGJZpYBqgHWezuDdDG+dcH"
    "4aba2Q7mQx0y56w9BvmiVd3hYmGt4nTryxljBS4ylieUQ9zBdlGT8hRb6edBEQ0UFAq+pJ"
    "ZelcWlOBRXl0cj6+/FVffRePT2shR79eH4/z8YWUul9Xi8+YCMa7YlxVxlXVQsdKE1dVSZ"
    "eKxtAex8/pKaZpztemSomPeOZjmKnLuTfQOKvSt4dV3io7GmjxubeOvwrI99BX4jN7+hVx"
    "KohADzSYIoLtKRIB839EGD0wfkc4CqY4QFMGP1O6r+B/uMY8ojp8C+QxNINVKJ1fslYCHv"
    "xCNfIW5eUSyx8RzhO81u0t4aonar5uopiK+PsggTzuoyCJyKMPbErAj17OxjJ4C1hZUT9y"
    "9YXRnhgoMoBPfkC/fDq+PEbhE9H/oBcRwYtwyRjfmvGttZxH9ti3luMYdXdcjsxob91sXJ"
    "Ni3V3MEIvkWxOYUyQ9dKltDeKm3dhzZD2E+n2dlOj35RnR7wsJ0UpnbOBQW443FUyatuul"
    "XuAKoVblBf7DJyKZno476+k4AzA4xS7VVjRWNhvMk5p2gw3aDabAs+w5F7qOeFVZjDpqw0"
    "ayGE+xK21FsKiELqJf3nCwQNgHZlJlSW6lF3uA+WpGfpbS5GC3OQf7hnpUTFea5hypmedW"
    "zzNn34hnJSdKZmf6f68uzku1sixhfp6pHaD/RyDKOnhcS8UMS0SqeWqefeZmTT4gz1NN2N"
    "OEPVsRolu9lVmhmY+GmxxFlD//9ZK4uCSvshh1S52K2xPYv+8onFlx1LAe33rBTWv9I4iT"
    "tm8qgunDmDAyqRL1VQh0MCwJUco3CBdpqgNUMTiZv2mihCZK2HJ+0eMooWnxtgVPSMIJ6w"
    "KaUBgwq/VGPtf4lhrrjbnkoW4C+6TamKyqVuV1yTazp9S70+o/y5vVao8cZrkwbnVl53pK"
    "ZE7WKymUkHxUqPOEdYcyLyvsCcceYG18kBc4QVQgOYTJ6x6pWX9otByj5XSAq/RYy1FH/j"
    "Vum5WlMo2zcuHNsHFWQVQ/k1AJI/xakRLdqhYo4aDVpcnVfPIvYgeqoeiEOZSIoUwK5sQB"
    "SWGDMGEcYdcNjWklaGzM+ULKlVnTHqPGbjYSxUiUZ5UoItzuxSmvOHI8IelF1tyuI9zTYK"
    "ZJUKpIK4jGm2yC5lgHgGoTrOPxBuvmWJsoo4kytsJd1M4Dk8LyS41ev6zLLNfqVXrq6jr9"
    "hUfQmVQiZkTIQ5Y+qKMCqCPdQEqFj45ECh1F8rteuexWqvgrnhpg9Hqj13eAofRYrzfxsC"
    "3Ew565aKOfoAZk5rvwoxuimiMzSey5QoFQ0jfsMpWl6oV1n/UV74/qFMXBqFJvsbqXS1kn"
    "8NM0hRgVLpQlRS8w3rWlCWJQ9nsgjTKKM0RrZRN3CP6tpBNPQWsivBH4KRID/RrQB/i2Ee"
    "7xeAP6GqDfY04lFI2QzxAZ+NeAX9hT4szd1WrCcrSmWqjN1UKt79fZle4CxhVvXPEdd8Wn"
    "tP3sKQ2r1/xkj4XoCeJbrfU5w9Q9vi/JR0puDqtiF6orI7lf85CNGbsnUe0OewiDFlQ2IA"
    "xUhqvvAiLoAS9k60JOAr4Ywh8wB4Rz7A7VRZVqG/55Mxfyqup6KOMeNp6LukmwX8If5DIT"
    "7zDxjo7xkB7HO3Kbsu6Oy5EZ3UfXUql5q8AcWS+cnFvvY8dWADpDZGCuAbOS9U189UuCXs"
    "BrksLaBruxRFtuiW7bwDplt4MS80reGj5pXIH+sl5uGBhH1KdgoUkLS7Z3j+LAe0jWFk7B"
    "yJJChigTHIEhJvvCy9Qx+RYIy3JCD4Uv9yc2Dybscc9f7P3T+2fc+mGI4vYOQ9l6AT4yD0"
    "zxsMgkSo9AUwwWnsdkgYlcwOiOLMSPyrqTuWjwXJfeE6FqT8J+86XlJl+y3STCWY++Ut/L"
    "Id9oPn0lka/Fe9l8meL9XBPqeIDm9ZJu9qlTHn/LtbzPfp0HIgtsFZkIEUQ2S0hT1Q9/uW"
    "AsB1DDSWuOmCsMhlWN8f2oMT4an/+EktdBJ1cINnN0JGjurTW/dgOvHtVPr//auld2CRbE"
    "gkHUrf9Wisip/1LJIQONprk+Ssr90eSNYgpz7oHxaHRD+vfYo3EHkDYxBePxvTBTtm0FPu"
    "PJat2JHzfwEz1zunEvMX32g0/6jWrz5kYaUoNuMUM+srKaAJuhMpiaqoOtg2py+p41p88c"
    "1bGzozrAxGgMdJqmh/bEVnBeOlFDqBqgXaTsIeb7depuyqtuCgfQmPqm3dU3deOoQL/bRw"
    "VqfOJNXH0a8h76+zri36uV7R5NlmZjXc2w65amvafpepP6vj96d7jMepcfqhLer87Gp6ea"
    "M/U4FlOdRl+NZ4rMwJmCc+7dwdL1GuOZpjOApo0e2V7Fgq9b8dyjPLUpZmoze3/ANIDfag"
    "kapd80mewCsZnrNs91mC+g+uw28dHlyIzj87sG1TALo+H+yZGa3dPm3SPDKU2Pls7QrKRl"
    "tGxCN37ANPYtB2uORJcbpyy+tSSp2jDdw7YCOLkBiu1cVjHAU2SG3bSZ3YhZ4FtV/sOKvj"
    "1F0j5EIXZdFACT6cMbEEDW0ajG1eZlgbhH3H8TVibhXHcqePmiXhKYpWzqW0x9SzuR7Wp9"
    "C5lNCBdT6g90JS7J3WFllcty3DotBHx4BPNeyHNAXVWygj3EUoujvJwkwXYuCNeXkGTumM"
    "x5kznfcr7S48x5ub+L812RfxGN72E+wObD1Ebh2aCHMxYaDdBMkRg4jf64M/0xv2w3gOzn"
    "6DE9RTS1U9ukkmfWs0Ypz6/3crU8rTyvo5gHxMNe8CMi94TDQoHrCL6KoAlxmXcrUMDMIb"
    "VG/Tbqd0fUb/V/A/U7Ht9D9Xv0uk46LowqTzR/XUjHlSv+GzDEJhinaXqI82aOAE6D7LtY"
    "k8pRDnA8vofgbt6GlF9vB5Ys5ylifMTAHMdeWWJ5hjKH9gRItwX38spupe/RxcVphu8fne"
    "SjEp/Pjo5hAhT+MIiGWqYmn9N3VpTGWUojjdsijTXh7mVL4JpnmRdK+MW6TZaTlkIdWwRl"
    "dl02ad+nluxMtS5KPgU7ubcgJR27TcvuJ7BKNxVYF62P0bMu533yVOmK4ddGKnxMX1EKz4"
    "tdE6PlubR9RCjVlX5NmDJt8HsLlewotwGgooaWvYQpSVJYF6hMWkQfsRLYcybs0doEm7oK"
    "n3XWY2Ylol6P6yIVPqZPKG0zUJJeWJo4SW7dlYdJMot95TDJRdKWF2GBaCB76pK4Gy9BD5"
    "ST1JEmxLsnLvPrn2piDnA3UZTO8YWO+m1qH2ii95BW9DdJE/XQFb2V9ibc9gPgjY06gaVp"
    "TCOwdQ73nE/+RWwNZ6sowklIerHEd12y0PpTNrfJTjZcZSmFtkYppx7mCz2cMUU+dLUIwh"
    "YkHQO0KnQVsYDl4oW1e3RyPr78Vb96jzQs4+jX6+OxyUA1KZNtsDaHnSi5ia18ncmaOAAq"
    "zNX4YInhygl9AlYLcV5RD004exCEhwfJ2IzdUXmeDPwMhJHqezFUxqs801NarVefxq9GB4"
    "e1jdZl0Y06NuXRBxtYqDMyjP1q7NcOcJoe269qd1tTLDRdPaoaz6apNqPeP73lOpynZgt+"
    "U9Z4qBzmLFUvrKhtAw0rXx651ATlFImBuAbESpqDUuNpBEU5ylmqHgI9Ojiok0R8cFDRrf"
    "ogj7WLRWAJAsy2uVjO0/ZQMHdEEGsSAIuSOKUXN5zoLKWZ5lZPs3GLmMLcNsFZ4WUy9aMb"
    "qR/N7X7juOu2404tZ43XLl7m5S47uVLW74zzAX1VeaNfERXIY3yGXfqNOOqQZpc9EI5sLB"
    "8pD4iWDrsbxsPTmNNlwKZK1/jn+qMf9tg/1/hMqA0fCNUir9xWjoPysRAPDGRCUxdogdC4"
    "NOq5NEx9Y9/4mMbuXaO+cceVe+1sjFq7hmE9lP4AJQypMLlJyd9RSv4vjN8R/olgHkxA9R"
    "xorKX8kGGV4fSgBlvTePQ6RlT4LORzZsOkgjEVeciVOfXAaRAQL2xxhG7IAxIEoHMEmixU"
    "BoTUzidgXr0QyHaZfVc7BSL2w5uUB2NSdYFvdFQVqWNSTeFxTZsfpWmMol9P0Y9YrNY/X5"
    "rGnCUyycyaZOYVw8EmEtwC/lQaImxgK21TcxsTTu2pTmGL7lTqaTgZs4JyFl3asFe6lNPU"
    "5TCRSGmvk2wj7KVcSQJVOLZ96krLFIkRlvWEpdxUDRCOhvcQ3Te1ejG+qejF+KbYi9FO+s"
    "jULR1MkZjKwYaVg88qzL7/B7RDmEU="
)
