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
    "7xeAP6GqDfY04lFI2QzxAZ+NeAX9hT4szd1WrCcrSmWqjN1ULGg2w8yB33IKeU1OzhAquX"
    "qmRPM+gJ4lstUTnD1D2+L0mjSW4Oq1zuqpkguV/zbIgZuydRyQl7CH3tVPbNC1Ripu8CIu"
    "gBL2THPU4CvhjCHzAHhHPsDtVFlSEa/nkzF/KqatYn3fU2nou6uZtfwh/kMuOmN276jvGQ"
    "Hrvpc5uy7o7LkRndR9cJqHmHuxxZL3xzW2+/xlYAOkNkYK4Bs5L1TVzMS4JewGtymdoGu7"
    "FEW26JbtvAOmW3gxLzSt4aPmlcgf6yXkoTGEfUp2ChSQtLdiWPwpd7SJbETcHIkkKGKBMc"
    "gSEm25nLjCf5FgjLKjgPhS/3JzYPJuxxz1/s/dP7Z9yxYIjirgRD2TEAPjIPTPGwNiKK6q"
    "MpBgvPY7IuQi5gdEcW4kdl3ckUKniuS++JUCUTYZv00iqJL9kmCOGsR1+pb0GQ74+evpLI"
    "1+K9bJpH8X6ud3I8QPN6SRP21OGEv+U6tWe/zgORBbaKjN8Hkc0S0lS1cV8uGMsB1HDSUS"
    "LmCoNhVT93P+rnjsbnP6HkddDJFYLNHJ1kmXtrza/dwKtHZb/rv7bulV2CBbFgEHXrv5Ui"
    "cuq/VNIbv9E010dJuT+avFFMYdr1G49GN6R/jz0adwBpE1MwHt8LM2XbVuAzHgjWnbBnAz"
    "/RM2fJ9hLTZz+vo9+oNu/JoyE16BYTuyMrqwmwGSqDqUmW3zqoJhXtWVPRzAkTOzthAkyM"
    "xkCnaXpoT2wF56UTNYSqAdpFyh5ivl+nXKS8WKRwboopy9ldWU43Trjzu33CncYn3sTVpy"
    "Hvob+vI/69Wkna0WRpNtbVDLtu6WFwabrenAe3P3p3uDwKTn6oOgXu6mx8eqo5Co5jMdVp"
    "9NV4psgMnCk4594dLF2vMZ5pOgNo2uiRXUEs+LoVj+vJU5sanDaz9wdMA/itlqBR+k2TyS"
    "4Qm7lu81yH+QKqPWwTH12OzDg+v2tQDbMwGu6fHKnZPW3ePTKc0vRE5AzNSlpGyyZ04+ci"
    "Y99ysOYkb7lxyuJbS5KqDdM9bCuAkxug2IVkFQM8RWbYTZvZjZgFvlXlP6xoN1Mk7UMUYt"
    "dFATCZPrwBAWQdjWpcbV4WiHvE/TdhZRLOdYdZly/qJYFZyqa+xdS3tBPZrta3kNmEcDGl"
    "/kBX4pLcHVZWuSzHrdNCwIdHMO+FPL7SVSUr2EMstTjKy0kSbOeCcH0JSeaOyZw3mfMt5y"
    "s9zpyX+7s43xX5F9H4HuYDbD5MbRSeDXo4Y6HRAM0UiYHT6I870x/zy3YDyH6OHtNTRFM7"
    "tU0qeWY9a5Ty/HovV8vTyvM6inlAPOwFPyJyTzgsFLiO4KsImhCXebcCBcycrWrUb6N+d0"
    "T9Vv83UL/j8T1Uv0ev66TjwqjyRPPXhXRcueK/AUNsgnGapoc4b+bk2jTIvos1qRzlAMfj"
    "ewju5m1I+fV2YMlyniLGRwzMceyVJZZnKHNoT4B0W3Avr+xW+h5dXJxm+P7RST4q8fns6B"
    "gmQOEPg2ioZWryOX1nRWmcpTTSuC3SWBPuXrYErnkEd6GEX6zbZDlpKdSxRVBm12WT9n1q"
    "yc5U66LkU7CTewtS0rHbtOx+Aqt0U4F10foYPety3idPla4Yfm2kwsf0FaXwmNM1MVoep9"
    "pHhFJd6deEKdMGv7dQyY5yGwAqamjZS5iSJIV1gcqkRfQRK4E9Z8IerU2wqavwWWc9ZlYi"
    "6vW4LlLhY/qE0jYDJemFpYmT5NZdeZgks9hXDpNcJG15ERaIBrKnLom78RL0QDlJHWlCvH"
    "viMr/+qSbm3HETRekcX+io36b2gSZ6D2lFf5M0UQ9d0Vtpb8JtPwDe2KgTWJrGNAJb50zK"
    "+eRfxNZwtooinISkF0t81yULgn7TxA5L623i4btr5bBNdrLhKksptDVKOfUwX+jhjCnyoa"
    "tFELYg6RigVaGriAUsFy+s3aOT8/Hlr/rVe6RhGUe/Xh+PTQaqSZlsg7U57ETJTWzl60zW"
    "xAFQYa7GB0sMV07oE7BaiPOKemjC2YMgPDxIxmbsjsrzZOBnIIxU34uhMl7lmZ7Sar36NH"
    "41OjisbbQui27UsSmPPtjAQp2RYexXY792gNP02H5Vu9uaYqHp6lHVeDZNtRn1/ukt1+E8"
    "NVvwm7LGQ+UwZ6l6YUVtG2hY+fLIpSYop0gMxDUgVtIclBpPIyjKUc5S9RDo0cFBnSTig4"
    "OKbtUHeaxdLAJLEGC2zcVynraHgrkjgliTAFiUxCm9uOFEZynNNLd6mo1bxBTmtgnOCi+T"
    "qR/dSP1obvcbx123HXdqOWu8dvEyL3fZyZWyfmecD+iryhv9iqhAHuMz7NJvxFGHNLvsgX"
    "BkY/lIeUC0dNjdMB6expwuAzZVusY/1x/9sMf+ucZnQm34QKgWeeW2chyUj4V4YCATmrpA"
    "C4TGpVHPpWHqG/vGxzR27xr1jTuu3GtnY9TaNQzrofQHKGFIhclNSv6OUvJ/YfyO8E8E82"
    "ACqudAYy3lhwyrDKcHNdiaxqPXMaLCZyGfMxsmFYypyEOuzKkHToOAeGGLI3RDHpAgAJ0j"
    "0GShMiCkdj4B8+qFQLbL7LvaKRCxH96kPBiTqgt8o6OqSB2TagqPa9r8KE1jFP16in7EYr"
    "X++dI05iyRSWbWJDOvGA42keAW8KfSEGEDW2mbmtuYcGpPdQpbdKdST8PJmBWUs+jShr3S"
    "pZymLoeJREp7nWQbYS/lShKowrHtU1dapkiMsKwnLOWmaoBwNLyH6L6p1YvxTUUvxjfFXo"
    "x20kembulgisRUDjasHHxWYfb9P9reMiA="
)
